"""How the runs of one suit grow, rank by rank.

Of a run that is open only this matters: how many cards and naturals it has, up to as many as it
needs, and whether there is a place that it must reach. A wild is worth no less higher up in a run,
so a run has wilds below its naturals only where it goes on to the highest place of all, or down
from a run of the table. Two runs of a suit may lie side by side, with wilds in one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, product
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from referee.advice.lays.runs import Target
    from referee.cards import Suit
    from referee.melds.rules import MeldRules


class Run(NamedTuple):
    """A run that is open, as far as it matters for how it may go on."""

    size: int
    """How many cards it has, at the most as many as it needs."""
    naturals: int
    """How many of them are natural, at the most as many as it needs."""
    takes_wilds: bool = True
    end: int = 0
    """The place it must reach and there ends; 0 where it may end when it is long enough."""
    onto: int = -1
    """Which meld of the table it is laid to from below; less than 0 where it is a new one."""


class Runs(tuple[Run, ...]):
    """The open runs of one suit; of those that are alike there is one (`Known.opened`).

    So they are compared, and found in tables, as quickly as numbers.
    """

    __slots__ = ()
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__


NONE_OPEN: Final = Runs()


class Move(NamedTuple):
    """What one run does at one place."""

    before: Run | None
    """None where it begins."""
    after: Run
    natural: bool | None
    """Whether the card put to it is natural; None where there is none."""
    ends: bool = False


class Step(NamedTuple):
    """What the runs of one suit do at one place."""

    after: Runs
    wilds: int
    """How many wilds of the hand it takes."""
    naturals: int
    gain: int
    needs: int
    """How many wilds the runs that are open then need at the least."""
    may_leave: bool
    """Whether the natural card of the place, where it is not laid, may stay in hand."""
    moves: tuple[Move, ...]


class Place(NamedTuple):
    """One place of the runs of one suit, and what cards score and gain there."""

    suit: Suit
    place: int
    natural: bool
    """Whether the card that belongs there is in the hand."""
    is_wild: bool
    """Whether that card is one of the wilds too."""
    cost: int
    """What that card costs in hand."""
    card_gain: int
    """What it gains in a run."""
    wild_gain: int
    """What a wild gains there."""
    set_worth: int
    """What a card scores in a set of that rank."""

    @property
    def most_gain(self) -> int:
        """What the card that belongs there can gain at the most."""
        return max(self.card_gain, self.set_worth + self.cost)


@dataclass(slots=True)
class Known:
    """What was found out about how runs grow at one table, by what else it goes by.

    That is the place with its card, and for a suit the naturals from there on and all wilds: much
    of it is the same for two hands of which one has a few cards more.
    """

    steps: dict[tuple[Place, int, int], dict[Runs, tuple[Step, ...]]] = field(default_factory=dict)
    needs: dict[tuple[int, int, int], dict[Runs, int]] = field(default_factory=dict)
    runs: dict[tuple[Run, ...], Runs] = field(default_factory=lambda: {(): NONE_OPEN})

    def opened(self, runs: Iterable[Run]) -> Runs:
        """Give the one object for these open runs."""
        key = tuple(sorted(runs))
        return self.runs.setdefault(key, Runs(key))


@dataclass(slots=True)
class Growth:
    """The runs that can grow from one hand and one table."""

    rules: MeldRules
    whole: Run
    """A run that may end, or go on."""
    wilds: int
    """How many wilds there are in the hand."""
    naturals: Mapping[Suit, int]
    """The places of the natural cards of the hand, as bits."""
    upwards: Mapping[Suit, Sequence[Target]]
    downwards: Mapping[Suit, Sequence[Target]]
    known: Known
    _steps: dict[tuple[Suit, int], dict[Runs, tuple[Step, ...]]] = field(default_factory=dict)
    _needs: dict[tuple[Suit, int], dict[Runs, int]] = field(default_factory=dict)

    def steps(self, at: Place, runs: Runs) -> tuple[Step, ...]:
        """Give all that open runs of a suit can do at a place, new ones begun there included."""
        here = self._steps.get((at.suit, at.place))
        if here is None:
            key = at, self.naturals[at.suit] >> at.place, self.wilds
            here = self._steps[at.suit, at.place] = self.known.steps.setdefault(key, {})
        found = here.get(runs)
        if found is None:
            found = here[runs] = tuple(self._all_steps(at, runs))
        return found

    def is_idle(self, at: Place) -> bool:
        """Whether nothing can be done at a place where no run is open."""
        steps = self.steps(at, NONE_OPEN)
        return not at.natural and len(steps) == 1 and not steps[0].moves

    def opened(self, at: Place) -> list[tuple[Run, int]]:
        """Give the runs of the table that can be continued upwards from a place, and which."""
        whole = self.whole
        return [
            (whole._replace(takes_wilds=target.takes_wilds), target.meld)
            for target in self.upwards.get(at.suit, ())
            if target.places[0] == at.place
        ]

    def needs(self, suit: Suit, place: int, runs: Runs) -> int:
        """Give how many wilds open runs need at the least from a place on, to be whole."""
        if not runs:
            return 0
        here = self._needs.get((suit, place))
        if here is None:
            key = place, self.naturals[suit] >> place, self.wilds
            here = self._needs[suit, place] = self.known.needs.setdefault(key, {})
        found = here.get(runs)
        if found is None:
            found = here[runs] = self._all_needs(suit, place, runs)
        return found

    def _all_needs(self, suit: Suit, place: int, runs: Runs) -> int:
        least = self.rules.runs.min_size
        ends = [run.end or place + least - run.size - 1 for run in runs]
        last = max(ends)
        if last > self.rules.runs.high:
            return self.wilds + 1
        # Up to the last end something is wanted at each place, of which a natural is one.
        there = self.naturals[suit] >> place & (1 << last - place + 1) - 1
        return sum([end - place + 1 for end in ends]) - there.bit_count()

    def _all_steps(self, at: Place, runs: Runs) -> Iterator[Step]:
        there = (*runs, *(run for run, _ in self.opened(at)))
        options = [self._moves(run, at) for run in there]
        for moves in product(*options):
            laid = sum(move.natural is True for move in moves)
            if laid <= at.natural:
                for begun in self._begun(at, moves, laid=laid):
                    step = self._step(at, moves + begun)
                    if step.wilds + step.needs <= self.wilds:
                        yield step

    def _step(self, at: Place, moves: tuple[Move, ...]) -> Step:
        naturals = sum(move.natural is True for move in moves)
        wilds = sum(move.natural is False for move in moves)
        after = self.known.opened([move.after for move in moves if not move.ends])
        return Step(
            after=after,
            wilds=wilds + (naturals if at.is_wild else 0),
            naturals=naturals,
            gain=naturals * at.card_gain + wilds * at.wild_gain,
            needs=self.needs(at.suit, at.place + 1, after),
            may_leave=not wilds or self._is_joined(at.suit),
            moves=moves,
        )

    def _is_joined(self, suit: Suit) -> bool:
        """Whether a wild may be put to a run of the table; such a run cannot be parted."""
        targets = (*self.upwards.get(suit, ()), *self.downwards.get(suit, ()))
        return any(target.takes_wilds for target in targets)

    def _moves(self, run: Run, at: Place) -> list[Move]:
        """Give what one open run can do: end, or go on with a natural card or a wild."""
        moves = []
        if not run.end and self._is_whole(run):
            moves.append(Move(run, run, None, ends=True))
        for natural in (True, False):
            if at.natural if natural else run.takes_wilds:
                longer = self._longer(run, natural=natural)
                ends = run.end == at.place
                if not ends or self._is_whole(longer):
                    moves.append(Move(run, longer, natural, ends=ends))
        return moves

    def _is_whole(self, run: Run) -> bool:
        least = self.whole
        return run.size >= least.size and run.naturals >= least.naturals

    def _longer(self, run: Run, *, natural: bool) -> Run:
        whole = self.whole
        size = min(run.size + 1, whole.size)
        return run._replace(size=size, naturals=min(run.naturals + natural, whole.naturals))

    def _begun(
        self, at: Place, moves: tuple[Move, ...], *, laid: int
    ) -> Iterator[tuple[Move, ...]]:
        """Give the ways to begin runs at a place, none of them too."""
        high = self.rules.runs.high
        there = {move.after.onto for move in moves}
        below = [
            self.whole._replace(
                takes_wilds=target.takes_wilds, end=target.places[0], onto=target.meld
            )
            for target in self.downwards.get(at.suit, ())
            if target.places[0] >= at.place and target.meld not in there
        ]
        most = self.wilds if at.place + self.rules.runs.min_size - 1 <= high else 0
        natural: list[tuple[Move, ...]] = [()]
        if at.natural and not laid:
            natural += [(self._first(run, at, natural=True),) for run in below]
            if not any(move.ends and move.after.takes_wilds for move in moves):
                beside = any(move.natural is False for move in moves)
                if most or not beside:
                    new = Run(0, 0, end=high if beside else 0)
                    natural.append((self._first(new, at, natural=True),))
        top = [self._first(Run(0, 0, end=high), at, natural=False)]
        for begun in natural:
            onto = {move.after.onto for move in begun if move.after.end}
            wild = [
                ((), (self._first(run, at, natural=False),))
                for run in below
                if run.takes_wilds and run.onto not in onto
            ]
            for laid_to in product(*wild):
                for count in range(most + 1):
                    yield (*begun, *chain.from_iterable(laid_to), *top * count)

    def _first(self, run: Run, at: Place, *, natural: bool) -> Move:
        return Move(None, self._longer(run, natural=natural), natural, ends=run.end == at.place)
