"""Rummikub, rule by rule; the jokers of a table have a module of their own."""

from itertools import chain, combinations, combinations_with_replacement

import pytest

from referee.cards import JOKER, TILE_COLOURS, Card
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.plays import LayDown, LayOff, Moment, Swap, Taken
from referee.rulebook import Basis
from referee.rulings import Code, MeldKind
from tests.referee.plays import clauses
from tests.referee.tiles import RUMMIKUB, add, opens, rule, sets, show, tiles, turn


@pytest.mark.parametrize("cards", ["R7 B7 K7", "R7 B7 K7 O7", "O1 K1 B1"])
def test_a_group_is_three_or_four_tiles_of_one_number_in_different_colours(cards):
    assert show(cards).readings[0].kind is MeldKind.SET


def test_no_colour_stands_in_a_group_twice():
    assert show("R7 R7 B7").broken == {Code.SET_REPEATS_CARD}


def test_a_group_has_no_fifth_tile():
    assert Code.TOO_MANY_IN_MELD in show("R8 B8 K8 O8 JK").broken


@pytest.mark.parametrize("cards", ["B4 B5 B6", "O9 O8 O7", "K3 K1 K2"])
def test_a_run_is_three_or_more_of_one_colour_in_a_row(cards):
    assert show(cards).readings[0].kind is MeldKind.RUN


def test_a_run_is_of_one_colour():
    assert show("B4 R5 B6").broken == {Code.RUN_OF_TWO_SUITS}


def test_a_run_has_no_gap():
    assert show("B4 B5 B7").broken == {Code.RUN_GAP}


def test_two_tiles_are_no_set():
    assert Code.TOO_FEW_CARDS in show("O2 O3").broken


def test_all_thirteen_numbers_are_a_run():
    assert show(" ".join(f"R{number}" for number in range(1, 14))).is_legal


def test_a_one_never_follows_the_thirteen_and_that_is_our_reading():
    ruling = show("R12 R13 R1")

    assert ruling.broken == {Code.ACE_NOT_HIGH}
    assert clauses(ruling, RUMMIKUB)[0].basis is Basis.READING
    assert not ruling.hint


@pytest.mark.parametrize(
    ("one", "cards", "is_legal"),
    [
        ("high-too", "R12 R13 R1", True),
        ("high-too", "R1 R2 R3", True),
        ("high-too", "R13 R1 R2", False),
        ("wrap", "R13 R1 R2", True),
        ("wrap", "R12 JK R1 R2", True),
        ("wrap", "O12 O1 O2", False),
    ],
)
def test_a_house_rule_lets_the_one_follow_the_thirteen(one, cards, is_legal):
    assert show(cards, one=one).is_legal is is_legal


def test_a_joker_stands_for_the_tile_that_its_place_asks_for():
    (reading,) = show("B3 JK JK B6").readings

    assert {at: str(tile) for at, tile in reading.stands_for.items()} == {1: "B4", 2: "B5"}


def test_a_joker_of_a_group_stands_for_a_colour_that_is_missing():
    (reading,) = show("R8 JK K8 O8").readings

    assert reading.stands[1] is Card(8, TILE_COLOURS[1])


@pytest.mark.parametrize(
    ("cards", "hint"), [("R11 R12 R13 JK", "JK R11 R12 R13"), ("JK B1 B2", "B1 B2 JK")]
)
def test_a_joker_beyond_the_end_is_refused_with_the_order_that_would_do(cards, hint):
    ruling = show(cards)

    assert ruling.broken == {Code.WILD_OUT_OF_PLACE}
    assert ruling.hint == (hint,)


def test_both_jokers_may_stand_in_one_set():
    assert show("K11 JK JK").is_legal


@pytest.mark.parametrize("cards", ["K11 JK JK", "B3 JK JK B6"])
def test_a_house_rule_allows_one_joker_a_set(cards):
    assert Code.TOO_MANY_WILDS in show(cards, jokers_per_set=1).broken


@pytest.mark.parametrize(
    ("melds", "points"),
    [
        (["R10 B10 K10"], 30),
        (["R4 B4 K4", "O5 O6 O7"], 30),
        (["B5 B6 B7 B8"], 26),
        (["R9 R10 JK"], 30),
        (["JK R9 R10"], 27),
        (["R9 JK JK"], 30),
        (["R7 B7 K7 JK"], 28),
    ],
)
def test_thirty_points_open_with_jokers_at_what_they_stand_for(melds, points):
    ruling = opens(*melds)

    assert ruling.points == points
    assert ruling.is_legal is (points >= 30)
    assert (Code.OPENING_TOO_LOW in ruling.broken) is (points < 30)


def test_an_opening_that_is_worth_enough_in_another_order_is_told_it():
    assert opens("JK R9 R10").hint == ("R9 R10 JK",)


def test_an_opening_that_no_order_makes_worth_enough_has_no_hint():
    assert opens("JK R3 R4").hint == ()


def test_only_as_many_orders_are_hinted_as_are_needed():
    assert len(opens("JK R3 R4", "JK O6 O7").hint) == 1


def test_an_opening_with_something_that_is_no_set_is_refused_for_that():
    assert opens("R13 B13 K13", "O2 O3").broken == {Code.TOO_FEW_CARDS}


@pytest.mark.parametrize(("points", "is_legal"), [(0, True), (39, True), (40, False)])
def test_a_house_rule_asks_for_other_points_to_open(points, is_legal):
    ruling = opens("R13 B13 K13", opening_points=points)

    assert ruling.is_legal is is_legal
    assert "house-opening-points" in {
        clause.id for clause in clauses(ruling, RUMMIKUB, opening_points=points)
    }


@pytest.mark.parametrize(("melds", "points"), [(["O9 JK O11"], 20), (["R10 B10 K10 JK"], 30)])
def test_a_house_rule_counts_no_joker_in_the_opening(melds, points):
    assert opens(*melds, opening_joker="zero").points == points


def test_a_joker_that_counts_nothing_is_named_as_the_ground():
    ruling = opens("O9 JK O11", opening_joker="zero")
    (clause,) = clauses(ruling, RUMMIKUB, opening_joker="zero")

    assert ruling.broken == {Code.OPENING_TOO_LOW}
    assert clause.id == "house-opening-joker"
    assert "opening-joker" in {each.id for each in clauses(opens("O9 O10 JK"), RUMMIKUB)}


def test_a_one_above_the_thirteen_is_worth_one():
    assert opens("R12 R13 R1", one="high-too").points == 26


def test_a_player_who_has_opened_may_lay_any_set():
    assert rule(LayDown(melds=sets("R1 B1 K1"), down=True)).is_legal


@pytest.mark.parametrize(
    ("points", "hint"),
    [
        (33, ("B4 B5 B6 JK",)),
        (34, ("B4 B5 B6 JK",)),
        (35, ("B4 B5 B6 JK", "R4 R5 JK")),
        (37, ("B4 B5 B6 JK", "R4 R5 JK")),
        (38, ()),
    ],
)
def test_no_more_sets_are_turned_than_the_opening_needs_and_what_gains_most_first(points, hint):
    """As they lie they are worth 12 and 18; with the joker at the other end 15 and 22."""
    play = LayDown(melds=sets("JK R4 R5", "JK B4 B5 B6"))
    ruling = rule_on(play, RUMMIKUB.with_options({"opening-points": points}))

    assert ruling.broken == {Code.OPENING_TOO_LOW}
    assert ruling.hint == hint


def test_the_opening_comes_from_the_hand():
    play = LayDown(melds=sets("R10 B10 K10"), hand=tiles("R10 B10 O10 K1"))

    assert rule(play).broken == {Code.NOT_FROM_HAND}


def test_nothing_joins_the_table_in_the_turn_of_opening():
    besides = (LayOff(tiles("B6"), tiles("B3 B4 B5")),)
    play = LayDown(melds=sets("R12 O12 K12"), layoffs=besides)

    assert rule(play).broken == {Code.NOT_THIS_TURN}
    assert rule(play, opening_then_table=True).is_legal
    assert rule(play, opening_then_table=True).points == 36


def test_a_tile_joins_a_set_of_the_table_once_the_player_has_opened():
    assert add("K8", "K5 K6 K7").is_legal
    assert add("O7", "R7 B7 K7").is_legal
    assert add("JK", "R7 B7 K7").is_legal


def test_nobody_adds_to_the_table_before_the_opening():
    assert add("K8", "K5 K6 K7", down=False).broken == {Code.NOT_DOWN_YET}


def test_a_tile_that_does_not_fit_joins_nothing():
    assert add("K9", "K5 K6 K7").broken == {Code.DOES_NOT_FIT}
    assert not add("R7", "R7 B7 K7").is_legal


def test_jokers_are_not_swapped_but_rearranged():
    taken = Taken(tiles("R4")[0], JOKER, tiles("R3 JK R5"))

    assert rule(Swap(taken=taken, then=sets("B9 K9 JK"))).broken == {Code.NO_SUCH_PLAY}


def test_racks_cost_what_is_on_the_tiles_and_a_joker_thirty():
    assert RUMMIKUB.values.count(tiles("JK K3 R13"), frozenset({JOKER})) == 46


# Groups: any three or four colours of a number, with jokers for some of them. Runs: eleven places
# to begin at for three tiles, ten for four; with a joker the naturals lie within as many places,
# and a tile with two jokers is of both kinds.
GROUPS = {3: 13 * (4 + 6 + 4), 4: 13 * (1 + 4 + 6)}
RUNS = {3: 4 * (11 + (12 + 11) + 13), 4: 4 * (10 + (11 + 10 * 2) + (12 + 11 + 10))}


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.slow)])
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


def test_a_turn_is_ruled_on_without_a_round():
    assert turn(["R5 B5 K5"], ["R5 B5 K5 O5"], "O5").is_legal
    assert Moment().step is None


@pytest.mark.parametrize(
    ("needed", "hint"),
    [
        (23, ["K2 K3 K4 JK"]),
        (26, ["K2 K3 K4 JK"]),
        (27, ["K2 K3 K4 JK", "R4 R5 JK"]),
        (29, ["K2 K3 K4 JK", "R4 R5 JK"]),
        (30, []),
    ],
)
def test_of_the_orders_that_open_no_more_are_hinted_than_will_do_and_the_best_first(needed, hint):
    # As they lie 12 and 10; with the joker at the other end 3 and 4 more.
    ruling = opens("JK R4 R5", "JK K2 K3 K4", opening_points=needed)

    assert ruling.broken == {Code.OPENING_TOO_LOW}
    assert list(ruling.hint) == hint


def test_a_set_that_is_none_as_it_lies_makes_an_opening_too_low_only_where_no_order_would_open():
    melds = "R11 R12 R13 JK", "K1 K2 K3"

    assert opens(*melds, opening_points=52).broken == {Code.WILD_OUT_OF_PLACE}
    assert Code.OPENING_TOO_LOW in opens(*melds, opening_points=53).broken
