"""Runs of the table made longer, and what the runs of a suit then gain together with new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import NEVER
from referee.advice.lays.runs import PlannedRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.runs import Charges, NewRuns, Rows


class Target(NamedTuple):
    """A run of the table that may be continued."""

    meld: int
    takes_wilds: bool
    places: tuple[int, ...]
    """The places beyond one end of it, the nearest first."""
    up: bool
    """Whether that is its upper end."""


class _Joined(NamedTuple):
    """Cards laid to runs of the table, the last of them first."""

    gain: int
    meld: int = -1
    place: int | None = None
    """None for a wild."""
    before: _Joined | None = None


class ContinuedRuns:
    """The runs of a suit where those of the table can be continued too.

    All ways to continue them are gone through, place by place with the card or a wild; of those
    that leave the same cards and wilds the best is kept.
    """

    def __init__(self, runs: NewRuns, targets: Sequence[Target]) -> None:
        self.runs = runs
        self.targets = targets
        self._gains: dict[tuple[int, int], Gains] = {}
        self._ways: dict[int, dict[tuple[int, int], _Joined]] = {}

    def charged(self, charges: Charges, wilds: int, known: Rows) -> ContinuedRuns:
        """The same for a hand with so many wilds where some cards gain less."""
        return ContinuedRuns(self.runs.charged(charges, wilds, known), self.targets)

    def gains(self, mask: int, need: int = 0) -> Gains:
        """What runs of these cards gain in which at least `need` naturals are laid."""
        found = self._gains.get((mask, need))
        if found is None:
            best = [NEVER] * self.runs.size
            for (left, wilds), joined in self._joins(mask).items():
                rest = self.runs.gains(left, max(0, need - (mask ^ left).bit_count()))
                for used, more in enumerate(rest[: len(best) - wilds], wilds):
                    best[used] = max(best[used], joined.gain + more)
            found = self._gains[mask, need] = tuple(best)
        return found

    def _joins(self, mask: int) -> dict[tuple[int, int], _Joined]:
        """The ways to continue runs of the table, by the cards left and the wilds used."""
        found = self._ways.get(mask)
        if found is None:
            found = self._ways[mask] = {(mask, 0): _Joined(0)}
            for target in self.targets:
                tips = dict(found)
                for place in target.places:
                    tips = self._further(tips, target, place)
                    for key, joined in tips.items():
                        if key not in found or found[key].gain < joined.gain:
                            found[key] = joined
        return found

    def _further(
        self, tips: dict[tuple[int, int], _Joined], target: Target, place: int
    ) -> dict[tuple[int, int], _Joined]:
        """Put one card more to a run of the table, in every way."""
        prices, in_run = self.runs.prices, self.runs.in_run
        found: dict[tuple[int, int], _Joined] = {}
        for (left, wilds), before in tips.items():
            ways: list[tuple[tuple[int, int], int, int | None]] = []
            if left >> place & 1:
                gain = before.gain + in_run[place]
                used = wilds + (prices.at_home >> place & 1)
                if used < self.runs.size:
                    ways.append(((left ^ 1 << place, used), gain, place))
            if target.takes_wilds and wilds < self.runs.size - 1:
                ways.append(((left, wilds + 1), before.gain + prices.wild_in_run[place], None))
            for key, gain, card in ways:
                if key not in found or found[key].gain < gain:
                    found[key] = _Joined(gain, target.meld, card, before)
        return found

    def plan(self, mask: int, need: int, wilds: int) -> Iterator[PlannedRun]:
        """Runs, and cards laid to those of the table, that gain what `gains` says."""
        gain = self.gains(mask, need)[wilds]
        for (left, used), joined in self._joins(mask).items():
            still = max(0, need - (mask ^ left).bit_count())
            if used <= wilds and joined.gain + self.runs.gains(left, still)[wilds - used] == gain:
                yield from self.runs.plan(left, still, wilds - used)
                step: _Joined | None = joined
                while step is not None and step.meld >= 0:
                    yield PlannedRun((step.place,), step.meld)
                    step = step.before
                return
