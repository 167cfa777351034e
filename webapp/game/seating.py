"""The players at a game’s table, their order, and the rounds they play.

The start of a game seats the first players. A player who joins later gets a place among them. A
player who leaves keeps theirs, so that their points stay in its column.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.scorepad import Attendance
from webapp.game.facts import Fact, Joined, Left, Started

FOR_GOOD: Final = 1_000_000
"""A round that no game reaches."""


@dataclass(slots=True)
class _Seat:
    player: int
    away: list[range]
    carried: int = 0
    step: int = 1
    ranked: bool = True

    @property
    def seat(self) -> Attendance:
        return Attendance(
            away=tuple(self.away), carried=self.carried, step=self.step, ranked=self.ranked
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPlan:
    """The players at a game, seat by seat in the order of play."""

    players: tuple[int, ...]
    """Everybody who ever played in the game."""
    seats: tuple[Attendance, ...]
    """The same players, as the referee’s scorepad takes them."""
    dealer: int
    """The place that dealt first, from 0."""

    def plays(self, player: int, number: int) -> bool:
        """Return whether a player is at the table for a round, as far as joining and leaving go."""
        return self.seats[self.players.index(player)].plays(number)


def plan_seats(start: Started, facts: Iterable[Fact]) -> SeatingPlan:
    """Return the seating of a game: its first players, then those who joined and left, in order."""
    chairs = [_Seat(player=player, away=[]) for player in start.seats]
    for fact in facts:
        if isinstance(fact, Joined):
            _join(chairs, fact)
        elif isinstance(fact, Left):
            _leave(chairs, fact)
    players = tuple(chair.player for chair in chairs)
    return SeatingPlan(
        players=players,
        seats=tuple(chair.seat for chair in chairs),
        dealer=players.index(start.seats[start.dealer]),
    )


def _join(chairs: list[_Seat], fact: Joined) -> None:
    known = next((chair for chair in chairs if chair.player == fact.player), None)
    if known is None:
        place = next((n for n, chair in enumerate(chairs, 1) if chair.player == fact.after), 0)
        away = [range(1, fact.round)] if fact.round > 1 else []
        new = _Seat(player=fact.player, away=away, carried=fact.carried, step=fact.step)
        chairs.insert(place, new)
        return
    # A player who comes back has their old place and step, and missed the rounds between.
    known.away = _until(known.away, fact.round)
    known.carried += fact.carried
    known.ranked = True


def _until(away: list[range], number: int) -> list[range]:
    """End the last absence before a round."""
    ended = [*away[:-1], *(range(gap.start, min(gap.stop, number)) for gap in away[-1:])]
    return [gap for gap in ended if gap]


def _leave(chairs: list[_Seat], fact: Left) -> None:
    for chair in chairs:
        if chair.player == fact.player:
            chair.away.append(range(fact.round, FOR_GOOD))
            chair.ranked = fact.ranked
