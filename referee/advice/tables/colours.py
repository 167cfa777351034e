"""What the tiles of one colour may do at one number: runs go on, stop or begin, the rest groups.

Of an open run all that counts is whether it is long enough yet: three is as good as more. Where a
joker must make a new set (it is *fresh*), no set of the table may go on in the set it lies in; so
it counts too how many naturals the run ends with, and whether it holds the joker or such a *part*.
Where a set may not have all the jokers, it counts how many it has.

What may be done depends only on the open runs and on how many tiles and jokers there are, not on
the number, the colour or the position. So it is worked out once, at the first time of asking, and
kept: a *table* for each kind of game. Two exchanges leave few ways. A run that stops where another
begins might as well have gone on, so no run begins where one stops; and where a joker lies in a
run while a natural in its place lies in a group, the two may change places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

WHOLE: Final = 3
"""How many tiles make a run; longer ones are not told apart."""
LARGEST: Final = 4
"""How many tiles a group has at the most, one for each colour."""


_MANY: Final = 4
"""More runs of a colour than these are seldom open."""
_ADDING: Final = Lock()
"""Held while open runs are numbered: phones are answered in threads, and share the tables."""


_NEITHER: Final = 0
_NEW: Final = 1
_PART: Final = 2


class Run(NamedTuple):
    """What is to be known of an open run."""

    length: int
    """How long it is; three is three or more."""
    tail: int = 0
    """How many naturals it ends with, counted only where there are fresh jokers."""
    holds: int = _NEITHER
    """Whether it holds a fresh joker, or a part in which a set of the table goes on."""
    wilds: int = 0
    """How many jokers it has, counted only where there may not be all of them."""

    def better(self) -> Iterator[Run]:
        """Runs that can do all that this one can: longer, or with less for a joker to mind."""
        if self.length < WHOLE:
            yield self._replace(length=self.length + 1)
        if self.tail:
            yield self._replace(tail=self.tail - 1)
        if self.holds:
            yield self._replace(holds=_NEITHER)

    def settled(self) -> Run:
        """The same where no fresh joker is left to be laid."""
        return self if self.holds == _NEW else Run(self.length, wilds=self.wilds)


Runs: TypeAlias = tuple[Run, ...]
NATURAL: Final = 0
_FREE: Final = 1
_FRESH: Final = 2


class Step(NamedTuple):
    """One thing that a colour may do at a number."""

    runs: int
    """The runs that are open afterwards, as their table numbers them."""
    grouped: int
    """How many naturals are left to groups."""
    free: int
    """How many free jokers are put to runs."""
    fresh: int
    """How many fresh ones."""
    kept: int
    """How many naturals stay in hand."""
    begun: bool
    """Whether a run begins with a joker."""
    moves: tuple[tuple[int, int], ...]
    """For each open run which of the old ones it was (-1: none), and what was put to it."""


class There(NamedTuple):
    """How many tiles of a colour there are at a number, and how many jokers."""

    must: int
    may: int
    free: int
    fresh: int
    part: int = 0
    """With how many naturals, the last of them here, a set of the table goes on; 0 with none."""
    tail: int = 0
    """How many naturals may count yet that a run ends with here."""


@dataclass(slots=True, eq=False)
class Steps:
    """The table for one kind of game."""

    cap: int | None
    """How many jokers a set may have, where it may not have all of them."""
    fresh: bool
    """Whether there are jokers that must make a new set."""
    runs: list[Runs] = field(default_factory=list)
    """All open runs that have come up; none at all comes first."""
    short: list[tuple[int, int]] = field(default_factory=list)
    """How many of these are not long enough, and how many have only one tile."""
    numbers: dict[Runs, int] = field(default_factory=dict)
    known: dict[tuple[int, There], tuple[Step, ...]] = field(default_factory=dict)
    above: dict[int, tuple[int, ...]] = field(default_factory=dict)
    still: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with no runs."""
        self.number(())

    def number(self, runs: Runs) -> int:
        """The number of some open runs."""
        found = self.numbers.get(runs)
        return self._add(runs) if found is None else found

    def _add(self, runs: Runs) -> int:
        """Number open runs that have not come up; the table is everybody's, so one at a time."""
        few = sum([run.length < WHOLE for run in runs])
        ones = sum([run.length == 1 for run in runs])
        with _ADDING:
            found = self.numbers.get(runs)
            if found is None:
                found = len(self.runs)
                self.runs.append(runs)
                self.short.append((few, ones))
                # Last: who finds the number finds what it stands for.
                self.numbers[runs] = found
            return found

    def better(self, runs: int) -> tuple[int, ...]:
        """Open runs that can do all that these can: one is better, or one is added.

        Only what is long enough is added, for it may stop at once. They are given by how far their
        numbers are from that of these.
        """
        found = self.above.get(runs)
        if found is None:
            here = self.runs[runs]
            every = [
                (*here[:at], better, *here[at + 1 :])
                for at, run in enumerate(here)
                for better in run.better()
            ]
            if len(here) < _MANY:
                every.append((*here, Run(WHOLE)))
            found = self.above[runs] = tuple(
                self.number(tuple(sorted(some))) - runs for some in every
            )
        return found

    def settled(self, runs: int) -> int:
        """The number of open runs where no fresh joker is left to be laid."""
        found = self.still.get(runs)
        if found is None:
            found = self.number(tuple(run.settled() for run in self.runs[runs]))
            self.still[runs] = found
        return found

    def after(self, runs: int, there: There) -> tuple[Step, ...]:
        """All that may be done with open runs and tiles, those that keep least first."""
        known = self.known.get((runs, there))
        if known is None:
            found = {step[:6]: step for step in self._each(self.runs[runs], there)}
            steps = sorted(found.values(), key=lambda step: (step.kept, step.free + step.fresh))
            known = self.known[runs, there] = tuple(steps)
        return known

    def _each(self, runs: Runs, there: There) -> Iterator[Step]:
        plain = self.cap is None and not self.fresh
        most = there.must + there.may
        for goes, begun in self._each_move(runs, there):
            grown = self._grown(runs, goes, begun, there)
            if grown is None:
                continue
            put = goes + begun
            left, free, fresh = most - put.count(NATURAL), put.count(_FREE), put.count(_FRESH)
            opened = self.number(tuple(run for run, _ in grown))
            moves = tuple(move for _, move in grown)
            for kept in range(min(left, there.may) + 1):
                grouped = left - kept
                if plain and ((kept and -1 in goes) or (grouped and free)):
                    continue
                yield Step(opened, grouped, free, fresh, kept, any(begun), moves)

    def _each_move(
        self, runs: Runs, there: There
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """What may be put to open runs (-1: nothing), and what others may begin with."""
        plain = self.cap is None and not self.fresh
        kinds = (NATURAL,) + (_FREE,) * (there.free > 0) + (_FRESH,) * (there.fresh > 0)
        each = [((-1,) if run.length == WHOLE else ()) + kinds for run in runs]
        for goes in product(*each):
            stops = goes.count(-1)
            left = 0 if plain and stops else sum(there[:4]) - len(goes) + stops
            for size in range(left + 1):
                for begun in combinations_with_replacement(kinds, size):
                    put = goes + begun
                    if (
                        put.count(NATURAL) <= there.must + there.may
                        and put.count(_FREE) <= there.free
                        and put.count(_FRESH) <= there.fresh
                    ):
                        yield goes, begun

    def _grown(
        self, runs: Runs, goes: tuple[int, ...], begun: tuple[int, ...], there: There
    ) -> list[tuple[Run, tuple[int, int]]] | None:
        """Put tiles to runs and begin others; None where one may not be put there."""
        grown: list[tuple[Run, tuple[int, int]]] = []
        for at, (run, kind) in enumerate(zip(runs, goes, strict=True)):
            if kind >= 0:
                longer = self._put(run, kind, there)
                if longer is None:
                    return None
                grown.append((longer, (at, kind)))
        for kind in begun:
            first = self._put(Run(0), kind, there)
            assert first is not None, "a run may begin with any tile"
            grown.append((first, (-1, kind)))
        grown.sort()
        return grown

    def _put(self, run: Run, kind: int, there: There) -> Run | None:
        """Put a tile to a run, None where it may not be put there."""
        length, tail, holds, wilds = run
        length = min(length + 1, WHOLE)
        if kind == NATURAL:
            if not self.fresh:
                return Run(length, 0, holds, wilds)
            if there.part and tail + 1 >= there.part:
                if holds == _NEW:
                    return None
                holds = _PART
            return Run(length, min(tail + 1, there.tail), holds, wilds)
        if self.cap is not None:
            if wilds == self.cap:
                return None
            wilds += 1
        if kind == _FRESH:
            if holds == _PART:
                return None
            holds = _NEW
        return Run(length, 0, holds, wilds)


@lru_cache(maxsize=8)
def steps_for(cap: int | None, *, fresh: bool) -> Steps:
    """The table for a kind of game; it fills as it is asked."""
    return Steps(cap, fresh)


Group: TypeAlias = tuple[int, ...]
"""A group by its colours, from 0; jokers are negative."""
Parts: TypeAlias = frozenset[tuple[int, ...]]
"""The colours of one number with which sets of the table go on."""


@lru_cache(maxsize=20_000)
def make_groups(
    counts: tuple[int, ...], free: int, fresh: int, cap: int | None, parts: Parts
) -> tuple[Group, ...] | None:
    """Make groups of one number out of so many tiles of each colour and all of the jokers.

    None where that cannot be done. No fresh joker lies in a group with one of the `parts`.
    """
    colours = [colour for colour, count in enumerate(counts) if count]
    if not colours:
        return None if free or fresh else ()
    first, *others = colours
    for naturals in range(len(others) + 1):
        for more in combinations(others, naturals):
            left = tuple(
                count - (colour == first or colour in more) for colour, count in enumerate(counts)
            )
            for used in range(free + 1):
                for new in range(fresh + 1):
                    size, wilds = naturals + 1 + used + new, used + new
                    if not WHOLE <= size <= LARGEST or (cap is not None and wilds > cap):
                        continue
                    if new and any({first, *more}.issuperset(part) for part in parts):
                        continue
                    rest = make_groups(left, free - used, fresh - new, cap, parts)
                    if rest is not None:
                        return ((first, *more, *(-1,) * wilds), *rest)
    return None


Grouping: TypeAlias = tuple[tuple[int, int], tuple[int, int], int, int]
"""Tiles of one number that are groups together: how many there are of each colour, two and two; how
many jokers there are with them, and how many fresh ones."""


@lru_cache(maxsize=50_000)
def groupings(  # noqa: PLR0913 - what is known is known of all of it
    masks: tuple[int, int, int, int],
    free: int,
    fresh: int,
    cap: int | None,
    parts: Parts,
    *,
    thrifty: bool,
) -> tuple[Grouping, ...]:
    """All that may be groups, with so many jokers at the most.

    A mask says by its bits how many tiles of a colour there may be. Who is thrifty takes as few
    jokers as will do.
    """
    each = [[count for count in range(mask.bit_length()) if mask >> count & 1] for mask in masks]
    found = []
    for counts in product(*each):
        few: list[tuple[int, int]] = []
        for used, new in product(range(free + 1), range(fresh + 1)):
            if thrifty and any(one <= used and other <= new for one, other in few):
                continue
            if make_groups(counts, used, new, cap, parts) is not None:
                found.append(((counts[0], counts[1]), (counts[2], counts[3]), used, new))
                few.append((used, new))
    return tuple(found)
