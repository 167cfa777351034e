"""The best arrangement of a pool of tiles: which sweeps are made for it, and in what order.

The numbers are swept both ways in turn, up and down, a little longer each time, for what cannot be
played is met early in one of the two: the worst positions take a tenth of the time so. Each learns
from the other what is lost beyond its numbers at the least.

Most tiles come first, then few sets that are disturbed. A sweep costs it a little that tiles leave
the groups of the table for runs, or runs for groups; what is then known to be the most that can be
played is put to the table as it lies (`inserting`). On a full table everything fits somewhere, as a
rule, so that is tried at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from referee.advice.budget import Budget
from referee.advice.tables.inserting import insert
from referee.advice.tables.pools import Layout, fitting
from referee.advice.tables.sweep import Found, NoRoom, Sweep, Task
from referee.cards import JOKER, KING

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.advice.tables.pools import Pool
    from referee.cards import Card, Cards
    from referee.melds.rules import MeldRules

_CROWDED: Final = 5
"""How many times as many tiles lie on a full table as on a rack."""
_GUESS: Final = 2_500
"""How much work is done in the hope that everything can be played."""
_PART: Final = 700
"""How much work is done in one direction before the other is tried."""


@dataclass(slots=True, kw_only=True)
class Sweeper:
    """Arranges pools under the rules of one game."""

    rules: MeldRules
    cost: Callable[[Card], int]
    """What it costs to keep a tile in hand."""
    budget: Budget
    worth: Callable[[int], tuple[int, int]] = lambda rank: (rank, rank)
    """What a natural and a joker count at a number, where points are asked for."""
    free: bool = False
    """Whether jokers may be taken and go anywhere."""

    def best(
        self, pool: Pool, *, below: int | None = None, points: int = 0, hurry: bool = False
    ) -> Found | None:
        """Arrange a pool so that what stays in hand costs least.

        None where that is impossible, or costs no less than `below`, or the budget ran out. The
        sets are to be worth so many points. In a hurry the first arrangement will do, whatever it
        costs. Many sets are left as they lie; that they are the most is not proven.
        """
        task = Task(self.rules, pool, below, points, self.worth, hurry)
        if pool.lying and pool.must.total() > _CROWDED * pool.may.total():
            if below is not None and self.least(pool) >= below:
                return None
            found = self._guess(task)
            if found is not None:
                return found
        found = self._search(task, self.budget)
        return found and self._tidy(pool, found)

    def least(self, pool: Pool) -> int:
        """What it costs at the least: that tiles stay in hand which fit in no set."""
        return self._left(pool, fitting(pool, self.rules))

    def _guess(self, task: Task) -> Found | None:
        """Try to play all that fits anywhere."""
        pool = task.pool
        tiles = fitting(pool, self.rules)
        found = self._insert(pool, (*tiles.elements(), *(JOKER,) * pool.spare))
        if found is None:
            must, jokers = pool.must + tiles, pool.jokers + pool.spare
            every = replace(pool, must=must, may=Counter(), jokers=jokers, spare=0)
            found = self._search(replace(task, pool=every), Budget(_GUESS))
            found = found and self._tidy(pool, replace(found, cost=self._left(pool, tiles)))
        return found

    def _tidy(self, pool: Pool, found: Found) -> Found:
        """Leave sets as they lie where that is no loss."""
        if not pool.lying:
            return found
        played = Counter(chain.from_iterable(found.sets))
        played.subtract(chain.from_iterable(pool.lying))
        return self._insert(pool, tuple(played.elements()), found.sets) or found

    def _insert(self, pool: Pool, tiles: Cards, target: tuple[Cards, ...] = ()) -> Found | None:
        """Put tiles to the table as it lies."""
        sets = insert(pool.lying, tiles, self.rules, free=self.free, target=target)
        if sets is None:
            return None
        played = Counter(tiles)
        unused = pool.spare - played.pop(JOKER, 0)
        return Found(self._left(pool, played) + self.cost(JOKER) * unused, sets)

    def _left(self, pool: Pool, played: Counter[Card]) -> int:
        """What it costs that the other naturals stay in hand."""
        left = pool.may - played
        return sum(self.cost(tile) * count for tile, count in left.items())

    def _search(self, task: Task, budget: Budget) -> Found | None:
        """Sweep, with jokers where they are needed first, if that will do."""
        for thrifty in (True, False) if task.can_be_thrifty else (False,):
            found = self._both(task, budget, thrifty=thrifty)
            if not isinstance(found, NoRoom):
                return found
        return None

    def _both(self, task: Task, budget: Budget, *, thrifty: bool) -> Found | NoRoom | None:
        """Sweep up and down in turn, longer each time, until one of the two has the answer.

        What cannot be played shows early in one direction and late in the other.
        """
        runs = self.rules.runs
        ways = [False, True] if runs.high == KING and not runs.wrap else [False]
        sweeps: list[Sweep] = []
        # What foresight has not seen when the budget runs out is not looked at again.
        part = budget.left if runs.wrap else _PART
        while not budget.spent:
            for at, mirrored in enumerate(ways):
                if at == len(sweeps):
                    layout = Layout(
                        task.pool, self.rules, self.cost, Budget(0), runs.wrap, mirrored, thrifty
                    )
                    sweeps.append(Sweep(task, layout))
                if len(sweeps) > 1:
                    sweeps[at].learn(sweeps[1 - at].beyond())
                own, most = sweeps[at].layout.budget, min(part, budget.left)
                own.left = most
                found = sweeps[at].best()
                budget.left -= most - own.left
                if found is not None or not own.spent:
                    return found
            part *= 2
        return None
