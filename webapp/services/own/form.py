"""The form on which a game is made: one page of it, with what it comes to."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from referee import OptionError, variants
from referee.describing import BY_PATH, ENDS, STEPS, WAYS, kinds, label, rules_hash, upgraded
from referee.variants import UnknownVariantError
from webapp.ledger import new_key
from webapp.services.own.catalogue import find_game, id_of, is_for_one_evening, latest_of
from webapp.services.own.controls import Control, Pick, control_of, is_asked, pack_of
from webapp.services.own.drafts import (
    from_nothing,
    known_ladders,
    made_from,
    offered,
    read_draft,
    slim,
    with_page,
    write_draft,
)
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
from webapp.services.wording import capital

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy.orm import Session

    from referee import Variant
    from webapp.services.own.controls import Sent

_SPARE_STEPS: Final = 2
_CHANGED: Final = "-changed"
"""What the slug of a game ends with that was changed for one evening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnForm:
    """What goes to a phone with the form, and comes back from it."""

    draft: Mapping[str, Any]
    page: str = PAGES[0].name
    slug: str = ""
    """The game of one's own that is corrected; empty for a new one."""
    seen: int = 0
    """The version of it that was looked at."""
    base: str = ""
    """The game that it was made from; empty where from nothing."""
    evening: str = ""
    """The fields of the new game page to go back to, as the query of its address; empty where the
    game is to be kept."""
    key: str = ""


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


@dataclass(frozen=True, slots=True)
class Chosen:
    """A house rule of the draft: its name, its title, and what is wrong with it."""

    name: str
    title: str
    problems: tuple[str, ...]


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
    house_rules: tuple[Chosen, ...]
    offers: tuple[tuple[str, str], ...]
    """Fields that a house rule may set: the path, and what it would be about."""
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
        return _text(self.form.draft, "name")

    @property
    def tagline(self) -> str:
        """The game in one line, so far."""
        return _text(self.form.draft, "tagline")

    @property
    def players(self) -> tuple[str, str]:
        """The fewest and the most who may play, as typed."""
        given = self.form.draft.get("players")
        low, high, *_ = [*(given if isinstance(given, list) else []), "", ""]
        return str(low), str(high)

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


def _text(draft: Mapping[str, Any], name: str) -> str:
    text = draft.get("text")
    found = text.get(name, "") if isinstance(text, dict) else ""
    return found if isinstance(found, str) else ""


def open_new(session: Session, slug: str) -> OwnForm:
    """A form for a new game made from the one called `slug`, or from nothing where that is empty.

    Raises UnknownVariantError.
    """
    if not slug:
        return OwnForm(draft=from_nothing(), key=new_key())
    spec = spec_of(session, slug)
    name = f"Our {name_of(spec)}"[:40]
    return OwnForm(draft=made_from(spec, name), base=slug, key=new_key())


def open_again(session: Session, slug: str) -> OwnForm:
    """A form to correct a game of one's own; raises UnknownVariantError."""
    row = latest_of(session, slug)
    spec = {**upgraded(json.loads(row.spec)), "text": json.loads(row.prose)}
    return OwnForm(draft=spec, slug=slug, seen=row.number, base=slug, key=new_key())


def open_evening(session: Session, slug: str, chosen: Mapping[str, str], back: str) -> OwnForm:
    """A form for one evening: a game with its house rules in force, and the page to go back to.

    `chosen` are the house rules as form text, and those that cannot be read are as usual. Raises
    UnknownVariantError and GameLeftOutError.
    """
    game = find_game(session, slug)
    rules, name, base = json.loads(_chosen(game, chosen).form), game.name, ""
    if not is_for_one_evening(slug):
        rules["slug"] = f"{game.slug[:32].strip('-')}{_CHANGED}"
        name, base = f"{game.name}, changed"[:60], slug
    words = {key: part for key, part in game.names.items() if key == "words"}
    draft = slim({**rules, "text": {**words, "name": name}})
    return OwnForm(draft=draft, base=base, evening=back, key=new_key())


def _chosen(game: Variant, texts: Mapping[str, str]) -> Variant:
    values: dict[str, object] = {}
    for option in game.options:
        try:
            values[option.name] = option.kind.parse(texts[option.name])
        except (KeyError, ValueError):
            continue
    try:
        return game.with_options(values)
    except OptionError:
        return game


def name_of(spec: Mapping[str, Any]) -> str:
    """What a game is called."""
    return _text(spec, "name") or capital(str(spec.get("slug", "")).replace("-", " "))


def spec_of(session: Session, slug: str) -> dict[str, Any]:
    """The description of a game, prose and all; raises UnknownVariantError."""
    if id_of(slug) is None:
        return variants.description_of(slug)
    row = latest_of(session, slug)
    return {**upgraded(json.loads(row.spec)), "text": json.loads(row.prose)}


def base_of(session: Session, form: OwnForm) -> dict[str, Any] | None:
    """The description that a form was made from; None where from nothing, or it is gone."""
    try:
        return spec_of(session, form.base) if form.base else None
    except UnknownVariantError:
        return None


def base_hash(session: Session, form: OwnForm) -> str:
    """The hash of the rules that a form was made from; empty where from nothing."""
    base = base_of(session, form)
    return rules_hash(base) if base else ""


def filled_in(form: OwnForm, sent: Sent) -> OwnForm:
    """A form with what was typed on the page that was shown."""
    return replace(form, draft=with_page(form.draft, form.page, sent))


def show_page(session: Session, form: OwnForm, to: str, refused: str = "") -> OwnPage:
    """One page of a form, told and tried."""
    page = BY_NAME.get(to, PAGES[0])
    draft = form.draft
    base = base_of(session, form)
    judged = judge(draft, base)
    wrong: dict[str, list[tuple[str, str]]] = {}
    for complaint in judged.complaints:
        wrong.setdefault(page_of(complaint.path), []).append((complaint.path, complaint.says))
    here = wrong.get(page.name, [])
    tables = tuple(_tables(draft, page, here))
    told = {says for table in tables for says in table.problems}
    told |= {says for table in tables for each in table.controls for says in each.problems}
    house_rules = tuple(_house_rules(draft, here)) if page.name == "house" else ()
    told |= {says for each in house_rules for says in each.problems}
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
        house_rules=house_rules,
        offers=tuple(_offers(draft)) if page.name == "house" else (),
        problems=tuple(dict.fromkeys(_whole(*each) for each in here if each[1] not in told)),
        base_name=name_of(base) if base else "",
        refused=refused,
    )


def _whole(path: str, says: str) -> str:
    return f"{capital(path)}: {says}" if path.startswith(("steps", "options")) else says


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
    chosen = next((path for path in ENDS if said.get(names[path]) not in {None, False}), "")
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


def _house_rules(draft: Mapping[str, Any], wrong: list[tuple[str, str]]) -> Iterator[Chosen]:
    options = draft.get("options")
    text = draft.get("text")
    said = text.get("options", {}) if isinstance(text, dict) else {}
    for name in options if isinstance(options, dict) else ():
        own = said.get(name, {}) if isinstance(said, dict) else {}
        title = own.get("title") if isinstance(own, dict) else None
        about = tuple(says for path, says in wrong if path == f"options.{name}")
        yield Chosen(name, str(title or capital(name.replace("-", " "))), about)


def _offers(draft: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path in offered(draft):
        field = BY_PATH[path]
        title = capital(field.means) or capital(field.name.replace("-", " "))
        yield path, f"{capital(field.section)}: {title}"


def read_form(fields: Mapping[str, str], key: str) -> OwnForm:
    """A form as it came back; raises DraftRefusedError."""
    seen = fields.get("seen", "0")
    return OwnForm(
        draft=read_draft(fields.get("draft", "")),
        page=fields.get("page", ""),
        slug=fields.get("slug", "")[:40],
        seen=int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 6 else 0,  # noqa: PLR2004 - digits
        base=fields.get("base", "")[:40],
        evening=fields.get("evening", "")[:4000],
        key=key,
    )
