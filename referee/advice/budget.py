"""The budget of work for one piece of advice.

Work is counted, not timed, so the same question has the same answer on every machine. Each solver
has its own unit of work and its own limit, for example `MOST_WORK`. If the budget is used up before
the best play is known, the result is the best one found so far and `decided` is false.
"""

from dataclasses import dataclass


@dataclass(slots=True)
class Budget:
    """The work that can still be done, shared by the searches that use it."""

    left: int
    """The units of work left; below 0 if the last step took more than there was."""

    @property
    def spent(self) -> bool:
        """Whether no work is left."""
        return self.left <= 0
