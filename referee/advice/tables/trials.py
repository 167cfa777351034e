"""Arrange pools of tiles, and remember the best turn that the referee allows.

Every arrangement is checked by the referee before it becomes the best so far. A pool is swept in
both directions in turn, for longer each time, because one of them soon meets the tiles that can’t
be played. After a short time, each sweep learns from the other the least cost beyond its place.
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
"""The units of work for the search of a turn; after that, the best turn so far is advised."""
_TIDYING: Final = 1_000
"""The units of work for leaving sets as they are, enough to try about 5 sets."""
_FIRST: Final = 10_000
"""How much more the cost of a tile counts what matters first (tiles or value) than the other."""
_PART: Final = 400
"""The units of work in one direction before the other is tried for the first time."""


@dataclass(slots=True, kw_only=True)
class Sweeper:
    """Arranges pools under the rules of one game."""

    rules: MeldRules
    cost: Callable[[Card], int]
    """Returns the cost of keeping a tile in hand."""

    def best(self, task: SweepTask, budget: Budget) -> Swept | None:
        """Return the arrangement of the task’s pool with the least cost.

        Return None if there isn’t one below the bound of the task, or if the budget was used up
        first; `budget.spent` is true then.
        """
        for thrifty in (True, False) if task.can_be_thrifty else (False,):
            sweeps: list[Sweep] = []
            found = self._both(task, budget, sweeps, thrifty=thrifty)
            for sweep in sweeps:
                # Waiting items refer back to the sweep; clearing them avoids reference cycles.
                sweep.queue.clear()
            if not isinstance(found, NoRoom):
                return found
        return None

    def _both(
        self, task: SweepTask, budget: Budget, sweeps: list[Sweep], *, thrifty: bool
    ) -> Swept | NoRoom | None:
        """Sweep up and down in turn, longer each time, until one of the two has a result.

        Append the sweeps to `sweeps`.
        """
        runs = self.rules.runs
        ways = [False, True] if runs.high == runs.top and not runs.wrap else [False]
        # The direction that already knows bounds goes first.
        ways.sort(key=lambda mirrored: not task.known[mirrored])
        # A track that runs out of budget remembers dead ends that aren’t, so it can’t be continued:
        # with runs around the corner, use the whole budget at once.
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
                    # A sweep down knows the costs beyond each place of a sweep up, and the reverse.
                    learned = {not sweep.layout.mirrored: sweep.beyond() for sweep in sweeps}
                    return replace(found, learned=(learned.get(False, []), learned.get(True, [])))
                if found is not None or not own.spent:
                    return found
            part *= 4
        return None

    def least(self, pool: Pool) -> int:
        """Return a lower bound for the cost of any arrangement: the tiles that fit in no set."""
        return sum(map(self.cost, (pool.may - fitting(pool, self.rules)).elements()))


@dataclass(frozen=True, slots=True)
class Case:
    """A pool to arrange, and how an arrangement of it becomes the table after the turn.

    If red 3 JK 5 is on the table and its joker stays what it is, red 3, 4 and 5 are in `pool.must`,
    red 4 is in `staying`, and red 3 4 5 is in `homes`.
    """

    pool: Pool
    fixed: tuple[Cards, ...] = ()
    """Sets that will be on the table as they are; their tiles aren’t in the pool."""
    staying: Cards = ()
    """Tiles that the pool has in place of jokers which stand for them, and go on doing so."""
    homes: tuple[Cards, ...] = ()
    """The old sets that could be left as they were, with jokers as the tiles they stand for."""

    def with_played(self, sets: Iterable[Cards]) -> "Case":
        """Return the case in which the tiles of these sets are played, and no others."""
        must, fresh = count(sets), self.pool.fresh
        jokers = must.pop(JOKER, 0) - fresh
        pool = replace(self.pool, must=must, may=Counter(), jokers=jokers, spare=0)
        return replace(self, pool=pool)

    def with_fixed(self, home: Cards) -> "Case":
        """Return the case in which this old set (one of `homes`) stays as it was."""
        tiles = Counter(home)
        jokers = self.pool.jokers - tiles.pop(JOKER, 0)
        pool = replace(self.pool, must=self.pool.must - tiles, jokers=jokers)
        return replace(self, pool=pool, fixed=(*self.fixed, home))


@dataclass(slots=True)
class Trials:
    """A player’s rack and a table, and the best turn found so far."""

    variant: Variant
    rack: Cards
    given: tuple[Cards, ...]
    """The sets on the table as they were given."""
    table: tuple[Cards, ...]
    """The sets of `given`, each in a legal order."""
    opened: bool
    """Whether the player opened on an earlier turn."""
    by_value: bool
    """Whether to play the most value instead of the most tiles."""
    sweeper: Sweeper = field(init=False)
    budget: Budget = field(default_factory=partial(Budget, BUDGET))
    below: int = field(init=False)
    """The cost of the best turn so far, or of playing nothing; a better turn is below it."""
    after: tuple[Cards, ...] | None = None
    """The table after the best turn so far; None if there isn’t one."""
    case: Case | None = None
    """The case that was arranged for the best turn."""
    sets: tuple[Cards, ...] = ()
    """The sets in which the pool of `case` was arranged."""

    def __post_init__(self) -> None:
        # None of these refer back to this object, so there are no reference cycles to collect.
        self.sweeper = Sweeper(
            rules=self.variant.melds_at(None),
            cost=cache(partial(_cost, self.variant, self.by_value)),
        )
        self.below = sum(map(self.sweeper.cost, self.rack))

    def pool(self, table: Iterable[Cards]) -> Pool:
        """Return the rack and some sets as a pool in which jokers can go anywhere."""
        must, may = count(table), Counter(self.rack)
        jokers, spare = must.pop(JOKER, 0), may.pop(JOKER, 0)
        return Pool(must, may, jokers=jokers, spare=spare)

    def task(self, pool: Pool) -> SweepTask:
        """Return the task of arranging a pool at a lower cost than the best turn so far."""
        return SweepTask(self.sweeper.rules, pool, self.below, lying=self.table)

    def try_out(self, case: Case, task: SweepTask) -> Swept | None:
        """Arrange a case; if the result is better than before and legal, it becomes the best turn.

        Return the result even if the referee doesn’t allow it; None if there isn’t one.
        """
        found = self.sweeper.best(task, self.budget)
        if found is not None:
            self.take(case, found.cost, found.sets)
        return found

    def take(self, case: Case, cost: int, sets: tuple[Cards, ...]) -> None:
        """Make an arrangement the best turn if it is better and the referee allows it."""
        if cost < self.below and self._take(case, sets):
            self.below, self.case, self.sets = cost, case, sets

    def _take(self, case: Case, sets: tuple[Cards, ...]) -> bool:
        """Set `after` to an arrangement if the referee allows it, and return whether it does."""
        every = _jokers_in((*sets, *case.fixed), case.staying, case.homes)
        after = next(filter(self._allows, every), None)
        if after is not None:
            self.after = after
        return after is not None

    def tidy(self) -> None:
        """Change the best turn to leave old sets as they were if it still plays the same tiles."""
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
        # A set that tiles were added to can stay more often than one that was split.
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
    """Return the cost of keeping a tile: mostly the tile, or with `by_value` mostly its points."""
    there = card is not JOKER or variant.pack.jokers
    points = variant.values.points(card, variant.wilds.cards) if there else 0
    return _FIRST * points + 1 if by_value else _FIRST + points


def _jokers_in(
    sets: tuple[Cards, ...], staying: Cards, homes: Sequence[Cards]
) -> Iterator[tuple[Cards, ...]]:
    """Yield every way to put the jokers that stay back into the sets, for the tiles in `staying`.

    If several sets have such a tile, those that are equal to an old set (`homes`) come first.
    """
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
    """Return how many of each tile are in some sets."""
    return Counter(chain.from_iterable(melds))
