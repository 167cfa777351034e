"""The fields of how melds come down, and of what happens at the table."""

import re
from typing import Final

from referee.describing.schema.cards import SELECTORS
from referee.describing.schema.fields import GIVEN, Field
from referee.describing.schema.kinds import (
    OneOf,
    Shaped,
    SomeOf,
    Switch,
    Whole,
    is_slug,
    is_switch,
    is_whole,
    is_word,
    one_of,
    record,
    table,
)
from referee.saying import wrong

SHAPES: Final = ("one-rank", "one-suit", "one-run", "pairs", "melds")
"""What a special hand may be all of."""
NEEDED: Final = re.compile(r"(pure )?(set|run|flush)( of [1-9][0-9]?)?", re.ASCII)


def _often(value: object) -> bool:
    return is_whole(value, 0, 1000)


_HANDS: Final = Shaped(
    table(
        is_slug,
        record(
            ("is", "times"),
            {
                "is": one_of(*SHAPES),
                "times": _often,
                "without": _often,
                "title": is_word,
                "protects": is_switch,
                "wins": is_switch,
                "scores": lambda value: is_whole(value, -1000, 1000),
                "thrown": is_switch,
            },
        ),
    ),
    wrong("hand-parts", shapes=", ".join(SHAPES)),
)
_NEEDS: Final = Shaped(
    table(
        lambda key: NEEDED.fullmatch(key) is not None,
        lambda value: is_whole(value, 1, 6),
    ),
    wrong("table-like", like='{"run" = 2, "pure run" = 1}'),
)
_BY_TOTAL: Final = Shaped(
    table(
        lambda key: re.fullmatch(r"0|-?[1-9][0-9]{0,4}", key, re.ASCII) is not None,
        lambda value: is_whole(value, 0, 1000),
    ),
    wrong("table-like", like='{"0" = 50, "1500" = 90}'),
)
_TIMES: Final = Shaped(
    record(("with", "without"), {"with": _often, "without": _often}),
    wrong("table-like", like="{with = 1, without = 2}"),
)

CONTRACTS: Final = (
    Field(
        "contract.pace",
        OneOf(("together", "alone", "alone-all-move")),
        "together",
        ("pace",),
        means="who moves on",
    ),
    Field(
        "contract.extra-melds",
        Switch(),
        False,
        ("exact",),
        means="more melds than asked",
    ),
    Field(
        "contract.same-rank-sets",
        Switch(),
        True,
        ("same-rank",),
    ),
    Field(
        "contract.split-runs",
        Switch(),
        True,
        ("split-run",),
        means="one long run as two",
    ),
    Field(
        "contract.run-suits",
        OneOf(("any", "different")),
        "any",
        ("run-suits",),
        means="suits of the runs of a contract",
    ),
)

FREE: Final = (
    Field(
        "free.first-naturals",
        Whole(0, 6),
        0,
        ("first-lay", "first-naturals"),
        means="naturals of a player's first lay",
    ),
    Field(
        "opening.points",
        Whole(0, 200),
        GIVEN,
        ("opening",),
        means="what the first lay must come to",
    ),
    Field(
        "opening.by-total",
        _BY_TOTAL,
        {},
        ("opening",),
        means="the same by total before the deal, from each of these numbers on",
    ),
    Field(
        "opening.wilds",
        OneOf(("stands-for", "nothing", "none")),
        "stands-for",
        ("opening-wilds",),
        means="what a wild of the first lay counts, or that there can be none",
    ),
    Field(
        "opening.needs",
        _NEEDS,
        {},
        ("opening-needs",),
        means='melds that must be in the first lay: {"pure run" = 1}',
    ),
    Field(
        "opening.then-table",
        Switch(),
        False,
        ("opening-table", "layoff-turn"),
    ),
    Field(
        "rearrange.whose",
        OneOf(("all", "own")),
        "all",
        ("rearrange",),
    ),
    Field(
        "rearrange.draw",
        OneOf(("instead", "first")),
        "instead",
        ("draw-ends", "drawn", "turn"),
        means="whether a turn begins with drawing, or a card is drawn only by a player who plays "
        "nothing",
    ),
    Field(
        "rearrange.retrieval",
        OneOf(("replace", "free", "locked")),
        "replace",
        ("retrieval",),
    ),
    Field(
        "rearrange.replacement",
        OneOf(("any", "exact")),
        "any",
        ("replacement",),
    ),
    Field(
        "rearrange.from",
        OneOf(("anywhere", "hand")),
        "anywhere",
        ("replacement-from",),
    ),
    Field(
        "rearrange.group-of-three",
        OneOf(("either", "both")),
        "either",
        ("group-of-three",),
    ),
    Field(
        "rearrange.goes",
        OneOf(("new-meld", "anywhere")),
        "new-meld",
        ("goes",),
    ),
)

HANDS: Final = (
    Field(
        "hand.knock",
        Whole(0, 100, words=("turned", "turned-but-ace")),
        0,
        ("knock", "close"),
        means="most points left over by who shows",
    ),
    Field(
        "hand.spades-twice",
        Switch(),
        False,
        ("times",),
        means="whether a spade turned up at the deal doubles what is scored, bonuses included",
    ),
    Field(
        "hand.knock-cards",
        Whole(0, 30, none=True),
        None,
        ("knock", "close"),
        means="most cards left over by who shows",
    ),
    Field(
        "hand.needs",
        _NEEDS,
        {},
        ("needs",),
        means='what a hand needs: {run = 2, "pure run" = 1, "run of 4" = 1}',
    ),
    Field(
        "hand.melds-count",
        OneOf(("always", "with-needs")),
        "always",
        ("melds-count",),
        means="whether melds save who pays where what is needed is missing",
    ),
    Field(
        "hand.times",
        _TIMES,
        {"with": 1, "without": 1},
        ("times",),
        means="how often others pay for a melded hand, with and without a wild",
    ),
    Field(
        "hand.announce",
        OneOf(("detect", "strict")),
        "detect",
        ("announce",),
    ),
    Field(
        "hand.special",
        _HANDS,
        {},
        ("special-hands",),
        means="hands that close by being all of a kind, the rarest first",
    ),
    Field(
        "hand.last-turn",
        Switch(),
        False,
        ("last-turn",),
    ),
)

TABLE: Final = (
    Field(
        "layoff.when",
        OneOf(("same-turn", "later")),
        "same-turn",
        ("layoff-turn",),
        means="cards may join melds on the table",
    ),
    Field(
        "layoff.who",
        OneOf(("anyone", "down")),
        "anyone",
        ("down-first",),
        means="whether you need melds of your own first, where nothing asks for them anyway",
    ),
    Field(
        "layoff.onto",
        OneOf(("all", "own", "closer")),
        "all",
        ("layoff",),
    ),
    Field(
        "layoff.counted",
        Switch(),
        False,
        ("layoff",),
        means="whether the pad lays off on a hand that closed, where both were named",
    ),
    Field(
        "layoff.wilds",
        OneOf(("all", "own", "none")),
        "all",
        ("layoff-wilds",),
    ),
    Field(
        "swap.who",
        OneOf(("not-down", "down", "anyone", "nobody")),
        "down",
        ("swap", "swap-down"),
        means="a wild taken out of a meld",
    ),
    Field(
        "swap.when",
        OneOf(("later", "same-turn")),
        "later",
        ("swap-turn",),
        means="whether on the turn you go down, by melds that do without the wild",
    ),
    Field(
        "swap.from",
        OneOf(("any", "run")),
        "any",
        ("swap-from",),
    ),
    Field(
        "swap.keep",
        Switch(),
        False,
        ("swap-use",),
    ),
    Field(
        "draw.pile",
        OneOf(("top", "used", "any", "all", "none")),
        "top",
        ("draw", "lowest"),
    ),
    Field("draw.cards", Whole(1, 5), 1, ("draw",), means="cards drawn from the stock"),
    Field(
        "draw.depth",
        Whole(1, 30, none=True),
        None,
        ("draw",),
        means="with the whole pile: how many cards of it at most",
    ),
    Field(
        "draw.top",
        SomeOf(("pair", "wild", "own", "open", "any", "free")),
        ["any"],
        ("draw-top", "draw"),
        means="with the whole pile: what its top card is used with at once, out of the hand; a "
        "pair of its rank; one of it and a wild; a meld of the team; such a meld with no bonus "
        "yet; whatever; or nothing",
    ),
    Field(
        "draw.frozen",
        SomeOf(("wild", "aside", "not-down"), none=True),
        [],
        ("frozen", "draw"),
        means="when only a pair takes it: with a wild or a card laid aside in it, or for a team "
        "with no melds",
    ),
    Field(
        "draw.blocked",
        SELECTORS,
        [],
        ("blocked", "draw"),
        means="cards under which the pile is not taken",
    ),
    Field(
        "draw.top-free",
        Switch(),
        False,
        ("top-free",),
    ),
    Field(
        "buy.extra",
        Whole(0, 5),
        1,
        ("buy",),
        means="May I, calls, buys",
    ),
    Field(
        "buy.limit",
        Whole(1, 20, none=True),
        None,
        ("buy-limit",),
    ),
    Field(
        "buy.down",
        Switch(),
        True,
        ("buy-down",),
        means="whether who is down may",
    ),
)
