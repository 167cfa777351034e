"""What a game leaves to the table, the referee does not rule on."""

import pytest

from referee import variants
from referee.judging import rule_on
from referee.plays import Moment, ShowMeld
from referee.variant import ForTheTableError

OKEY = variants.get("okey")


@pytest.mark.parametrize(("cards", "turned"), [("R1 R2 R3", "FJ"), ("R1 R2 FJ", "R5")])
def test_no_meld_is_ruled_on_if_a_false_joker_is_in_it_or_turned_up(cards, turned):
    (upcard,) = OKEY.pack.parse(turned)

    with pytest.raises(ForTheTableError, match="false joker"):
        rule_on(ShowMeld(OKEY.pack.parse(cards)), OKEY, Moment(upcard=upcard))


def test_a_meld_of_other_tiles_is_ruled_on():
    (upcard,) = OKEY.pack.parse("R5")

    assert rule_on(ShowMeld(OKEY.pack.parse("R1 R2 R3")), OKEY, Moment(upcard=upcard)).is_legal
