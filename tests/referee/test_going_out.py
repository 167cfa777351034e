"""Going out: what tests/cases has no question for."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.plays import LayDown
from referee.rulings import Code
from referee.turns.going_out import ANY, OutRule, lacking
from tests.referee.plays import lay_off

CANASTA = variants.get("canasta")
FEET = variants.get("hand-and-foot")
BURRACO = variants.get("burraco")
CLEAN, DIRTY = "8S 8H 8D 8C 8S 8H 8D", "QS QH QD QC QS 2S JK"
RUN = "4H 5H 6H 7H 8H 9H 10H"
SHORT = "9S 9H 9D"


def lay(kept, *own, game=CANASTA, melds=("KS KH KD",), off=(), **rest):
    play = LayDown(
        melds=tuple(map(parse_cards, melds)),
        kept=None if kept is None else parse_cards(kept),
        layoffs=tuple(lay_off(some, onto, own=True) for some, onto in off),
        own=tuple(map(parse_cards, own)),
        down=True,
        **rest,
    )
    return rule_on(play, game)


def test_a_player_who_keeps_two_cards_goes_on():
    ruling = lay("7S 4S", SHORT)

    assert ruling.is_legal
    assert Code.GOES_OUT not in {finding.code for finding in ruling.findings}


def test_what_is_missing_goes_by_the_bonuses_there_are():
    rule = OutRule(needs={ANY: 2, "clean": 1}, wild=True)

    assert [wanted.n for wanted in lacking({"dirty": 2}, rule, FEET.bonuses)] == [1]
    assert [wanted.n for wanted in lacking({"clean": 1}, rule, FEET.bonuses)] == [2]
    assert not lacking({"clean": 1, "dirty": 1}, rule, FEET.bonuses)


@pytest.mark.parametrize("kept", ["", "7S", "JK"])
@pytest.mark.parametrize("game", [FEET, BURRACO])
def test_a_second_hand_is_picked_up_instead_of_going_out(game, kept):
    ruling = lay(kept, game=game, reserve=False)

    assert ruling.is_legal
    (hand,) = [one for one in ruling.findings if one.code is Code.SECOND_HAND]
    assert hand.how == ("discard" if kept else "")
