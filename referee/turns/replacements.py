"""What took the place of jokers that left their sets, step by step.

A turn is a sequence of steps, and the referee sees only the table before the first of them and
after the last. So a tile counts as a replacement where it could have been one on the way: it is
on the table after the turn, it was played from the rack or out of another set that is arranged
differently now, and in the place of the joker it leaves the joker's set legal. What became of that
set later in the turn is ordinary rearranging. One tile replaces one joker.

A joker of the rack, or of another set, is such a tile as well: the one that it stands for after the
turn. Jokers are replaced one after the other, and one that has left its set may then replace the
next; so two jokers never replace each other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product
from typing import NamedTuple

from referee.cards import JOKER, Card, Cards
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind
from referee.turns.joker_readings import Seen


class JokerMove(NamedTuple):
    """What became of one joker."""

    left: Seen
    stood: Card
    went: Seen
    stands: Card
    over: bool = False
    """Whether it moved over in its run for the tile that it stood for, as some tables have it."""

    @property
    def retrieved(self) -> bool:
        """Whether it was taken for another tile than before."""
        return self.stood is not self.stands and not self.over

    @property
    def makes_way(self) -> bool:
        """Whether its run was only added to, among others the tile that it stood for."""
        kinds = {self.left.reading.kind, self.went.reading.kind}
        if kinds != {MeldKind.RUN} or self.stood is self.stands:
            return False
        return Counter(self.left.cards) <= Counter(self.went.cards) and (
            self.stood in self.went.cards
        )


class Demand(NamedTuple):
    """What a table asks of a replacement, beyond that it leaves the set legal."""

    exact: bool = False
    """It is the very tile that the joker stood for."""
    both_colours: bool = False
    """For the joker of a group of two tiles, both missing colors are there."""
    from_rack: bool = False
    """It was played this turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Newcomer:
    """A tile that may have replaced a joker."""

    tile: Card
    """The tile, or what a joker stands for after the turn."""
    source: int | None
    """The set of the old table that it lay in; None for the rack."""
    joker: JokerMove | None = None
    """What became of it, where it is a joker of the old table."""
    wild: bool = False
    """Whether it is a joker."""


class SetTest:
    """Whether tiles without a joker are a legal set, looked at once for each choice of them."""

    def __init__(self, rules: MeldRules) -> None:
        self.rules = rules
        self._known: dict[Cards, bool] = {}
        self._fitting: dict[Cards, Cards] = {}

    def __call__(self, tiles: Cards) -> bool:
        """Whether these tiles are a legal set."""
        if tiles not in self._known:
            self._known[tiles] = bool(legal_readings(tiles, self.rules))
        return self._known[tiles]

    def fitting(self, rest: Cards) -> Cards:
        """The tiles that make a legal set with others."""
        found = self._fitting.get(rest)
        if found is None:
            one, *_ = rest
            found = self._fitting[rest] = tuple(
                tile
                for tile in self.rules.pack.cards
                if (tile.rank == one.rank or tile.suit is one.suit) and self((*rest, tile))
            )
        return found

    def colours_lacking(self, tiles: Cards) -> Cards:
        """The tiles of the number of a group whose colors it lacks."""
        there = {tile.suit for tile in tiles}
        one, *_ = tiles
        return tuple(Card(one.rank, suit) for suit in self.rules.pack.suits if suit not in there)


class Replacements:
    """What may have replaced the jokers that were retrieved in one explanation of a turn."""

    def __init__(
        self,
        old: Sequence[Seen],
        new: Sequence[Seen],
        moves: Sequence[JokerMove],
        played: Counter[Card],
        is_set: SetTest,
    ) -> None:
        self.new = new
        self.retrieved = [move for move in moves if move.retrieved]
        self.is_set = is_set
        newcomers = [Newcomer(tile, None) for tile in played.elements() if tile is not JOKER]
        newcomers += [
            Newcomer(tile, seen.place) for seen in old for tile in seen.cards if tile is not JOKER
        ]
        # A joker can take the place of a joker, as the tile that it stands for now.
        newcomers += [Newcomer(move.stands, move.left.place, move, wild=True) for move in moves]
        stand = Counter(tile for seen in new for tile in seen.jokers)
        stand -= Counter(move.stands for move in moves)
        newcomers += [Newcomer(tile, None, wild=True) for tile in stand.elements()]
        self.newcomers: defaultdict[Card, list[Newcomer]] = defaultdict(list)
        for one in newcomers:
            self.newcomers[one.tile].append(one)

    def find(self, demand: Demand) -> dict[int, tuple[Newcomer, ...]]:
        """What replaced each retrieved joker, by its index; as many of them as can be."""
        best: dict[int, tuple[Newcomer, ...]] = {}
        everyone = range(len(self.retrieved))
        # The order matters: what replaced one joker is in its set when the next is looked at, and a
        # joker is free to go only once it is replaced itself.
        for order in permutations(everyone):
            for found in self._one_after_the_other(order, {}, demand):
                if len(found) > len(best):
                    best = found
                if len(best) == len(everyone):
                    return best
        return best

    def _one_after_the_other(
        self, order: tuple[int, ...], done: dict[int, tuple[Newcomer, ...]], demand: Demand
    ) -> Iterator[dict[int, tuple[Newcomer, ...]]]:
        """Replace jokers in this order, or leave out those for which there is nothing."""
        if not order:
            yield done
            return
        first, *others = order
        for chosen in self._choices(first, done, demand):
            yield from self._one_after_the_other(tuple(others), {**done, first: chosen}, demand)
        yield from self._one_after_the_other(tuple(others), done, demand)

    def _choices(
        self, index: int, done: Mapping[int, tuple[Newcomer, ...]], demand: Demand
    ) -> Iterator[tuple[Newcomer, ...]]:
        """What may replace a joker after others have been, the likeliest first."""
        move, rest = self.retrieved[index], self.rest(index, done)
        # By identity: of two tiles alike each can replace one joker.
        used = set(map(id, chain.from_iterable(done.values())))

        def there(tile: Card) -> list[Newcomer]:
            return [
                one
                for one in self.newcomers[tile]
                if one.source != move.left.place
                and id(one) not in used
                and (one.source is None or not demand.from_rack)
                and self._is_free(one, done)
            ]

        if demand.both_colours and move.left.is_group_of_three:
            tiles = self.is_set.colours_lacking(rest)
            for chosen in product(
                *([one for one in there(tile) if not one.wild] for tile in tiles)
            ):
                yield tuple(sorted(chosen, key=self._where))
            return
        if demand.exact:
            fit = [one for one in there(move.stood) if not one.wild]
        else:
            fit = [one for tile in self.is_set.fitting(rest) for one in there(tile)]
        for one in sorted(fit, key=lambda one: self._likelihood(one, move)):
            yield (one,)

    def _is_free(self, one: Newcomer, done: Mapping[int, tuple[Newcomer, ...]]) -> bool:
        """Whether a tile may be moved: a joker that was retrieved only once it was replaced."""
        return one.joker is None or all(
            index in done for index, move in enumerate(self.retrieved) if move is one.joker
        )

    def rest(self, index: int, done: Mapping[int, tuple[Newcomer, ...]]) -> Cards:
        """The set of a joker without it, any other joker as its tile or what replaced it."""
        held, stood = self.retrieved[index].left, self.retrieved[index].stood
        rest = [tile for tile in held.cards if tile is not JOKER]
        instead = {
            move.stood: [one.tile for one in done[at]]
            for at, move in enumerate(self.retrieved)
            if move.left is held and at in done
        }
        others = list(held.jokers)
        others.remove(stood)
        for tile in others:
            rest += instead.get(tile, [tile])
        return tuple(rest)

    def would_do(self, index: int) -> Cards:
        """The tiles that might have replaced a joker, whether they are there or not."""
        return self.is_set.fitting(self.rest(index, {}))

    def very_tiles(self, index: int) -> Cards:
        """The tiles that a joker may have stood for."""
        move = self.retrieved[index]
        if move.left.reading.kind is MeldKind.SET:
            return self.is_set.colours_lacking(self.rest(index, {}))
        return (move.stood,)

    def _likelihood(self, one: Newcomer, move: JokerMove) -> tuple[object, ...]:
        """Sort tiles: one that is with the rest of the set now, then the very tile."""
        near = -self.beside(one, move)
        return (
            near,
            one.wild,
            one.tile is not move.stood,
            one.source is not None,
            str(one.tile),
        )

    def _where(self, one: Newcomer) -> int:
        """Count the tiles that are before a tile on the new table."""
        return [tile for seen in self.new for tile in seen.cards].index(one.tile)

    def beside(self, one: Newcomer, move: JokerMove) -> int:
        """Count the tiles of a joker's old set that a tile is with after the turn."""
        there = {tile for tile in move.left.cards if tile is not JOKER}
        lying = [seen.jokers if one.wild else seen.cards for seen in self.new]
        return max(
            len(there.intersection(seen.cards))
            for seen, tiles in zip(self.new, lying, strict=True)
            if one.tile in tiles
        )
