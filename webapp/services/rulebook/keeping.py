"""What changed rules are for: a game of your own, or its next version."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from referee.describing import changed, rules_hash
from webapp.ledger import Sent
from webapp.services.own.catalogue import id_of, latest_of
from webapp.services.own.drafts import made_from
from webapp.services.own.keeping import save_game
from webapp.services.own.opening import Written as WrittenText
from webapp.services.own.opening import open_text
from webapp.services.own.plain import show_text
from webapp.services.rulebook.base import Base, base_of
from webapp.services.rulebook.changes import Changes, read_changes
from webapp.services.text import clean_text
from webapp.speaking import say

LONGEST_NAME = 60
_TABLE = "table"
_MOST_OURS = 10
"""Rules in your own words."""
_LONGEST_OURS = 5000
_LONGEST_RULE = 400


class Written(NamedTuple):
    """What somebody wrote about changed rules."""

    name: str
    ours: str | None = None
    """Rules in their own words, a line each, which the referee doesn’t check; None for those that
    the game has."""


def name_for(base: Base) -> str:
    """What a new game is called that is made from this one, until somebody says otherwise."""
    return say("changing.our", game=base.game.name)[:LONGEST_NAME]


def version_seen(session: Session, slug: str) -> int:
    """The latest version of a game of your own; 0 for any other game."""
    return latest_of(session, slug).number if id_of(slug) is not None else 0


def ours_of(base: Base) -> str:
    """The rules of a game of your own that were written for it, a line each.

    Nobody but the table knows what they mean.
    """
    if id_of(str(base.spec["slug"])) is None:
        return ""
    clauses = base.spec.get("text", {}).get("clauses", ())
    return "\n".join(each["says"] for each in clauses if each.get("basis") == _TABLE)


def described(base: Base, changes: Changes, written: Written) -> dict[str, Any]:
    """The description of a game with changes, under a name of its own.

    It declares no options: everything in it may be changed again.
    """
    name, ours = written
    spec = {**base.spec, "text": {**base.spec.get("text", {})}}
    tagline = spec["text"].get("tagline") if id_of(str(spec["slug"])) is not None else None
    made = made_from(changed(spec, changes.patch), clean_text(name[:200])[:LONGEST_NAME])
    made.pop("options", None)
    made["text"].pop("options", None)
    if "examples" in base.spec and id_of(str(spec["slug"])) is not None:
        made["examples"] = base.spec["examples"]
    lines = (ours_of(base) if ours is None else ours)[:_LONGEST_OURS].splitlines()
    said = [text for line in lines if (text := clean_text(line)[:_LONGEST_RULE])][:_MOST_OURS]
    clauses = [
        {
            "id": f"our-rule-{number}",
            "title": say("changing.our-rule", number=number),
            "says": text,
            "basis": _TABLE,
        }
        for number, text in enumerate(said, 1)
    ]
    more = {"tagline": tagline} if tagline else {}
    more |= {"clauses": clauses} if clauses else {}
    return made | {"text": {**made["text"], **more}}


def as_text(session: Session, slug: str, packed: str) -> WrittenText:
    """A game with changes as text; raises as `base_of` and `read_changes`."""
    written, base = open_text(session, slug), base_of(session, slug)
    name = base.game.name if written.slug else name_for(base)
    return replace(written, text=show_text(described(base, read_changes(packed), Written(name))))


def save(
    session: Session,
    base: Base,
    spec: Mapping[str, Any],
    sent: Sent,
    version: tuple[str, int] = ("", 0),
) -> str:
    """Keep what `described` gave as a new game, or as the next version of one; answers its slug.

    `version` is the slug of that game and its version that was looked at. Raises as `save_game`.
    """
    slug, seen = version
    made_of = rules_hash(base.spec)
    return save_game(session, spec, sent, slug=slug, seen=seen, base=made_of)
