"""The melds of a whole hand: a rule and a hand each, and what is left over."""

import pytest

from referee.cards import KING, parse_cards
from referee.describing import build
from referee.judging import rule_on
from referee.melds import deadwood
from referee.melds.deadwood import arrange, arrange_needing
from referee.melds.grounds import legal_readings
from referee.melds.needs import HandNeeds
from referee.plays import Close, ShowMeld
from referee.rulings import MeldKind
from tests.referee.own_games import COSTS, GAMES, HAND, JOKERS


def game(name="", **sections):
    return build({**HAND, **GAMES.get(name, JOKERS), **sections})


def left(cards, name="", **sections):
    """What the cards cost that are left of a hand."""
    variant = game(name, **sections)
    return arrange(parse_cards(cards), variant.melds_at(None), variant.values).points


def closes(cards, name="", **sections):
    return rule_on(Close(cards=parse_cards(cards)), game(name, **sections)).is_legal


def test_jokers_that_cost_one_are_spread_over_more_sets_if_sets_are_full():
    fours = {
        "set": {"max": 4},
        "wild": {"cards": ["JK", "2"], "natural": "never"},
        "score": {"hand": {**COSTS, "2": 0, "JK": 1}},
    }

    assert left("7S 7S 7H 7H 7D 7D JK JK JK 2S", **fours) == 0


def test_jokers_that_cost_nothing_are_laid_too_if_sets_are_full():
    fours = {"set": {"max": 4}, "score": {"hand": {**COSTS, "JK": 0}}, "deal": {"cards": 9}}

    assert closes("7S 7S 7H 7H 7D 7D JK JK JK", **fours)


def test_five_of_six_cards_of_a_rank_are_a_set_if_the_sixth_is_in_a_run():
    assert left("7S 7S 7H 7H 7D 7D 8S 9S", "runs of four at the most") == 0


def test_points_go_before_cards():
    score = {"hand": {**COSTS, "7": 20}, "wild": 20}

    assert left("6S 7S 8S 9S 7H 7D", "runs of four at the most", score=score) == 23


TOUCHING = {"wild": {"cards": ["JK"], "naturals": 2, "adjacent": False}}


@pytest.mark.parametrize("most", [{"most": 2}, {}], ids=["limited", "free"])
@pytest.mark.parametrize("cards", ["4S 5S 6S JK JK 9S KD", "4S JK JK 7S 8S 9S KD"])
def test_a_run_is_whole_if_one_of_its_halves_has_too_few_naturals(cards, most):
    assert left(cards, wild={"cards": ["JK"], "naturals": 2, **most}) == 10


def test_a_run_of_six_is_one_meld():
    variant = game("one joker a meld")
    found = arrange(parse_cards("4S 5S 6S 7S 8S 9S JK"), variant.melds_at(None), variant.values)

    assert len(found.melds) == 1


@pytest.mark.parametrize(
    ("cards", "points"),
    [("AS 2S 3S JK JK", 1), ("JS QS KS JK JK", 0), ("QS KS AS JK JK", 1), ("7S 8S 9S JK JK", 0)],
)
def test_jokers_that_may_not_touch_join_a_run_at_an_end_that_is_open(cards, points):
    assert left(cards, **TOUCHING) == points


def test_round_the_corner_a_run_is_open_at_both_ends_for_one_joker_each():
    assert left("7S 8S 9S JK JK JK", **TOUCHING, run={"around": True}) == 8


def test_six_wilds_alone_are_two_melds_if_a_meld_has_three_at_most():
    wild = {"cards": ["JK", "2"], "natural": "never", "naturals": 0, "most": 3}

    assert left("JK JK JK 2S 2H 2D", wild=wild) == 0


def test_six_wilds_alone_are_one_set_if_wilds_alone_are_sets():
    variant = game("jokers never natural, alone a set")
    found = arrange(parse_cards("JK JK JK 3S 3H 3D"), variant.melds_at(None), variant.values)

    assert [len(meld.cards) for meld in found.melds] == [6]


@pytest.mark.parametrize(
    "wild",
    [
        {"set": {"naturals": 0, "most": 3}, "run": {"naturals": 1}},
        {"run": {"naturals": 0, "most": 3}, "set": {"naturals": 1}},
    ],
    ids=["set", "run"],
)
def test_three_jokers_alone_are_a_meld_of_the_kind_that_needs_no_natural(wild):
    assert left("JK JK JK", wild={"cards": ["JK"], **wild}) == 0


def test_a_run_all_the_way_round_is_one_if_runs_have_eight_cards_at_least():
    cards = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"

    assert left(cards, run={"min": 8, "around": True}) == 0


def test_a_long_run_is_two_if_the_jokers_have_no_room_in_one():
    assert left("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS JK JK", run={"ace": "low"}) == 0


def test_wilds_that_a_full_run_has_no_room_for_are_a_set_with_a_card_of_it():
    kings = {"run": {"min": 8, "ace": "low"}, "wild": {"cards": ["JK", "K"], "natural": "never"}}

    assert left("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS JK KH", **kings) == 0


@pytest.mark.parametrize("name", ["", "one joker a meld"])
def test_each_of_three_melds_has_the_joker_that_it_needs(name):
    variant = game(name)
    cards = parse_cards("7S 7H 9C 9D KS KH JK JK JK")
    found = arrange(cards, variant.melds_at(None), variant.values)

    assert [len(meld.cards) for meld in found.melds] == [3, 3, 3]


def test_what_is_a_set_too_is_read_as_the_run_that_is_wanted():
    variant = game()
    needs = HandNeeds(runs=1, pure=0)
    found = arrange_needing(parse_cards("7S JK JK"), variant.melds_at(None), variant.values, needs)

    assert [meld.kind for meld in found.melds] == [MeldKind.RUN]


@pytest.mark.parametrize(("cards", "decided"), [("7S 7H JK", True), ("7S 7H JK KD", False)])
def test_without_time_only_a_hand_that_is_laid_whole_is_decided(monkeypatch, cards, decided):
    monkeypatch.setattr(deadwood, "MOST_WORK", 300)
    variant = game()

    found = arrange(parse_cards(cards), variant.melds_at(None), variant.values)
    assert found.decided is decided


def test_jokers_alone_that_need_no_natural_are_read_as_a_set_of_kings():
    rules = game(wild={"cards": ["JK"], "naturals": 0}).melds_at(None)

    assert legal_readings(parse_cards("JK JK JK"), rules)[0].rank == KING


def test_the_same_card_twice_is_natural_both_times_if_a_set_may_have_it():
    rules = game(wild={"cards": ["JK", "2"], "naturals": 3}).melds_at(None)

    assert legal_readings(parse_cards("2S 2S 2H"), rules)
    assert not legal_readings(parse_cards("2S 2S JK"), rules)


@pytest.mark.parametrize(("ace", "is_legal"), [("high", False), ("both", True)])
def test_runs_stop_before_the_lowest_rank_if_that_is_always_wild(ace, is_legal):
    variant = game(run={"ace": ace}, wild={"cards": ["JK", "2"], "natural": "never"})

    assert rule_on(ShowMeld(parse_cards("2S 2C 4S 5S")), variant).is_legal is is_legal
