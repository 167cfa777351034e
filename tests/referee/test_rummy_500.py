"""Rummy 500 for two: what tests/cases has no question for."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.plays import LayDown, PickUp, Swap
from referee.rulings import Code
from tests.referee.plays import card, clauses, lay_off, show, taken

GAME = variants.get("rummy-500")
RUN, ACES = "3S 4S 5S", "AC AH AD"


def rule(play, **options):
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return rule_on(play, GAME.with_options(chosen))


def pick(pile, take, *melds, layoffs=(), first=False, **options):
    play = PickUp(
        pile=parse_cards(pile),
        take=card(take),
        melds=tuple(map(parse_cards, melds)),
        layoffs=layoffs,
        first=first,
    )
    return rule(play, **options)


def test_a_run_of_only_wilds_is_rejected_and_a_set_of_them_has_no_rank():
    ruling = rule(show("2C 2D JK"))

    assert [reading.kind.value for reading in ruling.readings] == ["set"]
    assert ruling.readings[0].rankless


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
