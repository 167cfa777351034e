"""What a team needs on the table before one of it goes out, and how."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.bonuses import MeldBonus, bonus_of
from referee.melds.rules import WildRule
from referee.rulings import Code, Finding, Reading, found, ground
from referee.saying import Said, Speaker

ANY: Final = "any"
"""The word for a meld with any bonus, in what going out needs."""


class OutRule(NamedTuple):
    """What going out needs."""

    needs: Mapping[str, int]
    """How many melds with each bonus, by its name; "any" is how many with any."""
    wild: bool
    """Whether the last discard can be a wild."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """So many melds with a bonus, as a sentence says them."""

    n: int
    called: Said | None
    """What one is called; None for a meld with any bonus."""

    def said(self, speaker: Speaker) -> Said:
        """In a sentence: "2 canastas", "1 clean book"."""
        one = speaker.nouns["bonus"] if self.called is None else self.called
        return Said(f"{self.n} {one if self.n == 1 else one.many}")


def lacking(
    there: Mapping[str, int], rule: OutRule, bonuses: Sequence[MeldBonus]
) -> tuple[Wanted, ...]:
    """What a team lacks before one of it goes out, if it has so many melds with each bonus."""
    called = {bonus.name: bonus.called for bonus in bonuses}
    return tuple(
        Wanted(count, called.get(name))
        for name, count in rule.needs.items()
        if (sum(there.values()) if name == ANY else there.get(name, 0)) < count
    )


class GoingOut(NamedTuple):
    """How a player can go out at a moment of a game."""

    rule: OutRule | None
    bonuses: Sequence[MeldBonus]
    must_discard: bool
    """Whether the last card is discarded."""
    lays_last: bool
    """Whether the last card can’t be discarded."""
    second_hand: bool
    """Whether there is a second hand, which is picked up instead."""

    def is_out(self, kept: Cards) -> bool:
        """Whether a player who keeps these cards is out, with a discard or without."""
        return len(kept) <= 1 and not self.second_hand

    def check(self, kept: Cards, melds: Iterable[Reading], wilds: WildRule) -> Iterator[Finding]:
        """Say whether a player can keep so few cards; `melds` are all of the team by then.

        One card is as few as none: once it is discarded there is none left.
        """
        if len(kept) > 1:
            return
        if self.second_hand:
            yield ground(Code.SECOND_HAND, "reserve", kept, "discard" if kept else "")
            return
        if not kept and self.must_discard:
            yield found(Code.NOTHING_TO_DISCARD, "discard")
        if kept and self.lays_last:
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
