"""Saving changed rules as one of your own games, or as its next version."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from referee.describing import changed, rules_hash
from webapp.language import say
from webapp.ledger.ledger import FormKey
from webapp.own_games.catalog import id_of, latest_of
from webapp.own_games.commands import save_game
from webapp.own_games.opening import Written, write_game_text
from webapp.own_games.patches import made_from
from webapp.own_games.plain import show_text
from webapp.pages.rulebook.base import Base, base_of
from webapp.pages.rulebook.draft import drafted
from webapp.text.cleaning import clean_text

LONGEST_NAME = 60


def name_for(base: Base) -> str:
    """Return the name suggested for a new game that is made from this one."""
    return say("changing.our", game=base.game.name)[:LONGEST_NAME]


def version_seen(session: Session, slug: str) -> int:
    """Return the latest version of one of your own games; 0 for any other game."""
    return latest_of(session, slug).number if id_of(slug) is not None else 0


def described(base: Base, patch: Mapping[str, object], name: str) -> dict[str, Any]:
    """Return the description of a game with changes, under a new name.

    It has no options and no editions: everything in it can be changed again.
    """
    own = id_of(str(base.spec["slug"])) is not None
    spec = {**base.spec, "text": {**base.spec.get("text", {})}}
    made = made_from(changed(spec, patch), clean_text(name[:200])[:LONGEST_NAME])
    for aside in ("options", "editions"):
        made.pop(aside, None)
    made["text"].pop("options", None)
    if own and "examples" in spec:
        made["examples"] = spec["examples"]
    if own and "tagline" in spec["text"]:
        made["text"]["tagline"] = spec["text"]["tagline"]
    return made


def as_text(session: Session, slug: str, key: str) -> Written:
    """Return a game with the changes of a draft as text; raise as `base_of`."""
    written, base = write_game_text(session, slug), base_of(session, slug)
    draft = drafted(session, base.game, key, slug)
    name = base.game.name if written.slug else name_for(base)
    return replace(written, text=show_text(described(base, draft.patch, name)))


def save(
    session: Session,
    base: Base,
    spec: Mapping[str, Any],
    form_key: FormKey,
    version: tuple[str, int] = ("", 0),
) -> str:
    """Save a description from `described` as a new game or a next version; return its slug.

    For a next version, `version` is the game’s slug and the version of it that was shown. Raises as
    `save_game`.
    """
    slug, seen = version
    made_of = rules_hash(base.spec)
    return save_game(session, spec, form_key, slug=slug, seen=seen, base=made_of)
