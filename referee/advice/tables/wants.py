"""What is lost at the least for want of jokers, told before anything is arranged.

A tile that is in no set of naturals, whatever is made of all that there is, *wants* a joker: beside
it in its group, or beside it in its run, with one natural between them at the most, for with two it
would be in a set of naturals. So a joker at a place serves few tiles, and all jokers serve no more
than those that serve most. What is left of the tiles that want one stays in hand; of those that
must lie, none may be left.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from referee.advice.tables.colours import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

_MUST: Final = 1 << 36
"""More than any tiles cost: what must lie has to be served."""
_REACH: Final = WHOLE - 1
"""How far a joker is from a tile that it serves in a run, at the most."""


def lost_for_jokers(
    rows: Sequence[Sequence[tuple[int, int, int]]], last: int, jokers: int
) -> list[list[int]]:
    """Give what is lost from each number on at the least, with 0, 1… jokers for these numbers.

    The rows are those of the colours: how many tiles must and may lie, and what it costs to keep
    one, by number. Tiles that a run begun before the number may hold are left out.
    """
    there = [sum(1 << at for at, (must, may, _) in enumerate(row) if must + may) for row in rows]
    wanting = [0] * (last + 3)
    serves: list[defaultdict[tuple[int, int], int]] = [defaultdict(int) for _ in range(last + 3)]
    for colour, row in enumerate(rows):
        places = there[colour]
        for at, (must, may, keep) in enumerate(row):
            if not must + may or _has_set(there, places, at):
                continue
            # A second tile of the kind goes to another set.
            for copy, lost in enumerate([_MUST] * must + [keep] * may):
                wanting[at] += lost
                serves[at][len(rows), copy] += lost
                for step in (1, -1):
                    serves[at + step][colour, copy] += lost
                    if places >> at + step & 1 and at + step > 1:
                        serves[at + 2 * step][colour, copy] += lost
    floor = [[0] * (jokers + 1) for _ in range(last + 3)]
    most, total = [0] * jokers, 0
    for at in range(last, 0, -1):
        total += wanting[at + _REACH]
        most = sorted([*most, *serves[at].values()], reverse=True)[:jokers]
        floor[at] = [max(0, total - sum(most[:count])) for count in range(jokers + 1)]
    return floor


def _has_set(there: Sequence[int], places: int, at: int) -> bool:
    """Whether a tile is in any set of naturals."""
    if sum(some >> at & 1 for some in there) >= WHOLE:
        return True
    near = places << WHOLE >> at + 1
    return any(near >> start & _THREE == _THREE for start in range(WHOLE))


_THREE: Final = (1 << WHOLE) - 1
