"""What the tables here have argued about: the questions that they decided on."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.facts import ABOUT
from webapp.models import Entry, Game

_LATEST: Final = 500
"""The most decisions that are counted, the latest first."""

_DECIDED: Final = (
    select(col(Entry.payload))
    .join(Game, col(Game.id) == col(Entry.game_id))
    .where(col(Game.variant) == bindparam("slug"), col(Entry.kind) == "disputed")
    .order_by(col(Entry.game_id).desc(), col(Entry.seq).desc())
    .limit(_LATEST)
)


def read_argued(session: Session, slug: str) -> Mapping[str, int]:
    """Return how often the tables here decided on each question of a game, by the question’s id.

    What somebody only looked up isn’t stored, and decisions on cards are about no question.
    """
    payloads = session.execute(_DECIDED, {"slug": slug}).scalars()
    asked = (parse_qs(json.loads(each)["question"]).get(ABOUT, []) for each in payloads)
    return Counter(name for names in asked for name in names)
