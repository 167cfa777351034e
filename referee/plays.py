"""What a player puts to the referee, and the moment it is put.

A play holds the cards as they were laid, in order. Nothing here knows a rule.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import NamedTuple, TypeAlias

from referee.cards import Card, Cards


class Moment(NamedTuple):
    """When a play is made: the step is the round, or the player's own phase, from 1.

    None if it was not said; wilds are then active and no contract is asked for.
    """

    step: int | None = None
    upcard: Card | None = None
    """The card turned up at the deal, in games where that decides something; None if it was
    not said."""


@dataclass(frozen=True, slots=True)
class ShowMeld:
    """Is this a set or a run?"""

    cards: Cards
    as_laid: bool = True
    """Whether the order of the cards says where the wilds stand."""


@dataclass(frozen=True, slots=True)
class LayOff:
    """Cards added to a meld that is already on the table."""

    cards: Cards
    onto: Cards
    own: bool = False
    """Whether the meld is the player's own."""
    down: bool = True
    """Whether the player's own contract is on the table."""
    same_turn: bool = False
    """Whether the player went down in this very turn."""
    my_turn: bool = True


class Taken(NamedTuple):
    """A wild taken out of another player's meld for the card it stands for."""

    give: Card
    take: Card
    meld: Cards


@dataclass(frozen=True, slots=True, kw_only=True)
class LayDown:
    """Melds put on the table from the hand, and what is done with them in the same turn."""

    melds: tuple[Cards, ...]
    kept: Cards | None = None
    """The cards still in hand afterwards; None if they were not said."""
    layoffs: tuple[LayOff, ...] = ()
    swaps: tuple[Taken, ...] = ()
    down: bool = False
    """Whether the player has laid down in this round before."""
    hand: Cards | None = None
    """The cards before the play; None if they were not said."""
    first: bool = True
    """Whether the player has laid no meld in this round yet (games without a contract)."""
    as_laid: bool = True
    own: tuple[Cards, ...] = ()
    """All melds of the player's team before the play; each own `onto` is one of them."""
    total: int = 0
    """The team's total before the deal."""
    reserve: bool = True
    """Whether the second hand was taken before; the player's own, or the team's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A wild taken for the card it stands for, and the melds laid down with it at once."""

    taken: Taken
    then: tuple[Cards, ...]
    layoffs: tuple[LayOff, ...] = ()
    down: bool = False
    kept: Cards | None = None
    """The cards still in hand afterwards; None if they were not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rearrange:
    """A turn at a table of tiles: every meld before it and after it."""

    before: tuple[Cards, ...]
    after: tuple[Cards, ...]
    rack: Cards | None = None
    opened: bool = True
    drew: bool = False
    as_laid: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """A whole hand shown at once."""

    cards: Cards
    discard: Card | None = None
    says: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PickUp:
    """Cards taken off the discard pile (bottom to top), down to `take`, and what is laid."""

    pile: Cards
    take: Card | None = None
    """The lowest card taken; None for as much of the pile as is taken at once."""
    melds: tuple[Cards, ...]
    layoffs: tuple[LayOff, ...] = ()
    first: bool = True
    down: bool = False
    """Whether the player's team has laid down in this round before."""
    hand: Cards | None = None
    """The cards before the pile is taken; None if they were not said."""
    kept: Cards | None = None
    """The cards still in hand afterwards; None if they were not said."""
    own: tuple[Cards, ...] = ()
    """As in `LayDown`, like those below."""
    total: int = 0
    reserve: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A discard claimed because it fits a meld on the table."""

    discard: Card
    table: tuple[Cards, ...]
    ended: bool = False
    drawn: bool = False


Play: TypeAlias = ShowMeld | LayDown | LayOff | Swap | Rearrange | Close | PickUp | Call


def cards_of(play: object) -> Iterator[Card]:
    """All cards of a play, wherever it has them."""
    if isinstance(play, Card):
        yield play
    elif isinstance(play, tuple):
        for part in play:
            yield from cards_of(part)
    elif is_dataclass(play):
        for field in fields(play):
            yield from cards_of(getattr(play, field.name))
