"""The history of the jokers of a table: which set each left, what replaced it, where it went.

Both tables of a turn are read, before and after it, and the jokers that lay there are followed from
the one to the other. Only the sets that the turn changed are looked at: an equal set is the same
set, left alone. What a history must keep depends on the rule of the table.

REPLACE, a joker that still stands for the same tile was not retrieved, wherever it is; one that
stands for another tile was. A turn is a sequence of steps, and a joker may be taken once a tile
that leaves its set legal is put in its place; what becomes of that set later in the turn is
ordinary rearranging. So for each joker that was retrieved:

- a tile that could take its place is on the table after the turn, besides the tiles of its own
  set; it was played from the rack, or lay in another set that is arranged differently now;
- one tile takes the place of one joker (`referee.turns.replacements`);
- where the replacement is exact, it is the very tile that the joker stood for;
- where it comes from the rack, it was played this turn;
- where a group of two tiles and a joker needs both missing colors, there is a tile of each.

Where it makes a new set, no set of the old table goes on in the set it went to: neither whole (the
rest of its own old set would be such a set) nor with a part that is a legal set by itself; unless
that old set goes on in another one of the new table, as one that was split does. A set goes on
where tiles equal to its own are together, for that is what everybody sees.

Where jokers move over, one whose run was only added to, the tile that it stood for among the rest,
was not retrieved, whatever it stands for now.

FREE, it may leave its set in whatever way, and only the new set is asked of it, where that is the
rule of the table. LOCKED, its set is whole in a set of the new table, the joker standing for the
same tile; the set was only added to.

Equal tiles can’t be distinguished, nor can jokers, and a joker's tile may be open: in a group with
a color to spare, or where fewer than two naturals say no order. So a turn may be explained in
several ways. A turn is as good as its best explanation: that with the least against it, among
these the one with the fewest jokers retrieved. Jokers are two at most, so the explanations are
some dozens, and a table takes one comparison of each old set with each new one.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from referee.cards import JOKER, Card
from referee.melds.rules import MeldRules
from referee.rulings import Code, Finding, Reading, found, ground
from referee.turns.joker_readings import Seen, Tables, TableSet, ways
from referee.turns.replacements import Demand, JokerMove, Newcomer, Replacements, SetTest

_LEAST: Final = 3
"""How many tiles a set has at least."""


class Retrieval(Enum):
    """When a joker may leave its set."""

    REPLACE = "replace"
    FREE = "free"
    LOCKED = "locked"


class JokerRule(NamedTuple):
    """How a joker comes out of a set on the table, and where it goes."""

    retrieval: Retrieval
    exact: bool
    from_rack: bool
    both_colours: bool
    new_set: bool

    @property
    def demand(self) -> Demand:
        """What the table asks of a replacement."""
        return Demand(self.exact, self.both_colours, self.from_rack)

    @property
    def asks_nothing(self) -> bool:
        """Whether a joker may leave any set, and go to any."""
        return self.retrieval is Retrieval.FREE and not self.new_set


class History(NamedTuple):
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
    rules: MeldRules,
) -> History:
    """Explain what became of the jokers between the changed sets of two tables.

    All sets are legal under `rules`, and no tile has left the table. `played` are the tiles from
    the rack.
    """
    tables, is_set, colours = Tables(before, after), SetTest(rules), rules.pack.suits
    seen = [
        [tuple(ways(place, meld, colours)) for place, meld in enumerate(table)]
        for table in (before, after)
    ]
    best: _Explanation | None = None
    # Nobody says which joker went where, so each way to read both tables and to match their jokers
    # is weighed.
    for old, new in itertools.product(*(itertools.product(*table) for table in seen)):
        for moves in _matchings(old, new, may_move=rules.wilds.moves):
            # Not even without a finding against it would it be better than the best.
            if best is not None and best.weight <= (0, *_moved(moves)):
                continue
            places = Replacements(old, new, moves, played, is_set)
            explanation = _Explanation(tables, old, new, moves, rule, places)
            if best is None or explanation.weight < best.weight:
                best = explanation
    assert best is not None, "every set can be read"
    return History(best.against or tuple(best.grounds()), tuple(seen.reading for seen in best.new))


def _matchings(
    old: Sequence[Seen], new: Sequence[Seen], *, may_move: bool
) -> Iterator[tuple[JokerMove, ...]]:
    """Every way in which the jokers of the old table are among those of the new one.

    They may move over in their runs at some tables.
    """
    left = [(seen, tile) for seen in old for tile in seen.jokers]
    went = [(seen, tile) for seen in new for tile in seen.jokers]
    for chosen in itertools.permutations(went, len(left)):
        moves = (JokerMove(*one, *other) for one, other in zip(left, chosen, strict=True))
        yield tuple(move._replace(over=may_move and move.makes_way) for move in moves)


def _moved(moves: Sequence[JokerMove]) -> tuple[int, int]:
    """Count the jokers that were retrieved, and those that are with none of their old set."""
    retrieved = sum(move.retrieved for move in moves)
    apart = sum({*move.left.cards} & {*move.went.cards} == {JOKER} for move in moves)
    return retrieved, apart


class _Explanation:
    """One explanation of what became of the jokers, weighed under the rule of the table."""

    def __init__(  # noqa: PLR0913, PLR0917 - an explanation and what it is measured by
        self,
        tables: Tables,
        old: Sequence[Seen],
        new: Sequence[Seen],
        moves: tuple[JokerMove, ...],
        rule: JokerRule,
        replacements: Replacements,
    ) -> None:
        self.tables = tables
        self.old = old
        self.new = new
        self.moves = moves
        self.rule = rule
        self.replacements = replacements
        self.retrieved = replacements.retrieved
        self.targets = {move.went.place for move in self.retrieved}
        self.replaced: dict[int, tuple[Newcomer, ...]] = {}
        self.against = tuple(self._weigh())
        self.weight = (len(self.against), *_moved(moves))

    def _weigh(self) -> Iterator[Finding]:
        if self.rule.retrieval is Retrieval.LOCKED:
            yield from self._locked()
        elif self.rule.retrieval is Retrieval.REPLACE:
            yield from self._not_replaced()
        # A locked joker that moved has been told of, and where it went doesn’t matter then.
        if self.rule.new_set and self.rule.retrieval is not Retrieval.LOCKED:
            yield from self._to_new_sets()

    def _holders(self, place: int) -> list[int]:
        """The new sets in which an old one is whole, but for jokers retrieved."""
        staying = [m for m in self.moves if m.left.place == place and not m.retrieved]
        around = self.tables.around[place]
        return [at for at in around if all(move.went.place == at for move in staying)]

    def _locked(self) -> Iterator[Finding]:
        """Say which sets with a joker are not whole in a new one."""
        held = [old for old in self.old if old.jokers]
        moved = {move.left.place for move in self.retrieved}
        whole = [() if old.place in moved else self._holders(old.place) for old in held]
        if any(map(self._have_room, itertools.repeat(held), itertools.product(*whole))):
            return
        # Where each is whole, but in the same tiles of a new set, none is more to blame.
        for old, places in zip(held, whole, strict=True):
            if not places or all(whole):
                yield found(Code.JOKER_LOCKED, "retrieval", old.cards, these=old.cards)

    def _have_room(self, held: Sequence[Seen], places: Sequence[int]) -> bool:
        """Whether all these old sets can be in these new ones, each with tiles of its own."""
        wanted: dict[int, Counter[Card]] = defaultdict(Counter)
        for old, at in zip(held, places, strict=True):
            wanted[at].update(old.cards)
        return all(tiles <= Counter(self.new[at].cards) for at, tiles in wanted.items())

    def _not_replaced(self) -> Iterator[Finding]:
        """Say which jokers nothing took the place of that might do so at this table."""
        rule, places = self.rule, self.replacements
        everyone = range(len(self.retrieved))
        self.replaced = places.find(rule.demand)
        if len(self.replaced) == len(everyone):
            return
        # A joker that nothing replaced even without this table’s house rules comes first.
        replaced = places.find(Demand())
        if len(replaced) < len(everyone):
            taken = {one.tile for chosen in replaced.values() for one in chosen}
            for index in everyone:
                if index not in replaced:
                    yield self._nothing_for(index, taken)
            return
        demands = [
            (rule.exact, Demand(exact=True), self._wrong_tile),
            (rule.both_colours, Demand(both_colours=True), self._one_colour),
            (rule.from_rack, Demand(from_rack=True), self._off_the_table),
        ]
        asked = [(demand, against) for is_asked, demand, against in demands if is_asked]
        broken = [
            against(index)
            for demand, against in asked
            for index in everyone
            if index not in places.find(demand)
        ]
        yield from broken or [
            against(at) for _, against in asked for at in everyone if at not in self.replaced
        ]

    def _nothing_for(self, index: int, taken: set[Card]) -> Finding:
        """Say that no tile took the place of a joker, and which might have."""
        cards = self.retrieved[index].left.cards
        would_do = self.replacements.would_do(index)
        used = tuple(tile for tile in would_do if tile in taken)
        if used:
            return found(
                Code.JOKER_NOT_REPLACED, "joker-steps", cards, "two", left=cards, used=used
            )
        return found(Code.JOKER_NOT_REPLACED, "retrieval", cards, left=cards, tiles=would_do)

    def _wrong_tile(self, index: int) -> Finding:
        cards = self.retrieved[index].left.cards
        tiles = self.replacements.very_tiles(index)
        return found(Code.JOKER_WRONG_TILE, "replacement", cards, tiles=tiles, these=cards)

    def _one_colour(self, index: int) -> Finding:
        cards = self.retrieved[index].left.cards
        return found(Code.JOKER_BOTH_COLOURS, "group-of-three", cards, these=cards)

    def _off_the_table(self, index: int) -> Finding:
        cards = self.retrieved[index].left.cards
        return found(Code.JOKER_NOT_FROM_RACK, "replacement-from", cards, these=cards)

    def _to_new_sets(self) -> Iterator[Finding]:
        """Say where a joker was put to a set that lay on the table already."""
        for move in self.retrieved:
            at = move.went.place
            if any(self._goes_on_only_here(place, at) for place in range(len(self.old))):
                left, went = move.left.cards, move.went.cards
                yield found(Code.JOKER_NOT_IN_NEW_SET, "goes", went, left=left, went=went)

    def _goes_on_only_here(self, place: int, at: int) -> bool:
        """Whether an old set goes on in a new one, and in none that no retrieved joker went to."""
        if not self._goes_on(place, at):
            return False
        others = (to for to in range(len(self.new)) if to not in self.targets)
        alike = self.tables.old.count(self.tables.old[place])
        return sum(self._goes_on(place, to) for to in others) < alike

    def _goes_on(self, place: int, at: int) -> bool:
        """Whether an old set is in a new one, whole or with a part that is a set by itself."""
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
        # Fewer tiles are no set, so the joker went to what is a set only with it.
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
        """What became of each joker."""
        for move in self.moves:
            left, went, stood = move.left.cards, move.went.cards, move.stood
            if move.over:
                wilds = self.replacements.is_set.rules.wilds
                yield ground(Code.WILD_MOVED, "moves", went, wild=wilds, stands=(move.stands,))
                continue
            if not move.retrieved:
                yield ground(
                    Code.JOKER_STAYS, "same-stands", went, left=left, stood=stood, went=went
                )
                continue
            chosen = self.replaced.get(self.retrieved.index(move), ())
            if chosen:
                there = tuple(JOKER if one.wild else one.tile for one in chosen)
                how = "joker" if chosen[0].wild else ""
                cites, tiles = self._ground(move, chosen), tuple(one.tile for one in chosen)
                yield ground(Code.JOKER_REPLACED, cites, there, how, left=left, tiles=tiles)
            else:
                yield ground(
                    Code.JOKER_REPLACED, "retrieval", (JOKER,), "free", left=left, stood=stood
                )
            yield ground(Code.JOKER_REUSED, "goes", went, stands=move.stands, went=went)

    def _ground(self, move: JokerMove, chosen: tuple[Newcomer, ...]) -> str:
        """The clause (as it is cited) by which something could replace a joker."""
        if move.left.is_group_of_three:
            return "group-of-three"
        if self.rule.from_rack:
            return "replacement-from"
        (one,) = chosen
        if self.replacements.beside(one, move) < len(move.left.cards) - len(move.left.jokers):
            return "joker-steps"
        very_tile = one.tile is move.stood
        return "retrieval" if very_tile and not self.rule.exact else "replacement"
