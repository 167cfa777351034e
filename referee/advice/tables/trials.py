"""What is tried in the search for the best turn: pools to be arranged, and what came of them.

Whatever is arranged is put to the referee before it is the best so far. For a pool the numbers are
swept both ways in turn, up and down, longer each time, for what cannot be played is met early in
one of the two: the worst positions take a tenth of the time so. After a short look each learns from
the other what is lost beyond its numbers at least.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from typing import Final

from referee.advice.budget import Budget
from referee.advice.tables.pools import Layout, Pool, fitting
from referee.advice.tables.sweep import NoRoom, Sweep, SweepTask, Swept
from referee.cards import JOKER, Card, Cards
from referee.judging import allows
from referee.melds.rules import MeldRules
from referee.plays import Rearrange
from referee.variant import Variant

BUDGET: Final = 20_000
"""How many ways are looked at before the best so far must do."""
_TIDYING: Final = 1_000
"""How many ways are looked at to leave sets as they are: about five sets are tried."""
_FIRST: Final = 10_000
"""Outweighs what all the tiles of a game are worth."""
_PART: Final = 400
"""How much work is done in one direction before the other is tried."""


@dataclass(slots=True, kw_only=True)
class Sweeper:
    """Arranges pools under the rules of one game."""

    rules: MeldRules
    cost: Callable[[Card], int]
    """What it costs to keep a tile in hand."""

    def best(self, task: SweepTask, budget: Budget) -> Swept | None:
        """Arrange a pool so that what stays in hand costs least.

        None if that is impossible, or costs too much, or the budget ran out.
        """
        for thrifty in (True, False) if task.can_be_thrifty else (False,):
            sweeps: list[Sweep] = []
            found = self._both(task, budget, sweeps, thrifty=thrifty)
            for sweep in sweeps:
                # What waits there leads back to the sweep.
                sweep.queue.clear()
            if not isinstance(found, NoRoom):
                return found
        return None

    def _both(
        self, task: SweepTask, budget: Budget, sweeps: list[Sweep], *, thrifty: bool
    ) -> Swept | NoRoom | None:
        """Sweep up and down in turn, longer each time, until one of the two has the answer."""
        runs = self.rules.runs
        ways = [False, True] if runs.high == runs.top and not runs.wrap else [False]
        # The direction that knows something of what is beyond goes first.
        ways.sort(key=lambda mirrored: not task.known[mirrored])
        # What a track has not seen when the budget runs out is not looked at again.
        part = budget.left if runs.wrap else budget.left // 2 if task.hurry else _PART
        while not budget.spent:
            for at, mirrored in enumerate(ways):
                if at == len(sweeps):
                    layout = Layout(task.pool, self.rules, self.cost, Budget(0), mirrored, thrifty)
                    sweeps.append(Sweep(task, layout))
                    sweeps[at].learn(task.known[mirrored])
                if len(sweeps) > 1 and part > _PART:
                    sweeps[at].learn(sweeps[1 - at].beyond())
                own, most = sweeps[at].layout.budget, min(part, budget.left)
                own.left = most
                found = sweeps[at].best()
                budget.left -= most - own.left
                if isinstance(found, Swept) and task.teaches:
                    # What is beyond for a sweep up one down has been through.
                    learned = {not sweep.layout.mirrored: sweep.beyond() for sweep in sweeps}
                    return replace(found, learned=(learned.get(False, []), learned.get(True, [])))
                if found is not None or not own.spent:
                    return found
            part *= 4
        return None

    def least(self, pool: Pool) -> int:
        """What it costs at least: that tiles stay in hand which fit in no set."""
        return sum(map(self.cost, (pool.may - fitting(pool, self.rules)).elements()))


@dataclass(frozen=True, slots=True)
class Case:
    """A pool, with what is fixed: sets as they will be, and naturals that are jokers."""

    pool: Pool
    fixed: tuple[Cards, ...] = ()
    staying: Cards = ()
    homes: tuple[Cards, ...] = ()
    """The sets of the table, jokers that stay as what they stand for."""

    def with_played(self, sets: Iterable[Cards]) -> "Case":
        """The same with everything that is in these sets on the table: nothing else is played."""
        must, fresh = count(sets), self.pool.fresh
        jokers = must.pop(JOKER, 0) - fresh
        pool = replace(self.pool, must=must, may=Counter(), jokers=jokers, spare=0)
        return replace(self, pool=pool)

    def with_fixed(self, home: Cards) -> "Case":
        """The same with a set of the table fixed as it lay."""
        tiles = Counter(home)
        jokers = self.pool.jokers - tiles.pop(JOKER, 0)
        pool = replace(self.pool, must=self.pool.must - tiles, jokers=jokers)
        return replace(self, pool=pool, fixed=(*self.fixed, home))


@dataclass(slots=True)
class Trials:
    """The position, and the best turn that was found in it so far."""

    variant: Variant
    rack: Cards
    given: tuple[Cards, ...]
    """The sets on the table as they were given."""
    table: tuple[Cards, ...]
    """The same in an order that is legal."""
    opened: bool
    by_value: bool
    sweeper: Sweeper = field(init=False)
    budget: Budget = field(default_factory=partial(Budget, BUDGET))
    below: int = field(init=False)
    """What it costs to keep what is kept; that has to be bettered."""
    after: tuple[Cards, ...] | None = None
    """The table after the best turn so far."""
    case: Case | None = None
    """What was arranged for it."""
    sets: tuple[Cards, ...] = ()
    """How that was arranged."""

    def __post_init__(self) -> None:
        # Nothing of these leads back here, so that no garbage is left for anybody to look for.
        self.sweeper = Sweeper(
            rules=self.variant.melds_at(None),
            cost=cache(partial(_cost, self.variant, self.by_value)),
        )
        self.below = sum(map(self.sweeper.cost, self.rack))

    def pool(self, table: Iterable[Cards]) -> Pool:
        """The rack and some sets as a pool in which all jokers are loose."""
        must, may = count(table), Counter(self.rack)
        jokers, spare = must.pop(JOKER, 0), may.pop(JOKER, 0)
        return Pool(must, may, jokers=jokers, spare=spare)

    def task(self, pool: Pool) -> SweepTask:
        """To arrange a pool better than all before."""
        return SweepTask(self.sweeper.rules, pool, self.below, lying=self.table)

    def try_out(self, case: Case, task: SweepTask) -> Swept | None:
        """Arrange a case, and take that if it is better and legal."""
        found = self.sweeper.best(task, self.budget)
        if found is not None:
            self.take(case, found.cost, found.sets)
        return found

    def take(self, case: Case, cost: int, sets: tuple[Cards, ...]) -> None:
        """Take an arrangement if it is better and the referee allows it."""
        if cost < self.below and self._take(case, sets):
            self.below, self.case, self.sets = cost, case, sets

    def _take(self, case: Case, sets: tuple[Cards, ...]) -> bool:
        """Take an arrangement if the referee allows it."""
        every = _jokers_in((*sets, *case.fixed), case.staying, case.homes)
        after = next(filter(self._allows, every), None)
        if after is not None:
            self.after = after
        return after is not None

    def tidy(self) -> None:
        """Leave sets as they lay if that is no loss: one after the other is fixed, if it can be."""
        if self.case is None:
            return
        budget, sets, moved = Budget(_TIDYING), [*self.sets], list[Cards]()
        case = self.case.with_played(sets)
        for home in case.homes:
            same = next((one for one in sets if Counter(one) == Counter(home)), None)
            if same is None:
                moved.append(home)
            else:
                sets.remove(same)
                case = case.with_fixed(home)
        # A set that tiles joined can stay more often than one that was taken apart.
        moved.sort(key=lambda home: not any(Counter(home) <= Counter(one) for one in sets))
        for home in moved:
            fixed = case.with_fixed(home)
            task = SweepTask(self.sweeper.rules, fixed.pool, lying=self.table)
            found = self.sweeper.best(task, budget)
            if found is not None and self._take(fixed, found.sets):
                case = fixed

    def _allows(self, after: tuple[Cards, ...]) -> bool:
        play = Rearrange(before=self.given, after=after, rack=self.rack, opened=self.opened)
        return allows(play, self.variant)


def _cost(variant: Variant, by_value: bool, card: Card) -> int:  # noqa: FBT001 - the aim
    there = card is not JOKER or variant.pack.jokers
    points = variant.values.points(card, variant.wilds.cards) if there else 0
    return _FIRST * points + 1 if by_value else _FIRST + points


def _jokers_in(
    sets: tuple[Cards, ...], staying: Cards, homes: Sequence[Cards]
) -> Iterator[tuple[Cards, ...]]:
    """Sets with jokers that stay in the place of what they stand for, where they lay at first."""
    if not staying:
        yield sets
        return
    tile, *others = staying
    holding = [at for at, cards in enumerate(sets) if tile in cards]
    lay = set(map(frozenset, homes))
    holding.sort(key=lambda at: (frozenset(sets[at]) not in lay, sets[at].count(JOKER)))
    for at in holding:
        place = sets[at].index(tile)
        laid = (*sets[at][:place], JOKER, *sets[at][place + 1 :])
        yield from _jokers_in((*sets[:at], laid, *sets[at + 1 :]), tuple(others), homes)


def count(melds: Iterable[Cards]) -> Counter[Card]:
    """Count the tiles of some sets."""
    return Counter(chain.from_iterable(melds))
