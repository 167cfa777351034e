"""One game in a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, and_, select
from sqlmodel import col

from webapp.language import say
from webapp.models import Game, Outcome
from webapp.players.tokens import Token
from webapp.text.formatting import capital, joined, say_points

MOST_NAMED: Final = 4
"""Players whose names a line has room for."""


@dataclass(frozen=True, slots=True)
class LinePlayer:
    """One player or one team of a game in a list."""

    names: tuple[str, ...]
    """The player's, or those of a team."""
    total: int
    won: bool
    token: Token
    persons: tuple[int, ...] = ()
    """The players, if the list needs them."""
    won_says: str = ""
    """The rounds won ("1 win") in a game in progress whose standings go by them."""

    @property
    def name(self) -> str:
        """What they are called: "Ana", of a team "Ana and Ben"."""
        return joined(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game in a list."""

    pub: str
    variant_name: str
    started_at: datetime
    players: tuple[LinePlayer, ...]
    """In seat order; of teams one each."""
    round: str
    """The round that is played ("Round 3 of 6"); "6 rounds" once finished."""
    finished: bool
    key: str = ""
    """The form key of ending it, while it goes on, or of taking up what was put away."""
    bare: bool = False
    """Whether nothing was ever counted in it."""
    state: tuple[str, ...] = ()
    """What the round asks for, and who leads: "2 runs", "Ana leads"."""
    on_paper: bool = False
    """Whether it was kept on paper, so that its hour and its rounds are not known."""

    @property
    def scores_say(self) -> str:
        """Results: "Ana 0, Ben 60"; of many players only how many there were."""
        if len(self.players) > MOST_NAMED:
            return say("counts.players", n=sum(len(each.names) for each in self.players))
        return ", ".join(f"{each.name} {say_points(each.total)}" for each in self.players)

    @property
    def names(self) -> str:
        """The players: "Ana, Ben and Cleo"; of many only how many there were."""
        names = [name for each in self.players for name in each.names]
        if len(names) > MOST_NAMED:
            return say("counts.players", n=len(names))
        return joined(names)

    @property
    def ends(self) -> str:
        """What ending it is called."""
        return say("games.put-away") if self.bare else say("games.end")

    @property
    def round_says(self) -> str:
        """The round, and how it stands: "Round 3 of 6 · 2 runs · Ana leads"."""
        return " · ".join((self.round, *self.state))

    @property
    def first(self) -> LinePlayer | None:
        """Whoever won; else whoever sits first; None if nobody is known."""
        return next((each for each in self.players if each.won), next(iter(self.players), None))

    @property
    def won_by(self) -> str:
        """The winners in words: "Ana won", "Ana and Ben share the win"; empty if there are none."""
        won = [each for each in self.players if each.won]
        if not self.finished or not won:
            return ""
        names = [name for each in won for name in each.names]
        how = "team" if len(won) == 1 and len(names) > 1 else ""
        return say("games.won-by", how, names=joined(names), n=len(names))


def game_rows() -> Select[*tuple[Any, ...]]:
    """The question for games, finished or not, as `lines_of` takes its rows."""
    # Of a finished game that was kept on paper no round is known.
    on_paper = and_(col(Outcome.game_id).is_not(None), col(Outcome.rounds).is_(None))
    return select(
        *(col(Game.id), col(Game.pub), col(Game.variant), col(Game.status), col(Game.started_at)),
        *(col(Outcome.margin), col(Outcome.minutes), on_paper.label("on_paper")),
    ).outerjoin(Outcome, col(Outcome.game_id) == col(Game.id))


def say_game(names: Mapping[str, str], slug: str) -> str:
    """What a game is called, also one that is known no more: "Sunday whist"."""
    return names.get(slug) or capital(slug.replace("-", " "))
