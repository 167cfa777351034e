"""Sets of tiles as numbers, and what a person can do with one of them.

A set is a number with a bit for each of its tiles; a second bit says that a joker lies there. There
are 329 sets without jokers, and some thousands with them. What may leave one and what may join it
does not depend on where it lies, so it is worked out at the first time of asking, and kept. Runs
that go on past the 13 are no sets here.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.tables.colours import LARGEST, WHOLE
from referee.cards import ACE, JOKER, KING, Card
from referee.melds.grounds import legal_readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.cards import Cards, Suit
    from referee.melds.rules import MeldRules

_TILES: Final = LARGEST * KING
_ALL: Final = (1 << _TILES) - 1
_KEPT: Final = 5_000
_ROW: Final = (1 << KING) - 1
"""All tiles of the first colour."""
_COLUMN: Final = sum(1 << colour * KING for colour in range(LARGEST))
"""All tiles of the first number."""


class Shape(NamedTuple):
    """What can be done with a set."""

    spare: int
    """The tiles that it can spare."""
    room: int
    """The tiles that may join it."""
    with_joker: int
    """The same set with one joker more; 0 where there is no room."""


class Shapes(dict[int, Shape]):
    """What can be done with each set, under the rules for jokers of one kind of game."""

    def __init__(self, cap: int | None, *, free: bool) -> None:
        """`cap` is how many jokers a set may have; `free` says that they may be taken."""
        super().__init__()
        self.cap = cap
        self.free = free

    def __missing__(self, laid: int) -> Shape:
        """Work out what can be done with a set; one with a joker may only grow if none is free."""
        tiles, wild = laid & _ALL, laid >> _TILES
        only_grows = wild and not self.free
        may_have = self.cap is None or wild.bit_count() < self.cap
        spare = room = grown = 0
        for tile in each(_near(tiles)):
            if tiles & tile and not wild & tile and not only_grows and without(laid, tile):
                spare |= tile
            parts, freed = joined(laid, tile)
            if parts and not (only_grows and (freed or len(parts) > 1)):
                room |= tile
            if may_have and not tiles & tile and tiles | tile in _sets():
                grown = with_joker(laid | tile, tile)
        found = self[laid] = Shape(spare, room, grown)
        return found


@cache
def shapes(cap: int | None, *, free: bool) -> Shapes:
    """The table for a kind of game."""
    return Shapes(cap, free=free)


def bit(tile: Card, suits: tuple[Suit, ...]) -> int:
    """The bit of a tile."""
    assert tile.suit is not None, "a joker has none"
    return 1 << suits.index(tile.suit) * KING + tile.rank - ACE


@cache
def every_tile() -> tuple[int, ...]:
    """The bit of each tile, colour by colour."""
    return tuple(1 << at for at in range(_TILES))


def plain(laid: int) -> int:
    """The tiles of a set that are no jokers."""
    return laid & _ALL & ~(laid >> _TILES)


def naturals(laid: int) -> Iterator[int]:
    """Each tile of a set that is no joker."""
    return each(plain(laid))


def each(tiles: int) -> Iterator[int]:
    """Each of some tiles."""
    while tiles:
        tile = tiles & -tiles
        yield tile
        tiles ^= tile


def jokers(laid: int) -> int:
    """Count the jokers of a set."""
    return (laid >> _TILES).bit_count()


def with_joker(laid: int, tile: int) -> int:
    """A set with a joker in the place of a tile."""
    return laid | tile << _TILES


@cache
def _groups() -> frozenset[int]:
    return frozenset(
        sum(1 << colour * KING + number for colour in some)
        for number in range(KING)
        for size in range(WHOLE, LARGEST + 1)
        for some in combinations(range(LARGEST), size)
    )


@cache
def _runs() -> frozenset[int]:
    return frozenset(
        sum(1 << colour * KING + number for number in range(first, last + 1))
        for colour in range(LARGEST)
        for first in range(KING)
        for last in range(first + WHOLE - 1, KING)
    )


def _near(tiles: int) -> int:
    """The tiles of the number or of the colour of a set."""
    lowest = tiles & -tiles
    row = _ROW << (lowest.bit_length() - 1) // KING * KING
    return row if lowest << 1 & tiles & row else _COLUMN << (lowest.bit_length() - 1) % KING


@cache
def _sets() -> frozenset[int]:
    return _groups() | _runs()


@cache
def threes(tile: int) -> tuple[int, ...]:
    """The sets of three that hold a tile."""
    found = (some for some in _sets() if some & tile and some.bit_count() == WHOLE)
    return tuple(sorted(found))


@lru_cache(maxsize=_KEPT)
def without(laid: int, tile: int) -> tuple[int, ...]:
    """What is left of a set without one of its naturals; nothing where that is no set."""
    tiles, wild = laid & _ALL, laid >> _TILES
    rest = tiles ^ tile
    parts = (rest,) if rest in _sets() else (rest & (tile - 1), rest & -tile)
    if not _sets().issuperset(parts) or any(part & ~wild == 0 for part in parts):
        return ()
    return tuple(part | (wild & part) << _TILES for part in parts)


@lru_cache(maxsize=_KEPT)
def joined(laid: int, tile: int) -> tuple[tuple[int, ...], int]:
    """What becomes of a set that a tile joins, and how many jokers that sets free.

    Nothing where it cannot join. A run that has the tile is split; the tile takes the place of a
    joker that stands for it, which in a group may stand for another colour instead.
    """
    tiles, wild = laid & _ALL, laid >> _TILES
    if wild & tile:
        rest = laid ^ tile << _TILES
        others = [one for one in each(_near(tiles) & ~tiles) if tiles | one in _groups()]
        return ((rest,), 1) if not others else ((with_joker(rest | others[0], others[0]),), 0)
    if not tiles & tile:
        return ((laid | tile,), 0) if tiles | tile in _sets() else ((), 0)
    parts = tiles & (tile | tile - 1), tiles & -tile
    if not _runs().issuperset(parts):
        return (), 0
    return tuple(part | (wild & part) << _TILES for part in parts), 0


@lru_cache(maxsize=_KEPT)
def read(cards: Cards, rules: MeldRules) -> int:
    """Read a set as it lies; 0 where it has a tile twice, as a run from 1 round to 1."""
    stands = legal_readings(cards, rules)[0].stands
    laid = 0
    for card, stand in zip(cards, stands, strict=True):
        tile = bit(stand, rules.pack.suits)
        if laid & tile:
            return 0
        laid |= with_joker(tile, tile) if card is JOKER else tile
    return laid


@lru_cache(maxsize=_KEPT)
def write(laid: int, suits: tuple[Suit, ...]) -> Cards:
    """The tiles of a set, jokers in their places; groups by colour, runs rising."""
    return tuple(
        JOKER if laid >> _TILES & tile else Card(at % KING + ACE, suits[at // KING])
        for at, tile in enumerate(every_tile())
        if laid & tile
    )
