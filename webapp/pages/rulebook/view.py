"""The page that changes rules: rows that can be tapped, one of them open.

A row is a line at a glance, a sentence of a chapter, a rule that was dropped, or one that could be
added. The page shows what a draft says even if it isn’t a game; then each problem is a sentence at
its row.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from referee import Basis, Clause, OptionError, Rulebook
from referee.describing import (
    BARE,
    BY_PATH,
    OF_SECTION,
    PATHS,
    PLAYERS,
    SECTIONS,
    STEPS,
    UNCHECKED,
    WAYS,
    Complaint,
    Description,
    Field,
    Line,
    Refused,
    book_with,
    changed,
    chapters_of,
    glance,
    matters,
    problems,
    rests_on,
    section_of,
    sentences_of,
    silent,
)
from referee.saying import WORDS, Catalogue
from webapp.language import language, say
from webapp.own_games.names import title_of
from webapp.pages.rulebook.base import Base
from webapp.pages.rulebook.draft import Draft
from webapp.pages.rulebook.widgets import Control, controls_of, sets
from webapp.pages.rules.search import RuleLine
from webapp.pages.rules.task import FindTask, finding
from webapp.pages.rules.view import DrawnMeld, anchors_in, drawn_in

_MOST_LINES: Final = 40
"""More lines than any game has at a glance: while rules are changed, all of them are shown."""
_GLANCE: Final = "g-"
_FIELD: Final = "f-"
_GONE: Final = "was-"
_HOUSE: Final = "house-"
_LINE: Final = ", line "


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One rule on the page that changes rules; a tap opens it."""

    id: str
    says: str
    """The rule as it is now; empty if it was dropped."""
    paths: tuple[str, ...] = ()
    """The paths that it’s about; empty if nothing in it can be changed."""
    label: str = ""
    """The topic of a line at a glance."""
    was: str = ""
    """The text before a change; empty if it wasn’t changed."""
    changes: tuple[str, ...] = ()
    """The paths of the changes that it shows."""
    came: str = ""
    """The text of the change that brought this one along; empty if somebody chose it."""
    drop: str = ""
    """What a tap sets to drop the rule at once; empty if that isn’t possible."""
    problem: str = ""
    is_checked: bool = True
    """Whether the referee checks it."""
    fine_print: bool = False
    """Whether it’s small print that players take for granted, with nothing to change."""
    controls: tuple[Control, ...] = ()
    """The controls to change it, if it’s open."""

    @property
    def is_gone(self) -> bool:
        """Whether the rule was dropped."""
        return not self.says

    @property
    def is_marked(self) -> bool:
        """Whether it’s open, or was changed, or has a problem."""
        return bool(self.controls or self.problem or self.changes)

    @property
    def is_plain(self) -> bool:
        """Whether it’s just a rule that can be tapped, as most are."""
        return bool(self.paths and self.says) and self.is_checked and not self.is_marked


class Chapter(NamedTuple):
    """A heading with its rows, and the rules that can be added to it."""

    title: str
    anchor: str
    """The chapter’s anchor on the page."""
    rows: tuple[Row, ...]
    more: tuple[Row, ...]
    shown: tuple[DrawnMeld, ...] = ()
    """Example melds by the changed rules."""

    @property
    def all(self) -> tuple[Row, ...]:
        """All its rows."""
        return (*self.rows, *self.more)

    @property
    def is_open(self) -> bool:
        """Whether one of its rules is open."""
        return any(row.controls for row in self.all)

    @property
    def told(self) -> tuple[Row, ...]:
        """The rules that it shows; the small print is elsewhere."""
        rows = (row for row in self.rows if not row.fine_print)
        return (*rows, *(row for row in self.more if row.is_marked))

    @property
    def offered(self) -> tuple[Row, ...]:
        """The rules that can be added."""
        return tuple(row for row in self.more if not row.is_marked)


class Problem(NamedTuple):
    """A reason why a draft isn’t a game."""

    says: str
    row: str
    """The id of the row that it’s about."""
    fix: str
    """The id of the row where it can be solved; empty if that is the open row."""


class Wrong(NamedTuple):
    """A typed value that can’t be read: the reason, and the path of its field."""

    says: str = ""
    path: str = ""


NOTHING_WRONG: Final = Wrong()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage:
    """The page: all rules with a draft’s changes, and at most one rule open."""

    name: str
    base: Base
    draft: Draft
    opens: str
    at: int
    """The number of the round that is open, or 1 if numbers by players are; 0 for none."""
    glance: tuple[Row, ...]
    chapters: tuple[Chapter, ...]
    changes: tuple[Row, ...]
    """The changes, the latest last."""
    problems: tuple[Problem, ...]
    wrong: Wrong = NOTHING_WRONG
    """The typed value that can’t be read; the reason is shown at its box."""

    @property
    def rows(self) -> Iterator[Row]:
        """All rows, from the top of the page."""
        yield from self.glance
        for chapter in self.chapters:
            yield from chapter.all

    @property
    def fine_print(self) -> tuple[Row, ...]:
        """The sentences of the small print."""
        return tuple(row for chapter in self.chapters for row in chapter.rows if row.fine_print)

    @property
    def brought(self) -> tuple[Row, ...]:
        """The changes that came with the latest one that somebody chose."""
        last = self.draft.last
        came = {path for path, by in self.draft.came.items() if by == last}
        return tuple(row for row in self.changes if {*row.changes} & came)


def show(
    base: Base, draft: Draft, opens: str = "", at: int = 0, wrong: Wrong = NOTHING_WRONG
) -> FormPage:
    """Return the rules of a game with a draft; `opens` is a row’s id, a path, a clause or empty."""
    return _Showing(base, draft).page(opens, at, wrong)


class _Before(NamedTuple):
    """The rules before any change."""

    book: Rulebook
    told: Mapping[str, str]
    """The sentences that are made from the rules, by the clause’s id."""
    glance: tuple[Row, ...]
    says: Mapping[str, str]
    """The sentences, by the paths that they are about."""


@lru_cache(maxsize=64)
def _before(written: str, spoken: str) -> _Before:
    """Return a game without changes; it’s made once, and found again by its text."""
    spec = json.loads(written)
    contract = _words(spec)["contract"]
    told = sentences_of(Description(spec), contract, spoken)
    book = book_with(spec, {}, spoken)
    says = {path: c.says for c in reversed(book.clauses) for path in book.bears.get(c.id, ())}
    return _Before(book, told, tuple(_glance(spec, book)), says)


class _Told(NamedTuple):
    """The rules with the changes of a draft, as rows that aren’t open."""

    spec: Mapping[str, Any]
    """The description that can be shown: if all changes together don’t make a rulebook, it’s
    without the latest ones."""
    book: Rulebook
    lines: tuple[Row, ...]
    """The lines at a glance, with those of dropped rules crossed out in their old places."""
    chapters: tuple[Chapter, ...]
    problems: tuple[Complaint, ...]
    """The reasons why all changes together aren’t a game; none if they are."""


@lru_cache(maxsize=64)
def _told(written: str, changes: str, spoken: str) -> _Told:
    """Return a game with changes by path, as JSON; it’s made once, however many rows are opened."""
    base, before = json.loads(written), _before(written, spoken)
    patch: dict[str, object] = dict(json.loads(changes))
    found = tuple(problems(changed(base, patch)))
    spec, book, glanced = _book_with(base, before, patch, spoken)
    rows = _Rows(before, spec, book, (*patch,))
    lines = rows.with_gone([*rows.changed_lines(glanced)])
    return _Told(spec, book, tuple(lines), tuple(rows.chapters()), found)


def _book_with(
    base: Mapping[str, Any], before: _Before, patch: Mapping[str, object], spoken: str
) -> tuple[Mapping[str, Any], Rulebook, tuple[Row, ...]]:
    """Return what can be shown of changes: description, rulebook, and lines at a glance."""
    if not patch:
        return base, before.book, before.glance
    left = {**patch}
    while True:
        spec = changed(base, left)
        try:
            book = book_with(base, left, spoken, before.told)
            return spec, book, tuple(_glance(spec, book))
        except (ValueError, LookupError, TypeError, AttributeError):
            if not left:
                raise
            left.popitem()


def _words(spec: Mapping[str, Any]) -> Mapping[str, str]:
    """Return a game’s words for what players do in it."""
    own = spec.get("text", {}).get("words", {})
    return {**Catalogue.read(language(), WORDS).tables["words"], **own}


@cache
def _asked_at() -> Mapping[str, tuple[Field, ...]]:
    """Return the fields that a line at a glance asks for, by its clause."""
    found: defaultdict[str, list[Field]] = defaultdict(list)
    for field in BY_PATH.values():
        for clause in dict.fromkeys([field.clauses[0], *field.asked]):
            found[clause].append(field)
    return {clause: tuple(fields) for clause, fields in found.items()}


def _glance(spec: Mapping[str, Any], book: Rulebook) -> Iterator[Row]:
    """Yield the lines at a glance, each with the fields that it asks for."""
    game, words = Description(spec), _words(spec)
    own_wild = spec.get("text", {}).get("words", {}).get("wild", "")
    for line in glance(game, words["contract"], own_wild, language(), _MOST_LINES):
        clause = line.clause.partition(".")[0]
        own = [f.path for f in _asked_at().get(clause, ()) if matters(game, f.path)]
        cited = book.by_cite.get(line.clause)
        told = book.bears.get(cited.id, ()) if cited else ()
        # If there is a list of rounds, it says what the last card and the end are.
        rounds = [STEPS] if clause in {"no-discard", "ends"} and spec.get(STEPS) else []
        wild = ["wild"] if clause == "wild" and not game.has("wild") else []
        paths = tuple(dict.fromkeys([*own, *told, *rounds, *wild]))
        yield Row(
            id=f"{_GLANCE}{line.clause}",
            label=line.name,
            says=line.says,
            paths=paths,
            drop=_dropping(spec, line, paths),
        )


def _dropping(spec: Mapping[str, Any], line: Line, paths: Iterable[str]) -> str:
    """Return what a tap sets to drop the rule of a line; empty if there is nothing to drop."""
    own = [BY_PATH[p] for p in paths if p in BY_PATH and BY_PATH[p].clauses[0] == line.clause]
    for field in own:
        if field.drops and field.section in spec:
            return sets(field.section, None)
        if field.default is None and len(own) == 1:
            return sets(field.path, None)
    return ""


class _Rows:
    """The rules of a game with changes as rows, whichever of them is open."""

    def __init__(
        self, before: _Before, spec: Mapping[str, Any], book: Rulebook, patch: Sequence[str]
    ) -> None:
        self.before, self.spec, self.book, self.patch = before, spec, book, patch
        self.game = Description(spec)

    def changed_lines(self, lines: Iterable[Row]) -> Iterator[Row]:
        """Yield the lines at a glance, each with its text before the changes."""
        old = {row.id: row.says for row in self.before.glance}
        for row in lines:
            was = old.get(row.id, "")
            changes = self._touched(row.paths) if was != row.says else ()
            yield replace(row, was=was if changes else "", changes=changes)

    def with_gone(self, lines: list[Row]) -> list[Row]:
        """Return the lines at a glance, with dropped rules crossed out in their old places."""
        place, there = 0, {row.id for row in lines}
        for old in self.before.glance:
            if old.id in there:
                place = next(n for n, row in enumerate(lines, 1) if row.id == old.id)
            elif changes := self._touched(old.paths):
                gone = replace(old, says="", was=old.says, paths=(), drop="", changes=changes)
                lines.insert(place, gone)
                place += 1
        return lines

    def _touched(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the paths of the changes to any of these paths, or to the tables they are in."""
        there = {*paths} | {path.partition(".")[0] for path in paths}
        return tuple(path for path in self.patch if path in there)

    def chapters(self) -> Iterator[Chapter]:
        """Yield the chapters, with what is changed in them, and what could be added to each."""
        told = frozenset(chain.from_iterable(self.book.bears.values()))
        more, gone = self._more(told), self._gone(told)
        anchors = anchors_in(self.game, language())
        sections = [*self.book.sections()]
        names = [title for title, _ in sections]
        for title, clauses in sections:
            # What belongs to a chapter that no longer exists is offered in the last one.
            here = {title, *({*more, *gone} - {*names} if title == names[-1] else ())}
            yield Chapter(
                title,
                anchors[title],
                (
                    *map(self._row, clauses),
                    *(row for name in gone if name in here for row in gone[name]),
                ),
                tuple(row for name in more if name in here for row in more[name]),
            )

    def _row(self, clause: Clause) -> Row:
        paths = tuple(self.book.bears.get(clause.id, ()))
        changes = self._touched(paths)
        said = (self.before.says[path] for path in (*changes, *paths) if path in self.before.says)
        was = next(said, "") if changes else ""
        return Row(
            id=clause.id.removeprefix(_HOUSE),
            says=clause.says,
            paths=paths,
            was="" if was == clause.says else was,
            changes=changes,
            is_checked=clause.basis is not Basis.TABLE,
            fine_print=clause.fine_print and not paths,
        )

    def _gone(self, told: frozenset[str]) -> Mapping[str, list[Row]]:
        found: defaultdict[str, list[Row]] = defaultdict(list)
        for clause in self.before.book.clauses:
            paths = self.before.book.bears.get(clause.id, ())
            if paths and not {*paths} & told and (changes := self._touched(paths)):
                row = Row(id=f"{_GONE}{clause.id}", says="", was=clause.says, changes=changes)
                found[clause.section].append(row)
        return found

    def _more(self, told: frozenset[str]) -> Mapping[str, list[Row]]:
        """Return the rules that the book lacks, by chapter: fields, tables, a rule in own words."""
        titles = chapters_of(self.game, language())
        found: defaultdict[str, list[Row]] = defaultdict(list)
        unsaid = (p for p in silent(self.spec, told) if p.partition(".")[0] not in _NEVER_ADDED)
        written = (field.path for field in OF_SECTION[UNCHECKED] if field.path not in told)
        for path in (*unsaid, *written):
            fields = OF_SECTION.get(path, ()) if path in SECTIONS else (BY_PATH[path],)
            clause = fields[0].clauses[0] if fields else BARE.get(path, "")
            found[titles.get(clause, "")].append(self.unsaid(path))
        return found

    def unsaid(self, path: str) -> Row:
        """Return a row for a changed path that no sentence of the rulebook is about."""
        own = path.startswith(f"{UNCHECKED}.")
        says = say("changing.write") if own else f"{title_of(path, self.spec)}."
        touched = (path,) if path in self.patch else ()
        was = self.before.says.get(path, "") if touched else ""
        if touched and path in SECTIONS:
            # A table that was dropped is named by its old sentence: “Some cards are wild.”, crossed
            # out.
            says, was = "", says
        return Row(id=f"{_FIELD}{path}", says=says, paths=(path,), was=was, changes=touched)


class _Showing:
    """The rules of a game with the changes of a draft, as a page."""

    def __init__(self, base: Base, draft: Draft) -> None:
        self.base, self.draft = base, draft
        written = json.dumps(base.spec, ensure_ascii=False)
        self.before = _before(written, language())
        self.told = _told(written, json.dumps([*draft.patch.items()]), language())
        self.shown, self.chapters = self.told.spec, self.told.chapters
        self.game = Description(self.shown)

    def page(self, opens: str, at: int, wrong: Wrong) -> FormPage:
        """Return the page with a row open."""
        lines = self.told.lines
        opens = self._opened(opens, lines)
        found = [self._placed(each, lines, opens) for each in self.told.problems]
        says = {each.row: each.says for each in reversed(found)}

        def done(rows: Iterable[Row]) -> tuple[Row, ...]:
            return tuple(
                replace(
                    row,
                    problem=says.get(row.id, ""),
                    controls=self._controls(row, at) if row.id == opens else (),
                )
                if row.id == opens or row.id in says
                else row
                for row in rows
            )

        drawn = self._drawn(found)
        return FormPage(
            name=self.base.game.name,
            base=self.base,
            draft=self.draft,
            opens=opens,
            at=at,
            glance=done(lines),
            chapters=tuple(
                each._replace(
                    rows=done(each.rows), more=done(each.more), shown=drawn.get(each.title, ())
                )
                for each in self.chapters
            ),
            changes=tuple(self._changes()),
            problems=tuple(found),
            wrong=wrong,
        )

    def _drawn(self, found: Sequence[Problem]) -> Mapping[str, tuple[DrawnMeld, ...]]:
        """Return example melds by these rules, by chapter; none while they aren’t a game."""
        if found:
            return {}
        try:
            return drawn_in(self.base.played(self.draft.patch), self.base.game)
        except (OptionError, Refused):
            return {}

    def _opened(self, opens: str, lines: Sequence[Row]) -> str:
        """Return the row to open: by its id, by a path that it’s about, or the latest change."""
        if not opens:
            return ""
        below = [row for chapter in self.chapters for row in chapter.all if row.paths]
        rows = [*(row for row in lines if row.paths), *below]
        if not opens.startswith(_GLANCE):
            rows = [*below, *rows]
        name = opens.removeprefix(_HOUSE)
        last = self.draft.last
        ways = (
            (row.id for row in rows if row.id == name),
            (row.id for row in rows if name.removeprefix(_FIELD) in row.paths),
            (row.id for row in rows if last in row.paths and name not in PATHS),
            (row.id for row in rows if name in {path.partition(".")[0] for path in row.paths}),
        )
        return next(chain.from_iterable(ways), "")

    def _placed(self, complaint: Complaint, lines: Sequence[Row], opens: str) -> Problem:
        """Return a problem: its sentence, the row it’s about, and the row that can solve it."""
        says = complaint.said(language())
        path, _, number = complaint.path.partition(_LINE)
        if number and path == STEPS:
            says = f"{say('changing.in-round', number=number)}: {says}"
        path = ".".join(path.split(".")[:2])
        below = [row for chapter in self.chapters for row in chapter.all if not row.is_gone]
        rows = [*below, *lines]
        if opens.startswith(_GLANCE):
            rows = [*lines, *below]
        tried = (path, self.draft.last, *self.draft.patch)
        about = next(filter(None, (_row_of(one, rows) for one in tried)), "")
        # What was just changed is what they want: the rest has to follow.
        fixes = [_row_of(one, rows) for one in (*rests_on(path), path)]
        mine = {opens, *(row.id for row in rows if self.draft.last in row.paths)}
        fix = next((one for one in fixes if one and one not in mine), about)
        return Problem(says, about, "" if fix == opens else fix)

    def _controls(self, row: Row, at: int) -> tuple[Control, ...]:
        with_it = (
            field.path
            for field in BY_PATH.values()
            if {*field.asked} & {*row.paths} and matters(self.game, field.path)
        )
        paths = [path for path in dict.fromkeys([*row.paths, *with_it]) if path in PATHS]
        tables = [
            path
            for path in paths
            if path in SECTIONS and (path in {*WAYS, *BARE} or path not in self.shown)
        ]
        fields = [path for path in paths if path in BY_PATH or path in {PLAYERS, STEPS}]
        controls = [one for path in (*fields, *tables) for one in controls_of(self.shown, path, at)]
        if row.label:
            # Text that no field has is written where its chapter begins, not at a glance.
            written = f"{UNCHECKED}.{section_of(row.id.removeprefix(_GLANCE))}"
            if written in BY_PATH and written not in fields:
                asked = controls_of(self.shown, written, at)
                controls += [replace(one, folded=True) for one in asked]
        return tuple(controls)

    def _changes(self) -> Iterator[Row]:
        """Yield the changes, the latest last; what one sentence says is one change."""
        by_path = {
            path: row
            for chapter in reversed(self.chapters)
            for row in reversed(chapter.all)
            for path in row.changes
        }
        rows_of = _Rows(self.before, self.shown, self.told.book, (*self.draft.patch,))
        rows = dict.fromkeys(by_path.get(path) or rows_of.unsaid(path) for path in self.draft.patch)
        for row in rows:
            by = next((self.draft.came[p] for p in row.changes if p in self.draft.came), "")
            asked = by_path.get(by)
            with_it = asked.says or asked.was if asked and asked != row else ""
            yield replace(row, came=with_it)


_NEVER_ADDED: Final = frozenset({UNCHECKED, "points"})


def _row_of(path: str, rows: Sequence[Row]) -> str:
    """Return the first row that is about a path or its table; empty if there isn’t one."""
    for wanted in filter(None, (path, path.partition(".")[0])):
        for row in rows:
            tables = {each.partition(".")[0] for each in row.paths} if "." not in wanted else ()
            if wanted in row.paths or wanted in tables:
                return row.id
    return ""


def finding_in(page: FormPage, text: str) -> FindTask:
    """Return the task to find what the rules say about some words, and what could be added."""
    rules = (RuleLine(each.title, row.id, row.says) for each in page.chapters for row in each.rows)
    return finding(page.base.game, text, rules, more=addable(page))


def addable(page: FormPage) -> Iterator[RuleLine]:
    """Yield what could be added to the rules."""
    for chapter in page.chapters:
        for row in chapter.more:
            if not row.id.startswith(f"{_FIELD}{UNCHECKED}"):
                yield RuleLine(chapter.title, row.id, row.says)


def writable(page: FormPage) -> Iterator[tuple[str, str]]:
    """Yield the chapters that a rule in your own words can be added to: title and row."""
    for chapter in page.chapters:
        for row in chapter.more:
            if row.id.startswith(f"{_FIELD}{UNCHECKED}"):
                yield chapter.title, row.id
