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
    Field(
        "pack.kind",
        Shaped(is_word, wrong("deck-name")),
        "french",
        ("pack",),
        means="which pack",
        always=True,
    ),
    Field("pack.copies", ByPlayers(1, 8), 1, ("pack",), means="how many packs"),
    Field("pack.jokers", ByPlayers(0, 16), 0, ("pack", "jokers"), means="jokers in all"),
    Field(
        "pack.remove",
        SELECTORS,
        [],
        ("pack",),
        means="cards left out; the order closes up",
    ),
    Field(
        "pack.ignore-suits",
        Switch(),
        False,
        ("suits",),
        means="suits count nowhere and need not be written",
    ),
    Field(
        "pack.special",
        _SPECIAL,
        {},
        ("special",),
        means="further cards, in no meld by themselves",
    ),
    Field(
        "deal.cards",
        ByPlayers(1, 30),
        GIVEN,
        ("deal", "hand-size"),
        means="how many cards are dealt to each; one number, or one by players; a step may differ",
        always=True,
    ),
    Field("deal.upcard", Switch(), True, ("deal",), means="one card begins the discard pile"),
    Field(
        "deal.direction",
        OneOf(("left", "right")),
        "left",
        ("dealer",),
        means="the way round; seats are numbered so",
    ),
)

MELDS: Final = (
    Field(
        "set.min",
        Whole(2, 13),
        3,
        ("set",),
        means="fewest cards of a set; a contract may ask for fewer",
        always=True,
    ),
    Field(
        "set.max",
        Whole(2, 30, none=True),
        None,
        ("set-most",),
        means="most cards of a set",
    ),
    Field(
        "set.suits",
        OneOf(("any", "different", "three")),
        "any",
        ("same-card",),
        means="whether suits of a set differ, or how many there are in one",
    ),
    Field("set.without", SELECTORS, [], ("set-without",), means="cards of which there is no set"),
    Field(
        "set.last",
        SELECTORS,
        [],
        ("set-last",),
        means="of these, those that the player going out can meld, without a wild",
    ),
    Field(
        "set.once",
        Switch(),
        False,
        ("set-once",),
        means="whether a second set of a rank waits until the first is full",
    ),
    Field(
        "run.min",
        Whole(2, 13),
        3,
        ("run",),
        means="fewest cards of a run; a contract may ask for fewer",
        always=True,
    ),
    Field(
        "run.max",
        Whole(3, 30, none=True),
        None,
        ("run-most",),
        means="most cards of a run",
    ),
    Field("run.without", SELECTORS, [], ("run-without",), means="cards that are in no run"),
    Field(
        "run.ace",
        OneOf(("both", "either", "low", "high")),
        "both",
        ("ace", "run-ends"),
        means="where the lowest rank may stand; either: at one end or the other, once in a run; "
        "by default both where it is an ace, else low",
    ),
    Field(
        "run.around",
        Switch(),
        False,
        ("corner", "run-ends"),
        means="king, ace, two",
    ),
    Field(
        "run.one-suit",
        Switch(),
        True,
        ("run",),
        means="whether a run is of one suit; not asked where suits are ignored",
    ),
    Field(
        "bonus.melds",
        BONUSES,
        GIVEN,
        ("bonus-melds",),
        means="melds that score more, by name; of the kinds that a meld is, the dearest counts",
        always=True,
    ),
    Field(
        "flush.min",
        Whole(2, 13),
        GIVEN,
        ("flush",),
        means="a third kind of meld: cards of one suit",
        always=True,
    ),
)

WILDS: Final = (
    Field(
        "wild.cards",
        SELECTORS,
        GIVEN,
        ("wild",),
        means="selectors; also “dealt” (the rank that is the number dealt), “turned” (that of the "
        "card turned up), “turned-next” (the next of its suit)",
        always=True,
    ),
    Field(
        "wild.when",
        OneOf(("always", "run-in-contract")),
        "always",
        ("wild-when",),
        means="in which steps; a step's own wilds go before it",
    ),
    Field(
        "wild.in",
        SomeOf(("set", "run", "flush")),
        ["set", "run"],
        ("wild-where",),
        means="in which kinds of meld",
    ),
    Field(
        "wild.runs-only",
        SELECTORS,
        [],
        ("wild-where",),
        means="of the wilds, those that are wild in runs only",
    ),
    Field(
        "wild.natural",
        OneOf(("own-place", "never")),
        "own-place",
        ("natural",),
        means="what a wild in its own place is; an end rank that is always wild is left out of "
        "runs",
    ),
    Field(
        "wild.naturals",
        Whole(0, 6),
        1,
        ("naturals",),
        means="fewest naturals of a meld",
    ),
    Field(
        "wild.most",
        Whole(0, 12, none=True),
        None,
        ("wilds-most",),
        means="most wilds of a meld",
    ),
    Field(
        "wild.adjacent",
        Switch(),
        True,
        ("touching",),
        means="in a run",
    ),
    Field(
        "wild.outnumber",
        Switch(),
        True,
        ("wilds-share",),
        means="whether wilds may be more than naturals",
    ),
    Field(
        "wild.alone",
        Switch(),
        False,
        ("only-wilds",),
        means="a set of wilds that stand for nothing",
    ),
    Field(
        "wild.moves",
        Switch(),
        False,
        ("moves",),
        means="whether a wild of a run moves over for the card it stands for",
    ),
    Field(
        "wild.counts",
        OneOf(("stands-for", "own")),
        "stands-for",
        ("wild-counts", "opening-wilds", "table-values"),
        means="what a wild counts on the table and in the opening",
    ),
    Field(
        "wild.set",
        _LIMITS,
        {},
        ("naturals", "touching", "wilds-most", "wilds-share"),
        means="limits that sets have apart",
    ),
    Field(
        "wild.run",
        _LIMITS,
        {},
        ("naturals", "touching", "wilds-most", "wilds-share"),
        means="limits that runs have apart",
    ),
)
