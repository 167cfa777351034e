"""The history of the jokers of a table: which set each left, what replaced it, where it went.

Both tables of a turn are read, before and after it, and the jokers that lay there are followed from
the one to the other. Only the sets that the turn changed are looked at: an equal set is the same
set, left alone. What a history must keep depends on the rule of the table.

REPLACE, a joker that still stands for the same tile was not retrieved, wherever it lies; one that
stands for another tile was. Of a joker that was retrieved:

- the rest of its set stays together: one legal set afterwards, its *holder*, holds all of it;
- something took its place there: for each joker taken the holder holds at least one tile more, not
  counting these jokers themselves;
- where the replacement is exact, the very tile that it stood for lies in the holder;
- where it comes from the rack, the tile that stands where the joker stood was played this turn; at
  the open end of a run that is whatever was put to it;
- where a group of two tiles and a joker needs both missing colours, the holder is a group of four;
- where it makes a new set, no set of the old table goes on in the set it went to: neither whole
  (the rest of its own old set would be such a set) nor with a part that is a legal set by itself;
  unless that old set goes on in another one of the new table, as one that was split does.

FREE, it may leave its set in whatever way, and only the new set is asked of it, where that is the
rule of the table. LOCKED, its set lies whole in a set of the new table, the joker standing for the
same tile; the set was only added to.

Equal tiles cannot be told apart, jokers neither, and a joker's tile may be open: in a group with a
colour to spare, or where fewer than two naturals say no order. So a turn may be explained in
several ways. A turn is as good as its best explanation: that with the least against it, among
these the one with the fewest jokers retrieved. Jokers are two at the most, so the explanations are
some dozens, and a table takes one comparison of each old set with each new one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from referee.cards import JOKER, write_cards
from referee.rulings import Code, Finding
from referee.sights import Tables, ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Card, Cards, Suit
    from referee.rulebook import Clause
    from referee.rulings import Reading
    from referee.sights import Seen, TableSet

_LEAST: Final = 3
"""How many tiles a set has at the least."""


class Retrieval(Enum):
    """When a joker may leave its set."""

    REPLACE = "replace"
    FREE = "free"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True, kw_only=True)
class JokerRule:
    """How a joker comes out of a set on the table, and where it goes."""

    cite: Clause
    """When a joker may leave its set."""
    together: Clause
    """What does not count as replacing it."""
    same: Clause
    """When a joker was not retrieved at all."""
    replacement: Clause
    """Which tile may replace it."""
    source: Clause
    """Where that tile may come from."""
    colours: Clause
    """What frees the joker of a group of three."""
    reuse: Clause
    """Where a joker that was retrieved may go."""
    retrieval: Retrieval = Retrieval.REPLACE
    exact: bool = False
    from_rack: bool = False
    both_colours: bool = False
    new_set: bool = True

    @property
    def asks_nothing(self) -> bool:
        """Whether a joker may leave any set, and go to any."""
        return self.retrieval is Retrieval.FREE and not self.new_set


@dataclass(frozen=True, slots=True)
class Move:
    """What became of one joker."""

    left: Seen
    stood: Card
    went: Seen
    stands: Card

    @property
    def retrieved(self) -> bool:
        """Whether it stands for another tile than before."""
        return self.stood is not self.stands


@dataclass(frozen=True, slots=True)
class History:
    """The best explanation of what became of the jokers."""

    findings: tuple[Finding, ...] = ()
    """All that is against it, else its grounds."""
    readings: tuple[Reading, ...] = ()
    """How each changed set of the new table is read in it."""


def follow(
    before: Sequence[TableSet],
    after: Sequence[TableSet],
    played: Counter[Card],
    rule: JokerRule,
    colours: Sequence[Suit],
) -> History:
    """Explain what became of the jokers between the changed sets of two tables.

    All sets are legal, and no tile has left the table. `played` are the tiles from the rack;
    `colours` those of the tiles.
    """
    tables = Tables(before, after)
    seen = [
        [tuple(ways(place, meld, colours)) for place, meld in enumerate(table)]
        for table in (before, after)
    ]
    best: _Explanation | None = None
    for old, new in itertools.product(*(itertools.product(*table) for table in seen)):
        for moves in _matchings(old, new):
            retrieved = sum(move.retrieved for move in moves)
            if best is not None and best.weight[:2] <= (0, retrieved):
                continue
            explanation = _Explanation(tables, old, new, moves, rule, played)
            if best is None or explanation.weight < best.weight:
                best = explanation
    assert best is not None, "every set can be read"
    return History(best.against or tuple(best.grounds()), tuple(seen.reading for seen in best.new))


def _matchings(old: Sequence[Seen], new: Sequence[Seen]) -> Iterator[tuple[Move, ...]]:
    """Give every way in which the jokers of the old table are among those of the new one."""
    left = [(seen, tile) for seen in old for tile in seen.jokers]
    went = [(seen, tile) for seen in new for tile in seen.jokers]
    for chosen in itertools.permutations(went, len(left)):
        yield tuple(Move(*one, *other) for one, other in zip(left, chosen, strict=True))


class _Explanation:
    """One story of the jokers, weighed under the rule of the table."""

    def __init__(  # noqa: PLR0913, PLR0917 - a story and what it is measured by
        self,
        tables: Tables,
        old: Sequence[Seen],
        new: Sequence[Seen],
        moves: tuple[Move, ...],
        rule: JokerRule,
        played: Counter[Card],
    ) -> None:
        self.tables = tables
        self.old = old
        self.new = new
        self.moves = moves
        self.rule = rule
        self.retrieved = [move for move in moves if move.retrieved]
        self.emptied = {move.left.place: move.left for move in self.retrieved}
        self.targets = {move.went.place for move in self.retrieved}
        self.spare = played.copy()
        self.replaced: dict[int, Cards] = {}
        self.against = tuple(self._weigh())
        elsewhere = sum(move.left.cards != move.went.cards for move in moves)
        self.weight = (len(self.against), len(self.retrieved), elsewhere)

    def _weigh(self) -> Iterator[Finding]:
        if self.rule.retrieval is Retrieval.LOCKED:
            yield from self._locked()
        elif self.rule.retrieval is Retrieval.REPLACE:
            for held in self.emptied.values():
                yield from self._replaced(held)
        if self.rule.new_set and self.rule.retrieval is not Retrieval.LOCKED:
            yield from self._to_new_sets()

    def _holders(self, place: int) -> list[int]:
        """Give the new sets in which an old one lies whole, but for jokers retrieved."""
        staying = [m for m in self.moves if m.left.place == place and not m.retrieved]
        around = self.tables.around[place]
        return [at for at in around if all(move.went.place == at for move in staying)]

    def _beside(self, at: int, place: int, other: int) -> bool:
        """Whether another set that was emptied leaves this one its tiles in a new set."""
        old, elsewhere = self.tables.old, self._holders(other)
        return not elsewhere or elsewhere != [at] or old[place].isdisjoint(old[other])

    def _locked(self) -> Iterator[Finding]:
        for held in self.old:
            if held.jokers and (held.place in self.emptied or not self._holders(held.place)):
                says = (
                    f"At this table the set {write_cards(held.cards)} may only be added to, "
                    "for there is a joker in it."
                )
                yield Finding(Code.JOKER_LOCKED, says, self.rule.cite, held.cards)

    def _replaced(self, held: Seen) -> Iterator[Finding]:
        """Look at what became of a set that jokers were retrieved from."""
        rule, where = self.rule, write_cards(held.cards)
        stood = tuple(move.stood for move in self.retrieved if move.left is held)
        others = [other for other in self.emptied if other != held.place]
        holders = [
            at
            for at in self._holders(held.place)
            if all(self._beside(at, held.place, other) for other in others)
        ]
        back = Counter(move.went.place for move in self.retrieved if move.left is held)
        grown = [at for at in holders if len(self.new[at].cards) - back[at] >= len(held.cards)]
        if not holders:
            says = f"The joker left {where}, but the rest of that set did not stay together."
            yield Finding(Code.JOKER_NOT_REPLACED, says, rule.together, held.cards)
        elif not grown:
            says = f"The joker left {where}, but nothing took its place as the {_names(stood)}."
            yield Finding(Code.JOKER_NOT_REPLACED, says, rule.cite, held.cards)
        else:
            yield from self._by_what(held, stood, grown)

    def _by_what(self, held: Seen, stood: Cards, holders: list[int]) -> Iterator[Finding]:
        """Look at what replaced the jokers of a set, wherever more than “something” is asked."""
        rule, tables, where = self.rule, self.tables, write_cards(held.cards)
        both = rule.both_colours and held.is_group_of_three
        if rule.exact:
            exact = [at for at in holders if all(tables.holds(at, tile) for tile in stood)]
            if not exact:
                says = f"At this table only the {_names(stood)} may replace the joker of {where}."
                yield Finding(Code.JOKER_WRONG_TILE, says, rule.replacement, held.cards)
            holders = exact or holders
        if both:
            wide = [at for at in holders if len(tables.added(held.place, at)) > len(stood)]
            if not wide:
                says = f"At this table both colours that {where} lacks are needed for the joker."
                yield Finding(Code.JOKER_BOTH_COLOURS, says, rule.colours, held.cards)
            holders = wide or holders
        if rule.from_rack:
            racked = [at for at in holders if self._replacing(held, stood, at, self.spare)]
            if not racked:
                says = (
                    f"At this table the tile that replaces the joker of {where} is from the rack."
                )
                yield Finding(Code.JOKER_NOT_FROM_RACK, says, rule.source, held.cards)
            holders = racked or holders
        holder = next((at for at in holders if at not in self.targets), holders[0])
        tiles = self._replacing(held, stood, holder, self.spare if rule.from_rack else None)
        self.spare.subtract(tiles)
        self.replaced[held.place] = tiles

    def _replacing(
        self, held: Seen, stood: Cards, holder: int, spare: Counter[Card] | None
    ) -> Cards:
        """Give what replaced the jokers of a set in its holder, out of `spare` if there is that.

        That is the tile that stands where a joker stood, at the open end of a run the nearest that
        was put to it; none where `spare` has not got it.
        """
        if self.rule.both_colours and held.is_group_of_three:
            tiles = self.tables.added(held.place, holder)
            return tiles if spare is None or Counter(tiles) <= spare else ()
        left = Counter(self.new[holder].cards) if spare is None else spare.copy()
        used: list[Card] = []
        for tile in stood:
            nearest = self._in_place_of(tile, held, holder)
            found = next((one for one in nearest if left[one] > 0), None)
            if found is None:
                return ()
            left[found] -= 1
            used.append(found)
        return tuple(used)

    def _in_place_of(self, stood: Card, held: Seen, holder: int) -> Cards:
        """Give the tiles that may have replaced a joker in a holder, the nearest first."""
        if self.tables.holds(holder, stood):
            return (stood,)
        if stood in self.new[holder].jokers:
            return (JOKER,)
        added = self.tables.added(held.place, holder)
        return tuple(sorted(added, key=lambda card: (abs(card.rank - stood.rank), str(card))))

    def _to_new_sets(self) -> Iterator[Finding]:
        """Say where a joker was put to a set that lay on the table already."""
        for move in self.retrieved:
            at = move.went.place
            if any(self._goes_on_only_here(place, at) for place in range(len(self.old))):
                left, went = write_cards(move.left.cards), write_cards(move.went.cards)
                says = f"The joker from {left} must make a new set; {went} is one that was there."
                yield Finding(Code.JOKER_NOT_IN_NEW_SET, says, self.rule.reuse, move.went.cards)

    def _goes_on_only_here(self, place: int, at: int) -> bool:
        """Whether an old set goes on in a new one, and in none that no retrieved joker went to."""
        if not self._goes_on(place, at):
            return False
        others = (to for to in range(len(self.new)) if to not in self.targets)
        alike = self.tables.old.count(self.tables.old[place])
        return sum(self._goes_on(place, to) for to in others) < alike

    def _goes_on(self, place: int, at: int) -> bool:
        """Whether an old set lies in a new one, whole or with a part that is a set by itself."""
        shared = self.tables.old[place] & self.tables.new[at]
        if not shared:
            return False
        if at in self._holders(place):
            return True
        tiles = {card for card, _ in shared}
        tiles.update(
            move.stands
            for move in self.moves
            if (move.left.place, move.went.place) == (place, at) and not move.retrieved
        )
        if len(tiles) < _LEAST:
            return False
        reading = self.new[at].reading
        where = [
            spot
            for tile, spot in zip(reading.stands, reading.places, strict=False)
            if tile in tiles
        ]
        return not where or max(where) - min(where) < len(tiles)

    def grounds(self) -> Iterator[Finding]:
        """Tell the story."""
        rule = self.rule
        for move in self.moves:
            left, went = write_cards(move.left.cards), write_cards(move.went.cards)
            if not move.retrieved:
                says = f"The joker of {left} still stands for the {move.stood.name}, in {went}."
                yield Finding(Code.JOKER_STAYS, says, rule.same, move.went.cards, against=False)
                continue
            tiles = self.replaced.get(move.left.place, ())
            if tiles:
                says = f"The joker left {left}; in its place there is now the {_names(tiles)}."
                yield Finding(Code.JOKER_REPLACED, says, self._ground(move), tiles, against=False)
            else:
                says = f"The joker left {left}, where it stood for the {move.stood.name}."
                yield Finding(Code.JOKER_REPLACED, says, rule.cite, (JOKER,), against=False)
            says = f"It stands for the {move.stands.name} in {went}."
            yield Finding(Code.JOKER_REUSED, says, rule.reuse, move.went.cards, against=False)

    def _ground(self, move: Move) -> Clause:
        """Give the clause by which something could replace a joker."""
        if move.left.is_group_of_three:
            return self.rule.colours
        if self.rule.from_rack:
            return self.rule.source
        very_tile = move.stood in self.replaced[move.left.place]
        return self.rule.cite if very_tile and not self.rule.exact else self.rule.replacement


def _names(cards: Cards) -> str:
    return " and the ".join(card.name for card in cards)
