"""The projection: rows with a game’s status, seats and results, for queries across games.

It’s replayed from the entries, in the transaction that appends some. The same entries always give
the same rows, so it can be made again at any time, and compared with the stored rows without
writing.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.facts import canonical
from webapp.game.replay import GameState
from webapp.ledger.standings import (
    APPEARANCE,
    ATTEMPT,
    OUTCOME,
    appearances_of,
    attempts_of,
    keep_standings,
    outcome_of,
)
from webapp.models import MOST_TOTAL, Appearance, Attempt, Game, Outcome, Result, Seat, table_of
from webapp.refusal import Refusal

# Built once and on tables, as in `webapp.ledger`: every save executes them.
_GAMES: Final = table_of(Game)
_SEATED: Final = table_of(Seat)
_RESULTS: Final = table_of(Result)
_STAND: Final = (
    update(_GAMES)
    .where(_GAMES.c.id == bindparam("game"))
    .values(seq=bindparam("last"), status=bindparam("stands"))
)
_SEATS: Final = (
    select(_SEATED.c.player_id)
    .where(_SEATED.c.game_id == bindparam("game"))
    .order_by(_SEATED.c.place)
)
_NO_RESULTS: Final = delete(_RESULTS).where(_RESULTS.c.game_id == bindparam("game"))
_ADD_RESULTS: Final = insert(_RESULTS)

RESULT: Final = ("place", "player_id", "total", "rounds", "won", "team", "ranked")

_PARTS: Final = (
    ("seats", Seat, ("place", "player_id"), ("place",)),
    ("results", Result, RESULT, ("place",)),
    ("outcome", Outcome, OUTCOME, ()),
    ("appearances", Appearance, APPEARANCE, ("player_id",)),
    ("attempts", Attempt, ATTEMPT, ("player_id", "step")),
)
"""The stored parts of a projection: name, table, columns, and the columns that order its rows."""


class TotalTooLargeError(Refusal, ValueError):
    """A total is too large for its column."""


def project(session: Session, game_id: int, state: GameState) -> None:
    """Write the projection of a game; raise TotalTooLargeError."""
    # First, so that the table reads a sentence rather than the database’s error about a column.
    if any(abs(total) > MOST_TOTAL for total in state.score.results):
        raise TotalTooLargeError
    seq, status = _game(state)
    session.execute(_STAND, {"game": game_id, "last": seq, "stands": status})
    # Few saves change the seats; the results change with almost every one.
    if tuple(session.execute(_SEATS, {"game": game_id}).scalars()) != state.seats:
        session.execute(delete(Seat).where(col(Seat.game_id) == game_id))
        seats = [
            {"game_id": game_id, "place": place, "player_id": who}
            for place, who in enumerate(state.seats)
        ]
        session.execute(insert(Seat), params=seats)
    results = [
        {"game_id": game_id, **dict(zip(RESULT, row, strict=True))} for row in _results(state)
    ]
    session.execute(_NO_RESULTS, {"game": game_id})
    session.execute(_ADD_RESULTS, results)
    keep_standings(session, game_id, state)


def projection(session: Session, game_id: int) -> str:
    """Return the rows of a game’s stored projection as JSON: equal rows give equal text."""
    [written] = projections(session, game_id, game_id).values()
    return written


def projections(session: Session, first: int, last: int) -> dict[int, str]:
    """Return what `projection` does for each game with a database id from `first` to `last`."""
    games = select(col(Game.id), col(Game.seq), col(Game.status))
    kept: dict[int, dict[str, list[object]]] = {
        number or 0: {"game": row, **{name: [] for name, *_ in _PARTS}}
        for number, *row in session.execute(games.where(col(Game.id).between(first, last)))
    }
    for name, record, columns, order in _PARTS:
        table = table_of(record)
        rows = session.execute(
            select(table.c.game_id, *(table.c[column] for column in columns))
            .where(table.c.game_id.between(first, last))
            .order_by(*(table.c[column] for column in order))
        )
        for number, *row in rows:
            kept[number][name].append(list(map(_plain, row)))
    return {number: canonical(parts) for number, parts in kept.items()}


def projected(state: GameState) -> str:
    """Return the text that `projection` must return for a game in this state."""
    outcome = outcome_of(state)
    return canonical(
        {
            "game": _game(state),
            "seats": [[place, who] for place, who in enumerate(state.seats)],
            "results": _results(state),
            "outcome": [[_plain(outcome[name]) for name in OUTCOME]] if outcome else [],
            "appearances": [[row[name] for name in APPEARANCE] for row in appearances_of(state)],
            "attempts": [[row[name] for name in ATTEMPT] for row in attempts_of(state)],
        }
    )


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _game(state: GameState) -> list[object]:
    return [state.entered[-1].seq, "finished" if state.finished else "live"]


def _results(state: GameState) -> list[list[object]]:
    """Return a row for each seat, with its columns in the order of `RESULT`."""
    places = state.places
    return [
        [
            place,
            who,
            state.score.results[place],
            sum(who in hands for hands in state.rounds),
            place in state.winners,
            state.team_of(place),
            places[place] is not None,
        ]
        for place, who in enumerate(state.seats)
    ]
