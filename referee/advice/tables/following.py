"""Following the jokers of a table: branch and bound over what the referee refuses.

The best arrangement of a branch (`branches`) is put to the referee. If it is refused though it
would be better than all before, the branch is parted. If it can’t be, nobody knows what was missed,
and the advice is not decided.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from referee.advice.tables.branches import Branch, Branches
from referee.advice.tables.sweep import Losses
from referee.advice.tables.trials import Case, Trials
from referee.cards import ACE
from referee.turns.jokers import JokerRule

_MOST_WORK: Final = 40_000
"""How much work the branches may cost together."""


@dataclass(slots=True)
class Follower:
    """Follows the jokers of one table under its rule."""

    trials: Trials
    rule: JokerRule
    known: tuple[Losses, Losses] = ([], [])
    """What was learned where the jokers were loose."""
    missed: list[int] = field(default_factory=list)
    """What may have been missed, in what would be left in hand."""

    def least(self, loose: Case) -> int:
        """Try every branch; give what is known to be left in hand at least.

        Where the jokers are `loose` no less is left than where they have a branch.
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
        """Find the best turn of a branch, if it is better than all so far.

        It leaves `least` in hand at least.
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
        """What is known of a case from where the jokers were loose, as one that stays was there."""
        runs, pool = self.trials.sweeper.rules.runs, case.pool
        if runs.high != runs.top or runs.wrap:
            return [], []
        left = range(pool.jokers + pool.fresh + pool.spare + 1)
        up, down = self.known
        stay = [tile.rank for tile in case.staying]
        mirrored = [ACE + runs.top - rank for rank in stay]
        return _with_more(up, stay, left), _with_more(down, mirrored, left)


def _with_more(losses: Losses, stay: list[int], left: range) -> Losses:
    """Losses by the jokers that are left, where there is one more for each that stays beyond."""
    return [
        [row[jokers + sum(at >= place for at in stay)] for jokers in left]
        for place, row in enumerate(losses)
    ]
