"""The parts of a play that have cards of their own: the runs of a suit, and the sets of a rank.

What a part gains goes by which cards it may use, and by what those are charged for it (`Part`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import LITTLE, NEVER
from referee.advice.lays.runs import PlannedRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.runs import Charges, NewRuns, Rows
    from referee.advice.lays.shown import Target


class Part(NamedTuple):
    """What the runs of a suit, or the sets of a rank, may use."""

    cards: int
    """A mask: of places for a suit, of suits for a rank."""
    charges: Charges = ()
    """What some of these cards gain less there than they are worth."""

    def charged(self, card: int, charge: int) -> Part:
        """The same where a card that was charged is charged so much."""
        others = [(one, charge if one == card else other) for one, other in self.charges]
        return Part(self.cards, tuple([one for one in others if one[1]]))


class RunsLaid(NamedTuple):
    """The runs of a suit in a play."""

    suit: int
    runs: tuple[PlannedRun, ...]
    cards: int
    """The natural cards in them, as a mask of places."""


class SetsLaid(NamedTuple):
    """The sets of a rank in a play."""

    place: int
    suits: tuple[int, ...]
    """The suits of the natural cards in them."""
    wilds: int


class _Joined(NamedTuple):
    """Cards laid to runs of the table, the last of them first."""

    gain: int
    meld: int = -1
    place: int | None = None
    """None for a wild."""
    before: _Joined | None = None


class RunsPart:
    """The runs of one suit in a hand with so many wilds: new ones, and those of the table.

    All ways to continue those of the table are gone through, place by place with the card or a
    wild; of those that leave the same cards and wilds the best is kept.
    """

    def __init__(
        self, suit: int, cards: int, new: NewRuns, targets: Sequence[Target], wilds: int
    ) -> None:
        self.suit = suit
        """By its index."""
        self.cards = cards
        """The natural cards of the suit, as a mask of places."""
        self._targets = targets
        self._size = wilds + 1
        self._new: dict[Charges, NewRuns] = {(): new}
        self._rows: Rows = {}
        self._with_table: dict[Part, Gains] = {}
        self._ways: dict[Part, dict[tuple[int, int], _Joined]] = {}
        self._laid: dict[tuple[Part, int], RunsLaid] = {}

    def can_gain(self) -> bool:
        """Whether there can be runs at all."""
        gain, *others = self.gains(Part(self.cards))
        return gain > 0 or any(other > LITTLE for other in others)

    def laid(self, part: Part, wilds: int) -> RunsLaid:
        """The runs that gain the most with so many wilds."""
        found = self._laid.get((part, wilds))
        if found is None:
            runs = tuple(self._plan(part, wilds))
            cards = sum([1 << at for run in runs for at in run.places if at is not None])
            found = self._laid[part, wilds] = RunsLaid(self.suit, runs, cards)
        return found

    def gains(self, part: Part) -> Gains:
        """What the runs gain, for up to so many wilds."""
        new = self._charged(part.charges)
        if not self._targets:
            return new.gains(part.cards)[: self._size]
        found = self._with_table.get(part)
        if found is None:
            best = [NEVER] * self._size
            for (left, wilds), joined in self._joins(part).items():
                rest = new.gains(left)
                for used, more in enumerate(rest[: self._size - wilds], wilds):
                    best[used] = max(best[used], joined.gain + more)
            found = self._with_table[part] = tuple(best)
        return found

    def _charged(self, charges: Charges) -> NewRuns:
        if charges not in self._new:
            self._new[charges] = self._new[()].charged(charges, self._size, self._rows)
        return self._new[charges]

    def _plan(self, part: Part, most: int) -> Iterator[PlannedRun]:
        new = self._charged(part.charges)
        if not self._targets:
            yield from new.plan(part.cards, most)
            return
        gain = self.gains(part)[most]
        for (left, used), joined in self._joins(part).items():
            wilds = most - used
            if wilds >= 0 and joined.gain + new.gains(left)[wilds] == gain:
                yield from new.plan(left, wilds)
                step: _Joined | None = joined
                while step is not None and step.meld >= 0:
                    yield PlannedRun((step.place,), step.meld)
                    step = step.before
                return

    def _joins(self, part: Part) -> dict[tuple[int, int], _Joined]:
        """The ways to continue runs of the table, by the cards left and the wilds used."""
        found = self._ways.get(part)
        if found is None:
            found = self._ways[part] = {(part.cards, 0): _Joined(0)}
            for target in self._targets:
                tips = dict(found)
                for place in target.places:
                    tips = self._further(part, tips, target, place)
                    for key, joined in tips.items():
                        if key not in found or found[key].gain < joined.gain:
                            found[key] = joined
        return found

    def _further(
        self, part: Part, tips: dict[tuple[int, int], _Joined], target: Target, place: int
    ) -> dict[tuple[int, int], _Joined]:
        """Put one card more to a run of the table, in every way."""
        new = self._charged(part.charges)
        at_home = new.prices.at_home >> place & 1
        found: dict[tuple[int, int], _Joined] = {}
        for (left, wilds), before in tips.items():
            ways: list[tuple[tuple[int, int], int, int | None]] = []
            if left >> place & 1:
                ways.append(((left ^ 1 << place, wilds + at_home), new.in_run[place], place))
            if target.takes_wilds:
                ways.append(((left, wilds + 1), new.prices.wild_in_run[place], None))
            for key, more, card in ways:
                gain = before.gain + more
                if key[1] < self._size and (key not in found or found[key].gain < gain):
                    found[key] = _Joined(gain, target.meld, card, before)
        return found


class SetsPart:
    """The sets of one rank."""

    def __init__(
        self, place: int, suits: Sequence[int], rows: Sequence[Gains], best: int, at_home: int
    ) -> None:
        self.place = place
        self.cards = sum([1 << suit for suit in suits])
        """The suits in which there is a natural card, as a mask."""
        self.best = best
        """What each of them gains at the most, in a set or a run."""
        self._suits = suits
        self._rows = rows
        """What 0, 1, 2… of them gain."""
        self._at_home = at_home
        """1 where they are wilds too."""
        self._charged_rows: dict[Part, tuple[Gains, ...]] = {}
        self._gains: dict[Part, Gains] = {}
        self._numbers: dict[tuple[Part, int], int] = {}
        """How many cards lie in sets, as far as it was asked."""

    def gains(self, part: Part) -> Gains:
        """What the sets gain, however many cards lie in them."""
        found = self._gains.get(part)
        if found is None:
            rows = self._charged(part)
            found = self._gains[part] = tuple(map(max, *rows, (NEVER,) * len(rows[0])))
        return found

    def laid(self, part: Part, wilds: int, in_runs: Sequence[int]) -> SetsLaid | None:
        """The sets that gain the most with so many wilds; None where there are none.

        Of cards that gain the same, those that lie in no run; `in_runs` has these as masks, by
        suit.
        """
        number = self._numbers.get((part, wilds))
        if number is None:
            column = [row[wilds] for row in self._charged(part)]
            number = self._numbers[part, wilds] = column.index(max(column))
        if not number:
            return SetsLaid(self.place, (), wilds) if wilds else None
        costs = self._costs(part)
        costs.sort(key=lambda cost: (cost[0], in_runs[cost[1]] >> self.place & 1))
        suits = tuple([suit for _, suit in costs[:number]])
        return SetsLaid(self.place, suits, wilds - number * self._at_home)

    def _costs(self, part: Part) -> list[tuple[int, int]]:
        """What the cards that may be used are charged, and their suits."""
        charges = dict(part.charges)
        return [(charges.get(suit, 0), suit) for suit in self._suits if part.cards >> suit & 1]

    def _charged(self, part: Part) -> tuple[Gains, ...]:
        """What 0, 1, 2… of the cards that may be used gain: those that are charged least."""
        found = self._charged_rows.get(part)
        if found is None:
            costs = accumulate(sorted([cost for cost, _ in self._costs(part)]), initial=0)
            found = self._charged_rows[part] = tuple(
                [
                    tuple([gain - cost for gain in row]) if cost else row
                    for row, cost in zip(self._rows, costs, strict=False)
                ]
            )
        return found
