"""The scoring of a description: points of a round, the end of the game, and the scorepad."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.cards import ACE, JOKER, Card
from referee.describing.building.cards import points_by_card, points_by_rank
from referee.describing.description import Description
from referee.describing.packs import face
from referee.describing.schema import POINTS_ONLY, STEPS
from referee.describing.schema.scoring import AGAINST, ZERO_SUM
from referee.describing.sentences import label
from referee.describing.sentences.words import Values, title_in
from referee.options import CHANGE
from referee.pad import ClockRule, Counts, PadRule
from referee.rulings import MeldKind, Reading, TableWorth
from referee.saying import WORDS, Catalogue
from referee.scoring import (
    EndBonus,
    Ending,
    Lead,
    Settlement,
    after_rounds,
    dropped,
    first_to,
    fixed,
    knocked,
    last_standing,
    never,
    others_pay,
    own_deadwood,
    past_last_step,
    penalty,
    rack_to_winner,
    table_less_hand,
    with_bonus,
    won_from_others,
)
from referee.variant import Variant

_SETTLED: Final[Mapping[str, Settlement]] = {
    "own-hand": own_deadwood,
    "table-less-hand": table_less_hand,
    "to-out": others_pay,
    "winner-scores": won_from_others,
    "to-lowest": rack_to_winner,
}
_LEADS: Final = {
    "lowest": Lead.LOWEST,
    "highest": Lead.HIGHEST,
    "wins": Lead.GAMES,
    "furthest": Lead.FURTHEST,
}
_COUNTS: Final = {"fixed": Counts.NONE, "penalty": Counts.NONE, "drop": Counts.WHERE_COMPARED}
"""The hands that are counted, for settlements that don’t count all."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores a meld on the table, card by card, by the rank that each card stands for.

    `in_set` and `in_run` have the points by rank, with the joker at 0; flushes score like runs.
    """

    in_set: tuple[int, ...]
    in_run: tuple[int, ...]
    alone: int | None = None
    """The points of each wild in a set of only wilds; None if it scores by rank."""
    low_ace: int | None = None
    """The points of an ace as the low end of a run; None if it scores as usual."""
    own: bool = False
    """Whether a wild scores its own points, not those of the card it stands for."""
    by_card: tuple[tuple[Card, int], ...] = ()
    """The points of cards that score differently from the others of their rank."""
    wilds: tuple[int, ...] = ()
    """The points of a wild by the rank it stands for; empty if it scores as that rank does."""

    def __call__(self, meld: Reading) -> tuple[int, ...]:
        """Return the points of each card of a meld."""
        if meld.rankless and self.alone is not None:
            return (self.alone,) * len(meld.cards)
        points = self._as_cards(meld)
        if not self.wilds or self.own:
            return points
        low = self.low_ace is not None
        places = meld.places or (0,) * len(points)
        each = zip(points, meld.stands, meld.wild, places, strict=True)
        return tuple(
            [
                self.wilds[card.rank] if wild and not (low and at == ACE) else one
                for one, card, wild, at in each
            ]
        )

    def _as_cards(self, meld: Reading) -> tuple[int, ...]:
        """Return the points of each card, with each wild as the card that it counts as."""
        points = self.in_set if meld.kind is MeldKind.SET else self.in_run
        cards = meld.cards if self.own else meld.stands
        if self.low_ace is not None and ACE in meld.places:
            low, ranks = self.low_ace, [card.rank for card in cards]
            pairs = zip(ranks, meld.places, strict=True)
            return tuple([low if rank == at == ACE else points[rank] for rank, at in pairs])
        if self.by_card:
            odd = dict(self.by_card)
            return tuple([odd.get(card, points[card.rank]) for card in cards])
        return tuple([points[card.rank] for card in cards])


@dataclass(frozen=True, slots=True)
class ScoredAsPrinted:
    """Scores a meld on the table, card by card; wilds score nothing."""

    scored: Scored

    def __call__(self, meld: Reading) -> tuple[int, ...]:
        """Return the points of each card of a meld."""
        if meld.rankless:
            return (0,) * len(meld.cards)
        pairs = zip(self.scored(meld), meld.wild, strict=True)
        return tuple([0 if wild else points for points, wild in pairs])


@dataclass(frozen=True, slots=True)
class NumberByPlayers:
    """A number that depends on how many play, as how many packs there are."""

    by_players: tuple[tuple[int, int], ...]
    """The numbers of players, each with the number for it."""

    def __call__(self, players: int) -> int:
        """Return the number for this many players, or else the one for the most players."""
        found = dict(self.by_players)
        return found.get(players, found[max(found)])


def worth(game: Description) -> TableWorth | None:
    """Return the function for the points of a meld, on the table or towards the opening.

    Return None if melds have no points.
    """
    if game.get("score.table"):
        return Scored(
            _by_rank(game, "score.table"),
            _by_rank(game, "score.table", "score.in-run"),
            game.get("score.wilds-alone"),
            _low_ace(game),
            own=game.get("wild.counts") == "own",
            by_card=_by_card(game, "score.table"),
            wilds=_by_rank(game, "score.table", "score.wilds") if game.get("score.wilds") else (),
        )
    if "opening" not in game.spec:
        return None
    in_hand = _by_rank(game, "score.hand")
    scored = Scored(
        *(in_hand, in_hand),
        low_ace=_low_ace(game),
        own=game.get("wild.counts") == "own",
        by_card=_by_card(game, "score.hand"),
    )
    return ScoredAsPrinted(scored) if game.get("opening.wilds") == "nothing" else scored


def _low_ace(game: Description) -> int | None:
    """Return the points of an ace as the low end of a run; None if that’s as usual."""
    points: int | None = game.get("score.low-ace")
    return points if face(game.pack.ranks[0]) == ACE else None


def _by_rank(game: Description, *paths: str) -> tuple[int, ...]:
    points = points_by_rank(game, *paths)
    return tuple(points.get(rank, 0) for rank in range(max(points) + 1))


def _by_card(game: Description, path: str) -> tuple[tuple[Card, int], ...]:
    return tuple(sorted(points_by_card(game, path).items(), key=str))


def settlement(game: Description) -> Settlement:
    """Return the function that turns the end of a round into points, bonuses included."""
    out = game.get("score.out")
    scores = any("scores" in hand for hand in game.get("hand.special").values())
    settle = _settlement(game)
    scores = scores or _at_once(game) is not None
    often = bool(game.get("score.ways"))
    return with_bonus(settle, out, often=often) if out or scores else settle


def _settlement(game: Description) -> Settlement:
    given = game.settled_by
    match game.settlement:
        case "knock":
            return knocked(given["gin"], given["undercut"], given["big-gin"])
        case "fixed":
            return fixed(given["each"])
        case "penalty":
            return penalty(given["each"])
        case "drop":
            return dropped(given["each"], given["caught"], given["lowest"])
    return _SETTLED[game.settlement]


def ending(game: Description) -> Ending:
    """Return the function that decides when the game is over, and who has won."""
    rounds, lead = game.get("end.rounds"), _LEADS[game.get("end.leads")]
    if game.get("end.total") is not None:
        out_wins = game.get("end.several") == "out"
        return first_to(game.get("end.total"), out_wins=out_wins, lead=lead)
    if game.get("end.eliminated") is not None:
        return last_standing(lead)
    if game.get("end.open"):
        return never
    if rounds is None and game.get("contract.pace") != "together":
        return past_last_step(len(game.steps), lead)
    return after_rounds(rounds if rounds is not None else len(game.steps), lead)


def pad(game: Description, words: Mapping[str, str], language: str) -> PadRule:
    """Return what the scorepad needs to know; `words` has the game’s own words by name."""
    settle = game.settlement
    asks_table = bool(game.get("score.table"))
    points_only = game.way == POINTS_ONLY
    buys = 1 + game.get("buy.extra") if "buy" in game.spec else 0
    bonus = _bonus(game)
    return PadRule(
        overtaken=game.get("end.several") == "out" or bonus is not None or _wins_at_once(game),
        bonus=bonus,
        may_grow=bool(buys) or game.get("draw.pile") != "top",
        cards_per_buy=buys,
        dry=words["dry"] if game.get("out.dry") else "",
        asks_table=asks_table,
        table_note=_table_note(game, language) if asks_table else "",
        fixed={
            word: (title_in(game, f"fixed.{word}", one["title"]), one["points"])
            for word, one in game.get("score.fixed").items()
        },
        ways={
            word: (title_in(game, f"ways.{word}", one["title"]), one["times"])
            for word, one in game.get("score.ways").items()
        },
        pairs=game.get("score.pairs"),
        penalty=game.get("score.penalty"),
        spares_partners=game.get("score.partners") == "spared",
        hand_by_hand="teams" in game.spec and not game.melds_together,
        zero_sum=settle in ZERO_SUM
        and not (game.get("score.out") or game.get("score.out-at-once")),
        negative=points_only or settle not in AGAINST or _takes_off(game),
        counts=Counts.POINTS if points_only else _COUNTS.get(settle, Counts.ALL),
        outright=_outright(game),
        at_once=_at_once(game),
        outright_title=words.get(
            "outright", words["no-discard" if settle == "drop" else "at-once"]
        ),
        lead=_LEADS[game.get("end.leads")],
        rounds=game.get("end.rounds"),
        target=game.get("end.total") or None,
        has_gin=settle == "knock",
        out_at=game.get("end.eliminated"),
        decider=_decider(game),
        asks_at=game.get("points.target"),
        asks_after=game.get("points.rounds"),
        deals=not points_only or game.get("points.dealer"),
    )


def _at_once(game: Description) -> int | None:
    """Return the points for going out all at once, if they aren’t `score.out`; else None."""
    points: int | None = game.get("score.out-at-once")
    if points is None and game.settlement == "table-less-hand" and game.get("score.at-once") > 1:
        # Nobody pays anybody here: what counts more is the bonus for going out.
        points = game.get("score.out") * game.get("score.at-once")
    return points


def _outright(game: Description) -> int:
    """Return how many times the others pay if a player goes out in the way that counts more."""
    if game.settlement == "table-less-hand":
        return 1
    often: int = game.get("score.at-once")
    return game.settled_by["outright"] if game.settlement == "drop" else often


def _wins_at_once(game: Description) -> bool:
    return any(hand.get("wins", False) for hand in game.get("hand.special").values())


def _takes_off(game: Description) -> bool:
    special = game.get("hand.special").values()
    scores: list[int] = [
        game.get("score.out"),
        game.get("score.out-at-once") or 0,
        *(hand.get("scores", 0) for hand in special),
    ]
    return min(scores) < 0


def _bonus(game: Description) -> EndBonus | None:
    """Return what is added when the game is over; None if nothing is."""
    given = game.get("end.bonus")
    bonus = EndBonus(given.get("game", 0), given.get("round", 0), given.get("shutout", 1))
    return None if bonus == EndBonus() else bonus


def _decider(game: Description) -> Mapping[str, object] | None:
    """Return the change after which only the last contract is played; None without deciders."""
    if game.get("end.tie") != "decider":
        return None
    return MappingProxyType({f"{CHANGE}{STEPS}": [game.steps[-1]["contract"]]})


def _table_note(game: Description, language: str) -> str:
    """Return a note on how cards score on the table, if not as in hand."""
    given = {path: game.get(path) for path in ("score.in-run", "score.wilds", "score.wilds-alone")}
    stand_for = "wild" in game.spec and game.get("wild.counts") != "own"
    notes = [Catalogue.read(language, WORDS).say("notes.wilds-score")] * stand_for
    kind, values = game.pack.kind.name, Values(language)
    for at, value in given.items():
        told = label(at, value, kind, language) if value else ""
        notes += [told.replace(values.any_value(at), values.say(at, value))] if told else []
    return " ".join(notes)


def clock(game: Description) -> ClockRule | None:
    """Return how long a turn lasts; None if turns aren’t timed."""
    if "clock" not in game.spec:
        return None
    return ClockRule(
        seconds=game.get("clock.seconds"),
        penalties=tuple(game.get("clock.penalties").items()),
    )


def round_note(variant: Variant, step: int) -> str:
    """Return a note on the deal, wilds and discard of a step; empty if there is no contract."""
    contract = variant.contract_at(step)
    if contract is None:
        return ""
    speaker, wild, cost = variant.speaker, variant.wilds, variant.values.wild
    notes = []
    if variant.hands:
        notes.append(speaker.put("notes.deal", n=variant.hand_at(step)))
    if variant.wild_steps is not None and step in variant.wild_steps:
        how = "" if cost is None else "cost"
        notes.append(speaker.put("notes.wild", how, wild=wild, points=cost))
    elif variant.wild_steps is not None:
        how = "jokers" if JOKER in wild.cards else ""
        notes.append(speaker.say("wild-at-rest", how, {"wild": wild}))
    if contract.no_discard:
        notes.append(speaker.say("nothing-kept", "", {}))
    return " ".join(notes)
