"""The fields for going out, for the points of a round, and for when the game is over."""

from typing import Final

from referee.describing.schema.cards import SELECTORS
from referee.describing.schema.fields import GIVEN, Field
from referee.describing.schema.kinds import (
    ByPlayers,
    CardValues,
    Named,
    Number,
    Numbers,
    OneOf,
    Record,
    Rows,
    Switch,
    Text,
    Whole,
    Word,
    is_slug,
)
from referee.saying import wrong

SETTLEMENTS: Final = {
    "own-hand": {},
    "table-less-hand": {},
    "to-out": {},
    "winner-scores": {},
    "to-lowest": {},
    "knock": {"gin": 25, "undercut": 25, "big-gin": 0},
    "fixed": {"each": 1},
    "penalty": {"each": 2},
    "drop": {"each": 1, "outright": 2, "caught": 2, "lowest": 0},
}
"""The ways to settle a round, each with its arguments and their defaults.

An argument that is 0 by default is something that isn’t played unless it’s set.
"""
ZERO_SUM: Final = frozenset({"to-out", "to-lowest", "fixed", "drop"})
"""The ways to settle in which some players win what the others lose."""
AGAINST: Final = frozenset({"own-hand", "penalty"})
"""The ways to settle in which points count against a player."""
MOST_POINTS: Final = 1000

_VALUES: Final = CardValues(MOST_POINTS)
_FIXED: Final = Rows(
    is_slug,
    Record(
        {"points": Whole(-MOST_POINTS, MOST_POINTS), "title": Word()},
        ("points", "title"),
        wrong("table-like", like='{points = 20, title = "Dropped"}'),
    ),
    wrong("table-like", like='{drop = {points = 20, title = "Dropped"}}'),
    typed={"points": 20, "title": ""},
)
_WAYS_OUT: Final = Rows(
    is_slug,
    Record(
        {"times": Whole(1, 10), "title": Word()},
        ("times", "title"),
        wrong("table-like", like='{times = 2, title = "With the wild"}'),
    ),
    wrong("table-like", like='{wild = {times = 2, title = "With the wild"}}'),
    typed={"times": 2, "title": ""},
)
_BONUS: Final = Numbers(
    {
        "game": Number(0, MOST_POINTS, 0),
        "round": Number(0, MOST_POINTS, 0),
        # How often the winner’s points count if nobody else has won a round.
        "shutout": Number(1, 10, 1),
    }
)
_PENALTIES: Final = Rows(
    lambda key: 0 < len(key) <= 60,  # noqa: PLR2004 - letters
    Whole(0, 100),
    wrong("table-like", like='{"Nothing was played" = 1}'),
    typed=1,
)
OF_BONUSES: Final = Rows(
    is_slug, Whole(1, 12), wrong("table-like", like="{natural = 1, mixed = 1}")
)

OUT: Final = (
    Field("out.discard", OneOf(("may", "must", "laid", "never")), "may", ("discard",)),
    Field("out.dry", Switch(), False, ("dry",)),
    Field("out.needs", OF_BONUSES, {}, ("out-needs",)),
    Field("out.wild", Switch(), True, ("out-wild",)),
)

ASIDE: Final = (
    Field("aside.cards", SELECTORS, GIVEN, ("aside",), always=True, drops=True),
    Field("aside.each", Whole(0, 1000), 100, ("aside-points",), always=True),
    Field("aside.all", Whole(0, 10_000, none=True), None, ("aside-points",)),
    Field("aside.minus", OneOf(("never", "not-down", "needs")), "never", ("aside-minus",)),
)

RESERVE: Final = (
    Field("reserve.cards", Whole(1, 30), GIVEN, ("reserve",), always=True, drops=True),
    Field("reserve.of", OneOf(("each", "team")), "each", ("reserve",)),
    Field("reserve.untaken", Whole(0, 1000), 0, ("reserve-untaken",)),
)

SCORE: Final = (
    Field("score.hand", _VALUES, GIVEN, ("values", "counts"), always=True),
    # While it is wild; else it costs what its own rank does.
    Field("score.wild", Whole(0, 200, none=True), None, ("wild-value",), asked=("wild.cards",)),
    Field("score.table", _VALUES, {}, ("table-values",)),
    Field("score.in-run", _VALUES, {}, ("table-values",)),
    Field("score.wilds", _VALUES, {}, ("table-values",)),
    Field("score.low-ace", Whole(0, 50, none=True), None, ("table-values",)),
    Field("score.wilds-alone", Whole(0, 100, none=True), None, ("table-values",)),
    # By name, with numbers as a table.
    Field("score.settle", Named(SETTLEMENTS), "own-hand", ("settle", "big-gin")),
    Field("score.cap", Whole(1, 1000, none=True), None, ("cap",)),
    Field("score.out", Whole(-200, 200), 0, ("out-bonus",)),
    Field("score.at-once", Whole(1, 10), 1, ("at-once",)),
    Field("score.out-at-once", Whole(-200, 200, none=True), None, ("at-once",)),
    Field("score.fixed", _FIXED, {}, ("fixed",)),
    # Ways of going out that count more, for whoever goes out and against the others.
    Field("score.ways", _WAYS_OUT, {}, ("ways-out",)),
    # How often the cards left count if their player opened with pairs.
    Field("score.pairs", Whole(1, 10), 1, ("pairs-left",)),
    # What each penalty adds, or takes off where points count for a player.
    Field("score.penalty", Whole(1, MOST_POINTS, none=True), None, ("penalties",)),
    # Whether cards left count for a player whose partner goes out.
    Field("score.partners", OneOf(("count", "spared")), "count", ("partners-left",)),
)

_WINS: Final = ("leads", "end.leads")
"""The lines on who wins, at a glance and in its chapter, also ask when the game ends."""

END: Final = (
    Field(
        "end.leads",
        OneOf(("lowest", "highest", "wins", "furthest")),
        "lowest",
        ("leads",),
        asked=("ends", "end.rounds"),
    ),
    # Without it, a game with steps is over after the last.
    Field("end.rounds", Whole(1, 500, none=True), None, ("ends",), asked=_WINS),
    Field("end.total", Whole(1, 100_000, none=True), None, ("ends",), asked=_WINS),
    Field(
        "end.eliminated",
        Whole(-10_000, 10_000, none=True),
        None,
        ("ends",),
        asked=_WINS,
    ),
    Field("end.open", Switch(), False, ("ends",), asked=_WINS),
    Field("end.several", OneOf(("best", "out")), "best", ("overtaken",)),
    Field("end.tie", OneOf(("share", "decider")), "share", ("tied",)),
    Field("end.bonus", _BONUS, {}, ("end-bonus",)),
)

POINTS: Final = (
    Field("points.target", Whole(1, 99_999, none=True), None, ("target",)),
    Field("points.rounds", Whole(1, 500, none=True), None, ("target",)),
    Field("points.dealer", Switch(), True, ("dealer",)),
)

CHAPTERS: Final = (
    *("goal", "need", "deal", "turn", "melds", "wilds", "down", "table", "time", "out"),
    *("melds-score", "score", "winning"),
)
"""The chapters of a leaflet, in order."""
UNCHECKED: Final = "unchecked"
"""The table of rules in the players’ own words, which the referee shows but doesn’t check."""

REST: Final = (
    Field("clock.seconds", Whole(10, 1800), GIVEN, ("time",), always=True, drops=True),
    Field("clock.penalties", _PENALTIES, {}, ("time-over",)),
    Field("teams.size", ByPlayers(1, 6), GIVEN, ("teams",), always=True, drops=True),
    # Own: each player opens and lays alone, and only the scores of partners are added up.
    Field("teams.melds", OneOf(("together", "own")), "together", ("teams",)),
    *(Field(f"{UNCHECKED}.{name}", Text(), None, (f"{UNCHECKED}-{name}",)) for name in CHAPTERS),
)
