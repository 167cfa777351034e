"""Teams: who plays together in a game, and what a team is called on every page.

Nothing of it is kept: it follows from the seats. Where everybody plays alone, each player is a team
of one, called by their own name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee import Variant
from webapp.ledger.story import Story
from webapp.services.wording import joined


@dataclass(frozen=True, slots=True)
class Team:
    """The players of a team."""

    index: int
    """From 0, in the order in which their first players sit."""
    seats: tuple[int, ...]
    """Their places at the table, from 0."""
    players: tuple[int, ...]
    """The same by their numbers on the roster."""
    name: str
    """Their names together: "Ann and Ben"."""


def teams_of(
    variant: Variant, players: Sequence[int], names: Mapping[int, str]
) -> tuple[Team, ...]:
    """The teams of a game with these players, in seat order."""
    return tuple(_teams(variant.teams(len(players)), players, names))


def read_teams(story: Story, names: Mapping[int, str]) -> tuple[Team, ...]:
    """The teams of a game."""
    return tuple(_teams(story.teams, story.seats, names))


def _teams(
    teams: Sequence[tuple[int, ...]], players: Sequence[int], names: Mapping[int, str]
) -> Iterator[Team]:
    for index, seats in enumerate(teams):
        there = tuple(players[seat] for seat in seats)
        yield Team(index, seats, there, joined(names[who] for who in there))
