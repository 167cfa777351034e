"""What a round comes to, when a game is over, what the pad asks: out of a description."""

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
    past_step,
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
"""What is counted of hands, where that is not all that is left."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What each card of a meld scores on the table, by the rank that it stands for, 0 the joker."""

    in_set: tuple[int, ...]
    in_run: tuple[int, ...]
    alone: int | None = None
    """What each wild scores in a set of only wilds."""
    low_ace: int | None = None
    """What an ace scores below the two."""
    own: bool = False
    """Whether a wild scores its own points, and not those of the card that it stands for."""
    by_card: tuple[tuple[Card, int], ...] = ()
    """The cards that score otherwise than the others of their rank."""
    wilds: tuple[int, ...] = ()
    """What a wild scores by the rank that it stands for, if that's not what the rank does."""

    def __call__(self, meld: Reading) -> tuple[int, ...]:
        """Score a meld, card by card."""
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
        """Score a meld with each wild as a card that it counts as."""
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
    """What each card of a meld counts where a wild counts nothing."""

    scored: Scored

    def __call__(self, meld: Reading) -> tuple[int, ...]:
        """Count a meld, card by card."""
        if meld.rankless:
            return (0,) * len(meld.cards)
        pairs = zip(self.scored(meld), meld.wild, strict=True)
        return tuple([0 if wild else points for points, wild in pairs])


@dataclass(frozen=True, slots=True)
class NumberByPlayers:
    """A number that goes by how many play: of packs, or of jokers."""

    by_players: tuple[tuple[int, int], ...]

    def __call__(self, players: int) -> int:
        """The number for so many players; for more than may play as for the most."""
        found = dict(self.by_players)
        return found.get(players, found[max(found)])


def worth(game: Description) -> TableWorth | None:
    """What cards score on the table, or count towards the opening; None if they do neither."""
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
    """What an ace scores below the two; None if there is none, or it scores no less there."""
    points: int | None = game.get("score.low-ace")
    return points if face(game.pack.ranks[0]) == ACE else None


def _by_rank(game: Description, *paths: str) -> tuple[int, ...]:
    points = points_by_rank(game, *paths)
    return tuple(points.get(rank, 0) for rank in range(max(points) + 1))


def _by_card(game: Description, path: str) -> tuple[tuple[Card, int], ...]:
    return tuple(sorted(points_by_card(game, path).items(), key=str))


def settlement(game: Description) -> Settlement:
    """How a round is turned into points, with what a player who goes out gets besides."""
    out = game.get("score.out")
    scores = any("scores" in hand for hand in game.get("hand.special").values())
    settle = _settlement(game)
    scores = scores or _at_once(game) is not None
    return with_bonus(settle, out) if out or scores else settle


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
    """When the game is over, and who has won it then."""
    rounds, lead = game.get("end.rounds"), _LEADS[game.get("end.leads")]
    if game.get("end.total") is not None:
        out_wins = game.get("end.several") == "out"
        return first_to(game.get("end.total"), out_wins=out_wins, lead=lead)
    if game.get("end.eliminated") is not None:
        return last_standing(lead)
    if game.get("end.open"):
        return never
    if rounds is None and game.get("contract.pace") != "together":
        return past_step(len(game.steps), lead)
    return after_rounds(rounds if rounds is not None else len(game.steps), lead)


def pad(game: Description, words: Mapping[str, str], language: str) -> PadRule:
    """What the scorepad knows of a round and asks of it."""
    settle = game.settlement
    asks_table = bool(game.get("score.table"))
    points_only = game.way == POINTS_ONLY
    buys = 1 + game.get("buy.extra") if "buy" in game.spec else 0
    bonus = _bonus(game)
    return PadRule(
        overtaken=game.get("end.several") == "out" or bonus is not None or _wins_at_once(game),
        bonus=bonus,
        may_grow=bool(buys) or game.get("draw.pile") != "top",
        grows_by=buys,
        dry=words["dry"] if game.get("out.dry") else "",
        asks_table=asks_table,
        table_note=_table_note(game, language) if asks_table else "",
        fixed={
            word: (title_in(game, f"fixed.{word}", one["title"]), one["points"])
            for word, one in game.get("score.fixed").items()
        },
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
        says_gin=settle == "knock",
        out_at=game.get("end.eliminated"),
        decider=_decider(game),
        asks_at=game.get("points.target"),
        deals=not points_only or game.get("points.dealer"),
    )


def _at_once(game: Description) -> int | None:
    """What going out all at once scores in place of `score.out`; None if that is the same."""
    points: int | None = game.get("score.out-at-once")
    if points is None and game.settlement == "table-less-hand" and game.get("score.at-once") > 1:
        # Nobody pays anybody here: what counts more is the bonus for going out.
        points = game.get("score.out") * game.get("score.at-once")
    return points


def _outright(game: Description) -> int:
    """How often the others pay if a player goes out in a way that counts more."""
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
    """What is added when the game is over; None if that is nothing."""
    given = game.get("end.bonus")
    bonus = EndBonus(given.get("game", 0), given.get("round", 0), given.get("shutout", 1))
    return None if bonus == EndBonus() else bonus


def _decider(game: Description) -> Mapping[str, object] | None:
    """The change after which the last contract alone is played; None without deciders."""
    if game.get("end.tie") != "decider":
        return None
    return MappingProxyType({f"{CHANGE}{STEPS}": [game.steps[-1]["contract"]]})


def _table_note(game: Description, language: str) -> str:
    """How cards score on the table where that is not what they cost in hand."""
    given = {path: game.get(path) for path in ("score.in-run", "score.wilds", "score.wilds-alone")}
    stand_for = "wild" in game.spec and game.get("wild.counts") != "own"
    notes = [Catalogue.read(language, WORDS).say("notes.wilds-score")] * stand_for
    kind, values = game.pack.kind.name, Values(language)
    for at, value in given.items():
        told = label(at, value, kind, language) if value else ""
        notes += [told.replace(values.any_value(at), values.say(at, value))] if told else []
    return " ".join(notes)


def clock(game: Description) -> ClockRule | None:
    """How long a turn lasts; None if nobody is timed."""
    if "clock" not in game.spec:
        return None
    return ClockRule(
        seconds=game.get("clock.seconds"),
        penalties=tuple(game.get("clock.penalties").items()),
    )


def round_note(variant: Variant, step: int) -> str:
    """A line for the scorepad about what a step has that others have not: deal, wilds, discard."""
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
