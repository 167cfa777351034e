"""Find the best turn in games with a rule for taking jokers from sets: branch and bound.

The referee rules on the best arrangement of a branch (`branches`). If that would leave less in hand
than the best turn so far but the referee rejects it, the branch is split, and each part is tried in
the same way. A part is never better than the whole, so a branch that isn’t better is dropped. If a
branch can’t be split, turns may be missed, so the advice isn’t decided.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from referee.advice.tables.branches import Branch, Branches
from referee.advice.tables.sweep import Losses
from referee.advice.tables.trials import Case, Trials
from referee.cards import ACE
from referee.turns.jokers import JokerRule

_MOST_WORK: Final = 40_000
"""The units of work for all branches together."""


@dataclass(slots=True)
class JokerSearch:
    """The search for the best turn at one table, under a rule for taking jokers.

    Turns that are found are kept in `trials`.
    """

    trials: Trials
    rule: JokerRule
    known: tuple[Losses, Losses] = ([], [])
    """What sweeps up and down learned (`Swept.learned`) when jokers could go anywhere."""
    missed: list[int] = field(default_factory=list)
    """For each branch that couldn’t be split, the least cost that its turns can have."""

    def search(self, loose: Case) -> int:
        """Try every branch, and return a lower bound for the cost of any legal turn.

        If the best turn found costs no more than that, nothing is better. `loose` is the case in
        which jokers can go anywhere, and so a bound for every branch.
        """
        trials, rules = self.trials, self.trials.sweeper.rules
        branches = Branches(trials.table, trials.rack, rules, self.rule)
        least = trials.sweeper.least(loose.pool)
        if trials.below <= least:
            return least
        found = trials.try_out(loose, replace(trials.task(loose.pool), teaches=True))
        if found is None:
            return least if trials.budget.spent else trials.below
        if trials.below <= found.cost:
            return found.cost
        self.known = found.learned
        trials.budget.left = _MOST_WORK
        for branch in branches.beginnings():
            self._try_branch(branches, branch, found.cost)
        return found.cost if trials.budget.spent else min([trials.below, *self.missed])

    def _try_branch(self, branches: Branches, branch: Branch, least: int) -> None:
        """Try a branch and, if the referee rejects its best arrangement, every part of it.

        `least` is a lower bound for the cost of its turns: what the branch it is a part of costs.
        """
        trials, case = self.trials, branches.case(branch)
        if case is None or trials.below <= least:
            return
        task = replace(trials.task(case.pool), least=least, known=self._known_of(case))
        found = trials.try_out(case, task)
        if found is None or trials.below <= found.cost:
            return
        for more in branches.split(branch, case, found.sets):
            if more is None:
                self.missed.append(found.cost)
            else:
                self._try_branch(branches, more, found.cost)

    def _known_of(self, case: Case) -> tuple[Losses, Losses]:
        """Return lower bounds for a case, as for `SweepTask.known`; empty if there are none.

        They follow from the arrangement in which jokers could go anywhere: a joker that stays was
        one more free joker there.
        """
        runs, pool = self.trials.sweeper.rules.runs, case.pool
        if runs.high != runs.top or runs.wrap:
            return [], []
        left = range(pool.jokers + pool.fresh + pool.spare + 1)
        up, down = self.known
        stay = [tile.rank for tile in case.staying]
        mirrored = [ACE + runs.top - rank for rank in stay]
        return _with_more(up, stay, left), _with_more(down, mirrored, left)


def _with_more(losses: Losses, stay: list[int], left: range) -> Losses:
    """Return the losses with each number of jokers in `left`, and with the jokers that stay.

    `stay` has the places of the jokers that stay: at a place, those there and beyond count as left.
    """
    return [
        [row[jokers + sum(at >= place for at in stay)] for jokers in left]
        for place, row in enumerate(losses)
    ]
