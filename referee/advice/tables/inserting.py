"""Putting tiles to a table as a person does: each where it disturbs least, one after the other.

A tile makes a new set with others that are loose or that sets can spare, or joins a set, which may
be split by it. Where nothing of that goes, a joker helps, or a set is given up: its tiles are loose
then, too. Sets that were touched before come first, so few are disturbed in the end. Jokers of the
table are taken only where that is free.

That is quick, and often finds a place for all tiles; it proves nothing where it does not. Where a
way to lay them is known, the table is brought to that set by set, as far as is needed: a set of
this *target* is taken over where a loose tile has no other place. So in the end all tiles lie, and
what the target changes without need is left as it was. Work is O(steps · tiles · sets); the steps
are counted, and sets are taken over once each.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.tables import shapes
from referee.cards import JOKER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.advice.tables.shapes import Shapes
    from referee.cards import Card, Cards
    from referee.melds.rules import MeldRules

_STEPS: Final = 30
"""How many times a place for a tile is looked for, where no target is known."""
_GIVEN_UP: Final = 2
"""How many times sets are given up one after the other."""
_TRIED: Final = 6
"""How many ways of that are tried each time."""


def insert(
    table: Sequence[Cards],
    tiles: Iterable[Card],
    rules: MeldRules,
    *,
    free: bool,
    target: Sequence[Cards] = (),
) -> tuple[Cards, ...] | None:
    """Put tiles to a table of legal sets; give it as it lies then, None where that was not found.

    `free` says that jokers of the table may be taken, and may go anywhere. `target` is a table of
    all these tiles, where one is known.
    """
    suits, loose = rules.pack.suits, list(tiles)
    lying = [(shapes.read(cards, rules), cards) for cards in table]
    aim = [(shapes.read(cards, rules), cards) for cards in target]
    if not all(laid for laid, _ in aim):
        return None
    start = _Table(
        shapes.shapes(rules.wilds.max_in_meld, free=free),
        untouched=[laid for laid, _ in lying if laid],
        loose=[shapes.bit(tile, suits) for tile in loose if tile is not JOKER],
        jokers=loose.count(JOKER),
    )
    if target:
        done = _bring(replace(start, target=[laid for laid, _ in aim]))
    else:
        done = _Search(_STEPS).place(start, _GIVEN_UP)
    if done is None:
        return None
    known, stays = dict((*aim, *lying)), done.untouched
    changed = (known.get(laid) or shapes.write(laid, suits) for laid in done.touched + done.fixed)
    return (*(cards for laid, cards in lying if not laid or _drop(stays, laid)), *changed)


def _drop(sets: list[int], laid: int) -> bool:
    """Take a set out of some, whether it was there."""
    if laid in sets:
        sets.remove(laid)
        return True
    return False


_Move: TypeAlias = tuple[int, int]
"""A loose tile, and the set of three that it makes; 0 where it joins a set."""


@dataclass(slots=True)
class _Table:
    """A table while tiles are put to it."""

    shapes: Shapes
    untouched: list[int]
    """Sets as they lay."""
    loose: list[int]
    """Tiles in no set."""
    jokers: int
    """Jokers in no set."""
    touched: list[int] = field(default_factory=list)
    """Sets that were changed or made."""
    fixed: list[int] = field(default_factory=list)
    """Sets that were taken over from the target."""
    target: list[int] = field(default_factory=list)
    """Sets of the target that were not taken over."""

    def copy(self) -> _Table:
        """Another table like this one, to try something on."""
        sets = self.untouched.copy(), self.loose.copy()
        others = self.touched.copy(), self.fixed.copy(), self.target.copy()
        return _Table(self.shapes, *sets, self.jokers, *others)

    def best_move(self) -> _Move | None:
        """What disturbs fewest sets and uses most loose tiles, None where nothing goes."""
        loose, near, at_hand, far, joining = self._reach()
        best: tuple[tuple[int, int], _Move] | None = None
        for tile in self.loose:
            if near & tile:
                return tile, 0
            if joining & tile:
                order = 1, 1 - joining.bit_count()
                if best is None or order < best[0]:
                    best = order, (tile, 0)
            for three in shapes.threes(tile):
                others = three ^ tile
                if not others & ~far:
                    order = (others & ~at_hand).bit_count(), -(others & loose).bit_count()
                    if best is None or order < best[0]:
                        best = order, (tile, three)
        return None if best is None else best[1]

    def _reach(self) -> tuple[int, int, int, int, int]:
        """The loose tiles, those with room in touched sets, and what there is to be had.

        That is with touched sets only, and with all. The last are the tiles for which there is
        room in one untouched set, that with room for most.
        """
        loose = sum(set(self.loose))
        near = joining = 0
        at_hand = loose
        for laid in self.touched:
            shape = self.shapes[laid]
            near |= shape.room
            at_hand |= shape.spare
        far = at_hand
        for laid in self.untouched:
            shape = self.shapes[laid]
            far |= shape.spare
            join = shape.room & loose
            if join and join.bit_count() > joining.bit_count():
                joining = join
        return loose, near, at_hand, far, joining

    def after(self, move: _Move) -> _Table | None:
        """Make a move; None where one set cannot spare two tiles that it can spare each."""
        tile, three = move
        if not three:
            self._join(tile)
            return self
        table = self.copy()
        return table if table.make(three, tile) else None

    def _join(self, tile: int) -> None:
        """Put a loose tile to a set that has room for it, best where more may follow."""
        sets = self.touched
        laid = next((laid for laid in sets if self.shapes[laid].room & tile), 0)
        if not laid:
            sets, loose = self.untouched, sum(set(self.loose))
            laid = max(
                (one for one in sets if self.shapes[one].room & tile),
                key=lambda one: (self.shapes[one].room & loose).bit_count(),
            )
        sets.remove(laid)
        parts, freed = shapes.joined(laid, tile)
        self.touched += parts
        self.jokers += freed
        self.loose.remove(tile)

    def make(self, three: int, tile: int, *, give_up: bool = False) -> bool:
        """Make a new set with a loose tile; whether all others were to be had.

        Sets that do not spare them are given up, if that may be.
        """
        self.loose.remove(tile)
        taken = all(self._take(other, give_up=give_up) for other in shapes.naturals(three ^ tile))
        self.touched.append(three)
        return taken

    def _take(self, tile: int, *, give_up: bool) -> bool:
        """Take a tile: a loose one, or from a set that can spare it, or from one given up."""
        if _drop(self.loose, tile):
            return True
        for sets in (self.touched, self.untouched):
            for laid in sets:
                if self.shapes[laid].spare & tile:
                    sets.remove(laid)
                    self.touched += shapes.without(laid, tile)
                    return True
        return give_up and self._give_up(tile) and _drop(self.loose, tile)

    def _give_up(self, tile: int) -> bool:
        """Give up a set with a tile, or with a joker where that is 0; whether there is one."""
        for sets in (self.touched, self.untouched):
            for laid in sets:
                jokers = shapes.jokers(laid)
                if (self.shapes.free or not jokers) and (
                    shapes.plain(laid) & tile if tile else jokers
                ):
                    sets.remove(laid)
                    self.loose += shapes.naturals(laid)
                    self.jokers += jokers
                    return True
        return False

    def take_over(self) -> bool:
        """Take over a set of the target that has loose tiles, where that frees fewest others."""
        loose, spare = sum(set(self.loose)), 0
        for laid in (*self.touched, *self.untouched):
            spare |= self.shapes[laid].spare
        best: tuple[tuple[int, int], int] | None = None
        for laid in self.target:
            tiles = shapes.plain(laid)
            if tiles & loose or (self.jokers and shapes.jokers(laid)):
                others = tiles & ~loose
                order = (others & ~spare).bit_count(), others.bit_count()
                if best is None or order < best[0]:
                    best = order, laid
        if best is None:
            return False
        laid = best[1]
        self.target.remove(laid)
        self.fixed.append(laid)
        taken = all(self._take(tile, give_up=True) for tile in shapes.naturals(laid))
        self.jokers -= shapes.jokers(laid)
        while taken and self.jokers < 0:
            taken = self._give_up(0)
        return taken

    def lay_jokers(self) -> bool:
        """Put jokers that are loose where there is room, whether there was."""
        while self.jokers:
            for sets in (self.touched, self.fixed, self.untouched):
                laid = next((laid for laid in sets if self.shapes[laid].with_joker), 0)
                if laid:
                    sets.remove(laid)
                    self.touched.append(self.shapes[laid].with_joker)
                    self.jokers -= 1
                    break
            else:
                return False
        return True


def _bring(table: _Table) -> _Table | None:
    """Bring a table to its target, as far as is needed."""
    while table.loose:
        move = table.best_move()
        after = table.after(move) if move else None
        if after is not None:
            table = after
        elif not table.take_over():
            return None
    return table if table.lay_jokers() else None


@dataclass(slots=True)
class _Search:
    """A search for places with no target, and how many steps it may still take."""

    steps: int

    def place(self, table: _Table, give_up: int) -> _Table | None:
        """Put all loose tiles to a table, None where that was not found."""
        while table.loose:
            self.steps -= 1
            if self.steps < 0:
                return None
            move = table.best_move()
            after = table.after(move) if move else None
            if after is None:
                return self._try(table, give_up)
            table = after
        return table if table.lay_jokers() else None

    def _try(self, table: _Table, give_up: int) -> _Table | None:
        """Help with a joker, or give up sets; what leaves fewest tiles loose comes first."""
        tried: list[tuple[int, int, _Table, int]] = []
        for tile in dict.fromkeys(table.loose):
            for three in shapes.threes(tile):
                for stood in shapes.each(three ^ tile) if table.jokers else ():
                    after = table.copy()
                    after.jokers -= 1
                    if after.make(shapes.with_joker(three, stood), tile):
                        tried.append((len(after.loose), len(tried), after, give_up))
                after = table.copy()
                if give_up and after.make(three, tile, give_up=True):
                    tried.append((len(after.loose), len(tried), after, give_up - 1))
        for *_, after, more in sorted(tried, key=lambda one: one[:2])[:_TRIED]:
            found = self.place(after, more)
            if found is not None or self.steps < 0:
                return found
        return None
