"""The tiles of a turn laid out for a sweep: by colour, by number, and by the sets that lie there.

A sweep takes the colours in two halves. What both colours of a half may do together depends on
their two states alone, so it is worked out once, however many states of all four they come up in.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.advice.tables.colours import LARGEST, WHOLE, steps_for
from referee.advice.tables.tracks import TOUCHED, WEIGHT, Budget, Lying, Track
from referee.cards import ACE, JOKER, KING, Card
from referee.melds import ACE_HIGH, rank_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.advice.tables.glances import Way, Ways
    from referee.cards import Cards, Suit
    from referee.melds import MeldRules

_BESIDES: Final = 1
"""How much more it costs to move a set with jokers; it decides between equals only."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The tiles that sets are made of."""

    must: Counter[Card]
    """Naturals that must lie in sets afterwards."""
    may: Counter[Card]
    """Naturals that may stay in hand."""
    jokers: int = 0
    """Jokers that must lie in sets, in whichever."""
    fresh: int = 0
    """Jokers that must lie in new sets."""
    spare: int = 0
    """Jokers that may stay in hand."""
    lying: tuple[Cards, ...] = ()
    """Sets among what must lie that are best left as they are."""


class _Group(NamedTuple):
    """A group that lies on the table."""

    colours: tuple[int, ...]
    jokers: int
    cost: int
    which: int


class Leaving(NamedTuple):
    """Groups of one number that are left as they lie, and what it costs to move the others."""

    inside: tuple[tuple[int, int], tuple[int, int]]
    """How many tiles of each colour lie in them, by halves."""
    jokers: int
    cost: int
    groups: tuple[int, ...]


Pair: TypeAlias = tuple[
    tuple[int, int], int, int, int, int, int, tuple[int, ...], tuple["Way", "Way"]
]
"""What two colours do at one number: the states they reach; the free and the fresh jokers put down
there, and how many are needed after that; what is lost in runs of the table that are moved; how
many naturals stay in hand; what is lost after that at the least; and the two ways. A plain tuple,
for thousands are made."""


@dataclass(slots=True)
class Both:
    """All that two colours may do at one number in their states."""

    one: Ways
    other: Ways
    inside: tuple[int, int]
    wilds: int
    masks: tuple[int, int]
    """How many tiles of each may go to groups, as bits."""
    known: dict[tuple[int, int], list[Pair]] = field(default_factory=dict)

    def pairs(self, grouped: tuple[int, int]) -> list[Pair]:
        """Give what they may do when so many tiles of each go to groups."""
        found = self.known.get(grouped)
        if found is None:
            wilds = self.wilds
            ones = self.one.by_groups[self.inside[0]][grouped[0]]
            others = self.other.by_groups[self.inside[1]][grouped[1]]
            found = self.known[grouped] = [
                (
                    (one[0], other[0]),
                    one[1] + other[1],
                    one[2] + other[2],
                    one[3] + other[3],
                    one[4] + other[4],
                    one[5] + other[5],
                    together(one[6], other[6]) if one[6] else (),
                    (one, other),
                )
                for one in ones
                for other in others
                if one[7] + other[7] <= wilds
            ]
        return found


@dataclass(slots=True)
class Half:
    """Half of the colours: two of the four."""

    one: Track
    other: Track
    known: dict[tuple[int, tuple[int, ...], tuple[int, int]], Both | None] = field(
        default_factory=dict
    )

    def look(self, place: int, states: tuple[int, ...], inside: tuple[int, int]) -> Both | None:
        """Give what may be done at a place, None where it leads nowhere.

        `inside` are the tiles of each colour that are left in groups as they lie.
        """
        key = place, states, inside
        if key in self.known:
            return self.known[key]
        found = None
        one, other = self.one.look(place, states[0]), self.other.look(place, states[1])
        if one and other:
            masks = one.masks[inside[0]], other.masks[inside[1]]
            if all(masks):
                found = Both(one, other, inside, sum(self.one.jokers), masks)
        self.known[key] = found
        return found


def together(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Give what two lose at the least between them, with 0, 1… jokers for both."""
    if len(one) == 1:
        return (one[0] + other[0],)
    return tuple(
        [min([one[at] + other[many - at] for at in range(many + 1)]) for many in range(len(one))]
    )


_NONE_LIES: Final = [Leaving(((0, 0), (0, 0)), 0, 0, ())]


@dataclass(slots=True)
class Layout:
    """A pool laid out."""

    pool: Pool
    rules: MeldRules
    cost: Callable[[Card], int]
    budget: Budget
    foresight: bool
    mirrored: bool
    """Whether the numbers are taken from 13 down."""
    thrifty: bool
    """Whether jokers are put only where they are needed."""
    unfit: list[int] = field(default_factory=lambda: [0] * (ACE_HIGH + 2))
    """What the tiles cost that fit in no set, by number."""
    cap: int | None = field(init=False)
    halves: tuple[Half, Half] = field(init=False)
    leaving: list[list[Leaving]] = field(init=False)
    """By number, which groups may be left as they lie."""
    keep: list[int] = field(init=False)
    """What it costs to keep a tile, by number; the colours cost alike."""

    def __post_init__(self) -> None:
        """Lay out the tiles by colour and number."""
        pool, rules = self.pool, self.rules
        most, wilds = rules.wilds.max_in_meld, pool.jokers + pool.fresh + pool.spare
        self.cap = most if most is not None and most < wilds else None
        steps = steps_for(self.cap, fresh=pool.fresh > 0)
        groups, runs = self._lying()
        every = _tiles(rules.pack.suits, mirrored=self.mirrored)
        may, must = self._fitting(), pool.must
        counts = [[(must.get(tile, 0), may.get(tile, 0)) for tile in tiles] for tiles in every]
        totals = [tuple(map(sum, there)) for there in zip(*counts, strict=True)]
        self.leaving = [self._each_leaving(some) if some else _NONE_LIES for some in groups]
        self.keep = [WEIGHT * self.cost(tile) if tile else 0 for tile in (*every[0], None)]
        tracks = []
        for colour in range(len(every)):
            track = Track(
                self.budget,
                steps,
                self.foresight,
                self.thrifty,
                self.places,
                rules.runs.wrap,
                (pool.jokers + pool.spare, pool.fresh),
                holds=rules.runs.high == ACE_HIGH and not rules.runs.wrap,
                tiles=[
                    (least, most, keep if most else 0)
                    for (least, most), keep in zip(counts[colour], self.keep, strict=False)
                ],
                groups=[_shares(some, colour) if some else () for some in groups],
                room=[_room(there, colour, wilds) for there in totals],
                lying=runs[colour],
            )
            # A 1 above the 13 lies in no group.
            track.room.append((0, 0))
            track.tiles.append((0, 0, 0))
            tracks.append(track)
        one, two, three, four = tracks
        self.halves = Half(one, two), Half(three, four)

    @property
    def base(self) -> int:
        """Give what the tiles cost that fit in no set."""
        return sum(self.unfit)

    @property
    def places(self) -> int:
        """Give the last place of a run."""
        return KING if self.rules.runs.wrap else self.rules.runs.high

    def rank(self, place: int) -> int:
        """Give the number that stands at a place of the sweep, or the place of a number."""
        return ACE + KING - place if self.mirrored else rank_at(place)

    def _fitting(self) -> Counter[Card]:
        """Give what may lie; tiles that fit in no set whatever is done stay in hand at once."""
        may = self.pool.may
        if not may:
            return may
        fitting, fits = Counter(may), _fitting_in(self.pool, self.rules)
        for tile in may:
            if not fits(tile):
                self.unfit[self.rank(tile.rank)] += fitting.pop(tile) * WEIGHT * self.cost(tile)
        return fitting

    def _lying(self) -> tuple[list[list[_Group]], list[list[Lying]]]:
        """Give the groups that lie there by number, and the runs by colour."""
        suits = self.rules.pack.suits
        groups: list[list[_Group]] = [[] for _ in range(ACE_HIGH + 1)]
        runs: list[list[Lying]] = [[] for _ in suits]
        for which, cards in enumerate(self.pool.lying):
            tiles = [card for card in cards if card is not JOKER]
            jokers = len(cards) - len(tiles)
            cost = TOUCHED + (_BESIDES if jokers else 0)
            if len({tile.rank for tile in tiles}) == 1:
                colours = tuple(suits.index(tile.suit) for tile in tiles if tile.suit is not None)
                groups[self.rank(tiles[0].rank)].append(_Group(colours, jokers, cost, which))
            elif tiles[0].suit is not None:
                numbers = Counter(self.rank(tile.rank) for tile in tiles)
                first, last = min(numbers), max(numbers)
                run = Lying(numbers, first, last, jokers, cost, which)
                runs[suits.index(tiles[0].suit)].append(run)
        return groups, runs

    def _each_leaving(self, groups: list[_Group]) -> list[Leaving]:
        """Give which of the groups of a number may be left as they lie, all of them first."""
        found = []
        for stays in product((True, False), repeat=len(groups)):
            left = [group for group, stay in zip(groups, stays, strict=True) if stay]
            there = Counter(colour for group in left for colour in group.colours)
            found.append(
                Leaving(
                    ((there[0], there[1]), (there[2], there[3])),
                    sum(group.jokers for group in left),
                    sum(group.cost for group in groups) - sum(group.cost for group in left),
                    tuple(group.which for group in left),
                )
            )
        return found


def _fitting_in(pool: Pool, rules: MeldRules) -> Callable[[Card], bool]:
    """Say of a tile whether any set of three holds it, out of all that there is."""
    runs, suits = rules.runs, rules.pack.suits
    wanted = WHOLE - pool.jokers - pool.fresh - pool.spare
    places: dict[Suit | None, set[int]] = {suit: set() for suit in suits}
    for tile in (*pool.must, *pool.may):
        places[tile.suit].update((tile.rank, tile.rank + KING))
    starts = range(ACE, KING + 1) if runs.wrap else runs.starts(WHOLE)

    def fits(tile: Card) -> bool:
        there, rank = places[tile.suit], tile.rank
        if sum(rank in places[suit] for suit in suits) >= wanted:
            return True
        for end in (rank, rank + KING):
            for start in range(end - WHOLE + 1, end + 1):
                if (
                    start in starts
                    and len(there.intersection(range(start, start + WHOLE))) >= wanted
                ):
                    return True
        return False

    return fits


@lru_cache(maxsize=8)
def _tiles(suits: tuple[Suit, ...], *, mirrored: bool) -> tuple[tuple[Card, ...], ...]:
    """Give the tiles of each colour by their place in the sweep; no tile is at 0."""
    ranks = (0, *range(KING, ACE - 1, -1)) if mirrored else range(KING + 1)
    return tuple(tuple(Card(rank, suit) for rank in ranks) for suit in suits)


def _shares(groups: list[_Group], colour: int) -> tuple[int, ...]:
    """Give the share of a colour in what it costs to move each group, the dearest first."""
    each = (group.cost // len(group.colours) for group in groups if colour in group.colours)
    return tuple(sorted(each, reverse=True))


@lru_cache(maxsize=20_000)
def _room(there: tuple[int, ...], colour: int, wilds: int) -> tuple[int, int]:
    """Give how many tiles of a colour may go to groups, and how many jokers they need then.

    `there` are how many tiles of each colour there are at the number.
    """
    others, most = [*there[:colour], *there[colour + 1 :]], 0
    while sum(min(count, most + 1) for count in others) + wilds >= (WHOLE - 1) * (most + 1):
        most += 1
        if most == LARGEST:
            break
    # With another colour there the jokers would be counted twice.
    return most, 0 if any(others) else WHOLE - 1
