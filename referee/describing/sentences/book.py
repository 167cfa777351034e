"""The rulebook of a game: its own prose, told sentences where it has none, and its house rules.

The referee cites clauses by the ids of `referee.describing.sentences.clauses`. A clause of the
prose says which of them it stands for (`for`): one of its own name where it does not say so. With
those it speaks for the fields that bear on them, and for others that it names (`fields`). A house
rule in force stands for the clauses of the fields that it changes; one that was not chosen is left
out.
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
"""Where a sentence of the prose takes the value of a field: "{end.total}"."""
_LONGEST_TITLE: Final = 40
_KNOWN: Final = frozenset(CATALOGUE)
_DEEPER: Final = {"protects": "protects", "times": "times", "without": "times"}
"""Clauses of what stands deeper in a field than its own: of a special hand."""


class Book:
    """The clauses of a game as the referee cites them."""

    def __init__(
        self,
        game: Description,
        chosen: Mapping[str, object],
        language: str = ENGLISH,
        published: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Read the prose of a game; `chosen` has the house rules in force, which it obeys.

        The prose is written of the game as it is published; `published` is what its rules tell.
        When a house rule changes a field that a clause speaks for, the clause takes the new value
        where it has a slot for it, and gives way to a told one where it has none: it would say
        what is no longer so. It also gives way if other fields change its told sentence: once 2s
        are wild as well, “more jokers than natural cards” is wrong.
        """
        self._game = game
        text: Mapping[str, Any] = game.spec.get("text", {})
        self.language = language
        self._values = Values(language)
        self._speech = self._values.speech
        self.words: Mapping[str, str] = self._speech.tables["words"]
        """What games call what is done, where they have no words of their own."""
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
        """The paths that each clause of the book speaks for, by its id."""
        self._mentions: dict[str, Iterable[str]] = {}
        """Paths that it only mentions: they are its own if no other clause speaks for them."""
        self._in_force: dict[str, Clause] = {}
        self._places: dict[str, str] = {}
        """The told clause that a clause of the prose replaces, by the id of the latter."""
        lines = [*_lines(text)]
        self._changed: dict[tuple[str, str], None] = {}
        """What the house rules change: a clause, with the field of it that is different."""
        self._instead: dict[int, list[str]] = {}
        """The lines of the prose that house rules in force have, with what they are cited for."""
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
        """The clauses by what the referee cites; what this game does not need may be left out."""
        names = dict.fromkeys([*CATALOGUE, *self._own, *self._in_force])
        found = {name: self.get(name) for name in names}
        return {
            name: clause
            for name in names
            if (clause := found[name] or found.get(INSTEAD.get(name, ""))) is not None
        }

    def bonus_noun(self, name: str) -> Said:
        """What a kind of meld with a bonus is called."""
        return bonus_noun(self._speech, self._nouns, name)

    def say(self, path: str) -> str:
        """The value of a field in words."""
        return self._values.say(path, self._game.get(path))

    def get(self, clause: str) -> Clause | None:
        """The clause that the referee cites by this id; None if it says nothing in this game."""
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

    def rulebook(self, title: str, source: str = "") -> Rulebook:
        """All clauses by chapter, in the order of a leaflet.

        A clause of the prose that replaces no told clause follows the one before it in the prose.
        """
        clauses = tuple(sorted(self._clauses, key=self._at))
        source = source or self._speech.say("sources.setup")
        return Rulebook(title, source, clauses, self.cited(), self._borne())

    def _borne(self) -> Mapping[str, tuple[str, ...]]:
        """The paths that each clause speaks for, with those it mentions that no other has."""
        told = {path for paths in self._bears.values() for path in paths}
        found = dict(self._bears)
        for name, mentioned in self._mentions.items():
            alone = [path for path in map(field_path, mentioned) if path not in told]
            found[name] = (*alone, *found[name])
        return found

    def _at(self, clause: Clause) -> tuple[int, int]:
        """The place of a clause in a book: that of its chapter, and its own."""
        name = clause.id.removeprefix("house-").removesuffix("-too")
        place = self._places.get(clause.id, name).partition(".")[0]
        return [*dict.fromkeys(self._chapters.values())].index(clause.section), CATALOGUE.index(
            place
        )

    def _place_of(self, line: Mapping[str, Any]) -> str:
        """The told clause that a line of the prose replaces; empty if it replaces none."""
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
        """Note what a house rule changes, and the line that the prose has for it."""
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
        """Take in one clause of the prose, in the place of a told one; answers if it's there."""
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
        """Whether the generated sentences of these clauses are those of the published game."""
        return all(self.told.get(clause) == self._published.get(clause) for clause in cited)

    def _paths(self, cited: Iterable[str], *named: str) -> tuple[str, ...]:
        """The paths behind the clauses of these ids, and some that were named."""
        told = {clause.partition(".")[0] for clause in cited}
        fields = [f.path for f in FIELDS if f.clauses[0] in told and matters(self._game, f.path)]
        opens = {"opening"} if self._game.opens_by_step else set()
        steps = [STEPS] if told & {"contracts", "steps", *opens} and self._game.steps else []
        steps += [PLAYERS] if "players" in told else []
        bare = [table for table, clause in BARE.items() if clause in told]
        ways = [*steps, *(table for table in bare if self._game.has(table))]
        return tuple(dict.fromkeys([*map(field_path, named), *ways, *fields]))

    def _filled(self, says: str) -> str:
        """A sentence with the values of the fields that it has slots for."""
        return _SLOT.sub(
            lambda slot: self._shown(value_at(self._game.spec, slot[1]), slot[0]), says
        )

    def _shown(self, value: object, slot: str) -> str:
        """A value in a slot; the slot itself where there is no number or word to put there."""
        return self._values.number(value) if isinstance(value, int) else slot

    def _title(self, name: str) -> str:
        """What a clause is headed; its id as words where nobody wrote a heading."""
        try:
            branches = [name.removeprefix("house-"), self._game.pack.kind.name]
            says = self._speech.find("headings", branches)
            says = says.format_map(self._nouns)
        except KeyError:
            says = name.replace("-", " ")
        return f"{says[:1].upper()}{says[1:]}"

    def _first_words(self, cited: str) -> str:
        """The beginning of a rule in a table’s own words, by which they know it in a list."""
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
        """Whether the place of the ace alone says that runs don’t go around the corner."""
        return not self._game.get("run.around") and self._game.get("run.ace") != "both"

    def _kept(self, clause: Clause) -> Clause:
        """Put a clause into the book, under an id that nothing else there has."""
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
    """Return the book of a description with changes by path, whether a game comes of them or not.

    `published` has the sentences that are generated from the description without changes, if they
    are known.

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
    """The clauses of the prose, in its order."""
    for section in text.get("sections", ()):
        yield from section["clauses"]
    yield from text.get("clauses", ())


def _of(line: Mapping[str, Any]) -> bool:
    """Whether a line of the prose says a house rule."""
    return "option" in line


def clauses_of(paths: Mapping[str, object]) -> Iterator[str]:
    """The clauses that these paths bear on."""
    for path in paths:
        if path == STEPS:
            yield from ("contracts", "steps", "opening")
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
