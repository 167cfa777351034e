"""Flushes: which cards are put aside for them before the search for all other melds.

A flush takes any card of its suit, and any wild. What it could take and does not is left to sets
and runs: each way to hold some of those cards back is a search of its own, few held back first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.melds.standing import standing
from referee.plays import LayOff
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Card, Cards, Suit
    from referee.melds.rules import MeldRules

_MOST_WAYS: Final = 256
"""How many ways to hold cards back are looked at before the best so far must do."""


class Aside(NamedTuple):
    """What is put aside for flushes, and what is left to be searched."""

    hand: Cards
    table: tuple[Cards, ...]
    """The melds on the table that nothing was put to."""
    made: tuple[Cards, ...]
    """The flushes that are laid."""
    layoffs: tuple[LayOff, ...]
    """What is put to flushes on the table."""


@dataclass(slots=True, kw_only=True)
class Flushes:
    """The flushes of one hand at one table."""

    rules: MeldRules
    hand: Cards
    table: tuple[Cards, ...]
    """The melds that cards may be put to."""
    sizes: tuple[int, ...]
    """Those of the flushes that are asked for."""
    alone: bool
    """Whether nothing else is asked for, and all of the hand may be laid."""
    down: bool
    cut: bool = field(default=False, init=False)
    """Whether there were more ways than were looked at."""
    wild: frozenset[Card] = field(init=False)
    """The cards that stand for others in a flush."""

    def __post_init__(self) -> None:
        """Ask once what is wild."""
        self.wild = self.rules.wilds.cards if self.rules.wilds.in_flushes else frozenset()

    def ways(self) -> list[Aside]:
        """The ways to put cards aside, those first that hold few back."""
        found = self._ways()
        some = list(islice(found, _MOST_WAYS))
        self.cut = next(found, None) is not None
        return some

    def _ways(self) -> Iterator[Aside]:
        there: dict[Suit | None, Cards] = {}
        for cards in self.table:
            for reading in standing(cards, self.rules):
                if reading.kind is MeldKind.FLUSH:
                    there.setdefault(reading.suit, cards)
        for suits in product(self.rules.pack.suits, repeat=len(self.sizes)):
            for held in self._held_back({*suits, *there}):
                aside = list((Counter(self.hand) - held).elements())
                made = self._filled(aside, list(zip(suits, self.sizes, strict=True)))
                if made is not None:
                    layoffs = self._put_to(aside, there)
                    onto = [layoff.onto for layoff in layoffs]
                    table = tuple([cards for cards in self.table if cards not in onto])
                    yield Aside(tuple(held.elements()), table, made, layoffs)

    def _held_back(self, suits: set[Suit | None]) -> Iterator[Counter[Card]]:
        """What stays in hand: the cards that no flush takes, with some of the others."""
        hand = Counter(self.hand)
        free = {
            card: number
            for card, number in hand.items()
            if suits and (card in self.wild or card.suit in suits)
        }
        kept = Counter({card: number for card, number in hand.items() if card not in free})
        if self.alone and not self.table:
            yield kept
            return
        ways = product(*[range(number + 1) for number in free.values()])
        for numbers in sorted(ways, key=sum):
            yield kept + Counter(dict(zip(free, numbers, strict=True)))

    def _filled(
        self, aside: list[Card], needs: Sequence[tuple[Suit, int]]
    ) -> tuple[Cards, ...] | None:
        """The flushes of these suits and sizes out of cards, which are taken; None for too few.

        What is left over is put to one of them.
        """
        made = []
        for suit, size in needs:
            own = [card for card in aside if card not in self.wild and card.suit is suit][:size]
            own += [card for card in aside if card in self.wild][: size - len(own)]
            if len(own) < size:
                return None
            for card in own:
                aside.remove(card)
            made.append(own)
        for at, (suit, _) in enumerate(needs):
            more = [card for card in aside if card in self.wild or card.suit is suit]
            made[at] += more
            for card in more:
                aside.remove(card)
        return tuple(map(tuple, made))

    def _put_to(self, aside: list[Card], there: dict[Suit | None, Cards]) -> tuple[LayOff, ...]:
        """What is put to flushes on the table: each card to that of its suit, wilds to any."""
        found = []
        for at, (suit, onto) in enumerate(there.items()):
            cards = [card for card in aside if card.suit is suit or (card in self.wild and not at)]
            if cards:
                found.append(LayOff(tuple(cards), onto, same_turn=not self.down))
        return tuple(found)
