"""How much work a piece of advice may cost.

Work is counted, never timed: the same question has the same answer on any machine, however busy.
What one unit is worth each solver says for itself, by what its limit is (`MOST_WORK` and the like).
Where the budget is spent before the best is known, the answer is the best found so far and says
`decided: false`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Budget:
    """The work that may still be done, shared by all searches for one piece of advice."""

    left: int
    """In units of the solver; less than 0 where the last step took more than there was."""

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    def share(self, part: float) -> Budget:
        """A budget of its own for one of several searches: that part of what is left (0 to 1)."""
        share = Budget(int(self.left * part))
        self.left -= share.left
        return share

    def give_back(self, share: Budget) -> None:
        """Add what a search left of its share, or take off what it spent beyond it."""
        self.left += share.left
