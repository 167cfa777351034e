"""Drafts of changed rules: values by path, the latest last, until somebody saves or uses them.

For a while a draft may not be a game; then the page says why, and *Done* waits. A tap writes one
row, and nothing is written before the first. Each phone has a draft of its own.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Variant
from referee.describing import PATHS
from webapp.models import RulesDraft, utcnow
from webapp.own_games.patches import DraftRefusedError
from webapp.own_games.url_token import read_token
from webapp.pages.rulebook.form import fits
from webapp.text.refusals import RefusedError

_LONGEST: Final = 16_384
_KEPT: Final = timedelta(days=30)
_MOST: Final = 1000
"""The most drafts that are stored: a new one replaces the one that was unused for longest."""
_MOST_IN_GAME: Final = 20
"""The most drafts for each running game, in addition: strangers don’t know its address."""
_IN_GAME: Final = "g/"
_LEAFLET: Final = "leaflet-"
_PACKED: Final = "changes"
_MOST_CHANGES: Final = 80


class ChangesRefusedError(RefusedError):
    """An address or a form has changes that can’t be read."""

    status = 400


@dataclass(frozen=True, slots=True)
class Draft:
    """The differences from a game, by path, the latest change last."""

    key: str
    patch: dict[str, object] = field(default_factory=dict)
    came: Mapping[str, str] = field(default_factory=dict)
    """The changes that another change brought with it, each with the path of that one."""
    seen: int = 0
    """The number of the running game’s last rule change when the draft was last used."""

    @property
    def last(self) -> str:
        """The path of the latest change; empty if there isn’t one."""
        asked = (path for path in reversed(self.patch) if path not in self.came)
        return next(asked, next(reversed(self.patch), ""))

    def changed(
        self, sets: Mapping[str, object], came: Mapping[str, object], undo: Iterable[str]
    ) -> "Draft":
        """Return the draft with values set, those that `came` with them, and other changes undone.

        Undoing a change also undoes what came with it.
        """
        gone = {*undo, *sets, *came}
        gone |= {path for path, by in self.came.items() if by in gone}
        by = next(iter(sets), "")
        patch = {path: value for path, value in self.patch.items() if path not in gone}
        with_it = {path: one for path, one in self.came.items() if path not in gone}
        return replace(
            self, patch={**patch, **sets, **came}, came={**with_it, **dict.fromkeys(came, by)}
        )


def is_edition_key(key: str) -> bool:
    """Return whether a draft’s key is that of an edition of the game, without further changes."""
    return key.startswith(_LEAFLET)


def edition_key(number: int) -> str:
    """Return the draft key for a game’s edition, by its number from 1."""
    return f"{_LEAFLET}{number}"


def drafted(session: Session, game: Variant, key: str, of: str) -> Draft:
    """Return the changes for a key: those of a draft, or those of an edition of the game.

    `of` is what the draft is stored under: the game’s slug, or `in_game` for a running game.
    """
    editions = {edition_key(number): one for number, one in enumerate(game.editions, 1)}
    if is_edition_key(key):
        return Draft(key, dict(editions[key].patch) if key in editions else {})
    return read_draft(session, key, of)


def in_game(pub: str) -> str:
    """Return what a draft of a running game is stored under."""
    return f"{_IN_GAME}{pub}"


def read_draft(session: Session, key: str, of: str) -> Draft:
    """Return a draft of a game; it’s empty if nothing was changed yet or it’s another game’s."""
    row = session.get(RulesDraft, key)
    if row is None or row.game != of:
        return Draft(key)
    lines = json.loads(row.changes)
    return Draft(
        key,
        {path: value for path, value, _ in lines},
        {path: by for path, _, by in lines if by},
        row.seen,
    )


def keep_draft(session: Session, draft: Draft, of: str) -> None:
    """Store the changes of a draft; raise ChangesRefusedError if there are too many."""
    lines = [[path, value, draft.came.get(path, "")] for path, value in draft.patch.items()]
    written = json.dumps(lines, ensure_ascii=False, separators=(",", ":"))
    if len(written) > _LONGEST:
        raise ChangesRefusedError
    row = session.get(RulesDraft, draft.key)
    if row is None:
        _make_room(session, of)
        row = RulesDraft(key=draft.key, game=of, changes=written)
    row.game, row.changes, row.seen, row.at = of, written, draft.seen, utcnow()
    session.add(row)


def _make_room(session: Session, of: str) -> None:
    """Delete the drafts that were unused for longest, so that there can be one more."""
    session.execute(delete(RulesDraft).where(col(RulesDraft.at) < utcnow() - _KEPT))
    here: ColumnElement[bool] = col(RulesDraft.game) == of
    most = _MOST_IN_GAME
    if not of.startswith(_IN_GAME):
        here, most = col(RulesDraft.game).not_like(f"{_IN_GAME}%"), _MOST
    latest = select(col(RulesDraft.key)).where(here).order_by(col(RulesDraft.at).desc())
    old = session.execute(latest.offset(most - 1)).scalars().all()
    if old:
        session.execute(delete(RulesDraft).where(col(RulesDraft.key).in_(old)))


def read_packed(token: str) -> dict[str, object]:
    """Return the changes, by path, in an address from a release that had no drafts.

    Raises ChangesRefusedError if they can’t be read.
    """
    try:
        groups = read_token(token)[_PACKED]
    except (DraftRefusedError, KeyError):
        raise ChangesRefusedError from None
    if not isinstance(groups, list) or len(groups) > _MOST_CHANGES:
        raise ChangesRefusedError
    if not all(isinstance(group, dict) for group in groups):
        raise ChangesRefusedError
    patch = {path: value for group in groups for path, value in group.items()}
    if not all(path in PATHS and fits(path, value) for path, value in patch.items()):
        raise ChangesRefusedError
    return patch
