"""Rummikub for six: 160 tiles with 4 jokers, and no turn that takes too long to rule on."""

import time

from referee.advice import no_advice
from referee.judging import allows, rule_on
from referee.plays import Rearrange, ShowMeld
from referee.rulings import Code
from referee.scorepad import HandRecord, keep_score
from tests.referee.tiles import RUMMIKUB, sets, tiles
from tests.yardstick import milliseconds

(_EDITION,) = (edition for edition in RUMMIKUB.editions if edition.name == "six")
_PATCH = {f"/{path}": value for path, value in _EDITION.patch.items()}
SIX = RUMMIKUB.with_options(_PATCH)
MANY = (
    ["B8 K8 JK", "O5 O6 O7 O8", "B6 JK O6", "O5 O6 JK", "R4 JK O4"],
    [
        *("R6 K6 O6", "B4 B5 B6 B7 B8", "O5 O6 O7", "K6 K7 K8", "R6 K6 O6", "K4 K5 JK"),
        *("R4 R5 R6 R7 JK", "R4 B4 O4", "B5 K5 O5", "JK B4 K4", "B8 K8 O8", "JK B5 B6"),
    ],
)
"""A table at which four jokers moved in thousands of ways."""


FREE = {"/pack.jokers": 4, "/rearrange.retrieval": "free", "/rearrange.goes": "anywhere"}


def test_the_larger_box_has_160_tiles_for_up_to_6_players():
    pack = SIX.pack

    assert (len(pack.cards) * pack.copies + pack.jokers, SIX.players) == (160, range(2, 7))
    assert rule_on(ShowMeld(tiles("R7 B7 K7 O7")), SIX).is_legal
    assert rule_on(ShowMeld(tiles("R7 JK JK JK")), SIX).is_legal
    assert not rule_on(
        ShowMeld(tiles("R7 JK JK JK")), RUMMIKUB.with_options({**_PATCH, "/wild.most": 2})
    ).is_legal


def test_six_racks_are_paid_to_the_one_who_is_out():
    rounds = [[HandRecord(out=True), *(HandRecord(left=left) for left in (10, 40, 5, 90, 30))]]

    assert keep_score(SIX, 6, rounds, 0).totals == (175, -10, -40, -5, -90, -30)


def test_a_turn_with_too_many_ways_isn_t_decided_and_takes_no_longer():
    before, after = (sets(*table) for table in MANY)
    began = time.process_time()
    ruling = rule_on(Rearrange(before=before, after=after), SIX)

    assert ruling.broken in ({Code.NOT_DECIDED}, frozenset())
    assert time.process_time() - began < milliseconds(2_000)


def test_four_jokers_that_stay_leave_a_turn_as_easy_as_ever():
    before = ["R3 JK R5", "B3 JK B5", "K3 JK K5", "O3 JK O5"]
    after = ["R3 JK R5 R6", "B3 JK B5 B6", "K3 JK K5 K6", "O3 JK O5 O6"]

    ruling = rule_on(Rearrange(before=sets(*before), after=sets(*after)), SIX)

    assert ruling.is_legal
    moved = ["R3 R4 R5", "B3 JK B5", "K3 JK K5", "O3 JK O5", "JK R9 R10"]
    assert allows(Rearrange(before=sets(*before), after=sets(*moved)), SIX)
    taken = ["R3 R4 R5", "R9 JK JK", "B3 B5 B4", "K3 JK K5", "O3 JK O5"]
    assert allows(Rearrange(before=sets(*before), after=sets(*taken)), SIX)
    unreplaced = ["R3 R4 R5", "R9 JK JK", "B3 K3 O3", "K5 B5 O5", "JK K9 JK"]
    assert not allows(Rearrange(before=sets(*before), after=sets(*unreplaced)), SIX)


def test_there_is_advice_for_the_smaller_box_only():
    assert no_advice(RUMMIKUB) == ""
    assert "at most 2 jokers" in no_advice(SIX)
    assert no_advice(RUMMIKUB.with_options({**_PATCH, "/pack.jokers": 2})) == ""
    assert no_advice(RUMMIKUB.with_options({**_PATCH, **FREE})) == ""
