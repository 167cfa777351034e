"""The runs of one suit in a hand: new ones, and those of the table that go on.

All ways to continue those of the table are gone through, place by place with the card or a wild; of
those that leave the same cards and wilds the best is kept. The cards that they leave are for new
runs (`runs`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import NEVER
from referee.advice.lays.parts import Laid
from referee.advice.lays.runs import NewRuns, runs_of
from referee.cards import Card
from referee.melds.rules import rank_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.parts import Charges, Share
    from referee.advice.lays.prices import Prices
    from referee.advice.lays.runs import Rows, Run
    from referee.advice.lays.shown import Target
    from referee.cards import Suit


class _Joined(NamedTuple):
    """Cards laid to runs of the table, the last of them first."""

    gain: int
    meld: int = -1
    place: int | None = None
    """None for a wild."""
    before: _Joined | None = None


class SuitRuns:
    """The runs of one suit, in a hand with so many wilds."""

    def __init__(
        self,
        prices: Prices,
        suit: Suit,
        cards: Sequence[Card],
        targets: Sequence[Target],
        wilds: int,
    ) -> None:
        self.bits = {card: 1 << prices.place_of(card.rank) for card in cards}
        self._prices, self._suit, self._targets, self._size = prices, suit, targets, wilds + 1
        self._new: dict[Charges, NewRuns] = {(): runs_of(prices)}
        self._rows: Rows = {}
        self._gains: dict[Share, Gains] = {}
        self._ways: dict[Share, dict[tuple[int, int], _Joined]] = {}
        self._laid: dict[tuple[Share, int], list[Laid]] = {}

    def gains(self, share: Share) -> Gains:
        """What the runs gain, for up to so many wilds."""
        found = self._gains.get(share)
        if found is None:
            new = self._new_runs(share)
            if not self._targets:
                return new.gains(share.may)[: self._size]
            best = [NEVER] * self._size
            for (left, wilds), joined in self._joins(share).items():
                rest = new.gains(left)
                for used, more in enumerate(rest[: self._size - wilds], wilds):
                    best[used] = max(best[used], joined.gain + more)
            found = self._gains[share] = tuple(best)
        return found

    def laid(self, share: Share, wilds: int, _taken: AbstractSet[Card]) -> Sequence[Laid]:
        """The runs that gain the most with so many wilds."""
        found = self._laid.get((share, wilds))
        if found is None:
            found = self._laid[share, wilds] = [
                Laid(tuple([None if at is None else self._card(at) for at in run]), onto)
                for run, onto in self._plan(share, wilds)
            ]
        return found

    def _card(self, place: int) -> Card:
        return Card(rank_at(place, self._prices.runs.top), self._suit)

    def _new_runs(self, share: Share) -> NewRuns:
        charges = share.charges
        if charges not in self._new:
            self._new[charges] = NewRuns(self._prices, charges, self._size - 1, self._rows)
        return self._new[charges]

    def _plan(self, share: Share, most: int) -> Iterator[tuple[Run, int]]:
        """The places of each run, and which meld of the table they join."""
        new, gain = self._new_runs(share), self.gains(share)[most]
        for (left, used), joined in self._joins(share).items():
            wilds = most - used
            if wilds >= 0 and joined.gain + new.gains(left)[wilds] == gain:
                for run in new.plan(left, wilds):
                    yield run, -1
                step: _Joined | None = joined
                while step is not None and step.meld >= 0:
                    yield (step.place,), step.meld
                    step = step.before
                return

    def _joins(self, share: Share) -> dict[tuple[int, int], _Joined]:
        """The ways to continue runs of the table, by the cards left and the wilds used."""
        found = self._ways.get(share)
        if found is None:
            found = self._ways[share] = {(share.may, 0): _Joined(0)}
            for target in self._targets:
                tips = dict(found)
                for place in target.places:
                    tips = self._further(share, tips, target, place)
                    for key, joined in tips.items():
                        if key not in found or found[key].gain < joined.gain:
                            found[key] = joined
        return found

    def _further(
        self, share: Share, tips: dict[tuple[int, int], _Joined], target: Target, place: int
    ) -> dict[tuple[int, int], _Joined]:
        """Put one card more to a run of the table, in every way."""
        in_run, wild = self._new_runs(share).in_run[place], self._prices.wild_in_run[place]
        at_home = self._prices.at_home >> place & 1
        found: dict[tuple[int, int], _Joined] = {}
        for (left, wilds), before in tips.items():
            ways: list[tuple[tuple[int, int], int, int | None]] = []
            if left >> place & 1:
                ways.append(((left ^ 1 << place, wilds + at_home), in_run, place))
            if target.takes_wilds:
                ways.append(((left, wilds + 1), wild, None))
            for key, more, card in ways:
                gain = before.gain + more
                if key[1] < self._size and (key not in found or found[key].gain < gain):
                    found[key] = _Joined(gain, target.meld, card, before)
        return found
