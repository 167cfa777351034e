"""The melds that can be laid from a hand, listed by their naturals.

Melds with the same naturals are listed once, with the number of wilds they need and the number of
further wilds they can take; which wilds these are makes no difference. If runs need 3 cards and the
hand has 2 jokers, 5♥ 7♥ is listed as a run that needs 1 wild and can take 1 more. A wild that is
natural in its own place counts as a natural.

A meld that could be split into two melds isn’t listed, because the two are just as good. Runs of
one suit without a gap, and all cards of a rank, are listed anyway because players prefer them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from referee.cards import SPECIAL_RANK, Card, Cards
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules, WildRule
from referee.rulings import MeldKind

MOST_LISTED: Final = 6_000
"""The most choices of naturals to look at; after that, the list is incomplete."""
FIELD: Final = 8
"""How many bits count the cards of one kind; a count never sets the highest one."""
_ALL: Final = (1 << FIELD) - 1
"""All bits of the lowest field."""


class Listed(NamedTuple):
    """A meld that can be laid from a hand: its naturals, and how many wilds go with them."""

    naturals: int
    """How many cards of each kind it has: a field of `FIELD` bits for each, the lowest first."""
    size: int
    """How many naturals it has."""
    needed: int
    """How many wilds it needs."""
    room: int
    """How many more wilds it can take."""
    own: int
    """How many of its naturals are cards that can be wild in other melds."""
    is_run: bool = False
    is_pure: bool = False
    """Whether it is a run that has no wilds and takes none."""


class Listing:
    """The melds that can be laid from a hand, and the kinds of card in them.

    Cards are of one kind if every meld can use either of them: copies of a card, or if suits don’t
    matter, all cards of a rank (wilds separate from the others). `options` has, for each kind, the
    melds in which it is the lowest. Kinds are in order of rank, so that a search through them has
    few unfinished melds at a time.
    """

    def __init__(self, hand: Cards, rules: MeldRules, *, pure: bool = False) -> None:
        """List the melds.

        With `pure`, a run that needs no wilds but can take some is listed twice: once as it is, and
        once as a pure run, which takes none.
        """
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
        found: Iterable[Listed] = (*self._sets(), *self._runs())
        # Whether a card is barred from sets or runs isn’t known from counting naturals and wilds.
        # Few games bar any, so that only theirs are read one by one.
        if rules.sets.without or rules.runs.without or rules.runs.one_ace:
            spare = [card for card in hand if card in self.wild]
            found = filter(None, (self._as_legal(option, spare) for option in found))
        for option in found:
            self.options[lowest(option.naturals)].append(option)
        for options in self.options:
            options.sort(key=_order)

    @property
    def is_whole(self) -> bool:
        """Whether the list is complete; false if there were too many melds."""
        return self.looked <= MOST_LISTED

    def _is_natural_somewhere(self, card: Card) -> bool:
        if not card.rank or card.rank == SPECIAL_RANK:
            return False
        return self.rules.wilds.natural_in_place or card not in self.wild

    def _kind(self, card: Card) -> tuple[object, ...]:
        """Return the key of a card’s kind, by which kinds are also sorted."""
        if self.rules.by_rank or card.suit is None:
            barred = card in self.rules.sets.without, card in self.rules.runs.without
            return card.rank, card in self.wild, *barred
        return card.rank, card.suit.at

    def _as_legal(self, option: Listed, wilds: Sequence[Card]) -> Listed | None:
        """Return a meld with as many wilds as it can legally take; None if it isn’t legal."""
        kind = MeldKind.RUN if option.is_run else MeldKind.SET
        counts = option.naturals.to_bytes(len(self.kinds), "little")
        naturals = [
            card for same, count in zip(self.kinds, counts, strict=True) for card in same[:count]
        ]
        spare = [*wilds]
        for card in naturals if option.own else ():
            if card in spare:
                spare.remove(card)

        def is_legal(count: int) -> bool:
            cards = (*naturals, *spare[:count])
            readings = legal_readings(cards, self.rules, as_laid=False)
            return any(reading.kind is kind for reading in readings)

        if not is_legal(option.needed):
            return None
        more = range(option.needed + 1, option.needed + option.room + 1)
        return option._replace(room=sum(1 for _ in takewhile(is_legal, more)))

    def _sets(self) -> Iterator[Listed]:
        """Yield the sets: choices of cards of one rank, with the wilds they need and can take."""
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
                    # With twice the smallest size, it could be split into two sets.
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
        """Return all cards of a rank that one set can have: `naturals`, `size` and `own`."""
        once = self.rules.sets.distinct_suits
        counts = [(at, 1 if once else self.counts[at]) for at in members]
        own = sum(n for at, n in counts if self.own[at])
        return in_fields(counts), sum(n for _, n in counts), own

    def _runs(self) -> Iterator[Listed]:
        """Yield the runs: from each natural upward, as far as naturals and wilds go."""
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
        """Yield the runs with their lowest natural at the place `low`.

        Each higher place has a natural or a gap for a wild. A run could be split into two if its
        first `end` places are a meld and the others are one, too.
        """
        runs, limits = self.rules.runs, self.rules.wilds.of(MeldKind.RUN)
        fewest, least = max(1, limits.min_naturals), runs.min_size
        most = _most_wilds(limits, self.longest, self.wilds)
        # The naturals, how many, how many can be wild elsewhere; the gaps, and whether it ends in
        # one; after how many places it is first a meld, and how many naturals it has there.
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
        """Yield a run of naturals and gaps with the wilds it needs, if there are enough."""
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
        """Return how wilds alone can be split into melds, by the number of wilds.

        Each item is the size of a first meld; look up the number of wilds left to get the size of
        the next one. It is 0 if that many wilds can’t be split into melds without any left over.
        """
        found = [0] * (self.wilds + 1)
        sizes = self._sizes_without_naturals()
        for wilds in range(1, self.wilds + 1):
            rests = (size for size in sizes if size == wilds or found[max(0, wilds - size)])
            found[wilds] = next(rests, 0)
        return found

    def _sizes_without_naturals(self) -> list[int]:
        """Return the sizes that a meld of only wilds can have, largest first."""
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
    """Return how many of the wilds a meld with this many naturals can have."""
    most = wilds if limits.max_in_meld is None else min(wilds, limits.max_in_meld)
    return most if limits.may_outnumber else min(most, naturals)


def _order(option: Listed) -> tuple[int, int, Listed]:
    """Return a sort key: large melds first, then those that need few wilds."""
    return -option.size, option.needed, option


def lowest(naturals: int) -> int:
    """Return the index of the lowest kind of card in these fields, of which at least one is set."""
    return ((naturals & -naturals).bit_length() - 1) // FIELD


def in_fields(counts: Iterable[tuple[int, int]]) -> int:
    """Return one integer with a field for each kind of card, from pairs of kind and count."""
    return sum(n << (FIELD * at) for at, n in counts)
