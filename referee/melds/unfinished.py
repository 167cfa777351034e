"""Unfinished melds: find the fewest cards that would complete a meld.

More cards can complete a meld that is too small, or a run with a gap if the cards that are there
keep their order. They can’t complete a set of two ranks or a run in two suits.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from referee.cards import ACE, JOKER, SPECIAL_RANK, Card, Cards
from referee.melds.contracts import Need
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules, RunRule, rank_at
from referee.rulings import MeldKind, Reading

_REMEMBERED: Final = 2_000
_FEW: Final = 3
"""Cards that aren’t in order are only completed as a run if at most this many are missing."""
_LARGEST_SET: Final = 8


class Missing(NamedTuple):
    """The cards that are missing for a meld; the result of `find_missing`."""

    kind: MeldKind
    cards: Cards
    """One example of the fewest cards that complete the meld; empty if it is complete."""
    gap: bool
    """Whether at least one of the missing cards belongs between two that are there."""


@lru_cache(maxsize=_REMEMBERED)
def find_missing(cards: Cards, rules: MeldRules, need: Need | None = None) -> Missing | None:
    """Return the fewest cards that would complete a meld; None if none were found.

    With a `need`, the meld has to meet it. If a set and a run need the same number of cards, the
    set is returned. Sets are tried up to 8 cards. If the cards aren’t in order, a run is only found
    if it needs at most 3 more. If `cards` is empty, the result is None, because any meld would do.

    >>> from referee import find_missing, parse_cards, variants
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> missing = find_missing(parse_cards("4D 5D 7D"), rules)
    >>> missing.kind.value, missing.cards, missing.gap
    ('run', (6D,), True)
    >>> find_missing(parse_cards("4D 5H"), rules) is None
    True
    """
    if not cards:
        return None
    for reading in legal_readings(cards, rules):
        if need is None or need.is_met_by(reading):
            return Missing(reading.kind, (), gap=False)
    kinds = tuple(MeldKind) if need is None else (need.kind,)
    found = [missing for kind in kinds if (missing := _first(cards, rules, kind, need))]
    return min(found, key=lambda missing: len(missing.cards), default=None)


def takes(cards: Cards, rules: MeldRules) -> tuple[Card, ...]:
    """Return the cards of the pack that can each join a legal meld on their own.

    The result is empty if the cards aren’t a legal meld.

    >>> from referee import parse_cards, takes, variants
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> takes(parse_cards("4D 5D 6D 7D"), rules)
    (2S, 3D, 8D, 2C)
    """
    kinds = {reading.kind for reading in legal_readings(cards, rules)}

    def joins(card: Card) -> bool:
        as_laid = not rules.wilds.moves_freely
        grown: tuple[Reading, ...] = legal_readings((*cards, card), rules, as_laid=as_laid)
        grown = grown or legal_readings((card, *cards), rules, as_laid=as_laid)
        return any(reading.kind in kinds for reading in grown)

    jokers = (JOKER,) if rules.pack.jokers else ()
    return tuple(card for card in (*rules.pack.kinds, *jokers) if joins(card))


def _first(cards: Cards, rules: MeldRules, kind: MeldKind, need: Need | None) -> Missing | None:
    if kind is MeldKind.PAIR:
        return None
    ways = _as_set if kind is MeldKind.SET else _as_run if kind is MeldKind.RUN else _as_flush
    smallest = max(len(cards), need.size if need else 0)
    for whole, added, gap in ways(cards, rules, smallest):
        readings = legal_readings(whole, rules)
        if any(need.is_met_by(each) if need else each.kind is kind for each in readings):
            return Missing(kind, added, gap)
    return None


def _naturals(cards: Cards, rules: MeldRules) -> list[Card]:
    return [card for card in cards if card.rank and card not in rules.wilds.cards]


def _as_set(cards: Cards, rules: MeldRules, size: int) -> Iterator[tuple[Cards, Cards, bool]]:
    """Yield sets made by adding cards of the rank that aren’t there yet, then others and wilds.

    Each comes with the cards added, and False, because a set has no gaps.
    """
    ranks = {card.rank for card in _naturals(cards, rules)}
    pack = [card for card in rules.pack.cards if card.rank and card.rank != SPECIAL_RANK]
    for rank in ranks or sorted({card.rank for card in pack}):
        same = [card for card in pack if card.rank == rank]
        spare = sorted(same, key=cards.count) + sorted(rules.wilds.cards, key=str)
        if not rules.sets.distinct_suits:
            spare = [*(same * rules.pack.copies), *spare]
        for more in range(max(0, size - len(cards)), _LARGEST_SET - len(cards) + 1):
            yield (*cards, *spare[:more]), tuple(spare[:more]), False


def _as_flush(cards: Cards, rules: MeldRules, size: int) -> Iterator[tuple[Cards, Cards, bool]]:
    suits = {card.suit for card in _naturals(cards, rules)}
    for suit in suits if rules.flush else ():
        spare = [card for card in rules.pack.cards if card.suit is suit and card not in cards]
        for more in range(max(0, size - len(cards)), max(size, rules.flush or 0) + 1):
            yield (*cards, *spare[:more]), tuple(spare[:more]), False


def _as_run(cards: Cards, rules: MeldRules, size: int) -> Iterator[tuple[Cards, Cards, bool]]:
    """Yield runs that contain these cards, with naturals added at the empty places.

    The shortest come first. Each comes with the cards added, and whether one of the cards added is
    between two of `cards`.
    """
    runs, pack = rules.runs, rules.pack
    naturals = _naturals(cards, rules)
    suits = {card.suit for card in naturals} if runs.one_suit else {pack.unsuited}
    if len(suits) > 1:
        return
    suit = suits.pop() if suits else pack.suits[0]
    ordered = _is_in_order([card.rank for card in naturals], runs)
    laid = cards if ordered else tuple(sorted(cards, key=lambda card: card.rank))
    for length in range(max(size, runs.min_size), runs.longest + 1):
        if not ordered and length > len(cards) + _FEW:
            return
        for low in runs.starts(length):
            places = tuple(range(low, low + length))
            ranks = {rank_at(place, runs.top) for place in places}
            if not all(card.rank in ranks for card in naturals):
                continue
            for row in (places, places[::-1]):
                for taken in _lie(laid, row, rules):
                    whole = [Card(rank_at(place, runs.top), suit) for place in row]
                    added = tuple(card for at, card in enumerate(whole) if at not in taken)
                    for at, card in zip(taken, laid, strict=True):
                        whole[at] = card
                    gap = len(added) > 0 and taken[-1] - taken[0] >= len(cards)
                    yield tuple(whole), added, gap


def _lie(cards: Cards, row: tuple[int, ...], rules: MeldRules) -> Iterator[tuple[int, ...]]:
    """Yield the ways to put cards into a row without changing their order.

    `row` has the places of a run. Each way has the index in `row` of each card.
    """
    if not cards:
        yield ()
        return
    first, *others = cards
    for at, place in enumerate(row[: len(row) - len(others)]):
        if first in rules.wilds.cards or first.rank == rank_at(place, rules.runs.top):
            for rest in _lie(tuple(others), row[at + 1 :], rules):
                yield (at, *(at + 1 + each for each in rest))


def _is_in_order(ranks: list[int], runs: RunRule) -> bool:
    """Return whether ranks rise or fall as laid; always true if runs go around the corner."""
    for ace in (ACE, runs.above):
        places = [ace if rank == ACE else rank for rank in ranks]
        if sorted(places) in (places, places[::-1]):
            return True
    return runs.wrap
