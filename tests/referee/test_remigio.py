"""Remigio, rule by rule."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.plays import Close
from referee.rulebook import Basis
from referee.rulings import Code
from referee.turns.closing import least_deadwood
from tests.referee.plays import card, clauses, lay_down, lay_off, show

GAME = variants.get("remigio")
MELDED = "4S 4H 4D 9C 10C JC QC AD 2D 3D"
WITH_JOKER = "4S 4H 4D 9C JK JC QC AD 2D 3D"
COLOUR = "2H 2H 5H 6H 8H 9H JH QH KH AH"
MELDED_COLOUR = "AH 2H 3H 5H 6H 7H 9H 10H JH QH"
STRAIGHT = "4S 5S 6S 7S JK 9S 10S JS QS KS"
NINES = "9S 9S 9H 9H 9D 9D 9C 9C JK JK"
CORNER = "8D 9D 10D JD QD KD AD 2D 3D 4D"


def chosen(options):
    return GAME.with_options({name.replace("_", "-"): value for name, value in options.items()})


def rule(play, **options):
    return rule_on(play, chosen(options))


def close(cards, says=None, discard=None, **options):
    thrown = None if discard is None else card(discard)
    return rule(Close(cards=parse_cards(cards), discard=thrown, says=says), **options)


def closed(cards, says=None, **options):
    ruling = close(cards, says, **options)
    assert ruling.is_legal
    return ruling.closes_as, ruling.multiplier


def count(cards, **options):
    game = chosen(options)
    assert game.close is not None
    return least_deadwood(
        parse_cards(cards), game.close, game.melds_at(None), game.values, 10
    ).points


@pytest.mark.parametrize("cards", ["7S 7H 7D", "QH KH AH", "AH 2H 3H", "3C 4C 5C 6C", "KH JK KD"])
def test_groups_and_sequences_have_three_cards_or_more(cards):
    assert rule(show(cards)).is_legal


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("7S 7H", Code.TOO_FEW_CARDS),
        ("7S 7H 8D", Code.SET_OF_TWO_RANKS),
        ("4C 5C 6H", Code.RUN_OF_TWO_SUITS),
        ("4C 5C 7C", Code.RUN_GAP),
        ("KH AH 2H", Code.RUN_AROUND_THE_CORNER),
        ("JK JK JK", Code.TOO_FEW_NATURALS),
    ],
)
def test_an_invalid_meld_is_explained(cards, code):
    assert code in rule(show(cards)).broken


def test_the_same_card_may_stand_in_a_group_more_than_once_and_that_is_our_reading():
    ruling = rule(show("7S 7S 7S"))

    assert {clause.basis for clause in clauses(ruling, GAME)} >= {Basis.READING}


def test_king_ace_two_where_the_table_agreed_on_it():
    assert rule(show("KH AH 2H"), wrap=True).is_legal


def test_jokers_stand_for_any_card_and_one_natural_is_enough():
    assert rule(show("JK JK 5D")).is_legal
    assert rule(show("JK JK JK 5D")).is_legal
    assert not rule(show("JK JK 5D"), min_naturals=2).is_legal
    assert rule(show("JK JK JK"), min_naturals=0).is_legal


def test_a_joker_above_the_ace_is_refused_with_the_order_that_would_do():
    ruling = rule(show("KH AH JK"))

    assert ruling.broken == {Code.WILD_OUT_OF_PLACE}
    assert ruling.hint == ("JK KH AH",)


@pytest.mark.parametrize("play", [lay_down("7S 7H 7D"), lay_off("8H", "5H 6H 7H")])
def test_nothing_is_laid_before_the_close_nor_on_the_closers_melds(play):
    assert rule(play).broken == {Code.NO_SUCH_PLAY}


@pytest.mark.parametrize(
    ("cards", "way", "times"),
    [
        (WITH_JOKER, "closed", 1),
        (MELDED, "closed", 2),
        ("2H 2H 5H 6H 8H 9H JH QH KH JK", "colour", 3),
        (COLOUR, "colour", 4),
        (STRAIGHT, "straight-colour", 5),
        ("4S 5S 6S 7S 8S 9S 10S JS QS KS", "straight-colour", 6),
        (NINES, "remigio", 10),
    ],
)
def test_each_hand_counts_its_own_multiple(cards, way, times):
    assert closed(cards) == (way, times)


def test_multipliers_do_not_stack_the_highest_counts():
    ruling = close(MELDED_COLOUR)

    assert ruling.multiplier == 4
    assert Code.HIGHEST_COUNTS in {finding.code for finding in ruling.findings}
    assert Code.HIGHEST_COUNTS not in {finding.code for finding in close(MELDED).findings}


def test_a_hand_closes_only_when_all_of_it_is_melded():
    ruling = close("4S 5S 6S 6H 6D 7S 8S 9S QD QC")

    assert ruling.broken == {Code.CARDS_NOT_MELDED}
    assert ruling.multiplier is None


def test_the_melds_of_a_closed_hand_are_shown():
    ruling = close(MELDED)

    assert sorted(len(meld.cards) for meld in ruling.readings) == [3, 3, 4]


@pytest.mark.parametrize(
    "cards", ["7S 7H 7D 8C 9C 10C JC QC 3D 3H 3S", "7S 7H 7D 8C 9C 10C 3D 3H 3S", ""]
)
def test_a_hand_of_another_number_cannot_close(cards):
    assert close(cards).broken == {Code.WRONG_NUMBER_OF_CARDS}


def test_a_joker_that_was_discarded_is_not_among_the_cards_shown():
    assert close("3S 4S 5S 8H 8D 8C JD QD KD AD", discard="JK").multiplier == 2


def test_a_straight_colour_turns_the_corner_only_where_sequences_do():
    assert closed(CORNER) == ("colour", 4)
    assert closed(CORNER, wrap=True) == ("straight-colour", 6)


@pytest.mark.parametrize("says", [None, "closed", "colour", "remigio"])
def test_a_hand_counts_as_what_it_is_whatever_was_said(says):
    assert closed(COLOUR, says) == ("colour", 4)


@pytest.mark.parametrize(("says", "otherwise"), [("closed", True), ("colour", False)])
def test_where_it_was_said_to_be_something_else_that_is_told(says, otherwise):
    codes = {finding.code for finding in close(COLOUR, says).findings}

    assert (Code.SAID_OTHERWISE in codes) is otherwise


@pytest.mark.parametrize(
    ("cards", "says", "counted"),
    [
        (MELDED_COLOUR, "closed", ("closed", 2)),
        (MELDED_COLOUR, None, ("closed", 2)),
        (MELDED_COLOUR, "colour", ("colour", 4)),
        (STRAIGHT, "colour", ("colour", 3)),
        (STRAIGHT, "straight-colour", ("straight-colour", 5)),
        (NINES, "closed", ("closed", 1)),
        (NINES, "remigio", ("remigio", 10)),
    ],
)
def test_a_strict_table_counts_what_was_said(cards, says, counted):
    assert closed(cards, says, announce="strict") == counted


@pytest.mark.parametrize(
    ("cards", "says"),
    [(COLOUR, "closed"), (COLOUR, None), (COLOUR, "straight-colour"), (MELDED, "remigio")],
)
def test_a_strict_table_refuses_what_a_hand_is_not(cards, says):
    assert close(cards, says, announce="strict").broken == {Code.NOT_WHAT_WAS_SAID}


def test_the_table_may_have_multipliers_of_its_own():
    assert closed(MELDED, multipliers={"closed-no-joker": 7}) == ("closed", 7)
    assert closed(MELDED_COLOUR, multipliers={"closed-no-joker": 7}) == ("closed", 7)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("7S 7H 7D 7C 8C 9C KD QS 2H JK", 22),
        ("5H 5S 5D 6D 7D KC QH 9S 2C AH", 42),
        ("KS KH JK 3D 4D 9C 9D 8S 2H AS", 36),
        ("JK 9S 10S 4D 4H KC 2C 6H 8D AS", 35),
        ("7S 7H 7D 8C 9C 10C KD KH QC 4S 2D", 36),
        ("JK", 20),
        ("JK JK JK", 60),
        ("", 0),
        (MELDED, 0),
        (COLOUR, 0),
    ],
)
def test_a_player_who_did_not_close_pays_the_least_that_the_hand_can_cost(cards, points):
    assert count(cards) == points


def test_jokers_alone_are_a_meld_where_no_natural_is_asked_for():
    assert count("JK JK JK KS", min_naturals=0) == 0
    assert count("JK JK JK", min_naturals=0) == 0


def test_two_naturals_a_meld_may_leave_jokers_over():
    assert count("JK JK KS QD JH 9C 7S 5H 3D AC", min_naturals=2) == 95


def test_a_colour_saves_its_holder_unless_the_table_says_not():
    spades = "2S 4S 4S 7S 9S 9S JS QS KS AS"

    assert count(spades) == 0
    assert count(spades, colour_protects_losers=False) == 35
    assert count("2S 4S 4S 7S 9S 9S JS QS KS JK") == 0
    assert count("2S 4S 4S 7S 9S 9S JS QS KS AH") == 36


def test_with_eleven_cards_only_the_eleventh_is_paid_for_next_to_a_colour():
    assert count("2S 4S 4S 7S 9S 9S JS QS KS AS 3H") == 3


@pytest.mark.parametrize(("says", "told"), [(None, False), ("colour", False), ("closed", True)])
def test_a_hand_that_was_called_something_else_is_explained(says, told):
    ruling = close(MELDED_COLOUR, says)

    assert ruling.closes_as == "colour"
    assert (Code.SAID_OTHERWISE in {finding.code for finding in ruling.findings}) is told
