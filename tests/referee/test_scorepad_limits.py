"""What a pad takes for possible: as much as there is, and no more."""

import pytest

from referee import variants
from referee.describing import build
from referee.rulings import Code
from referee.scorepad.hands import HandRecord, chosen_close, must_say_how, table_points
from tests.referee.own_games import COSTS, HAND, PLAIN
from tests.referee.pads import OUT, RUMMIKUB, RUMMY_500, found, left

ALL_TILES = 2 * 4 * sum(range(1, 14)) + 2 * 30
"""What all tiles of Rummikub cost together."""


@pytest.mark.parametrize(
    ("racks", "too_many"),
    [
        ([ALL_TILES - 5, 5], False),
        ([ALL_TILES - 5, 6], True),
        ([ALL_TILES, 5], True),
    ],
)
def test_the_racks_together_cost_no_more_than_all_tiles(racks, too_many):
    assert (Code.POINTS_TOO_MANY in found(RUMMIKUB, *map(left, racks))) is too_many


@pytest.mark.parametrize("arranged", [True, False], ids=["arranged", "counted whole"])
def test_a_hand_costs_no_more_than_the_most_that_anybody_pays(arranged):
    melded = {**HAND, **PLAIN, "score": {"hand": COSTS, "cap": 50}}
    free = {key: melded[key] for key in melded if key not in {"hand", "out"}} | {"free": {}}
    capped = build(melded if arranged else free)

    assert found(capped, OUT, left(50)) == set()
    assert Code.POINTS_TOO_MANY in found(capped, OUT, left(51))


@pytest.mark.parametrize(
    ("melds", "points"),
    [(["7C 8C 9C"], 15), (["9C 7C 8C", "KS KH KD"], 45), (["7C 8D 9H"], 0)],
)
def test_melds_named_on_the_table_score_what_is_legal_of_them(melds, points):
    record = HandRecord(table=tuple(map(RUMMY_500.pack.parse, melds)))

    assert table_points(RUMMY_500, record) == points


@pytest.mark.parametrize(
    ("slug", "must_say"),
    [
        ("remigio", True),
        ("okey", True),
        ("tonk", True),
        ("kaluki", False),
        ("gin-rummy", False),
        ("mexican-rummy", False),
    ],
)
def test_how_a_hand_went_out_must_be_said_if_it_pays_by_that(slug, must_say):
    assert must_say_how(variants.get(slug)) is must_say


def test_a_player_who_is_out_went_out_the_plain_way_if_nothing_else_is_said():
    choice = chosen_close(variants.get("kaluki").with_options({"at-once": 2}), OUT)

    assert choice is not None
    assert (choice.word, choice.times) == ("out", 1)
