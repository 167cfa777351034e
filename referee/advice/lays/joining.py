"""Cards put to melds of the table with no meld laid beside them, which asks for no naturals.

With two naturals or more such a play is among those that `crossings` goes through. Here is what it
leaves out: one natural card at the most, and wilds wherever they are taken. Meld by meld the best
is kept for each number of wilds, before the natural has found its place and after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.advice.lays.book import book_of, place_of
from referee.advice.lays.replay import Lay
from referee.plays import LayOff
from referee.turns.layoffs import lay_off

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.lays.shown import Shown
    from referee.cards import Card, Cards
    from referee.variant import Variant

_Way = tuple[int, tuple[tuple[int, "Cards"], ...]]
"""What a play gains, and what is put to which meld."""
_NOTHING: Final[_Way] = (0, ())


def best_joining(
    variant: Variant, hand: Cards, shown: Shown, *, must: Card | None, least: int
) -> Lay | None:
    """Find lay-offs alone, with one natural at the most, that gain more than `least`.

    What is laid gains what it scores and what it would cost in hand. With `must` that card is laid.
    None where no such play gains so much.
    """
    joining = _Joining(variant, hand, shown, must)
    best: _Way = (least, ())
    for natural in joining.naturals():
        way = joining.best(natural, best[0])
        if way is not None:
            best = way
    if not best[1]:
        return None
    left = list(hand)
    for _, cards in best[1]:
        for card in cards:
            left.remove(card)
    layoffs = tuple(
        LayOff(cards, shown.table[meld], own=shown.own[meld], same_turn=True)
        for meld, cards in best[1]
    )
    net = best[0] - variant.values.count(hand, variant.wilds.cards)
    return Lay(net, (), layoffs, tuple(left))


class _Joining:
    """One hand at one table."""

    def __init__(self, variant: Variant, hand: Cards, shown: Shown, must: Card | None) -> None:
        self.variant = variant
        self.rules = variant.melds_at(None)
        self.book = book_of(variant)
        self.hand = hand
        self.shown = shown
        self.must = must
        wild = variant.wilds.cards
        # A wild that must be laid is the first to be.
        self.wilds = sorted((c for c in hand if c in wild), key=lambda card: card is not must)
        self.gains: dict[tuple[int, Cards], int | None] = {}

    def naturals(self) -> Iterator[Card | None]:
        """Give the cards that may be the one natural, and None for wilds alone."""
        wilds = self.variant.wilds
        may_be = [
            card
            for card in dict.fromkeys(self.hand)
            if card not in wilds.cards or (wilds.natural_in_place and card.suit)
        ]
        if self.must is not None and self.must not in wilds.cards:
            yield self.must
            return
        yield from may_be
        if self.wilds:
            yield None

    def best(self, natural: Card | None, least: int) -> _Way | None:
        """Give the best way with this natural card and any wilds; None where none gains more."""
        wilds = list(self.wilds)
        if natural in wilds:
            wilds.remove(natural)
        most = self.book.wild_most * len(wilds)
        if natural is not None:
            rare = natural in self.variant.wilds.cards
            most += self.book.wild_most if rare else self.book.most[place_of(natural.rank)]
        if most <= least:
            return None
        ways: dict[tuple[int, bool], _Way] = {(0, natural is None): _NOTHING}
        for meld in range(len(self.shown.table)):
            ways = self._at(meld, natural, wilds, ways)
        needs_wild = self.must is not None and self.must is not natural
        done = [
            way
            for (used, placed), way in ways.items()
            if placed and (used or not needs_wild) and way[0] > least
        ]
        return max(done, key=lambda way: way[0], default=None)

    def _at(
        self,
        meld: int,
        natural: Card | None,
        wilds: Sequence[Card],
        ways: dict[tuple[int, bool], _Way],
    ) -> dict[tuple[int, bool], _Way]:
        """Give the best ways once this meld has been looked at too."""
        after = dict(ways)
        akin = natural is not None and any(
            natural.suit is card.suit or natural.rank == card.rank
            for card in self.shown.table[meld]
        )
        for (used, placed), (gain, done) in ways.items():
            for own in ((),) if placed or natural is None or not akin else ((), (natural,)):
                for more in range(not own, len(wilds) - used + 1):
                    cards = (*own, *wilds[used : used + more])
                    gained = self._gain(meld, cards)
                    if gained is None:
                        continue
                    key = used + more, placed or bool(own)
                    if key not in after or after[key][0] < gain + gained:
                        after[key] = gain + gained, (*done, (meld, cards))
        return after

    def _gain(self, meld: int, cards: Cards) -> int | None:
        """Say what cards gain on a meld of the table, None where they may not join it."""
        key = meld, cards
        if key not in self.gains:
            self.gains[key] = self._ask(meld, cards)
        return self.gains[key]

    def _ask(self, meld: int, cards: Cards) -> int | None:
        rule = self.variant.lay_offs
        if rule is None:
            return None
        play = LayOff(cards, self.shown.table[meld], own=self.shown.own[meld], same_turn=True)
        joined = lay_off(play, rule, self.rules, self.variant.worth)
        if joined.reading is None or any(finding.against for finding in joined.findings):
            return None
        return joined.points + self.variant.values.count(cards, self.variant.wilds.cards)
