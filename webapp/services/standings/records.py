"""Records of the house: what nobody has beaten."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, bindparam, func, literal, select, union_all
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.models import Game, Outcome, Player
from webapp.services.roster import PERSON
from webapp.services.wording import say_length, say_points
from webapp.speaking import say

_KINDS: Final = (
    ("high", col(Outcome.high)),
    ("margin", col(Outcome.margin)),
    ("rounds", col(Outcome.rounds)),
    ("minutes", col(Outcome.minutes)),
)


@dataclass(frozen=True, slots=True)
class Record:
    """Something that nobody has beaten: what it is, how much, by whom, and in which game."""

    title: str
    says: str
    who: str
    pub: str


def read_records(session: Session, variant: str, first: int, last: int) -> Iterator[Record]:
    """The records in a game from one month to another; of some that are level the first holds."""
    asked = {"variant": variant, "first": first, "last": last}
    for kind, most, pub, name in session.execute(_question(), asked):
        what, column = _KINDS[kind]
        says = say_length(most) if column is _KINDS[-1][1] else say_points(most)
        yield Record(say("standings.record", what), says, "" if kind else name or "", pub)


@cache
def _question() -> Select[*tuple[Any, ...]]:
    """The question for all records at once; it is long, and takes a while to put together."""
    person = aliased(Player)
    best = union_all(*(_best(kind) for kind in range(len(_KINDS)))).subquery()
    return (
        select(best.c.kind, best.c.most, col(Game.pub), col(person.name))
        .join(Game, col(Game.id) == best.c.game_id)
        .join(Outcome, col(Outcome.game_id) == best.c.game_id)
        .outerjoin(Player, col(Player.id) == col(Outcome.high_id))
        .outerjoin(person, col(person.id) == PERSON)
        .order_by(best.c.kind)
    )


def _best(kind: int) -> Select[*tuple[Any, ...]]:
    column = _KINDS[kind][1]
    season = (
        col(Outcome.variant) == bindparam("variant"),
        col(Outcome.month).between(bindparam("first"), bindparam("last")),
    )
    most = select(func.max(column)).where(*season).scalar_subquery()
    return (
        select(
            literal(kind).label("kind"),
            func.max(column).label("most"),
            func.min(col(Outcome.game_id)).label("game_id"),
        )
        .where(*season, column == most, column > 0)
        .having(func.count() > 0)
    )
