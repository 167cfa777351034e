"""What the tiles of one color may do at one number: runs go on, stop or begin, the rest groups.

Of an open run all that counts is whether it is long enough yet: three is as good as more. Where
`Terms` are set for jokers that were taken, it counts too how many naturals the run ends with,
whether it holds a joker that must make a new set (it is *fresh*) or a *part* with which a set of
the table goes on, and whether it is a set that must not be there. Where a set may not have all the
jokers, it counts how many it has.

What may be done depends only on the open runs and on how many tiles and jokers there are, not on
the number, the color or the position. So it is worked out once, at the first time of asking, and
kept: a *table* for each kind of game. Two exchanges leave few ways. A run that stops where another
begins might as well have gone on, so no run begins where one stops; and where a joker is in a
run while a natural in its place is in a group, the two may change places.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, product
from threading import Lock
from typing import Final, NamedTuple, TypeAlias

WHOLE: Final = 3
"""How many tiles make a run; longer ones are not told apart."""
LARGEST: Final = 4
"""How many tiles a group has at most, one for each color."""


_ADDING: Final = Lock()
"""Held while open runs are numbered."""

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
    same: int = 0
    """Of which sets that are to be arranged differently it is the beginning, as bits."""


Runs: TypeAlias = tuple[Run, ...]
NATURAL: Final = 0
_FREE: Final = 1
_FRESH: Final = 2


class ColourStep(NamedTuple):
    """One thing that a color may do at a number."""

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


Ended: TypeAlias = tuple[int, int]
"""A set of the table that ended at the last number, as a bit, and how many such runs may stop."""


class RunTerms(NamedTuple):
    """What is asked of the runs of a color at one number, for jokers that were taken."""

    part: int = 0
    """With how many naturals, the last of them here, a set of the table goes on; 0 with none."""
    goes_on: int = 0
    """With how many a run must go on so that gets no fresh joker; 0 if none is asked."""
    tail: int = 0
    """How many naturals may count yet that a run ends with here."""
    begins: int = 0
    """Which sets of the table that are to be arranged differently begin here, as bits."""
    wild: int = 0
    """Which of them have a joker here."""
    ended: tuple[Ended, ...] = ()
    """Which of them ended at the number before."""
    joker: bool = False
    """Whether a joker must be put to a run here."""
    plain: bool = True
    """Whether tiles may change places without harm to what is asked."""
    saves: bool = True
    """Whether a joker that is here may be saved by a natural or by its going elsewhere."""


NO_RUN_TERMS: Final = RunTerms()


class There(NamedTuple):
    """How many tiles of a color there are at a number, how many jokers, and what is asked."""

    must: int
    may: int
    free: int
    fresh: int
    terms: RunTerms = NO_RUN_TERMS


@dataclass(slots=True, eq=False)
class Steps:
    """The table for one kind of game."""

    cap: int | None
    """How many jokers a set may have, where it may not have all of them."""
    terms: bool
    """Whether there are terms for jokers, so that it matters what a run is made of."""
    runs: list[Runs] = field(default_factory=list)
    """All open runs that have come up; none at all comes first."""
    short: list[tuple[int, int]] = field(default_factory=list)
    """How many of these are not long enough, and how many have only one tile."""
    numbers: dict[Runs, int] = field(default_factory=dict)
    known: dict[tuple[int, There], tuple[ColourStep, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.number(())

    def number(self, runs: Runs) -> int:
        """The number of some open runs; those that have not come up yet are given one."""
        found = self.numbers.get(runs)
        if found is not None:
            return found
        lengths = [run.length for run in runs]
        few, ones = sum([length < WHOLE for length in lengths]), lengths.count(1)
        # Phones are answered in threads and share the table, so one adds to it at a time.
        with _ADDING:
            if runs not in self.numbers:
                self.runs.append(runs)
                self.short.append((few, ones))
                # Last, so that a thread that finds the number also finds what it stands for.
                self.numbers[runs] = len(self.runs) - 1
            return self.numbers[runs]

    def after(self, runs: int, there: There) -> tuple[ColourStep, ...]:
        """All that may be done with open runs and tiles, those that keep least first."""
        known = self.known.get((runs, there))
        if known is None:
            found = {step[:6]: step for step in self._each(self.runs[runs], there)}
            steps = sorted(found.values(), key=lambda step: (step.kept, step.free + step.fresh))
            known = self.known[runs, there] = tuple(steps)
        return known

    def _each(self, runs: Runs, there: There) -> Iterator[ColourStep]:
        plain = self.cap is None and there.terms.plain
        most = there.must + there.may
        for goes, begun in self._each_move(runs, there):
            put = goes + begun
            left, free, fresh = most - put.count(NATURAL), put.count(_FREE), put.count(_FRESH)
            if there.terms.joker and not (free or fresh):
                continue
            for grown in self._grown(runs, goes, begun, there):
                opened = self.number(tuple(run for run, _ in grown))
                moves = tuple(move for _, move in grown)
                for kept in range(min(left, there.may) + 1):
                    grouped = left - kept
                    if plain and ((kept and -1 in goes) or (grouped and free)):
                        continue
                    yield ColourStep(opened, grouped, free, fresh, kept, any(begun), moves)

    def _each_move(
        self, runs: Runs, there: There
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """What may be put to open runs (-1: nothing), and what others may begin with."""
        plain = self.cap is None and there.terms.plain
        kinds = (NATURAL,) + (_FREE,) * (there.free > 0) + (_FRESH,) * (there.fresh > 0)
        each = [((-1,) if run.length == WHOLE else ()) + kinds for run in runs]
        for goes in product(*each):
            stopping = (run for run, kind in zip(runs, goes, strict=True) if kind < 0)
            if not may_stop(stopping, there.terms.ended):
                continue
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
    ) -> Iterator[list[tuple[Run, tuple[int, int]]]]:
        """Put tiles to runs and begin others; nothing if one may not be put there."""
        grown: list[tuple[Run, tuple[int, int]]] = []
        goes_on, may_go_on = there.terms.goes_on, []
        for at, (run, kind) in enumerate(zip(runs, goes, strict=True)):
            if kind >= 0:
                longer = self._put(run, kind, there)
                if longer is None:
                    return
                if kind == NATURAL and run.tail + 1 >= goes_on and longer.holds != _NEW:
                    may_go_on.append(len(grown))
                grown.append((longer, (at, kind)))
        for kind in begun:
            first = self._put(Run(0), kind, there)
            assert first is not None, "a run may begin with any tile"
            if kind == NATURAL and goes_on == 1:
                may_go_on.append(len(grown))
            grown.append((first, (-1, kind)))
        if not goes_on:
            yield sorted(grown)
            return
        for at in may_go_on:
            run, move = grown[at]
            yield sorted([*grown[:at], (run._replace(holds=_PART), move), *grown[at + 1 :]])

    def _put(self, run: Run, kind: int, there: There) -> Run | None:
        """Put a tile to a run, None if it may not be put there."""
        length, tail, holds, wilds, same = run
        terms = there.terms
        same = same & ~sum(one for one, _ in terms.ended) if length else terms.begins
        if kind == NATURAL:
            if not self.terms:
                return Run(min(length + 1, WHOLE), 0, holds, wilds)
            if terms.part and tail + 1 >= terms.part:
                if holds == _NEW:
                    return None
                holds = _PART
            tail = min(tail + 1, terms.tail)
            return Run(min(length + 1, WHOLE), tail, holds, wilds, same & ~terms.wild)
        length = min(length + 1, WHOLE)
        if self.cap is not None:
            if wilds == self.cap:
                return None
            wilds += 1
        if kind == _FRESH:
            if holds == _PART:
                return None
            holds = _NEW
        return Run(length, 0, holds, wilds, same & terms.wild)


def may_stop(runs: Iterable[Run], ended: tuple[Ended, ...]) -> bool:
    """Whether runs may stop after the last tile of sets that are to be arranged differently."""
    if not ended:
        return True
    same = [run.same for run in runs]
    return all(sum(one & which > 0 for which in same) <= most for one, most in ended)


@lru_cache(maxsize=8)
def steps_for(cap: int | None, *, terms: bool) -> Steps:
    """The table for a kind of game; it fills as it is asked."""
    return Steps(cap, terms)
