"""The best arrangement of a pool of tiles: which sweeps are made for it, and in what order.

The numbers are swept both ways in turn, up and down, a little longer each time, for what cannot be
played is met early in one of the two: the worst positions take a tenth of the time so. Each learns
from the other what is lost beyond its numbers at the least; and so do the sweeps for a pool of the
same tiles of which more is asked.

Most tiles come first, then few sets that are moved. What is played is found among tiles that are
but tiles. It must lie then, and is arranged again by the same sweep, in which a set may simply be
left as it lies, and moving it costs a little.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from referee.advice.tables.pools import Layout
from referee.advice.tables.sweep import Found, NoRoom, Sweep, Task
from referee.advice.tables.tracks import Budget
from referee.cards import JOKER, KING

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.advice.tables.pools import Pool
    from referee.cards import Card
    from referee.melds import MeldRules

_TIDYING: Final = 1_800
"""How much work is done to leave more sets as they lie."""
_GUESS: Final = 2500
"""How much work is done in the hope that everything can be played."""
_CROWDED: Final = 5
"""How many times as many tiles lie on a full table as on a rack."""
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
    floors: dict[bool, list[int]] = field(default_factory=dict)
    """What is lost beyond each number at the least, for a sweep that goes up (False) or down."""
    latest: list[Sweep] = field(default_factory=list)
    """The sweeps that were made last for a pool with nothing lying."""

    def go_by_latest(self) -> None:
        """Take what the latest pool loses as what the pools after it lose at the least.

        They are made of the same tiles, but more is asked of them.
        """
        self.floors = {not sweep.layout.mirrored: sweep.beyond() for sweep in self.latest}

    def best(
        self, pool: Pool, *, below: int | None = None, points: int = 0, hurry: bool = False
    ) -> Found | None:
        """Arrange a pool so that what stays in hand costs least.

        None where that is impossible, or costs no less than `below`, or the budget ran out. The
        sets are to be worth so many points. In a hurry the first arrangement will do, whatever it
        costs. Of arrangements that play the same tiles, one is given that leaves many sets as they
        lie: the fewest are moved in most cases, which is not proven.
        """
        task = Task(self.rules, pool, below, points, self.worth, hurry)
        if not pool.lying or self.rules.runs.wrap:
            return self._search(task, self.budget)
        if pool.must.total() > _CROWDED * pool.may.total():
            # On a full table everything fits somewhere, as a rule.
            found = self._arrange(task, pool.must + pool.may, pool.jokers + pool.spare, _GUESS)
            if found is not None:
                return found
        found = self._search(replace(task, pool=replace(pool, lying=())), self.budget)
        if found is None:
            return None
        laid = Counter(card for cards in found.sets for card in cards)
        jokers = laid.pop(JOKER, 0) - pool.fresh
        tidy = self._arrange(task, laid, jokers, _TIDYING)
        return found if tidy is None else replace(tidy, cost=found.cost)

    def _arrange(self, task: Task, tiles: Counter[Card], jokers: int, work: int) -> Found | None:
        """Arrange tiles all of which must lie, moving few sets."""
        must = replace(task.pool, must=tiles, may=Counter(), jokers=jokers, spare=0)
        return self._search(replace(task, pool=must), Budget(work))

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
        ways.sort(key=lambda mirrored: mirrored not in self.floors)
        sweeps: list[Sweep] = []
        if not task.pool.lying:
            self.latest = sweeps
        # What foresight has not seen when the budget runs out is not looked at again.
        part = budget.left if runs.wrap else _PART
        while not budget.spent:
            for at, mirrored in enumerate(ways):
                if at == len(sweeps):
                    layout = Layout(
                        task.pool, self.rules, self.cost, Budget(0), runs.wrap, mirrored, thrifty
                    )
                    sweeps.append(Sweep(task, layout))
                    if mirrored in self.floors and not task.pool.lying:
                        sweeps[at].learn(self.floors[mirrored])
                if len(sweeps) > 1 and not task.pool.lying:
                    # What a set costs that is moved is lost at the number where it begins.
                    sweeps[at].learn(sweeps[1 - at].beyond())
                own, most = sweeps[at].layout.budget, min(part, budget.left)
                own.left = most
                found = sweeps[at].best()
                budget.left -= most - own.left
                if found is not None or not own.spent:
                    return found
            part *= 2
        return None
