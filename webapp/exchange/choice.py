"""The choice of games to export: all, one, or those of a player or a year."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.history.lines import say_game
from webapp.history.search import name_of, persons_ids
from webapp.language import say
from webapp.ledger import ledger
from webapp.models import Game, Seat
from webapp.own_games.catalog import names_of_games
from webapp.players.queries import read_players
from webapp.text.refusals import PlayerNotFoundError

LAST_YEAR: Final = 9998


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A choice of games; fields that are empty or 0 match every game."""

    pub: str = ""
    """The public id of a single game."""
    player: int = 0
    year: int = 0
    """The year in UTC, as *Games* counts years."""

    @property
    def is_all(self) -> bool:
        """Whether no game is left out."""
        return not (self.pub or self.player or self.year)


def find_games(session: Session, choice: Selection) -> tuple[int, ...]:
    """Return the database ids of the chosen games, lowest first; none if nothing matches.

    Raises GameNotFoundError or PlayerNotFoundError.
    """
    games = select(col(Game.id)).order_by(col(Game.id))
    if choice.pub:
        games = games.where(col(Game.id) == ledger.game_id_of(session, choice.pub))
    if choice.player:
        ids = persons_ids(session, choice.player)
        if not ids:
            raise PlayerNotFoundError
        seats = select(col(Seat.game_id)).where(col(Seat.player_id).in_(ids))
        games = games.where(col(Game.id).in_(seats))
    if choice.year:
        begins, ends = (datetime(year, 1, 1, tzinfo=UTC) for year in (choice.year, choice.year + 1))
        games = games.where(col(Game.started_at) >= begins, col(Game.started_at) < ends)
    return tuple(number or 0 for number in session.execute(games).scalars())


def file_name(session: Session, choice: Selection, ending: str) -> str:
    """Return the name of a file with these games: "laydown-ana-2026-rounds.csv".

    `ending` is the last part: "rounds.csv", or ".jsonl" for the extension alone.
    """
    who = name_of(session, choice.player) if choice.player else ""
    plain = re.sub("[^a-z0-9]+", "-", who.lower()).strip("-")[:40]
    if who and not plain:
        plain = f"player-{choice.player}"
    parts = ("laydown", choice.pub, plain, str(choice.year or ""))
    return "-".join((*filter(None, parts), ending)).replace("-.", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPage:
    """The chosen games, and the other choices."""

    choice: Selection
    games: int
    says: str
    """The choice in words: "Mexican Rummy", "Games of Ana in 2026", "All games"."""
    players: Sequence[tuple[int, str]]
    years: Sequence[int]

    @property
    def query(self) -> str:
        """The choice as the query of an address."""
        named = {"game": self.choice.pub, "player": self.choice.player, "year": self.choice.year}
        return urlencode({name: value for name, value in named.items() if value})


def read_export(session: Session, choice: Selection) -> ExportPage:
    """Return the page of a choice; raise GameNotFoundError or PlayerNotFoundError."""
    games = find_games(session, choice)
    ends = select(func.min(col(Game.started_at)), func.max(col(Game.started_at)))
    years = [each.year for each in session.execute(ends).one() if each is not None]
    players = sorted((line.name, line.id) for line in read_players(session) if line.games)
    return ExportPage(
        choice=choice,
        games=len(games),
        says=_say(session, choice),
        players=[(number, name) for name, number in players],
        years=range(max(years, default=0), min(years, default=1) - 1, -1),
    )


def _say(session: Session, choice: Selection) -> str:
    if choice.pub:
        return say_game(names_of_games(session), ledger.read_game(session, choice.pub).kind)
    year = "year" if choice.year else ""
    if choice.player:
        return say("export.games-of", year, name=name_of(session, choice.player), year=choice.year)
    return say("export.all-games", year, year=choice.year)
