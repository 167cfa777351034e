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
from referee.turns.opening import opening_within
from tests.examples import examples
from tests.referee.plays import clauses
from tests.referee.tiles import RUMMIKUB

# The table is rearranged.


# The turn of opening.


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
        assert all(RUMMIKUB.say(found) for found in ruling.findings)


@pytest.mark.parametrize(("lax", "strict"), FROM_LAX_TO_STRICT)
def test_a_lax_table_allows_everything_that_a_strict_one_does(lax, strict):
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
def test_colors_are_alike_and_the_order_of_sets_says_nothing(at, colours, random):
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
