"""The sets of one rank in a hand, by how many of its naturals lie in them.

One pack, so that the naturals of a rank are of different suits and any of them go together. New
sets and those of the table are filled in every way that uses all the naturals (`_fills`); what they
gain depends on nothing but how many naturals and wilds there are.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.advice.lays.gains import NEVER
from referee.advice.lays.parts import Laid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.parts import Share
    from referee.advice.lays.prices import Prices
    from referee.cards import Card


class _Filled(NamedTuple):
    """Cards of one rank that lie together."""

    naturals: int
    wilds: int
    onto: int = -1
    """Which meld of the table they join; less than 0 where they are a new set."""


_Fill: TypeAlias = tuple[_Filled, ...]
"""What is made of the cards of one rank that lie in sets."""


class Joinable(NamedTuple):
    """A set of the table that cards of one rank may join."""

    meld: int
    takes_wilds: bool
    room: int
    """How many cards it has room for."""


@lru_cache(maxsize=1_000)
def _fills(
    naturals: int, wilds: int, prices: Prices, table: tuple[Joinable, ...]
) -> dict[int, _Fill]:
    """The numbers of wilds, up to `wilds`, that may go with naturals into sets, and how."""
    if not table:
        return dict(_new_sets(naturals, wilds, prices))
    found: dict[int, _Fill] = {}
    there, *others = table
    for joining in range(min(naturals, there.room) + 1):
        room = min(wilds, there.room - joining) if there.takes_wilds else 0
        for taken in range(room + 1):
            rest = _fills(naturals - joining, wilds - taken, prices, tuple(others))
            for used, fill in rest.items():
                joined = (_Filled(joining, taken, there.meld),) if joining or taken else ()
                found.setdefault(used + taken, fill + joined)
    return found


def _new_sets(naturals: int, wilds: int, prices: Prices) -> Iterator[tuple[int, _Fill]]:
    """The wilds that may go with naturals into new sets."""
    if not naturals:
        yield 0, ()
        return
    least, most = max(prices.naturals, 1), prices.set_most or naturals + wilds
    for number in range(1, naturals // least + 1):
        own = [least] * (number - 1) + [naturals - least * (number - 1)]
        needed = [max(0, prices.set_size - size) for size in own]
        for used in range(sum(needed), min(wilds, number * most - naturals) + 1):
            spare = used - sum(needed)
            made = []
            for size, need in zip(own, needed, strict=True):
                more = min(spare, most - size - need)
                spare -= more
                made.append(_Filled(size, need + more))
            yield used, tuple(made)


@lru_cache(maxsize=1_000)
def _rows(prices: Prices, place: int, table: tuple[Joinable, ...], most: int) -> tuple[Gains, ...]:
    """What 0, 1, 2… up to `most` naturals gain in sets of the rank that stands at a place."""
    rows: list[Gains] = []
    card, wild = prices.in_set[place], prices.wild_in_set[place]
    for naturals in range(most + 1):
        at_home = naturals * (prices.at_home >> place & 1)
        row = [NEVER] * (prices.wilds + 1)
        for wilds in _fills(naturals, prices.wilds - at_home, prices, table):
            row[at_home + wilds] = naturals * card + wilds * wild
        rows.append(tuple(row))
    return tuple(rows)


class RankSets:
    """The sets of one rank, in a hand with so many wilds."""

    def __init__(
        self,
        prices: Prices,
        rank: int,
        cards: Sequence[Card],
        table: Sequence[Joinable],
        wilds: int,
    ) -> None:
        self.bits = {card: 1 << at for at, card in enumerate(cards)}
        self._prices, self._table = prices, tuple(table)
        place = prices.place_of(rank)
        rows = _rows(prices, place, self._table, len(cards))
        self._rows = [row[: wilds + 1] for row in rows]
        """What 0, 1, 2… of the cards gain."""
        self._at_home = prices.at_home >> place & 1
        """1 where they are wilds too."""
        self._gains: dict[Share, Gains] = {}

    def gains(self, share: Share) -> Gains:
        """What the sets gain, however many cards lie in them."""
        found = self._gains.get(share)
        if found is None:
            found = self._gains[share] = tuple(map(max, zip(*self._charged(share), strict=True)))
        return found

    def laid(self, share: Share, wilds: int, taken: AbstractSet[Card]) -> Sequence[Laid]:
        """The sets that gain the most with so many wilds."""
        column = [row[wilds] for row in self._charged(share)]
        number = column.index(max(column))
        if not (number or wilds):
            return ()
        charges = dict(share.charges)
        may = [(charges.get(bit, 0), card) for card, bit in self.bits.items() if share.may & bit]
        may.sort(key=lambda one: (one[0], one[1] in taken))
        cards, left = [card for _, card in may], wilds - number * self._at_home
        found = []
        for naturals, more, onto in _fills(number, left, self._prices, self._table)[left]:
            found.append(Laid((*cards[:naturals], *(None,) * more), onto))
            cards = cards[naturals:]
        return found

    def _charged(self, share: Share) -> Sequence[Gains]:
        """What 0, 1, 2… of the cards that may be used gain: those that are charged least."""
        number = share.may.bit_count()
        if not share.charges:
            return self._rows[: number + 1]
        some = [charge for bit, charge in share.charges if share.may & bit]
        each = sorted([*some, *[0] * (number - len(some))])
        costs = accumulate(each, initial=0)
        return [
            tuple([gain - cost for gain in row])
            for row, cost in zip(self._rows, costs, strict=False)
        ]


class Alone:
    """The wilds that lie alone, in a set of only wilds."""

    def __init__(self, gains: Gains, onto: int) -> None:
        self.bits: dict[Card, int] = {}
        self._gains, self._onto = gains, onto

    def gains(self, _share: Share) -> Gains:
        """What they gain."""
        return self._gains

    def laid(self, _share: Share, wilds: int, _taken: AbstractSet[Card]) -> Sequence[Laid]:
        """The set of so many."""
        return [Laid((None,) * wilds, self._onto)] if wilds else ()
