"""From what was done on the way to the greatest gain, the melds and lay-offs of the play."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.growth import Step
from referee.advice.lays.sets import Fill
from referee.cards import Card
from referee.melds.rules import rank_at
from referee.plays import LayOff

if TYPE_CHECKING:
    from referee.advice.lays.growth import Growth, Place, Run
    from referee.advice.lays.shown import Shown
    from referee.cards import Cards, Suit


class Lay(NamedTuple):
    """What to lay, and what it comes to."""

    net: int
    """What it scores, less what the cards kept cost."""
    melds: tuple[Cards, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards


class Done(NamedTuple):
    """What was done on a way, the last of it first."""

    before: Done | None
    at: Place
    what: Step | Fill | None
    """None where the card of a place was put aside for a set."""


@dataclass(slots=True)
class _Laid:
    """Cards that lie together; None for a wild, whichever that will be."""

    onto: int = -1
    """Which meld of the table they join; less than 0 where they are a new one."""
    cards: list[Card | None] = field(default_factory=list)


class Replay:
    """A way, gone once more with the cards of the hand."""

    def __init__(self, growth: Growth) -> None:
        self.growth = growth
        self.laid: list[_Laid] = []
        self.open: dict[Suit, list[tuple[Run, _Laid]]] = {}
        self.aside: list[Card | None] = []

    def go(self, done: Done | None) -> None:
        """Do all that was done."""
        steps = []
        while done is not None:
            steps.append(done)
            done = done.before
        for step in reversed(steps):
            if isinstance(step.what, Step):
                self._grow(step.at, step.what)
            elif isinstance(step.what, Fill):
                self._fill(step.what)
            else:
                self.aside.append(Card(rank_at(step.at.place), step.at.suit))

    def _grow(self, at: Place, step: Step) -> None:
        """Put cards to the runs of a suit at one place."""
        there = self.open.setdefault(at.suit, [])
        for run, meld in self.growth.opened(at):
            there.append((run, self._new(meld)))
        after: list[tuple[Run, _Laid]] = []
        for move in step.moves:
            if move.before is None:
                laid = self._new(move.after.onto)
            else:
                index = next(i for i, (run, _) in enumerate(there) if run == move.before)
                laid = there.pop(index)[1]
            if move.natural is not None:
                laid.cards.append(Card(rank_at(at.place), at.suit) if move.natural else None)
            if not move.ends:
                after.append((move.after, laid))
        self.open[at.suit] = after

    def _fill(self, fill: Fill) -> None:
        """Make sets of the cards that were put aside, and of wilds."""
        made = [(-1, *sizes) for sizes in fill.new] + list(fill.joined)
        for onto, naturals, wilds in made:
            own, self.aside = self.aside[:naturals], self.aside[naturals:]
            self._new(onto).cards += own + [None] * wilds

    def _new(self, onto: int) -> _Laid:
        laid = _Laid(onto)
        self.laid.append(laid)
        return laid

    def play(
        self, hand: Cards, wild: frozenset[Card], shown: Shown, must: Card | None, net: int
    ) -> Lay:
        """Give the melds, the lay-offs and the cards that are kept; a wild `must` goes first."""
        used = Counter(card for laid in self.laid for card in laid.cards if card is not None)
        left = Counter(hand) - used
        wilds = [card for card in left.elements() if card in wild]
        wilds.sort(key=lambda card: card is must)
        melds: list[Cards] = []
        joining: dict[int, Cards] = {}
        for laid in self.laid:
            cards = tuple(wilds.pop() if card is None else card for card in laid.cards)
            if laid.onto < 0:
                melds.append(cards)
            elif cards:
                joining[laid.onto] = joining.get(laid.onto, ()) + cards
        layoffs = tuple(
            LayOff(cards, shown.table[meld], own=shown.own[meld], same_turn=True)
            for meld, cards in joining.items()
        )
        natural = tuple(card for card in left.elements() if card not in wild)
        return Lay(net, tuple(melds), layoffs, (*natural, *wilds))
