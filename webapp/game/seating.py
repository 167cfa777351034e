"""The players at a game’s table, their order, and the rounds they play.

The start of a game seats the first players. A player who joins later gets a place among them. A
player who leaves keeps theirs, so that their points stay in its column.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.scorepad import Attendance
from webapp.game.facts import CarriedOn, Fact, Joined, Left, Reseated, SatOut, Started

FOR_GOOD: Final = 1_000_000
"""The round in which a player who left would be back: no game gets that far."""


@dataclass(slots=True)
class _Seat:
    """A player’s seat while the facts of a game are read one by one."""

    player: int
    away: list[range]
    """The rounds that they missed because they weren’t at the table yet, or had left."""
    carried: int = 0
    """The points that they got without playing: on paper, or for rounds that they missed."""
    step: int = 1
    ranked: bool = True
    won: int = 0
    since: int = 1
    """The first round that they played."""
    carries: dict[int, int] = field(default_factory=dict)
    """The points for missed rounds, by the round they then joined in."""
    sits_out: dict[int, bool] = field(default_factory=dict)
    """The rounds that they sit out, each with whether it counts the average."""

    @property
    def seat(self) -> Attendance:
        """The seat as the referee’s scorepad takes it."""
        sat_out = [one for one in self.sits_out if not any(one in gap for gap in self.away)]
        return Attendance(
            away=(*self.away, *(range(one, one + 1) for one in sat_out)),
            carried=self.carried,
            step=self.step,
            ranked=self.ranked,
            won=self.won,
            averaged=frozenset(one for one in sat_out if self.sits_out[one]),
        )

    def carry_on(self, fact: CarriedOn) -> None:
        """Take over what a player has from the rounds played on paper; they play the next one."""
        self.away = [range(1, fact.round)] if fact.round > 1 else []
        self.since, self.carried = fact.round, fact.totals[self.player]
        self.carries = {fact.round: self.carried} if self.carried else {}
        self.step, self.won = fact.steps.get(self.player, 1), fact.won.get(self.player, 0)

    def carry(self, fact: Joined) -> None:
        """Add the points for missed rounds to the round in which the player joins."""
        points = self.carries.pop(fact.round, 0) + fact.carried
        self.carries |= {fact.round: points} if points else {}

    def plays_from(self, number: int) -> None:
        """Forget that the player would sit out this round or a later one."""
        self.sits_out = {one: how for one, how in self.sits_out.items() if one < number}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPlan:
    """The players at a game, seat by seat in the order of play."""

    players: tuple[int, ...]
    """The ids of everybody who ever played in the game, in the current order of play."""
    seats: tuple[Attendance, ...]
    """The rounds each player misses, and what that counts, as the referee’s scorepad takes it."""
    dealer: int
    """The place that dealt first, from 0."""
    since: tuple[int, ...]
    """The first round of each player, in the order of `players`; 1 if they were there from the
    start."""
    carries: tuple[Mapping[int, int], ...]
    """For each player, the points for rounds that they missed, by the round they then joined in."""
    orders: Mapping[int, Sequence[int]]
    """The places in the order of play, by the first round in that order; empty if nobody ever
    changed seats."""

    def plays(self, player: int, number: int) -> bool:
        """Return whether a player is at the table for a round, as far as joining and leaving go."""
        return self.seats[self.players.index(player)].plays(number)

    def stays(self, player: int, number: int) -> bool:
        """Return whether a player hasn’t left by a round; they may sit it out."""
        return self.plays(player, number) or self.plays(player, number + 1)

    def sits_out(self, player: int, number: int) -> bool:
        """Return whether a player is away for just this round."""
        started = self.since[self.players.index(player)] <= number
        return started and self.plays(player, number + 1) and not self.plays(player, number)

    def order_of(self, number: int) -> Sequence[int]:
        """Return the places in the order of play in a round."""
        since = max((first for first in self.orders if first <= number), default=0)
        return self.orders[since] if since else range(len(self.players))


def plan_seats(
    start: Started, facts: Iterable[Fact], carried_on: CarriedOn | None = None
) -> SeatingPlan:
    """Return the seating of a game: its first players, and what its moves changed, in order."""
    chairs = [_Seat(player=player, away=[]) for player in start.seats]
    if carried_on:
        for chair in chairs:
            chair.carry_on(carried_on)
    orders: dict[int, list[int]] = {}
    for fact in facts:
        match fact:
            case Joined():
                _join(chairs, orders.values(), fact)
            case Left():
                _leave(chairs, fact)
            case SatOut(player=player):
                for chair in chairs:
                    if chair.player == player:
                        chair.sits_out[fact.round] = fact.average
            case Reseated():
                orders.setdefault(1, [chair.player for chair in chairs])
                _reseat(chairs, fact)
                orders = {first: order for first, order in orders.items() if first < fact.round}
                orders[fact.round] = [chair.player for chair in chairs]
            case _:
                pass
    players = tuple(chair.player for chair in chairs)
    return SeatingPlan(
        players=players,
        seats=tuple(chair.seat for chair in chairs),
        dealer=players.index(start.seats[start.dealer]),
        since=tuple(chair.since for chair in chairs),
        carries=tuple(chair.carries for chair in chairs),
        orders={first: tuple(map(players.index, order)) for first, order in orders.items()},
    )


def _join(chairs: list[_Seat], orders: Iterable[list[int]], fact: Joined) -> None:
    """Give somebody a seat, or let them play again; earlier `orders` of play get them as well."""
    known = next((chair for chair in chairs if chair.player == fact.player), None)
    if known is None:
        place = next((n for n, chair in enumerate(chairs, 1) if chair.player == fact.after), 0)
        # Earlier orders of play have to name everybody who has a seat by now. In rounds before they
        # sat down, they are skipped because they are away.
        for order in orders:
            at = order.index(fact.after) + 1 if fact.after in order else 0
            order.insert(at, fact.player)
        away = [range(1, fact.round)] if fact.round > 1 else []
        new = _Seat(player=fact.player, away=away, carried=fact.carried, step=fact.step)
        new.since = fact.round
        new.carry(fact)
        chairs.insert(place, new)
        return
    # A player who comes back has their old place and step, and missed the rounds between.
    known.away = _until(known.away, fact.round)
    known.carried += fact.carried
    known.carry(fact)
    known.ranked = True
    known.plays_from(fact.round)


def _until(away: list[range], number: int) -> list[range]:
    """End the last absence before a round."""
    ended = [*away[:-1], *(range(gap.start, min(gap.stop, number)) for gap in away[-1:])]
    return [gap for gap in ended if gap]


def _leave(chairs: list[_Seat], fact: Left) -> None:
    for chair in chairs:
        if chair.player == fact.player:
            chair.away.append(range(fact.round, FOR_GOOD))
            chair.ranked = fact.ranked
            chair.plays_from(fact.round)


def _reseat(chairs: list[_Seat], fact: Reseated) -> None:
    """Put the chairs in the order of `fact.seats`.

    A player who isn’t named there stays after the same neighbor.
    """
    order = [who for who in fact.seats if any(chair.player == who for chair in chairs)]
    before = 0
    for chair in list(chairs):
        if chair.player not in order:
            order.insert(order.index(before) + 1 if before else 0, chair.player)
        before = chair.player
    chairs.sort(key=lambda chair: order.index(chair.player))
