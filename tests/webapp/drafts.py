"""Drafts of changed rules, as taps make them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from referee import variants
from referee.describing import brought, changed
from webapp.db import Database
from webapp.ledger.ledger import new_key
from webapp.pages.rulebook.base import Base, by_path
from webapp.pages.rulebook.draft import Draft, keep_draft
from webapp.pages.rulebook.view import FormPage, Row, show
from webapp.pages.rulebook.widgets import Control


def base(slug: str) -> Base:
    """A game that is published, to be changed."""
    game = variants.get(slug)
    return Base(
        game, variants.description_of(slug), lambda patch: game.with_options(by_path(patch))
    )


def with_changes(of: Base, *taps: tuple[str, object]) -> Draft:
    """A draft after some taps, each a path with its value, and what came with them."""
    draft = Draft("draft")
    for path, value in taps:
        now = changed(of.spec, draft.patch)
        came = brought(now, changed(now, {path: value}))
        draft = draft.changed({path: value}, came, ())
    return draft


def shown(slug: str, *taps: tuple[str, object], opens: str = "", at: int = 0) -> FormPage:
    """The rules of a game after some taps."""
    of = base(slug)
    return show(of, with_changes(of, *taps), opens, at)


def kept(database: Database, game: str, patch: Mapping[str, object]) -> str:
    """Keep a draft of a game; answers its key."""
    draft = Draft(new_key(), dict(patch))
    database.write(keep_draft, draft, game)
    return draft.key


def opened(page: FormPage) -> Row:
    """The row that is open."""
    return next(row for row in page.rows if row.controls)


def control(page: FormPage, path: str) -> Control:
    """How a field is changed in the row that is open."""
    return next(each for each in controls(opened(page)) if each.path == path)


def controls(row: Row) -> Iterator[Control]:
    """All controls of a row, those of an open round too."""
    for each in row.controls:
        yield each
        yield from (one.control for one in each.rounds if one.control)


def sets(says: str, choices: tuple[Any, ...]) -> tuple[str, object]:
    """What the choice sets that begins with some words."""
    found = next(each for each in choices if each.says.startswith(says))
    path, value = json.loads(found.sets)
    return path, value


def form_of(each: Control) -> dict[str, str]:
    """The form of a control, as it comes back unchanged."""
    numbers = {f"n.{one.key}": "" if one.value is None else str(one.value) for one in each.numbers}
    ticks = {f"t.{one.key}": "1" for one in each.ticks if one.value}
    return {"path": each.path, **numbers, **ticks}
