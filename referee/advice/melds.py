"""The melds that can be made from a hand, each with the kinds of cards that it uses.

Cards that are the same for every meld are one *kind*: copies of a card, or if suits don’t matter,
all cards of a rank. Wilds that count the same in hand are one *pool*: if a wild stands for another
card, any wild of the pool will do, so the search doesn’t try each of them. A wild that can be
natural in its own place belongs to a kind and to a pool. Kinds and pools together are the *fields*
of a hand, each with an index.

If only jokers are wild, the hand 7♥ 7♥ 7♣ 8♣ joker has 4 fields: the two 7♥s, the 7♣, the 8♣, and
the pool of one joker. Its melds include a set of the fields (0, 0, 1) and a run of (1, 2, 3).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product
from math import prod
from typing import TypeAlias

from referee.cards import SPECIAL_RANK, Card, Cards, Suit
from referee.melds.rules import MeldRules, rank_at
from referee.rulings import MeldKind, Reading

Slots: TypeAlias = tuple[int, ...]
"""The field that each card of a meld comes from: its kind, or its pool if it is used as a wild."""


_MOST_KEPT = 4_000
"""The most ways to take wilds to keep in memory. If wilds have many different points, there can be
millions; each search then goes through them again until its budget is used up."""


class SortedHand:
    """A hand sorted into kinds and pools, with a field for each.

    `fields` has the cards of each field. The kinds come first, in order of rank so that a search
    has few unfinished ones at a time. Kinds of wilds, for wilds in their own place, begin at the
    index `own_at`, and pools at `pool_at`; `end` is the number of fields.
    """

    def __init__(
        self, hand: Cards, rules: MeldRules, price: Callable[[Card], int], *, by_rank: bool
    ) -> None:
        """Sort a hand. `price` returns the points of a card; with `by_rank`, suits don’t matter."""
        self.rules, self.size = rules, len(hand)
        wild = rules.wilds.cards
        kinds: dict[tuple[bool, int, int, int], list[Card]] = {}
        pools: dict[tuple[int, bool], list[Card]] = {}
        for card in hand:
            if card in wild:
                pools.setdefault((price(card), card in rules.wilds.runs_only), []).append(card)
            is_natural = card.rank and card.rank != SPECIAL_RANK
            if is_natural and (card not in wild or rules.wilds.natural_in_place):
                suit = -1 if by_rank or card.suit is None else card.suit.at
                kinds.setdefault((card in wild, card.rank, suit, price(card)), []).append(card)
        # Cards of one rank stay in the order of the hand, and sets are shown in that order.
        order = sorted(kinds, key=lambda key: key[:2])
        self.kinds = [kinds[key] for key in order]
        self.pools = [pools[cost] for cost in sorted(pools)]
        self.fields = [*self.kinds, *self.pools]
        self.own_at = sum(not is_wild for is_wild, *_ in order)
        self.pool_at, self.end = len(self.kinds), len(self.fields)
        self.kind_of = {card: at for at, same in enumerate(self.kinds) for card in same}
        self.pool_of = {
            card: at for at, pool in enumerate(self.pools, start=self.pool_at) for card in pool
        }
        self.wilds = self._ways_to_take_wilds()

    def _ways_to_take_wilds(self) -> list[Iterable[Slots]]:
        """Return the ways to take wilds from the pools, by the number of wilds."""
        pools = [*enumerate(map(len, self.pools), start=self.pool_at)]
        few = prod(count + 1 for _, count in pools) <= _MOST_KEPT
        ways = [_Ways(pools, number) for number in range(sum(map(len, self.pools)) + 1)]
        return [tuple(each) for each in ways] if few else [*ways]

    def is_own(self, at: int) -> bool:
        """Return whether field `at` is a kind of wilds, whose cards are also in a pool."""
        return self.own_at <= at < self.pool_at

    def melds(self, least: dict[MeldKind, int]) -> Iterator[tuple[Reading, Slots]]:
        """Yield everything that could be a meld, with the field of each of its cards.

        `least` has the kinds of meld that are wanted, each with the fewest cards it can have.
        Limits aren’t checked, so not all of them are legal.
        """
        rules = self.rules
        if MeldKind.SET in least:
            yield from self._sets(max(rules.sets.min_size, least[MeldKind.SET]))
        if MeldKind.RUN in least:
            yield from self._runs(max(rules.runs.min_size, least[MeldKind.RUN]))
        if rules.flush is not None and MeldKind.FLUSH in least:
            yield from self._flushes(max(rules.flush, least[MeldKind.FLUSH]))

    def _sets(self, least: int) -> Iterator[tuple[Reading, Slots]]:
        rules = self.rules
        needs_natural = rules.wilds.of(MeldKind.SET).min_naturals > 0
        # Wilds alone can be a set of any rank if a set needs no natural.
        ranks: dict[int, list[int]] = {} if needs_natural else {at: [] for at in rules.pack.ranks}
        for at, same in enumerate(self.kinds):
            ranks.setdefault(same[0].rank, []).append(at)
        wilds = self.wilds if rules.wild_in_sets else self.wilds[:1]
        if rules.wilds.runs_only:
            fit = [same[0] in rules.wild_in_sets for same in self.fields]
            wilds = [[some for some in ways if all(fit[at] for at in some)] for ways in wilds]
        most = rules.sets.max_size or self.size
        for rank, members in ranks.items():
            every = [Card(rank, suit) for suit in rules.pack.suits]
            for slots in self._taken(members, once=rules.sets.distinct_suits):
                missing = [card for card in every if card not in self._cards(slots)]
                if slots or not needs_natural:
                    stands = missing or [Card(rank)]
                    yield from self._with_wilds(
                        MeldKind.SET, slots, wilds, stands, least=least, most=most
                    )
        if rules.sets.only_wilds and rules.wild_in_sets:
            for some in [one for ways in wilds[least:] for one in ways]:
                cards = self._wild_cards(some)
                yield Reading(MeldKind.SET, cards, cards, rankless=True), some

    def _flushes(self, least: int) -> Iterator[tuple[Reading, Slots]]:
        wilds = self.wilds if self.rules.wilds.in_flushes else self.wilds[:1]
        for suit in self.rules.pack.suits:
            members = [at for at, same in enumerate(self.kinds) if same[0].suit is suit]
            for slots in filter(None, self._taken(members)):
                stands = [Card(0, suit)]
                yield from self._with_wilds(
                    MeldKind.FLUSH, slots, wilds, stands, least=least, most=self.size
                )

    def _taken(self, members: Sequence[int], *, once: bool = False) -> Iterator[Slots]:
        """Yield every way to take cards of some kinds; with `once`, at most one of each kind."""
        counts = [range((1 if once else len(self.kinds[at])) + 1) for at in members]
        for taken in product(*counts):
            yield tuple(at for at, n in zip(members, taken, strict=True) for _ in range(n))

    def _cards(self, slots: Slots) -> Cards:
        taken = Counter[int]()
        cards = []
        for at in slots:
            cards.append(self.fields[at][taken[at]])
            taken[at] += 1
        return tuple(cards)

    def _with_wilds(  # noqa: PLR0913 - a meld is all of these
        self,
        kind: MeldKind,
        slots: Slots,
        wilds: Sequence[Iterable[Slots]],
        stands: Sequence[Card],
        *,
        least: int,
        most: int,
    ) -> Iterator[tuple[Reading, Slots]]:
        """Yield melds of the naturals in `slots` and wilds, of `least` to `most` cards.

        `wilds` has the ways to take wilds, by their number. They stand for the cards in `stands`,
        again from the first if there are more wilds than cards.
        """
        naturals, size = self._cards(slots), len(slots)
        for number in range(max(0, least - size), min(len(wilds), most - size + 1)):
            meant = tuple(islice(cycle(stands), number))
            for some in wilds[number]:
                cards = naturals + self._wild_cards(some)
                yield self._reading(kind, slots + some, cards, naturals + meant)

    def _wild_cards(self, some: Slots, suit: Suit | None = None) -> Cards:
        """Return a wild from each of these fields, if possible one that isn’t of this suit."""
        taken = Counter[int]()
        cards = []
        for at in some:
            order = sorted(self.fields[at], key=lambda card: card.suit is suit)
            cards.append(order[taken[at]])
            taken[at] += 1
        return tuple(cards)

    def _runs(self, least: int) -> Iterator[tuple[Reading, Slots]]:
        """Yield the runs: every row of places, with a natural or a wild at each."""
        runs, limit = self.rules.runs, self.rules.wilds.of(MeldKind.RUN)
        longest = min(runs.longest, runs.max_size or runs.longest, self.size)
        gaps = len(self.wilds) - 1
        if limit.max_in_meld is not None:
            gaps = min(gaps, limit.max_in_meld)
        for suit, row in self._rows(alone=not limit.min_naturals).items():
            # Look this up once, because each place is in many runs. Places go past the top for runs
            # around the corner.
            at_place = [row.get(rank_at(place, runs.top), ()) for place in range(2 * runs.above)]
            for size in range(least, longest + 1):
                for low in runs.starts(size):
                    fields = at_place[low : low + size]
                    spare = gaps - fields.count(())
                    if spare < 0:
                        continue
                    places = tuple(range(low, low + size))
                    for filled in _filled(fields, spare):
                        if filled.count(None) < size or not limit.min_naturals:
                            yield from self._as_runs(filled, places, suit)

    def _rows(self, *, alone: bool) -> dict[Suit | None, dict[int, list[int]]]:
        """Return the kinds that can be in a run, by suit (None if runs can mix suits) and rank.

        If wilds `alone` can be a run, every suit is there.
        """
        suits = self.rules.pack.suits if self.rules.runs.one_suit else (None,)
        rows: dict[Suit | None, dict[int, list[int]]] = {suit: {} for suit in suits if alone}
        for at, same in enumerate(self.kinds):
            suit = same[0].suit if self.rules.runs.one_suit else None
            rows.setdefault(suit, {}).setdefault(same[0].rank, []).append(at)
        return rows

    def _as_runs(
        self, filled: Sequence[int | None], places: tuple[int, ...], suit: Suit | None
    ) -> Iterator[tuple[Reading, Slots]]:
        """Yield a run with wilds where `filled` is None, once for each way to take the wilds."""
        naturals = tuple(at for at in filled if at is not None)
        # A run around the corner can need a kind twice.
        if any(naturals.count(at) > len(self.kinds[at]) for at in naturals):
            return
        for some in self.wilds[filled.count(None)]:
            wilds = iter(zip(some, self._wild_cards(some, suit), strict=True))
            there = zip(naturals, self._cards(naturals), strict=True)
            laid = [next(wilds) if at is None else next(there) for at in filled]
            slots, cards = tuple(at for at, _ in laid), tuple(card for _, card in laid)
            stands = tuple(
                Card(rank_at(place, self.rules.runs.top), suit) if at is None else card
                for at, place, card in zip(filled, places, cards, strict=True)
            )
            yield self._reading(MeldKind.RUN, slots, cards, stands, places)

    def _reading(
        self,
        kind: MeldKind,
        slots: Slots,
        cards: Cards,
        stands: Cards,
        places: tuple[int, ...] = (),
    ) -> tuple[Reading, Slots]:
        """Return a meld and its slots; a wild taken from its pool is wild, even at home."""
        if max(slots) < self.pool_at:
            return Reading(kind, cards, cards, places), slots
        fields = enumerate(zip(slots, cards, stands, strict=True))
        home = [
            place for place, (at, card, stand) in fields if at >= self.pool_at and card is stand
        ]
        return Reading(kind, cards, stands, places, at_home=tuple(home)), slots


@dataclass(frozen=True, slots=True)
class _Ways:
    """An iterable of every way to take `number` wilds from some pools, made again each time."""

    pools: Sequence[tuple[int, int]]
    """The field and the size of each pool."""
    number: int

    def __iter__(self) -> Iterator[Slots]:
        return self._taken(0, self.number, sum(count for _, count in self.pools))

    def _taken(self, first: int, number: int, left: int) -> Iterator[Slots]:
        if not number:
            yield ()
            return
        at, count = self.pools[first]
        left -= count
        for taken in range(min(count, number), max(0, number - left) - 1, -1):
            for rest in self._taken(first + 1, number - taken, left):
                yield (at,) * taken + rest


def _filled(places: Sequence[Sequence[int]], spare: int) -> Iterator[tuple[int | None, ...]]:
    """Yield a kind or None (a wild) for each place, with at most `spare` wilds where a kind fits.

    Places without a kind always get a wild.
    """
    if not places:
        yield ()
        return
    first, *others = places
    for at in first:
        yield from ((at, *rest) for rest in _filled(others, spare))
    if spare or not first:
        left = spare - 1 if first else spare
        yield from ((None, *rest) for rest in _filled(others, left))
