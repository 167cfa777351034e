"""The fields of how melds come down, and of what happens at the table."""

import re
from typing import Final

from referee.describing.schema.fields import ELSE, GIVEN, Field
from referee.describing.schema.kinds import (
    OneOf,
    Shaped,
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
    f"Each hand has is (one of {', '.join(SHAPES)}) and times; without, title, protects, wins, "
    "scores, thrown.",
)
_NEEDS: Final = Shaped(
    table(
        lambda key: NEEDED.fullmatch(key) is not None,
        lambda value: is_whole(value, 1, 6),
    ),
    'It is a table like {"run" = 2, "pure run" = 1}.',
    "numbers",
)
_TIMES: Final = Shaped(
    record(("with", "without"), {"with": _often, "without": _often}),
    "It is {with = 1, without = 2}.",
    "numbers",
)

CONTRACTS: Final = (
    Field(
        "contract.pace",
        OneOf(("together", "alone", "alone-all-move")),
        "together",
        ("pace",),
        {
            "together": "All go on to the next {contract} after each round.",
            "alone": "Who made the {contract} goes on to the next, the others try again.",
            "alone-all-move": "Each has a place of their own; a round moves everybody on.",
        },
        "who moves on",
    ),
    Field(
        "contract.extra-melds",
        Switch(),
        False,
        ("exact",),
        {
            False: "Exactly the melds of the {contract} are laid down; further {cards} may only "
            "lengthen them.",
            True: "Any further meld may be laid down with the {contract}.",
        },
        "more melds than asked",
    ),
    Field(
        "contract.same-rank-sets",
        Switch(),
        True,
        ("same-rank",),
        {
            True: "Two sets of one {contract} may be of the same {rank}.",
            False: "The sets of one {contract} differ in {rank}.",
        },
    ),
    Field(
        "contract.split-runs",
        Switch(),
        True,
        ("split-run",),
        {
            True: "Two runs of one {suit} may follow on each other.",
            False: "Two runs of one {suit} may not follow on each other.",
        },
        "one long run as two",
    ),
    Field(
        "contract.run-suits",
        OneOf(("any", "different")),
        "any",
        ("run-suits",),
        {"different": "The runs of one {contract} differ in {suit}."},
        "suits of the runs of a contract",
    ),
)

FREE: Final = (
    Field(
        "free.first-naturals",
        Whole(0, 6),
        0,
        ("first-lay", "first-naturals"),
        "All that a player lays at once for the first time has {v} natural {cards} or more.",
        "naturals of a player's first lay",
    ),
    Field(
        "opening.points",
        Whole(0, 200),
        GIVEN,
        ("opening",),
        {ELSE: "The first melds of a player are worth {v} or more, from the own {hand}."},
        "what the first lay must come to",
    ),
    Field(
        "opening.wilds",
        OneOf(("stands-for", "nothing")),
        "stands-for",
        ("opening-wilds",),
        {
            "stands-for": "A wild counts there what it stands for.",
            "nothing": "A wild counts nothing there.",
        },
    ),
    Field(
        "opening.then-table",
        Switch(),
        False,
        ("opening-table", "layoff-turn"),
        {
            False: "In that turn nothing else on the table is touched.",
            True: "Once the points are there the table is open in the same turn.",
        },
    ),
    Field(
        "rearrange.whose",
        OneOf(("all", "own")),
        "all",
        ("rearrange",),
        {
            "all": "Melds on the table may be rearranged at will as long as legal melds remain.",
            "own": "One's own melds may be rearranged as long as legal melds remain.",
        },
    ),
    Field(
        "rearrange.draw",
        OneOf(("instead", "first")),
        "instead",
        ("draw-ends", "drawn", "turn"),
        {
            "instead": "If you can’t play, or would rather not, draw a {card}.",
            "first": "Draw a {card} first, then play what you can and want to. If you play "
            "nothing, the table stays as it is.",
        },
        "whether a turn begins with drawing, or a card is drawn only by a player who plays nothing",
    ),
    Field(
        "rearrange.retrieval",
        OneOf(("replace", "free", "locked")),
        "replace",
        ("retrieval",),
        {
            "replace": "A wild leaves its meld when something takes its place there.",
            "free": "Melds with a wild may be rearranged like all others.",
            "locked": "A wild stays where it is; its meld may only be added to.",
        },
    ),
    Field(
        "rearrange.replacement",
        OneOf(("any", "exact")),
        "any",
        ("replacement",),
        {
            "any": "Whatever leaves the meld legal may take its place.",
            "exact": "Only the very {card} it stands for takes its place.",
        },
    ),
    Field(
        "rearrange.from",
        OneOf(("anywhere", "hand")),
        "anywhere",
        ("replacement-from",),
        {
            "anywhere": "What takes its place comes from the {hand} or the table.",
            "hand": "What takes its place comes from the {hand}.",
        },
    ),
    Field(
        "rearrange.group-of-three",
        OneOf(("either", "both")),
        "either",
        ("group-of-three",),
        {
            "either": "In a set of three either missing {suit} will do.",
            "both": "In a set of three both missing {suit}s are needed.",
        },
    ),
    Field(
        "rearrange.goes",
        OneOf(("new-meld", "anywhere")),
        "new-meld",
        ("goes",),
        {"new-meld": "It then makes a new meld.", "anywhere": "It may then go to any meld."},
    ),
)

HANDS: Final = (
    Field(
        "hand.knock",
        Whole(0, 100, words=("turned", "turned-but-ace")),
        0,
        ("knock", "close"),
        {
            0: "All {cards} of the hand are in melds.",
            "turned": "You can knock with as many points as the card turned up shows, or fewer.",
            "turned-but-ace": "You can knock with as many points as the card turned up shows, or "
            "fewer. If it’s an ace, you need every {card} in a meld.",
            ELSE: "Who has {v} points or less outside melds may show.",
        },
        "most points left over by who shows",
    ),
    Field(
        "hand.spades-twice",
        Switch(),
        False,
        ("times",),
        "If the card turned up is a spade, everything the {hand} scores counts twice.",
        "whether a spade turned up at the deal doubles what is scored, bonuses included",
    ),
    Field(
        "hand.knock-cards",
        Whole(0, 30, none=True),
        None,
        ("knock", "close"),
        {ELSE: "No more than {v} {cards} may be left over."},
        "most cards left over by who shows",
    ),
    Field(
        "hand.needs",
        _NEEDS,
        {},
        ("needs",),
        "Among the melds there are {v}.",
        'what a hand needs: {run = 2, "pure run" = 1, "run of 4" = 1}',
    ),
    Field(
        "hand.melds-count",
        OneOf(("always", "with-needs")),
        "always",
        ("melds-count",),
        {"with-needs": "Where these are missing every {card} of a {hand} counts."},
        "whether melds save who pays where what is needed is missing",
    ),
    Field(
        "hand.times",
        _TIMES,
        {"with": 1, "without": 1},
        ("times",),
        "A melded {hand} counts {v}.",
        "how often others pay for a melded hand, with and without a wild",
        always=True,
    ),
    Field(
        "hand.announce",
        OneOf(("detect", "strict")),
        "detect",
        ("announce",),
        {
            "detect": "A {hand} counts as the best that it is, whatever was said.",
            "strict": "A {hand} counts only as what it was said to be.",
        },
    ),
    Field(
        "hand.special",
        _HANDS,
        {},
        ("special-hands",),
        "{v}.",
        "hands that close by being all of a kind, the rarest first",
    ),
    Field(
        "hand.last-turn",
        Switch(),
        False,
        ("last-turn",),
        {True: "Then each of the others has one more turn."},
    ),
)

TABLE: Final = (
    Field(
        "layoff.when",
        OneOf(("same-turn", "later")),
        "same-turn",
        ("layoff-turn",),
        {
            "same-turn": "{Cards} may be laid off in the very turn of going down.",
            "later": "Nothing is laid off in the turn of going down.",
        },
        "cards may join melds on the table",
    ),
    Field(
        "layoff.onto",
        OneOf(("all", "own", "closer")),
        "all",
        ("layoff",),
        {
            "all": "{Cards} may be laid off on any meld of the table.",
            "own": "{Cards} are laid off only on one's own melds.",
            "closer": "The others lay off on the melds of who showed.",
        },
    ),
    Field(
        "layoff.counted",
        Switch(),
        False,
        ("layoff",),
        "If you name the cards of both hands, the scorepad lays off as many as it can for the "
        "player who didn’t close.",
        "whether the pad lays off on a hand that closed, where both were named",
    ),
    Field(
        "layoff.wilds",
        OneOf(("all", "own", "none")),
        "all",
        ("layoff-wilds",),
        {"own": "A wild is laid off only on one's own melds.", "none": "No wild is laid off."},
    ),
    Field(
        "swap.who",
        OneOf(("not-down", "down", "anyone", "nobody")),
        "down",
        ("swap", "swap-down"),
        {
            "not-down": "Who is not down may take a wild for the very {card} it stands for, if it "
            "is that which completes the {contract}.",
            "down": "Who is down may take a wild for the very {card} it stands for, and uses it "
            "at once.",
            "anyone": "A wild may be taken for the very {card} it stands for, and is used at once.",
            "nobody": "Wilds on the table stay where they are.",
        },
        "a wild taken out of a meld",
    ),
    Field(
        "draw.pile",
        OneOf(("top", "any", "all", "none")),
        "top",
        ("draw", "lowest"),
        {
            "top": "A turn begins with the top card of the stock or of the discard pile.",
            "any": "Any number of {cards} may be taken off the top of the discard pile; the lowest "
            "is used at once, in a meld or laid off.",
            "all": "The whole discard pile may be taken; its top {card} is used at once.",
            "none": "There is no discard pile: draw from the {stock}.",
        },
    ),
    Field(
        "draw.top-free",
        Switch(),
        False,
        ("top-free",),
        {
            True: "The top {card} alone may be kept.",
            False: "The top {card} alone must be used too.",
        },
    ),
    Field(
        "buy.extra",
        Whole(0, 5),
        1,
        ("buy",),
        {
            0: "Out of turn a player may ask for the discard.",
            ELSE: "Out of turn a player may ask for the discard, and takes {v} more {cards} with "
            "it off the {stock}.",
        },
        "May I, calls, buys",
    ),
    Field(
        "buy.limit",
        Whole(1, 20, none=True),
        None,
        ("buy-limit",),
        {
            None: "There is no limit to the asking.",
            ELSE: "Each player may do so {v} times a round.",
        },
    ),
    Field(
        "buy.down",
        Switch(),
        True,
        ("buy-down",),
        {False: "Not once one is down."},
        "whether who is down may",
    ),
)
