"""The tiles of a turn laid out for a sweep, by color and by number.

A sweep takes the colors in two halves. What both colors of a half may do together depends on
their two states alone, so it is worked out once, however many states of all four they come up in.
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
"""Where the free jokers that are left are counted in a state of the sweep; the place is below."""
FRESH: Final = 11
"""Where the fresh ones are."""
POINTS: Final = 17
"""Where the points that are laid are."""
TRACKS: Final = 32
"""Where the states of the colors are."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The tiles that sets are made of."""

    must: Counter[Card]
    """Naturals that must be in sets afterwards."""
    may: Counter[Card]
    """Naturals that may stay in hand."""
    jokers: int = 0
    """Jokers that must be in sets, in whichever."""
    fresh: int = 0
    """Jokers that must be in new sets."""
    spare: int = 0
    """Jokers that may stay in hand."""
    terms: Terms = NO_TERMS


class Pair(NamedTuple):
    """What two colors do at one number."""

    added: int
    """What to add to the state of the sweep."""
    free: int
    """The free jokers put to runs there."""
    fresh: int
    """The fresh ones."""
    lack: int
    """How many are needed after that."""
    kept: int
    """How many naturals stay in hand."""
    least: tuple[int, ...]
    """What is lost after that at least."""
    ways: tuple[Way, Way]


@dataclass(slots=True, eq=False)
class Both:
    """All that two colors may do at one number in their states."""

    one: Ways
    other: Ways
    wilds: int
    half: int
    known: dict[tuple[int, int], list[Pair]] = field(default_factory=dict)

    def pairs(self, grouped: tuple[int, int]) -> list[Pair]:
        """What they may do when so many tiles of each go to groups."""
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

    def _pair(self, one: Way, other: Way) -> Pair:
        free, fresh = one.free + other.free, one.fresh + other.fresh
        states = (one.state | other.state << WIDTH) << TRACKS + 2 * WIDTH * self.half
        return Pair(
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
    """Half of the colors: two of the four."""

    one: Track
    other: Track
    half: int
    known: list[dict[int, Both | None]] = field(init=False)

    def __post_init__(self) -> None:
        self.known = [{} for _ in self.one.known]

    def look(self, place: int, states: int) -> Both | None:
        """What may be done at a place, None if it leads nowhere."""
        known = self.known[place]
        if states not in known:
            one = self.one.look(place, states & _STATE)
            other = self.other.look(place, states >> WIDTH) if one else None
            wilds = sum(self.one.jokers)
            known[states] = Both(one, other, wilds, self.half) if one and other else None
        return known[states]


_STATE: Final = (1 << WIDTH) - 1


def together(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """What two lose at least between them, with 0, 1… jokers for both."""
    if len(one) == 1:
        return (one[0] + other[0],)
    return tuple(
        [min([one[at] + other[many - at] for at in range(many + 1)]) for many in range(len(one))]
    )


@dataclass(slots=True)
class Layout:
    """A pool laid out."""

    pool: Pool
    rules: MeldRules
    cost: Callable[[Card], int]
    budget: Budget
    mirrored: bool
    """Whether the numbers are taken from the last down."""
    thrifty: bool
    """Whether jokers are put only where they are needed."""
    unfit: list[int] = field(default_factory=lambda: [0] * (ACE + KING + 2))
    """What the tiles cost that fit in no set, by number."""
    cap: int | None = field(init=False)
    halves: tuple[Half, Half] = field(init=False)
    group_terms: list[GroupTerms] = field(init=False)
    """What is asked of the groups, by number."""
    keep: list[int] = field(init=False)
    """What it costs to keep a tile, by number; the colors cost alike."""

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
        """What the tiles cost that fit in no set."""
        return sum(self.unfit)

    @property
    def places(self) -> int:
        """The last place of a run."""
        return self.rules.runs.top if self.rules.runs.wrap else self.rules.runs.high

    def rank(self, place: int) -> int:
        """The number that is at a place of the sweep, or the place of a number."""
        top = self.rules.runs.top
        return ACE + top - place if self.mirrored else rank_at(place, top)

    def by_colour(self, tiles: Counter[Card]) -> list[list[int]]:
        """Tiles counted by color and place; there are none at 0 and beyond the last number."""
        rows = {suit: [0] * (self.rules.runs.top + 2) for suit in self.rules.pack.suits}
        for tile, count in tiles.items():
            if tile.suit is not None:
                rows[tile.suit][self.rank(tile.rank)] = count
        return list(rows.values())


def fitting(pool: Pool, rules: MeldRules) -> Counter[Card]:
    """What may be used of the tiles that may stay in hand.

    The others are in no set of three, whatever is made of all that there is.
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
    """The places that are in a row of three with as many tiles as are wanted."""
    one, two, three = places, places >> 1, places >> 2
    if wanted >= WHOLE:
        rows = one & two & three
    elif wanted == WHOLE - 1:
        rows = one & two | one & three | two & three
    else:
        rows = one | two | three
    rows &= starts
    return rows | rows << 1 | rows << 2
