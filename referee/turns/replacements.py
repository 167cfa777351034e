"""Find the tiles that replaced jokers taken from their sets.

A turn is a sequence of steps, but the referee only sees the table before the first and after the
last one. So a tile counts as a replacement if it could have been one on the way. It needs to be on
the table after the turn, it was played from the rack or comes from another set that was changed,
and in place of the joker it keeps the joker’s set legal. What happens to that set later in the turn
is ordinary rearranging. One tile replaces one joker.

A joker from the rack or from another set can also be a replacement, as the tile that it stands for
after the turn. Jokers are replaced one after the other, and one that has left its set can then
replace the next one. So two jokers never replace each other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product
from typing import Final, NamedTuple

from referee.cards import JOKER, Card, Cards
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind
from referee.turns.joker_readings import Seen

MOST_WORK: Final = 20_000
"""The most that is tried to explain a turn, in times that tiles are tried in the place of a joker.
Turns with 2 jokers take far less."""


class JokerMove(NamedTuple):
    """Where one joker went in a turn."""

    left: Seen
    """The set that the joker was in before the turn."""
    stood: Card
    """The tile that the joker stood for before the turn."""
    went: Seen
    """The set that the joker is in after the turn."""
    stands: Card
    """The tile that the joker stands for after the turn."""
    over: bool = False
    """Whether it moved in its run because the tile it stood for was added, if wilds can move."""

    @property
    def retrieved(self) -> bool:
        """Whether it stands for another tile than before and didn’t just move in its run."""
        return self.stood is not self.stands and not self.over

    @property
    def makes_way(self) -> bool:
        """Whether it has a new place in a run to which the tile it stood for was added."""
        kinds = {self.left.reading.kind, self.went.reading.kind}
        if kinds != {MeldKind.RUN} or self.stood is self.stands:
            return False
        return Counter(self.left.cards) <= Counter(self.went.cards) and (
            self.stood in self.went.cards
        )


class Demand(NamedTuple):
    """What a game asks of a replacement, in addition to keeping the set legal."""

    exact: bool = False
    """Whether only the tile that the joker stood for can replace it."""
    both_colours: bool = False
    """Whether a joker in a group with 2 tiles needs two replacements, one of each missing color."""
    from_rack: bool = False
    """Whether the tile that replaces a joker needs to be played from the rack this turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Newcomer:
    """A tile that could have replaced a joker."""

    tile: Card
    """The tile, or what a joker stands for after the turn."""
    source: int | None
    """The index of the old set that it comes from; None for the rack."""
    joker: JokerMove | None = None
    """The move of the joker, if the tile is a joker from the old table; else None."""
    wild: bool = False
    """Whether it is a joker."""


class TooMuchWorkError(Exception):
    """There are too many ways to explain a turn to try them all."""


class SetTest:
    """A test of whether tiles without a joker are a legal set, with its results remembered."""

    def __init__(self, rules: MeldRules) -> None:
        self.rules = rules
        self._known: dict[Cards, bool] = {}
        self._fitting: dict[Cards, Cards] = {}
        self.left = MOST_WORK
        """How much more can be tried."""

    def count(self, work: int = 1) -> None:
        """Take `work` from the units of work left; raise TooMuchWorkError once they are used up."""
        self.left -= work
        if self.left < 0:
            raise TooMuchWorkError

    def __call__(self, tiles: Cards) -> bool:
        """Return whether these tiles are a legal set."""
        if tiles not in self._known:
            self._known[tiles] = bool(legal_readings(tiles, self.rules))
        return self._known[tiles]

    def fitting(self, rest: Cards) -> Cards:
        """Return the tiles that each make a legal set with all tiles in `rest`, which has some."""
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
        """Return the tiles that a group lacks: those of its number in the missing colors."""
        there = {tile.suit for tile in tiles}
        one, *_ = tiles
        return tuple(Card(one.rank, suit) for suit in self.rules.pack.suits if suit not in there)


class Replacements:
    """The tiles that could have replaced the jokers retrieved in one explanation of a turn.

    `retrieved` has the moves of these jokers; methods name a joker by its index there.
    """

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
        """Return the replacements of as many retrieved jokers as possible.

        The keys are indexes in `retrieved`; a joker without a replacement has none.
        """
        best: dict[int, tuple[Newcomer, ...]] = {}
        everyone = range(len(self.retrieved))
        # The order matters: the replacement of one joker is already in its set when the next one is
        # looked at, and a joker can only move once it has been replaced itself.
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
        """Yield ways to replace jokers in this order, also with some of them left out."""
        if not order:
            yield done
            return
        first, *others = order
        self.is_set.count()
        for chosen in self._choices(first, done, demand):
            yield from self._one_after_the_other(tuple(others), {**done, first: chosen}, demand)
        yield from self._one_after_the_other(tuple(others), done, demand)

    def _choices(
        self, index: int, done: Mapping[int, tuple[Newcomer, ...]], demand: Demand
    ) -> Iterator[tuple[Newcomer, ...]]:
        """Yield what can replace a joker after those in `done`, the most likely first."""
        move, rest = self.retrieved[index], self.rest(index, done)
        # Compare by identity, because each of two equal tiles can replace a joker.
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
        """Return whether a tile can be moved: always, unless it is a joker not yet replaced."""
        return one.joker is None or all(
            index in done for index, move in enumerate(self.retrieved) if move is one.joker
        )

    def rest(self, index: int, done: Mapping[int, tuple[Newcomer, ...]]) -> Cards:
        """Return the old set of a retrieved joker without this joker.

        Any other joker in it is given as the tile it stood for, or as its replacement in `done`.
        """
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
        """Return the tiles that could replace a joker, even if they aren’t on the table."""
        return self.is_set.fitting(self.rest(index, {}))

    def very_tiles(self, index: int) -> Cards:
        """Return the tiles that a joker can have stood for in its old set."""
        move = self.retrieved[index]
        if move.left.reading.kind is MeldKind.SET:
            return self.is_set.colours_lacking(self.rest(index, {}))
        return (move.stood,)

    def _likelihood(self, one: Newcomer, move: JokerMove) -> tuple[object, ...]:
        """Return a sort key: tiles that are now with most of the old set, naturals, exact tiles."""
        near = -self.beside(one, move)
        return (
            near,
            one.wild,
            one.tile is not move.stood,
            one.source is not None,
            str(one.tile),
        )

    def _where(self, one: Newcomer) -> int:
        """Return the position of a tile on the new table."""
        return [tile for seen in self.new for tile in seen.cards].index(one.tile)

    def beside(self, one: Newcomer, move: JokerMove) -> int:
        """Return how many tiles of a joker’s old set are in one set with this tile afterwards."""
        there = {tile for tile in move.left.cards if tile is not JOKER}
        lying = [seen.jokers if one.wild else seen.cards for seen in self.new]
        return max(
            len(there.intersection(seen.cards))
            for seen, tiles in zip(self.new, lying, strict=True)
            if one.tile in tiles
        )
