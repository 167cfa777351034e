"""The form on which a game is made: one page of it, with what it comes to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from referee.describing import BY_PATH, ENDS, STEPS, WAYS, kinds, label
from webapp.services.own.controls import Control, Pick, control_of, is_asked, pack_of
from webapp.services.own.drafts import (
    known_ladders,
    text_in,
    write_draft,
)
from webapp.services.own.house import HousePage, show_house
from webapp.services.own.judging import Judged, judge
from webapp.services.own.layout import (
    BY_NAME,
    PAGES,
    REFINES,
    TITLES,
    Page,
    fields_of,
    is_needed,
    page_of,
    tables_of,
)
from webapp.services.own.naming import in_words, where
from webapp.services.own.opening import AS_TEXT, OwnForm, base_of, name_of
from webapp.services.own.plain import show_text
from webapp.services.tasks import Solver, directly
from webapp.services.wording import capital

_SPARE_STEPS: Final = 2


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the form among all."""

    page: Page
    number: int
    current: bool
    wrong: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the description on a page."""

    name: str
    title: str
    """What its switch says; empty where every game has it."""
    there: bool
    refines: str
    """The way to lay down that it says more of; or empty."""
    controls: tuple[Control, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the rounds."""

    number: int
    contract: str
    deal: str
    never: bool
    wild: str
    buys: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """One page of the form."""

    form: OwnForm
    judged: Judged
    tabs: tuple[Tab, ...]
    page: Page
    tables: tuple[Table, ...]
    ways: tuple[Pick, ...]
    ends: tuple[tuple[Pick, str], ...]
    """When the game is over: each with its number, where it has one; empty where it has none."""
    steps: tuple[Step, ...]
    ladders: tuple[tuple[str, str], ...]
    house: HousePage | None
    """On the page of house rules."""
    problems: tuple[str, ...]
    """What is wrong on this page and belongs to no field of it."""
    base_name: str
    """What the game is called that it was made from; empty where from nothing."""
    refused: str = ""
    """Why it could not be saved."""

    @property
    def draft_text(self) -> str:
        """The draft as it goes to the phone."""
        return write_draft(self.form.draft)

    @property
    def name(self) -> str:
        """What the game is called so far."""
        return text_in(self.form.draft, "name")

    @property
    def tagline(self) -> str:
        """The game in one line, so far."""
        return text_in(self.form.draft, "tagline")

    @property
    def players(self) -> tuple[str, str]:
        """The fewest and the most who may play, as typed."""
        given = self.form.draft.get("players")
        low, high, *_ = [*(given if isinstance(given, list) else []), "", ""]
        return str(low), str(high)

    @property
    def meld(self) -> str:
        """A meld as it is written in this game."""
        return next((each.written for each in self.judged.examples), "7S 7H 7D")

    @property
    def odd_examples(self) -> tuple[tuple[int, str], ...]:
        """Examples that may be taken out where the game cannot be told: number and cards."""
        given = self.form.draft.get("examples")
        if self.judged.game or not isinstance(given, list):
            return ()
        return tuple(
            (at, str(line.get("meld", at + 1) if isinstance(line, dict) else at + 1)[:60])
            for at, line in enumerate(given)
        )

    @property
    def at(self) -> str:
        """Where one is: the page, or the house rule on it that is open, as a button leads there."""
        opened = self.house.opened.name if self.house and self.house.opened else ""
        opened = AS_TEXT if self.is_text else opened
        return f"{self.page.name}.{opened}" if opened else self.page.name

    @property
    def is_text(self) -> bool:
        """Whether the whole game is shown as text."""
        return self.page.name == PAGES[-1].name and self.form.rule == AS_TEXT

    @property
    def text(self) -> str:
        """The whole game as text; as it was typed where that cannot be read."""
        return self.form.typed or show_text(self.form.draft)

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is to be put right in the game, in the words of the form, or of a file as text."""
        return tuple(map(str, self.judged.complaints)) if self.is_text else self.judged.wrong

    @property
    def is_wrong(self) -> bool:
        """Whether something is to be put right on this page, or in the house rule that is open."""
        if self.is_text:
            return bool(self.form.unread or self.judged.complaints)
        if self.house and self.house.opened:
            return self.house.opened.is_wrong
        return any(tab.wrong and tab.current for tab in self.tabs)

    @property
    def next(self) -> Page | None:
        """The page after this one; None after the last."""
        after = [tab.number for tab in self.tabs if tab.current]
        return PAGES[after[0]] if after and after[0] < len(PAGES) else None

    @property
    def before(self) -> Page | None:
        """The page before this one; None before the first."""
        at = [tab.number for tab in self.tabs if tab.current]
        return PAGES[at[0] - 2] if at and at[0] > 1 else None

    @property
    def save_says(self) -> str:
        """What the last button says."""
        return f"Save as version {self.form.seen + 1}" if self.form.slug else "Save"


def show_page(
    session: Session, form: OwnForm, to: str, refused: str = "", solve: Solver = directly
) -> OwnPage:
    """One page of a form, told and tried."""
    page = BY_NAME.get(to, PAGES[0])
    draft = form.draft
    base = base_of(session, form)
    judged = judge(draft, base, solve)
    wrong: dict[str, list[tuple[str, str]]] = {}
    for complaint in judged.complaints:
        says = in_words(draft, complaint)
        wrong.setdefault(page_of(complaint.path), []).append((complaint.path, says))
    here = wrong.get(page.name, [])
    tables = tuple(_tables(draft, page, here))
    told = {says for table in tables for says in table.problems}
    told |= {says for table in tables for each in table.controls for says in each.problems}
    house = None
    if page.name == "house":
        house = show_house(draft, form.rule, here, sound=judged.game is not None)
        told |= {says for each in house.lines for says in each.problems}
    return OwnPage(
        form=form,
        judged=judged,
        tabs=tuple(
            Tab(each, number, each.name == page.name, each.name in wrong)
            for number, each in enumerate(PAGES, 1)
        ),
        page=page,
        tables=tables,
        ways=tuple(Pick(way, f"{TITLES[way]}.", way in draft) for way in WAYS),
        ends=tuple(_ends(draft)) if page.name == "end" else (),
        steps=tuple(_steps(draft)) if page.name == "down" else (),
        ladders=tuple((name, title) for name, title, _ in known_ladders())
        if page.name == "down"
        else (),
        house=house,
        problems=tuple(dict.fromkeys(_whole(draft, *each) for each in here if each[1] not in told)),
        base_name=name_of(base) if base else "",
        refused=refused,
    )


def _whole(draft: Mapping[str, Any], path: str, says: str) -> str:
    at = where(draft, path)
    return f"{at}: {says}" if at else says


def _tables(draft: Mapping[str, Any], page: Page, wrong: list[tuple[str, str]]) -> Iterator[Table]:
    for table in tables_of(page):
        controls = tuple(
            control_of(draft, field, _about(field.path, wrong))
            for field in fields_of(table)
            if field.path not in ENDS and is_asked(draft, field)
        )
        way = table if table in WAYS else REFINES.get(table, "")
        title = "" if is_needed(table) or table in WAYS else _title(table)
        at = tuple(says for path, says in wrong if path == table)
        yield Table(table, title, table in draft or is_needed(table), way, controls, at)


def _title(table: str) -> str:
    return TITLES.get(table, capital(table.replace("-", " ")))


def _about(path: str, wrong: list[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(
        says for about, says in wrong if about == path or about.startswith((f"{path}.", f"{path},"))
    )


def _ends(draft: Mapping[str, Any]) -> Iterator[tuple[Pick, str]]:
    end = draft.get("end")
    said = end if isinstance(end, dict) else {}
    pack = pack_of(draft)
    names = {path: BY_PATH[path].name for path in ENDS}
    there = (path for path in ENDS if said.get(names[path]) is not None)
    chosen = next((path for path in there if said[names[path]] is not False), "")
    yield Pick("", "The game is over after the last of its rounds.", not chosen), ""
    for path in ENDS:
        is_number = isinstance(BY_PATH[path].kind, kinds.Whole)
        says = label(path, ..., pack) if is_number else label(path, True, pack)  # noqa: FBT003 - the value
        yield Pick(path, says, path == chosen), str(said.get(names[path], "")) if is_number else "-"


def _steps(draft: Mapping[str, Any]) -> Iterator[Step]:
    given = draft.get(STEPS)
    lines = given if isinstance(given, list) else []
    for number, line in enumerate([*lines, *[""] * _SPARE_STEPS], 1):
        said: Mapping[str, Any] = line if isinstance(line, dict) else {}
        if isinstance(line, str):
            said = {"contract": line}
        elif isinstance(line, int):
            said = {"deal": line}
        wild = said.get("wild", "")
        yield Step(
            number,
            str(said.get("contract", "")),
            str(said.get("deal", "")),
            said.get("discard") == "never",
            ", ".join(map(str, wild)) if isinstance(wild, list) else str(wild),
            str(said.get("buys", "")),
        )
