"""What jokers taken from the table ask of the sets that a pool is arranged in.

Say the joker is taken from red 3 4 5 JK, and the rules want it in a new set. Then red 3 4 5 with
this joker would only be the old set again, so `Terms.apart` has red 3 4 5: no set can contain these
3 tiles and a fresh joker. A sweep goes by color and number, so `Terms.by_place` turns that into a
term for red runs at 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.advice.tables.colours import NO_RUN_TERMS, WHOLE, RunTerms
from referee.advice.tables.groups import NO_GROUP_TERMS, Colours, GroupTerms
from referee.cards import ACE, KING, Card, Cards, Suit
from referee.melds.rules import RunRule
from referee.rulings import MeldKind

_FURTHEST: Final = ACE + KING + WHOLE
"""Larger than any place."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What jokers taken from the table ask of the sets that a pool is arranged in."""

    apart: tuple[Cards, ...] = ()
    """For each of these parts of old sets: no set can contain all its tiles and a fresh joker."""
    goes_on: tuple[Cards, ...] = ()
    """For each: some set without a fresh joker needs to contain all its tiles."""
    most: tuple[tuple[Cards, Cards, int], ...] = ()
    """Sets that can’t be there more than so many times, as (the tiles of the set, those of them
    that are jokers, the number); with 0, a set that needs to change."""
    jokers: tuple[tuple[Card, MeldKind], ...] = ()
    """For each tile: a joker needs to stand for it, in a set of this kind."""

    @property
    def any(self) -> bool:
        """Whether there are any terms."""
        return bool(self.apart or self.goes_on or self.most or self.jokers)

    def by_place(
        self, suits: Sequence[Suit], rank: Callable[[int], int], runs: RunRule
    ) -> tuple[list[list[RunTerms]], list[GroupTerms]]:
        """Return these terms for runs, by color and place, and for groups, by place.

        `rank` returns the place of a number. Terms that can’t be expressed in this way are left
        out, so an arrangement may not meet them; the referee rejects it then.
        """
        found = _ByPlace(suits, rank, runs.top, runs.wrap)
        if self.any:
            for tiles in self.apart:
                found.add_apart(tiles)
            for tiles in self.goes_on:
                found.add_goes_on(tiles)
            for at, (tiles, wild, most) in enumerate(self.most):
                found.add_most(tiles, wild, 1 << at, most)
            for tile, kind in self.jokers:
                found.add_joker(tile, kind)
            found.count_tails()
        return found.runs, found.groups


NO_TERMS: Final = Terms()


@dataclass(slots=True)
class _ByPlace:
    """Collects the results of `Terms.by_place`, term by term."""

    suits: Sequence[Suit]
    rank: Callable[[int], int]
    top: int
    """The highest number."""
    wrap: bool
    """Whether runs go around the corner."""
    runs: list[list[RunTerms]] = field(init=False)
    groups: list[GroupTerms] = field(init=False)

    def __post_init__(self) -> None:
        self.runs = [[NO_RUN_TERMS] * _FURTHEST for _ in self.suits]
        self.groups = [NO_GROUP_TERMS] * _FURTHEST

    def add_apart(self, tiles: Cards) -> None:
        """Add an item of `Terms.apart`; a part of one tile concerns both runs and groups."""
        colours, first, last = self._span(tiles)
        size = last - first + 1
        # Runs around the corner don’t distinguish more than 3 naturals.
        if len(colours) == 1 and not (self.wrap and (size > WHOLE or last > self.top)):
            row = self.runs[colours[0]]
            row[last] = row[last]._replace(part=min(size, row[last].part or size))
            self._hold(colours[0])
            self._need(colours[0], first, last)
        if first == last:
            group = self.groups[first]
            self.groups[first] = group._replace(parts=group.parts | {colours})

    def add_goes_on(self, tiles: Cards) -> None:
        """Add an item of `Terms.goes_on`."""
        colours, first, last = self._span(tiles)
        if len(colours) == 1:
            row, size = self.runs[colours[0]], last - first + 1
            if not (self.wrap and last > self.top):
                row[last] = row[last]._replace(goes_on=max(size, row[last].goes_on))
            self._hold(colours[0])
        else:
            for colour in colours:
                self._hold(colour, first, first)
            group = self.groups[first]
            self.groups[first] = group._replace(goes_on=group.goes_on | {colours})

    def add_most(self, tiles: Cards, wild: Cards, which: int, most: int) -> None:
        """Add an item of `Terms.most`: a set, its jokers, its bit, and the most such sets."""
        colours, first, last = self._span(tiles)
        if len(colours) > 1:
            group = self.groups[first]
            natural, _, _ = self._span(tuple(tile for tile in tiles if tile not in wild))
            entry = natural, len(wild), most
            self.groups[first] = group._replace(most=group.most | {entry})
            for colour in range(len(self.suits)) if wild else ():
                self._hold(colour, first, first)
        elif last - first < len(tiles) and not (self.wrap and last >= self.top):
            row = self.runs[colours[0]]
            row[first] = row[first]._replace(begins=row[first].begins | which)
            for tile in wild:
                place = self.rank(tile.rank)
                row[place] = row[place]._replace(wild=row[place].wild | which)
            ended = (*row[last + 1].ended, (which, most))
            row[last + 1] = row[last + 1]._replace(ended=ended)
            self._need(colours[0], first, last)
            # A long run can be two runs joined by an exchange anywhere, so allow none in its color.
            # For a short one, only its own places and the next one matter.
            self._hold(colours[0], *((0,) if len(tiles) >= 2 * WHOLE else (first, last + 1)))

    def add_joker(self, tile: Card, kind: MeldKind) -> None:
        """Add an item of `Terms.jokers`."""
        colours, place, _ = self._span((tile,))
        if kind is MeldKind.SET:
            group = self.groups[place]
            self.groups[place] = group._replace(jokers=group.jokers | set(colours))
        else:
            row = self.runs[colours[0]]
            row[place] = row[place]._replace(joker=True)
            self._hold(colours[0], place, place)
            self._need(colours[0], place, place)

    def _hold(self, colour: int, first: int = 0, last: int = _FURTHEST - 1) -> None:
        """Clear `RunTerms.plain` of a color at these places; without any, everywhere."""
        row = self.runs[colour]
        row[first : last + 1] = [one._replace(plain=False) for one in row[first : last + 1]]

    def _need(self, colour: int, first: int, last: int) -> None:
        """Clear `RunTerms.saves` of a color at these places."""
        row = self.runs[colour]
        row[first : last + 1] = [one._replace(saves=False) for one in row[first : last + 1]]

    def count_tails(self) -> None:
        """Fill in `RunTerms.tail` everywhere, once all other terms are there."""
        for row in self.runs:
            for place, here in enumerate(row):
                ahead = enumerate(row[place + 1 :], start=1)
                tails = [max(one.part, one.goes_on) - away for away, one in ahead]
                row[place] = here._replace(tail=max([0, *tails]))

    def _span(self, tiles: Cards) -> tuple[Colours, int, int]:
        """Return the colors of tiles, and their first and last place; a 1 can be above the top."""
        places, top = [self.rank(tile.rank) for tile in tiles], self.top
        if {ACE, top} <= set(places) and len(tiles) < top:
            places = [ACE + top if place == ACE else place for place in places]
        colours = {self.suits.index(tile.suit) for tile in tiles if tile.suit is not None}
        return tuple(sorted(colours)), min(places), max(places)
