"""Unfinished melds: how many cards are still to go, and when no card can help."""

import pytest

from referee import Need, find_missing, takes, variants
from referee.rulings import MeldKind

RUN, SET = Need(MeldKind.RUN, 4, pure=False), Need(MeldKind.SET, 3, pure=False)


@pytest.mark.parametrize(
    ("game", "cards", "need", "to_go"),
    [
        ("mexican-rummy", "4H", RUN, 3),
        ("mexican-rummy", "4H 5H 6H 7H", RUN, 0),
        ("mexican-rummy", "4H 5H 7H", RUN, 1),
        ("mexican-rummy", "5H 4H 6H", RUN, 1),
        ("mexican-rummy", "4H 9H", RUN, 4),
        ("mexican-rummy", "2S JH", RUN, 2),
        ("mexican-rummy", "KH AH", RUN, 2),
        ("mexican-rummy", "7H 7C", SET, 1),
        ("rummikub", "R9 R10 R11 R13", None, 1),
        ("rummikub", "R7 B7", None, 1),
        ("eleven-phases", "6 3 5", None, 1),
    ],
)
def test_what_further_cards_can_finish_is_counted(game, cards, need, to_go):
    variant = variants.get(game)
    missing = find_missing(variant.pack.parse(cards), variant.melds_at(3), need)
    assert missing
    assert len(missing.cards) == to_go


@pytest.mark.parametrize(
    ("game", "cards", "need"),
    [
        ("mexican-rummy", "QH KH AH 2H", RUN),
        ("mexican-rummy", "4H 4C", RUN),
        ("mexican-rummy", "4H 5H 5H", RUN),
        ("mexican-rummy", "QS KS AS 2S", RUN),
        ("mexican-rummy", "7H 8H", SET),
        ("rummikub", "R12 R13 JK", None),
        ("rummikub", "R7 R7", None),
    ],
)
def test_what_no_further_card_can_finish_is_known(game, cards, need):
    variant = variants.get(game)
    assert find_missing(variant.pack.parse(cards), variant.melds_at(3), need) is None


def test_the_cards_that_join_a_finished_meld_are_named():
    variant = variants.get("rummy-500")
    joins = takes(variant.pack.parse("JC QC KC"), variant.melds_at(None))
    assert {"AC", "10C"} <= set(map(str, joins))
    assert "9C" not in map(str, joins)


def test_no_cards_are_no_meld_that_could_be_finished():
    assert find_missing((), variants.get("mexican-rummy").melds_at(3)) is None
