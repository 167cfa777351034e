"""The best turn at a table of tiles: exact on small tables, legal on all of them."""

import gc
import random
import time
from collections import Counter

import pytest

from referee.advice.advised import Advice
from referee.advice.tables import best_turn
from referee.advice.tables.trials import Trials
from referee.cards import JOKER, Card, Cards
from referee.judging import allows, rule_on
from referee.plays import Rearrange
from referee.variant import Variant
from tests.examples import examples, in_turn
from tests.positions import lay
from tests.referee.every_turn import (
    LOOSE,
    OPENINGS,
    STRICTER,
    Position,
    check_exact,
    check_legal,
    deal,
)
from tests.referee.tiles import RUMMIKUB, sets, tiles
from tests.yardstick import milliseconds


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


@pytest.mark.parametrize("options", in_turn([{}, LOOSE, *STRICTER], quick=0, each=6), ids=str)
def test_no_turn_is_better_on_a_larger_table(options):
    chance = random.Random(str(options))
    variant = RUMMIKUB.with_options(options)
    decided = [
        check_exact(variant, deal(chance, 9, 4, 0.9), opened=True, by_value=turn % 2 == 0)
        for turn in range(examples(120))
    ]

    assert sum(decided) >= examples(100)


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
@pytest.mark.parametrize("seed", range(examples(40)))
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


@pytest.mark.slow
def test_what_is_learned_where_jokers_lie_loose_decides_a_table_where_they_do_not():
    held = lay(60, 2, 212, seed=99)[-1].held

    assert best_turn(RUMMIKUB, held.table, held.hand, opened=True).decided


@pytest.mark.parametrize("options", in_turn([{}, LOOSE, *STRICTER], quick=0, each=4), ids=str)
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


@pytest.mark.parametrize("size", [40, 60, 80])
def test_advice_leaves_more_sets_alone_than_its_best_arrangement(size):
    """The arrangement is the best by a sweep that knows nothing of how the tiles lie."""
    free, left_alone = RUMMIKUB.with_options(LOOSE), 0
    for laid in lay(size, 1, 6, seed=3):
        table, rack = laid.held.table, laid.held.hand
        advice = best_turn(free, table, rack, opened=True)
        trials = Trials(free, rack, table, table, opened=True, by_value=False)
        found = trials.sweeper.best(trials.task(trials.pool(table)), trials.budget)
        check_legal(free, (table, rack), advice)
        if advice.turn is not None and found is not None:
            before = Counter(map(_tiles, table))
            alike = [
                (Counter(map(_tiles, after)) & before).total()
                for after in (advice.turn.after, found.sets)
            ]
            left_alone += alike[0] - alike[1]

    assert left_alone > 0


def _tiles(meld: Cards) -> Cards:
    return tuple(sorted(meld, key=str))


@pytest.mark.parametrize("options", [{}, LOOSE, *STRICTER, *OPENINGS], ids=str)
def test_whether_a_turn_is_allowed_is_as_it_is_ruled(options):
    """Turns that were advised, the same with a tile moved, and the same under other house rules."""
    chance = random.Random(str(options))
    variant = RUMMIKUB.with_options(options)
    seen = Counter()
    for turn in range(examples(24, least=6)):
        table, rack = deal(chance, 9, 5, 0.9)
        opened = turn % 3 > 0
        for asked in (variant, RUMMIKUB.with_options(LOOSE)):
            advice = best_turn(asked, table, rack, opened=opened)
            after = list(advice.turn.after if advice.turn else table)
            plays = [Rearrange(before=table, after=tuple(after), rack=rack, opened=opened)]
            if len(after) > 1:
                after[0], after[1] = after[0][1:], (*after[1], after[0][0])
                plays.append(Rearrange(before=table, after=tuple(after), rack=rack, opened=opened))
            for play in plays:
                legal = rule_on(play, variant).is_legal
                assert allows(play, variant) is legal
                seen[legal] += 1

    assert seen[True]
    assert seen[False]


def test_a_set_in_any_order_is_laid_in_order():
    table = sets("B9 JK B11 B10", "R1 B1 K1")

    advice = best_turn(RUMMIKUB, table, tiles("O1"), opened=True)

    check_legal(RUMMIKUB, (table, tiles("O1")), advice)
    assert advice.possible


def test_there_is_no_advice_if_a_set_on_the_table_is_not_legal():
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
@pytest.mark.parametrize("options", in_turn(ODD, quick=0, each=3), ids=str)
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
@pytest.mark.parametrize("options", in_turn(ODD, quick=0, each=3), ids=str)
def test_two_sets_with_jokers_and_sixty_tiles_take_no_longer_than_the_budget(options):
    variant = RUMMIKUB.with_options(options)
    laid = lay(80, 2, 3, seed=7)[-1].held

    advice, seconds = timed(variant, (laid.table, laid.hand), opened=True)

    assert seconds <= milliseconds(150)
    check_legal(variant, (laid.table, laid.hand), advice)
