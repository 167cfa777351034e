"""The fields of what is dealt, what is a meld, and what is wild."""

import re
from typing import Final

from referee.describing.schema.fields import GIVEN, Field
from referee.describing.schema.kinds import (
    ByPlayers,
    OneOf,
    Shaped,
    SomeOf,
    Switch,
    Whole,
    is_slug,
    is_switch,
    is_whole,
    is_word,
    listed,
    one_of,
    record,
    table,
)
from referee.saying import wrong

SELECTORS: Final = Shaped(listed(is_word, 20), wrong("list-like", like='["JK", "black 2"]'))
_SPECIAL: Final = Shaped(
    table(
        lambda key: re.fullmatch("[A-Z]{2}", key) is not None and key != "JK",
        record(
            ("name", "count"),
            {
                "name": is_word,
                "count": lambda value: is_whole(value, 1, 16),
                "stands": one_of("turned-next"),
            },
        ),
    ),
    wrong("table-like", like='{SK = {name = "skip", count = 4}}'),
)
_LIMITS: Final = Shaped(
    record(
        (),
        {
            "naturals": lambda value: is_whole(value, 0, 6),
            "most": lambda value: is_whole(value, 0, 12),
            "adjacent": is_switch,
            "outnumber": is_switch,
        },
    ),
    wrong("has-parts", parts="naturals, most, adjacent, outnumber"),
)
_MELDS: Final = ("set", "run", "wilds")
"""What a meld with a bonus may be."""
BONUSES: Final = Shaped(
    table(
        is_slug,
        record(
            ("cards", "points"),
            {
                "cards": lambda value: is_whole(value, 1, 30),
                "points": lambda value: is_whole(value, 1, 10_000),
                "of": one_of(*_MELDS),
                "wilds": lambda value: is_whole(value, 0, 12),
                "unbroken": lambda value: is_whole(value, 1, 30),
            },
        ),
    ),
    wrong("bonus-parts", melds=", ".join(_MELDS)),
)


PACK: Final = (
    Field("pack.kind", Shaped(is_word, wrong("deck-name")), "french", ("pack",), always=True),
    Field("pack.copies", ByPlayers(1, 8), 1, ("pack",)),
    Field("pack.jokers", ByPlayers(0, 16), 0, ("pack", "jokers")),
    Field("pack.remove", SELECTORS, [], ("pack",)),
    Field("pack.ignore-suits", Switch(), False, ("suits",)),
    Field("pack.special", _SPECIAL, {}, ("special",)),
    Field("deal.cards", ByPlayers(1, 30), GIVEN, ("deal", "hand-size"), always=True),
    Field("deal.upcard", Switch(), True, ("deal",)),
    Field("deal.direction", OneOf(("left", "right")), "left", ("dealer",)),
)

MELDS: Final = (
    Field("set.min", Whole(2, 13), 3, ("set",), always=True),
    Field("set.max", Whole(2, 30, none=True), None, ("set-most",)),
    Field("set.suits", OneOf(("any", "different", "three")), "any", ("same-card",)),
    Field("set.without", SELECTORS, [], ("set-without",)),
    # Of those without sets, what the player who goes out can meld, without a wild.
    Field("set.last", SELECTORS, [], ("set-last",)),
    Field("set.once", Switch(), False, ("set-once",)),
    Field("run.min", Whole(2, 13), 3, ("run",), always=True),
    Field("run.max", Whole(3, 30, none=True), None, ("run-most",)),
    Field("run.without", SELECTORS, [], ("run-without",)),
    # Either: at one end or the other, once in a run. By default both if the lowest rank is an ace.
    Field("run.ace", OneOf(("both", "either", "low", "high")), "both", ("ace", "run-ends")),
    Field("run.around", Switch(), False, ("corner", "run-ends")),
    Field("run.one-suit", Switch(), True, ("run",)),
    Field("bonus.melds", BONUSES, GIVEN, ("bonus-melds",), always=True),
    Field("flush.min", Whole(2, 13), GIVEN, ("flush",), always=True),
)

WILDS: Final = (
    # Also dealt: the rank that is the number dealt; turned: that of the card turned up.
    Field("wild.cards", SELECTORS, GIVEN, ("wild",), always=True),
    Field("wild.when", OneOf(("always", "run-in-contract")), "always", ("wild-when",)),
    Field("wild.in", SomeOf(("set", "run", "flush")), ["set", "run"], ("wild-where",)),
    Field("wild.runs-only", SELECTORS, [], ("wild-where",)),
    # A rank at an end that is always wild is left out of runs.
    Field("wild.natural", OneOf(("own-place", "never")), "own-place", ("natural",)),
    Field("wild.naturals", Whole(0, 6), 1, ("naturals",)),
    Field("wild.most", Whole(0, 12, none=True), None, ("wilds-most",)),
    Field("wild.adjacent", Switch(), True, ("touching",)),
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
