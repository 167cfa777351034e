"""The fields for what is dealt, which cards are melds, and which are wild."""

import re
from typing import Final

from referee.describing.schema.fields import GIVEN, Field
from referee.describing.schema.kinds import (
    ByPlayers,
    Cards,
    OneOf,
    Record,
    Rows,
    Shaped,
    SomeOf,
    Switch,
    Whole,
    Word,
    is_slug,
    is_word,
)
from referee.saying import wrong

SELECTORS: Final = Cards()
_SPECIAL: Final = Rows(
    lambda key: re.fullmatch("[A-Z]{2}", key) is not None and key != "JK",
    Record(
        {"name": Word(), "count": Whole(1, 16), "stands": OneOf(("turned-next",))},
        ("name", "count"),
        wrong("table-like", like='{name = "skip", count = 4}'),
    ),
    wrong("table-like", like='{SK = {name = "skip", count = 4}}'),
    typed={"name": "", "count": 2},
)
_LIMITS: Final = Record(
    {"naturals": Whole(0, 6), "most": Whole(0, 12), "adjacent": Switch(), "outnumber": Switch()},
    (),
    wrong("has-parts", parts="naturals, most, adjacent, outnumber"),
)
_MELDS: Final = ("set", "run", "wilds")
"""The kinds of meld that can earn a bonus; wilds are sets of only wilds."""
BONUSES: Final = Rows(
    is_slug,
    Record(
        {
            "points": Whole(1, 10_000),
            "cards": Whole(1, 30),
            "wilds": Whole(0, 12, none=True),
            "unbroken": Whole(1, 30, none=True),
            "of": OneOf(_MELDS),
            "ranks": SELECTORS,
        },
        ("cards", "points"),
        wrong("bonus-parts", melds=", ".join(_MELDS)),
    ),
    wrong("bonus-parts", melds=", ".join(_MELDS)),
    usual={
        "pure": {"cards": 7, "wilds": 0, "points": 500},
        "long": {"cards": 7, "points": 300},
        "sevens": {"cards": 7, "wilds": 0, "points": 1500, "ranks": ["7"]},
        "aces": {"cards": 7, "wilds": 0, "points": 1000, "ranks": ["A"]},
        "wilds": {"cards": 7, "of": "wilds", "points": 1000},
    },
)


PACK: Final = (
    Field("pack.kind", Shaped(is_word, wrong("deck-name")), "french", ("pack",), always=True),
    Field("pack.copies", ByPlayers(1, 8), 1, ("pack",)),
    Field("pack.jokers", ByPlayers(0, 16), 0, ("pack", "jokers"), asked=("wild.cards",)),
    Field("pack.remove", SELECTORS, [], ("pack",)),
    Field("pack.ignore-suits", Switch(), False, ("suits",)),
    Field("pack.special", _SPECIAL, {}, ("special",)),
    Field("deal.cards", ByPlayers(1, 30), GIVEN, ("deal", "hand-size"), always=True),
    Field("deal.upcard", Switch(), True, ("deal",)),
    Field("deal.direction", OneOf(("left", "right")), "left", ("dealer",)),
)

MELDS: Final = (
    Field("set.min", Whole(2, 13), 3, ("set",), always=True),
    Field("set.max", Whole(2, 30, none=True), None, ("set-most",), asked=("set",)),
    Field("set.suits", OneOf(("any", "different", "three")), "any", ("same-card",), asked=("set",)),
    Field("set.without", SELECTORS, [], ("set-without",)),
    # Of those without sets, what the player who goes out can meld, without a wild.
    Field("set.last", SELECTORS, [], ("set-last",), of="set.without"),
    Field("set.once", Switch(), False, ("set-once",)),
    Field("run.min", Whole(2, 13), 3, ("run",), always=True, asked=("set",)),
    Field("run.max", Whole(3, 30, none=True), None, ("run-most",)),
    Field("run.without", SELECTORS, [], ("run-without",)),
    # Either: at one end or the other, once in a run. By default both if the lowest rank is an ace.
    Field(
        "run.ace",
        OneOf(("both", "either", "low", "high")),
        "both",
        ("ace", "run-ends"),
        asked=("set", "run"),
    ),
    Field("run.around", Switch(), False, ("corner", "run-ends"), asked=("set", "run")),
    Field("run.one-suit", Switch(), True, ("run",)),
    Field("bonus.melds", BONUSES, GIVEN, ("bonus-melds",), always=True, drops=True),
    Field("flush.min", Whole(2, 13), GIVEN, ("flush",), always=True, drops=True),
)

WILDS: Final = (
    # Also dealt: the rank that is the number dealt; turned: that of the card turned up.
    Field("wild.cards", SELECTORS, GIVEN, ("wild",), always=True, drops=True),
    Field(
        "wild.when",
        OneOf(("always", "run-in-contract")),
        "always",
        ("wild-when",),
        asked=("wild.cards",),
    ),
    Field(
        "wild.in",
        SomeOf(("set", "run", "flush")),
        ["set", "run"],
        ("wild-where",),
        asked=("wild.cards",),
    ),
    Field("wild.runs-only", SELECTORS, [], ("wild-where",), of="wild.cards"),
    # A rank at an end that is always wild is left out of runs.
    Field("wild.natural", OneOf(("own-place", "never")), "own-place", ("natural",)),
    Field("wild.naturals", Whole(0, 6), 1, ("naturals",), asked=("wild.cards",)),
    Field("wild.most", Whole(0, 12, none=True), None, ("wilds-most",)),
    Field("wild.adjacent", Switch(), True, ("touching",), asked=("wild.cards",)),
    Field("wild.outnumber", Switch(), True, ("wilds-share",)),
    Field("wild.alone", Switch(), False, ("only-wilds", "naturals")),
    Field("wild.moves", Switch(), False, ("moves",)),
    Field(
        "wild.counts",
        OneOf(("stands-for", "own")),
        "stands-for",
        ("wild-counts", "opening-wilds", "table-values"),
    ),
    Field("wild.set", _LIMITS, {}, ("naturals", "touching", "wilds-most", "wilds-share")),
    Field("wild.run", _LIMITS, {}, ("naturals", "touching", "wilds-most", "wilds-share")),
)
