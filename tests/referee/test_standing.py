"""Melds that lie on the table: no limit on wilds is asked of them any more."""

import pytest

from referee.cards import parse_cards
from referee.melds.standing import no_meld_there, standing
from tests.described import changed
from tests.referee.plays import MEXICAN

FLUSHES = changed("phase-10", {"wild.most": 1})
SETS = changed("liverpool-rummy", {"wild.most": 1})


@pytest.mark.parametrize(
    ("game", "cards", "kinds"),
    [
        (MEXICAN, "4H 5H 6H 7H", ["run"]),
        (MEXICAN.with_options({"max-wilds": 0}), "4H 5H 2S 7H", ["run"]),
        (MEXICAN, "4H 5H 7H 8H", []),
        (SETS, "7H JK JK", ["set"]),
        (SETS, "7H 8H JK", []),
        (SETS, "7H JK", []),
        (FLUSHES, "R1 R3 R5 R7 R9 JK JK", ["flush"]),
        (FLUSHES, "R1 R3 R5 R7 JK JK", []),
    ],
)
def test_a_meld_on_the_table_is_read_whatever_wilds_it_has(game, cards, kinds):
    found = standing(game.pack.parse(cards), game.melds_at(3))

    assert list(dict.fromkeys(meld.kind.value for meld in found)) == kinds


@pytest.mark.parametrize(("cards", "cites"), [("7H 7D 8D", "set"), ("4H 5H 7H 8H", "run")])
def test_an_invalid_meld_is_explained_as_the_kind_it_was_meant_to_be(cards, cites):
    found = [*no_meld_there(parse_cards(cards), MEXICAN.melds_at(3))]

    assert found[0].cites == cites
    assert len(found) > 1
