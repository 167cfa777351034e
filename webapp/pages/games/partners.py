"""Seats round the table of a game with teams: who are partners, and swapping seats."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee import Variant
from webapp.pages.games.page import RoundSeat, SeatChoice


def sit_round(variant: Variant, seated: Sequence[SeatChoice]) -> Iterator[RoundSeat]:
    """Yield the seats of a game with teams, including free ones; none in other games."""
    count = next((many for many in variant.players if many >= len(seated)), len(seated))
    if count in variant.players and variant.in_teams(count):
        teams = len(variant.teams(count))
        for place in range(count):
            team = place % teams + 1
            yield RoundSeat(team, _join(seated[place], team) if place < len(seated) else None)


def _join(seat: SeatChoice, team: int) -> SeatChoice:
    return replace(seat, token=replace(seat.token, team=team))


def swap(seats: Sequence[str], one: str, other: str) -> list[str]:
    """Return the seats with two of them swapped; unchanged if one isn’t there."""
    if not {one, other} <= set(seats):
        return list(seats)
    to = {one: other, other: one}
    return [to.get(seat, seat) for seat in seats]


def swap_partners(seats: Sequence[str]) -> list[str]:
    """Return the seats with everybody but the first moved up by one, and the second put last.

    >>> swap_partners(["ann", "ben", "cleo", "dov"])
    ['ann', 'cleo', 'dov', 'ben']
    """
    return [*seats[:1], *seats[2:], *seats[1:2]]
