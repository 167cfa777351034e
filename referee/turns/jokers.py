"""Where the jokers on a table went in a turn: which set each left, and what replaced it.

A table of sets (groups and runs) is read before and after the turn, and its jokers are followed
from one to the other. Only sets that the turn changed are looked at: a set that is the same before
and after was left alone. What is allowed depends on the game’s `Retrieval`.

With REPLACE, a joker was retrieved if it stands for another tile than before, wherever it is. A
turn is a sequence of steps. A joker can be taken once a tile that keeps its set legal is put in its
place; what happens to that set later in the turn is ordinary rearranging. So for each joker that
was retrieved:

- A tile that could replace it is on the table after the turn, in addition to the tiles of the
  joker’s old set. It was played from the rack, or comes from another set that was changed.
- One tile replaces one joker (`referee.turns.replacements`).
- If the replacement has to be exact, it is the tile that the joker stood for.
- If it has to come from the rack, it was played this turn.
- If a group of 2 tiles and a joker needs both missing colors, there is a tile of each.

If a retrieved joker has to go to a new set, no old set can continue in the set it went to. An old
set continues in a new one that has all its tiles (the tiles that the joker left are such a set), or
a part of it that is a legal set. It doesn’t count if that old set also continues in another new
set, because then it was split. Tiles are compared by what is printed on them, because that is all
that players see.

If wilds move in this game, a joker wasn’t retrieved if its run was only added to and one of the
added tiles is the one it stood for, whatever it stands for now.

With FREE, a joker can leave its set in any way; only the rule about new sets can apply. With
LOCKED, a joker’s set has to be part of a new set in which the joker stands for the same tile, so it
can only be added to.

Equal tiles can’t be distinguished, and neither can jokers. A joker can also stand for one of
several tiles: in a group with several colors missing, or in a run with too few naturals to show its
direction. So a turn can have several explanations, and the best one counts: the one with the least
against it, then the one with the fewest jokers retrieved. With 2 jokers, there are a few dozen
explanations. With more there can be too many to try them all; then the turn isn’t decided, unless
one of those that were tried has nothing against it.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from referee.cards import JOKER, Card
from referee.melds.rules import MeldRules
from referee.rulings import Code, Finding, Reading, found, ground
from referee.turns.joker_readings import Seen, Tables, TableSet, ways
from referee.turns.replacements import (
    Demand,
    JokerMove,
    Newcomer,
    Replacements,
    SetTest,
    TooMuchWorkError,
)

_LEAST: Final = 3
"""The fewest tiles in a set."""
_WORK: Final = 10
"""How much work an explanation is, besides finding replacements."""


class Retrieval(Enum):
    """When a joker can leave its set: once it is replaced, at any time, or never."""

    REPLACE = "replace"
    FREE = "free"
    LOCKED = "locked"


class JokerRule(NamedTuple):
    """The rules for taking a joker out of a set on the table, and for where it can go."""

    retrieval: Retrieval
    exact: bool
    from_rack: bool
    both_colours: bool
    new_set: bool

    @property
    def demand(self) -> Demand:
        """What the rules ask of a tile that replaces a joker."""
        return Demand(self.exact, self.both_colours, self.from_rack)

    @property
    def asks_nothing(self) -> bool:
        """Whether a joker can leave any set and go to any set."""
        return self.retrieval is Retrieval.FREE and not self.new_set


class History(NamedTuple):
    """Where the jokers went in a turn, by the best explanation, and whether the rules allow it."""

    findings: tuple[Finding, ...] = ()
    """The findings against this explanation of the turn; if there are none, those in its favor."""
    readings: tuple[Reading, ...] = ()
    """How the explanation reads each changed set of the new table, in the order of that table."""


def follow(
    before: Sequence[TableSet],
    after: Sequence[TableSet],
    played: Counter[Card],
    rule: JokerRule,
    rules: MeldRules,
) -> History:
    """Return the best explanation of where the jokers went between two tables.

    `before` and `after` are the sets that the turn changed, and `played` are the tiles from the
    rack. All sets need to be legal under `rules`, and no tile can be missing afterwards.
    """
    tables, is_set, colours = Tables(before, after), SetTest(rules), rules.pack.suits
    seen = [
        [tuple(ways(place, meld, colours)) for place, meld in enumerate(table)]
        for table in (before, after)
    ]
    best: _Explanation | None = None
    # Nobody says which joker went where, so try each way to read both tables and match the jokers.
    try:
        for old, new in itertools.product(*(itertools.product(*table) for table in seen)):
            for moves in _matchings(old, new, may_move=rules.wilds.moves):
                is_set.count()
                # Even with nothing against it, this explanation wouldn’t be better than the best.
                if best is not None and best.weight <= (0, *_moved(moves)):
                    continue
                is_set.count(_WORK)
                places = Replacements(old, new, moves, played, is_set)
                explanation = _Explanation(tables, old, new, moves, rule, places)
                if best is None or explanation.weight < best.weight:
                    best = explanation
    except TooMuchWorkError:
        # A turn with an explanation that nothing is against is legal, whatever the others are.
        if best is None or best.against:
            jokers = tuple(card for meld in after for card in meld.cards if card is JOKER)
            return History((found(Code.NOT_DECIDED, "joker-steps", jokers, "jokers"),), ())
    assert best is not None, "every set can be read"
    return History(best.against or tuple(best.grounds()), tuple(seen.reading for seen in best.new))


def _matchings(
    old: Sequence[Seen], new: Sequence[Seen], *, may_move: bool
) -> Iterator[tuple[JokerMove, ...]]:
    """Yield every way to match the jokers of the old table with those of the new one.

    `may_move` is whether wilds can move in their runs in this game.
    """
    left = [(seen, tile) for seen in old for tile in seen.jokers]
    went = [(seen, tile) for seen in new for tile in seen.jokers]
    for chosen in itertools.permutations(went, len(left)):
        moves = (JokerMove(*one, *other) for one, other in zip(left, chosen, strict=True))
        yield tuple(move._replace(over=may_move and move.makes_way) for move in moves)


def _moved(moves: Sequence[JokerMove]) -> tuple[int, int]:
    """Return two numbers by which explanations are compared; few are more likely.

    The first is how many jokers were retrieved, the second how many are then in a set without any
    natural of their old set.
    """
    retrieved = sum(move.retrieved for move in moves)
    apart = sum({*move.left.cards} & {*move.went.cards} == {JOKER} for move in moves)
    return retrieved, apart


class _Explanation:
    """One explanation of where the jokers went, and what the rules say against it.

    `old` and `new` say what each joker stood for before and after, and `moves` which joker of the
    old table is which of the new one. `against` has the findings, and `weight` compares
    explanations: the lowest is the best.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - an explanation and what it is measured by
        self,
        tables: Tables,
        old: Sequence[Seen],
        new: Sequence[Seen],
        moves: tuple[JokerMove, ...],
        rule: JokerRule,
        replacements: Replacements,
    ) -> None:
        self.tables = tables
        self.old = old
        self.new = new
        self.moves = moves
        self.rule = rule
        self.replacements = replacements
        self.retrieved = replacements.retrieved
        self.targets = {move.went.place for move in self.retrieved}
        self.replaced: dict[int, tuple[Newcomer, ...]] = {}
        self.against = tuple(self._weigh())
        self.weight = (len(self.against), *_moved(moves))

    def _weigh(self) -> Iterator[Finding]:
        if self.rule.retrieval is Retrieval.LOCKED:
            yield from self._locked()
        elif self.rule.retrieval is Retrieval.REPLACE:
            yield from self._not_replaced()
        # A locked joker that moved is already reported, so where it went doesn’t matter.
        if self.rule.new_set and self.rule.retrieval is not Retrieval.LOCKED:
            yield from self._to_new_sets()

    def _holders(self, place: int) -> list[int]:
        """Return the new sets (by index) that contain all of an old one but retrieved jokers."""
        staying = [m for m in self.moves if m.left.place == place and not m.retrieved]
        around = self.tables.around[place]
        return [at for at in around if all(move.went.place == at for move in staying)]

    def _locked(self) -> Iterator[Finding]:
        """Yield a finding for each old set with a joker that isn’t wholly part of a new set."""
        held = [old for old in self.old if old.jokers]
        moved = {move.left.place for move in self.retrieved}
        whole = [() if old.place in moved else self._holders(old.place) for old in held]
        if any(map(self._have_room, itertools.repeat(held), itertools.product(*whole))):
            return
        # If each could be in a new set, but they share its tiles, all of them are reported.
        for old, places in zip(held, whole, strict=True):
            if not places or all(whole):
                yield found(Code.JOKER_LOCKED, "retrieval", old.cards, these=old.cards)

    def _have_room(self, held: Sequence[Seen], places: Sequence[int]) -> bool:
        """Return whether all these old sets fit, each in the new set that `places` has for it."""
        wanted: dict[int, Counter[Card]] = defaultdict(Counter)
        for old, at in zip(held, places, strict=True):
            wanted[at].update(old.cards)
        return all(tiles <= Counter(self.new[at].cards) for at, tiles in wanted.items())

    def _not_replaced(self) -> Iterator[Finding]:
        """Yield a finding for each joker without a replacement that the rules allow."""
        rule, places = self.rule, self.replacements
        everyone = range(len(self.retrieved))
        self.replaced = places.find(rule.demand)
        if len(self.replaced) == len(everyone):
            return
        # Jokers without any replacement come first, even one that house rules don’t allow.
        replaced = places.find(Demand())
        if len(replaced) < len(everyone):
            taken = {one.tile for chosen in replaced.values() for one in chosen}
            for index in everyone:
                if index not in replaced:
                    yield self._nothing_for(index, taken)
            return
        demands = [
            (rule.exact, Demand(exact=True), self._wrong_tile),
            (rule.both_colours, Demand(both_colours=True), self._one_colour),
            (rule.from_rack, Demand(from_rack=True), self._off_the_table),
        ]
        asked = [(demand, against) for is_asked, demand, against in demands if is_asked]
        broken = [
            against(index)
            for demand, against in asked
            for index in everyone
            if index not in places.find(demand)
        ]
        yield from broken or [
            against(at) for _, against in asked for at in everyone if at not in self.replaced
        ]

    def _nothing_for(self, index: int, taken: set[Card]) -> Finding:
        """Return the finding that no tile replaced a retrieved joker, and which tiles could have.

        `index` is that of the joker in `retrieved`, and `taken` are tiles that replaced others.
        """
        cards = self.retrieved[index].left.cards
        would_do = self.replacements.would_do(index)
        used = tuple(tile for tile in would_do if tile in taken)
        if used:
            return found(
                Code.JOKER_NOT_REPLACED, "joker-steps", cards, "two", left=cards, used=used
            )
        return found(Code.JOKER_NOT_REPLACED, "retrieval", cards, left=cards, tiles=would_do)

    def _wrong_tile(self, index: int) -> Finding:
        cards = self.retrieved[index].left.cards
        tiles = self.replacements.very_tiles(index)
        return found(Code.JOKER_WRONG_TILE, "replacement", cards, tiles=tiles, these=cards)

    def _one_colour(self, index: int) -> Finding:
        cards = self.retrieved[index].left.cards
        return found(Code.JOKER_BOTH_COLOURS, "group-of-three", cards, these=cards)

    def _off_the_table(self, index: int) -> Finding:
        cards = self.retrieved[index].left.cards
        return found(Code.JOKER_NOT_FROM_RACK, "replacement-from", cards, these=cards)

    def _to_new_sets(self) -> Iterator[Finding]:
        """Yield a finding for each retrieved joker that went to a set that isn’t new."""
        for move in self.retrieved:
            at = move.went.place
            if any(self._goes_on_only_here(place, at) for place in range(len(self.old))):
                left, went = move.left.cards, move.went.cards
                yield found(Code.JOKER_NOT_IN_NEW_SET, "goes", went, left=left, went=went)

    def _goes_on_only_here(self, place: int, at: int) -> bool:
        """Return whether an old set continues in the new set `at`, and nowhere else.

        It continues elsewhere if it does in a new set that no retrieved joker went to. Equal old
        sets each need a set of their own for that.
        """
        if not self._goes_on(place, at):
            return False
        others = (to for to in range(len(self.new)) if to not in self.targets)
        alike = self.tables.old.count(self.tables.old[place])
        return sum(self._goes_on(place, to) for to in others) < alike

    def _goes_on(self, place: int, at: int) -> bool:
        """Return whether the new set `at` has all of an old one, or a part that is a set."""
        shared = self.tables.old[place] & self.tables.new[at]
        if not shared:
            return False
        if at in self._holders(place):
            return True
        tiles = {card for card, _ in shared}
        tiles.update(
            move.stands
            for move in self.moves
            if (move.left.place, move.went.place) == (place, at) and not move.retrieved
        )
        # Fewer tiles aren’t a set, so the joker went to tiles that are a set only with it.
        if len(tiles) < _LEAST:
            return False
        reading = self.new[at].reading
        where = [
            spot
            for tile, spot in zip(reading.stands, reading.places, strict=False)
            if tile in tiles
        ]
        return not where or max(where) - min(where) < len(tiles)

    def grounds(self) -> Iterator[Finding]:
        """Yield where each joker went: the reasons for this explanation."""
        for move in self.moves:
            left, went, stood = move.left.cards, move.went.cards, move.stood
            if move.over:
                wilds = self.replacements.is_set.rules.wilds
                yield ground(Code.WILD_MOVED, "moves", went, wild=wilds, stands=(move.stands,))
                continue
            if not move.retrieved:
                yield ground(
                    Code.JOKER_STAYS, "same-stands", went, left=left, stood=stood, went=went
                )
                continue
            chosen = self.replaced.get(self.retrieved.index(move), ())
            if chosen:
                there = tuple(JOKER if one.wild else one.tile for one in chosen)
                how = "joker" if chosen[0].wild else ""
                cites, tiles = self._ground(move, chosen), tuple(one.tile for one in chosen)
                yield ground(Code.JOKER_REPLACED, cites, there, how, left=left, tiles=tiles)
            else:
                yield ground(
                    Code.JOKER_REPLACED, "retrieval", (JOKER,), "free", left=left, stood=stood
                )
            yield ground(Code.JOKER_REUSED, "goes", went, stands=move.stands, went=went)

    def _ground(self, move: JokerMove, chosen: tuple[Newcomer, ...]) -> str:
        """Return the name of the clause that allows the replacement of a joker."""
        if move.left.is_group_of_three:
            return "group-of-three"
        if self.rule.from_rack:
            return "replacement-from"
        (one,) = chosen
        if self.replacements.beside(one, move) < len(move.left.cards) - len(move.left.jokers):
            return "joker-steps"
        very_tile = one.tile is move.stood
        return "retrieval" if very_tile and not self.rule.exact else "replacement"
