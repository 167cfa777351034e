"""The best of every turn at a table of tiles, tried one by one."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from referee.advice.advised import Advice
from referee.advice.tables import best_turn
from referee.cards import JOKER, Card, Cards
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.plays import Rearrange
from referee.variant import Variant
from tests.referee.tiles import RUMMIKUB

LOOSE = {"joker-retrieval": "free", "joker-reuse": "anywhere"}


STRICTER: tuple[dict[str, object], ...] = (
    {"joker-retrieval": "locked"},
    {"joker-replacement": "exact"},
    {"joker-replacement-from": "rack"},
    {"joker-group-of-three": "both"},
    {"joker-reuse": "anywhere"},
    {"jokers-per-set": 1},
    {"one": "high-too"},
    {"one": "wrap"},
    {"joker-replacement": "exact", "joker-replacement-from": "rack", "joker-reuse": "anywhere"},
    LOOSE | {"jokers-per-set": 1, "one": "wrap"},
    LOOSE | {"jokers-per-set": 1, "one": "high-too"},
)


OPENINGS: tuple[dict[str, object], ...] = (
    {"opening-points": 10},
    {"opening-joker": "zero", "opening-points": 12},
    {"opening-then-table": True, "opening-points": 15},
    {"opening-then-table": True, "opening-points": 0},
)


KNOWN: dict[object, set[Cards]] = {}


Position = tuple[tuple[Cards, ...], Cards]


def deal(chance: random.Random, largest: int, held: int, jokers: float = 0.6) -> Position:
    """Deal a table of so many tiles at most and a rack, both of near numbers."""
    low = chance.randint(1, 8)
    pack = [card for card in RUMMIKUB.pack.cards if low <= card.rank <= low + 5 or card.rank == 1]
    if low >= 7:
        pack = [card for card in RUMMIKUB.pack.cards if card.rank >= 9 or card.rank <= 2]
    left = Counter(pack * 2)
    left[JOKER] = 2
    table: list[Cards] = []
    size = 0
    for _ in range(30):
        meld = list(_meld(chance, pack))
        if chance.random() < jokers and left[JOKER]:
            meld[chance.randrange(len(meld))] = JOKER
        if size + len(meld) <= largest and not Counter(meld) - left:
            left -= Counter(meld)
            size += len(meld)
            table.append(tuple(meld))
    if chance.random() < 0.5:
        left[JOKER] = 0
    rack = chance.sample(sorted(left.elements(), key=str), held)
    return tuple(table), tuple(rack)


def _meld(chance: random.Random, pack: list[Card]) -> Cards:
    tile = chance.choice(pack)
    if chance.random() < 0.5:
        colours = chance.sample(RUMMIKUB.pack.suits, chance.choice((3, 3, 4)))
        return tuple(Card(tile.rank, colour) for colour in colours)
    ranks = range(tile.rank, tile.rank + chance.choice((3, 3, 4, 5)))
    run = tuple(Card(rank, tile.suit) for rank in ranks if rank <= 13)
    return run if len(run) >= 3 else _meld(chance, pack)


def arrangements(cards: Cards, rules: MeldRules) -> Iterator[tuple[Cards, ...]]:
    """Give every way to lay all of these tiles in sets."""
    melds = {
        tuple(sorted(some, key=str))
        for part in _alike(cards)
        for size in range(3, len(part) + 1)
        for some in combinations(part, size)
    }
    orders = {some: _orders(some, rules) for some in melds}

    def lay(left: Counter[Card], laid: tuple[Cards, ...]) -> Iterator[tuple[Cards, ...]]:
        if not left:
            yield laid
            return
        first = min(left, key=str)
        for meld, laid_so in orders.items():
            if laid_so and first in meld and not Counter(meld) - left:
                for order in laid_so:
                    yield from lay(left - Counter(meld), (*laid, order))

    yield from lay(Counter(cards), ())


def _orders(some: Cards, rules: MeldRules) -> set[Cards]:
    """Give every order in which tiles are a set; looked up, for they come up again and again."""
    key = some, rules.runs.wrap, rules.runs.high, rules.wilds.max_in_meld
    if key not in KNOWN:
        KNOWN[key] = {one.arranged.cards for one in legal_readings(some, rules, as_laid=False)}
    return KNOWN[key]


def _alike(cards: Cards) -> Iterator[Cards]:
    """Give the tiles of each number and of each color, with the jokers."""
    wild = tuple(card for card in cards if card is JOKER)
    for rank in {card.rank for card in cards} - {0}:
        yield tuple(card for card in cards if card.rank == rank) + wild
    for suit in {card.suit for card in cards} - {None}:
        yield tuple(card for card in cards if card.suit is suit) + wild


def most(variant: Variant, position: Position, *, opened: bool, by_value: bool) -> tuple[int, int]:
    """Try everything; give tiles and value, or value and tiles where that is the aim."""
    table, rack = position
    before = tuple(card for meld in table for card in meld)
    rules = variant.melds_at(None)
    plays = {
        tuple(sorted(some, key=str))
        for size in range(1, len(rack) + 1)
        for some in combinations(rack, size)
    }
    for worth, some in sorted(
        ((measure(some, by_value=by_value), some) for some in plays),
        key=lambda one: one[0],
        reverse=True,
    ):
        for after in arrangements(before + some, rules):
            play = Rearrange(before=table, after=after, opened=opened)
            if rule_on(play, variant).is_legal:
                return worth
    return 0, 0


def measure(played: Cards, *, by_value: bool) -> tuple[int, int]:
    """Measure what was played by an aim."""
    value = RUMMIKUB.values.count(played, RUMMIKUB.wilds.cards)
    return (value, len(played)) if by_value else (len(played), value)


def check_legal(
    variant: Variant, position: Position, advice: Advice, *, opened: bool = True
) -> Cards:
    """See that what was advised is legal, and give what it plays."""
    table, rack = position
    if advice.turn is None:
        assert not advice.possible
        assert Counter(advice.kept) == Counter(rack)
        return ()
    play = Rearrange(before=table, after=advice.turn.after, rack=rack, opened=opened)
    ruling = rule_on(play, variant)
    assert ruling.is_legal, ruling.broken
    assert Counter(ruling.played) == Counter(advice.turn.played)
    assert Counter(advice.kept) + Counter(advice.turn.played) == Counter(rack)
    return advice.turn.played


def check_exact(variant: Variant, position: Position, *, opened: bool, by_value: bool) -> bool:
    """Hold advice against everything that can be tried; give whether it said it was decided."""
    table, rack = position
    advice = best_turn(variant, table, rack, opened=opened, by_value=by_value)
    played = check_legal(variant, position, advice, opened=opened)
    best = most(variant, position, opened=opened, by_value=by_value)
    here = measure(played, by_value=by_value)
    assert here == best or (not advice.decided and here < best), (position, advice, best)
    return advice.decided
