"""The fields for how melds are laid, and for what players can do at the table."""

import re
from typing import Final

from referee.describing.schema.cards import SELECTORS
from referee.describing.schema.fields import GIVEN, Field
from referee.describing.schema.kinds import (
    OneOf,
    Record,
    Rows,
    SomeOf,
    Switch,
    Whole,
    Word,
    is_slug,
)
from referee.saying import wrong

SHAPES: Final = ("one-rank", "one-suit", "one-run", "pairs", "melds")
"""The shapes that a special hand can have."""
NEEDED: Final = re.compile(r"(pure )?(set|run|flush)( of [1-9][0-9]?)?", re.ASCII)
"""The way to write a kind of meld that a hand or an opening needs: "pure run of 4"."""


_OFTEN: Final = Whole(0, 1000)


def _hand(shape: str) -> dict[str, object]:
    return {"is": shape, "times": 2}


_HANDS: Final = Rows(
    is_slug,
    Record(
        {
            "is": OneOf(SHAPES),
            "times": _OFTEN,
            "without": Whole(0, 1000, none=True),
            "title": Word(),
            "protects": Switch(),
            "wins": Switch(),
            "scores": Whole(-1000, 1000, none=True),
            "thrown": Switch(),
        },
        ("is", "times"),
        wrong("hand-parts", shapes=", ".join(SHAPES)),
    ),
    wrong("hand-parts", shapes=", ".join(SHAPES)),
    usual={shape: _hand(shape) for shape in SHAPES},
)
_NEEDS: Final = Rows(
    lambda key: NEEDED.fullmatch(key) is not None,
    Whole(1, 6),
    wrong("table-like", like='{"run" = 2, "pure run" = 1}'),
    usual=dict.fromkeys(("run", "pure run", "set", "flush")),
)
_BY_TOTAL: Final = Rows(
    lambda key: re.fullmatch(r"0|-?[1-9][0-9]{0,4}", key, re.ASCII) is not None,
    Whole(0, 1000),
    wrong("table-like", like='{"0" = 50, "1500" = 90}'),
    usual=dict.fromkeys(("0", "1500", "3000", "5000", "7000")),
)
_TIMES: Final = Record(
    {"with": _OFTEN, "without": _OFTEN},
    ("with", "without"),
    wrong("table-like", like="{with = 1, without = 2}"),
)

CONTRACTS: Final = (
    Field("contract.pace", OneOf(("together", "alone", "alone-all-move")), "together", ("pace",)),
    Field("contract.extra-melds", Switch(), False, ("exact",)),
    Field("contract.same-rank-sets", Switch(), True, ("same-rank",)),
    Field("contract.split-runs", Switch(), True, ("split-run",)),
    Field("contract.run-suits", OneOf(("any", "different")), "any", ("run-suits",)),
)

FREE: Final = (
    Field("free.first-naturals", Whole(0, 6), 0, ("first-lay", "first-naturals")),
    Field("opening.points", Whole(0, 200), GIVEN, ("opening",), drops=True),
    # By total before the deal, from each of these numbers on.
    Field("opening.by-total", _BY_TOTAL, {}, ("opening",)),
    Field(
        "opening.wilds", OneOf(("stands-for", "nothing", "none")), "stands-for", ("opening-wilds",)
    ),
    Field("opening.needs", _NEEDS, {}, ("opening-needs",)),
    Field("opening.then-table", Switch(), False, ("opening-table", "layoff-turn")),
    # A player who lays the whole hand at once needs neither points nor certain melds.
    Field("opening.at-once", Switch(), False, ("opening-at-once",)),
    # So many pairs of the same card open instead of points. Who opened so lays only pairs.
    Field("opening.pairs", Whole(1, 10, none=True), None, ("opening-pairs",)),
    Field("rearrange.whose", OneOf(("all", "own")), "all", ("rearrange",), drops=True),
    # Instead: only a player who plays nothing draws a card.
    Field("rearrange.draw", OneOf(("instead", "first")), "instead", ("draw-ends", "drawn", "turn")),
    Field("rearrange.retrieval", OneOf(("replace", "free", "locked")), "replace", ("retrieval",)),
    Field("rearrange.replacement", OneOf(("any", "exact")), "any", ("replacement",)),
    Field("rearrange.from", OneOf(("anywhere", "hand")), "anywhere", ("replacement-from",)),
    Field("rearrange.group-of-three", OneOf(("either", "both")), "either", ("group-of-three",)),
    Field("rearrange.goes", OneOf(("new-meld", "anywhere")), "new-meld", ("goes",)),
)

HANDS: Final = (
    Field("hand.knock", Whole(0, 100, words=("turned", "turned-but-ace")), 0, ("knock", "close")),
    # Doubles all that is scored, bonuses included.
    Field("hand.spades-twice", Switch(), False, ("times",)),
    Field("hand.knock-cards", Whole(0, 30, none=True), None, ("knock", "close")),
    Field("hand.needs", _NEEDS, {}, ("needs",)),
    # Whether melds save a player who lacks what is needed.
    Field("hand.melds-count", OneOf(("always", "with-needs")), "always", ("melds-count",)),
    Field("hand.times", _TIMES, {"with": 1, "without": 1}, ("times",)),
    Field("hand.announce", OneOf(("detect", "strict")), "detect", ("announce",)),
    # The rarest first.
    Field("hand.special", _HANDS, {}, ("special-hands",)),
    Field("hand.last-turn", Switch(), False, ("last-turn",)),
)

TABLE: Final = (
    Field(
        "layoff.when",
        OneOf(("same-turn", "later")),
        "same-turn",
        ("layoff-turn",),
        asked=("layoff",),
    ),
    # Asked only if nothing else must be laid first.
    Field(
        "layoff.who", OneOf(("anyone", "down")), "anyone", ("down-first",), asked=("layoff.onto",)
    ),
    Field("layoff.onto", OneOf(("all", "own", "closer")), "all", ("layoff",), drops=True),
    # If a hand closed and both hands were named, the pad lays off on it.
    Field("layoff.counted", Switch(), False, ("layoff",)),
    Field("layoff.wilds", OneOf(("all", "own", "none")), "all", ("layoff-wilds",)),
    Field(
        "swap.who",
        OneOf(("not-down", "down", "anyone", "nobody")),
        "down",
        ("swap", "swap-down"),
        drops=True,
    ),
    # On the turn you go down, by melds that do without the wild.
    Field("swap.when", OneOf(("later", "same-turn")), "later", ("swap-turn",)),
    Field("swap.from", OneOf(("any", "run")), "any", ("swap-from",)),
    Field("swap.keep", Switch(), False, ("swap-use",)),
    Field("draw.pile", OneOf(("top", "used", "any", "all", "none")), "top", ("draw", "lowest")),
    Field("draw.cards", Whole(1, 5), 1, ("draw",)),
    Field("draw.depth", Whole(1, 30, none=True), None, ("draw",)),
    # With the whole pile: what its top card is used with at once, out of the hand.
    Field(
        "draw.top",
        SomeOf(("pair", "wild", "own", "open", "any", "free"), alone=("any", "free")),
        ["any"],
        ("draw-top", "draw"),
    ),
    Field("draw.frozen", SomeOf(("wild", "aside", "not-down"), none=True), [], ("frozen", "draw")),
    Field("draw.blocked", SELECTORS, [], ("blocked", "draw")),
    Field("draw.top-free", Switch(), False, ("top-free",)),
    Field("buy.extra", Whole(0, 5), 1, ("buy",), drops=True),
    Field("buy.limit", Whole(1, 20, none=True), None, ("buy-limit",)),
    Field("buy.down", Switch(), True, ("buy-down",)),
)
