"""What the page *Export* shows: which games can be carried off, and as what."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.exchange.choice import Selection, find_games
from webapp.models import Game
from webapp.services.book.lines import say_game
from webapp.services.book.lists import name_of
from webapp.services.own import names_of_games
from webapp.services.roster import read_players


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPage:
    """The games of a choice, and what else could be chosen."""

    choice: Selection
    games: int
    says: str
    """Which they are, in words: "Mexican Rummy", "Games of Ana in 2026", "All games"."""
    players: Sequence[tuple[int, str]]
    years: Sequence[int]

    @property
    def query(self) -> str:
        """The choice as the query of an address."""
        named = {"game": self.choice.pub, "player": self.choice.player, "year": self.choice.year}
        return urlencode({name: value for name, value in named.items() if value})


def read_export(session: Session, choice: Selection) -> ExportPage:
    """Show a choice; raises GameNotFoundError and PlayerNotFoundError."""
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
        variant = select(col(Game.variant)).where(col(Game.pub) == choice.pub)
        return say_game(names_of_games(session), session.execute(variant).scalar_one())
    if choice.year:
        rest = _say(session, replace(choice, year=0))
        return f"{rest} in {choice.year}"
    return f"Games of {name_of(session, choice.player)}" if choice.player else "All games"
