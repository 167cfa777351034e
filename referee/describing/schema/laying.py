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
    'It’s a table like {"run" = 2, "pure run" = 1}.',
)
_TIMES: Final = Shaped(
    record(("with", "without"), {"with": _often, "without": _often}),
    "It’s {with = 1, without = 2}.",
)

CONTRACTS: Final = (
    Field(
        "contract.pace",
        OneOf(("together", "alone", "alone-all-move")),
        "together",
        ("pace",),
        {
            "together": "Everyone moves on to the next {contract}, whether they made theirs or "
            "not.",
            "alone": "If you made your {contract}, you move on to the next. If not, you try it "
            "again.",
            "alone-all-move": "Each player has their own {contract}. Everyone moves on after a "
            "round.",
        },
        "who moves on",
    ),
    Field(
        "contract.extra-melds",
        Switch(),
        False,
        ("exact",),
        {
            False: "Lay down exactly the melds of the {contract}. Extra {cards} can only make them "
            "longer.",
            True: "You can lay down other melds with the {contract}.",
        },
        "more melds than asked",
    ),
    Field(
        "contract.same-rank-sets",
        Switch(),
        True,
        ("same-rank",),
        {
            True: "Two sets in a {contract} can be of the same {rank}.",
            False: "Two sets in a {contract} need different {rank}s.",
        },
    ),
    Field(
        "contract.split-runs",
        Switch(),
        True,
        ("split-run",),
        {
            True: "Two runs of the same {suit} can connect.",
            False: "Two runs of the same {suit} can’t connect.",
        },
        "one long run as two",
    ),
    Field(
        "contract.run-suits",
        OneOf(("any", "different")),
        "any",
        ("run-suits",),
        {"different": "The runs in a {contract} need different {suit}s."},
        "suits of the runs of a contract",
    ),
)

FREE: Final = (
    Field(
        "free.first-naturals",
        Whole(0, 6),
        0,
        ("first-lay", "first-naturals"),
        "The first time you lay melds, they need at least {v} natural {cards}.",
        "naturals of a player's first lay",
    ),
    Field(
        "opening.points",
        Whole(0, 200),
        GIVEN,
        ("opening",),
        {ELSE: "Your first melds need to be worth {v} points or more, all from your {hand}."},
        "what the first lay must come to",
    ),
    Field(
        "opening.wilds",
        OneOf(("stands-for", "nothing")),
        "stands-for",
        ("opening-wilds",),
        {
            "stands-for": "A {wild} in them counts as the {card} it stands for.",
            "nothing": "A {wild} in them counts nothing.",
        },
    ),
    Field(
        "opening.then-table",
        Switch(),
        False,
        ("opening-table", "layoff-turn"),
        {
            False: "On that turn, you can’t touch anything else on the table.",
            True: "Once you have the points, you can use the table on the same turn.",
        },
    ),
    Field(
        "rearrange.whose",
        OneOf(("all", "own")),
        "all",
        ("rearrange",),
        {
            "all": "You can rearrange the melds on the table as you like, if every meld is legal "
            "at the end of your turn.",
            "own": "You can rearrange your own melds, if every meld is legal at the end of your "
            "turn.",
        },
    ),
    Field(
        "rearrange.draw",
        OneOf(("instead", "first")),
        "instead",
        ("draw-ends", "drawn", "turn"),
        {
            "instead": "If you can’t play, or would rather not, draw a {card}.",
            "first": "Draw a {card} first, then play if you can and want to.",
        },
        "whether a turn begins with drawing, or a card is drawn only by a player who plays nothing",
    ),
    Field(
        "rearrange.retrieval",
        OneOf(("replace", "free", "locked")),
        "replace",
        ("retrieval",),
        {
            "replace": "You can take a {wild} out of its meld if you put something in its place.",
            "free": "You can rearrange melds with a {wild} like any other.",
            "locked": "A {wild} stays where it is. You can only add to its meld.",
        },
    ),
    Field(
        "rearrange.replacement",
        OneOf(("any", "exact")),
        "any",
        ("replacement",),
        {
            "any": "Any {cards} that keep the meld legal can take its place.",
            "exact": "Only the exact {card} it stands for can take its place.",
        },
    ),
    Field(
        "rearrange.from",
        OneOf(("anywhere", "hand")),
        "anywhere",
        ("replacement-from",),
        {
            "anywhere": "What takes its place comes from your {hand} or the table.",
            "hand": "What takes its place comes from your {hand}.",
        },
    ),
    Field(
        "rearrange.group-of-three",
        OneOf(("either", "both")),
        "either",
        ("group-of-three",),
        {
            "either": "In a set of 3, either missing {suit} will do.",
            "both": "In a set of 3, both missing {suit}s are needed.",
        },
    ),
    Field(
        "rearrange.goes",
        OneOf(("new-meld", "anywhere")),
        "new-meld",
        ("goes",),
        {
            "new-meld": "The {wild} you took goes into a new meld.",
            "anywhere": "The {wild} you took can go into any meld.",
        },
    ),
)

HANDS: Final = (
    Field(
        "hand.knock",
        Whole(0, 100, words=("turned", "turned-but-ace")),
        0,
        ("knock", "close"),
        {
            0: "To end the round, show a {hand} with every {card} in a meld.",
            "turned": "You can knock with as many points as the card turned up shows, or fewer.",
            "turned-but-ace": "You can knock with as many points as the card turned up shows, or "
            "fewer. If it’s an ace, you need every {card} in a meld.",
            ELSE: "You can knock with {v} points or less outside your melds.",
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
        {ELSE: "You can have at most {v} {cards} left over."},
        "most cards left over by who shows",
    ),
    Field(
        "hand.needs",
        _NEEDS,
        {},
        ("needs",),
        "You need {v}.",
        'what a hand needs: {run = 2, "pure run" = 1, "run of 4" = 1}',
    ),
    Field(
        "hand.melds-count",
        OneOf(("always", "with-needs")),
        "always",
        ("melds-count",),
        {"with-needs": "Without these, every {card} in your {hand} counts."},
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
            "detect": "A {hand} counts as the best it can be, whatever you called it.",
            "strict": "A {hand} counts only as what you called it.",
        },
    ),
    Field(
        "hand.special",
        _HANDS,
        {},
        ("special-hands",),
        "Special {hand}s: {v}.",
        "hands that close by being all of a kind, the rarest first",
    ),
    Field(
        "hand.last-turn",
        Switch(),
        False,
        ("last-turn",),
        {True: "Then everyone else has one more turn."},
    ),
)

TABLE: Final = (
    Field(
        "layoff.when",
        OneOf(("same-turn", "later")),
        "same-turn",
        ("layoff-turn",),
        {
            "same-turn": "You can lay off on the turn you go down.",
            "later": "On the turn you go down, you can’t lay off.",
        },
        "cards may join melds on the table",
    ),
    Field(
        "layoff.onto",
        OneOf(("all", "own", "closer")),
        "all",
        ("layoff",),
        {
            "all": "You can lay off on any meld, yours or not.",
            "own": "You can lay off only on your own melds.",
            "closer": "Everyone else can lay off on the melds of the player who showed.",
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
        {
            "own": "You can lay off a {wild} only on your own melds.",
            "none": "You can’t lay off a {wild}.",
        },
    ),
    Field(
        "swap.who",
        OneOf(("not-down", "down", "anyone", "nobody")),
        "down",
        ("swap", "swap-down"),
        {
            "not-down": "If you aren’t down yet, you can take a {wild} for the exact {card} it "
            "stands for, if that lets you lay down your {contract} now.",
            "down": "Once you’re down, you can take a {wild} for the exact {card} it stands for.",
            "anyone": "You can take a {wild} for the exact {card} it stands for.",
            "nobody": "{Wilds} on the table stay where they are.",
        },
        "a wild taken out of a meld",
    ),
    Field(
        "draw.pile",
        OneOf(("top", "any", "all", "none")),
        "top",
        ("draw", "lowest"),
        {
            "top": "Draw the top {card} of the {stock} or of the discard pile.",
            "any": "Draw the top {card} of the {stock}, or take any number off the top of the "
            "discard pile. Use the lowest one you take right away, in a meld or by laying it off.",
            "all": "Draw the top {card} of the {stock}, or take the whole discard pile and use its "
            "top {card} right away.",
            "none": "There is no discard pile: draw from the {stock}.",
        },
    ),
    Field(
        "draw.top-free",
        Switch(),
        False,
        ("top-free",),
        {
            True: "If you take only the top {card}, you can keep it.",
            False: "If you take only the top {card}, you need to use it, too.",
        },
    ),
    Field(
        "buy.extra",
        Whole(0, 5),
        1,
        ("buy",),
        {
            0: "Out of turn, you can ask for the top discard.",
            ELSE: "Out of turn, you can ask for the top discard. If you get it, take {v} more "
            "{cards} from the {stock}.",
        },
        "May I, calls, buys",
    ),
    Field(
        "buy.limit",
        Whole(1, 20, none=True),
        None,
        ("buy-limit",),
        {
            None: "You can ask as often as you like.",
            ELSE: "You can do so {v} times a round.",
        },
    ),
    Field(
        "buy.down",
        Switch(),
        True,
        ("buy-down",),
        {False: "You can’t ask once you’re down."},
        "whether who is down may",
    ),
)
