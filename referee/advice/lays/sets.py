"""What the sets of one rank gain, by how many of its naturals lie in them.

One pack, so that the naturals of a rank are of different suits and any of them go together. New
sets and those of the table are filled in every way that uses all the naturals (`fills`); what they
gain depends on nothing but how many naturals and wilds there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.advice.lays.gains import NEVER, both

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.prices import Prices


class PlannedSet(NamedTuple):
    """Cards of one rank that lie together."""

    naturals: int
    wilds: int
    onto: int = -1
    """Which meld of the table they join; less than 0 where they are a new set."""


Fill: TypeAlias = tuple[PlannedSet, ...]
"""What is made of the cards of one rank that lie in sets."""


class Joinable(NamedTuple):
    """A set of the table that cards of one rank may join."""

    meld: int
    takes_wilds: bool
    room: int
    """How many cards it has room for."""


def fills(naturals: int, wilds: int, prices: Prices, table: Sequence[Joinable]) -> dict[int, Fill]:
    """The numbers of wilds, up to `wilds`, that may go with naturals into sets, and how."""
    if not table:
        return dict(_new_sets(naturals, wilds, prices))
    found: dict[int, Fill] = {}
    there, *others = table
    for joining in range(min(naturals, there.room) + 1):
        room = min(wilds, there.room - joining) if there.takes_wilds else 0
        for taken in range(room + 1):
            rest = fills(naturals - joining, wilds - taken, prices, others)
            for used, fill in rest.items():
                joined = (PlannedSet(joining, taken, there.meld),) if joining or taken else ()
                found.setdefault(used + taken, fill + joined)
    return found


def _new_sets(naturals: int, wilds: int, prices: Prices) -> Iterator[tuple[int, Fill]]:
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
                made.append(PlannedSet(size, need + more))
            yield used, tuple(made)


def set_gains(
    prices: Prices, place: int, table: Sequence[Joinable], most: int, single: Gains
) -> tuple[Gains, ...]:
    """What 0, 1, 2… up to `most` naturals gain in sets of the rank that stands at a place.

    `single` is what one natural of the rank gains in a run of its own with wilds. What can be had
    so, with one natural fewer in sets, is left out as `NEVER`: the runs know of it.
    """
    rows: list[Gains] = []
    card, wild = prices.in_set[place], prices.wild_in_set[place]
    for naturals in range(most + 1):
        at_home = naturals * (prices.at_home >> place & 1)
        row = [NEVER] * (prices.wilds + 1)
        for wilds in fills(naturals, prices.wilds - at_home, prices, table):
            row[at_home + wilds] = naturals * card + wilds * wild
        rows.append(tuple(row))
    in_a_run = [both(row, single) for row in rows]
    for naturals in range(1, most + 1):
        pairs = zip(rows[naturals], in_a_run[naturals - 1], strict=True)
        rows[naturals] = tuple(gain if gain > other else NEVER for gain, other in pairs)
    return tuple(rows)
