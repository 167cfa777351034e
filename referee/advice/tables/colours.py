"""What the tiles of one color can do at one number: continue, end or begin runs, or be in groups.

For an open run, it only matters whether it is long enough: 3 tiles are as good as more. If there
are `Terms` for jokers that were taken, it also matters how many naturals the run ends with, whether
it has a joker that needs to be in a new set (a *fresh* one) or a *part* with which an old set
continues, and whether it is a set that can’t stay as it was. If a set can’t have all jokers, it
matters how many it has.

What can be done depends only on the open runs and on how many tiles and jokers there are, not on
the number, the color or the position. So each result is remembered in a table, one for each kind of
game. Two exchanges keep it small. A run that ends where another begins could have continued
instead, so no run begins where one ends. And if a joker is in a run while a natural for its place
is in a group, the two can be exchanged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, product
from threading import Lock
from typing import Final, NamedTuple, TypeAlias

WHOLE: Final = 3
"""The fewest tiles in a set; longer runs aren’t distinguished."""
LARGEST: Final = 4
"""The most tiles in a group, one for each color."""


_ADDING: Final = Lock()
"""Locked while open runs get a number."""

_NEITHER: Final = 0
_NEW: Final = 1
_PART: Final = 2


class Run(NamedTuple):
    """What matters about an open run."""

    length: int
    """How long it is; 3 means 3 or more."""
    tail: int = 0
    """How many naturals it ends with; only counted if terms depend on it."""
    holds: int = _NEITHER
    """Whether it has a fresh joker, or a part with which an old set continues, or neither."""
    wilds: int = 0
    """How many jokers it has; only counted if a set can’t have all of them."""
    same: int = 0
    """Which sets of the table that need to change it could still become, as bits."""


Runs: TypeAlias = tuple[Run, ...]
NATURAL: Final = 0
_FREE: Final = 1
_FRESH: Final = 2


class ColourStep(NamedTuple):
    """One thing that the tiles of a color can do at a number."""

    runs: int
    """The open runs afterwards, by their number in the table (`Steps`)."""
    grouped: int
    """How many naturals go to groups."""
    free: int
    """How many free jokers are added to runs."""
    fresh: int
    """How many fresh jokers are added to runs."""
    kept: int
    """How many naturals stay in hand."""
    begun: bool
    """Whether a run begins with a joker."""
    moves: tuple[tuple[int, int], ...]
    """For each open run, the index of the old run that it continues (-1 for a new one), and the
    kind of tile added."""


Ended: TypeAlias = tuple[int, int]
"""A set of the table that ended at the last number, as a bit, and the most such runs that can end
there."""


class RunTerms(NamedTuple):
    """What the runs of a color need to meet at one number because jokers were taken."""

    part: int = 0
    """How many naturals up to here are a part with which an old set continues; 0 for none."""
    goes_on: int = 0
    """How many naturals a run without a fresh joker needs to have together here; 0 for none."""
    tail: int = 0
    """The most naturals at the end of a run that can still matter."""
    begins: int = 0
    """Which sets of the table that need to change begin here, as bits."""
    wild: int = 0
    """Which of these sets have a joker here, as bits."""
    ended: tuple[Ended, ...] = ()
    """Which of these sets ended at the number before."""
    joker: bool = False
    """Whether a joker needs to be added to a run here."""
    plain: bool = True
    """Whether tiles can be exchanged here without breaking terms."""
    saves: bool = True
    """Whether a natural can be used here instead of a joker without breaking terms."""


NO_RUN_TERMS: Final = RunTerms()


class There(NamedTuple):
    """The tiles of a color at one number, the jokers, and the terms for runs."""

    must: int
    """How many tiles need to be in sets."""
    may: int
    """How many more tiles can be in sets or stay in hand."""
    free: int
    """How many jokers can be in any set."""
    fresh: int
    """How many jokers need to be in new sets."""
    terms: RunTerms = NO_RUN_TERMS


@dataclass(slots=True, eq=False)
class Steps:
    """A table of everything that can be done in one kind of game; it is filled when it is used."""

    cap: int | None
    """The most jokers in a set, if that is less than all; otherwise None."""
    terms: bool
    """Whether there are terms for jokers, so that it matters what is in a run."""
    runs: list[Runs] = field(default_factory=list)
    """All combinations of open runs that have come up, beginning with no runs."""
    short: list[tuple[int, int]] = field(default_factory=list)
    """For each of these, how many runs are too short, and how many have only 1 tile."""
    numbers: dict[Runs, int] = field(default_factory=dict)
    known: dict[tuple[int, There], tuple[ColourStep, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.number(())

    def number(self, runs: Runs) -> int:
        """Return the number of a combination of open runs; a new one gets the next number."""
        found = self.numbers.get(runs)
        if found is not None:
            return found
        lengths = [run.length for run in runs]
        few, ones = sum([length < WHOLE for length in lengths]), lengths.count(1)
        # Requests are answered in threads that share the table, so only one can add at a time.
        with _ADDING:
            if runs not in self.numbers:
                self.runs.append(runs)
                self.short.append((few, ones))
                # Do this last, so that a thread that finds the number also finds its runs.
                self.numbers[runs] = len(self.runs) - 1
            return self.numbers[runs]

    def after(self, runs: int, there: There) -> tuple[ColourStep, ...]:
        """Return everything that can be done with open runs and these tiles.

        Steps that keep the fewest tiles come first, then those that use the fewest jokers.
        """
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
        """Yield what can be added to open runs (-1 for nothing), and what new runs begin with."""
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
        """Yield the runs after tiles are added and new runs begun; none if not allowed."""
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
        """Return a run with a tile added; None if that isn’t allowed."""
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
    """Return whether these runs can end here without being sets that need to change."""
    if not ended:
        return True
    same = [run.same for run in runs]
    return all(sum(one & which > 0 for which in same) <= most for one, most in ended)


@lru_cache(maxsize=8)
def steps_for(cap: int | None, *, terms: bool) -> Steps:
    """Return the table for a kind of game, the same object each time."""
    return Steps(cap, terms)
