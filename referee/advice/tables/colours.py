"""What the tiles of one color can do at one number: continue, end or begin runs, or be in groups.

Runs are built number by number. A run that has its tile at the last number is *open*: red 3 4 is
open at 5, where a red 5 or a joker can continue it. For an open run, it only matters whether it is
long enough: 3 tiles are as good as more. If there are `Terms` for jokers that were taken, it also
matters how many naturals the run ends with, whether it has a fresh joker (one that needs to be in a
new set) or a *part* (tiles with which an old set continues), and whether it could become a set that
can’t stay as it was. If a set can’t have all jokers, it matters how many it has.

A `ColourStep` is one way to use the tiles of a color at a number. With red 3 4 open and 2 red 5s,
one step adds a 5 to the run and keeps the other in hand, another adds one and puts the other into a
group, and a third also begins a second run. Which groups there are is decided later (`groups`).

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

# The values of `Run.holds`.
_NEITHER: Final = 0
_NEW: Final = 1
_PART: Final = 2


class Run(NamedTuple):
    """What the next numbers need to know about an open run; different runs can be equal."""

    length: int
    """How long it is; 3 means 3 or more."""
    tail: int = 0
    """How many naturals it ends with; only counted if terms depend on it."""
    holds: int = _NEITHER
    """`_NEW` if it has a fresh joker, `_PART` if it has a part with which an old set continues (it
    can’t have both), else `_NEITHER`."""
    wilds: int = 0
    """How many jokers it has; only counted if a set can’t have all of them."""
    same: int = 0
    """Which sets of `Terms.most` it could still become, as bits by index."""


Runs: TypeAlias = tuple[Run, ...]
"""The open runs of one color, sorted."""

# The kinds of tile that can be added to a run.
NATURAL: Final = 0
_FREE: Final = 1
_FRESH: Final = 2


class ColourStep(NamedTuple):
    """One way to use the tiles of a color at a number, and the jokers added to its runs there."""

    runs: int
    """The open runs afterwards, as an index of `Steps.runs`."""
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
    """For each open run afterwards, the index of the run before that it continues (-1 for a new
    one), and the kind of tile added (`NATURAL`, `_FREE` or `_FRESH`)."""


Ended: TypeAlias = tuple[int, int]
"""A set of `Terms.most` whose last tile is at the number before, as (its bit, the most such runs
that can end there)."""


class RunTerms(NamedTuple):
    """What `Terms` ask of the runs of one color at one number.

    `begins`, `wild` and `ended` are about the sets of `Terms.most`, and have a bit for each of
    them. If red 3 4 5 needs to change, its bit is in `begins` at 3 and in `ended` at 6.
    """

    part: int = 0
    """If at least this many naturals in a row end here, their run can’t have a fresh joker; 0 for
    no such rule."""
    goes_on: int = 0
    """Some run without a fresh joker needs to have this many naturals in a row that end here; 0
    for no such rule."""
    tail: int = 0
    """The most naturals at the end of a run that `part` or `goes_on` of a later number count."""
    begins: int = 0
    """The sets whose lowest tile is here."""
    wild: int = 0
    """The sets that have a joker here."""
    ended: tuple[Ended, ...] = ()
    """The sets whose highest tile is at the number before."""
    joker: bool = False
    """Whether a joker needs to be added to a run here."""
    plain: bool = True
    """Whether no term is broken if equal tiles change places here, so that steps which only differ
    by that are tried once."""
    saves: bool = True
    """Whether no term is broken if a natural is used here instead of a joker."""


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
    """All steps for any open runs and tiles, worked out when they are first asked for.

    One table serves all searches with the same `cap` and `terms` (see `steps_for`).
    """

    cap: int | None
    """The most jokers in a set; None if a set can have all jokers of the pool."""
    terms: bool
    """Whether fresh jokers or `Terms` matter; if not, `tail`, `holds` and `same` stay 0."""
    runs: list[Runs] = field(default_factory=list)
    """All combinations of open runs that have come up; index 0 is no runs."""
    short: list[tuple[int, int]] = field(default_factory=list)
    """For each combination in `runs`, how many runs are too short to be sets, and how many have
    only 1 tile."""
    numbers: dict[Runs, int] = field(default_factory=dict)
    """The index in `runs` of each combination."""
    known: dict[tuple[int, There], tuple[ColourStep, ...]] = field(default_factory=dict)
    """The results of `after`."""

    def __post_init__(self) -> None:
        self.number(())

    def number(self, runs: Runs) -> int:
        """Return the index in `self.runs` of a combination of open runs; add it if it is new."""
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
        """Return every step from the open runs with index `runs`, with the tiles of `there`.

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
                    # Keeping a tile while a run ends, or putting one into a group while a joker is
                    # in a run, is no better than using the tile in that run.
                    if plain and ((kept and -1 in goes) or (grouped and free)):
                        continue
                    yield ColourStep(opened, grouped, free, fresh, kept, any(begun), moves)

    def _each_move(
        self, runs: Runs, there: There
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the kind of tile added to each open run (-1 if it ends), and those of new runs."""
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
        """Yield the open runs afterwards, each with its item of `ColourStep.moves`.

        `goes` and `begun` are a result of `_each_move`. Nothing is yielded if terms forbid it. If
        terms want a run that an old set continues with, one item is yielded for each such run.
        """
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
    """Return whether these runs can end here, with no more than allowed of each set in `ended`."""
    if not ended:
        return True
    same = [run.same for run in runs]
    return all(sum(one & which > 0 for which in same) <= most for one, most in ended)


@lru_cache(maxsize=8)
def steps_for(cap: int | None, *, terms: bool) -> Steps:
    """Return the `Steps` with these values, the same object each time."""
    return Steps(cap, terms)
