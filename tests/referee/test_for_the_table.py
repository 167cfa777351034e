"""What a game leaves to the table, the referee does not rule on."""

import pytest

from referee import variants
from referee.advice import advise
from referee.judging import rule_on
from referee.plays import Moment, ShowMeld
from referee.variant import ForTheTableError

OKEY = variants.get("okey")


def test_no_meld_is_ruled_on_if_a_false_joker_is_turned_up():
    (upcard,) = OKEY.pack.parse("FJ")

    with pytest.raises(ForTheTableError, match="false joker"):
        rule_on(ShowMeld(OKEY.pack.parse("R1 R2 R3")), OKEY, Moment(upcard=upcard))


def test_there_is_no_advice_for_a_rack_with_a_false_joker():
    (upcard,) = OKEY.pack.parse("R5")

    with pytest.raises(ForTheTableError, match="no advice"):
        advise(OKEY, Moment(upcard=upcard), OKEY.pack.parse("R1 R2 R3 FJ"))


@pytest.mark.parametrize(
    ("cards", "legal"), [("R4 R5 FJ", True), ("B6 K6 FJ", True), ("FJ R5 B6", False)]
)
def test_a_false_joker_is_the_tile_that_the_okey_would_be(cards, legal):
    (upcard,) = OKEY.pack.parse("R5")
    ruling = rule_on(ShowMeld(OKEY.pack.parse(cards)), OKEY, Moment(upcard=upcard))

    assert ruling.is_legal is legal
    assert all(str(card) in cards for found in ruling.findings for card in found.cards)


def test_a_meld_of_other_tiles_is_ruled_on():
    (upcard,) = OKEY.pack.parse("R5")

    assert rule_on(ShowMeld(OKEY.pack.parse("R1 R2 R3")), OKEY, Moment(upcard=upcard)).is_legal
