"""Find the best turn if jokers can’t go anywhere: branch and bound over what the referee rejects.

The referee rules on the best arrangement of a branch (`branches`). If it is better than all before
but the referee rejects it, the branch is split. If it can’t be split, something may be missed, so
the advice isn’t decided.
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
class Follower:
    """The search for the best turn at one table whose jokers need to follow a rule."""

    trials: Trials
    rule: JokerRule
    known: tuple[Losses, Losses] = ([], [])
    """What was learned from the arrangement in which jokers can go anywhere."""
    missed: list[int] = field(default_factory=list)
    """The costs of what would be left in hand by turns that may have been missed."""

    def least(self, loose: Case) -> int:
        """Try every branch, and return the least cost that is known for what stays in hand.

        `loose` is the case in which jokers can go anywhere. No branch can leave less in hand.
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
            self._follow(branches, branch, found.cost)
        return found.cost if trials.budget.spent else min([trials.below, *self.missed])

    def _follow(self, branches: Branches, branch: Branch, least: int) -> None:
        """Find the best turn of a branch, if it is better than all before.

        `least` is a known bound: the branch can’t leave less than that in hand.
        """
        trials, case = self.trials, branches.case(branch)
        if case is None or trials.below <= least:
            return
        task = replace(trials.task(case.pool), least=least, known=self._known_of(case))
        found = trials.try_out(case, task)
        if found is None or trials.below <= found.cost:
            return
        for more in branches.parted(branch, case, found.sets):
            if more is None:
                self.missed.append(found.cost)
            else:
                self._follow(branches, more, found.cost)

    def _known_of(self, case: Case) -> tuple[Losses, Losses]:
        """Return what is known of a case from the arrangement with loose jokers.

        A joker that stays was one more loose joker there.
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
    """Return losses by the jokers left, with one more joker for each that stays further on."""
    return [
        [row[jokers + sum(at >= place for at in stay)] for jokers in left]
        for place, row in enumerate(losses)
    ]
