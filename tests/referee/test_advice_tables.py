"""The best turn at a table of tiles: exact on small tables, legal on all of them."""

import gc
import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from referee.advice.advised import Advice
from referee.advice.tables import best_turn
from referee.cards import JOKER, Card, Cards
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.plays import Rearrange
from referee.variant import Variant
from tests.examples import examples
from tests.positions import lay
from tests.referee.tiles import RUMMIKUB, sets, tiles
from tests.yardstick import milliseconds

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
    """Deal a table of so many tiles at the most and a rack, both of near numbers."""
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
    """Give the tiles of each number and of each colour, with the jokers."""
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
    assert ruling.is_legal, [finding.says for finding in ruling.findings]
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(20)))
def test_no_turn_is_better_in_any_of_two_thousand_positions(seed):
    """Under all house rules in turn, opened and not, for most tiles and for most value."""
    chance = random.Random(f"two thousand/{seed}")
    variants = [RUMMIKUB.with_options(options) for options in ({}, LOOSE, *STRICTER, *OPENINGS)]
    decided = 0
    for turn in range(100):
        variant = variants[turn % len(variants)]
        opened = turn % len(variants) < len(variants) - len(OPENINGS)
        position = deal(chance, 6, 3, 0.8) if opened else deal(chance, 3, 5, 0.3)
        decided += check_exact(variant, position, opened=opened, by_value=chance.random() < 0.5)

    assert decided >= 95


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(30)))
def test_no_turn_is_better_where_jokers_lie_loose(seed):
    chance = random.Random(seed)
    variant = RUMMIKUB.with_options(LOOSE)
    for turn in range(10):
        position = deal(chance, 9, 4)
        assert check_exact(variant, position, opened=True, by_value=turn % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(30)))
def test_no_turn_is_better_as_the_game_is_played(seed):
    chance = random.Random(1000 + seed)
    decided = [
        check_exact(RUMMIKUB, deal(chance, 9, 4, 0.9), opened=True, by_value=turn % 2 == 0)
        for turn in range(5)
    ]

    assert sum(decided) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("options", STRICTER, ids=str)
def test_no_turn_is_better_under_house_rules(options):
    chance = random.Random(str(options))
    variant = RUMMIKUB.with_options(options)
    decided = [
        check_exact(variant, deal(chance, 9, 4, 0.9), opened=True, by_value=turn % 2 == 0)
        for turn in range(12)
    ]

    assert sum(decided) >= 10


def beside_a_long_run(chance: random.Random) -> Position:
    """Lay a run that may go on in two, sets with jokers that its tiles replace, and a near rack."""
    low, size, suit = (
        chance.randint(1, 7),
        chance.choice((5, 6)),
        chance.choice(RUMMIKUB.pack.suits),
    )
    run = tuple(Card(rank, suit) for rank in range(low, low + size))
    rank, high = chance.choice(run).rank, low + size
    start = min(rank, 11)
    second = [Card(one, suit) for one in range(start, start + 3)]
    if chance.random() < 0.5:
        second = [Card(rank, one) for one in chance.sample(RUMMIKUB.pack.suits, 4)]
        second = [tile for tile in second if tile.suit is not suit]
    third = [Card(high, one) for one in chance.sample(RUMMIKUB.pack.suits, 3)]
    for some in (second, third):
        some[chance.randrange(3)] = JOKER
    table = (run, tuple(second), tuple(third))[: chance.choice((2, 2, 3))]
    left = Counter(RUMMIKUB.pack.cards * 2) - Counter(card for meld in table for card in meld)
    near = [
        tile
        for tile in left.elements()
        if abs(tile.rank - rank) <= 3 and (tile.suit is suit or tile.rank in {rank, low, high})
    ]
    return table, tuple(chance.sample(sorted(near, key=str), 6 - len(table)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_no_turn_is_better_beside_a_long_run(seed):
    chance = random.Random(f"long/{seed}")
    for turn in range(3):
        position = beside_a_long_run(chance)
        assert check_exact(RUMMIKUB, position, opened=True, by_value=turn % 2 == 0)


@pytest.mark.parametrize(
    "options",
    [{}, *OPENINGS],
    ids=str,
)
def test_no_opening_is_better(options):
    chance = random.Random(str(options))
    variant = RUMMIKUB.with_options(options)
    decided = [
        check_exact(variant, deal(chance, 6, 6, 0.3), opened=False, by_value=turn % 2 == 0)
        for turn in range(examples(15))
    ]

    assert sum(decided) >= examples(12)


@pytest.mark.parametrize("most_tiles", [10, 20, 28])
def test_nothing_is_left_undecided_on_a_small_table_with_two_jokers(most_tiles):
    for laid in lay(most_tiles, 2, examples(25), seed=99):
        held = laid.held
        advice = best_turn(RUMMIKUB, held.table, held.hand, opened=True)
        assert advice.decided, laid
        check_legal(RUMMIKUB, (held.table, held.hand), advice)


def test_what_is_learned_where_jokers_lie_loose_decides_a_table_where_they_do_not():
    held = lay(60, 2, 212, seed=99)[-1].held

    assert best_turn(RUMMIKUB, held.table, held.hand, opened=True).decided


@pytest.mark.parametrize("options", [{}, LOOSE, *STRICTER], ids=str)
@pytest.mark.parametrize("opened", [True, False])
def test_whatever_is_advised_is_legal(options, opened):
    chance = random.Random(str(options))
    variant = RUMMIKUB.with_options(options)
    for turn in range(examples(4)):
        position = deal(chance, 30, 10)
        table, rack = position
        advice = best_turn(variant, table, rack, opened=opened, by_value=turn % 2 == 0)
        check_legal(variant, position, advice, opened=opened)


def test_sets_that_are_not_needed_are_left_alone():
    table = sets("R3 R4 R5 R6 R7", "B3 B4 B5", "K3 K4 K5", "O9 B9 R9", "O1 O2 O3")

    advice = best_turn(RUMMIKUB, table, tiles("R5 B13"), opened=True)

    assert advice.turn is not None
    assert advice.turn.played == tiles("R5")
    assert set(table[1:]) <= set(advice.turn.after)


def test_a_set_that_lies_in_no_order_is_laid_in_order():
    table = sets("B9 JK B11 B10", "R1 B1 K1")

    advice = best_turn(RUMMIKUB, table, tiles("O1"), opened=True)

    check_legal(RUMMIKUB, (table, tiles("O1")), advice)
    assert advice.possible


def test_nothing_is_advised_where_a_set_on_the_table_is_none():
    advice = best_turn(RUMMIKUB, sets("R1 B2 K3"), tiles("R4 R5 R6"), opened=True)

    assert not advice.possible


def timed(variant: Variant, position: Position, *, opened: bool) -> tuple[Advice, float]:
    """Ask for advice a second time; give what it is and how many seconds that took."""
    best_turn(variant, *position, opened=opened)
    # What the tests keep alive is not looked at every time that memory is swept, from here on.
    gc.freeze()
    started = time.process_time()
    advice = best_turn(variant, *position, opened=opened)
    return advice, time.process_time() - started


ODD: tuple[dict[str, object], ...] = (
    {},
    LOOSE,
    {"joker-retrieval": "locked"},
    {"joker-replacement": "exact", "joker-reuse": "anywhere"},
    {"one": "high-too"},
    LOOSE | {"one": "wrap"},
    LOOSE | {"jokers-per-set": 1},
)


@pytest.mark.timed
@pytest.mark.parametrize("options", ODD, ids=str)
@pytest.mark.parametrize("opened", [True, False])
def test_a_rack_of_half_the_pack_takes_no_longer_than_the_budget(options, opened):
    low = [card for card in RUMMIKUB.pack.cards if card.rank < 13]
    rack = (*low, *low[:10], JOKER, JOKER)
    table = tuple(tuple(Card(13, suit) for suit in RUMMIKUB.pack.suits) for _ in range(2))
    variant = RUMMIKUB.with_options(options)
    advice, seconds = timed(variant, (table, rack), opened=opened)

    assert seconds <= milliseconds(150)
    assert advice.possible or not advice.decided
    check_legal(variant, (table, rack), advice, opened=opened)


@pytest.mark.timed
@pytest.mark.parametrize("options", ODD, ids=str)
def test_two_sets_with_jokers_and_sixty_tiles_take_no_longer_than_the_budget(options):
    variant = RUMMIKUB.with_options(options)
    laid = lay(80, 2, 3, seed=7)[-1].held

    advice, seconds = timed(variant, (laid.table, laid.hand), opened=True)

    assert seconds <= milliseconds(150)
    check_legal(variant, (laid.table, laid.hand), advice)
