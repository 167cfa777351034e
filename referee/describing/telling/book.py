"""The rulebook of a game: its own prose, told sentences where it has none, and its house rules.

The referee cites clauses by the ids of `referee.describing.telling.clauses`. A clause of the prose
says which of them it stands for (`for`): one of its own name where it does not say so. A house rule
in force stands for the clauses of the fields that it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.describing.checking.unruled import for_the_table
from referee.describing.patch import field_path, patch_of
from referee.describing.schema import BY_PATH, FIELDS, STEPS
from referee.describing.telling import tell
from referee.describing.telling.clauses import CATALOGUE, INSTEAD, SECTIONS, section_of
from referee.rulebook import Basis, Clause, Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.describing.description import Description

_AS_SET_UP: Final = "As this game is set up."
_AT_THIS_TABLE: Final = "A rule of this table"
_KNOWN: Final = frozenset(CATALOGUE)
_DEEPER: Final = {"protects": "protects", "times": "times", "without": "times"}
"""Clauses of what stands deeper in a field than its own: of a special hand."""


class Book:
    """The clauses of a game as the referee cites them."""

    def __init__(self, game: Description, chosen: Mapping[str, object]) -> None:
        """Read the prose of a game; `chosen` has the house rules in force, which it obeys."""
        self._game = game
        text: Mapping[str, Any] = game.spec.get("text", {})
        self._told = tell(game, text.get("words", {}).get("contract", "contract"))
        self._left = {left.clause for left in for_the_table(game)}
        self._clauses: list[Clause] = []
        self._own: dict[str, Clause] = {}
        self._house: dict[tuple[str, str], tuple[Clause, list[str]]] = {}
        self._in_force: dict[str, Clause] = {}
        self._places: dict[str, str] = {}
        """The clauses of the prose that stand where a told one would, by that one."""
        for section in text.get("sections", ()):
            for line in section["clauses"]:
                self._read(line, section["name"])
        for line in text.get("clauses", ()):
            place = self._place_of(line)
            self._read(line, section_of(place))
            self._places[self._clauses[-1].id] = place
        for name, value in chosen.items():
            self._put_in_force(name, value, game.spec["options"][name])
        covered = {clause.partition(".")[0] for clause in self._own}
        for clause, says in self._told.items():
            if clause not in covered and clause not in self._in_force:
                basis = Basis.TABLE if clause in self._left else Basis.TOLD
                told = Clause(clause, says, _AS_SET_UP, basis, section_of(clause))
                self._own[clause] = self._kept(told)

    def cited(self) -> dict[str, Clause]:
        """The clauses by what the referee cites; what this game does not need may be left out."""
        names = dict.fromkeys([*CATALOGUE, *self._own, *self._in_force])
        found = {name: self.get(name) for name in names}
        return {
            name: clause
            for name in names
            if (clause := found[name] or found.get(INSTEAD.get(name, ""))) is not None
        }

    def get(self, clause: str) -> Clause | None:
        """The clause that the referee cites by this id; None where it says nothing in this game."""
        found = self._in_force.get(clause) or self._own.get(clause)
        if found is None:
            fields = (field for field in FIELDS if clause in field.clauses[1:])
            others = (self.get(field.clauses[0]) for field in fields)
            found = next((other for other in others if other is not None), None)
        return found

    def __getitem__(self, clause: str) -> Clause:
        """The clause that the referee cites by this id, where every game has one."""
        found = self.get(clause)
        assert found is not None, clause
        return found

    def rulebook(self, title: str, source: str) -> Rulebook:
        """All clauses: the game's own in the order of its prose, then what is told.

        Those that the prose puts under no heading stand among what is told.
        """
        clauses = self._clauses
        if self._places:
            order = {section: at for at, section in enumerate(SECTIONS)}
            clauses = sorted(clauses, key=lambda clause: (order[clause.section], self._at(clause)))
        return Rulebook(title, source, tuple(clauses), self.cited())

    def _at(self, clause: Clause) -> int:
        """Where a clause stands among those of a told book."""
        place = self._places.get(clause.id, clause.id.removeprefix("house-"))
        return CATALOGUE.index(place) if place in _KNOWN else len(CATALOGUE)

    @staticmethod
    def _place_of(line: Mapping[str, Any]) -> str:
        """The told clause in whose place one of the prose stands."""
        named = [*line.get("for", ()), line.get("id", "")]
        return next((clause for clause in named if clause.partition(".")[0] in _KNOWN), "turn")

    def _read(self, line: Mapping[str, Any], section: str) -> None:
        """Take in one clause of the prose."""
        if "option" in line:
            option, value = line["option"], line.get("value", "")
            name = line.get("id") or "-".join(["house", option, *filter(None, [value])])
            house = Clause(name, line["says"], _AT_THIS_TABLE, Basis.HOUSE, section)
            self._house[option, value] = (self._kept(house), line.get("for", []))
            return
        basis = Basis(line.get("basis", "source"))
        clause = self._kept(
            Clause(line["id"], line["says"], line.get("at", _AS_SET_UP), basis, section)
        )
        for cited in line.get("for", [clause.id] if clause.id in _KNOWN else []):
            self._own.setdefault(cited, clause)

    def _put_in_force(self, name: str, value: object, option: Mapping[str, Any]) -> None:
        word = str(value).lower() if isinstance(value, (str, bool)) else ""
        bears_on = [*clauses_of(patch_of(option, value))]
        own = self._house.get((name, word)) or self._house.get((name, ""))
        if own is not None:
            clause, instead = own
            self._in_force |= dict.fromkeys(instead or bears_on, clause)
            return
        for cited in bears_on:
            says = self._told.get(cited)
            if says is not None:
                basis = Basis.TABLE if cited in self._left else Basis.HOUSE
                told = Clause(f"house-{cited}", says, _AT_THIS_TABLE, basis, section_of(cited))
                self._in_force[cited] = self._kept(told)

    def _kept(self, clause: Clause) -> Clause:
        """Put a clause into the book, under an id that nothing else there has."""
        taken = {other.id for other in self._clauses}
        name = clause.id
        while name in taken:
            name += "-too"
        if name != clause.id:
            clause = Clause(name, clause.says, clause.place, clause.basis, clause.section)
        self._clauses.append(clause)
        return clause


def clauses_of(paths: Mapping[str, object]) -> Iterator[str]:
    """The clauses that these paths bear on."""
    for path in paths:
        if path == STEPS:
            yield "contracts"
            continue
        field = BY_PATH[field_path(path)]
        deeper = _DEEPER.get(path.rpartition(".")[2]) if field.path == "hand.special" else None
        yield from (deeper,) if deeper is not None else field.clauses


def option_clause(book: Book, option: Mapping[str, Any]) -> str:
    """The id in the book of the clause that a house rule bears on when it is not chosen."""
    patches = [{option["path"]: None}] if "path" in option else []
    patches += [patch for patch in option.get("choices", {}).values() if patch]
    patches += [dict.fromkeys(option["rows"].values())] if "rows" in option else []
    cited = next(clauses_of(patches[0]))
    found = book.get(cited)
    if found is not None:
        return found.id
    near = (book.get(clause) for clause in SECTIONS[section_of(cited)])
    return next(clause.id for clause in near if clause is not None)
