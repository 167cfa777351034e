"""What a game's source says and where, and what we read into its silence.

Every rule is in our own words; a clause names its place in the source, so
that a ruling can be looked up at the table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class Basis(Enum):
    """What a clause rests on."""

    SOURCE = "source"
    """The rule text says so."""
    READING = "reading"
    """Our reading, where the text is silent or says two things."""
    HOUSE = "house"
    """A house rule chosen for this game."""
    TOLD = "told"
    """As the game is set up: a sentence made from its description, as nobody wrote one."""
    TABLE = "table"
    """Not checked by the referee, though the game has this rule."""


class Clause(NamedTuple):
    """One rule of a game: its id, what it says in our words, and where it is.

    >>> from referee import variants
    >>> clause = variants.get("mexican-rummy").rulebook.cited("run")
    >>> clause.says
    'A run is 4 or more cards in a row, all of the same suit.'
    >>> clause.place, clause.basis.value
    ('Round Objectives, line 65; Glossary, line 105', 'source')
    """

    id: str
    """Its name in the rulebook, unlike any other's."""
    says: str
    """The rule, in a sentence or two."""
    place: str
    """Where in the source: a heading and a line; for a reading, what the source leaves open."""
    basis: Basis
    section: str
    """The chapter it is in."""
    title: str
    """What it is headed, in words that a player would look for: "Round the corner"."""
    fine_print: bool = False
    """Whether players take it for granted, or hardly ever ask."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The clauses of one game, by id and in the order of the rules page.

    Raises ValueError if two clauses have the same id.

    >>> from referee import variants
    >>> book = variants.get("mexican-rummy").rulebook
    >>> book.source
    'Caggiano Family Games: Mexican Rummy'
    >>> "aim" in book, book["aim"].section
    (True, 'The goal')
    """

    title: str
    source: str
    """What the rules were read from, in a line."""
    clauses: tuple[Clause, ...]
    by_cite: Mapping[str, Clause] = field(default_factory=dict, repr=False, compare=False)
    """The clauses by what the referee cites, which is the same in every game."""
    bears: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    """The paths of the description that each clause speaks for, by its id."""
    is_of_one_text: bool = field(init=False, repr=False, compare=False)
    """Whether the rules were read from one text, whose lines clauses name."""
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
        """Find a clause by its id; raises KeyError."""
        return self._by_id[name]

    def cited(self, name: str) -> Clause:
        """The clause that the referee cites by this name; raises KeyError.

        If "special-hands.colour" has none of its own, it’s that of "special-hands".
        """
        return self.by_cite.get(name) or self.by_cite[name.partition(".")[0]]

    @property
    def unruled(self) -> tuple[Clause, ...]:
        """The clauses that the referee does not rule on."""
        return tuple(clause for clause in self.clauses if clause.basis is Basis.TABLE)

    def __contains__(self, name: str) -> bool:
        """Whether there is a clause of this id."""
        return name in self._by_id

    def sections(self) -> Iterator[tuple[str, tuple[Clause, ...]]]:
        """Each heading with its clauses, in the order of the book."""
        names = dict.fromkeys(clause.section for clause in self.clauses)
        for name in names:
            yield name, tuple(clause for clause in self.clauses if clause.section == name)
