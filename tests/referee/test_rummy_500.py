"""Rummy 500 for two, rule by rule."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.plays import LayDown, PickUp, Swap
from referee.rulings import Code
from tests.referee.plays import card, clauses, lay_down, lay_off, show, taken

GAME = variants.get("rummy-500")
RUN, ACES = "3S 4S 5S", "AC AH AD"


def rule(play, **options):
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return rule_on(play, GAME.with_options(chosen))


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


@pytest.mark.parametrize("cards", ["AD 3D 4D", "AD 2C 3D 4D", "AS 2S 3S"])
def test_the_ace_is_never_low(cards):
    ruling = rule(show(cards))

    assert not ruling.is_legal
    assert not ruling.hint


def test_a_run_of_only_wilds_is_rejected_and_a_set_of_them_has_no_rank():
    ruling = rule(show("2C 2D JK"))

    assert [reading.kind.value for reading in ruling.readings] == ["set"]
    assert ruling.readings[0].rankless


def test_the_two_naturals_may_be_anywhere_in_the_first_lay():
    six = lay_off("6S", RUN)

    assert rule(lay_down("7C 2D JK", "5H 2S 2C")).points == 30
    assert rule(lay_down("7C 2D JK", layoffs=(six,))).points == 20


@pytest.mark.parametrize("first", [True, False])
def test_cards_laid_off_alone_ask_for_no_naturals(first):
    assert rule(lay_down(layoffs=(lay_off("6S", RUN),), first=first)).points == 5
    wild = lay_down(layoffs=(lay_off("2C", RUN),), first=first)
    assert rule(wild, wild_layoff="all").points == 5


def test_wilds_are_not_swapped():
    swap = taken("6S", "JK", "4S 5S JK")

    assert rule(Swap(taken=swap, then=())).broken == {Code.NO_SUCH_PLAY}
    assert Code.NO_SWAPS in rule(LayDown(melds=(parse_cards(RUN),), swaps=(swap,))).broken


def test_the_lowest_card_may_be_laid_off_and_that_is_our_reading():
    layoff = lay_off("4D", "4S 4H 4C")
    ruling = pick("4D 9H 7D", "4D", layoffs=(layoff,))

    assert ruling.is_legal
    assert clauses(ruling, GAME)[0].id == "laid-off-too"
    assert pick("4D 9H 7D", "4D", layoffs=(layoff,), first=True).is_legal


@pytest.mark.parametrize(
    ("cards", "points"), [("AS", 15), ("2S", 25), ("JK", 25), ("KS", 10), ("3S", 5), ("", 0)]
)
def test_what_is_left_in_hand_costs_its_value(cards, points):
    assert GAME.values.count(parse_cards(cards), GAME.wilds.cards) == points
