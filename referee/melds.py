"""Reading cards as melds: what a set, a run and a wild are.

Order says something. Where the natural cards of a run rise or fall as they were laid, each wild is
what its place makes it; where they are in no order the referee arranges them. Work is bounded: a
run has at most fourteen places to begin at, and each is tried once for a suit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Flag
from typing import TYPE_CHECKING, Final

from referee.cards import ACE, CARD_SUITS, KING, Card
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Cards, Suit
    from referee.rulebook import Clause

_ROUND: Final = KING
"""How many ranks go by before one comes again."""
ACE_HIGH: Final = ACE + _ROUND
"""The place of an ace above the king."""


class Ace(Flag):
    """Which ends of a run an ace may stand at."""

    LOW = 1
    HIGH = 2
    EITHER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRule:
    """What a set is: cards of one rank."""

    cite: Clause
    repeats: Clause
    """Whether the same card may stand in it twice (`distinct_suits` says not)."""
    min_size: int = 3
    max_size: int | None = None
    distinct_suits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRule:
    """What a run is: cards in a row."""

    cite: Clause
    ends: Clause
    """Where a run stops, at the ace or beyond."""
    both_aces: Clause
    """How long a run may be, with an ace at each end."""
    order: Clause
    """What the order of the cards says."""
    min_size: int = 3
    one_suit: bool = True
    ace: Ace = Ace.EITHER
    wrap: bool = False
    """Whether runs go round the corner, king to ace to two."""

    @property
    def low(self) -> int:
        """The lowest place of a run that does not go round."""
        return ACE if Ace.LOW in self.ace else ACE + 1

    @property
    def high(self) -> int:
        """The highest place of a run that does not go round."""
        return ACE_HIGH if Ace.HIGH in self.ace else KING

    def starts(self, size: int) -> range:
        """The places at which a run of so many cards can begin."""
        if self.wrap:
            return range(ACE, KING + 1) if size <= ACE_HIGH else range(0)
        return range(self.low, self.high - size + 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class WildRule:
    """Which cards may stand for others, where, and how many."""

    cite: Clause
    name: str
    """What one is called: "black 2"."""
    cards: frozenset[Card]
    in_sets: Clause | None
    """Why a wild may not be used as one in a set; None where it may."""
    natural: Clause
    """Why a wild in its own place is a natural card."""
    most: Clause
    """How many wilds a run may have."""
    touching: Clause
    """Whether wilds may lie side by side."""
    naturals: Clause
    """How many naturals a run needs."""
    max_in_run: int | None = None
    adjacent: bool = True
    min_naturals: int = 1

    @property
    def inactive(self) -> WildRule:
        """The same rule where no card is wild."""
        return replace(self, cards=frozenset())


@dataclass(frozen=True, slots=True)
class MeldRules:
    """What a meld is at one moment of a game."""

    sets: SetRule
    runs: RunRule
    wilds: WildRule


def rank_at(place: int) -> int:
    """Give the rank that stands at a place of a run: 1 and 14 are the ace."""
    return (place - 1) % _ROUND + 1


def read_set(cards: Cards, wilds: WildRule) -> Reading | None:
    """Read cards as a set, whatever its size; None where they are of two ranks.

    Wilds count as what they are, unless they may stand for others in a set.
    """
    if not cards:
        return None
    may_be_wild = wilds.cards if wilds.in_sets is None else frozenset()
    rank = next((card.rank for card in cards if card not in may_be_wild), cards[0].rank)
    stands: list[Card] = []
    for card in cards:
        if card.rank == rank:
            stands.append(card)
        elif card in may_be_wild:
            stands.append(Card(rank))
        else:
            return None
    return Reading(MeldKind.SET, cards, tuple(stands))


def read_runs(
    cards: Cards, rule: RunRule, wilds: WildRule, *, as_laid: bool = True
) -> Iterator[Reading]:
    """Give every way to read cards as a run, whatever its size and however many wilds.

    Where the naturals rise or fall as laid and `as_laid` is true, only the readings in which each
    wild stands where it lies.
    """
    naturals = [index for index, card in enumerate(cards) if card not in wilds.cards]
    suits = _suits_to_try(cards, naturals, rule)
    directions = _directions([cards[index].rank for index in naturals]) if as_laid else ()
    for suit in suits:
        if directions:
            yield from _as_they_lie(cards, naturals, suit, rule, wilds, directions)
        else:
            size = len(cards)
            for start in rule.starts(size):
                yield from _fill(cards, tuple(range(start, start + size)), suit, wilds)


def _suits_to_try(cards: Cards, naturals: Sequence[int], rule: RunRule) -> tuple[Suit | None, ...]:
    """Give the suits a run of these cards could be of, none where its naturals are of two."""
    if not rule.one_suit:
        return (None,)
    found = {cards[index].suit for index in naturals}
    if len(found) > 1:
        return ()
    if found:
        return tuple(found)
    own = dict.fromkeys(card.suit for card in cards if card.suit is not None)
    return (*own, *(suit for suit in CARD_SUITS if suit not in own))


def _directions(ranks: list[int]) -> tuple[int, ...]:
    """Say whether ranks rise (1) or fall (-1) as written; fewer than two are in no order."""
    if len(ranks) < 2:  # noqa: PLR2004 - one card alone is in no order
        return ()
    rising = (1,) if _rises(ranks) else ()
    falling = (-1,) if _rises(ranks[::-1]) else ()
    return rising + falling


def _rises(ranks: list[int]) -> bool:
    """Whether ranks rise, an ace being high wherever it is not the first."""
    before = ranks[0]
    for rank in ranks[1:]:
        place = rank if rank != ACE else ACE_HIGH
        if place <= before:
            return False
        before = place
    return True


def _as_they_lie(  # noqa: PLR0913, PLR0917 - what a run is made of, passed down once
    cards: Cards,
    naturals: Sequence[int],
    suit: Suit | None,
    rule: RunRule,
    wilds: WildRule,
    directions: tuple[int, ...],
) -> Iterator[Reading]:
    """Read the cards where they lie, counting places up or down from the first natural."""
    size = len(cards)
    first = naturals[0]
    rank = cards[first].rank
    starts = rule.starts(size)
    for direction in directions:
        for place in (rank, ACE_HIGH) if rank == ACE else (rank,):
            begin = place - first * direction
            low = begin if direction > 0 else begin - size + 1
            if rule.wrap:
                shift = rank_at(low) - low
                begin, low = begin + shift, low + shift
            if low in starts:
                places = range(begin, begin + size * direction, direction)
                stands = _stands(cards, places, suit, wilds)
                if stands is not None:
                    yield Reading(MeldKind.RUN, cards, stands, tuple(places))


def _stands(
    cards: Cards, places: Sequence[int], suit: Suit | None, wilds: WildRule
) -> Cards | None:
    """Say what each card stands for at its place, None where one cannot stand there."""
    stands: list[Card] = []
    for card, place in zip(cards, places, strict=True):
        rank = rank_at(place)
        if card.rank == rank and (suit is None or card.suit is suit):
            stands.append(card)
        elif card in wilds.cards:
            stands.append(Card(rank, suit))
        else:
            return None
    return tuple(stands)


def _fill(
    cards: Cards, places: tuple[int, ...], suit: Suit | None, wilds: WildRule
) -> Iterator[Reading]:
    """Read the cards as filling the places, in whatever order; at most one way is given.

    Naturals go where they belong, then wilds that are at home in a place, then the other wilds.
    """
    free = dict.fromkeys(places)
    taken: dict[int, int] = {}
    movable: list[int] = []
    for index, card in enumerate(cards):
        if card in wilds.cards:
            movable.append(index)
            continue
        place = _place_for(card.rank, free)
        if place is None or (suit is not None and card.suit is not suit):
            return
        taken[index] = place
        del free[place]
    for index in movable:
        place = _place_for(cards[index].rank, free) if cards[index].suit is suit else None
        if place is not None:
            taken[index] = place
            del free[place]
    rest = [index for index in movable if index not in taken]
    if len(rest) != len(free):
        return
    taken.update(zip(rest, free, strict=True))
    order = tuple(taken[index] for index in range(len(cards)))
    stands = _stands(cards, order, suit, wilds)
    if stands is not None:
        yield Reading(MeldKind.RUN, cards, stands, order)


def _place_for(rank: int, free: dict[int, None]) -> int | None:
    """Give the first free place where a rank stands, None where there is none."""
    return next((place for place in free if rank_at(place) == rank), None)


def extend(meld: Reading, cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Give the ways in which cards can join a meld; what lies there keeps what it stands for."""
    runs, wilds = rules.runs, rules.wilds
    if meld.kind is MeldKind.SET:
        joined = read_set((*meld.stands, *cards), wilds)
        if joined is not None:
            stands = meld.stands + joined.stands[len(meld.stands) :]
            yield Reading(MeldKind.SET, meld.cards + cards, stands)
        return
    low, high = min(meld.places), max(meld.places)
    suit = meld.stands[0].suit if runs.one_suit else None
    size = len(meld.cards) + len(cards)
    for below in range(len(cards) + 1):
        start = low - below
        begins = rank_at(start) if runs.wrap else start
        if begins not in runs.starts(size):
            continue
        ends = (*range(start, low), *range(high + 1, start + size))
        for added in _fill(cards, ends, suit, wilds):
            yield Reading(
                MeldKind.RUN,
                meld.cards + cards,
                meld.stands + added.stands,
                meld.places + added.places,
            )


def repeated_cards(cards: Cards) -> Cards:
    """Give the cards that stand among these more than once, each once."""
    return tuple(card for card, count in Counter(cards).items() if count > 1)
