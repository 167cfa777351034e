"""The tiles of a turn, laid out for a sweep by color and by number.

A `Pool` is what to arrange, and a `Layout` is a pool sorted for a sweep in one direction. A sweep
treats the 4 colors in two halves. What the two colors of a half can do together depends only on
their two states (`tracks`), so it is worked out once and used again whatever the other half is in.

A state of a sweep is one integer. From the lowest bit, it has the place, the free jokers left, the
fresh jokers left, the points laid so far, and the states of the colors.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from referee.advice.budget import Budget
from referee.advice.tables.colours import WHOLE, steps_for
from referee.advice.tables.groups import GroupTerms
from referee.advice.tables.terms import NO_TERMS, Terms
from referee.advice.tables.tracks import WIDTH, Track, Way, Ways
from referee.cards import ACE, KING, Card, Suit
from referee.melds.rules import MeldRules, rank_at

FREE: Final = 5
"""The first bit, in a state of a sweep, of the number of free jokers left; the place is below."""
FRESH: Final = 11
"""The first bit, in a state of a sweep, of the number of fresh jokers left."""
POINTS: Final = 17
"""The first bit, in a state of a sweep, of the points laid so far."""
TRACKS: Final = 32
"""The first bit, in a state of a sweep, of the states of the colors."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The tiles to arrange in sets, and what the sets need to meet.

    Jokers are only counted here; `must` and `may` are naturals and jokers that stay what they are,
    as the tiles they stand for (see `Case.staying`).
    """

    must: Counter[Card]
    """Naturals that need to be in sets."""
    may: Counter[Card]
    """Naturals that can be in sets or stay in hand."""
    jokers: int = 0
    """How many free jokers need to be in sets."""
    fresh: int = 0
    """How many fresh jokers there are; they need to be in new sets."""
    spare: int = 0
    """How many free jokers can be in sets or stay in hand."""
    terms: Terms = NO_TERMS
    """What jokers taken from the table ask of the sets."""


class PairWay(NamedTuple):
    """One way of each color of a half, taken together, at one number."""

    added: int
    """The number to add to the state of the sweep for the jokers used and the two new states."""
    free: int
    """How many free jokers are added to runs."""
    fresh: int
    """How many fresh jokers are added to runs."""
    lack: int
    """The fewest jokers needed at later numbers."""
    kept: int
    """How many naturals stay in hand."""
    least: tuple[int, ...]
    """The least cost at later numbers, by the number of jokers left; empty if not known."""
    ways: tuple[Way, Way]


@dataclass(slots=True, eq=False)
class PairWays:
    """Everything that the two colors of a half, in certain states, can do at one number."""

    one: Ways
    other: Ways
    wilds: int
    """How many jokers the pool has."""
    half: int
    """0 for the first half, 1 for the other."""
    known: dict[tuple[int, int], list[PairWay]] = field(default_factory=dict)

    def pairs(self, grouped: tuple[int, int]) -> list[PairWay]:
        """Return what the two colors can do if this many tiles of each go to groups."""
        found = self.known.get(grouped)
        if found is None:
            ones, others = self.one.by_groups[grouped[0]], self.other.by_groups[grouped[1]]
            found = self.known[grouped] = [
                self._pair(one, other)
                for one in ones
                for other in others
                if one.needs + other.needs <= self.wilds
            ]
        return found

    def _pair(self, one: Way, other: Way) -> PairWay:
        free, fresh = one.free + other.free, one.fresh + other.fresh
        states = (one.state | other.state << WIDTH) << TRACKS + 2 * WIDTH * self.half
        return PairWay(
            states - (free << FREE) - (fresh << FRESH),
            free,
            fresh,
            one.lack + other.lack,
            one.kept + other.kept,
            together(one.least, other.least) if one.least else (),
            (one, other),
        )


@dataclass(slots=True)
class Half:
    """Two of the 4 colors, which a sweep asks together."""

    one: Track
    other: Track
    half: int
    """0 for the first half, 1 for the other."""
    known: list[dict[int, PairWays | None]] = field(init=False)

    def __post_init__(self) -> None:
        self.known = [{} for _ in self.one.known]

    def look(self, place: int, states: int) -> PairWays | None:
        """Return what can be done at a place; None if it leads nowhere.

        `states` has the state of the one color in its lowest `WIDTH` bits, and of the other above.
        """
        known = self.known[place]
        if states not in known:
            one = self.one.look(place, states & _STATE)
            other = self.other.look(place, states >> WIDTH) if one else None
            wilds = sum(self.one.jokers)
            known[states] = PairWays(one, other, wilds, self.half) if one and other else None
        return known[states]


_STATE: Final = (1 << WIDTH) - 1


def together(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Return the least that two colors lose together, by the number of jokers for both of them.

    `one` and `other` have what each color loses, by the number of jokers that it gets.
    """
    if len(one) == 1:
        return (one[0] + other[0],)
    return tuple(
        [min([one[at] + other[many - at] for at in range(many + 1)]) for many in range(len(one))]
    )


@dataclass(slots=True)
class Layout:
    """A pool sorted by color and place, for a sweep in one direction.

    A *place* is a number in the order of the sweep: 1 is the lowest number, or the highest if the
    layout is `mirrored`. If a 1 can follow the highest number, it has one more place for that.
    """

    pool: Pool
    rules: MeldRules
    cost: Callable[[Card], int]
    """Returns the cost of keeping a tile in hand."""
    budget: Budget
    mirrored: bool
    """Whether the sweep goes from the highest number down."""
    thrifty: bool
    """Whether the sweep uses a joker only if a set needs it; the jokers left over are added to the
    sets afterwards."""
    unfit: list[int] = field(default_factory=lambda: [0] * (ACE + KING + 2))
    """The total cost of the tiles that fit in no set, by place."""
    cap: int | None = field(init=False)
    """The most jokers in a set; None if a set can have all jokers of the pool."""
    halves: tuple[Half, Half] = field(init=False)
    group_terms: list[GroupTerms] = field(init=False)
    """The terms for groups, by place."""
    keep: list[int] = field(init=False)
    """The cost of keeping a tile in hand, by place; it is the same for all colors."""

    def __post_init__(self) -> None:
        pool, rules = self.pool, self.rules
        suits, runs = rules.pack.suits, rules.runs
        most, wilds = rules.wilds.max_in_meld, pool.jokers + pool.fresh + pool.spare
        self.cap = most if most is not None and most < wilds else None
        steps = steps_for(self.cap, terms=pool.fresh > 0 or pool.terms.any)
        fits = fitting(pool, rules)
        must, may = self.by_colour(pool.must), self.by_colour(fits)
        some = [Card(rank, suits[0]) for rank in rules.pack.ranks]
        keep = [self.cost(tile) for tile in (some[::-1] if self.mirrored else some)]
        self.keep = [0, *keep, 0]
        for tile in (pool.may - fits).elements():
            self.unfit[self.rank(tile.rank)] += self.cost(tile)
        every = [[*map(sum, zip(*rows, strict=True))] for rows in zip(must, may, strict=True)]
        # How many colors there are at each number, and jokers.
        kinds = [wilds + sum(map(bool, there)) for there in zip(*every, strict=True)]
        run_terms, self.group_terms = pool.terms.by_place(suits, self.rank, runs)
        tracks = [
            Track(
                self.budget,
                steps,
                self.places,
                runs.top,
                runs.wrap,
                self.thrifty,
                (pool.jokers + pool.spare, pool.fresh),
                holds=runs.high == runs.above and not runs.wrap,
                # A 1 above the last number is in no group.
                tiles=[*zip(must[colour], may[colour], self.keep, strict=True)],
                room=[
                    there if many - (there > 0) >= WHOLE - 1 else 0
                    for there, many in zip(every[colour], kinds, strict=True)
                ],
                terms=run_terms[colour],
            )
            for colour in range(len(suits))
        ]
        one, two, three, four = tracks
        self.halves = Half(one, two, 0), Half(three, four, 1)

    @property
    def base(self) -> int:
        """The cost of all tiles that fit in no set."""
        return sum(self.unfit)

    @property
    def places(self) -> int:
        """The last place that a run can reach."""
        return self.rules.runs.top if self.rules.runs.wrap else self.rules.runs.high

    def rank(self, place: int) -> int:
        """Return the number at a place, or the place of a number: both are the same function."""
        top = self.rules.runs.top
        return ACE + top - place if self.mirrored else rank_at(place, top)

    def by_colour(self, tiles: Counter[Card]) -> list[list[int]]:
        """Return the number of tiles by color and place.

        Place 0 and the one above the highest number have none: a 1 counts as the lowest number.
        """
        rows = {suit: [0] * (self.rules.runs.top + 2) for suit in self.rules.pack.suits}
        for tile, count in tiles.items():
            if tile.suit is not None:
                rows[tile.suit][self.rank(tile.rank)] = count
        return list(rows.values())


def fitting(pool: Pool, rules: MeldRules) -> Counter[Card]:
    """Return those of the tiles in `pool.may` that could be in a set of 3 with other tiles.

    The others stay in hand in any arrangement.
    """
    suits, runs = rules.pack.suits, rules.runs
    wanted = WHOLE - pool.jokers - pool.fresh - pool.spare
    twice = 1 | 1 << runs.top
    there: dict[Suit | None, int] = dict.fromkeys(suits, 0)
    for tile in (*pool.must, *pool.may):
        there[tile.suit] |= twice << tile.rank
    starts = sum(1 << at for at in (rules.pack.ranks if runs.wrap else runs.starts(WHOLE)))
    fits = {suit: _in_threes(places, wanted, starts) for suit, places in there.items()}
    for rank in {tile.rank for tile in pool.may}:
        if sum(places >> rank & 1 for places in there.values()) >= wanted:
            for suit in suits:
                fits[suit] |= 1 << rank
    return Counter(
        {tile: count for tile, count in pool.may.items() if fits[tile.suit] & twice << tile.rank}
    )


def _in_threes(places: int, wanted: int, starts: int) -> int:
    """Return the places that are in a row of 3 of which at least `wanted` have tiles.

    `places` has the places with tiles, `starts` those where a row can begin, all as bits.
    """
    one, two, three = places, places >> 1, places >> 2
    if wanted >= WHOLE:
        rows = one & two & three
    elif wanted == WHOLE - 1:
        rows = one & two | one & three | two & three
    else:
        rows = one | two | three
    rows &= starts
    return rows | rows << 1 | rows << 2
