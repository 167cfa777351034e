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
    'It is a table like {"2-9" = 5, "10-K" = "face"}.',
    "numbers",
)
_FIXED: Final = Shaped(
    table(
        is_slug,
        record(
            ("points", "title"),
            {"points": lambda v: is_whole(v, -MOST_POINTS, MOST_POINTS), "title": is_word},
        ),
    ),
    'It is a table like {drop = {points = 20, title = "Dropped"}}.',
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
    'It is a table like {"Nothing was played" = 1}.',
    "numbers",
)

OUT: Final = (
    Field(
        "out.discard",
        OneOf(("may", "must", "never")),
        "may",
        ("discard",),
        {
            "may": "The last {card} may be laid down, laid off or discarded.",
            "must": "The last {card} is discarded.",
            "never": "There is no discard: the last {card} goes to the table.",
        },
        "a step may say “never”",
    ),
    Field(
        "out.dry",
        Switch(),
        False,
        ("dry",),
        {
            True: "When the {stock} is used up the round may end with nobody out.",
            False: "When the {stock} is used up the discards are shuffled and become the stock.",
        },
    ),
)

SCORE: Final = (
    Field(
        "score.hand",
        _VALUES,
        GIVEN,
        ("values", "counts"),
        "Left in {hand}: {v}.",
        "what cards cost by selector; “face” is the number shown",
        always=True,
    ),
    Field(
        "score.wild",
        Whole(0, 100, none=True),
        None,
        ("wild-value",),
        {0: "A wild left in {hand} costs nothing.", ELSE: "A wild left in {hand} costs {v}."},
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
        {ELSE: "An ace below the two scores {v}."},
        "on the table",
    ),
    Field(
        "score.wilds-alone",
        Whole(0, 100, none=True),
        None,
        ("table-values",),
        {ELSE: "In a set of only wilds each scores {v}."},
    ),
    Field(
        "score.settle",
        Named("to settle a round", SETTLEMENTS),
        "own-hand",
        ("settle", "big-gin"),
        {
            "own-hand": "Everybody counts what is left in {hand}; who went out nothing.",
            "table-less-hand": "Everybody scores what they laid, less what is left in {hand}.",
            "to-out": "Everybody pays who went out what is left.",
            "to-lowest": "Everybody pays the winner what is left; where nobody is out the lowest "
            "wins and is paid the difference.",
            "knock": "Who showed scores the difference; who is undercut pays it.",
            "fixed": "Who goes out wins a fixed number from each.",
            "penalty": "A fixed number counts against everybody but who goes out.",
            "drop": "Who goes out, or drops with the lowest {hand}, wins a fixed number from each.",
        },
        "a named settlement, with arguments as a table",
    ),
    Field(
        "score.cap",
        Whole(1, 1000, none=True),
        None,
        ("cap",),
        {ELSE: "Nobody pays more than {v} in a round."},
    ),
    Field(
        "score.out",
        Whole(-200, 200),
        0,
        ("out-bonus",),
        "Who goes out gets {v}.",
        "points of who goes out, or what a hand shown with nothing left gets",
    ),
    Field(
        "score.at-once",
        Whole(1, 10),
        1,
        ("at-once",),
        "Going out all at once, with nothing laid before, counts {v}.",
    ),
    Field("score.fixed", _FIXED, {}, ("fixed",), "{v}.", "scores taken instead of a count"),
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
            "wins": "Most rounds won wins; where that is level the higher total.",
            "furthest": "Who is furthest on wins; of several the lowest total.",
        },
    ),
    Field(
        "end.rounds",
        Whole(1, 500, none=True),
        None,
        ("ends",),
        {ELSE: "The game has {v} rounds."},
        "absent with steps: after the last step",
    ),
    Field(
        "end.total",
        Whole(1, 100_000, none=True),
        None,
        ("ends",),
        {ELSE: "The game is over when somebody has {v}."},
    ),
    Field(
        "end.eliminated",
        Whole(-10_000, 10_000, none=True),
        None,
        ("ends",),
        {ELSE: "Who comes to {v} is out; the last one left wins."},
    ),
    Field(
        "end.open",
        Switch(),
        False,
        ("ends",),
        {True: "The game goes on until the table ends it."},
    ),
    Field(
        "end.several",
        OneOf(("best", "out")),
        "best",
        ("overtaken",),
        {"out": "Where several come there at once, who went out wins."},
        "with a total",
    ),
    Field(
        "end.tie",
        OneOf(("share", "decider")),
        "share",
        ("tied",),
        {
            "share": "Who is level shares the win.",
            "decider": "Players who are level play the last {contract} once more to decide it.",
        },
    ),
    Field(
        "end.bonus",
        _BONUS,
        {},
        ("end-bonus",),
        "Added at the end: {v}. Who wins is known before that.",
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
            None: "There is no target.",
            ELSE: "When a player reaches {v}, the pad asks whether to end the game.",
        },
        "the total at which the pad asks; none for no target",
    ),
    Field(
        "points.dealer",
        Switch(),
        True,
        ("dealer",),
        {True: "The deal goes to the left.", False: "Nobody deals."},
        "whether the pad says who deals",
    ),
)

REST: Final = (
    Field(
        "clock.seconds",
        Whole(10, 1800),
        GIVEN,
        ("time",),
        "A turn lasts {v} seconds.",
        always=True,
    ),
    Field(
        "clock.penalties",
        _PENALTIES,
        {},
        ("time-over",),
        "When it is over: {v}.",
        "cards drawn, by how the turn stood",
    ),
    Field("teams.size", Whole(2, 4), GIVEN, ("teams",), means="kept for later: refused for now"),
)
