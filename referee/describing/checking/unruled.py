"""What a description may say that the referee doesn’t rule on, field by field.

Such a description is sound: it is checked and told. Of most fields it is not built, and the
sentence says why. A few it is built with, since what they bear on can be told apart: those plays,
and plays with those cards, are for the table (`for_the_table`), and all others are ruled on.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from referee.describing.complaints import Complaint
from referee.describing.description import Description
from referee.describing.packs import MOVING
from referee.describing.schema import POINTS_ONLY
from referee.describing.schema.scoring import ZERO_SUM
from referee.rulings import MeldKind

_RULED: Final[Mapping[str, Collection[object]]] = {
    "layoff.wilds": ("all", "own"),
}
"""The values that are ruled on, where not all are."""
_NEEDED: Final = frozenset({"run", "pure run"})
_STEP: Final = frozenset({"contract", "deal", "discard"})


class ForTheTable(NamedTuple):
    """A rule that a game is built with, and that is left to the table."""

    clause: str
    """Where it is told."""
    plays: frozenset[str] = frozenset()
    """The plays that are not ruled on, by the name of their type."""
    cards: frozenset[str] = frozenset()
    """The special cards with which nothing is ruled on, as they are written."""


def for_the_table(game: Description) -> Iterator[ForTheTable]:
    """What of a sound description it is built with, and left to the table."""
    if "rearrange" in game.spec and game.get("rearrange.whose") == "own":
        yield ForTheTable("rearrange", plays=frozenset({"Rearrange"}))
    if game.get("draw.pile") == "all":
        yield ForTheTable("draw", plays=frozenset({"PickUp"}))
    special = game.get("pack.special").items()
    standing = frozenset(word for word, card in special if "stands" in card)
    if standing:
        yield ForTheTable("special", cards=standing)


def may_be_ruled(path: str, value: object) -> bool:
    """Whether the referee may rule on games with such a value in a field."""
    return value in _RULED.get(path, (value,))


def unruled(game: Description) -> Iterator[Complaint]:
    """Say what of a sound description the referee does not rule on yet."""
    if game.way == POINTS_ONLY:
        return
    for path, values in _RULED.items():
        if game.has(path.partition(".")[0]) and game.get(path) not in values:
            yield _not_yet(path)
    for section in ("set", "run"):
        if section not in game.spec:
            yield Complaint(section, f"The referee can only check games with {section}s.")
    yield from _of_kinds(game)
    yield from _of_cards(game)
    yield from _of_play(game)
    yield from _of_fixed(game)
    yield from _of_end(game)


def _not_yet(path: str) -> Complaint:
    return Complaint(path, "The referee can’t check this yet.")


def _of_cards(game: Description) -> Iterator[Complaint]:
    yield from _of_gaps(game)
    if game.get("pack.ignore-suits") and game.get("pack.kind") != "french":
        yield _not_yet("pack.ignore-suits")
    moving = {*MOVING} & {*(game.get("wild.cards") or ())}
    if len(moving) > 1:
        says = "The deal decides on wilds in one way only."
        yield Complaint("wild.cards", says)
    if moving - {"dealt"} and game.way != "hand":
        says = "A card turned up only makes wilds if hands are shown at once."
        yield Complaint("wild.cards", says)
    yield from _of_limits(game)
    if "wild" in game.spec and "run" not in game.get("wild.in"):
        yield _not_yet("wild.in")
    by_rank_alone = game.way == "hand" or "opening" in game.spec
    for path in ("score.table", "score.in-run", *(["score.hand"] if by_rank_alone else [])):
        by_rank: dict[str, object] = {}
        for card, points in game.points(path).items():
            if by_rank.setdefault(card.rank, points) != points:
                says = "All suits of a rank need the same points."
                yield Complaint(path, says)
                break


def _of_gaps(game: Description) -> Iterator[Complaint]:
    """Say what is not ruled on where ranks are taken out, and the others close up."""
    if not game.get("pack.remove"):
        return
    lowest, ace = game.pack.kind.ranks[0], game.get("run.ace")
    if lowest not in game.pack.ranks and ace != "low":
        yield Complaint("run.ace", f"The {lowest} is left out, so it can’t be high.")
    if game.get("pack.ignore-suits"):
        yield _not_yet("pack.remove")


def _of_kinds(game: Description) -> Iterator[Complaint]:
    """Say what of the kinds of card and meld is not ruled on, or under a contract only."""
    if game.get("run.max") is not None and (game.way == "contract" or "opening" in game.spec):
        yield _not_yet("run.max")
    if game.way == "contract":
        if any("stands" in card for card in game.get("pack.special").values()):
            yield _not_yet("pack.special")
        return
    if game.get("pack.special") and not (
        game.way == "hand" and game.settlement in {"fixed", "penalty"}
    ):
        says = "Special cards only work if no cards left in hand are counted."
        yield Complaint("pack.special", says)
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
        yield Complaint("steps", "Of pure melds, the referee can only check runs.")
    yield from _of_ways(game)


def _of_ways(game: Description) -> Iterator[Complaint]:
    if game.get("score.at-once") > 1 and (
        game.way == "hand"
        or game.settlement not in {"own-hand", "to-out", "winner-scores"}
        or game.get("score.cap") is not None
    ):
        says = "Going out at once only counts more if the cards left count, without a limit."
        yield Complaint("score.at-once", says)
    if game.way == "hand":
        yield from _of_hands(game)
        yield from _of_needs(game)
        knocks = game.get("hand.knock") != 0
        if game.settlement == "knock" and not knocks:
            yield Complaint("score.settle", "Nobody can knock with points left over.")
        if len({*game.by_players("deal.cards").values()}) > 1:
            says = "If hands are shown at once, everyone gets the same number of cards."
            yield Complaint("deal.cards", says)
        if knocks and game.settlement not in {"knock", "own-hand"}:
            yield Complaint("score.settle", "Knocking needs another way to score.")
        if game.big_gin and game.get("hand.special"):
            says = "A game with big gin can’t have other special hands."
            yield Complaint("score.settle", says)
        if game.settlement not in {"to-out", "own-hand", "knock", "fixed", "penalty"}:
            yield Complaint("score.settle", "You can’t score this way if hands are shown at once.")


def _of_hands(game: Description) -> Iterator[Complaint]:
    """Say what of special hands, and of what cards cost in a hand, is not ruled on."""
    for name, hand in game.get("hand.special").items():
        if "scores" in hand and game.settlement != "own-hand":
            says = "A hand can only score points of its own if everyone counts what’s left."
            yield Complaint(f"hand.special.{name}", says)
        if hand.get("wins") and game.get("end.open"):
            says = "A hand can’t win a game that has no fixed end."
            yield Complaint(f"hand.special.{name}", says)
        if hand.get("protects") and hand["is"] != "one-suit":
            says = "Only a hand of one suit can save you from paying."
            yield Complaint(f"hand.special.{name}", says)
    costs = game.points("score.hand").values()
    if any(isinstance(points, int) and points < 0 for points in costs):
        says = "If hands are shown at once, no card can count less than 0."
        yield Complaint("score.hand", says)


def _of_needs(game: Description) -> Iterator[Complaint]:
    """Say what of the needs of a hand is not ruled on: all but runs, some of them pure."""
    needs = game.get("hand.needs")
    if not set(needs) <= _NEEDED:
        says = "A hand can only need runs and pure runs."
        yield Complaint("hand.needs", says)
    if not needs:
        if game.get("hand.melds-count") == "with-needs":
            yield Complaint("hand.melds-count", "The hand needs no certain melds.")
        return
    if "wild" in game.spec and needs.get("run", 0) <= needs.get("pure run", 0):
        says = "With wilds, a hand needs more runs than pure runs."
        yield Complaint("hand.needs", says)
    if game.get("wild.naturals") == 0:
        says = "If a hand needs certain melds, each meld needs at least 1 natural card."
        yield Complaint("wild.naturals", says)
    if game.get("hand.knock") != 0 or game.get("hand.special"):
        says = "A hand that needs certain melds can’t be special, and you can’t knock."
        yield Complaint("hand.needs", says)


def _of_fixed(game: Description) -> Iterator[Complaint]:
    """Say what of scores that take the place of a count is not counted."""
    fixed = game.get("score.fixed")
    if fixed and game.settlement in {"fixed", "penalty", "drop"}:
        says = "Fixed scores replace a count of the cards left, and there’s none here."
        yield Complaint("score.fixed", says)
    for word, one in fixed.items():
        if one["points"] < 0:
            says = "A fixed score can’t be below 0. Use a bonus for going out or a special hand."
            yield Complaint(f"score.fixed.{word}", says)


def _of_end(game: Description) -> Iterator[Complaint]:
    leads = game.get("end.leads")
    if game.get("end.total") is not None and leads not in {"highest", "lowest"}:
        says = "Only a game that the highest or lowest total wins can end at a total."
        yield Complaint("end.total", says)
    if game.get("end.bonus") and (
        leads != "highest" or game.settlement in ZERO_SUM or game.get("end.open")
    ):
        says = "Bonuses at the end need a fixed end, the highest total to win, and no payments."
        yield Complaint("end.bonus", says)
    if game.get("end.several") == "out" and leads == "lowest":
        yield _not_yet("end.several")
    if game.settlement == "drop" and game.way != "free":
        yield Complaint("score.settle", "Dropping is for games where you lay any melds.")
