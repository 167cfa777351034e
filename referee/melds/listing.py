"""Listing: the melds that a hand can lay, by their naturals alone.

A meld is listed once for its naturals, a wild in its own place being one, with the number of wilds
that it cannot do without and the number that may join it besides: which wilds these are makes no
difference. A meld that falls into two melds is as good as the two, and is not listed, but for runs
of one suit without a gap, and all cards of a rank: those read better.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from referee.cards import SPECIAL_RANK, Card, Cards
from referee.melds.rules import MeldRules, WildRule
from referee.rulings import MeldKind

MOST_LISTED: Final = 6_000
"""How many choices of naturals are looked at before the list ends."""
FIELD: Final = 8
"""The bits that the cards of one kind are counted in; the highest is never set by a count."""
_ALL: Final = (1 << FIELD) - 1
"""All bits of the lowest field."""


class Listed(NamedTuple):
    """A meld that a hand can lay, but for its wilds."""

    naturals: int
    """How many of each kind of card it takes, in fields of bits."""
    size: int
    """How many naturals it has."""
    needed: int
    """The wilds that it cannot do without."""
    room: int
    """How many wilds may join it besides."""
    own: int
    """How many of its naturals may be wild elsewhere."""
    is_run: bool = False
    is_pure: bool = False
    """Whether it is a run that stays without a wild."""


class Listing:
    """The melds of a hand, and the kinds of card that they are made of.

    Cards are of one kind where every meld takes either: the same card, and where suits say nothing
    all of a rank, but that wilds are apart. Kinds go by rank, so that little is open at a time when
    they are gone through in order.
    """

    def __init__(self, hand: Cards, rules: MeldRules, *, pure: bool = False) -> None:
        """List the melds, with runs that stay pure beside those that wilds may join if asked."""
        self.rules, self.pure = rules, pure
        self.wild = rules.wilds.cards
        self.wilds = sum(card in self.wild for card in hand)
        kinds: dict[tuple[object, ...], list[Card]] = {}
        for card in hand:
            if self._is_natural_somewhere(card):
                kinds.setdefault(self._kind(card), []).append(card)
        self.kinds = [kinds[kind] for kind in sorted(kinds)]
        self.counts = [len(same) for same in self.kinds]
        self.own = [same[0] in self.wild for same in self.kinds]
        self.longest = min(rules.runs.longest, rules.runs.max_size or rules.runs.longest)
        self.looked = 0
        self.options: list[list[Listed]] = [[] for _ in self.kinds]
        for option in (*self._sets(), *self._runs()):
            self.options[lowest(option.naturals)].append(option)
        for options in self.options:
            options.sort(key=_order)

    @property
    def is_whole(self) -> bool:
        """Whether every meld is listed."""
        return self.looked <= MOST_LISTED

    def _is_natural_somewhere(self, card: Card) -> bool:
        if not card.rank or card.rank == SPECIAL_RANK:
            return False
        return self.rules.wilds.natural_in_place or card not in self.wild

    def _kind(self, card: Card) -> tuple[object, ...]:
        """What is the same as a card in every meld, and where it stands among the others."""
        if self.rules.by_rank or card.suit is None:
            return card.rank, card in self.wild
        return card.rank, card.suit.at

    def _sets(self) -> Iterator[Listed]:
        """The sets: choices of the cards of a rank, with the wilds that they need and take."""
        rule = self.rules.sets
        limits = self.rules.wilds.of(MeldKind.SET) if self.rules.wild_in_sets else None
        fewest = max(1, limits.min_naturals) if limits else 1
        whole = max(rule.min_size, fewest)
        ranks: dict[int, list[int]] = {}
        for at, same in enumerate(self.kinds):
            ranks.setdefault(same[0].rank, []).append(at)
        for members in ranks.values():
            choices = [(0, 0, 0)]
            for at in members:
                copies = range(2 if rule.distinct_suits else self.counts[at] + 1)
                choices = [
                    (naturals + (n << FIELD * at), size + n, own + n * self.own[at])
                    for naturals, size, own in choices
                    for n in copies
                    # So many are two sets.
                    if size + n < 2 * whole
                ]
            self.looked += len(choices)
            if self.looked > MOST_LISTED:
                return
            for naturals, size, own in {*choices, self._all_of(members)}:
                if size < fewest:
                    continue
                needed = max(0, rule.min_size - size)
                wilds = _most_wilds(limits, size, self.wilds) if limits else 0
                if rule.max_size is not None:
                    wilds = min(wilds, rule.max_size - size)
                if needed <= wilds:
                    yield Listed(naturals, size, needed, wilds - needed, own)

    def _all_of(self, members: Sequence[int]) -> tuple[int, int, int]:
        """All cards of a rank that one set may have: which, how many, and how many may be wild."""
        once = self.rules.sets.distinct_suits
        counts = [(at, 1 if once else self.counts[at]) for at in members]
        own = sum(n for at, n in counts if self.own[at])
        return in_fields(counts), sum(n for _, n in counts), own

    def _runs(self) -> Iterator[Listed]:
        """The runs: upwards from each natural, as far as a row has naturals and wilds."""
        runs = self.rules.runs
        rows: dict[object, dict[int, list[int]]] = {}
        for at, same in enumerate(self.kinds):
            card = same[0]
            row = rows.setdefault(card.suit if runs.one_suit else None, {})
            for place in (card.rank, card.rank + runs.top):
                if runs.wrap or runs.low <= place <= runs.high:
                    row.setdefault(place, []).append(at)
        for row in rows.values():
            for low in row:
                if low <= runs.top or not runs.wrap:
                    yield from self._runs_from(low, row)

    def _runs_from(self, low: int, row: Mapping[int, list[int]]) -> Iterator[Listed]:
        """The runs with their lowest natural at a place.

        Each place above is a natural or a wild. A run falls into two where its first cards are a
        meld, up to `end`, and the others are one too.
        """
        runs, limits = self.rules.runs, self.rules.wilds.of(MeldKind.RUN)
        fewest, least = max(1, limits.min_naturals), runs.min_size
        most = _most_wilds(limits, self.longest, self.wilds)
        # The naturals, how many, how many may be wild elsewhere; the gaps, and whether it ends in
        # one; after how many places it is a meld, and with how many naturals.
        growing = [(0, 0, 0, 0, True, 0, 0)]
        for length in range(1, self.longest + 1):
            at_place = [(at, FIELD * at) for at in row.get(low + length - 1, ())]
            grown: list[tuple[int, int, int, int, bool, int, int]] = []
            for naturals, size, own, gaps, in_gap, end, before in growing:
                if size and gaps < most and (limits.adjacent or not in_gap):
                    grown.append((naturals, size, own, gaps + 1, True, end, before))
                self.looked += 1 + len(at_place)
                for at, field in at_place:
                    if naturals >> field & _ALL == self.counts[at]:
                        continue
                    more, also = size + 1, own + self.own[at]
                    parts = end and length - end >= least and more - before >= fewest
                    if parts and (limits.may_outnumber if gaps else not runs.one_suit):
                        continue
                    longer = naturals + (1 << field)
                    grown.append((longer, more, also, gaps, False, end, before))
                    if more >= fewest:
                        yield from self._with_wilds(longer, more, also, gaps, low, length)
            if not grown or self.looked > MOST_LISTED:
                return
            growing = grown
            if length >= least:
                growing = [
                    so_far if so_far[5] or so_far[1] < fewest else (*so_far[:5], length, so_far[1])
                    for so_far in grown
                ]

    def _with_wilds(  # noqa: PLR0913, PLR0917 - all that is known of a run
        self, naturals: int, size: int, own: int, gaps: int, low: int, length: int
    ) -> Iterator[Listed]:
        """A run of naturals and gaps with the wilds that it needs, as far as they have places."""
        runs, limits = self.rules.runs, self.rules.wilds.of(MeldKind.RUN)
        room = self.longest - length
        if not limits.adjacent:
            beside = (low > runs.low) + (low + length <= runs.high)
            room = min(room, 2 if runs.wrap else beside)
        wilds = min(gaps + room, _most_wilds(limits, size, self.wilds))
        needed = max(gaps, runs.min_size - size)
        if needed <= wilds:
            if self.pure and wilds and not needed:
                yield Listed(naturals, size, 0, 0, own, is_run=True, is_pure=True)
            room = wilds - needed
            yield Listed(naturals, size, needed, room, own, is_run=True, is_pure=not wilds)

    def without_naturals(self) -> list[int]:
        """For each number of wilds the size of a meld that is made of such alone, as the first.

        What is left of them is made of melds again; 0 if the number is none.
        """
        found = [0] * (self.wilds + 1)
        sizes = self._sizes_without_naturals()
        for wilds in range(1, self.wilds + 1):
            rests = (size for size in sizes if size == wilds or found[max(0, wilds - size)])
            found[wilds] = next(rests, 0)
        return found

    def _sizes_without_naturals(self) -> list[int]:
        """How many wilds alone are a meld, the most first."""
        sets, runs = self.rules.sets, self.rules.runs
        sizes: set[int] = set()
        if sets.only_wilds and self.rules.wild_in_sets:
            sizes.update(range(sets.min_size, self.wilds + 1))
        of_sets, of_runs = map(self.rules.wilds.of, (MeldKind.SET, MeldKind.RUN))
        if self.rules.wild_in_sets and not of_sets.min_naturals:
            most = min(_most_wilds(of_sets, 0, self.wilds), sets.max_size or self.wilds)
            sizes.update(range(sets.min_size, most + 1))
        if of_runs.adjacent and not of_runs.min_naturals:
            most = min(_most_wilds(of_runs, 0, self.wilds), self.longest)
            sizes.update(range(runs.min_size, most + 1))
        return sorted(sizes, reverse=True)


def _most_wilds(limits: WildRule, naturals: int, wilds: int) -> int:
    """How many of so many wilds a meld with so many naturals may have."""
    most = wilds if limits.max_in_meld is None else min(wilds, limits.max_in_meld)
    return most if limits.may_outnumber else min(most, naturals)


def _order(option: Listed) -> tuple[int, int, Listed]:
    """Large melds first, and of these such as need few wilds."""
    return -option.size, option.needed, option


def lowest(naturals: int) -> int:
    """The lowest kind of card among naturals in fields."""
    return ((naturals & -naturals).bit_length() - 1) // FIELD


def in_fields(counts: Iterable[tuple[int, int]]) -> int:
    """Numbers of cards by their kinds, each in its field."""
    return sum(n << (FIELD * at) for at, n in counts)
