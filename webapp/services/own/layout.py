"""How the fields of a description are parted into pages, a few tables to a page.

A table that the schema has and no page names stands on the page of the table, so that nothing new
in the schema goes unasked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.describing import ALWAYS, BARE, OF_SECTION, SECTIONS, WAYS, Field

_NEVER: Final = frozenset({"points", "teams"})
"""Tables that are no part of a rummy, or kept for later and refused for now."""
_NEEDED: Final = frozenset({*ALWAYS, "score"})
"""Tables that every game has."""
REFINES: Final[Mapping[str, str]] = {"opening": "free", "rearrange": "free"}
"""Tables that say more of a way to lay down."""
REST: Final = "table"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the form: one question, and the tables that answer it."""

    name: str
    title: str
    asks: str
    tables: tuple[str, ...] = ()


PAGES: Final = (
    Page("cards", "Cards", "What do you play with?", ("pack", "deal")),
    Page("melds", "Melds", "What is a meld?", ("set", "run", "flush")),
    Page("wilds", "Wilds", "Which cards are wild?", ("wild",)),
    Page("down", "Going down", "How do melds come down?", (*WAYS, *REFINES)),
    Page(REST, "Table", "What happens on the table?", ("layoff", "swap", "draw", "buy", "claim")),
    Page("score", "Scoring", "What do cards cost?", ("out", "score")),
    Page("end", "End", "When is it over?", ("end", "clock")),
    Page("house", "House rules", "What may a table choose?"),
    Page("look", "Look it over", "Is this your game?"),
)
BY_NAME: Final = {page.name: page for page in PAGES}
_ELSEWHERE: Final = {"steps": "down", "options": "house", "examples": "look"}

TITLES: Final = {
    "set": "There are sets",
    "run": "There are runs",
    "flush": "There are flushes",
    "wild": "Some cards are wild",
    "opening": "The first melds must be worth something",
    "rearrange": "The table may be rearranged",
    "layoff": "Cards may be laid off",
    "swap": "Something is said of taking wilds",
    "buy": "One may ask for a discard out of turn",
    "clock": "Turns are timed",
    "contract": "Each round asks for melds, a contract",
    "free": BARE["free"][1].rstrip("."),
    "hand": "Melds stay in hand until somebody shows them all",
    "claim": BARE["claim"][1].rstrip("."),
}
"""What the switch of a table says."""


def tables_of(page: Page) -> tuple[str, ...]:
    """The tables that stand on a page."""
    if page.name != REST:
        return page.tables
    named = {table for each in PAGES for table in each.tables}
    return (*page.tables, *sorted(SECTIONS - named - _NEVER))


def fields_of(table: str) -> tuple[Field, ...]:
    """The fields of a table, in the order of the schema."""
    return OF_SECTION.get(table, ())


def is_needed(table: str) -> bool:
    """Whether every game has a table."""
    return table in _NEEDED


def page_of(path: str) -> str:
    """The page on which what a complaint is about can be put right."""
    table = path.partition(".")[0].partition(",")[0]
    found = (page.name for page in PAGES if table in tables_of(page))
    return _ELSEWHERE.get(table) or next(found, PAGES[0].name)
