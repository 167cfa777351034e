"""Makes the rulebook of a game from its own prose, generated sentences and house rules.

The referee cites clauses by the ids in `referee.describing.sentences.clauses`. A clause of the
prose lists the ids that it replaces (`for`), by default its own. It is then about the fields of
these clauses, and about other fields that it lists (`fields`). A house rule in force replaces the
clauses of the fields that it changes; one that wasn’t chosen is left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import shorten
from types import MappingProxyType
from typing import Any, Final

from referee.describing.checking.unruled import for_the_table
from referee.describing.description import Description
from referee.describing.patch import PLAYERS, changes_of, field_path, patched, value_at
from referee.describing.schema import BARE, BY_PATH, FIELDS, OF_SECTION, STEPS, UNCHECKED, Spec
from referee.describing.sentences import matters, sentences_of
from referee.describing.sentences.clauses import (
    CATALOGUE,
    FINE_PRINT,
    INSTEAD,
    SECTIONS,
    chapters_of,
    section_of,
)
from referee.describing.sentences.words import Values, bonus_noun, nouns_of
from referee.options import CHANGE
from referee.rulebook import Basis, Clause, Rulebook
from referee.saying import ENGLISH, Said

_SLOT: Final = re.compile(r"\{([a-z]+(?:\.[a-z0-9-]+)+)\}")
"""A placeholder in the prose for the value of a field: "{end.total}"."""
_LONGEST_TITLE: Final = 40
_KNOWN: Final = frozenset(CATALOGUE)
_DEEPER: Final = {"protects": "protects", "times": "times", "without": "times"}
"""The clauses of parts of a special hand that aren’t in the clause of its field."""


class Book:
    """The clauses of a game, from its prose, from its fields and from the house rules in force."""

    def __init__(
        self,
        game: Description,
        chosen: Mapping[str, object],
        language: str = ENGLISH,
        published: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Read the prose of a game; `chosen` has the house rules in force, by name.

        The prose is about the game as it was published; `published` has the generated sentences for
        that. If a house rule changes a field that a clause is about, the clause shows the new value
        if it has a placeholder for it. If not, a generated clause replaces it, because it would be
        wrong. A generated clause also replaces it if other fields change its generated sentence:
        once 2s are wild as well, “more jokers than natural cards” is wrong.
        """
        self._game = game
        text: Mapping[str, Any] = game.spec.get("text", {})
        self.language = language
        self._values = Values(language)
        self._speech = self._values.speech
        self.words: Mapping[str, str] = self._speech.tables["words"]
        """Words for what players do, for games without their own."""
        contract = {**self.words, **text.get("words", {})}["contract"]
        self.told = sentences_of(game, contract, language)
        """The sentences that are generated from the rules, by clause."""
        self._published = published
        self._nouns = nouns_of(game, self._speech)
        self._house = self._speech.say("sources.house")
        self._chapters = chapters_of(game, language)
        self._left = {left.clause for left in for_the_table(game)}
        self._clauses: list[Clause] = []
        self._own: dict[str, Clause] = {}
        self._bears: dict[str, tuple[str, ...]] = {}
        """The paths that each clause of the book is about, by its id."""
        self._mentions: dict[str, Iterable[str]] = {}
        """Paths that a clause only mentions; it is about them if no other clause is."""
        self._in_force: dict[str, Clause] = {}
        self._places: dict[str, str] = {}
        """For each clause of the prose, by id, the id of the generated clause that it replaces."""
        lines = [*_lines(text)]
        self._changed: dict[tuple[str, str], None] = {}
        """The changes of house rules, as keys: a clause, and the path of the field that changed."""
        self._instead: dict[int, list[str]] = {}
        """The clauses that a line of the prose replaces for a house rule in force, by the line’s
        `id()`."""
        house = {(line["option"], line.get("value", "")): line for line in lines if _of(line)}
        for name, value in chosen.items():
            self._put_in_force(name, value, house)
        place = "turn"
        for line in lines:
            place = self._place_of(line) or place
            if self._read(line, place.partition(".")[0]):
                self._places[self._clauses[-1].id] = place
        for cited in dict.fromkeys(clause for clause, _ in self._changed):
            if cited in self.told and cited not in self._own and cited not in self._in_force:
                self._in_force[cited] = self._told_clause(cited, Basis.HOUSE)
        covered = {clause.partition(".")[0] for clause in self._own}
        for cited in self.told:
            if cited not in covered and cited not in self._in_force:
                self._own[cited] = self._told_clause(cited, Basis.TOLD)

    def cited(self) -> dict[str, Clause]:
        """Return the clauses by the ids that the referee cites; some games don’t have them all."""
        names = dict.fromkeys([*CATALOGUE, *self._own, *self._in_force])
        found = {name: self.get(name) for name in names}
        return {
            name: clause
            for name in names
            if (clause := found[name] or found.get(INSTEAD.get(name, ""))) is not None
        }

    def bonus_noun(self, name: str) -> Said:
        """Return the noun for a kind of meld with a bonus."""
        return bonus_noun(self._speech, self._nouns, name)

    def say(self, path: str) -> str:
        """Return the value of the field at a path in words."""
        return self._values.say(path, self._game.get(path))

    def get(self, clause: str) -> Clause | None:
        """Return the clause that the referee cites by this id; None if the game has none."""
        found = self._in_force.get(clause) or self._own.get(clause)
        if found is None:
            fields = (field for field in FIELDS if clause in field.clauses[1:])
            others = (self.get(field.clauses[0]) for field in fields)
            found = next((other for other in others if other is not None), None)
        return found

    def __getitem__(self, clause: str) -> Clause:
        """Return the clause that the referee cites by this id, if every game has one."""
        found = self.get(clause)
        assert found is not None, clause
        return found

    def rulebook(self, title: str, source: str = "") -> Rulebook:
        """Return all clauses by chapter, in the order of a leaflet.

        A clause of the prose that replaces no generated clause comes after the one before it in the
        prose.
        """
        clauses = tuple(sorted(self._clauses, key=self._at))
        source = source or self._speech.say("sources.setup")
        return Rulebook(title, source, clauses, self.cited(), self._borne())

    def _borne(self) -> Mapping[str, tuple[str, ...]]:
        """Return the paths that each clause is about, and mentioned ones that no other has."""
        told = {path for paths in self._bears.values() for path in paths}
        found = dict(self._bears)
        for name, mentioned in self._mentions.items():
            alone = [path for path in map(field_path, mentioned) if path not in told]
            found[name] = (*alone, *found[name])
        return found

    def _at(self, clause: Clause) -> tuple[int, int]:
        """Return a sort key for a clause: the position of its chapter, and its own."""
        name = clause.id.removeprefix("house-").removesuffix("-too")
        place = self._places.get(clause.id, name).partition(".")[0]
        return [*dict.fromkeys(self._chapters.values())].index(clause.section), CATALOGUE.index(
            place
        )

    def _place_of(self, line: Mapping[str, Any]) -> str:
        """Return the generated clause that a line of the prose replaces; empty for none."""
        fields = (BY_PATH[path].clauses[0] for path in line.get("fields", ()))
        named = [
            *self._instead.get(id(line), ()),
            *line.get("for", ()),
            line.get("id", ""),
            *fields,
        ]
        return next((clause for clause in named if clause.partition(".")[0] in _KNOWN), "")

    def _put_in_force(
        self, name: str, value: object, house: Mapping[tuple[str, str], Mapping[str, Any]]
    ) -> None:
        """Store what a house rule changes, and the line that the prose has for it."""
        word = str(value).lower() if isinstance(value, (str, int)) else ""
        line = house.get((name, word)) or house.get((name, ""))
        patch = changes_of(self._game.spec, name, value)
        instead = list(line.get("for") or clauses_of(patch)) if line else []
        for path in patch:
            dealt = ("deal",) if path == STEPS and self._game.deals else ()
            for clause in instead or (*clauses_of({path: None}), *dealt):
                self._changed[clause, field_path(path)] = None
        if line:
            self._instead[id(line)] = instead

    def _read(self, line: Mapping[str, Any], place: str) -> bool:
        """Add the clause of a line of the prose, unless it is wrong by now or isn’t in force.

        `place` is the generated clause that it replaces. Return whether it was added.
        """
        says = self._filled(line["says"])
        cited_for = line.get("for", [line["id"]] if line.get("id") in _KNOWN else [])
        name = line.get("id") or "-".join(
            ["house", line["option"], *filter(None, [line.get("value", "")])]
        )
        title = line.get("title") or self._title(name)
        fine_print = place in FINE_PRINT and FINE_PRINT.issuperset(cited_for)
        where = self._chapters[place], title, fine_print
        if _of(line):
            if id(line) not in self._instead:
                return False
            clause = self._kept(Clause(name, says, self._house, Basis.HOUSE, *where))
            self._bears[clause.id] = self._paths(self._instead[id(line)])
            self._in_force |= dict.fromkeys(self._instead[id(line)], clause)
            return True
        named = line.get("fields", ())
        changed = {field for cited, field in self._changed if cited in cited_for or field in named}
        slots = _SLOT.findall(line["says"])
        gone = (slot for slot in slots if value_at(self._game.spec, slot) is None)
        if changed - (set(map(field_path, slots)) - set(map(field_path, gone))):
            return False
        if not changed and self._published and not self._says_the_same(cited_for):
            return False
        basis = Basis(line.get("basis", "source"))
        source = line.get("at", "")
        if changed:
            basis, source = Basis.HOUSE if basis is not Basis.TABLE else basis, self._house
        clause = self._kept(Clause(name, says, source, basis, *where))
        self._bears[clause.id] = self._paths(cited_for, *slots)
        self._mentions[clause.id] = named
        for cited in cited_for:
            self._own.setdefault(cited, clause)
        return True

    def _says_the_same(self, cited: Iterable[str]) -> bool:
        """Return whether the generated sentences of these clauses are as published."""
        return all(self.told.get(clause) == self._published.get(clause) for clause in cited)

    def _paths(self, cited: Iterable[str], *named: str) -> tuple[str, ...]:
        """Return the paths that these clauses are about, with those in `named`."""
        told = {clause.partition(".")[0] for clause in cited}
        fields = [f.path for f in FIELDS if f.clauses[0] in told and matters(self._game, f.path)]
        opens = {"opening"} if self._game.opens_by_step else set()
        opens |= {"out-needs"} if self._game.needs_by_step else set()
        steps = [STEPS] if told & {"contracts", "steps", *opens} and self._game.steps else []
        steps += [PLAYERS] if "players" in told else []
        bare = [table for table, clause in BARE.items() if clause in told]
        ways = [*steps, *(table for table in bare if self._game.has(table))]
        return tuple(dict.fromkeys([*map(field_path, named), *ways, *fields]))

    def _filled(self, says: str) -> str:
        """Return a sentence with the values of fields in its placeholders."""
        return _SLOT.sub(
            lambda slot: self._shown(value_at(self._game.spec, slot[1]), slot[0]), says
        )

    def _shown(self, value: object, slot: str) -> str:
        """Return a value for a placeholder; the placeholder itself if it isn’t a number."""
        return self._values.number(value) if isinstance(value, int) else slot

    def _title(self, name: str) -> str:
        """Return the heading of a clause; its id in words if nobody wrote one."""
        try:
            branches = [name.removeprefix("house-"), self._game.pack.kind.name]
            says = self._speech.find("headings", branches)
            says = says.format_map(self._nouns)
        except KeyError:
            says = name.replace("-", " ")
        return f"{says[:1].upper()}{says[1:]}"

    def _first_words(self, cited: str) -> str:
        """Return the heading of a rule that the players wrote: its first words."""
        says = shorten(self.told[cited], _LONGEST_TITLE, placeholder="…")
        return self._speech.find("headings", [UNCHECKED]).format(says=says.rstrip("."))

    def _told_clause(self, cited: str, basis: Basis) -> Clause:
        house = basis is Basis.HOUSE
        own_words = cited.startswith(UNCHECKED)
        clause = Clause(
            f"house-{cited}" if house else cited,
            self.told[cited],
            self._house if house else "",
            Basis.TABLE if own_words or cited in self._left else basis,
            self._chapters[cited.partition(".")[0]],
            self._first_words(cited) if own_words else self._title(cited),
            cited in FINE_PRINT or (cited == "corner" and self._ends_runs()),
        )
        clause = self._kept(clause)
        self._bears[clause.id] = self._paths([cited])
        return clause

    def _ends_runs(self) -> bool:
        """Return whether the place of the ace already rules out runs around the corner."""
        return not self._game.get("run.around") and self._game.get("run.ace") != "both"

    def _kept(self, clause: Clause) -> Clause:
        """Add a clause to the book, with an id that no other clause has."""
        taken = {other.id for other in self._clauses}
        name = clause.id
        while name in taken:
            name += "-too"
        if name != clause.id:
            clause = clause._replace(id=name)
        self._clauses.append(clause)
        return clause


def book_with(
    spec: Spec,
    patch: Mapping[str, object],
    language: str = ENGLISH,
    published: Mapping[str, str] | None = None,
) -> Rulebook:
    """Return the book of a description with changes by path, even if that isn’t a game.

    `published` has the sentences that are generated from the description without changes, if they
    are known. Raise Refused if a path doesn’t exist.

    >>> from referee import variants
    >>> from referee.describing import book_with
    >>> book_with(variants.description_of("gin-rummy"), {"run.min": 4}).cited("run").says
    'A run is 4 or more cards of the same suit in a row.'
    """
    if published is None:
        published = Book(Description(spec), {}, language).told
    chosen = {f"{CHANGE}{path}": value for path, value in patch.items()}
    told = published if chosen else MappingProxyType({})
    return Book(Description(patched(spec, chosen)), chosen, language, told).rulebook("")


def _lines(text: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the clauses of the prose, in order."""
    for section in text.get("sections", ()):
        yield from section["clauses"]
    yield from text.get("clauses", ())


def _of(line: Mapping[str, Any]) -> bool:
    """Return whether a clause of the prose is only for a house rule."""
    return "option" in line


def clauses_of(paths: Mapping[str, object]) -> Iterator[str]:
    """Yield the ids of the clauses that these paths affect."""
    for path in paths:
        if path == STEPS:
            yield from ("contracts", "steps", "opening", "out-needs")
            continue
        if path == PLAYERS:
            yield "players"
            continue
        if path not in BY_PATH and "." not in path:
            yield from (field.clauses[0] for field in OF_SECTION.get(path, ()))
            continue
        field = BY_PATH[field_path(path)]
        deeper = _DEEPER.get(path.rpartition(".")[2]) if field.path == "hand.special" else None
        yield from (deeper,) if deeper is not None else field.clauses


def option_clause(book: Book, option: Mapping[str, Any]) -> str:
    """Return the id of the clause in the book that a house rule is about while it isn’t chosen.

    If the book has no such clause, return that of the first clause in the same chapter.
    """
    patches = [{option["path"]: None}] if "path" in option else []
    patches += [patch for patch in option.get("choices", {}).values() if patch]
    patches += [dict.fromkeys(option["rows"].values())] if "rows" in option else []
    cited = next(clauses_of(patches[0]))
    found = book.get(cited)
    if found is not None:
        return found.id
    near = (book.get(clause) for clause in SECTIONS[section_of(cited)])
    return next(clause.id for clause in near if clause is not None)
