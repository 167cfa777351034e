"""A description that can be looked up by path, with what follows from its fields.

Each field already has a value of its kind. Whether the fields make sense together is checked in
`referee.describing.checking.sense`; before that, use only `get`, `has` and `pack`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from referee.describing.packs import (
    JOKER,
    MOVING,
    ROUND,
    DescribedPack,
    NamedCard,
    PackKind,
    face,
    kinds_of_packs,
)
from referee.describing.schema import ALWAYS, BY_PATH, POINTS_ONLY, STEPS, UNCHECKED, WAYS, Spec
from referee.describing.schema.fields import GIVEN
from referee.describing.schema.kinds import FACE, named, players_in
from referee.describing.schema.scoring import SETTLEMENTS
from referee.melds.contracts import Contract
from referee.rulings import MeldKind

VALUES: Final = frozenset({"score.hand", "score.table", "score.in-run", "score.wilds"})
"""The fields that are tables of points by card."""

_BY_SUIT: Final = frozenset({"run", "flush", "swap", "rearrange", "hand"})
"""Tables of games in which suits matter."""
_NO_RULES: Final = frozenset({"slug", "text", "options", "editions", "examples"})


class Description:
    """A description, looked up by path.

    >>> from referee import variants
    >>> from referee.describing import Description
    >>> game = Description(variants.description_of("gin-rummy"))
    >>> game.has("wild"), game.get("run.min")
    (False, 3)
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def has(self, section: str) -> bool:
        """Return whether the description has a table; those that always apply count also."""
        return section in self.spec or section in ALWAYS or section == UNCHECKED

    def get(self, path: str) -> Any:  # noqa: ANN401 - what the kind of the field says
        """Return the value of a field, or its default; None for no limit or no value.

        Raise KeyError if no field has this path.
        """
        field = BY_PATH[path]
        written = self.spec.get(field.section, {})
        if field.name in written:
            return written[field.name]
        if path == "run.ace":
            return "both" if self._kind.ranks[0] == "A" else "low"
        return None if field.default is GIVEN else field.default

    @cached_property
    def _kind(self) -> PackKind:
        return kinds_of_packs()[self.get("pack.kind")]

    @cached_property
    def pack(self) -> DescribedPack:
        """The pack, without the ranks that are removed and with the special cards."""
        gone = {rank for word in self.get("pack.remove") for rank in self._kind.ranks_of(word)}
        return self._kind.without(gone, self.get("pack.special"))

    @cached_property
    def bare(self) -> Mapping[NamedCard, frozenset[NamedCard]]:
        """The cards that can be written without a suit, each with all the cards that it can be.

        It’s empty if a rule depends on suits. If rules treat the colors of a rank differently,
        there is a card for each color, with the color in place of the suit.
        """
        pack = self.pack
        plain = pack.kind.name == "french" and pack.unsuited is None and "set" in self.spec
        if not plain or _BY_SUIT & {*self.spec} or self.get("set.suits") != "any":
            return {}
        words = {word for part in {*self.spec} - _NO_RULES for word in _words(self.spec[part])}
        if words & {*MOVING}:
            return {}
        named = [cards for cards in map(pack.select, words) if cards]
        found: dict[NamedCard, frozenset[NamedCard]] = {}
        for rank in pack.ranks:
            for colour in ("", *dict.fromkeys(suit.colour for suit in pack.kind.suits)):
                cards = pack.select(f"{colour} {rank}".strip())
                if all(cards <= each or cards.isdisjoint(each) for each in named):
                    found[NamedCard(rank, colour)] = cards
                    if not colour:
                        break
        return found if frozenset().union(*found.values()) == {*pack.cards} else {}

    @property
    def has_tiles(self) -> bool:
        """Whether the game is played with tiles."""
        return self._kind.name == "tiles"

    @property
    def players(self) -> range:
        """The numbers of players that the game is for."""
        low, high = self.spec["players"]
        return range(low, high + 1)

    @cached_property
    def steps(self) -> tuple[Mapping[str, Any], ...]:
        """The steps, each as a table."""
        return tuple(_step(raw) for raw in self.spec.get(STEPS, ()))

    @property
    def deals_differ(self) -> bool:
        """Whether every step has its own number of cards to deal."""
        return bool(self.steps) and all("deal" in step for step in self.steps)

    @property
    def opens_by_step(self) -> bool:
        """Whether every step has its own number of points for the first melds."""
        return bool(self.steps) and all("opening" in step for step in self.steps)

    @property
    def deals(self) -> dict[int, int]:
        """The number of cards dealt to each player, for the steps (from 1) that have their own."""
        return {at: step["deal"] for at, step in enumerate(self.steps, 1) if "deal" in step}

    @property
    def needs_by_step(self) -> tuple[Mapping[str, int], ...]:
        """The melds with a bonus that going out needs in each step; empty if that’s the same."""
        usual = self.get("out.needs")
        differ = any("needs" in step for step in self.steps)
        return tuple(step.get("needs", usual) for step in self.steps) if differ else ()

    @property
    def changing(self) -> int:
        """The number of rounds of which each can have something of its own; 0 if all are alike.

        Without steps, these are rounds in which other cards are wild.
        """
        by_round = ROUND in (self.get("wild.cards") or ())
        return len(self.steps) or (by_round and self.get("end.rounds")) or 0

    def moving_wild(self, step: int) -> tuple[NamedCard, ...]:
        """Return the cards that are wild in a step (from 1), and differ from step to step."""
        if ROUND in self.get("wild.cards"):
            ranks = self.pack.ranks
            return tuple(c for c in self.pack.cards if c.rank == ranks[(step - 1) % len(ranks)])
        dealt = self.steps[step - 1].get("deal", self.most_dealt)
        return tuple(card for card in self.pack.cards if face(card.rank) == dealt)

    @cached_property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts of the steps; raise ContractError if one can’t be read."""
        return tuple(self.contract_of(step) for step in self.steps if "contract" in step)

    def contract_of(self, step: Mapping[str, Any]) -> Contract:
        """Return the contract of a step; raise ContractError if it can’t be read."""
        contract = Contract.parse(step["contract"])
        return replace(contract, no_discard=step.get("discard") == "never")

    @property
    def opening_needs(self) -> Contract:
        """The melds that a player’s first melds need to include, as a contract.

        Pure melds count among the others of their kind. Raise ContractError if one can’t be read.
        """
        said = self.get("opening.needs")
        parts = (
            f"{count - said.get(f'pure {kind}', 0)} {kind}"
            f"{'' if ' of ' in kind else f' of {self._shortest(kind)}'}"
            for kind, count in said.items()
            if count > said.get(f"pure {kind}", 0)
        )
        return Contract.parse(" + ".join(parts)) if said else Contract(())

    def _shortest(self, kind: str) -> int:
        shortest: int = self.get(f"{kind.removeprefix('pure ')}.min")
        return shortest

    @property
    def way(self) -> str:
        """How melds are laid: "contract", "free" or "hand"; "points" if only scores are kept.

        It’s empty if the description has none of these tables, or several.
        """
        ways = [way for way in (*WAYS, POINTS_ONLY) if way in self.spec]
        return ways[0] if len(ways) == 1 else ""

    @property
    def settlement(self) -> str:
        """The name of the way to settle a round."""
        return named(self.get("score.settle"))[0]

    @property
    def settled_by(self) -> Mapping[str, int]:
        """The numbers for settling a round, those that aren’t given with their defaults."""
        given = named(self.get("score.settle"))[1]
        usual = SETTLEMENTS.get(self.settlement, {})
        return {**usual, **(given if isinstance(given, dict) else {})}

    @property
    def melds_together(self) -> bool:
        """Whether partners meld together; else each lays alone, if there are partners at all."""
        return "teams" in self.spec and bool(self.get("teams.melds") == "together")

    @property
    def counts_by_team(self) -> bool:
        """Whether a round is counted by team, also if everyone is a team of one."""
        return self.melds_together or bool({"bonus", "aside", "reserve"} & {*self.spec})

    @property
    def stand_ins(self) -> bool:
        """Whether the pack has special cards, and all of them stand for the wild of the deal."""
        special = self.get("pack.special").values()
        return bool(special) and all("stands" in card for card in special)

    @property
    def big_gin(self) -> int:
        """The bonus for big gin; 0 if it isn’t played."""
        return self.settled_by.get("big-gin", 0)

    @property
    def knocks_by_upcard(self) -> bool:
        """Whether the card turned up at the deal decides who can knock."""
        return self.get("hand.knock") in {"turned", "turned-but-ace"}

    @property
    def no_discard_pile(self) -> bool:
        """Whether nothing is discarded, so there are only the table and the stock."""
        return bool(self.get("draw.pile") == "none")

    def by_players(self, path: str) -> dict[int, int]:
        """Return the number in a field for each number of players; 0 if the field has no value.

        Numbers of players that a table leaves out are missing.
        """
        value = self.get(path) or 0
        if isinstance(value, int):
            return dict.fromkeys(self.players, value)
        return {players: number for key, number in value.items() for players in players_in(key)}

    @property
    def most_dealt(self) -> int:
        """The most cards that a player is dealt, unless a step has its own number."""
        return max(self.by_players("deal.cards").values())

    @property
    def most_copies(self) -> int:
        """The most packs used with any number of players."""
        return max(self.by_players("pack.copies").values())

    @property
    def most_jokers(self) -> int:
        """The most jokers used with any number of players."""
        return max(self.by_players("pack.jokers").values())

    @cached_property
    def wild(self) -> frozenset[NamedCard]:
        """The cards that are wild while wilds are active, without those that the deal decides."""
        found = (self.pack.select(word) for word in self.get("wild.cards") or ())
        return frozenset().union(*found)

    def selected(self, path: str) -> frozenset[NamedCard]:
        """Return the cards that the selectors in a field name."""
        return frozenset().union(*map(self.pack.select, self.get(path) or ()))

    @property
    def runs_only(self) -> frozenset[NamedCard]:
        """The wilds that are wild in runs only."""
        return self.selected("wild.runs-only") if "wild" in self.spec else frozenset()

    @property
    def there(self) -> frozenset[NamedCard]:
        """All cards of the pack, each once, with jokers and special cards."""
        jokers = {JOKER} if self.most_jokers else set()
        special = {NamedCard(rank, "") for rank in {*jokers, *self.pack.specials}}
        return frozenset({*self.pack.cards, *special})

    def points(self, *paths: str) -> dict[NamedCard, int | str]:
        """Return the points of each card in these tables; later tables replace earlier ones.

        In a table, a selector for fewer cards replaces one for more. The points can be "face", for
        the number on the card. The cards are in order, those of selectors for many cards first.
        """
        found: dict[NamedCard, int | str] = {}
        for path in paths:
            lines = [
                (self.pack.select(word), points) for word, points in (self.get(path) or {}).items()
            ]
            for cards, points in sorted(lines, key=lambda line: -len(line[0])):
                others = {card: cost for card, cost in found.items() if card not in cards}
                found = others | dict.fromkeys(sorted(cards), points)
        return found

    def apart(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return a table of cards with rows that don’t overlap, in the order of the ranks.

        Ranks with a row of their own are left out of ranges; if nothing overlaps, the rows stay as
        they are written. They are sorted because a stored game doesn’t keep their order.
        """
        order = self.pack.kind.ranks
        of = {word: self.pack.kind.ranks_of(word) for word in table}
        own = {word for word in table if len(of[word]) == 1}
        overlap = any(len(ranks) > 1 and own & {*ranks} for ranks in of.values())
        rows: list[tuple[int, str, Any]] = []
        for at, (word, value) in enumerate(table.items()):
            parts = {word: [*of[word]]}
            if overlap and of[word]:
                left = [rank for rank in of[word] if word in own or rank not in own]
                groups = groupby(enumerate(left), lambda each: order.index(each[1]) - each[0])
                runs = [[rank for _, rank in some] for _, some in groups]
                parts = {"-".join(dict.fromkeys([ranks[0], ranks[-1]])): ranks for ranks in runs}
            for name, ranks in parts.items():
                if ranks:
                    # An ace that isn't written first is above the king.
                    place = len(order) if ranks == ["A"] and at else order.index(ranks[0])
                else:
                    place = len(order) + 1 + at
                # For a single card, the face value is simply a number.
                one = face(ranks[0]) if len(ranks) == 1 and value == FACE else value
                rows.append((place, name, one))
        return {name: value for _, name, value in sorted(rows, key=lambda row: row[0])}

    def asked(self, kind: MeldKind) -> tuple[int, ...]:
        """Return the size of each meld of a kind in all contracts, one after the other."""
        needs = (need for contract in self.contracts for need in contract.needs)
        return tuple(need.size for need in needs if need.kind is kind)

    @property
    def rests_in(self) -> tuple[int, ...]:
        """The steps (from 1) in which the cards of `wild.cards` aren’t wild.

        If they are wild only while the contract asks for a run, these are the steps whose contract
        has none. Otherwise it’s empty.
        """
        if self.get("wild.when") != "run-in-contract" or "wild" not in self.spec:
            return ()
        return tuple(
            number
            for number, contract in enumerate(self.contracts, 1)
            if all(need.kind is not MeldKind.RUN for need in contract.needs)
        )


def _step(raw: object) -> Mapping[str, Any]:
    if isinstance(raw, str):
        return {"contract": raw}
    return {"deal": raw} if isinstance(raw, int) else raw  # type: ignore[return-value]  # a table


def _words(said: object) -> Iterator[str]:
    """Yield all words in a part of a description."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        yield from (word for pair in said.items() for each in pair for word in _words(each))
    elif isinstance(said, list | tuple):
        yield from (word for each in said for word in _words(each))
