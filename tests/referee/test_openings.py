"""What melds are worth in the opening, and which of them would be worth enough laid otherwise."""

import json

import pytest

from referee import variants
from referee.advice import advise
from referee.cards import parse_cards
from referee.describing import Refused
from referee.judging import rule_on
from referee.plays import LayDown, Moment
from referee.protocol import answer_line
from referee.rulings import Code
from referee.turns.opening import opening_within
from tests import described

RUMMIKUB = variants.get("rummikub")


def opening_of(*melds):
    """What is answered to melds laid to open."""
    asked = {"id": 1, "variant": "rummikub", "ask": "laydown", "melds": melds}
    return answer_line(json.dumps(asked))


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ("R9 R10 R11", 30),
        # A joker is kept back where it goes without, and stands where it is worth most.
        ("R10 B10 K10 JK", 30),
        ("R10 R12 JK", 33),
        # A tile is in one meld only.
        ("R5 B5 K5 R6 R7", 18),
    ],
)
def test_the_worthiest_melds_open(tiles, points):
    found = opening_within(
        RUMMIKUB.pack.parse(tiles), RUMMIKUB.opening, RUMMIKUB.worth, RUMMIKUB.melds_at(None)
    )

    assert found == points


@pytest.mark.parametrize(
    ("meld", "codes"),
    [
        ("R9 R11 JK", {"wild-out-of-place"}),
        ("R8 R10 JK", {"wild-out-of-place", "opening-too-low"}),
    ],
)
def test_if_another_order_would_be_worth_enough_the_points_are_not_at_fault(meld, codes):
    assert {finding["code"] for finding in opening_of(meld)["findings"]} == codes


@pytest.mark.parametrize(
    ("melds", "hint"),
    [
        # 1 is missing, or 4, and the longer run is worth 4 more.
        (["JK R5 R6", "JK B3 B4 B5"], ["B3 B4 B5 JK"]),
        (["JK R4 R5", "JK B3 B4 B5"], ["B3 B4 B5 JK"]),
        # 7 are missing: it takes both.
        (["JK R3 R4", "JK B3 B4 B5"], ["B3 B4 B5 JK", "R3 R4 JK"]),
        (["JK R2 R3", "JK B3 B4 B5"], None),
    ],
)
def test_no_more_melds_are_laid_otherwise_than_it_takes(melds, hint):
    answer = opening_of(*melds)

    assert not answer["legal"]
    assert answer.get("hint") == hint


def opening_with(**opening):
    """A game with 2 decks and 6 jokers, whose first melds need these."""
    return described.changed("romme", {"opening": {"points": 0, **opening}, "options": {}})


def against(game, *melds):
    """The codes against first melds."""
    return rule_on(LayDown(melds=tuple(map(parse_cards, melds))), game).broken


@pytest.mark.parametrize(
    ("needs", "melds", "good"),
    [
        ({"run": 1}, ["9C 9H 9D"], False),
        ({"run": 1}, ["9C JK JC"], True),
        # A 2 and two jokers are a set or a run: meant is the run that is needed.
        ({"run": 1}, ["2C JK JK"], True),
        ({"pure run": 1}, ["9C JK JC"], False),
        ({"pure run": 1}, ["9C JK JC", "3H 4H 5H"], True),
        # A pure run is one of the two runs, and one run is not two.
        ({"run": 2, "pure run": 1}, ["3H 4H 5H", "9C 9H 9D"], False),
        ({"run": 2, "pure run": 1}, ["3H 4H 5H", "9C JK JC"], True),
        ({"run of 4": 1}, ["3H 4H 5H"], False),
        ({"set": 1, "pure run of 4": 1}, ["3H 4H 5H 6H", "9C 9H JK"], True),
    ],
)
def test_first_melds_have_what_the_opening_needs(needs, melds, good):
    assert against(opening_with(needs=needs), *melds) == (set() if good else {Code.NEEDS_MISSING})


def test_first_melds_that_are_worth_too_little_may_lack_a_run_as_well():
    game = opening_with(points=40, needs={"pure run": 1})

    assert against(game, "9C 9H 9D") == {Code.NEEDS_MISSING, Code.OPENING_TOO_LOW}


@pytest.mark.parametrize(
    ("opening", "hand", "laid"),
    [
        # The kings alone are worth more, but the run has to be there.
        ({"needs": {"pure run": 1}}, "KC KH KD 2H 3H 4H 8S", 6),
        ({"needs": {"pure run": 1}}, "KC KH KD 2H 3H JK 8S", 0),
        ({"wilds": "none"}, "KC KH KD 2H 3H JK 8S", 3),
        ({"wilds": "none"}, "KC KH JK 2H 3H JK 8S", 0),
    ],
)
def test_what_is_advised_as_an_opening_has_what_it_needs(opening, hand, laid):
    found = advise(opening_with(**opening), Moment(), parse_cards(hand))

    assert sum(len(meld.cards) for meld in found.melds) == laid
    assert found.decided


@pytest.mark.parametrize(
    "needs", [{"flush": 1}, {"set of 5": 1}, {"run of 14": 2}, {"run": 6, "set": 6}]
)
def test_an_opening_that_nobody_could_lay_is_refused(needs):
    with pytest.raises(Refused):
        opening_with(needs=needs)
