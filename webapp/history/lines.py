"""A game as a line in a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, and_, select
from sqlmodel import col

from webapp.game.own_names import split_kind
from webapp.language import say
from webapp.models import Game, Outcome
from webapp.players.tokens import Token
from webapp.text.formatting import capital, joined, say_points, uncapital

MOST_NAMED: Final = 4
"""The most players that a line names."""


@dataclass(frozen=True, slots=True)
class LinePlayer:
    """A player or a team of a game in a list."""

    names: tuple[str, ...]
    """The player’s name, or the names of a team."""
    total: int
    won: bool
    token: Token
    persons: tuple[int, ...] = ()
    """The ids of the players, if the list needs them."""
    won_says: str = ""
    """The rounds won ("1 win"), in a game in progress whose standings go by them."""
    ranked: bool = True
    """Whether they have a place, and so a total; False for a player who left without one."""
    leads: bool = False
    """Whether they lead a game in progress; False if the list doesn’t need it."""
    deals: bool = False

    @property
    def name(self) -> str:
        """The name: "Ana", for a team "Ana and Ben"."""
        return joined(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game in a list."""

    pub: str
    variant_name: str
    started_at: datetime
    players: tuple[LinePlayer, ...]
    """The players in seat order; one for each team."""
    round: str
    """The current round ("Round 3 of 6"); "6 rounds" once it’s finished."""
    finished: bool
    margin_says: str = ""
    """The margin of the win in words: "by 50"; empty if points don’t decide it."""
    key: str = ""
    """The form key for ending it while it’s in progress, or for continuing one that was put
    away."""
    bare: bool = False
    """Whether nothing was ever counted in it."""
    asks: str = ""
    """The contract of the round: "2 runs"; empty if there isn’t one."""
    state: tuple[str, ...] = ()
    """The contract of the round, and who leads: "2 runs", "Ana leads"."""
    next_round: int = 0
    """The round to count next; 0 if there isn’t one, or the list doesn’t need it."""
    counts_it: str = ""
    """The label of the button that counts it: "Score round 4"."""
    has_rules: bool = True
    """Whether the referee knows its rules; asked only of games in progress."""
    small: str = ""
    """What kind of game it is ("just points"), if its name doesn’t say so; else empty."""
    on_paper: bool = False
    """Whether it was kept on paper, so that its hour and its rounds aren’t known."""

    @property
    def scores_say(self) -> str:
        """The results: "Ana 0, Ben 60"; if there are many players, only their number."""
        if len(self.players) > MOST_NAMED:
            return say("counts.players", n=sum(len(each.names) for each in self.players))
        ranked = (each for each in self.players if each.ranked)
        return ", ".join(f"{each.name} {say_points(each.total)}" for each in ranked)

    @property
    def names(self) -> str:
        """The players: "Ana, Ben and Cleo"; if there are many, only their number."""
        names = [name for each in self.players for name in each.names]
        if len(names) > MOST_NAMED:
            return say("counts.players", n=len(names))
        return joined(names)

    @property
    def ends(self) -> str:
        """The label of the button that ends it."""
        return say("games.put-away") if self.bare else say("games.end")

    @property
    def round_says(self) -> str:
        """The round and the state: "Round 3 of 6 · 2 runs · Ana leads"."""
        return " · ".join((self.round, *self.state))

    @property
    def brief(self) -> str:
        """By how much it was won ("by 50"), or the round and who leads: "Round 3 · Ana leads"."""
        if self.finished:
            return self.margin_says or self.round
        return " · ".join((self.round, *self.state[-1:]))

    @property
    def first(self) -> LinePlayer | None:
        """The winner or the leader, or else the first player; None if nobody is known."""
        ahead = (each for each in self.players if each.won or each.leads)
        return next(ahead, next(iter(self.players), None))

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
    """Return the query for games, finished or not, with rows for `lines_of`."""
    # A game that was kept on paper has no known rounds.
    on_paper = and_(col(Outcome.game_id).is_not(None), col(Outcome.rounds).is_(None))
    return select(
        *(col(Game.id), col(Game.pub), col(Game.variant), col(Game.status), col(Game.started_at)),
        *(col(Outcome.margin), col(Outcome.minutes), on_paper.label("on_paper")),
        col(Outcome.variant).label("kind"),
    ).outerjoin(Outcome, col(Outcome.game_id) == col(Game.id))


def say_game(names: Mapping[str, str], slug: str) -> str:
    """Return the name of a kind of game, even one that no longer exists: "Sunday whist".

    A game of points alone to which its table gave a name is called that: "Skyjo".
    """
    slug, own = split_kind(slug)
    return own or names.get(slug) or capital(slug.replace("-", " "))


def say_small(names: Mapping[str, str], kind: str) -> str:
    """Return what kind of game one with a name of its own is: "just points"; else nothing."""
    slug, own = split_kind(kind)
    return uncapital(names.get(slug, "")) if own else ""
