"""The fields of going out, what a round comes to, and when the game is over."""

from typing import Final

from referee.describing.schema.fields import ELSE, GIVEN, Field
from referee.describing.schema.kinds import (
    Named,
    Number,
    Numbers,
    OneOf,
    Shaped,
    Switch,
    Whole,
    is_slug,
    is_whole,
    is_word,
    record,
    table,
)

SETTLEMENTS: Final = {
    "own-hand": {},
    "table-less-hand": {},
    "to-out": {},
    "to-lowest": {},
    "knock": {"gin": 25, "undercut": 25, "big-gin": 0},
    "fixed": {"each": 1},
    "penalty": {"each": 2},
    "drop": {"each": 1, "outright": 2, "caught": 2},
}
"""The ways to settle a round, each with its arguments: what is 0 is nothing, and stays so."""
ZERO_SUM: Final = frozenset({"to-out", "to-lowest", "fixed", "drop"})
"""The ways to settle in which what some win the others lose."""
AGAINST: Final = frozenset({"own-hand", "penalty"})
"""The ways to settle in which points count against a player."""
FACE: Final = "face"
"""In place of a number of points: the number that a card shows."""
MOST_POINTS: Final = 1000

_VALUES: Final = Shaped(
    table(is_word, lambda v: v == FACE or is_whole(v, -MOST_POINTS, MOST_POINTS)),
    'It’s a table like {"2-9" = 5, "10-K" = "face"}.',
)
_FIXED: Final = Shaped(
    table(
        is_slug,
        record(
            ("points", "title"),
            {"points": lambda v: is_whole(v, -MOST_POINTS, MOST_POINTS), "title": is_word},
        ),
    ),
    'It’s a table like {drop = {points = 20, title = "Dropped"}}.',
)
_BONUS: Final = Numbers(
    {
        "game": Number(0, MOST_POINTS, 0, "points for who wins"),
        "round": Number(0, MOST_POINTS, 0, "points for each round won"),
        "shutout": Number(
            1, 10, 1, "how often the winner’s points count where no other won a round"
        ),
    }
)
_PENALTIES: Final = Shaped(
    table(lambda key: 0 < len(key) <= 60, lambda v: is_whole(v, 0, 100)),  # noqa: PLR2004 - letters
    'It’s a table like {"Nothing was played" = 1}.',
)

OUT: Final = (
    Field(
        "out.discard",
        OneOf(("may", "must", "never")),
        "may",
        ("discard",),
        {
            "may": "You can lay down, lay off or discard your last {card}.",
            "must": "You need to discard your last {card}.",
            "never": "Nobody discards: your last {card} goes on the table.",
        },
        "a step may say “never”",
    ),
    Field(
        "out.dry",
        Switch(),
        False,
        ("dry",),
        {
            True: "If the {stock} runs out, the round ends, even if nobody is out.",
            False: "If the {stock} runs out, shuffle all but the top discard into a new {stock}.",
        },
    ),
)

SCORE: Final = (
    Field(
        "score.hand",
        _VALUES,
        GIVEN,
        ("values", "counts"),
        "{Held}: {v}.",
        "what cards cost by selector; “face” is the number shown",
        always=True,
    ),
    Field(
        "score.wild",
        Whole(0, 100, none=True),
        None,
        ("wild-value",),
        {0: "A {wild} {held} counts nothing.", ELSE: "A {wild} {held} counts {v}."},
        "while it is wild; else it costs what its own rank does",
    ),
    Field(
        "score.table",
        _VALUES,
        {},
        ("table-values",),
        "On the table: {v}.",
        "what melds score, where they do",
    ),
    Field("score.in-run", _VALUES, {}, ("table-values",), "In a run: {v}."),
    Field(
        "score.low-ace",
        Whole(0, 50, none=True),
        None,
        ("table-values",),
        {ELSE: "An ace below the 2 scores {v}."},
        "on the table",
    ),
    Field(
        "score.wilds-alone",
        Whole(0, 100, none=True),
        None,
        ("table-values",),
        {ELSE: "In a set of only {wilds}, each scores {v}."},
    ),
    Field(
        "score.settle",
        Named("to settle a round", SETTLEMENTS),
        "own-hand",
        ("settle", "big-gin"),
        {
            "own-hand": "Count the {cards} you have left. The player who went out scores 0.",
            "table-less-hand": "Score what you laid down, less the {cards} you have left.",
            "to-out": "The player who went out scores the {cards} everyone else has left.",
            "to-lowest": "The player who went out scores the {cards} everyone else has left. If "
            "nobody went out, the player with the fewest points wins and scores the differences.",
            "knock": "If you knock with less than the other player, you score the difference. If "
            "not, they undercut you and score it.",
            "fixed": "If you go out, you win a fixed number from each player.",
            "penalty": "A fixed number counts against everyone but the player who went out.",
            "drop": "If you go out, or drop with the lowest {hand}, you win a fixed number from "
            "each player.",
        },
        "a named settlement, with arguments as a table",
    ),
    Field(
        "score.cap",
        Whole(1, 1000, none=True),
        None,
        ("cap",),
        {ELSE: "You never pay more than {v} in a round."},
    ),
    Field(
        "score.out",
        Whole(-200, 200),
        0,
        ("out-bonus",),
        "If you go out, you get {v}.",
        "points of who goes out, or what a hand shown with nothing left gets",
    ),
    Field(
        "score.at-once",
        Whole(1, 10),
        1,
        ("at-once",),
        "If you go out all at once, with nothing laid before, the round counts {v}.",
    ),
    Field(
        "score.fixed",
        _FIXED,
        {},
        ("fixed",),
        "Fixed scores: {v}.",
        "scores taken instead of a count",
    ),
)

END: Final = (
    Field(
        "end.leads",
        OneOf(("lowest", "highest", "wins", "furthest")),
        "lowest",
        ("leads",),
        {
            "lowest": "The lowest total wins.",
            "highest": "The highest total wins.",
            "wins": "The player who won the most rounds wins. If that’s a tie, the higher total "
            "decides.",
            "furthest": "The player who got furthest wins. If there are several, the lowest total "
            "decides.",
        },
    ),
    Field(
        "end.rounds",
        Whole(1, 500, none=True),
        None,
        ("ends",),
        {ELSE: "The game ends after {v} rounds."},
        "absent with steps: after the last step",
    ),
    Field(
        "end.total",
        Whole(1, 100_000, none=True),
        None,
        ("ends",),
        {ELSE: "The game ends when a player reaches {v}."},
    ),
    Field(
        "end.eliminated",
        Whole(-10_000, 10_000, none=True),
        None,
        ("ends",),
        {ELSE: "If you reach {v}, you’re out of the game. The last player left wins."},
    ),
    Field(
        "end.open",
        Switch(),
        False,
        ("ends",),
        {True: "Play as many rounds as you like."},
    ),
    Field(
        "end.several",
        OneOf(("best", "out")),
        "best",
        ("overtaken",),
        {"out": "If several get there in the same round, the player who went out wins."},
        "with a total",
    ),
    Field(
        "end.tie",
        OneOf(("share", "decider")),
        "share",
        ("tied",),
        {
            "share": "Players who tie share the win.",
            "decider": "Players who tie play the last {contract} once more.",
        },
    ),
    Field(
        "end.bonus",
        _BONUS,
        {},
        ("end-bonus",),
        "Added at the end, once the winner is known: {v}.",
        "what is added when the game is over: game, round, shutout",
    ),
)

POINTS: Final = (
    Field(
        "points.target",
        Whole(1, 99_999, none=True),
        None,
        ("target",),
        {
            None: "Nobody plays to a target.",
            ELSE: "When a player reaches {v}, the pad asks whether to end the game.",
        },
        "the total at which the pad asks; none for no target",
    ),
    Field(
        "points.dealer",
        Switch(),
        True,
        ("dealer",),
        {True: "The player to the dealer’s left deals next.", False: "Nobody deals."},
        "whether the pad says who deals",
    ),
)

REST: Final = (
    Field(
        "clock.seconds",
        Whole(10, 1800),
        GIVEN,
        ("time",),
        "You have {v} seconds for your turn.",
        always=True,
    ),
    Field(
        "clock.penalties",
        _PENALTIES,
        {},
        ("time-over",),
        "When time is up, draw {cards}: {v}.",
        "cards drawn, by how the turn stood",
    ),
    Field("teams.size", Whole(2, 4), GIVEN, ("teams",), means="kept for later: refused for now"),
)
