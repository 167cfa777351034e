"""How much work a piece of advice may cost.

Work is counted, never timed: the same question has the same answer on any machine, however busy.
What one unit is worth each solver says for itself, by what its limit is (`MOST_WORK` and the like).
Where the budget is spent before the best is known, the answer is the best found so far and says
`decided: false`.
"""

from dataclasses import dataclass


@dataclass(slots=True)
class Budget:
    """The work that may still be done, shared by all searches for one piece of advice."""

    left: int
    """In units of the solver; less than 0 if the last step took more than there was."""

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0
