"""Covering: a hand put into melds where its wilds are not free, or where suits say nothing.

`referee.melds.partition` lets wilds go anywhere in any number, and gives each suit its own runs.
Where a game has limits on wilds, keeps them out of sets, wants several naturals of which a wild in
its own place is one, or ignores suits, that is not so. Here every meld of the hand is listed as it
is read (`referee.melds.grounds`), and of all choices of them the one is taken that leaves least:
fewest points, and of as many points fewest cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.cards import JOKER
from referee.melds.grounds import legal_readings
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.cards import Card, Cards
    from referee.melds.rules import MeldRules
    from referee.rulings import Reading
    from referee.values import CardValues

MOST_READ: Final = 4_000
"""How many choices of cards are read as melds before the list ends."""
MOST_TRIED: Final = 20_000
"""How many melds are tried before the search ends with the best that it has."""
_FIELD: Final = 8
"""The bits that the cards of one kind are counted in; the highest is never set by a count."""


def are_tied(hand: Cards, rules: MeldRules, values: CardValues) -> bool:
    """Whether a hand is for this search: its wilds are not free, or cards are like no others."""
    wilds, least = rules.wilds, min(rules.sets.min_size, rules.runs.min_size)
    if not rules.runs.one_suit or rules.runs.max_size or wilds.min_naturals > least:
        return True
    if JOKER in hand and JOKER not in wilds.cards:
        return True
    costs = values.by_rank
    if any(costs[card.rank] <= 0 for card in hand if card not in wilds.cards):
        return True
    held = [card for card in hand if card in wilds.cards]
    if not held:
        return False
    limited = wilds.max_in_meld is not None or not wilds.adjacent or not wilds.may_outnumber
    placed = not wilds.in_sets or wilds.apart is not None or rules.sets.only_wilds
    own = wilds.natural_in_place and any(card.rank for card in held)
    no_room = rules.sets.max_size is not None and any(
        values.points(card, wilds.cards) > 0 for card in held
    )
    return limited or placed or no_room or (own and wilds.min_naturals > 1)


class Option(NamedTuple):
    """A meld that a hand can lay."""

    lowest: int
    """The first kind of card in it."""
    uses: int
    """How many of each kind of card it takes, in fields of bits."""
    saved: int
    size: int
    reading: Reading
    is_run: bool
    is_pure: bool


class Found(NamedTuple):
    """The best melds of what remains of a hand."""

    saved: int = 0
    size: int = 0
    option: Option | None = None
    rest: Found | None = None


@dataclass(frozen=True, slots=True)
class Cover:
    """A hand in melds: which, what is left, and whether nothing better was passed over."""

    melds: tuple[Reading, ...]
    left: Cards
    decided: bool


def cover(
    hand: Cards, rules: MeldRules, values: CardValues, *, runs: int = 0, pure: int = 0
) -> Cover | None:
    """Put a hand into melds so that the least is left; None where the runs wanted are not there.

    Of the melds so many are runs, and so many of these without a wild.
    """
    search = _Search(hand, rules, values)
    found = search.weigh(_in_fields(enumerate(search.counts)), runs, pure)
    if found is None:
        return None
    melds: list[Reading] = []
    at: Found | None = found
    while at is not None and at.option is not None:
        melds.append(at.option.reading)
        at = at.rest
    left = list(hand)
    for meld in melds:
        for card in meld.cards:
            left.remove(search.taken(card, left))
    return Cover(tuple(melds), tuple(left), decided=search.read >= 0 and search.work >= 0)


class _Search:
    """All melds of a hand, and the best choice of them."""

    def __init__(self, hand: Cards, rules: MeldRules, values: CardValues) -> None:
        self.rules = rules
        self.wild = rules.wilds.cards
        self.read, self.work = MOST_READ, MOST_TRIED
        kinds: dict[object, list[Card]] = {}
        for card in hand:
            kinds.setdefault(self._kind(card), []).append(card)
        self.kinds = sorted(kinds.values(), key=lambda same: (same[0] in self.wild, same[0].rank))
        self.counts = [len(same) for same in self.kinds]
        self.costs = [values.points(same[0], self.wild) for same in self.kinds]
        self.guards = sum(1 << (_FIELD * at + _FIELD - 1) for at in range(len(self.kinds)))
        self.options: list[list[Option]] = [[] for _ in self.kinds]
        for option in sorted(self._options(), key=lambda option: -option.size):
            self.options[option.lowest].append(option)
        self.first = _in_fields((at, _MOST) for at, own in enumerate(self.options) if own)
        self.known: dict[tuple[int, int, int], Found | None] = {}

    def _kind(self, card: Card) -> object:
        """What is the same as a card in every meld: where suits say nothing, all of its rank."""
        return (card.rank, card in self.wild) if self.rules.by_rank else card

    def taken(self, card: Card, left: Sequence[Card]) -> Card:
        """The card that a meld takes from what is left of the hand."""
        if card in left:
            return card
        return next(one for one in left if self._kind(one) == self._kind(card))

    def _options(self) -> Iterator[Option]:
        """Every meld of the hand, once for each set of cards and each thing it is."""
        seen: set[tuple[tuple[int, int], ...]] = set()
        soft = [at for at, same in enumerate(self.kinds) if same[0] in self.wild]
        wilds = [
            tuple((at, n) for at, n in zip(soft, counts, strict=True) if n)
            for counts in product(*(range(self.counts[at] + 1) for at in soft))
        ]
        for naturals in self._naturals(sum(self.counts[at] for at in soft)):
            for joined in wilds:
                uses = (*naturals, *joined)
                if not uses or uses in seen:
                    continue
                seen.add(uses)
                yield from self._read(uses)
                if self.read < 0:
                    return

    def _read(self, uses: tuple[tuple[int, int], ...]) -> Iterator[Option]:
        """Read some cards as melds."""
        rules = self.rules
        size = sum(n for _, n in uses)
        if size < min(rules.sets.min_size, rules.runs.min_size):
            return
        self.read -= 1
        cards = tuple(card for at, n in uses for card in self.kinds[at][:n])
        saved = sum(n * self.costs[at] for at, n in uses)
        said: set[tuple[bool, bool]] = set()
        for reading in legal_readings(cards, rules, as_laid=False):
            is_run = reading.kind is MeldKind.RUN
            is_pure = is_run and reading.naturals == size
            if (is_run, is_pure) not in said:
                said.add((is_run, is_pure))
                lowest = min(at for at, _ in uses)
                yield Option(lowest, _in_fields(uses), saved, size, reading, is_run, is_pure)

    def _naturals(self, wilds: int) -> Iterator[tuple[tuple[int, int], ...]]:
        """The naturals that a meld may have: none, those of one rank, those of a row with gaps."""
        yield ()
        ranks: dict[int, list[int]] = {}
        rows: dict[object, dict[int, list[int]]] = {}
        runs = self.rules.runs
        for at, same in enumerate(self.kinds):
            card = same[0]
            if card in self.wild or not card.rank:
                continue
            ranks.setdefault(card.rank, []).append(at)
            row = rows.setdefault(card.suit if runs.one_suit else None, {})
            for place in (card.rank, card.rank + runs.top):
                if runs.wrap or runs.low <= place <= runs.high:
                    row.setdefault(place, []).append(at)
        for members in ranks.values():
            for counts in product(*(range(self.counts[at] + 1) for at in members)):
                chosen = tuple((at, n) for at, n in zip(members, counts, strict=True) if n)
                if chosen:
                    yield chosen
        for row in rows.values():
            for low in sorted(row):
                yield from self._row(row, low, wilds)

    def _row(
        self, row: dict[int, list[int]], low: int, wilds: int
    ) -> Iterator[tuple[tuple[int, int], ...]]:
        """The naturals of a row that begins at a place, with no more gaps than there are wilds."""
        last = low + self.rules.runs.longest - 1
        growing: list[tuple[tuple[int, ...], int]] = [((at,), 0) for at in row[low]]
        for place in range(low + 1, last + 1):
            grown: list[tuple[tuple[int, ...], int]] = []
            for chosen, gaps in growing:
                if gaps < wilds:
                    grown.append((chosen, gaps + 1))
                for at in row.get(place, ()):
                    if chosen.count(at) < self.counts[at]:
                        longer = (*chosen, at)
                        grown.append((longer, gaps))
                        yield tuple(sorted(Counter(longer).items()))
            growing = grown
            if not growing:
                return

    def weigh(self, left: int, runs: int, pure: int) -> Found | None:
        """The best melds of the cards that remain, in fields, with so many runs among them."""
        firsts = left & self.first
        if not firsts:
            return None if runs > 0 or pure > 0 else Found()
        key = left, runs, pure
        if key in self.known:
            return self.known[key]
        at = ((firsts & -firsts).bit_length() - 1) // _FIELD
        total = sum(left.to_bytes(len(self.kinds), "little"))
        best: Found | None = None
        guarded = left | self.guards
        for option in self.options[at]:
            rest_left = guarded - option.uses
            if rest_left & self.guards != self.guards:
                continue
            self.work -= 1
            purer = max(pure - option.is_pure, 0)
            more = max(runs - option.is_run, purer)
            rest = self.weigh(rest_left ^ self.guards, more, purer)
            best = _better(best, rest, option)
            if self.work < 0 or (best is not None and best.size == total):
                break
        if best is None or (self.work >= 0 and best.size < total):
            best = _better(best, self.weigh(left - (1 << (_FIELD * at)), runs, pure))
        self.known[key] = best
        return best


def _better(best: Found | None, rest: Found | None, option: Option | None = None) -> Found | None:
    """What was best, or what the rest makes with a meld, or without one, where that is better."""
    if rest is None:
        return best
    saved, size = rest.saved, rest.size
    if option is not None:
        saved, size = saved + option.saved, size + option.size
    if best is not None and (saved, size) <= (best.saved, best.size):
        return best
    return rest if option is None else Found(saved, size, option, rest)


_MOST: Final = (1 << (_FIELD - 1)) - 1
"""As many cards of a kind as a field counts."""


def _in_fields(counts: Iterable[tuple[int, int]]) -> int:
    """Numbers of cards by their kinds, each in its field."""
    return sum(n << (_FIELD * at) for at, n in counts)
