"""Rummy 500 for two, rule by rule."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.plays import Call, LayDown, PickUp, Swap
from referee.rulebook import Basis
from referee.rulings import Code
from tests.referee.plays import card, clauses, lay_down, lay_off, show, taken

GAME = variants.get("rummy-500")
RUN, ACES = "3S 4S 5S", "AC AH AD"


def rule(play, **options):
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return rule_on(play, GAME.with_options(chosen))


def stands_for(ruling):
    return [str(stand) for stand in ruling.readings[0].stands_for.values()]


def off(cards, onto, *, own=False, **options):
    return rule(lay_off(cards, onto, own=own), **options)


def pick(pile, take, *melds, layoffs=(), first=False, **options):
    play = PickUp(
        pile=parse_cards(pile),
        take=card(take),
        melds=tuple(map(parse_cards, melds)),
        layoffs=layoffs,
        first=first,
    )
    return rule(play, **options)


def call(discard, *table, options=None, **rest):
    play = Call(discard=card(discard), table=tuple(map(parse_cards, table)), **rest)
    return rule(play, **(options or {}))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("7C 7H 7D", 15),
        ("10C 10H 10D 10S", 40),
        (RUN, 15),
        ("8C 9C 10C JC", 30),
        ("QS KS AS", 30),
        (ACES, 45),
        ("AH AD 2C", 45),
        ("KH AH JK", 0),
        ("JK KH AH", 30),
        ("2C 2D JK", 75),
        ("JK JK 2H 2S 2C 2D", 150),
    ],
)
def test_a_meld_scores_card_by_card_and_wilds_what_they_stand_for(cards, points):
    assert (rule(show(cards)).points or 0) == points


def test_an_ace_is_worth_more_in_a_set_than_in_a_run():
    assert rule(show("AS JK JK")).points == 45
    assert rule(show("QS KS AS")).points == 30


@pytest.mark.parametrize("cards", ["7C 7H", "7C 7H 8D", "4S 5S 7S", "4S 5S 6H", "4C 5C"])
def test_three_of_a_rank_or_three_in_a_row_and_nothing_less(cards):
    assert not rule(show(cards)).is_legal


@pytest.mark.parametrize("cards", ["AD 3D 4D", "AD 2C 3D 4D", "AS 2S 3S"])
def test_the_ace_is_never_low(cards):
    ruling = rule(show(cards))

    assert not ruling.is_legal
    assert not ruling.hint


@pytest.mark.parametrize(
    ("cards", "hint"),
    [
        ("KS AS 2S", "2S KS AS"),
        ("2H AS KS", "2H KS AS"),
        ("2S 3S 4S", "3S 4S 2S"),
        ("3S 2H 4S", "3S 4S 2H"),
        ("QD KD AD JK", "JK QD KD AD"),
    ],
)
def test_a_wild_is_what_its_place_makes_it_with_a_hint_where_there_is_none(cards, hint):
    ruling = rule(show(cards))

    assert ruling.broken == {Code.WILD_OUT_OF_PLACE}
    assert [sorted(order.split()) for order in ruling.hint] == [sorted(hint.split())]
    assert all(rule(show(order)).is_legal for order in ruling.hint)


def test_in_front_of_king_and_ace_a_two_is_the_queen():
    assert stands_for(rule(show("2S KS AS"))) == ["QS"]


def test_cards_in_no_order_are_arranged_by_the_referee():
    assert rule(show("7S 5S 2D 6S")).is_legal


def test_a_set_has_a_card_of_a_suit_and_so_four_at_the_most():
    ruling = rule(show("7C 7H 7D 7S JK"))

    assert ruling.broken == {Code.TOO_MANY_IN_MELD}
    assert clauses(ruling, GAME)[0].basis is Basis.READING


def test_a_house_rule_lets_wilds_go_beyond_four():
    assert rule(show("7C 7H 7D 7S JK"), set_max=None).points == 25
    assert off("7S", "7C 7H 7D JK", set_max=None).is_legal


def test_wilds_of_a_set_stand_for_suits_that_are_missing():
    assert sorted(stands_for(rule(show("9C 9H 2D JK")))) == ["9D", "9S"]


def test_a_run_of_only_wilds_is_none_and_a_set_of_them_has_no_rank():
    ruling = rule(show("2C 2D JK"))

    assert [reading.kind.value for reading in ruling.readings] == ["set"]
    assert ruling.readings[0].rankless


def test_a_two_may_be_a_two_by_a_house_rule():
    assert rule(show("2S 3S 4S"), natural_twos=True).points == 15
    assert rule(show("2S 2H 5D"), natural_twos=True).is_legal
    assert not rule(show("AS 2S 3S"), natural_twos=True).is_legal


def test_with_natural_twos_three_of_them_count_as_what_makes_the_play_legal():
    twos = lay_down("2S 2H 2D", first=True)

    assert rule(show("2S 2H 2D"), natural_twos=True).points == 75
    assert rule(twos, natural_twos=True).points == 15
    assert rule(twos).broken == {Code.TOO_FEW_NATURALS_FIRST}


def test_any_number_of_melds_may_be_laid_at_once_and_score_together():
    assert rule(lay_down("7C 7H 7D", RUN, "QS KS AS")).points == 60


def test_nothing_is_no_lay_down():
    assert rule(lay_down()).broken == {Code.NO_CARDS}


def test_all_that_is_wrong_with_several_melds_is_said():
    assert rule(lay_down("7C 7H 8D", "3S 4S 6S")).broken == {
        Code.SET_OF_TWO_RANKS,
        Code.RUN_GAP,
    }


@pytest.mark.parametrize("melds", [("7C 2D JK",), ("2C 2D JK",), ("JK 2C QH",)])
def test_the_first_lay_needs_two_naturals(melds):
    assert rule(lay_down(*melds)).broken == {Code.TOO_FEW_NATURALS_FIRST}
    assert rule(lay_down(*melds, first=False)).is_legal


def test_the_two_naturals_may_be_anywhere_in_the_first_lay():
    six = lay_off("6S", RUN)

    assert rule(lay_down("7C 2D JK", "5H 2S 2C")).points == 30
    assert rule(lay_down("7C 2D JK", layoffs=(six,))).points == 20


@pytest.mark.parametrize("first", [True, False])
def test_cards_laid_off_alone_ask_for_no_naturals(first):
    assert rule(lay_down(layoffs=(lay_off("6S", RUN),), first=first)).points == 5
    wild = lay_down(layoffs=(lay_off("2C", RUN),), first=first)
    assert rule(wild, wild_layoff="all").points == 5


def test_house_rules_ask_for_two_naturals_in_each_meld():
    all_wild = lay_down("2C 2D JK", first=False)
    spread = lay_down("7C 2D JK", "5H 2S 2C", first=False)

    assert rule(spread, first_lay_naturals="each-meld").broken == {Code.TOO_FEW_NATURALS}
    assert not rule(all_wild, first_lay_naturals="each-meld").is_legal
    assert rule(all_wild, first_lay_naturals="each-meld-except-all-wild").points == 75
    assert not rule(spread, first_lay_naturals="each-meld-except-all-wild").is_legal


def test_what_is_laid_comes_out_of_the_hand():
    hand = parse_cards("7C 7H 9S")

    assert rule(lay_down("7C 7H 7D", hand=hand)).broken == {Code.NOT_FROM_HAND}


def test_wilds_are_not_swapped():
    swap = taken("6S", "JK", "4S 5S JK")

    assert rule(Swap(taken=swap, then=())).broken == {Code.NO_SUCH_PLAY}
    assert Code.NO_SWAPS in rule(LayDown(melds=(parse_cards(RUN),), swaps=(swap,))).broken


@pytest.mark.parametrize(
    ("cards", "onto", "points"),
    [
        ("7S", "7C 7H 7D", 5),
        ("6S", RUN, 5),
        ("7S 6S", RUN, 10),
        ("AH", "JH QH KH", 10),
        ("AS", ACES, 15),
        ("9S", "9C 9H JK", 5),
        ("7S", "4S JK 6S", 5),
    ],
)
def test_naturals_are_laid_off_anywhere_for_their_points(cards, onto, points):
    assert off(cards, onto).points == points
    assert off(cards, onto, own=True).points == points


@pytest.mark.parametrize(
    ("cards", "onto"), [("8S", "7C 7H 7D"), ("7S", RUN), ("AC", "3C 4C 5C"), ("6H", RUN)]
)
def test_what_does_not_fit_is_not_laid_off(cards, onto):
    assert off(cards, onto, own=True).broken == {Code.DOES_NOT_FIT}


@pytest.mark.parametrize(("cards", "points"), [("2S", 15), ("JK", 15)])
def test_a_wild_joins_only_an_own_meld(cards, points):
    assert off(cards, ACES, own=True).points == points
    assert off(cards, ACES).broken == {Code.WILD_ON_OTHERS_MELD}
    assert off(cards, ACES, wild_layoff="all").points == points


def test_a_natural_that_goes_with_it_does_not_help_a_wild_and_that_is_our_reading():
    ruling = off("2C 7S", RUN)

    assert ruling.broken == {Code.WILD_ON_OTHERS_MELD}
    assert clauses(ruling, GAME)[0].basis is Basis.READING


def test_a_wild_joins_a_run_only_where_there_is_room():
    full = "3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD"

    assert off("2C", full, own=True).broken == {Code.DOES_NOT_FIT}
    assert off("JK", "QS KS AS", own=True).points == 10


def test_only_wilds_join_a_set_of_only_wilds():
    assert off("7S", "2C 2D JK", own=True).broken == {Code.ONLY_WILDS_JOIN}
    assert off("2H", "2C 2D JK", own=True).points == 25
    assert off("2H", "2C 2D JK").broken == {Code.WILD_ON_OTHERS_MELD}


def test_a_full_set_takes_no_more():
    assert off("7S", "7C 7H 7D JK", own=True).broken == {Code.TOO_MANY_IN_MELD}


def test_cards_are_laid_off_in_the_own_turn():
    assert rule(lay_off("6S", RUN, my_turn=False)).broken == {Code.NOT_MY_TURN}


def test_the_lowest_card_taken_is_used_at_once():
    assert pick("4D 9H 7D", "7D", "7C 7H 7D", first=True).points == 15
    assert pick("4D 9H 7D", "9H", "7C 7H 7D").broken == {Code.LOWEST_NOT_USED}
    assert pick("4D 9H 7D", "4D").broken == {Code.LOWEST_NOT_USED}


def test_the_lowest_card_may_be_laid_off_and_that_is_our_reading():
    layoff = lay_off("4D", "4S 4H 4C")
    ruling = pick("4D 9H 7D", "4D", layoffs=(layoff,))

    assert ruling.is_legal
    assert clauses(ruling, GAME)[0].id == "laid-off-too"
    assert pick("4D 9H 7D", "4D", layoffs=(layoff,), first=True).is_legal


def test_what_stays_in_the_pile_is_not_laid():
    ruling = pick("5H 9C 7H", "7H", "5H 6H 7H")

    assert ruling.broken == {Code.STAYS_IN_PILE}
    assert pick("5H 9C 7H", "5H", "5H 6H 7H").is_legal


def test_the_top_card_alone_is_free_only_by_a_house_rule():
    assert pick("4D 9H 7D", "7D").broken == {Code.LOWEST_NOT_USED}
    assert pick("4D 9H 7D", "7D", top_discard_free=True).is_legal
    assert not pick("4D 9H 7D", "9H", top_discard_free=True).is_legal


def test_taking_only_the_top_card_cites_its_own_rule():
    assert clauses(pick("4D 9H 7D", "7D"), GAME)[0].id == "top-card"
    assert clauses(pick("4D 9H 7D", "9H"), GAME)[0].id == "lowest-card"


def test_an_illegal_meld_does_not_use_the_lowest_card():
    assert pick("4D 9H 7D", "7D", "7C 8H 7D").broken == {Code.SET_OF_TWO_RANKS}


def test_a_discard_that_fits_is_called_for_its_points():
    assert call("6S", RUN, ACES).points == 5
    assert call("AS", RUN, ACES).points == 15
    assert call("9S", "9C 9H JK").points == 5


def test_the_call_that_scores_most_counts():
    assert call("AS", ACES, "JS QS KS").points == 15
    assert call("10S", "7S 8S 9S").points == 10


def test_what_fits_nothing_is_not_called():
    assert call("AC", "3C 4C 5C").broken == {Code.DOES_NOT_FIT}
    assert call("7S", "2C 2D JK").broken == {Code.DOES_NOT_FIT}
    assert call("JK", RUN).broken == {Code.WILD_NOT_CALLED}
    assert call("2S", RUN).broken == {Code.WILD_NOT_CALLED}


def test_a_natural_two_may_be_called_where_twos_are_twos():
    assert call("2S", RUN, options={"natural_twos": True}).points == 5


def test_a_call_comes_before_the_draw_and_before_the_end():
    assert call("6S", RUN, drawn=True).broken == {Code.DRAWN_ALREADY}
    assert call("6S", RUN, ended=True).broken == {Code.HAND_IS_OVER}


@pytest.mark.parametrize(
    ("cards", "points"), [("AS", 15), ("2S", 25), ("JK", 25), ("KS", 10), ("3S", 5), ("", 0)]
)
def test_what_is_left_in_hand_costs_its_value(cards, points):
    assert GAME.values.count(parse_cards(cards), GAME.wilds.cards) == points
