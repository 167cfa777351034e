"""The records of the house."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, and_, bindparam, func, literal, or_, select, union_all
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.language import say
from webapp.models import Game, Outcome, Player, Result
from webapp.players.queries import PERSON
from webapp.text.formatting import joined, say_length, say_points

_KINDS: Final = (
    ("high", col(Outcome.high)),
    ("margin", col(Outcome.margin)),
    ("rounds", col(Outcome.rounds)),
    ("minutes", col(Outcome.minutes)),
)

_PERSON: Final = aliased(Player)
_FIRST: Final = aliased(Result)
# A player without a team isn’t in the same team as anybody.
_WHO: Final = (
    select(col(_PERSON.name))
    .select_from(Outcome)
    .join(
        _FIRST,
        and_(
            col(_FIRST.game_id) == col(Outcome.game_id),
            col(_FIRST.player_id) == col(Outcome.high_id),
        ),
    )
    .join(
        Result,
        and_(
            col(Result.game_id) == col(Outcome.game_id),
            or_(
                col(Result.player_id) == col(Outcome.high_id),
                col(Result.team) == col(_FIRST.team),
            ),
        ),
    )
    .join(Player, col(Player.id) == col(Result.player_id))
    .join(_PERSON, col(_PERSON.id) == PERSON)
    .where(col(Outcome.game_id) == bindparam("game"))
    .order_by(col(Result.place))
)


@dataclass(frozen=True, slots=True)
class Record:
    """A record: what it is, its value, and the game that set it.

    `who` got the most points in a round; it’s empty for all other records.
    """

    title: str
    says: str
    who: str
    pub: str


def read_records(session: Session, variant: str, first: int, last: int) -> Iterator[Record]:
    """Yield the records in a kind of game, from the `first` month to the `last` (202611).

    If several games are equal, the earliest counts.
    """
    asked = {"variant": variant, "first": first, "last": last}
    for kind, most, pub, game in session.execute(_question(), asked).all():
        what, column = _KINDS[kind]
        says = say_length(most) if column is _KINDS[-1][1] else say_points(most)
        who = "" if kind else _who(session, game)
        yield Record(say("standings.record", what), says, who, pub)


def _who(session: Session, game: int) -> str:
    """Return who got the most points in a round of a game: a player or a team."""
    names = session.execute(_WHO, {"game": game}).scalars().all()
    return joined(names) if names else ""


@cache
def _question() -> Select[*tuple[Any, ...]]:
    """Return the query for all records at once; it’s long, and building it takes a while."""
    best = union_all(*(_best(kind) for kind in range(len(_KINDS)))).subquery()
    return (
        select(best.c.kind, best.c.most, col(Game.pub), best.c.game_id)
        .join(Game, col(Game.id) == best.c.game_id)
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
