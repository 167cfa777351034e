"""What lies on the table, as far as it can be grown from a hand.

A meld may be read in more than one way: two wilds beside a seven are a set, or a run that the seven
begins, or ends. Laying off goes by whichever reading suits, so each combination of readings is
looked at, up to `MOST_READINGS`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.lays.sets import Joinable
from referee.cards import RANKS
from referee.melds.standing import standing
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.cards import Cards, Suit
    from referee.variant import Variant

MOST_READINGS: Final = 128
"""In how many ways the melds of the table are read."""


class Target(NamedTuple):
    """A run of the table that may be continued."""

    meld: int
    takes_wilds: bool
    places: range
    """The places beyond one end of it, the nearest first."""


class Growable(NamedTuple):
    """Where the melds of the table can be grown, each read in one way."""

    runs: dict[Suit | None, list[Target]]
    """By suit."""
    sets: dict[int, list[Joinable]]
    """By rank."""
    only_wilds: int | None
    """Which meld takes any wild."""


class Shown:
    """The melds of the table."""

    def __init__(self, variant: Variant, table: Sequence[Cards], own: Sequence[Cards]) -> None:
        self.table = table
        self.own: list[bool] = []
        left = Counter(own)
        for cards in table:
            self.own.append(left[cards] > 0)
            left[cards] -= 1
        ways = [
            _readings(variant, cards, own=own) for cards, own in zip(table, self.own, strict=True)
        ]
        every = list(islice(product(*ways), MOST_READINGS + 1))
        self.cut = len(every) > MOST_READINGS
        """Whether there are more ways to read them than are looked at."""
        self.readings = [self._growable(variant, some) for some in every[:MOST_READINGS]]

    def _growable(self, variant: Variant, readings: Sequence[Reading | None]) -> Growable:
        rule, only_wilds = variant.lay_offs, None
        runs: dict[Suit | None, list[Target]] = defaultdict(list)
        sets: dict[int, list[Joinable]] = defaultdict(list)
        for meld, (reading, own) in enumerate(zip(readings, self.own, strict=True)):
            if reading is None or rule is None:
                continue
            wild = own or not rule.wilds_on_own_only
            card = reading.stands[0]
            if reading.rankless:
                only_wilds = meld if wild else only_wilds
            elif reading.kind is MeldKind.SET:
                most = variant.sets.max_size
                room = len(RANKS) if most is None else max(0, most - len(reading.cards))
                sets[card.rank].append(Joinable(meld, wild, room))
            else:
                above = range(max(reading.places) + 1, variant.runs.high + 1)
                below = range(min(reading.places) - 1, variant.runs.low - 1, -1)
                runs[card.suit] += [
                    Target(meld, wild, places) for places in (above, below) if places
                ]
        return Growable(runs, sets, only_wilds)


def _readings(variant: Variant, cards: Cards, *, own: bool) -> tuple[Reading | None, ...]:
    """Read a meld of the table in every way; wilds that join it score most as only wilds."""
    readings = standing(cards, variant.melds_at(None))
    rule = variant.lay_offs
    if rule is not None and (own or not rule.wilds_on_own_only):
        alone = any(reading.rankless for reading in readings)
        readings = tuple(r for r in readings if r.places or r.rankless or not alone)
    return readings or (None,)
