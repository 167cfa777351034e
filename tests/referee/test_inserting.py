"""Putting tiles to a table as a person does; sets as numbers."""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest

from referee.advice.tables.inserting import insert
from referee.advice.tables.trials import Trials
from referee.cards import Card, Cards
from referee.judging import allows, rule_on
from referee.melds.grounds import legal_readings
from referee.plays import Rearrange
from tests.examples import examples
from tests.positions import lay
from tests.referee.every_turn import LOOSE, OPENINGS, STRICTER, deal
from tests.referee.tiles import RUMMIKUB, sets, tiles

pytestmark = pytest.mark.slow

FREE = RUMMIKUB.with_options(LOOSE)
RULES = RUMMIKUB.melds_at(None)


COLOURS = RULES.pack.suits
EVERY_SET = [
    *(
        tuple(Card(at, one) for one in some)
        for at in range(1, 14)
        for some in combinations(COLOURS, 3)
    ),
    *(tuple(Card(at, one) for one in COLOURS) for at in range(1, 14)),
    *(
        tuple(Card(at, one) for at in range(low, high))
        for one in COLOURS
        for low, high in combinations(range(1, 15), 2)
        if high - low >= 3
    ),
]


def put(table: list[str], loose: str) -> Counter[Cards]:
    """Put tiles to a table; nothing where that is not found."""
    return sorted_out(insert(sets(*table), tiles(loose), RULES) or ())


def sorted_out(table: Iterable[Cards]) -> Counter[Cards]:
    """Sets in no order, of tiles in no order."""
    return Counter(tuple(sorted(cards, key=str)) for cards in table)


def lies(*written: str) -> Counter[Cards]:
    """What is to lie there."""
    return sorted_out(sets(*written))


def test_a_tile_joins_a_set_with_room():
    assert put(["R1 R2 R3", "B5 K5 O5"], "R4") == lies("B5 K5 O5", "R1 R2 R3 R4")


def test_a_tile_splits_a_run():
    assert put(["R3 R4 R5 R6 R7"], "R5") == lies("R3 R4 R5", "R5 R6 R7")


def test_two_tiles_make_a_set_with_one_that_a_set_can_spare():
    after = put(["R5 B5 K5 O5", "K9 O9 B9"], "R4 R6")

    assert after == lies("K9 O9 B9", "B5 K5 O5", "R4 R5 R6")


def test_a_set_is_given_up_where_its_tiles_go_elsewhere():
    after = put(["R5 B5 K5", "B2 B3 B4", "K6 K7 K8"], "R4 R6")

    assert after == lies("R4 R5 R6", "B2 B3 B4 B5", "K5 K6 K7 K8")


def test_a_joker_goes_where_there_is_room():
    assert put(["K9 O9 B9", "R4 R5 R6"], "R7 JK") in (
        lies("K9 O9 B9 JK", "R4 R5 R6 R7"),
        lies("K9 O9 B9", "R4 R5 R6 R7 JK"),
    )


def test_a_set_with_a_joker_is_left_as_it_lies():
    assert put(["R3 JK R5", "K4 O4 B4"], "R4") == lies("R3 JK R5", "K4 O4 B4 R4")


def test_nothing_is_found_where_there_is_no_place():
    assert not put(["R1 R2 R3"], "B9")


def test_runs_past_the_13_are_left_as_they_lie():
    rules = RUMMIKUB.with_options({"one": "high-too"}).melds_at(None)
    table = sets("R12 R13 R1", "B1 K1 O1")

    after = insert(table, tiles("R1"), rules)

    assert after is not None
    assert sorted_out(after) == lies("R12 R13 R1", "R1 B1 K1 O1")


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("size", [20, 40, 60, 80])
def test_a_table_is_brought_to_its_target_with_the_same_tiles(size, jokers):
    """The target is the best arrangement by a sweep that knows nothing of how the tiles lie."""
    left_alone = 0
    for laid in lay(size, jokers, 20, seed=3):
        held = laid.held
        trials = Trials(FREE, held.hand, held.table, held.table, opened=True, by_value=False)
        found = trials.sweeper.best(trials.task(trials.pool(held.table)), trials.budget)
        if found is None:
            continue
        played = _tiles(found.sets) - _tiles(held.table)
        after = insert(held.table, played.elements(), RULES, found.sets)
        assert after is not None
        ruling = rule_on(Rearrange(before=held.table, after=after, rack=held.hand), FREE)
        assert ruling.is_legal
        assert Counter(ruling.played) == played
        alike = [sorted_out(sets) & sorted_out(held.table) for sets in (after, found.sets)]
        left_alone += alike[0].total() - alike[1].total()

    assert left_alone > 0


def _tiles(table: Iterable[Cards]) -> Counter[Card]:
    return Counter(card for cards in table for card in cards)


def test_what_is_inserted_is_legal():
    found = 0
    for laid in lay(80, 2, 20, seed=5):
        held = laid.held
        after = insert(held.table, held.hand, RULES)
        if after is not None:
            found += 1
            play = Rearrange(before=held.table, after=after, rack=held.hand)
            assert rule_on(play, FREE).is_legal

    assert found >= 10


def test_a_tile_that_joins_a_set_makes_sets_of_the_same_tiles():
    """Every set without jokers, and every tile."""
    pack = RULES.pack.cards
    joined = Counter()
    for some in EVERY_SET:
        for tile in pack:
            after = insert((some,), (tile,), RULES)
            if after is not None:
                assert all(legal_readings(cards, RULES) for cards in after)
                assert _tiles(after) == Counter((*some, tile))
                joined[len(after)] += 1

    # The fourth colour of 52 groups, an end of a run 440 times; a long run is split 660 times.
    assert joined == {1: 52 + 440, 2: 660}


@pytest.mark.parametrize("options", [{}, LOOSE, *STRICTER, *OPENINGS], ids=str)
def test_whether_a_turn_is_allowed_is_as_it_is_ruled(options):
    """Turns that were advised, the same with a tile moved, and the same under other house rules."""
    chance = random.Random(str(options))
    variant = RUMMIKUB.with_options(options)
    seen = Counter()
    for turn in range(examples(24, least=6)):
        table, rack = deal(chance, 9, 5, 0.9)
        opened = turn % 3 > 0
        for asked in (variant, FREE):
            plays = [_turn(asked, table, rack, opened=opened)]
            after = list(plays[0].after)
            if len(after) > 1:
                after[0], after[1] = after[0][1:], (*after[1], after[0][0])
                plays.append(Rearrange(before=table, after=tuple(after), rack=rack, opened=opened))
            for play in plays:
                legal = rule_on(play, variant).is_legal
                assert allows(play, variant) is legal
                seen[legal] += 1

    assert seen[True]
    assert seen[False]


def _turn(variant, table, rack, *, opened):
    from referee.advice.tables import best_turn

    advice = best_turn(variant, table, rack, opened=opened)
    after = advice.turn.after if advice.turn else table
    return Rearrange(before=table, after=after, rack=rack, opened=opened)
