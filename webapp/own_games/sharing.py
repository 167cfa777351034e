"""Your own game as a file, and as a link that fits into a message or a QR code.

What somebody sends is a stranger’s text: it’s read within limits, and shown before it’s saved.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from referee.describing import SCHEMA
from webapp.language import say
from webapp.ledger.ledger import new_key
from webapp.own_games.catalog import name_of, spec_of
from webapp.own_games.check import JudgedDraft, judge
from webapp.own_games.patches import DraftRefusedError, made_from, read_draft, write_draft
from webapp.own_games.url_token import read_token, write_token
from webapp.workers.jobs import Solver, directly

LONGEST_LINK: Final = 2000
"""The most characters of a link; messengers cut longer ones."""
LONGEST_CODE: Final = 1200
"""The most characters of a link that a phone can read from a QR code."""
LARGEST_FILE: Final = 96_000
"""The most bytes of a file."""
_ENDING: Final = ".laydown-game.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedGame:
    """A game that came as a file or a link: shown completely, but not saved yet."""

    name: str
    tagline: str
    draft_text: str
    judged: JudgedDraft
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareableGame:
    """A game ready to be shared."""

    name: str
    file_name: str
    file: str
    token: str
    """The token for a link; empty if the link would be too long."""


def give(session: Session, slug: str) -> ShareableGame:
    """Return a game ready to be shared; raise UnknownVariantError."""
    spec = spec_of(session, slug)
    name = name_of(spec)
    text = spec.get("text", {})
    plain = {key: part for key, part in text.items() if key in {"name", "words"}}
    tokens = (write_token({**spec, "text": prose}) for prose in (text, plain))
    return ShareableGame(
        name=name,
        file_name=f"{_plain(name)}{_ENDING}",
        file=write_file(spec),
        token=next((token for token in tokens if len(token) <= LONGEST_LINK), ""),
    )


def write_file(spec: Mapping[str, Any]) -> str:
    """Return a description as the text of a file."""
    rules = {key: part for key, part in spec.items() if key != "text"}
    whole = {"laydown": "game", "schema": SCHEMA, "spec": rules, "text": spec.get("text", {})}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def read_file(text: str, solve: Solver = directly) -> SharedGame:
    """Return the game in a file; raise DraftRefusedError if it doesn’t describe one."""
    whole = read_draft(text)
    rules, prose = whole.get("spec"), whole.get("text")
    if whole.get("laydown") != "game" or not isinstance(rules, dict):
        raise DraftRefusedError(say("own.other-file"))
    return show(read_draft(write_draft({**rules, "text": prose})), solve)


def read_link(token: str, solve: Solver = directly) -> SharedGame:
    """Return the game in a link; raise DraftRefusedError if it doesn’t describe one."""
    return show(read_token(token), solve)


def show(spec: Mapping[str, Any], solve: Solver = directly) -> SharedGame:
    """Return a game as it’s shown before it’s saved."""
    text = spec.get("text")
    prose = text if isinstance(text, dict) else {}
    name = prose.get("name")
    draft = made_from({**spec, "text": prose}, name if isinstance(name, str) else say("own.game"))
    if "examples" in spec:
        draft["examples"] = spec["examples"]
    tagline = prose.get("tagline")
    if isinstance(tagline, str):
        draft["text"]["tagline"] = tagline
    return SharedGame(
        name=draft["text"]["name"][:60],
        tagline=draft["text"].get("tagline", "")[:200],
        draft_text=write_draft(draft),
        judged=judge(draft, solve),
        key=new_key(),
    )


def _plain(name: str) -> str:
    """Return a name that can be a file’s name."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "game"
