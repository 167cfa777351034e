"""What melds are worth in the opening, and which of them would be worth enough laid otherwise."""

import json

import pytest

from referee import variants
from referee.protocol import answer_line
from referee.turns.opening import opening_within

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
def test_where_another_order_would_be_worth_enough_the_points_are_not_at_fault(meld, codes):
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
