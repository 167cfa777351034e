"""A turn at the table, rule by rule, and what must hold of every turn."""

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import JOKER, TILE_COLOURS, Card
from referee.judging import rule_on
from referee.plays import Rearrange
from referee.rulings import Code
from referee.turns.opening import opening_within
from tests.examples import examples
from tests.referee.plays import clauses
from tests.referee.tiles import RUMMIKUB, codes, tiles, turn

# The table is rearranged.


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        (["R5 B5 K5"], ["R5 B5 K5", "B4 B6 B7 B5"], "B4 B5 B6 B7"),
        (["R5 B5 K5 O5"], ["R5 K5 O5", "B4 B5 B6 B7"], "B4 B6 B7"),
        (["R3 B3 K3"], ["B3 K3 O3", "R3 R4 R5"], "O3 R4 R5"),
        (["R3 R4 R5 R6 R7"], ["R3 R4 R5", "R5 R6 R7"], "R5"),
        (["R1 B1 K1 O1", "B2 B3 B4"], ["R1 K1 O1", "B1 B2 B3 B4 B5"], "B5 K9"),
        (
            ["R5 B5 K5 O5", "K6 K7 K8 K9", "B6 R6 O6"],
            ["R5 B5 O5", "K4 K5 K6", "K7 K8 K9", "B6 R6 O6"],
            "K4",
        ),
    ],
)
def test_sets_are_added_to_split_and_made_again(before, after, rack):
    assert turn(before, after, rack).is_legal


def test_what_was_played_is_what_there_is_more():
    ruling = turn(["R5 B5 K5 O5"], ["R5 K5 O5", "B4 B5 B6 B7"], "B4 B6 B7 R1")

    assert Counter(ruling.played) == Counter(tiles("B4 B6 B7"))
    assert ruling.points == 17


def test_a_joker_from_the_rack_counts_what_it_would_have_cost():
    assert turn(["R5 B5 K5"], ["R5 B5 K5 JK"], "JK").points == 30


def test_no_tile_is_left_loose():
    ruling = turn(["B1 B2 B3 B4"], ["B2 B3 B4 B5", "B1"], "B5")

    assert ruling.broken == {Code.NO_MELD_THERE, Code.TOO_FEW_CARDS}


def test_a_tile_of_the_table_is_not_taken_up():
    ruling = turn(["R5 B5 K5 O5"], ["R5 K5 O5"], "B4")

    assert ruling.broken == {Code.TABLE_TILE_TAKEN, Code.NOTHING_PLAYED}


def test_at_least_one_tile_comes_from_the_rack():
    ruling = turn(["R1 B1 K1 O1", "B2 B3 B4"], ["R1 K1 O1", "B1 B2 B3 B4"], "B5")

    assert ruling.broken == {Code.NOTHING_PLAYED}


def test_what_is_played_was_on_the_rack():
    assert turn(["R5 B5 K5"], ["R5 B5 K5 O5"], "O6").broken == {Code.NOT_FROM_HAND}


def test_the_rack_need_not_be_told():
    assert turn(["R5 B5 K5"], ["R5 B5 K5 O5"]).is_legal


def test_a_player_who_has_drawn_plays_nothing():
    assert turn(["R5 B5 K5"], ["R5 B5 K5 O5"], "O5", drew=True).broken == {Code.DREW_THIS_TURN}


def test_a_turn_without_a_play_is_right_where_a_tile_was_drawn():
    assert turn(["R5 B5 K5"], ["K5 R5 B5"], "O5", drew=True).is_legal
    assert turn([], [], drew=True, opened=False).is_legal
    assert turn(["R5 B5 K5"], ["R5 B5 K5"], "O5").broken == {Code.NOTHING_PLAYED}


def test_a_player_who_draws_leaves_the_table_as_it_is():
    before, after = ["R3 R4 R5 R6 R7 R8"], ["R3 R4 R5", "R6 R7 R8"]

    assert turn(before, after, drew=True).broken == {Code.NOTHING_PLAYED}


def test_a_table_that_was_wrong_before_the_turn_is_told():
    assert Code.NO_MELD_THERE in turn(["R5 B5"], ["R5 B5 K5"], "K5").broken


def test_a_joker_out_of_place_is_refused_with_the_order_that_would_do():
    ruling = turn([], ["R12 R13 JK"], "R12 R13 JK")

    assert Code.WILD_OUT_OF_PLACE in ruling.broken
    assert ruling.hint == ("JK R12 R13",)


# The turn of opening.


def test_the_opening_leaves_the_table_as_it_is():
    assert turn(["K5 K6 K7"], ["K5 K6 K7", "O9 O10 O11"], "O9 O10 O11", opened=False).is_legal


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        (["K5 K6 K7"], ["K5 K6 K7 K8", "R10 B10 O10"], "R10 B10 O10 K8"),
        (["R11 B11 K11 O11"], ["R11 B11 K11", "O11 O12 O13", "R10 B10 K10"], "O12 O13 R10 B10 K10"),
    ],
)
def test_nothing_on_the_table_is_touched_in_the_turn_of_opening(before, after, rack):
    ruling = turn(before, after, rack, opened=False)

    assert ruling.broken == {Code.TABLE_BEFORE_OPENING}
    assert ruling.points == 30


def test_the_opening_is_worth_thirty():
    ruling = turn([], ["R1 B1 K1"], "R1 B1 K1", opened=False)

    assert ruling.broken == {Code.OPENING_TOO_LOW}
    assert ruling.points == 3


def test_a_joker_that_makes_the_opening_too_low_is_hinted_to_the_other_end():
    assert turn([], ["JK R9 R10"], "JK R9 R10", opened=False).hint == ("R9 R10 JK",)


def test_tiles_of_the_table_do_not_count_in_the_opening():
    ruling = turn(["R11 B11 K11 O11"], ["R11 B11 K11", "O11 O12 O13"], "O12 O13", opened=False)

    assert ruling.broken == {Code.TABLE_BEFORE_OPENING, Code.OPENING_TOO_LOW}
    assert ruling.points == 0


@pytest.mark.parametrize(
    ("before", "after", "rack", "is_legal"),
    [
        (["B3 B4 B5"], ["B3 B4 B5 B6", "R12 O12 K12"], "R12 O12 K12 B6", True),
        (["B3 B4 B5"], ["B3 B4 B5 B6", "R2 O2 K2"], "R2 O2 K2 B6", False),
        # Opened with three 13s, and the fourth from the table added to them.
        (["B10 B11 B12 B13"], ["B10 B11 B12", "R13 K13 O13 B13"], "R13 K13 O13", True),
        # Opened with three 12s, which were then taken apart.
        (
            ["R9 R10 R11", "O9 O10 O11", "K9 K10 K11"],
            ["R9 R10 R11 R12", "O9 O10 O11 O12", "K9 K10 K11 K12"],
            "R12 O12 K12",
            True,
        ),
        (
            ["R9 R10 R11", "O9 O10 O11"],
            ["R9 R10 R11 R12", "O9 O10 O11 O12"],
            "R12 O12",
            False,
        ),
    ],
)
def test_a_house_rule_opens_the_table_once_the_points_are_there(before, after, rack, is_legal):
    ruling = turn(before, after, rack, opened=False, opening_then_table=True)

    assert ruling.is_legal is is_legal
    assert ("table-after-opening" in codes(ruling)) is is_legal


def test_what_an_opening_comes_to_does_not_hang_on_the_order_of_the_tiles():
    chance = Random(30)
    for _ in range(examples(150)):
        low = chance.randint(1, 8)
        near = [tile for tile in RUMMIKUB.pack.cards * 2 if low <= tile.rank < low + 5]
        found = {
            opening_within(
                tuple(chance.sample(some, len(some))),
                RUMMIKUB.opening,
                RUMMIKUB.worth,
                RUMMIKUB.melds_at(None),
            )
            for some in [chance.sample(near, 12)]
            for _ in range(4)
        }
        assert len(found) == 1


@pytest.mark.parametrize(
    ("tiles", "points"),
    [("R10 JK JK", 33), ("R10 B10 JK", 30), ("R8 JK JK", 27), ("R10 JK", 0), ("JK JK", 0)],
)
def test_one_tile_and_two_jokers_may_open(tiles, points):
    found = opening_within(
        RUMMIKUB.pack.parse(tiles), RUMMIKUB.opening, RUMMIKUB.worth, RUMMIKUB.melds_at(None)
    )

    assert found == points


# What holds of every turn: tables of small numbers, taken apart and put together at random.

GROUPS = [
    tuple(Card(number, colour) for colour in colours)
    for number in range(1, 7)
    for colours in combinations(TILE_COLOURS, 3)
]
RUNS = [
    tuple(Card(number, colour) for number in range(low, low + size))
    for colour in TILE_COLOURS
    for size in (3, 4)
    for low in range(1, 8 - size)
]


def laid_from(pool, random):
    """Sets made of tiles at random, as many as there is room for, and what is left over."""
    melds = []
    for meld in random.sample(GROUPS + RUNS, len(GROUPS + RUNS)):
        lacking = Counter(meld) - pool
        if lacking.total() <= min(pool[JOKER], len(meld) - 1):
            jokers = set(lacking)
            if not jokers and pool[JOKER] and random.random() < 0.3:
                jokers = {random.choice(meld)}
            melds.append(tuple(JOKER if tile in jokers else tile for tile in meld))
            pool -= Counter(melds[-1])
    return tuple(melds), pool


def turns(seed, number):
    """Turns from one table of legal sets to another; what is left over was played."""
    random = Random(seed)
    while number:
        pool = Counter(tile for _ in range(3) for tile in random.choice(GROUPS + RUNS))
        pool[JOKER] = random.choice([0, 1, 1, 2])
        if max(pool.values()) <= 2:
            after, _ = laid_from(pool, random)
            before, _ = laid_from(Counter(tile for meld in after for tile in meld), random)
            if before and after:
                number -= 1
                yield Rearrange(before=before, after=after)


NUMBER = examples(400)


@cache
def every_turn():
    return list(turns("a table of tiles", NUMBER))


FROM_LAX_TO_STRICT = [
    ({"joker-retrieval": "free"}, {}),
    ({}, {"joker-retrieval": "locked"}),
    ({}, {"joker-replacement": "exact"}),
    ({}, {"joker-replacement-from": "rack"}),
    ({}, {"joker-group-of-three": "both"}),
    ({"joker-reuse": "anywhere"}, {}),
    ({}, {"jokers-per-set": 1}),
]


def test_turns_of_both_verdicts_are_tried():
    verdicts = Counter(rule_on(play, RUMMIKUB).is_legal for play in every_turn())

    assert min(verdicts[True], verdicts[False]) > examples(30)


def test_a_verdict_and_its_reasons_never_disagree():
    for play in every_turn():
        ruling = rule_on(play, RUMMIKUB)
        against = [finding.against for finding in ruling.findings]
        assert ruling.findings
        assert ruling.is_legal is not any(against)
        assert all(clauses(ruling, RUMMIKUB))
        assert all(found.says for found in ruling.findings)


@pytest.mark.parametrize(("lax", "strict"), FROM_LAX_TO_STRICT)
def test_what_a_strict_table_allows_a_lax_one_allows_too(lax, strict):
    lax, strict = RUMMIKUB.with_options(lax), RUMMIKUB.with_options(strict)

    for play in every_turn():
        assert rule_on(play, lax).is_legal or not rule_on(play, strict).is_legal


@given(st.integers(0, NUMBER - 1), st.sampled_from([*GROUPS, *RUNS]))
@settings(max_examples=examples(150), deadline=None)
def test_a_set_that_nobody_touches_changes_no_verdict(at, meld):
    play = every_turn()[at]
    besides = Rearrange(before=(meld, *play.before), after=(*play.after, meld))

    assert rule_on(besides, RUMMIKUB).broken == rule_on(play, RUMMIKUB).broken


@given(st.integers(0, NUMBER - 1), st.permutations(TILE_COLOURS), st.randoms())
@settings(max_examples=examples(150), deadline=None)
def test_colours_are_alike_and_the_order_of_sets_says_nothing(at, colours, random):
    other = dict(zip(TILE_COLOURS, colours, strict=True))

    def painted(melds):
        melds = [
            tuple(tile if tile is JOKER else Card(tile.rank, other[tile.suit]) for tile in meld)
            for meld in melds
        ]
        random.shuffle(melds)
        return tuple(melds)

    play = every_turn()[at]
    same = Rearrange(before=painted(play.before), after=painted(play.after))

    assert rule_on(same, RUMMIKUB).broken == rule_on(play, RUMMIKUB).broken


@given(st.integers(0, NUMBER - 1))
@settings(max_examples=examples(100), deadline=None)
def test_a_run_may_be_written_from_either_end(at):
    play = every_turn()[at]
    turned = Rearrange(
        before=tuple(meld[::-1] for meld in play.before),
        after=tuple(meld[::-1] for meld in play.after),
    )

    assert rule_on(turned, RUMMIKUB).broken == rule_on(play, RUMMIKUB).broken


def test_a_set_of_the_table_that_is_written_in_a_wrong_order_is_all_that_is_wrong():
    assert turn(["R4 R5 JK"], ["R4 JK R5"], drew=True).broken == {
        Code.NO_MELD_THERE,
        Code.WILD_OUT_OF_PLACE,
    }
