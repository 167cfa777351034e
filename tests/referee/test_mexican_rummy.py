"""Mexican Rummy, rule by rule."""

import time

import pytest

from referee.cards import parse_cards
from referee.rulebook import Basis
from referee.rulings import Code
from tests.referee.plays import MEXICAN, clauses, lay_down, lay_off, rule, show, swap, taken
from tests.yardstick import milliseconds

KINGS, SPADES = "KS KH KD", "9S 10S 2S QS"
THEIR_RUN = "4D 5D 2S 7D"


def cited(ruling, **options):
    return {clause.id for clause in clauses(ruling, MEXICAN, **options)}


def test_a_set_is_three_of_a_rank():
    assert rule(show("3S 3H 3D")).is_legal


def test_two_cards_are_no_set():
    assert rule(show("7S 7H")).broken == {Code.TOO_FEW_CARDS}


def test_the_same_card_of_both_packs_may_stand_in_a_set_and_that_is_our_reading():
    ruling = rule(show("7C 7C 7D"))

    assert ruling.is_legal
    assert "same-card" in cited(ruling)


def test_a_house_rule_forbids_the_same_card_twice_and_is_named_as_its_ground():
    ruling = rule(show("7C 7C 7D"), duplicates_in_set=False)

    assert ruling.broken == {Code.SET_REPEATS_CARD}
    assert clauses(ruling, MEXICAN, duplicates_in_set=False)[0].basis is Basis.HOUSE


def test_all_that_is_wrong_with_a_meld_is_said():
    assert rule(show("5H 7D")).broken >= {Code.RUN_OF_TWO_SUITS, Code.TOO_FEW_CARDS}


@pytest.mark.parametrize("cards", ["AH 2H 3H 4H", "JD QD KD AD", "JH 10H 9H 8H", "6S 4S 7S 5S"])
def test_four_in_a_row_of_one_suit_are_a_run_in_either_direction(cards):
    assert rule(show(cards)).is_legal


def test_a_run_does_not_go_round_the_corner():
    ruling = rule(show("KH AH 2H 3H 4H"))

    assert ruling.broken == {Code.RUN_AROUND_THE_CORNER}
    assert not ruling.hint


def test_cards_in_no_order_are_in_none_round_the_corner_either():
    assert rule(show("3S 5S 4S 2S"), 2).is_legal
    assert rule(show("3S 5S 4S 2S"), 2, wrap=True).is_legal


def test_a_house_rule_lets_runs_go_round_the_corner():
    assert rule(show("QH KH AH 2H 3H"), wrap=True).is_legal


def test_an_ace_at_each_end_makes_fourteen():
    assert rule(show("AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD")).is_legal


def test_two_aces_stand_only_at_the_two_ends():
    assert not rule(show("AD AD 2D 3D 4D")).is_legal


def test_a_black_two_stands_for_the_card_its_place_asks_for():
    (reading,) = rule(show("QS 2S 10S 9S"), 2).readings

    assert {index: str(card) for index, card in reading.stands_for.items()} == {1: "JS"}


def test_a_black_two_above_the_ace_is_refused_with_the_order_that_would_do():
    ruling = rule(show("QD KD AD 2C"), 2)

    assert ruling.broken == {Code.WILD_OUT_OF_PLACE}
    assert ruling.hint == ("2C QD KD AD",)


def test_a_black_two_behind_a_gap_is_refused_although_it_could_fill_it():
    assert rule(show("4D 5D 7D 2S"), 2).hint == ("4D 5D 2S 7D",)


def test_naturals_in_no_order_are_arranged_by_the_referee():
    assert rule(show("7D 2S 4D 5D"), 2).is_legal


def test_a_black_two_is_wild_only_where_runs_are_asked_for():
    assert rule(show("4D 5D 2S 7D"), 2).is_legal
    assert not rule(show("4D 5D 2S 7D"), 4).is_legal


def test_a_black_two_is_never_wild_in_a_set():
    assert rule(show("9S 9H 2C"), 2).broken == {Code.WILD_IN_SET}


def test_a_black_two_in_its_own_place_is_a_natural_card():
    ruling = rule(show("AS 2S 3S 4S"), 3)

    assert ruling.readings[0].stands_for == {}
    assert Code.NATURAL_IN_PLACE in {finding.code for finding in ruling.findings}


def test_wilds_may_lie_side_by_side_unless_the_house_forbids_it():
    assert rule(show("6H 2S 2C 9H"), 2).is_legal
    assert rule(show("6H 2S 2C 9H"), 2, adjacent_wilds=False).broken == {Code.WILDS_ADJACENT}


def test_the_house_may_limit_the_wilds_of_a_run():
    assert rule(show("6H 2S 2C 9H"), 2, max_wilds=1).broken == {Code.TOO_MANY_WILDS}


def test_the_house_may_ask_for_naturals():
    assert rule(show("10H JH 2C KH"), 5, min_naturals=4).broken == {Code.TOO_FEW_NATURALS}


@pytest.mark.parametrize(
    ("step", "melds"),
    [
        (1, ("QS QH QC QD QD", "4D 4H 4S 4C")),
        (2, ("9S 10S JS QS", "KS KH KD")),
        (3, ("2S 6D 7D 8D", "JH QH KH 2C")),
        (4, ("3S 3H 3D", "8S 8H 8D", "KS KH KD")),
        (5, ("3S 3H 3D", "9H 10H JH QH", "KS KH KD")),
        (6, ("4C 4D 4H", "2H 3H 4H 5H", "9S 10S JS QS KS")),
    ],
)
def test_each_round_has_its_contract(step, melds):
    assert rule(lay_down(*melds), step).is_legal


def test_the_whole_contract_goes_down_or_nothing():
    assert rule(lay_down("3S 3H 3D"), 1).broken == {Code.CONTRACT_NOT_MET}


@pytest.mark.timed
def test_melds_without_cards_could_be_anything_and_are_looked_at_in_time():
    """A hundred of them could be sets and runs in more ways than can be gone through."""
    begun = time.process_time()
    ruling = rule(lay_down("8C 8D 8H", *[""] * 100), 2)

    assert time.process_time() - begun < milliseconds(50)
    assert ruling.broken == {Code.NO_CARDS, Code.TOO_MANY_MELDS}


@pytest.mark.parametrize(
    ("melds", "missing"),
    [
        (("9S 10S JD", ""), {Code.RUN_OF_TWO_SUITS, Code.TOO_FEW_CARDS, Code.NO_CARDS}),
        (("", "9S 10S JS QS"), {Code.NO_CARDS}),
        (("9S 10S JS QS", "9S 10S JD QS"), {Code.RUN_OF_TWO_SUITS, Code.CONTRACT_NOT_MET}),
        (("",), {Code.NO_CARDS, Code.CONTRACT_NOT_MET}),
    ],
)
def test_what_could_be_anything_is_what_the_contract_lacks(melds, missing):
    assert rule(lay_down(*melds), 2).broken == missing


def test_further_cards_only_make_the_melds_longer():
    melds = ("3S 3H 3D", "5S 5H 5D", "KS KH KD")

    assert rule(lay_down(*melds), 1).broken == {Code.TOO_MANY_MELDS}
    assert rule(lay_down(*melds), 1, extra_melds=True).is_legal


def test_two_sets_of_one_rank_are_our_reading_and_the_house_may_differ():
    play = lay_down("7S 7H 7D", "7C 7C 7S")

    assert "same-rank" in cited(rule(play, 1))
    assert rule(play, 1, same_rank_sets=False).broken == {Code.SETS_OF_ONE_RANK}


def test_a_run_of_eight_must_be_laid_as_two():
    assert rule(lay_down("3H 4H 5H 6H", "7H 8H 9H 10H"), 3).is_legal
    assert Code.CONTRACT_NOT_MET in rule(lay_down("3H 4H 5H 6H 7H 8H 9H 10H"), 3).broken


def test_one_contract_is_laid_down_in_a_round():
    play = lay_down("3S 3H 3D", "5S 5H 5D", down=True)

    assert rule(play, 1).broken == {Code.ALREADY_DOWN}
    assert rule(play, 1, extra_melds=True).is_legal


def test_a_meld_that_can_be_read_both_ways_serves_as_what_is_asked_for():
    play = lay_down("2S 2S 2C 2C", "5H 6H 7H 8H")

    assert rule(play, 2).is_legal
    assert rule(play, 3).is_legal


def test_no_discardo_leaves_nothing_over():
    melds = ("4C 4D 4H", "2H 3H 4H 5H", "9S 10S JS QS")

    assert rule(lay_down(*melds, kept=""), 6).is_legal
    assert rule(lay_down(*melds, kept="7D"), 6).broken == {Code.CARDS_LEFT_OVER}


def test_in_the_last_round_nobody_else_has_melds_on_the_table():
    melds = ("4C 4D 4H", "2H 3H 4H 5H", "9S 10S JS QS")
    theirs, ours = lay_off("KS", "9S 10S JS QS"), lay_off("KS", "9S 10S JS QS", own=True)

    assert rule(theirs, 6).broken == {Code.NOBODY_ELSE_DOWN}
    assert rule(theirs, 5).is_legal
    assert rule(lay_down(*melds, kept="", layoffs=(theirs,)), 6).broken == {Code.NOBODY_ELSE_DOWN}
    assert rule(lay_down(*melds, kept="", layoffs=(ours,)), 6).is_legal
    assert clauses(rule(theirs, 6), MEXICAN)[0].id == "nobody-else-down"


def test_what_a_hand_is_known_to_hold_beyond_the_melds_is_left_over_too():
    melds = ("4C 4D 4H", "2H 3H 4H 5H", "9S 10S JS QS")
    hand = tuple(card for cards in map(show, (*melds, "7D")) for card in cards.cards)

    assert rule(lay_down(*melds, hand=hand), 6).broken == {Code.CARDS_LEFT_OVER}
    assert rule(lay_down(*melds, hand=hand[1:-1]), 6).broken == {Code.NOT_FROM_HAND}


def test_what_is_kept_was_in_the_hand():
    hand = parse_cards("7C 7H 7D 9C 9H 9D KS")

    assert rule(lay_down("7C 7H 7D", "9C 9H 9D", kept="KS", hand=hand), 1).is_legal
    ruling = rule(lay_down("7C 7H 7D", "9C 9H 9D", kept="KS KH", hand=hand), 1)
    assert ruling.broken == {Code.NOT_FROM_HAND}


@pytest.mark.parametrize(
    ("cards", "onto"),
    [
        ("9C", "5C 6C 7C 8C"),
        ("10C", "9C 8C 7C 6C"),
        ("7H", "8H 2S 2C JH"),
        ("2S", "5C 6C 7C 8C"),
        ("QD QD", "QC QH QS"),
        ("AC", "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"),
    ],
)
def test_what_fits_may_be_laid_off(cards, onto):
    assert rule(lay_off(cards, onto), 5).is_legal


@pytest.mark.parametrize(
    ("cards", "onto", "code"),
    [
        ("10C", "5C 6C 7C 8C", Code.DOES_NOT_FIT),
        ("2S", "9S 9H 9D", Code.WILD_IN_SET),
        ("AD 2D", "10D JD QD KD", Code.DOES_NOT_FIT),
    ],
)
def test_what_does_not_fit_may_not(cards, onto, code):
    assert rule(lay_off(cards, onto), 5).broken == {code}


def test_nothing_joins_what_is_no_meld():
    assert rule(lay_off("5H", "5C 6C"), 5).broken == {Code.NO_MELD_THERE, Code.TOO_FEW_CARDS}


def test_the_own_contract_comes_first():
    assert rule(lay_off("9C", "5C 6C 7C 8C", down=False), 2).broken == {Code.NOT_DOWN_YET}


def test_cards_are_laid_off_in_the_own_turn():
    assert rule(lay_off("9C", "5C 6C 7C 8C", my_turn=False), 2).broken == {Code.NOT_MY_TURN}


def test_the_house_may_forbid_laying_off_in_the_turn_of_going_down():
    play = lay_off("9C", "5C 6C 7C 8C", same_turn=True)

    assert rule(play, 2).is_legal
    assert rule(play, 2, layoff_same_turn=False).broken == {Code.NOT_THIS_TURN}


def test_a_meld_grows_from_one_lay_off_to_the_next():
    first, second = lay_off("9C", "5C 6C 7C 8C"), lay_off("10C", "5C 6C 7C 8C")
    play = lay_down("8S 8H 8D", "3D 4D 5D 6D", layoffs=(first, second))

    assert rule(play, 2).is_legal


def test_each_of_two_equal_melds_can_grow():
    run = "5C 6C 7C 8C"
    one, other = lay_off("9C", run), lay_off("9C", run)
    more = lay_off("10C", run)
    play = lay_down("8S 8H 8D", "3D 4D 5D 6D", layoffs=(one, more, other))

    assert rule(play, 2).is_legal


def test_there_are_no_two_melds_alike_where_the_packs_do_not_hold_their_cards():
    twice = (lay_off("9C", "5C 6C 7C 8C"),) * 2
    play = lay_down("8S 8H 8D", "7C 8C 9C 10C", layoffs=twice)

    assert rule(play, 2).broken == {Code.DOES_NOT_FIT}


def test_a_swap_completes_the_contract():
    assert rule(swap("6D", "2S", THEIR_RUN, KINGS, SPADES), 2).is_legal


def test_no_swap_where_the_contract_stays_incomplete():
    assert rule(swap("6D", "2S", THEIR_RUN, SPADES), 2).broken == {Code.CONTRACT_NOT_MET}


def test_no_swap_where_the_contract_is_met_without_it():
    play = swap("6D", "2S", THEIR_RUN, KINGS, "9S 10S JS QS 2S")

    assert rule(play, 2).broken == {Code.SWAP_NOT_NEEDED}


def test_the_card_given_is_the_very_card():
    play = swap("6H", "2S", THEIR_RUN, KINGS, SPADES)

    assert rule(play, 2).broken == {Code.WRONG_CARD_GIVEN}


def test_a_black_two_in_its_own_place_cannot_be_taken():
    play = swap("6S", "2S", "2S 3S 4S 5S", "9D 10D 2S QD", "9C 10C JC QC")

    assert rule(play, 3).broken == {Code.NOT_A_WILD}


def test_a_black_two_that_was_taken_may_not_be_kept():
    play = lay_down("9S 10S JS QS", "5H 6H 7H 8H", kept="2S", swaps=(taken("6D", "2S", THEIR_RUN),))

    assert Code.WILD_NOT_USED in rule(play, 3).broken


def test_a_player_who_is_down_takes_no_black_two():
    layoffs = (lay_off("2S", "9S 10S JS QS"),)
    play = swap("6D", "2S", THEIR_RUN, down=True, layoffs=layoffs)

    assert rule(play, 2).broken == {Code.SWAP_WHEN_DOWN}
    assert rule(play, 2, swap="when-down-too").is_legal
    assert Code.NO_SWAPS in rule(play, 2, swap="never").broken


def test_a_play_of_another_game_is_answered():
    from referee.plays import Close

    assert rule(Close(cards=()), 2).broken == {Code.NO_SUCH_PLAY}


@pytest.mark.parametrize(
    ("cards", "against"),
    [
        ("4C 4D 2S", {Code.WILD_IN_SET}),
        ("4C 4D 5S", {Code.SET_OF_TWO_RANKS}),
        ("4C 4D 2S 5S", {Code.WILD_IN_SET, Code.SET_OF_TWO_RANKS}),
    ],
)
def test_a_wild_in_a_set_is_told_from_a_card_of_another_rank(cards, against):
    assert rule(show(cards), 2).broken == against


def test_an_ace_below_a_two_is_not_round_the_corner():
    on_a_two, on_a_king = lay_off("AC", "2C 3C 4C 5C"), lay_off("AC KC", "2C 3C 4C 5C")

    for play, goes_round in [(on_a_two, False), (on_a_king, True)]:
        codes = {finding.code for finding in rule(play, 1, wrap=True).findings}
        assert (Code.AROUND_THE_CORNER in codes) is goes_round


def test_only_who_lays_further_melds_is_told_that_they_may_be():
    further = lay_down("8C 8D 8H", down=True)
    only_off = lay_down(down=True, layoffs=(lay_off("8C", "4C 5C 6C 7C"),))

    for play, told in [(further, True), (only_off, False)]:
        ruling = rule(play, 2, extra_melds=True)
        assert ruling.is_legal
        assert (Code.EXTRA_MELD in {finding.code for finding in ruling.findings}) is told


@pytest.mark.parametrize("wrap", [False, True])
def test_a_run_of_fourteen_is_full(wrap):
    ruling = rule(lay_off("2H", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"), 1, wrap=wrap)

    assert ruling.broken == {Code.DOES_NOT_FIT}
    assert cited(ruling, wrap=wrap) == {"long-run"}
