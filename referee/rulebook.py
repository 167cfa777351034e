"""The rules of a game as clauses, each with its source or with a note on how we read it.

Every rule is in our own words. A clause names its place in the source, so that players can look up
a ruling.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class Basis(Enum):
    """What a clause is based on."""

    SOURCE = "source"
    """The text of the rules."""
    READING = "reading"
    """Our reading, where the text says nothing or contradicts itself."""
    HOUSE = "house"
    """A house rule chosen for this game."""
    TOLD = "told"
    """The settings of the game: a sentence made from its description, because nobody wrote one."""
    TABLE = "table"
    """A rule of the game that the referee doesn’t check."""


class Clause(NamedTuple):
    """One rule of a game: its id, its text in our words, and its place in the source.

    >>> from referee import variants
    >>> clause = variants.get("mexican-rummy").rulebook.cited("run")
    >>> clause.says
    'A run is 4 or more cards in a row, all of the same suit.'
    >>> clause.place, clause.basis.value
    ('Round Objectives, line 65; Glossary, line 105', 'source')
    """

    id: str
    """Its name, unique in the rulebook."""
    says: str
    """The rule, in a sentence or two."""
    place: str
    """A heading and a line of the source; for a reading, what the source leaves open."""
    basis: Basis
    section: str
    """The heading of the chapter it is in."""
    title: str
    """Its own heading, in words that a player would look for: "Around the corner"."""
    fine_print: bool = False
    """Whether players know it without being told, or hardly ever need it."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The clauses of one game, by id and in the order of the rules page.

    Raise ValueError if two clauses have the same id.

    >>> from referee import variants
    >>> book = variants.get("mexican-rummy").rulebook
    >>> book.source
    'Caggiano Family Games: Mexican Rummy'
    >>> "aim" in book, book["aim"].section
    (True, 'The goal')
    """

    title: str
    source: str
    """The text that the rules were taken from, on one line."""
    clauses: tuple[Clause, ...]
    by_cite: Mapping[str, Clause] = field(default_factory=dict, repr=False, compare=False)
    """The clauses by the name that the referee cites them by, which is the same in every game."""
    bears: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    """The paths of the description that each clause is about, by the clause’s id."""
    is_of_one_text: bool = field(init=False, repr=False, compare=False)
    """Whether the rules were taken from a text whose lines the clauses name."""
    _by_id: dict[str, Clause] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the clauses; an id that is there twice is a mistake in the game’s file."""
        by_id = {clause.id: clause for clause in self.clauses}
        if len(by_id) < len(self.clauses):
            message = f"{self.title}: two clauses share an id"
            raise ValueError(message)
        object.__setattr__(self, "_by_id", by_id)
        of_one_text = any(clause.basis is Basis.SOURCE for clause in self.clauses)
        object.__setattr__(self, "is_of_one_text", of_one_text)

    def __getitem__(self, name: str) -> Clause:
        """Return the clause with this id; raise KeyError if there isn’t one."""
        return self._by_id[name]

    def cited(self, name: str) -> Clause:
        """Return the clause that the referee cites by this name; raise KeyError if there isn’t one.

        If a name with a dot ("special-hands.colour") has no clause of its own, it’s the clause for
        the part before the dot ("special-hands").
        """
        return self.by_cite.get(name) or self.by_cite[name.partition(".")[0]]

    @property
    def unruled(self) -> tuple[Clause, ...]:
        """The clauses that the referee doesn’t check."""
        return tuple(clause for clause in self.clauses if clause.basis is Basis.TABLE)

    def __contains__(self, name: str) -> bool:
        """Return whether there is a clause with this id."""
        return name in self._by_id

    def sections(self) -> Iterator[tuple[str, tuple[Clause, ...]]]:
        """Yield each heading with its clauses, in the order of the book."""
        names = dict.fromkeys(clause.section for clause in self.clauses)
        for name in names:
            yield name, tuple(clause for clause in self.clauses if clause.section == name)
