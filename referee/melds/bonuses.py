"""What long melds earn beside the points of their cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.rulings import MeldKind, Reading
from referee.saying import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldBonus:
    """A kind of meld that earns a bonus: a canasta without wilds, a run of seven."""

    name: str
    """Its word in the description, and in questions: "natural"."""
    title: str
    points: int
    cards: int
    """The fewest cards of one."""
    of: MeldKind | None = None
    """Whether it is a set or a run; None if it is any meld."""
    only_wilds: bool = False
    """Whether it is a set of only wilds."""
    wilds: int | None = None
    """How many wilds it has at most."""
    unbroken: int = 0
    """How many of its naturals are in a row; in a set, how many naturals it has."""
    called: Said = Said("")  # noqa: RUF009 - a word that nothing changes
    """What one is called in a sentence, with its forms: "natural canasta"."""

    def fits(self, meld: Reading) -> bool:
        """Whether a meld is of this kind."""
        wilds = len(meld.cards) - meld.naturals
        if self.only_wilds or self.of is not None:
            of = None if not meld.naturals else meld.kind
            if of is not self.of:
                return False
        if len(meld.cards) < self.cards or (self.wilds is not None and wilds > self.wilds):
            return False
        return not self.unbroken or _in_a_row(meld) >= self.unbroken


def bonus_of(meld: Reading, bonuses: Sequence[MeldBonus]) -> MeldBonus | None:
    """The bonus that a meld earns, the first of those that fit; None if it earns none."""
    return next((bonus for bonus in bonuses if bonus.fits(meld)), None)


def _in_a_row(meld: Reading) -> int:
    """How many naturals of a run are in a row; of a set, how many there are."""
    if not meld.places:
        return meld.naturals
    pairs = zip(meld.places, meld.wild, strict=True)
    places = sorted(place for place, wild in pairs if not wild)
    longest = so_far = min(1, len(places))
    for one, other in pairwise(places):
        so_far = so_far + 1 if other == one + 1 else 1
        longest = max(longest, so_far)
    return longest
