"""The parts of a play that have cards of their own: the runs of a suit, and the sets of a rank.

What a part gains goes by which cards it may use, and by what those are charged for it (`Part`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import LITTLE, NEVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.advice.lays.gains import Gains, Share, Stack
    from referee.advice.lays.runs import Charges, PlannedRun, Rows, SuitRuns


class Part(NamedTuple):
    """What the runs of a suit, or the sets of a rank, may use."""

    cards: int
    """A mask: of places for a suit, of suits for a rank."""
    charges: Charges = ()
    """What some of these cards gain less there than they are worth."""


class RankCards(NamedTuple):
    """The natural cards of one rank."""

    place: int
    suits: tuple[int, ...]
    """In which suits there is one, by the index of the suit."""
    best: int
    """What each of them gains at the most, in a set or a run."""
    at_home: bool
    """Whether they are wilds too."""


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


class RunsPart:
    """The runs of one suit, in a hand with so many wilds of which so many naturals are needed."""

    def __init__(  # noqa: PLR0913, PLR0917 - what the runs of a suit go by
        self, suit: int, runs: SuitRuns, cards: int, bonus: Charges, wilds: int, need: int
    ) -> None:
        self.suit = suit
        """By its index."""
        self.cards = cards
        """The natural cards of the suit, as a mask of places."""
        self._bonus = bonus
        """What a card that must be laid gains more: a charge less than 0."""
        self._wilds = wilds
        self._need = need
        self._plain = runs
        self._charged_runs: dict[Charges, SuitRuns] = {}
        self._known: Rows = {}
        self._laid: dict[tuple[Part, Share], RunsLaid] = {}

    def can_gain(self) -> bool:
        """Whether there can be runs at all."""
        gain, *others = self._plain.gains(self.cards)[: self._wilds + 1]
        return gain > 0 or any(other > LITTLE for other in others)

    def stack(self, part: Part) -> Stack:
        """What the runs gain, for up to so many wilds and naturals."""
        runs, size = self._charged(part.charges), self._wilds + 1
        if not self._need:
            return (runs.gains(part.cards)[:size],)
        masks = (0, *(part.cards,) * self._need)
        return tuple([runs.gains(mask, level)[:size] for level, mask in enumerate(masks)])

    def laid(self, part: Part, share: Share) -> RunsLaid:
        """The runs that gain what the stack says for a share."""
        found = self._laid.get((part, share))
        if found is None:
            mask = part.cards if share.level or not self._need else 0
            runs = tuple(self._charged(part.charges).plan(mask, *share))
            cards = sum([1 << at for run in runs for at in run.places if at is not None])
            found = self._laid[part, share] = RunsLaid(self.suit, runs, cards)
        return found

    def _charged(self, charges: Charges) -> SuitRuns:
        if not charges and not self._bonus:
            return self._plain
        found = self._charged_runs.get(charges)
        if found is None:
            found = self._plain.charged(charges + self._bonus, self._wilds, self._known)
            self._charged_runs[charges] = found
        return found


class SetsPart:
    """The sets of one rank, of which so many naturals are needed."""

    def __init__(
        self, rank: RankCards, rows: Sequence[Gains], bonus: Mapping[int, int], need: int
    ) -> None:
        self.place = rank.place
        self.best = rank.best
        self.cards = sum([1 << suit for suit in rank.suits])
        """The suits in which there is a natural card, as a mask."""
        self._rank = rank
        self._rows = rows
        """What 0, 1, 2… of them gain."""
        self._bonus = bonus
        """What some gain more, by suit."""
        self._need = need
        self._charged_rows: dict[Part, tuple[Gains, ...]] = {}
        self._stacks: dict[Part, Stack] = {}
        self._numbers: dict[tuple[Part, Share], int] = {}

    def stack(self, part: Part) -> Stack:
        """What the sets gain, however many cards lie in them, for up to so many naturals."""
        found = self._stacks.get(part)
        if found is None:
            rows = self._charged(part)
            never = (NEVER,) * len(rows[0])
            levels = [rows[level:] for level in range(1, self._need + 1)]
            most = [tuple(map(max, *some, never, never)) for some in levels or [rows]]
            found = self._stacks[part] = (rows[0], *most) if levels else tuple(most)
        return found

    def laid(self, part: Part, share: Share, in_runs: Sequence[int]) -> SetsLaid | None:
        """The sets that gain what the stack says for a share; None where there are none.

        Of cards that gain the same, those that lie in no run; `in_runs` has these as masks, by
        suit.
        """
        number = self._number(part, share)
        if not number:
            return SetsLaid(self.place, (), share.wilds) if share.wilds else None
        at = 1 << self.place
        costs = self._costs(part)
        costs.sort(key=lambda cost: (cost[0], in_runs[cost[1]] & at))
        suits = tuple([suit for _, suit in costs[:number]])
        return SetsLaid(self.place, suits, share.wilds - number * self._rank.at_home)

    def _number(self, part: Part, share: Share) -> int:
        """How many cards lie in the sets of a share."""
        found = self._numbers.get((part, share))
        if found is None:
            column = [row[share.wilds] for row in self._charged(part)]
            if self._need:
                least = share.level
                column = [NEVER] * least + (column[least:] if least else column[:1])
            found = self._numbers[part, share] = column.index(max(column))
        return found

    def _costs(self, part: Part) -> list[tuple[int, int]]:
        """What the cards that may be used gain less, and their suits."""
        paid, bonus = dict(part.charges), self._bonus
        return [
            (paid.get(suit, 0) - bonus.get(suit, 0), suit)
            for suit in self._rank.suits
            if part.cards >> suit & 1
        ]

    def _charged(self, part: Part) -> tuple[Gains, ...]:
        """What 0, 1, 2… of the cards that may be used gain: those that are charged least."""
        found = self._charged_rows.get(part)
        if found is None:
            costs = sorted([cost for cost, _ in self._costs(part)])
            sums = accumulate(costs, initial=0)
            found = self._charged_rows[part] = tuple(
                [
                    tuple([gain - cost for gain in row]) if cost else row
                    for row, cost in zip(self._rows, sums, strict=False)
                ]
            )
        return found
