"""Flushes: which cards are put aside for them before the search for all other melds.

A flush takes any card of its suit, and any wild. What it could take and does not is left to sets
and runs: each way to hold some of those cards back is a search of its own, few held back first.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.melds.standing import standing
from referee.plays import LayOff
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from referee.cards import Card, Cards, Suit
    from referee.melds.rules import MeldRules

MOST_WAYS: Final = 256
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


def asides(  # noqa: PLR0913 - what is there, and what is asked
    rules: MeldRules,
    hand: Cards,
    table: tuple[Cards, ...],
    sizes: Sequence[int],
    *,
    whole: bool,
    down: bool,
) -> Iterator[Aside]:
    """The ways to put cards aside, those first that hold few back.

    `table` holds the melds that cards may be put to, `sizes` are those of the flushes that are
    asked for. With `whole` a flush takes all that it can: nothing else is asked for.
    """
    wild = rules.wilds.cards if rules.wilds.in_flushes else frozenset()
    there: dict[Suit | None, Cards] = {}
    for cards in table:
        for reading in standing(cards, rules):
            if reading.kind is MeldKind.FLUSH:
                there.setdefault(reading.suit, cards)
    for suits in product(rules.pack.suits, repeat=len(sizes)):
        takes = {*suits, *there}
        free = Counter([card for card in hand if takes and (card in wild or card.suit in takes)])
        for held in _held_back(free, whole=whole):
            left = list((free - held).elements())
            made = [_taken(left, wild, suit, size) for suit, size in zip(suits, sizes, strict=True)]
            if all(map(len, made)):
                # What is left over is put to one of them, or to those on the table.
                more = [_taken(left, wild, suit) for suit in suits]
                flushes = tuple([(*one, *other) for one, other in zip(made, more, strict=True)])
                layoffs = tuple(_put_to(left, wild, there, same_turn=not down))
                onto = [layoff.onto for layoff in layoffs]
                untouched = tuple([cards for cards in table if cards not in onto])
                rest = (Counter(hand) - free) + held
                yield Aside(tuple(rest.elements()), untouched, flushes, layoffs)


def _held_back(free: Counter[Card], *, whole: bool) -> Iterator[Counter[Card]]:
    """Every choice of the cards that flushes could take, few first; none where all go there."""
    counts = [range(1 if whole else number + 1) for number in free.values()]
    for numbers in sorted(product(*counts), key=sum):
        yield Counter(dict(zip(free, numbers, strict=True)))


def _taken(
    left: list[Card], wild: AbstractSet[Card], suit: Suit | None, size: int | None = None
) -> list[Card]:
    """Take cards of a suit, then wilds: so many, nothing where there are too few; or all."""
    some = [card for card in left if card not in wild and card.suit is suit]
    some = [*some, *[card for card in left if card in wild]][:size]
    if size is not None and len(some) < size:
        return []
    for card in some:
        left.remove(card)
    return some


def _put_to(
    left: list[Card],
    wild: AbstractSet[Card],
    there: Mapping[Suit | None, Cards],
    *,
    same_turn: bool,
) -> Iterator[LayOff]:
    """What is put to flushes on the table: each card to that of its suit, wilds to any."""
    for suit, onto in there.items():
        cards = _taken(left, wild, suit)
        if cards:
            yield LayOff(tuple(cards), onto, same_turn=same_turn)
