"""Following the jokers of a table: branch and bound over what the referee refuses.

The best arrangement of which a story (`stories`) is true is put to the referee. If it is refused
though it would be better than all before, the story is told on in every way there is. Where there
is no more to tell, nobody knows what was missed, and the advice is not decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from referee.advice.tables.stories import Stories, Story

if TYPE_CHECKING:
    from referee.advice.tables.trials import Case, Trials
    from referee.turns.jokers import JokerRule

_FATES: Final = 40_000
"""How many ways are looked at in all stories together."""


@dataclass(slots=True)
class Follower:
    """Follows the jokers of one table under its rule."""

    trials: Trials
    rule: JokerRule
    missed: list[int] = field(default_factory=list)
    """What may have been missed, in what would be left in hand."""

    def least(self, loose: Case) -> int:
        """Try every story; give what is known to be left in hand at the least.

        Where the jokers are `loose` no less is left than where they have a story.
        """
        trials, rules = self.trials, self.trials.sweeper.rules
        stories = Stories(trials.table, trials.rack, rules, self.rule)
        least = trials.sweeper.least(loose.pool)
        found = trials.try_out(loose, trials.task(loose.pool))
        if found is None:
            return least if trials.budget.spent else trials.below
        if trials.below <= found.cost:
            return found.cost
        trials.budget.left = _FATES
        for story in stories.beginnings():
            self._follow(stories, story, found.cost)
        return found.cost if trials.budget.spent else min([trials.below, *self.missed])

    def _follow(self, stories: Stories, story: Story, least: int) -> None:
        """Find the best turn of which a story is true, if it is better than all so far.

        It leaves `least` in hand at the least.
        """
        trials, case = self.trials, stories.case(story)
        if case is None or trials.below <= least:
            return
        found = trials.try_out(case, replace(trials.task(case.pool), least=least))
        if found is None or trials.below <= found.cost:
            return
        for more in stories.told_on(story, case, found.sets):
            if more is None:
                self.missed.append(found.cost)
            else:
                self._follow(stories, more, found.cost)
