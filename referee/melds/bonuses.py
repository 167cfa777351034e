"""Bonuses that melds earn on top of the points of their cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.cards import Card
from referee.rulings import MeldKind, Reading
from referee.saying import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldBonus:
    """A kind of meld that earns a bonus, such as a canasta without wilds or a run of 7."""

    name: str
    """Its name in game descriptions and in questions, for example "natural"."""
    title: str
    points: int
    cards: int
    """The fewest cards that the meld needs."""
    of: MeldKind | None = None
    """The kind of meld, which then needs a natural; None for any kind."""
    only_wilds: bool = False
    """Whether the meld needs to have only wilds; `of` is then None."""
    wilds: int | None = None
    """The most wilds that the meld can have; None for no limit."""
    unbroken: int = 0
    """The fewest naturals in a row that a run needs; for a set, the fewest naturals."""
    ranks: frozenset[Card] = frozenset()
    """The natural cards of which the meld needs to be a set; empty for any meld."""
    called: Said = Said("")  # noqa: RUF009 - a word that nothing changes
    """Its name in a sentence, with the plural and other forms: "natural canasta"."""

    def fits(self, meld: Reading) -> bool:
        """Return whether a meld earns this bonus."""
        wilds = len(meld.cards) - meld.naturals
        if self.only_wilds or self.of is not None:
            of = None if not meld.naturals else meld.kind
            if of is not self.of:
                return False
        if self.ranks and not self._is_of_ranks(meld):
            return False
        if len(meld.cards) < self.cards or (self.wilds is not None and wilds > self.wilds):
            return False
        return not self.unbroken or _in_a_row(meld) >= self.unbroken

    def _is_of_ranks(self, meld: Reading) -> bool:
        """Return whether a meld is a set whose naturals all have one of the ranks."""
        cards = zip(meld.cards, meld.wild, strict=True)
        naturals = [card for card, wild in cards if not wild]
        return meld.kind is MeldKind.SET and bool(naturals) and self.ranks.issuperset(naturals)

    def counts_as(self, other: "MeldBonus") -> bool:
        """Return whether a meld that earns this bonus also does where the other one is needed.

        It does if the other only asks for fewer cards, for any kind of meld, or for any rank. A
        clean meld of 7 doesn’t count as a dirty one.
        """
        return (
            (self.wilds, self.only_wilds) == (other.wilds, other.only_wilds)
            and self.cards >= other.cards
            and self.unbroken >= other.unbroken
            and other.of in (None, MeldKind.SET if self.ranks else self.of)
            and (not other.ranks or (bool(self.ranks) and self.ranks <= other.ranks))
        )


def bonus_of(meld: Reading, bonuses: Sequence[MeldBonus]) -> MeldBonus | None:
    """Return the first of `bonuses` that a meld earns; None if it earns none of them."""
    return next((bonus for bonus in bonuses if bonus.fits(meld)), None)


def _in_a_row(meld: Reading) -> int:
    """Return the most naturals in a row in a run, or the number of naturals in a set."""
    if not meld.places:
        return meld.naturals
    pairs = zip(meld.places, meld.wild, strict=True)
    places = sorted(place for place, wild in pairs if not wild)
    longest = so_far = min(1, len(places))
    for one, other in pairwise(places):
        so_far = so_far + 1 if other == one + 1 else 1
        longest = max(longest, so_far)
    return longest
