"""Rummikub, rule by rule; the jokers of a table have a module of their own."""

from itertools import chain, combinations, combinations_with_replacement

import pytest

from referee.cards import JOKER, TILE_COLOURS, Card
from referee.melds.grounds import legal_readings
from referee.plays import LayDown, LayOff
from referee.rulebook import Basis
from referee.rulings import Code, MeldKind
from tests.referee.plays import clauses
from tests.referee.tiles import RUMMIKUB, rule, sets, show, tiles


def test_a_one_never_follows_the_thirteen_and_that_is_our_reading():
    ruling = show("R12 R13 R1")

    assert ruling.broken == {Code.ACE_NOT_HIGH}
    assert clauses(ruling, RUMMIKUB)[0].basis is Basis.READING
    assert not ruling.hint


def test_nothing_joins_the_table_in_the_turn_of_opening():
    besides = (LayOff(tiles("B6"), tiles("B3 B4 B5")),)
    play = LayDown(melds=sets("R12 O12 K12"), layoffs=besides)

    assert rule(play).broken == {Code.NOT_THIS_TURN}
    assert rule(play, opening_then_table=True).is_legal
    assert rule(play, opening_then_table=True).points == 36


def test_racks_cost_what_is_on_the_tiles_and_a_joker_thirty():
    assert RUMMIKUB.values.count(tiles("JK K3 R13"), frozenset({JOKER})) == 46


# Groups: any three or four colors of a number, with jokers for some of them. Runs: eleven places
# to begin at for three tiles, ten for four; with a joker the naturals lie within as many places,
# and a tile with two jokers is of both kinds.
GROUPS = {3: 13 * (4 + 6 + 4), 4: 13 * (1 + 4 + 6)}
RUNS = {3: 4 * (11 + (12 + 11) + 13), 4: 4 * (10 + (11 + 10 * 2) + (12 + 11 + 10))}


@pytest.mark.parametrize(
    "size", [3, pytest.param(4, marks=[pytest.mark.slow, pytest.mark.release])]
)
def test_every_hand_of_a_few_tiles_is_counted(size):
    rules = RUMMIKUB.melds_at(None)
    kinds = [
        reading.kind
        for hand in combinations_with_replacement((*RUMMIKUB.pack.cards, JOKER), size)
        if max(map(hand.count, hand)) <= 2
        for reading in {r.kind: r for r in legal_readings(hand, rules, as_laid=False)}.values()
    ]

    assert kinds.count(MeldKind.SET) == GROUPS[size]
    assert kinds.count(MeldKind.RUN) == RUNS[size]


def enumerated(longest):
    """Every legal set as (naturals, jokers), made from what groups and runs are."""
    whole = [
        frozenset((number, colour) for colour in colours)
        for number in range(1, 14)
        for size in (3, 4)
        for colours in combinations(range(4), size)
    ]
    whole += [
        frozenset((number, colour) for number in range(low, low + size))
        for colour in range(4)
        for size in range(3, longest + 1)
        for low in range(1, 15 - size)
    ]
    return {
        (meld - frozenset(gone), jokers)
        for meld in whole
        for jokers in range(3)
        for gone in combinations(sorted(meld), jokers)
    }


def test_the_number_of_distinct_sets_is_what_other_engines_count():
    # 1173 is what the tests of an independent solver assert for sets of three to five tiles.
    assert len(enumerated(5)) == 1173
    assert len({meld for meld, jokers in enumerated(5) if not jokers}) == 185
    assert len(enumerated(13)) == 6301


def test_the_referee_reads_just_the_sets_there_are():
    rules = RUMMIKUB.melds_at(None)
    found = set()
    of_a_colour = (
        [(number, colour) for number in numbers]
        for colour in range(4)
        for size in range(1, 14)
        for numbers in combinations(range(1, 14), size)
        if numbers[-1] - numbers[0] < size + 2
    )
    of_a_number = (
        [(number, colour) for colour in colours]
        for number in range(1, 14)
        for size in range(2, 5)
        for colours in combinations(range(4), size)
    )
    for naturals in chain(of_a_colour, of_a_number):
        hand = tuple(Card(number, TILE_COLOURS[colour]) for number, colour in naturals)
        for jokers in range(3):
            if legal_readings((*hand, *[JOKER] * jokers), rules, as_laid=False):
                found.add((frozenset(naturals), jokers))

    assert found == enumerated(13)


def test_runs_with_wide_gaps_are_read_by_no_jokers():
    rules = RUMMIKUB.melds_at(None)
    for size in (2, 3):
        for numbers in combinations(range(1, 14), size):
            if numbers[-1] - numbers[0] >= size + 2:
                hand = (*(Card(number, TILE_COLOURS[0]) for number in numbers), JOKER, JOKER)
                assert not legal_readings(hand, rules, as_laid=False)
