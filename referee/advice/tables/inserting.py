"""Putting tiles to a table as a person does: each where it disturbs least, one after the other.

A tile joins a set, which may be split by it, or makes a new one with others that are loose or that
sets can spare. Sets that were touched before come first, so few are disturbed in the end. Sets with
a joker, and runs past the last number, are left as they lie.

That is quick, and often finds a place for all tiles; it proves nothing where it does not. Where a
way to lay them is known, the table is brought to that set by set, as far as is needed: a set of
this *target* is taken over where a loose tile has no other place, and what lies in its way is given
up. So in the end all tiles lie, and what the target changes without need is left as it was. Work is
O(tiles² · sets); sets are taken over once each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from math import inf
from typing import Final, NamedTuple

from referee.advice.tables.colours import LARGEST, WHOLE
from referee.advice.tables.laid import add_jokers
from referee.advice.tables.terms import NO_TERMS
from referee.cards import ACE, JOKER, KING, Card, Cards, Suit
from referee.melds.rules import MeldRules

_TILES: Final = [1 << at for at in range(LARGEST * KING)]
"""The bit of each tile, colour by colour."""
_ALL: Final = sum(_TILES)
_JOKER: Final = 1 << len(_TILES)
"""What is added for each joker."""


_DISTURBED: Final = len(_TILES)
"""Outweighs, for each set that is disturbed, any loose tiles that are used."""
_TRIES: Final = 2
"""How often sets are given up for a tile, one after the other, where no target is known."""
_TRIED: Final = 3
"""In how many ways each time: of more only few find a place, and a sweep takes no longer."""
_TRIED_BEYOND: Final = 6
"""In how many where runs go beyond the last number: a sweep goes one way only, and takes long."""


def insert(
    table: Sequence[Cards], tiles: Iterable[Card], rules: MeldRules, target: Sequence[Cards] = ()
) -> tuple[Cards, ...] | None:
    """Put tiles to a table of legal sets; give it as it lies then, None where that was not found.

    Jokers may go anywhere. `target` is a table of all these tiles, where one is known.
    """
    suits = rules.pack.suits
    lying = [(_number(cards, suits), cards) for cards in table]
    aim = {_number(cards, suits): cards for cards in target}
    loose = [_number((tile,), suits) for tile in tiles]
    done = _Table(
        untouched=[laid for laid, _ in lying],
        loose=[tile for tile in loose if tile != _JOKER],
        jokers=loose.count(_JOKER),
        target=[_number(cards, suits) for cards in target],
        tried=_TRIED_BEYOND if rules.runs.wrap or rules.runs.high != rules.runs.top else _TRIED,
    ).laid_all(_TRIES)
    if done is None:
        return None
    stay = Counter(done.untouched)
    changed = [_cards(laid, suits) for laid in done.touched] + [aim[laid] for laid in done.fixed]
    for laid, cards in lying:
        if stay[laid]:
            stay[laid] -= 1
            changed.append(cards)
    return add_jokers(tuple(changed), done.jokers, 0, rules, NO_TERMS)


def _number(cards: Cards, suits: tuple[Suit, ...]) -> int:
    """Tiles as a number: a bit for each, and how many jokers there are."""
    laid = cards.count(JOKER) * _JOKER
    for card in cards:
        if card.suit:
            laid |= 1 << suits.index(card.suit) * KING + card.rank - ACE
    return laid


def _cards(laid: int, suits: tuple[Suit, ...]) -> Cards:
    """The tiles of a set without jokers; groups by colour, runs rising."""
    at_bits = (at for at, tile in enumerate(_TILES) if laid & tile)
    return tuple(Card(at % KING + ACE, suits[at // KING]) for at in at_bits)


class _Shape(NamedTuple):
    spare: int
    """The tiles that it can spare."""
    room: int
    """The tiles that may join it."""


@cache
def _sets() -> frozenset[int]:
    """All sets without jokers of up to thirteen numbers that go no further than the last."""
    column = sum(_TILES[::KING])
    groups = [column << at for at in range(KING)]
    groups += [group ^ tile for group in groups for tile in _each(group)]
    ends = combinations(range(KING + 1), 2)
    runs = [(1 << high) - (1 << low) for low, high in ends if high - low >= WHOLE]
    return frozenset(groups + [run << KING * at for run in runs for at in range(LARGEST)])


@cache
def _shape(laid: int) -> _Shape:
    """What can be done with a set; worked out at the first time of asking."""
    if laid not in _sets():
        return _Shape(0, 0)
    spare = sum([tile for tile in _each(laid) if _without(laid, tile)])
    near = laid | laid << 1 | laid >> 1 | laid << KING | laid >> KING
    return _Shape(spare, sum([tile for tile in _each(near & _ALL) if _joined(laid, tile)]))


@cache
def _threes(tile: int) -> tuple[int, ...]:
    return tuple(sorted([some for some in _sets() if some & tile and some.bit_count() == WHOLE]))


def _each(tiles: int) -> Iterator[int]:
    while tiles:
        yield tiles & -tiles
        tiles &= tiles - 1


def _without(laid: int, tile: int) -> tuple[int, ...]:
    """What is left of a set without one of its tiles; nothing where that is no set."""
    return _if_sets(laid ^ tile) or _if_sets(laid & tile - 1, laid & -tile ^ tile)


def _joined(laid: int, tile: int) -> tuple[int, ...]:
    """What becomes of a set that a tile joins: a run that has the tile is split."""
    if laid & tile:
        return _if_sets(laid & (tile | tile - 1), laid & -tile)
    return _if_sets(laid | tile)


def _if_sets(*parts: int) -> tuple[int, ...]:
    return parts if _sets().issuperset(parts) else ()


@dataclass(slots=True)
class _Table:
    untouched: list[int]
    """Sets as they lay."""
    loose: list[int]
    """Tiles in no set."""
    jokers: int
    """Jokers in no set."""
    target: list[int]
    """Sets of the target that were not taken over."""
    tried: int
    """In how many ways sets are given up for a tile, each time."""
    touched: list[int] = field(default_factory=list)
    """Sets that were changed or made."""
    fixed: list[int] = field(default_factory=list)
    """Sets that were taken over from the target."""

    def copy(self) -> _Table:
        return replace(
            self,
            untouched=self.untouched.copy(),
            loose=self.loose.copy(),
            target=self.target.copy(),
            touched=self.touched.copy(),
            fixed=self.fixed.copy(),
        )

    def laid_all(self, tries: int) -> _Table | None:
        """The table with all loose tiles put to it; None where no place was found for one."""
        while self.loose:
            if self._lay_next():
                continue
            some = self._wanted()
            if not self.target:
                ways = (
                    self._with(three).laid_all(tries - 1) for three in some[: self.tried] if tries
                )
                return next(filter(None, ways), None)
            if not some:
                return None
            self.target.remove(some[0])
            self.fixed.append(some[0])
            self.take_all(some[0])
        return self

    def _with(self, three: int) -> _Table:
        after = self.copy()
        after.take_all(three)
        after.touched.append(three)
        return after

    def _lay_next(self) -> bool:
        """Lay the tile that disturbs fewest sets, in the way that uses most loose tiles."""
        loose = sum(set(self.loose))
        near, at_hand = 0, loose
        for laid in self.touched:
            spare, room = _shape(laid)
            near |= room
            at_hand |= spare
        far, joins = at_hand, [0]
        for laid in self.untouched:
            spare, room = _shape(laid)
            far |= spare
            if room & loose:
                joins.append(room & loose)
        joining = max(joins, key=int.bit_count)
        best, chosen = inf, (0, 0)
        for tile in self.loose:
            if near & tile:
                return self._join(tile)
            if joining & tile and (price := _DISTURBED + 1 - joining.bit_count()) < best:
                best, chosen = price, (tile, 0)
            for three in _threes(tile):
                others = three ^ tile
                if others & far == others:
                    disturbed = (others & ~at_hand).bit_count()
                    price = disturbed * _DISTURBED - (others & loose).bit_count()
                    if price < best:
                        best, chosen = price, (tile, three)
        tile, three = chosen
        return bool(tile) and (self._make(three, tile) if three else self._join(tile))

    def _join(self, tile: int) -> bool:
        """Put a loose tile to a set that has room for it, best where more may follow."""
        loose = sum(set(self.loose))
        sets = self.touched
        some = [laid for laid in sets if _shape(laid).room & tile]
        if not some:
            sets = self.untouched
            some = [laid for laid in sets if _shape(laid).room & tile]
        laid = max(some, key=lambda one: (_shape(one).room & loose).bit_count())
        sets.remove(laid)
        self.touched += _joined(laid, tile)
        self.loose.remove(tile)
        return True

    def _make(self, three: int, tile: int) -> bool:
        """Make a new set with a loose tile; not where one set cannot spare both of the others."""
        before = self.loose.copy(), self.touched.copy(), self.untouched.copy()
        self.loose.remove(tile)
        if not all(self._take(other) for other in _each(three ^ tile)):
            self.loose, self.touched, self.untouched = before
            return False
        self.touched.append(three)
        return True

    def _take(self, tile: int) -> bool:
        """Take a tile, a loose one or from a set that can spare it; whether there is one."""
        if tile in self.loose:
            self.loose.remove(tile)
            return True
        for sets in (self.touched, self.untouched):
            for laid in sets:
                if _shape(laid).spare & tile:
                    sets.remove(laid)
                    self.touched += _without(laid, tile)
                    return True
        return False

    def _wanted(self) -> list[int]:
        """Sets with loose tiles, of the target or of any three; first what frees fewest others."""
        loose = there = sum(set(self.loose))
        spare = 0
        for laid in (*self.touched, *self.untouched):
            spare |= _shape(laid).spare
            there |= laid
        some = self.target or {three for tile in self.loose for three in _threes(tile)}
        return sorted(
            [one for one in some if one & loose and not one & _ALL & ~there],
            key=lambda one: ((one & ~loose & ~spare).bit_count(), (one & ~loose).bit_count(), one),
        )

    def take_all(self, made: int) -> None:
        """Take all that a set wants; what lies in its way is given up."""
        for tile in _each(made & _ALL):
            if not self._take(tile):
                self._give_up(tile)
                self.loose.remove(tile)
        self.jokers -= made // _JOKER
        while self.jokers < 0:
            self._give_up(-_JOKER)

    def _give_up(self, tile: int) -> None:
        """Give up a set with a tile, or one with a joker: what lay in it is loose then."""
        every = ((sets, laid) for sets in (self.touched, self.untouched) for laid in sets)
        sets, laid = next((sets, laid) for sets, laid in every if laid & tile)
        sets.remove(laid)
        self.loose += _each(laid & _ALL)
        self.jokers += laid // _JOKER
