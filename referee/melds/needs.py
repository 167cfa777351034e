"""What a hand needs among its melds before it closes: so many runs, some of them pure.

A pure run has no card in it that stands for another. A card that may be wild is natural in its own
place, so such cards are tried as naturals, too, each choice of them with a search of its own. The
search (`referee.melds.partition`) goes on from the lowest card as it always does, and knows at each
step how many runs are still missing; what ends without them is no way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from operator import mul
from typing import TYPE_CHECKING, Final

from referee.melds.covering import are_tied, cover
from referee.melds.deadwood import Arrangement, covered, laid_out
from referee.melds.grounds import legal_readings
from referee.melds.partition import Best, Partition
from referee.rulings import MeldKind
from referee.wording import number_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from referee.cards import Card, Cards
    from referee.melds.partition import Candidate
    from referee.melds.rules import MeldRules
    from referee.rulings import Reading
    from referee.values import CardValues

_NOTHING: Final = Best()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandNeeds:
    """The runs that a hand needs among its melds."""

    runs: int
    """How many there are, pure ones too."""
    pure: int
    """How many of them have no wild in them."""
    or_all_counts: bool = False
    """Whether every card counts of a hand without them; else melds save who pays all the same."""

    @property
    def says(self) -> str:
        """What is needed: "two runs, one of them pure"."""
        runs = f"{number_word(self.runs)} run{'s' * (self.runs > 1)}"
        if self.pure == self.runs:
            return f"{number_word(self.runs)} pure run{'s' * (self.runs > 1)}"
        return f"{runs}, {number_word(self.pure)} of them pure" if self.pure else runs

    def are_met(self, melds: Iterable[Reading]) -> bool:
        """Whether these are among some melds."""
        runs = [meld for meld in melds if meld.kind is MeldKind.RUN]
        pure = sum(meld.naturals == len(meld.cards) for meld in runs)
        return len(runs) >= self.runs and pure >= self.pure


def arrange_needing(
    hand: Cards, rules: MeldRules, values: CardValues, needs: HandNeeds
) -> Arrangement | None:
    """Put a hand into melds, those that it needs among them, so that the rest costs least.

    None where the hand has not what it needs. Cards that only may be wild are natural in their own
    place.
    """
    if are_tied(hand, rules, values):
        tied = cover(hand, rules, values, runs=needs.runs, pure=needs.pure)
        return None if tied is None else covered(tied, rules, values)
    wild = rules.wilds.cards
    plain = [card for card in hand if card not in wild]
    best: Arrangement | None = None
    decided = True
    for own in _natural_wilds(hand, rules):
        held = [*(Counter(card for card in hand if card in wild) - Counter(own)).elements()]
        search = _Needing([*plain, *own], len(held), rules, values)
        found = search.find_needed(needs)
        decided &= search.work >= 0
        if found is None:
            continue
        last = [*_pure_last(found.melds, needs.pure)]
        laid = laid_out(hand, search, last, held, values, shut=needs.pure)
        if best is None or (laid.points, len(laid.left)) < (best.points, len(best.left)):
            best = laid
        if not best.left:
            break
    if best is None:
        return None
    melds = tuple([_as_it_lies(meld, rules) for meld in best.melds])
    return Arrangement(melds, best.left, best.points, decided=decided or not best.left)


def _as_it_lies(meld: Reading, rules: MeldRules) -> Reading:
    """A meld as it is read where it lies: a wild may stand in its own place there."""
    same = [read for read in legal_readings(meld.cards, rules) if read.kind is meld.kind]
    return meld if meld in same or not same else same[0]


def _natural_wilds(hand: Cards, rules: MeldRules) -> Iterator[Cards]:
    """Every choice of the cards that may be wild to stand where they are natural."""
    wild = Counter(card for card in hand if card in rules.wilds.cards and card.rank)
    if not rules.wilds.natural_in_place:
        wild.clear()
    for counts in product(*(range(count + 1) for count in wild.values())):
        yield tuple(Counter(dict(zip(wild, counts, strict=True))).elements())


def _pure_last(melds: Iterable[Candidate], pure: int) -> Iterator[Candidate]:
    """The melds with those runs at the end that no wild may join."""
    kept: list[Candidate] = []
    for meld in melds:
        if meld.place and not meld.needed and len(kept) < pure:
            kept.append(meld)
        else:
            yield meld
    yield from kept


class _Needing(Partition):
    """What natural cards can save while certain runs are among their melds."""

    lone_is_run = True

    def __init__(
        self, cards: Sequence[Card], wilds: int, rules: MeldRules, values: CardValues
    ) -> None:
        """Pack the cards; those that may be wild cost what a wild costs."""
        self.by_card = {card: values.points(card, rules.wilds.cards) for card in cards}
        self.ways: dict[tuple[int, int, int, int], Best | None] = {}
        super().__init__(cards, wilds, rules, values.by_rank)

    def costs(self, by_rank: Mapping[int, int]) -> list[int]:  # noqa: ARG002 - as wilds
        """What each kind of card costs."""
        return [self.by_card[card] for card in self.kinds]

    def find_needed(self, needs: HandNeeds) -> Best | None:
        """The best melds with those needed among them; None where there are none."""
        whole = sum(map(mul, self.units, self.counts))
        most = sum(map(mul, self.points, self.counts))
        return self._weigh_needing(whole, self.wilds, needs.runs, needs.pure, most)

    def _weigh_needing(self, left: int, wilds: int, runs: int, pure: int, most: int) -> Best | None:
        """The best melds of the cards that remain, with so many runs among them."""
        left &= self.reached[wilds]
        if not left:
            return None if runs > 0 else _NOTHING
        key = left, wilds, runs, pure
        if key in self.ways:
            return self.ways[key]
        at = ((left & -left).bit_length() - 1) // self.width
        free = self.free
        found: Best | None = None
        for meld in self.melds[at]:
            worth, used, needed, place = meld
            if needed > wilds or ((left | free) - used) & free != free:
                continue
            self.work -= 1
            more, purer = runs, pure
            if place:
                purer = pure if needed else max(pure - 1, 0)
                more = max(runs - 1, purer)
            rest = self._weigh_needing(left - used, wilds - needed, more, purer, most - worth)
            if rest is not None and (found is None or worth + rest.saved > found.saved):
                found = Best(worth + rest.saved, meld, rest)
            if self.work < 0:
                break
        over = most - self.points[at]
        if found is None or (found.saved < over and self.work >= 0):
            rest = self._weigh_needing(left - self.units[at], wilds, runs, pure, over)
            if rest is not None and (found is None or rest.saved > found.saved):
                found = rest
        self.ways[key] = found
        return found
