"""Keeping the score of Rummy 500: what lies on the table less what is left, and who wins at 500."""

import pytest

from referee.rulings import Code
from referee.scorepad.hands import HandRecord
from tests.referee.pads import OUT, RUMMY_500, found, laid, left


def melds(*cards, less=None):
    table = tuple(map(RUMMY_500.pack.parse, cards))
    hand = None if less is None else RUMMY_500.pack.parse(less)
    return HandRecord(out=less is None, table=table, left=hand)


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ((laid(100), laid(50)), Code.TWO_OUT),
        ((laid(52), laid(0, less=30)), Code.POINTS_IMPOSSIBLE),
        ((laid(100), laid(50, less=12)), Code.POINTS_IMPOSSIBLE),
        ((laid(515), laid(0, less=30)), Code.POINTS_TOO_MANY),
        ((laid(100), laid(50, less=700)), Code.POINTS_TOO_MANY),
        ((laid(350), laid(105, less=60)), Code.POINTS_TOO_MANY),
        ((laid(100), laid(50, less=0)), Code.NOTHING_LEFT),
        ((HandRecord(out=True, table=60, left=5), laid(0, less=30)), Code.OUT_WITH_CARDS),
        ((melds("KS AS 2S", "5C 6C 7C 8C"), laid(0, less=30)), Code.MELD_NOT_LEGAL),
        ((melds("KS KH KD"), melds(less="KS")), Code.TOO_MANY_COPIES),
        ((laid(30), laid(0, less=30)), Code.POINTS_UNLIKELY),
        ((OUT, left(30)), Code.POINTS_UNLIKELY),
        ((laid(100), laid(0, less=170)), Code.POINTS_UNLIKELY),
    ],
)
def test_impossible_scores_are_found(records, code):
    assert code in found(RUMMY_500, *records)
    assert len(found(RUMMY_500, *records) - {Code.POINTS_UNLIKELY}) <= 1


def test_a_player_who_goes_out_may_have_laid_just_seven_cards():
    assert found(RUMMY_500, laid(35), laid(0, less=30)) == set()


def test_the_pad_says_what_an_ace_scores_in_a_run():
    note = RUMMY_500.pad.table_note

    assert note.endswith("Ace: 10 points.")
