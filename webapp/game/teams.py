"""Teams: who plays together in a game, and what a team is called on every page.

Nothing of it is kept: it follows from the seats. Where everybody plays alone, each player is a team
of one, called by their own name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from webapp.game.replay import GameState
from webapp.text.formatting import joined


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


def read_teams(state: GameState, names: Mapping[int, str]) -> tuple[Team, ...]:
    """The teams of a game, in seat order."""
    players = [tuple(state.seats[place] for place in places) for places in state.teams]
    return tuple(
        Team(index, places, there, joined(names[who] for who in there))
        for index, (places, there) in enumerate(zip(state.teams, players, strict=True))
    )
