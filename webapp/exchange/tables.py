"""Writing games as tables for a spreadsheet program: their totals or their rounds."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.db import Database
from webapp.exchange.choice import Selection, find_games
from webapp.game.own_names import full_name
from webapp.game.replay import GameState
from webapp.game.teams import read_teams
from webapp.history.lines import say_game
from webapp.ledger import ledger
from webapp.ledger.roster import shown_names
from webapp.models import Game, Result
from webapp.own_games.catalog import names_of_games

BOM: Final = "\ufeff"
"""The mark by which a spreadsheet program recognizes UTF-8."""

BATCH: Final = 25
"""The games that are replayed between two reads of the database."""

TOTALS: Final = ("date", "time", "game", "id", "player", "place", "total", "won", "rounds", "state")
TEAM: Final = "team"
"""The last column, if a game in the table has teams: the names of the player’s team."""
ROUNDS: Final = ("date", "time", "game", "id", "round", "player", "points", "total", "left", "out")

FORMULA: Final = r"""[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]"""
"""A pattern for the start of a text that a spreadsheet program would compute, also in full
width."""

Cell = str | int


def write_totals(database: Database, choice: Selection) -> Iterator[str]:
    """Yield a CSV table in parts, with a row for each player of each game, after the headings.

    Raises GameNotFoundError or PlayerNotFoundError before the first part.
    """
    return _write(database, choice, TOTALS, _totals)


def write_rounds(database: Database, choice: Selection) -> Iterator[str]:
    """Yield a CSV table like `write_totals`, with a row for each player of each complete round."""
    return _write(database, choice, ROUNDS, _rounds)


def plain_text(text: str) -> str:
    """Return a text, with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{text}" if re.match(FORMULA, text) else text


def _write(
    database: Database,
    choice: Selection,
    head: Sequence[str],
    rows: Callable[[GameState, Mapping[int, str]], Iterable[tuple[int, Sequence[Cell]]]],
) -> Iterator[str]:
    games = database.read(find_games, choice)
    batches = [games[first : first + BATCH] for first in range(0, len(games), BATCH)]
    teams = any(database.read(_has_teams, batch) for batch in batches)
    yield BOM + _lines([(*head, TEAM) if teams else head])
    for batch in batches:
        yield database.read(_read, batch, rows, teams=teams)


def _has_teams(session: Session, games: Sequence[int]) -> bool:
    found = select(col(Result.team)).where(col(Result.game_id).in_(games))
    return session.execute(found.where(col(Result.team).is_not(None)).limit(1)).first() is not None


def _read(
    session: Session,
    games: Sequence[int],
    rows: Callable[[GameState, Mapping[int, str]], Iterable[tuple[int, Sequence[Cell]]]],
    *,
    teams: bool,
) -> str:
    called = names_of_games(session)
    wanted = select(col(Game.pub), col(Game.variant)).where(col(Game.id).in_(games))
    found: list[Sequence[Cell]] = []
    for game in session.execute(wanted.order_by(col(Game.id))).all():
        state = ledger.read_game(session, game.pub)
        begun = state.entered[0].at.astimezone()
        of = (f"{begun:%Y-%m-%d}", f"{begun:%H:%M}", _say_game(called, state), game.pub)
        names = shown_names(session, state.seats)
        team_of = _teams(state, names) if teams else {}
        found += [
            (*of, *row, team_of.get(place, "")) if teams else (*of, *row)
            for place, row in rows(state, names)
        ]
    return _lines(found)


def _say_game(names: Mapping[str, str], state: GameState) -> str:
    """Return the name of a game, as an import of results from paper finds it."""
    return full_name(say_game(names, state.start.variant), state.called)


def _teams(state: GameState, names: Mapping[int, str]) -> dict[int, str]:
    """Return the names of everybody’s team, by place; empty in a game without teams."""
    if not state.in_teams:
        return {}
    return {place: team.name for team in read_teams(state, names) for place in team.seats}


def _totals(state: GameState, names: Mapping[int, str]) -> Iterator[tuple[int, Sequence[Cell]]]:
    """Yield results by player, each with their place at the table.

    In a game in progress, everybody also has a place in the standings; a player who left and isn’t
    ranked has none.
    """
    for place, who in enumerate(state.seats):
        yield (
            place,
            (
                names[who],
                state.places[place] or "",
                state.score.results[place],
                int(place in state.winners),
                "" if state.totalled else sum(who in hands for hands in state.rounds),
                _state(state),
            ),
        )


def _state(state: GameState) -> str:
    if state.totalled:
        return "from paper"
    return "finished" if state.finished else "in progress"


def _rounds(state: GameState, names: Mapping[int, str]) -> Iterator[tuple[int, Sequence[Cell]]]:
    """Yield everybody’s points in each round and their total, each with their place."""
    sums = [0] * len(state.seats)
    for number, hands in enumerate(state.rounds, 1):
        points = state.score.points[number - 1]
        for place, who in enumerate(state.seats):
            sums[place] += points[place] + state.seating.carries[place].get(number, 0)
            given = (number, names[who], points[place], sums[place])
            if who in hands:
                yield place, (*given, hands[who].left, int(hands[who].hand.out))
            elif number in state.seating.seats[place].averaged:
                yield place, (*given, "", 0)


def _lines(rows: Iterable[Sequence[Cell]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    for row in rows:
        writer.writerow([plain_text(cell) if isinstance(cell, str) else cell for cell in row])
    return file.getvalue()
