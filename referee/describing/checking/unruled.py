"""Descriptions that are correct, but have rules that the referee doesn’t support.

They are shown with generated sentences, but usually no game is built from them, and a message says
why. Some are built, because it’s known which plays the rule affects: these plays are left to the
players (`for_the_table`), and the referee rules on all others.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from referee.describing.complaints import Complaint, complaint
from referee.describing.description import Description
from referee.describing.packs import MOVING, ROUND
from referee.describing.schema import POINTS_ONLY
from referee.describing.schema.scoring import ZERO_SUM
from referee.rulings import MeldKind

_RULED: Final[Mapping[str, Collection[object]]] = {
    "layoff.wilds": ("all", "own"),
}
"""The supported values of fields for which not all are supported."""
_ON_TABLE: Final = "table-less-hand"
_FREE: Final = ("bonus", "aside", "reserve")
"""Tables that are supported only if players can lay any melds."""
_NEEDED: Final = frozenset({"run", "pure run"})
_STEP: Final = frozenset({"contract", "deal", "discard", "opening", "needs"})


class ForTheTable(NamedTuple):
    """A rule that a game is built with, but that the referee doesn’t check."""

    clause: str
    """The id of the clause with its sentence."""
    plays: frozenset[str] = frozenset()
    """The plays that aren’t ruled on, by the name of their class."""


def for_the_table(game: Description) -> Iterator[ForTheTable]:
    """Yield the rules of a correct description that the referee leaves to the players."""
    if game.get("draw.pile") == "all" and game.way not in {"free", "points"}:
        yield ForTheTable("draw", plays=frozenset({"PickUp"}))


def may_be_ruled(path: str, value: object) -> bool:
    """Return whether the referee can rule on games with this value in the field at a path.

    >>> from referee.describing import may_be_ruled
    >>> may_be_ruled("run.min", 3)
    True
    """
    return value in _RULED.get(path, (value,))


def unruled(game: Description) -> Iterator[Complaint]:
    """Yield complaints about rules of a correct description that aren’t supported yet."""
    if game.way == POINTS_ONLY:
        return
    for path, values in _RULED.items():
        if game.has(path.partition(".")[0]) and game.get(path) not in values:
            yield _not_yet(path)
    if "set" not in game.spec:
        yield complaint("set", "only-with", kind="set")
    if "run" not in game.spec and (game.way != "free" or "rearrange" in game.spec):
        yield complaint("run", "only-with", kind="run")
    if game.way != "free":
        there = [part for part in _FREE if part in game.spec]
        yield from (complaint(part, "only-free") for part in there)
    yield from _of_kinds(game)
    yield from _of_cards(game)
    yield from _of_play(game)
    for rules in (_of_counts, _of_ways_out, _of_own_melds):
        yield from rules(game)
    yield from _of_fixed(game)
    yield from _of_end(game)


def _not_yet(path: str) -> Complaint:
    return complaint(path, "not-yet")


def _of_cards(game: Description) -> Iterator[Complaint]:
    yield from _of_gaps(game)
    if game.get("pack.ignore-suits") and game.get("pack.kind") != "french":
        yield _not_yet("pack.ignore-suits")
    moving = {*MOVING} & {*(game.get("wild.cards") or ())}
    if len(moving) > 1:
        yield complaint("wild.cards", "one-moving-wild")
    laid = game.way == "free" and "rearrange" not in game.spec
    if moving - {"dealt", ROUND} and game.way != "hand" and not laid:
        yield complaint("wild.cards", "turned-wild")
    if game.runs_only and (
        game.way == "hand"
        or "rearrange" in game.spec
        or not game.runs_only < game.wild
        or not {"set", "run"} <= {*game.get("wild.in")}
    ):
        yield _not_yet("wild.runs-only")
    yield from _of_limits(game)
    if "wild" in game.spec and "run" in game.spec and "run" not in game.get("wild.in"):
        yield from () if game.way == "free" else (_not_yet("wild.in"),)
    # A hand that is shown, and an opening at one table, are worked out by ranks.
    by_rank_alone = game.way == "hand" or {"opening", "rearrange"} <= set(game.spec)
    for path in ("score.in-run", "score.wilds", *(["score.hand"] if by_rank_alone else [])):
        by_rank: dict[str, object] = {}
        for card, points in game.points(path).items():
            if by_rank.setdefault(card.rank, points) != points:
                yield complaint(path, "points-by-suit")
                break


def _of_gaps(game: Description) -> Iterator[Complaint]:
    """Yield complaints about what isn’t supported if ranks are removed from the pack."""
    if not game.get("pack.remove"):
        return
    lowest, ace = game.pack.kind.ranks[0], game.get("run.ace")
    if lowest not in game.pack.ranks and ace != "low":
        yield complaint("run.ace", "low-left-out", rank=lowest)
    if game.get("pack.ignore-suits"):
        yield _not_yet("pack.remove")


def _of_kinds(game: Description) -> Iterator[Complaint]:
    """Yield complaints about cards and melds that this way to lay melds doesn’t support."""
    if game.get("run.max") is not None and game.way == "contract":
        yield _not_yet("run.max")
    if game.get("set.suits") == "three" and (game.way != "free" or "rearrange" in game.spec):
        yield _not_yet("set.suits")
    if game.way == "contract":
        if any("stands" in card for card in game.get("pack.special").values()):
            yield _not_yet("pack.special")
        return
    if game.get("pack.special") and not (
        (game.way == "hand" and game.settlement in {"fixed", "penalty"})
        or (game.way == "free" and "rearrange" not in game.spec and game.stand_ins)
    ):
        yield complaint("pack.special", "special-counted")
    one_suit = game.get("run.one-suit") or game.get("pack.ignore-suits")
    if not one_suit and {"rearrange", "opening"} & set(game.spec):
        yield _not_yet("run.one-suit")
    if not all("stands" in card for card in game.get("pack.special").values()):
        yield _not_yet("pack.special")
    if "flush" in game.spec:
        yield _not_yet("flush")


def _of_limits(game: Description) -> Iterator[Complaint]:
    if "rearrange" in game.spec:
        if game.get("opening.needs"):
            yield _not_yet("opening.needs")
        if game.get("opening.wilds") == "none":
            yield _not_yet("opening.wilds")
        limits = ("wild.set", "wild.run")
        yield from (_not_yet(path) for path in limits if game.get(path))
        if "wild" in game.spec and not game.get("wild.outnumber"):
            yield _not_yet("wild.outnumber")


def _of_play(game: Description) -> Iterator[Complaint]:
    for number, step in enumerate(game.steps, 1):
        if not set(step) <= _STEP or step.get("discard") == "must":
            yield _not_yet(f"steps, line {number}")
    needs = [need for contract in game.contracts for need in contract.needs]
    if any(need.pure and need.kind is not MeldKind.RUN for need in needs):
        yield complaint("steps", "pure-runs")
    if any(need.rank for need in needs) and (
        game.get("pack.kind") != "french" or game.get("pack.remove")
    ):
        yield complaint("steps", "named-ranks")
    if game.get("draw.pile") == "used" and game.way != "free":
        yield _not_yet("draw.pile")
    yield from _of_ways(game)


def _bonus_for_out(game: Description) -> tuple[str, ...]:
    """Return the settlement that supports `score.at-once` only if `score.out` is set, if it is."""
    return (_ON_TABLE,) if game.get("score.out") else ()


def _given(game: Description, path: str) -> bool:
    return path.partition(".")[0] in game.spec and bool(game.get(path))


def _of_ways(game: Description) -> Iterator[Complaint]:
    if game.get("score.at-once") > 1 and (
        game.way == "hand"
        or game.settlement not in {"own-hand", "to-out", "winner-scores", *_bonus_for_out(game)}
        or game.get("score.cap") is not None
    ):
        yield complaint("score.at-once", "at-once-counted")
    if game.settlement != _ON_TABLE:
        beside = ("bonus.melds", "aside.cards", "reserve.untaken")
        yield from (complaint(path, "beside-table") for path in beside if _given(game, path))
    if game.get("score.out-at-once") is not None and (
        game.way == "hand" or game.settlement == "drop"
    ):
        yield complaint("score.out-at-once", "out-at-once")
    if game.way == "hand":
        yield from _of_hands(game)
        yield from _of_needs(game)
        knocks = game.get("hand.knock") != 0
        if game.settlement == "knock" and not knocks:
            yield complaint("score.settle", "nobody-knocks")
        if len({*game.by_players("deal.cards").values()}) > 1:
            yield complaint("deal.cards", "same-deal")
        if knocks and game.settlement not in {"knock", "own-hand"}:
            yield complaint("score.settle", "knock-score")
        if game.big_gin and game.get("hand.special"):
            yield complaint("score.settle", "big-gin-alone")
        if game.settlement not in {
            *("to-out", "winner-scores", "own-hand", "knock", "fixed", "penalty")
        }:
            yield complaint("score.settle", "shown-score")


def _of_counts(game: Description) -> Iterator[Complaint]:
    """Yield what isn’t supported about what counts more, or less, hand by hand."""
    own = game.settlement == "own-hand"
    by_hand = game.settlement in {"own-hand", _ON_TABLE} and not game.counts_by_team
    often, penalty = game.get("score.pairs"), game.get("score.penalty")
    if often > 1 and not by_hand:
        yield complaint("score.pairs", "hand-by-hand")
    if often > 1 and not _given(game, "opening.pairs"):
        yield complaint("score.pairs", "no-pairs")
    if penalty is not None and not by_hand:
        yield complaint("score.penalty", "hand-by-hand")
    if game.get("score.partners") == "spared" and not (own and "teams" in game.spec):
        yield complaint("score.partners", "own-hands")


def _of_ways_out(game: Description) -> Iterator[Complaint]:
    """Yield what isn’t supported about ways of going out that count more."""
    if not game.get("score.ways"):
        return
    if game.settlement != "own-hand" or game.way != "free":
        yield complaint("score.ways", "own-hands")
    at_once = game.get("score.at-once") > 1 or game.get("score.out-at-once") is not None
    if at_once or game.get("score.cap") is not None:
        yield complaint("score.ways", "ways-alone")


def _of_own_melds(game: Description) -> Iterator[Complaint]:
    """Yield what isn’t supported about partners who lay their own melds, and about pairs."""
    alone = game.settlement == "own-hand" and not game.counts_by_team
    alone = alone and not (game.get("set.once") or _given(game, "opening.by-total"))
    if "teams" in game.spec and not (game.melds_together or alone):
        yield complaint("teams.melds", "own-hands")
    pair = game.get("set.min") == 2  # noqa: PLR2004 - a pair
    if _given(game, "opening.pairs") and ("rearrange" in game.spec or pair):
        yield complaint("opening.pairs", "pairs-laid")


def _of_hands(game: Description) -> Iterator[Complaint]:
    """Yield what isn’t supported about special hands, and about points of cards in hand."""
    for name, hand in game.get("hand.special").items():
        if "scores" in hand and game.settlement != "own-hand":
            yield complaint(f"hand.special.{name}", "hand-scores")
        if hand.get("wins") and game.get("end.open"):
            yield complaint(f"hand.special.{name}", "hand-wins")
        if hand.get("protects") and hand["is"] != "one-suit":
            yield complaint(f"hand.special.{name}", "hand-protects")
    costs = game.points("score.hand").values()
    if any(isinstance(points, int) and points < 0 for points in costs):
        yield complaint("score.hand", "shown-below-0")


def _of_needs(game: Description) -> Iterator[Complaint]:
    """Yield what isn’t supported in the needs of a hand; only runs and pure runs are."""
    needs = game.get("hand.needs")
    if not set(needs) <= _NEEDED:
        yield complaint("hand.needs", "needs-runs")
    if not needs:
        if game.get("hand.melds-count") == "with-needs":
            yield complaint("hand.melds-count", "needs-nothing")
        return
    if "wild" in game.spec and needs.get("run", 0) <= needs.get("pure run", 0):
        yield complaint("hand.needs", "needs-more-runs")
    if game.get("wild.naturals") == 0:
        yield complaint("wild.naturals", "needs-naturals")
    if game.get("hand.knock") != 0 or game.get("hand.special"):
        yield complaint("hand.needs", "needs-alone")


def _of_fixed(game: Description) -> Iterator[Complaint]:
    """Yield what isn’t supported about fixed scores that replace a count."""
    fixed = game.get("score.fixed")
    if fixed and game.settlement in {"fixed", "penalty", "drop"}:
        yield complaint("score.fixed", "fixed-count")
    for word, one in fixed.items():
        if one["points"] < 0:
            yield complaint(f"score.fixed.{word}", "fixed-below-0")


def _of_end(game: Description) -> Iterator[Complaint]:
    leads = game.get("end.leads")
    if game.get("end.total") is not None and leads not in {"highest", "lowest"}:
        yield complaint("end.total", "total-leads")
    if game.get("end.bonus") and (
        leads != "highest" or game.settlement in ZERO_SUM or game.get("end.open")
    ):
        yield complaint("end.bonus", "bonus-end")
    if game.get("end.several") == "out" and leads == "lowest":
        yield _not_yet("end.several")
    if game.settlement == "drop" and game.way != "free":
        yield complaint("score.settle", "drop-free")
