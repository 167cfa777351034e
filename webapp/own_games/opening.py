"""A game as text: opened for editing, and as it was sent back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from referee import variants
from referee.describing import upgraded
from webapp.language import language, say
from webapp.own_games.catalog import id_of, latest_of, name_of
from webapp.own_games.patches import LONGEST, made_from
from webapp.own_games.plain import show_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A game as text, ready to be edited."""

    text: str
    name: str
    slug: str = ""
    """The slug of your own game that is corrected; empty for a new one."""
    seen: int = 0
    """The version of your own game that was shown."""


def write_game_text(session: Session, slug: str) -> Written:
    """Return a game as text: your own game for correction, or else a copy under a new name.

    Raises UnknownVariantError.
    """
    if id_of(slug) is not None:
        row = latest_of(session, slug)
        spec = {**upgraded(json.loads(row.spec)), "text": json.loads(row.prose)}
        return Written(text=show_text(spec), name=row.title, slug=slug, seen=row.number)
    spec = variants.description_of(slug, language())
    made = made_from(spec, say("changing.our", game=name_of(spec))[:40])
    return Written(text=show_text(made), name=name_of(spec))


def read_written(fields: Mapping[str, str]) -> Written:
    """Return a game as text from the fields that were sent."""
    seen = fields.get("seen", "0")
    return Written(
        text=fields.get("text", "")[: LONGEST + 1],
        name=fields.get("called", "")[:60],
        slug=fields.get("slug", "")[:40],
        seen=int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 6 else 0,  # noqa: PLR2004 - digits
    )
