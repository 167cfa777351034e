"""Going out: what a team needs on the table first, and whether the last card is discarded."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.bonuses import MeldBonus, bonus_of
from referee.melds.rules import WildRule
from referee.rulings import Code, Finding, Reading, found, ground
from referee.saying import Said, Speaker

ANY: Final = "any"
"""The key in `OutRule.needs` for melds with any bonus."""


class OutRule(NamedTuple):
    """What a team needs before one of its players can go out."""

    needs: Mapping[str, int]
    """How many melds with each bonus a team needs to go out, by the bonus’s name; `ANY` for any
    bonus."""
    wild: bool
    """Whether the last discard can be a wild."""
    by_step: Mapping[int, Mapping[str, int]] = MappingProxyType({})
    """What is needed in the steps (from 1) that have their own needs, instead of `needs`."""

    def at(self, step: int | None) -> "OutRule":
        """Return the rule for one step."""
        return self._replace(needs=self.by_step.get(step or 0, self.needs))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A number of melds with a bonus that are needed to go out, as a value for a sentence."""

    n: int
    called: Said | None
    """The name of such a meld; None for a meld with any bonus."""

    def said(self, speaker: Speaker) -> Said:
        """Return the number and name, translated, for a sentence: "2 canastas", "1 clean book"."""
        one = speaker.nouns["bonus"] if self.called is None else self.called
        return Said(f"{self.n} {one if self.n == 1 else one.many}")


def lacking(
    there: Mapping[str, int], rule: OutRule, bonuses: Sequence[MeldBonus]
) -> tuple[Wanted, ...]:
    """Return the needs that a team doesn’t meet yet, each with the full number of melds needed.

    `there` is how many melds the team has with each bonus, by the bonus’s name.
    """
    by_name = {bonus.name: bonus for bonus in bonuses}

    def has(name: str) -> int:
        if name == ANY:
            return sum(there.values())
        return sum(there.get(each.name, 0) for each in bonuses if each.counts_as(by_name[name]))

    return tuple(
        Wanted(count, by_name[name].called if name in by_name else None)
        for name, count in rule.needs.items()
        if has(name) < count
    )


class GoingOut(NamedTuple):
    """The rules for going out as they apply to one player at one moment."""

    rule: OutRule | None
    bonuses: Sequence[MeldBonus]
    must_discard: bool
    """Whether a player needs to discard the last card to go out."""
    must_meld_last: bool
    """Whether a player needs to meld the last card, and can’t discard it."""
    second_hand: bool
    """Whether the player picks up a second hand instead of going out."""

    def is_out(self, kept: Cards) -> bool:
        """Return whether a player with these cards left goes out, with a discard or without."""
        return len(kept) <= 1 and not self.second_hand

    def check(self, kept: Cards, melds: Iterable[Reading], wilds: WildRule) -> Iterator[Finding]:
        """Yield findings on whether a player can go out with these cards left.

        `melds` are all melds of the team after the play. Yield nothing if 2 or more cards are left;
        1 card is treated as going out, because it is discarded next.
        """
        if len(kept) > 1:
            return
        if self.second_hand:
            yield ground(Code.SECOND_HAND, "reserve", kept, "discard" if kept else "")
            return
        if not kept and self.must_discard:
            yield found(Code.NOTHING_TO_DISCARD, "discard")
        if kept and self.must_meld_last:
            yield found(Code.NOTHING_TO_DISCARD, "discard", kept, "laid", this=kept[0])
        if self.rule is None:
            return
        if not self.rule.wild and not wilds.cards.isdisjoint(kept):
            yield found(Code.WILD_THROWN_LAST, "out-wild", kept, wild=wilds)
        there = Counter([bonus.name for m in melds if (bonus := bonus_of(m, self.bonuses))])
        lacks = lacking(there, self.rule, self.bonuses)
        if lacks:
            yield found(Code.NEEDS_MISSING, "out-needs", (), "out", lacks=lacks)
        elif self.rule.needs:
            yield ground(Code.GOES_OUT, "out-needs", kept)
