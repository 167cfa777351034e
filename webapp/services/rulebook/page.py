"""The rulebook of a game while it is changed: chapters of sentences, one of them open."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from urllib.parse import quote
from weakref import WeakKeyDictionary

from referee import Basis, Clause, OptionError, Variant
from referee.describing import (
    BY_PATH,
    ENDS,
    OF_SECTION,
    PLAYERS,
    SECTIONS,
    STEPS,
    UNCHECKED,
    WAYS,
    Description,
    Line,
    Refused,
    changed,
    chapters_of,
    matters,
    silent,
    tell,
)
from webapp.services.own.naming import title_of
from webapp.services.rulebook.base import Base
from webapp.services.rulebook.changes import (
    Changes,
    Clash,
    clash_of,
    complaint_of,
    playable,
    read_changes,
    read_tap,
    read_typed,
    replaced_at,
    value_now,
    with_change,
)
from webapp.services.rulebook.controls import control_of, wilds_in_hand
from webapp.services.rulebook.parts import Control, tap
from webapp.services.rulebook.rounds import with_deals
from webapp.services.rulebook.telling import (
    OPTIONAL,
    Piece,
    adding,
    gone_at,
    marked,
    sentence_at,
    underlined,
    usual_rules,
)
from webapp.services.rules import (
    DrawnMeld,
    FoundRules,
    RuleLine,
    anchors_of,
    at_a_glance,
    drawn_in,
    find,
    prices,
)
from webapp.services.wording import joined
from webapp.speaking import language, say

_TOGETHER: Final[Mapping[str, tuple[str, ...]]] = {
    "wild.cards": ("wild.naturals", "wild.adjacent", "wild.in", "wild.when"),
    "layoff.onto": ("layoff.who",),
}
"""Fields that are asked for with another, wherever the book has their sentence."""
_AT_A_GLANCE: Final[Mapping[str, tuple[str, ...]]] = {
    "deal": ("deal.cards", "deal.upcard"),
    "set": ("set.min", "set.max", "set.suits", "run.min", "run.around", "run.ace"),
    "run": ("run.min", "run.around", "run.ace"),
    "layoff": ("layoff.onto", "layoff.who", "layoff.when"),
    "ends": ("end.leads", "end.total", "end.rounds", "end.eliminated", "end.open"),
}
"""Fields that a line at a glance tells of, by its clause, where its sentence tells of others."""
_DROPS: Final[Mapping[str, str]] = {
    **{table: table for table in ("layoff", "swap", "buy", "opening", "rearrange")},
    "at-once": "score.out-at-once",
    **{field.clauses[0]: field.path for field in OF_SECTION[UNCHECKED]},
}
"""The paths of rules that can be dropped at a glance, by the clause of their line.

The line on wilds isn't one: without wilds, it says that there are none.
"""
_DRAWING: Final = "draw"
"""The line at a glance on how a card is drawn."""
_CHOSEN: Final[Mapping[str, str]] = {"wild": "wild.cards"}
"""Tables that are there as soon as something is chosen in them, each with the field that is asked
for: no card is wild until it’s tapped."""
_MOST_LINES: Final = 40
"""More lines than any game has at a glance: while rules are changed, all of them are there."""
_HOUSE: Final = "house-"
_TOLD: WeakKeyDictionary[Variant, Mapping[str, str]] = WeakKeyDictionary()
"""The sentences of games that were shown, for as long as there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayOut:
    """A way out of a clash: what it says, and the changes there are then."""

    says: str
    packed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A rule of the book."""

    id: str
    pieces: tuple[Piece, ...]
    paths: tuple[str, ...]
    """What it says something of; empty if nothing in it can be changed."""
    opened: bool = False
    controls: tuple[Control, ...] = ()
    drops: tuple[tuple[str, str], ...] = ()
    """What can be given up with it, or be played instead: a tap, and what it says."""
    clash: str = ""
    """Why the last change here doesn’t go with the rest."""
    is_checked: bool = True
    """Whether the referee rules on it."""
    fine_print: bool = False
    """Whether players take it for granted, and nothing in it can be changed."""
    adds: str = ""
    """What a tap on it adds, where there is none: “No cards are wild”, or a rule given up."""

    @property
    def says(self) -> str:
        """What it says now."""
        return "".join(piece.says for piece in self.pieces if piece.mark != "was")


class Addable(NamedTuple):
    """What a chapter says nothing of yet: its path, what it is called, and its address."""

    path: str
    says: str
    sets: str = ""
    """The tap that adds it; empty if it only opens what there is to choose."""
    number: int = 0
    """Which of the rules it is that tables write into the chapter, from 1; 0 for any other."""

    @property
    def to(self) -> str:
        """What its address opens, with the tap that adds it."""
        opens = _CHOSEN.get(self.path, self.path)
        return f"{opens}&set={quote(self.sets)}" if self.sets else opens

    @property
    def id(self) -> str:
        """What it is called on the page."""
        return f"add-{self.path.replace('.', '-')}{self.number or ''}"


def _adding(table: str) -> str:
    """What opens a table and adds it, as an address has it."""
    return Addable(table, "", tap(table, {})).to


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A heading with its sentences, and what could be added below."""

    title: str
    anchor: str
    """What it is called on the page."""
    sentences: tuple[Sentence, ...]
    more: tuple[Addable, ...]
    writes: str
    """The path of a rule in your own words; empty if the chapter takes none."""
    shown: tuple[DrawnMeld, ...]
    """Melds as the changed rules have them."""
    see: tuple[RuleLine, ...]
    """Rules of another chapter that somebody may look for in this one."""

    @property
    def opened(self) -> Sentence | None:
        """The sentence that is open."""
        return next((each for each in self.sentences if each.opened), None)


class GlanceLine(NamedTuple):
    """A line at a glance while rules are changed."""

    line: Line
    opens: str
    """The sentence that is opened by it."""
    pieces: tuple[Piece, ...]
    """What it says, with what is different marked."""
    drop: str = ""
    """The tap that drops its rule; empty if no tap does."""
    back: str | None = None
    """The other changes, if its rule was dropped; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change in the list of them."""

    pieces: tuple[Piece, ...]
    was: str
    """The sentence that was there instead; empty if none was, or none is now."""
    brought: tuple[str, ...]
    """What came with it, in sentences."""
    back: str
    """The changes without it."""
    opens: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPage:
    """The rulebook of a game with some changes."""

    name: str
    game: Variant
    """The game with as many of the changes as make one."""
    glance: tuple[GlanceLine, ...]
    was: Mapping[str, int | str]
    """What cards counted before."""
    prices: tuple[tuple[str, int | str], ...]
    chapters: tuple[Chapter, ...]
    changes: tuple[Change, ...]
    packed: str
    """All changes, as they go into an address."""
    clash: str
    """Why they don’t go together; or empty."""
    ways: tuple[WayOut, ...]
    opens: str
    """What is open: the id of a sentence, or a path."""
    at: int
    """What is open in its controls: a round, or the first rank of a row of cards; 0 for none."""
    line: str
    """The line at a glance below which it is open, by its clause; empty in its chapter."""
    unfolded: str
    """The anchor of the chapter that is unfolded; or empty."""
    problem: str
    """Why what was typed can’t be read; or empty."""

    @property
    def read(self) -> Chapter | None:
        """The chapter with the sentence that is open."""
        return next((each for each in self.chapters if each.opened), None)

    @property
    def opened(self) -> Sentence | None:
        """The sentence that is open."""
        return self.read.opened if self.read else None

    @property
    def often_added(self) -> tuple[Addable, ...]:
        """Rules that many tables add, offered where people look for them: at the draw."""
        more = self.read.more if self.read and self.line == _DRAWING else ()
        return tuple(each for each in more if each.number)

    @property
    def fine_print(self) -> tuple[Sentence, ...]:
        """The sentences that players take for granted."""
        return tuple(
            each for chapter in self.chapters for each in chapter.sentences if each.fine_print
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What an address asks of a rulebook; nothing in it is checked yet."""

    packed: str = ""
    """The changes so far."""
    opens: str = ""
    """The id of a sentence, or a path."""
    at: int = 0
    """The round that is open, from 1."""
    line: str = ""
    """The line at a glance that was tapped, by its clause; empty for a rule in its chapter."""
    sets: str = ""
    """A tap, as `read_tap` takes it."""
    to: str = ""
    """Where what was typed goes: a tap without its last part."""
    typed: str = ""


def answer(base: Base, asked: Asked) -> BookPage:
    """Show the rulebook as an address asks for it; raises ChangesRefusedError."""
    changes = read_changes(asked.packed)
    problem = ""
    if asked.sets or asked.to:
        path, keys, value = (
            read_tap(asked.sets) if asked.sets else read_typed(asked.to, asked.typed)
        )
        shown = changed(base.spec, playable(base.spec, changes).patch)
        whole = replaced_at(path, value_now(shown, changes, path), keys, value)
        problem = complaint_of(path, keys, value, whole)
        changes = changes if problem else with_change(base.spec, changes, path, whole)
        # A rule that is given up, or written, is read in its place: there’s nothing more to change.
        ends = not problem and (path.startswith(UNCHECKED) or (whole is None and path in SECTIONS))
        # If no sentence says it any more, one that came with the change may.
        opens = [*next((group for group in changes.groups if path in group), [path])]
        opens_now = () if ends else (asked.opens, *opens)
        page = show_book(base, changes, opens_now, asked.at, problem, asked.line)
        asked_for = {each.path for each in page.opened.controls} if page.opened else {path}
        if ends and not asked.line:
            found = _find(page.chapters, (path,))
            return replace(page, unfolded=page.chapters[found[0]].anchor) if found else page
        if path in asked_for or path not in BY_PATH:
            return page
        # It used to share a sentence, and now has its own.
        alone = show_book(base, changes, opens, asked.at, problem, asked.line)
        return alone if alone.opened else page
    return show_book(base, changes, (asked.opens,), asked.at, line=asked.line)


def show_book(  # noqa: PLR0913, PLR0917 - what an address can ask for
    base: Base,
    changes: Changes,
    opens: Sequence[str] = (),
    at: int = 0,
    problem: str = "",
    line: str = "",
) -> BookPage:
    """Show a game with changes; `at` is the round that is open, below `line` at a glance.

    `opens` are ids of sentences and paths, of which the first that the book tells of is open. If
    the changes clash and nothing else is asked for, it’s what was changed last.
    """
    clash, shown = None, changes
    try:
        game = base.played(changes)
    except (OptionError, Refused):
        clash = clash_of(base.spec, changes)
        shown = playable(base.spec, changes)
        game = base.played(shown)
    spec = changed(base.spec, shown.patch) if shown.groups else base.spec
    if clash:
        # You can open another rule meanwhile: the fix may be there.
        opens = (*opens, clash.path)
    chapters = _placed([*_chapters(base, game, spec, shown)], spec, base.game, game)
    glance = tuple(_with_given_up(_at_a_glance(base.game, game, chapters), base.game, shown))
    if line and not any(each.line.clause == line and each.back is None for each in glance):
        # It was given up with its rule. Nothing is open then, except what clashes.
        line, opens = "", (clash.path,) if clash else ()
    number, place, which = _find(chapters, opens) or (0, 0, "")
    line = line if which else ""
    if which:
        one = chapters[number]
        if place == len(one.sentences):
            one, place = _said(one, which, base, spec, changes)
        one = _opened(one, place, spec, changes, at, _AT_A_GLANCE.get(line, ()))
        chapters = (*chapters[:number], one, *chapters[number + 1 :])
    return BookPage(
        name=base.game.name,
        game=game,
        glance=glance,
        was=_prices_before(base.game, game),
        prices=prices(game),
        chapters=chapters,
        changes=tuple(changes_in(base.spec, changes, clash)),
        packed=changes.packed(),
        clash=_say_clash(clash) if clash else "",
        ways=tuple(_ways(base.spec, changes, clash)) if clash else (),
        opens=which,
        at=at,
        line=line,
        unfolded=chapters[number].anchor if which and not line else "",
        problem=problem,
    )


def _at_a_glance(
    before: Variant, game: Variant, chapters: tuple[Chapter, ...]
) -> Iterator[GlanceLine]:
    was = {line.name: line.says for line, _ in at_a_glance(before, _MOST_LINES)}
    # “Wild: none” adds wilds, and the line on the last round is changed among the rounds.
    to = {each.path: each.to for chapter in chapters for each in chapter.more}
    to |= {each.id: each.id for chapter in chapters for each in chapter.sentences if each.paths}
    for line, anchor in at_a_glance(game, _MOST_LINES):
        pieces = marked(was.get(line.name, ""), line.says)
        drop = tap(path, None) if (path := _DROPS.get(line.clause)) else ""
        yield GlanceLine(line, to.get(anchor, STEPS), pieces, drop)


def _with_given_up(
    lines: Iterable[GlanceLine], before: Variant, shown: Changes
) -> Iterable[GlanceLine]:
    """The lines at a glance, and those of dropped rules in their old places.

    So nothing below them moves, and each can be undone where it was dropped.
    """
    found = [*lines]
    place = 0
    for line, _ in at_a_glance(before, _MOST_LINES):
        there = (n for n, each in enumerate(found, 1) if each.line.clause == line.clause)
        place = next(there, place)
        path = _DROPS.get(line.clause, "")
        for number, group in enumerate(shown.groups):
            if path in group and group[path] is None:
                struck = (Piece(line.says, "was"),)
                back = shown.without(number).packed()
                found.insert(place, GlanceLine(line, "", struck, back=back))
                place += 1
    return found


def _say_clash(clash: Clash) -> str:
    """Why changes don’t go together, and in which round, if it’s about one."""
    says = clash.complaint.said(language())
    at, _, number = clash.complaint.path.partition(", line ")
    return f"{say('changing.in-round', number=number)}: {says}" if number and at == STEPS else says


def _prices_before(before: Variant, game: Variant) -> Mapping[str, int | str]:
    """What cards counted before, by their labels now; a row may have been split since."""
    found = dict(prices(before))
    of = {card: each.points for each in before.value_classes(None) for card in each.cards}
    for each in game.value_classes(None):
        points = {of[card] for card in each.cards if card in of}
        if each.label not in found and len(points) == 1:
            found[each.label] = points.pop()
    return found


def find_in(page: BookPage, text: str) -> FoundRules:
    """What a rulebook says about some words, and what could be added to it."""
    rules = (
        RuleLine(chapter.title, each.id, each.says)
        for chapter in page.chapters
        for each in chapter.sentences
    )
    return find(page.game, text, rules, more=addable(page))


def addable(page: BookPage) -> Iterator[RuleLine]:
    """What could be added to a rulebook."""
    for chapter in page.chapters:
        for each in chapter.more:
            yield RuleLine(chapter.title, each.to, each.says)


def writable(page: BookPage) -> Iterator[tuple[str, str]]:
    """The chapters that take a rule in your own words: title and path."""
    return ((each.title, each.writes) for each in page.chapters if each.writes)


def _chapters(
    base: Base, game: Variant, spec: Mapping[str, Any], shown: Changes
) -> Iterator[tuple[str, list[Sentence]]]:
    """The chapters with their sentences, what is different in them marked."""
    before = _told(base.game, base.spec) if shown.groups else {}
    now = _told(game, spec) if shown.groups else {}
    was = {clause.id: clause.says for clause in base.game.rulebook.clauses}
    bears = game.rulebook.bears
    gone = _given_up(base.game, game, shown)
    for name, clauses in _in_place(base.game, game, gone).items():
        sentences = []
        for clause in clauses:
            if clause in gone:
                was_so = Piece(clause.says, "was")
                back = gone[clause]
                sentences.append(Sentence(id=clause.id, pieces=(was_so,), paths=(), adds=back))
                continue
            paths = tuple(bears.get(clause.id, ()))
            told = clause.id.removeprefix(_HOUSE)
            old = was.get(clause.id) or before.get(told) or was.get(told, "")
            says = now.get(told, clause.says) if clause.id != told else clause.says
            pieces = marked(old, says) if shown.groups else (Piece(says),)
            if paths and len(pieces) == 1 and not pieces[0].mark:
                pieces = underlined(says, spec, paths)
            sentences.append(
                Sentence(
                    id=clause.id,
                    pieces=pieces,
                    paths=paths,
                    is_checked=clause.basis is not Basis.TABLE,
                    fine_print=clause.fine_print and not paths,
                )
            )
        yield name, sentences


def _given_up(before: Variant, game: Variant, shown: Changes) -> Mapping[Clause, str]:
    """The clauses of rules that are no longer played, each with what brings it back."""
    tables = {path for path, value in shown.patch.items() if path in SECTIONS and value is None}
    there = {clause.id.removeprefix(_HOUSE) for clause in game.rulebook.clauses}
    found = {}
    for clause in before.rulebook.clauses:
        of = {path.partition(".")[0] for path in before.rulebook.bears.get(clause.id, ())}
        if of and of <= tables and clause.id not in there:
            found[clause] = _adding(next(iter(of)))
    return found


def _in_place(
    before: Variant, game: Variant, gone: Iterable[Clause] = ()
) -> dict[str, list[Clause]]:
    """The clauses by chapter: one that a change put into the book is where the old one was."""
    book, bears = before.rulebook, game.rulebook.bears
    at = {clause.id: place for place, clause in enumerate(book.clauses)}
    tells = {path: at[name] for name in reversed(at) for path in book.bears.get(name, ())}

    def place(clause: Clause) -> int:
        found = (tells[path] for path in bears.get(clause.id, ()) if path in tells)
        told = at.get(clause.id.removeprefix(_HOUSE), next(found, len(at)))
        return at.get(clause.id, told)

    chapters: dict[str, list[Clause]] = {}
    for clause in sorted([*game.rulebook.clauses, *gone], key=place):
        there = place(clause)
        name = book.clauses[there].section if there < len(at) else clause.section
        chapters.setdefault(name, []).append(clause)
    # A chapter that a change added is where a leaflet has it.
    names = [*dict.fromkeys(clause.section for clause in game.rulebook.clauses)]
    last = len(names)
    return dict(
        sorted(chapters.items(), key=lambda one: names.index(one[0]) if one[0] in names else last)
    )


def _told(game: Variant, spec: Mapping[str, Any]) -> Mapping[str, str]:
    """The sentences of a game, by clause, in the order in which its rows were written."""
    if game not in _TOLD:
        _TOLD[game] = tell(Description(spec), game.words.contract, game.language)
    return _TOLD[game]


def _placed(
    found: list[tuple[str, list[Sentence]]],
    spec: Mapping[str, Any],
    before: Variant,
    game: Variant,
) -> tuple[Chapter, ...]:
    """The chapters, each with what could be added to it."""
    told = frozenset(path for paths in game.rulebook.bears.values() for path in paths)
    more: dict[str, list[Addable]] = {name: [] for name, _ in found}
    tables = {
        path.partition(".")[0]: name
        for name, sentences in reversed(found)
        for sentence in sentences
        for path in sentence.paths
    }
    titles = chapters_of(Description(spec), language())
    for path in silent(spec, told):
        if path == "points" or path.startswith(UNCHECKED):
            continue
        table = path in SECTIONS
        fields = OF_SECTION.get(path, ()) if table else (BY_PATH[path],)
        heading = titles.get(fields[0].clauses[0], "") if fields else ""
        place = heading if heading in more else tables.get(path.partition(".")[0], "")
        place = place or found[-1][0]
        more[place].append(Addable(path, *adding(spec, _CHOSEN.get(path, path))))
    # What no field says can be written into every chapter.
    written = {titles[field.clauses[0]]: field.path for field in reversed(OF_SECTION[UNCHECKED])}
    for name, addables in more.items():
        for number, (says, whole) in enumerate(usual_rules(spec, written.get(name, "")), 1):
            addables.append(Addable(written[name], says, tap(written[name], whole), number))
    none_of = {
        clause.id: each.to
        for addables in more.values()
        for each in addables
        if (clause := game.rulebook.by_cite.get(each.path))
    }
    anchors = {**anchors_of(before), **anchors_of(game)}
    drawn, see = drawn_in(game, before), _told_elsewhere(found)
    return tuple(
        Chapter(
            title=name,
            anchor=anchors[name],
            sentences=tuple(
                replace(one, adds=none_of[one.id], fine_print=False)
                if one.id in none_of and not (one.paths or one.adds)
                else one
                for one in sentences
            ),
            more=tuple(more[name]),
            writes=written.get(name, ""),
            shown=drawn.get(name, ()),
            see=see.get(name, ()),
        )
        for name, sentences in found
    )


def _told_elsewhere(found: list[tuple[str, list[Sentence]]]) -> Mapping[str, tuple[RuleLine, ...]]:
    """By chapter: when the game ends, next to who wins; and who wins, next to when it ends."""
    tells = {
        path: RuleLine(name, sentence.id, sentence.says)
        for name, sentences in reversed(found)
        for sentence in reversed(sentences)
        for path in sentence.paths
    }
    wins, ends = tells.get("end.leads"), tells.get("end.rounds")
    if not wins or not ends or wins.chapter == ends.chapter:
        return {}
    return {wins.chapter: (ends,), ends.chapter: (wins,)}


def _said(
    chapter: Chapter, path: str, base: Base, spec: Mapping[str, Any], changes: Changes
) -> tuple[Chapter, int]:
    """Add a rule that a chapter doesn’t mention, where the game had it; return its place, too."""
    says = sentence_at(spec, path) or title_of(path, spec)
    mark = "now" if path in changes.patch else ""
    sentence = Sentence(id=path, pieces=(Piece(says, mark),), paths=(path,))
    book = base.game.rulebook
    at = {clause.id: number for number, clause in enumerate(book.clauses)}
    was = next((at[name] for name, paths in book.bears.items() if path in paths), len(at))
    told = [at.get(each.id.removeprefix(_HOUSE), -1) for each in chapter.sentences]
    place = next((n for n, other in enumerate(told) if other > was), len(told))
    sentences = (*chapter.sentences[:place], sentence, *chapter.sentences[place:])
    return replace(chapter, sentences=sentences), place


def _opened(  # noqa: PLR0913, PLR0917 - as above
    chapter: Chapter,
    place: int,
    spec: Mapping[str, Any],
    changes: Changes,
    at: int,
    instead: Iterable[str],
) -> Chapter:
    """A chapter with a sentence open, or with other fields `instead` of its own."""
    sentences = [*chapter.sentences]
    sentence = sentences[place]
    game = Description(spec)
    asked = [path for path in instead if matters(game, path)] or sentence.paths
    together = [other for path in asked for other in _TOGETHER.get(path, ())]
    paths = dict.fromkeys([*asked, *(p for p in together if matters(game, p))])
    fields = [path for path in paths if path in {PLAYERS, STEPS} or path in BY_PATH]
    controls = tuple(_controls(spec, fields, changes, at))
    drops = tuple(
        (tap(table if path in OPTIONAL else path, None), say("changing.drop"))
        for path in sentence.paths
        if (table := path.partition(".")[0]) in spec
        and (path in OPTIONAL or (table == UNCHECKED and value_now(spec, changes, path)))
    )
    if not controls and not drops:
        drops = tuple(_other_ways(spec, sentence.paths))
    sentences[place] = replace(sentence, opened=True, controls=controls, drops=drops)
    return replace(chapter, sentences=tuple(sentences))


def _other_ways(spec: Mapping[str, Any], paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The other ways to bring melds down that go with the rules, if it’s such a sentence."""
    for way in WAYS if {*paths} & {*WAYS} else ():
        other = with_change(spec, Changes(), way, {}) if way not in spec else None
        if other and not clash_of(spec, other):
            says, sets = adding(spec, way)
            yield sets, says


def _controls(
    spec: Mapping[str, Any], fields: Iterable[str], changes: Changes, at: int
) -> Iterator[Control]:
    for path in fields:
        yield _control(spec, path, changes, at)
        if path == "wild.cards":
            wilds = wilds_in_hand(spec, value_now(spec, changes, "score.hand"))
            if wilds:
                yield wilds


def _control(spec: Mapping[str, Any], path: str, changes: Changes, at: int) -> Control:
    """How a field is changed, or how many cards are dealt in each round."""
    value = value_now(spec, changes, path)
    control, lines = control_of(spec, path, value, at), value_now(spec, changes, STEPS)
    return with_deals(control, value, lines) if path == "deal.cards" and lines else control


def _find(chapters: tuple[Chapter, ...], opens: Sequence[str]) -> tuple[int, int, str] | None:
    """Where the open rule is: its chapter, its place there and its id; None if nowhere.

    What could be added to a chapter has its place behind the last sentence.
    """
    told = [
        (number, place, sentence)
        for number, chapter in enumerate(chapters)
        for place, sentence in enumerate(chapter.sentences)
        if sentence.paths
    ]
    ways: tuple[Callable[[Sentence, str], bool], ...] = (
        lambda sentence, name: sentence.id.removeprefix(_HOUSE) == name.removeprefix(_HOUSE),
        lambda sentence, name: name in sentence.paths,
        lambda sentence, name: name in {path.partition(".")[0] for path in sentence.paths},
    )
    names = [name for name in opens if name]
    for is_it in ways[:2]:
        for name in names:
            for number, place, each in told:
                if is_it(each, name):
                    return number, place, each.id
    for name in names:
        for number, chapter in enumerate(chapters):
            # A group of rules has nothing to choose until it’s added.
            offered = {to for each in chapter.more for to in (each.path, each.to)} - SECTIONS
            if name == chapter.writes or name in offered:
                return number, len(chapter.sentences), name
    found = ((n, p, each.id) for name in names for n, p, each in told if ways[2](each, name))
    return next(found, None)


def changes_in(
    spec: Mapping[str, Any], changes: Changes, clash: Clash | None = None
) -> Iterator[Change]:
    """Each change in a line; of one that clashes only what it is about.

    Changes that one sentence tells, such as those of decks and of jokers, are one line.
    """
    found: dict[tuple[Piece, ...], Change] = {}
    alike: defaultdict[tuple[Piece, ...], list[int]] = defaultdict(list)
    last = len(changes.groups) - 1
    # All changes apply to each sentence: once 2s are wild, “jokers” becomes “wild cards”.
    now = changed(spec, (changes.without(last) if clash else changes).patch)
    for at, group in enumerate(changes.groups):
        asked, *others = (path for path in group if not _is_given_up(group, path))
        if clash and at == last:
            mark = "was" if group[asked] is None else "now"
            pieces: tuple[Piece, ...] = (Piece(title_of(asked, spec), mark),)
            came: tuple[str, ...] = ()
            was = ""
        else:
            pieces = _changed_at(spec, now, asked)
            was = sentence_at(spec, asked) if pieces[0].mark != "was" else ""
            came = tuple(
                "".join(p.says for p in _changed_at(spec, now, p) if p.mark != "was")
                for p in others
            )
        alike[pieces].append(at)
        brought = (*found[pieces].brought, *came) if pieces in found else came
        back = changes.without(*alike[pieces]).packed()
        found[pieces] = Change(pieces=pieces, was=was, brought=brought, back=back, opens=asked)
    yield from found.values()


def _is_given_up(group: Mapping[str, object], path: str) -> bool:
    """Whether a path only gives way to another one that was asked for."""
    return path in {*WAYS, *ENDS} and group[path] is None and path != next(iter(group))


def _changed_at(spec: Mapping[str, Any], now: Mapping[str, Any], path: str) -> tuple[Piece, ...]:
    was, says = sentence_at(spec, path), sentence_at(now, path)
    if not says:
        return (Piece(was, "was"),) if was else (Piece(gone_at(spec, path), "now"),)
    return marked(was, says)


def _say_way(before: Mapping[str, Any], now: Mapping[str, Any], path: str) -> str:
    """What a way out changes at a path: of a list of rounds, those that it leaves out."""
    if path != STEPS or not (before.get(STEPS) and now.get(STEPS)):
        return sentence_at(now, path) or gone_at(before, path)
    gone, kept = [], 0
    for number, line in enumerate(before[STEPS], 1):
        if now[STEPS][kept : kept + 1] == [line]:
            kept += 1
        else:
            gone.append(str(number))
    if kept < len(now[STEPS]) or not gone:
        return say("changing.rounds")
    return say("changing.leave-out", n=len(gone), numbers=joined(gone))


def _ways(spec: Mapping[str, Any], changes: Changes, clash: Clash) -> Iterator[WayOut]:
    """The ways out, the last of which takes a change back."""
    patch = changes.patch
    before = changed(spec, patch)
    *others, back = clash.ways
    for way in others:
        now = changed(spec, way.patch)
        differ = [path for path, value in way.patch.items() if patch.get(path, ...) != value]
        gone = [path for path in patch if path not in way.patch]
        told = [_say_way(before, now, path) for path in (*differ, *gone)]
        yield WayOut(says=" ".join(told[:2]), packed=way.packed())
    yield WayOut(says=say("changing.undo"), packed=back.packed())
