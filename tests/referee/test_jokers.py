"""The jokers of a table, rule by rule: what replaces one, and where it goes."""

import pytest

from referee.rulebook import Basis
from referee.rulings import Code
from tests.referee.plays import clauses
from tests.referee.tiles import RUMMIKUB, codes, tiles, turn


def test_a_joker_is_replaced_and_makes_a_new_set_and_the_ruling_tells_so():
    ruling = turn(["R3 JK R5"], ["R3 R4 R5", "B9 K9 JK"], "R4 B9 K9")

    assert ruling.is_legal
    assert {"joker-replaced", "joker-reused"} <= codes(ruling)
    replaced = next(f for f in ruling.findings if f.code is Code.JOKER_REPLACED)
    assert replaced.cards == tiles("R4")


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        # From the table; at the other end; by the end of another run; either colour of a group.
        (["R3 JK R5", "R4 B4 K4 O4"], ["R3 R4 R5", "B4 K4 O4", "B9 K9 JK"], "B9 K9"),
        (["R3 R4 JK"], ["R2 R3 R4", "B9 K9 JK"], "R2 B9 K9"),
        (["B1 B2 B3 B4", "JK B5 B6 B7"], ["B1 B2 B3 B4 B5 B6 B7", "R9 K9 JK"], "R9 K9"),
        (["R8 B8 JK"], ["R8 B8 K8", "O2 O3 JK"], "K8 O2 O3"),
        (["R8 B8 JK"], ["R8 B8 O8", "O2 O3 JK"], "O8 O2 O3"),
    ],
)
def test_any_tile_replaces_a_joker_that_keeps_its_set_legal(before, after, rack):
    assert turn(before, after, rack).is_legal


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        (["JK R5 R6 R7"], ["R5 R6 R7", "B9 K9 JK"], "B9 K9"),
        (["K3 O3 B3 JK"], ["K3 O3 B3", "K12 O12 JK"], "K12 O12"),
        # One red 4 for two jokers.
        (
            ["R3 JK R5", "R5 R6 JK", "B3 B4 B5"],
            ["R3 R4 R5 R6", "R5 B5 K5", "B3 B4 JK", "B9 K9 JK"],
            "R4 K5 B9 K9",
        ),
        (
            ["R1 R2 R3 R4", "K1 K2 K3 K4", "O1 O2 O3 O4", "B1 B2 B3 JK"],
            ["R1 K1 O1 B1", "R2 K2 O2 B2", "R3 K3 O3 B3", "R4 K4 O4", "R9 K9 JK"],
            "R9 K9",
        ),
    ],
)
def test_moving_the_neighbours_away_frees_no_joker(before, after, rack):
    assert turn(before, after, rack).broken == {Code.JOKER_NOT_REPLACED}


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        # A group, a run and a split run go on otherwise once the joker is out.
        (["R7 B7 JK"], ["B7 K7 O7", "R7 R8 R9", "JK R11 R12"], "K7 O7 R8 R9 R11 R12"),
        (["R4 JK R6 R7"], ["R4 R5 R6", "R7 B7 K7", "JK B11 B12"], "R5 B7 K7 B11 B12"),
        (["R3 R4 JK R6 R7"], ["R3 R4 R5", "R5 R6 R7", "JK B11 B12"], "R5 R5 B11 B12"),
    ],
)
def test_a_turn_goes_step_by_step_and_a_set_is_free_once_its_joker_is_out(before, after, rack):
    assert turn(before, after, rack).is_legal


def test_a_tile_whose_set_lies_as_before_has_replaced_nothing():
    before = ["R3 JK R5", "R4 B4 K4"]
    after = ["R3 B3 K3", "R5 B5 K5", "JK B9 K9"]

    alone = turn(before, [*after, "R4 B4 K4"], "B3 K3 B5 K5 B9 K9")
    grown = turn(before, [*after, "R4 B4 K4 O4"], "B3 K3 B5 K5 B9 K9 O4")

    assert alone.broken == {Code.JOKER_NOT_REPLACED}
    assert grown.is_legal


def test_only_the_joker_that_nothing_replaced_is_named():
    # The black 5 is there; what the other joker stood for is not.
    ruling = turn(["B4 JK B6", "O4 JK O6"], ["B4 B5 B6", "O4 K4 R4", "O6 K6 R6", "JK JK K9"])

    (finding,) = ruling.findings
    assert finding.code is Code.JOKER_NOT_REPLACED
    assert finding.cards == tiles("O4 JK O6")


def test_a_tile_that_replaced_one_joker_did_not_replace_another():
    ruling = turn(
        ["R3 JK R5", "B4 K4 JK"],
        ["R3 R4 R5", "B4 B5 B6", "K4 K5 K6", "JK O9 O10", "JK K12 K13"],
    )

    (clause,) = clauses(ruling, RUMMIKUB)
    assert clause is RUMMIKUB.rulebook["step-by-step"]


def test_a_joker_that_still_stands_for_its_tile_was_not_retrieved():
    ruling = turn(["R5 JK R7"], ["B6 K6 JK", "R5 R6 R7"], "B6 K6 R6")

    assert ruling.is_legal
    assert "joker-stays" in codes(ruling)


@pytest.mark.parametrize("order", [1, -1])
def test_a_joker_that_stays_is_told_to_be_where_the_tiles_of_its_set_are(order):
    after = ["R3 JK R5 R6", "O4 JK B4 K4"]

    ruling = turn(["R3 JK R5", "JK B4 K4"], after[::order], "R6 O4")

    stays = [finding.cards for finding in ruling.findings if finding.code is Code.JOKER_STAYS]
    assert stays == [*map(tiles, after)]


def test_a_joker_that_stands_for_another_tile_at_the_other_end_was_retrieved():
    ruling = turn(["JK R5 R6"], ["R5 R6 JK", "B9 K9 O9"], "B9 K9 O9")

    assert ruling.broken == {Code.JOKER_NOT_REPLACED, Code.JOKER_NOT_IN_NEW_SET}


@pytest.mark.parametrize("added", ["R6 B6", "B6 R6"])
def test_what_replaced_a_joker_is_named_as_it_lies(added):
    """Twice the same question is twice the same answer, whatever order a set of Python has."""
    ruling = turn(
        ["K6 O6 JK"],
        [f"K6 O6 {added}", "B1 B2 JK"],
        "R6 B6 B1 B2",
        joker_group_of_three="both",
    )

    replaced = next(f for f in ruling.findings if f.code is Code.JOKER_REPLACED)
    assert replaced.cards == tiles(added)


def test_a_freed_joker_is_not_kept():
    ruling = turn(["R3 JK R5"], ["R3 R4 R5", "B9 K9 O9"], "R4 B9 K9 O9")

    assert ruling.broken == {Code.JOKER_KEPT}


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        (["R3 JK R5", "B6 B7 B8"], ["R3 R4 R5", "B6 B7 B8 JK"], "R4"),
        (["R3 JK R5", "B6 B7 B8", "B6 K6 R6"], ["R3 R4 R5", "B6 B7 B8 JK", "B6 K6 R6"], "R4"),
        (["R3 R4 JK"], ["JK R3 R4 R5"], "R5"),
        (["O1 JK O3", "R1 R2 R3", "R5 R6 R7"], ["O1 O2 O3", "R1 R2 R3 JK R5 R6 R7"], "O2"),
        # What is left of the old set is a set without the joker.
        (["O4 JK O6", "R9 B9 K9 O9"], ["O4 O5 O6", "R9 B9 K9 JK", "O9 O10 O11"], "O5 O10 O11"),
        (["O4 JK O6", "R5 R6 R7 R8"], ["O4 O5 O6", "R5 R6 R7 JK", "R8 B8 K8"], "O5 B8 K8"),
    ],
)
def test_a_freed_joker_makes_a_new_set_and_joins_none_that_was_there(before, after, rack):
    assert turn(before, after, rack).broken == {Code.JOKER_NOT_IN_NEW_SET}
    assert turn(before, after, rack, joker_reuse="anywhere").is_legal


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        # With tiles of the table; equal tiles, of which the old set keeps its own.
        (["O4 JK O6", "O9 B9 K9 R9"], ["O4 O5 O6", "R9 B9 K9", "O9 JK O11"], "O5 O11"),
        (["O4 JK O6", "B6 B7 B8"], ["O4 O5 O6", "B6 B7 B8", "B6 B7 B8 JK"], "O5 B6 B7 B8"),
        (["O4 JK O6", "B6 B7 B8 B9 B10"], ["O4 O5 O6", "B6 B7 B8", "B9 B10 JK"], "O5"),
        # A run that was split goes on in one part; two tiles of a set are no set.
        (["O4 JK O6", "B6 B7 B8 B9 B10 B11"], ["O4 O5 O6", "B6 B7 B8", "B9 B10 B11 JK"], "O5"),
        (["O4 JK O6", "R5 R6 R7"], ["O4 O5 O6", "R5 R6 JK", "R7 B7 K7"], "O5 B7 K7"),
    ],
)
def test_a_new_set_may_be_made_of_tiles_of_the_table(before, after, rack):
    assert turn(before, after, rack).is_legal


def test_which_of_two_jokers_moved_is_told_so_that_the_turn_is_right():
    before = ["B3 JK B5", "K7 JK K9"]

    assert turn(before, ["B3 JK B5", "K7 K8 K9", "O1 O2 JK"], "K8 O1 O2").is_legal
    assert turn(before, ["B3 B4 B5", "K7 JK K9", "O1 O2 JK"], "B4 O1 O2").is_legal
    assert turn(before, ["B3 B4 B5", "K7 K8 K9", "O1 JK JK"], "B4 K8 O1").is_legal


def test_a_joker_from_the_rack_may_go_to_any_set_while_that_of_the_table_stays():
    before = ["R3 JK R5", "B6 B7 B8"]

    assert turn(before, ["R3 JK R5", "B6 B7 B8 JK"], "JK").is_legal


def test_both_jokers_of_a_set_are_replaced_one_by_one():
    before = ["B3 JK JK B6"]

    assert turn(before, ["B3 B4 JK B6", "JK K8 K9"], "B4 K8 K9").is_legal
    assert turn(before, ["B3 B4 B5 B6", "JK K9 JK"], "B4 B5 K9").is_legal


def test_one_tile_does_not_replace_two_jokers():
    ruling = turn(["R5 R6 JK JK"], ["R4 R5 R6", "JK JK K9"], "R4 K9")

    assert ruling.broken == {Code.JOKER_NOT_REPLACED}


def test_an_open_joker_of_a_group_is_what_makes_the_turn_right():
    assert turn(["R8 B8 JK"], ["R8 B8 JK K8"], "K8").is_legal
    assert turn(["R8 B8 JK"], ["R8 B8 JK O8"], "O8").is_legal


# House rules on jokers.

REPLACED = (["R3 R4 JK"], ["R2 R3 R4", "B9 K9 JK"], "R2 B9 K9")
BY_THE_TILE = (["R3 R4 JK"], ["R3 R4 R5", "B9 K9 JK"], "R5 B9 K9")
FROM_TABLE = (["R3 JK R5", "R4 B4 K4 O4"], ["R3 R4 R5", "B4 K4 O4", "B9 K9 JK"], "B9 K9")
ONE_COLOUR = (["K6 O6 JK"], ["K6 O6 R6", "B1 B2 JK"], "R6 B1 B2")
BOTH_COLOURS = (["K6 O6 JK"], ["K6 O6 R6 B6", "B1 B2 JK"], "R6 B6 B1 B2")
TAKEN = (["JK R5 R6 R7"], ["R5 R6 R7", "B9 K9 JK"], "B9 K9")
ADDED_TO = (["R3 JK R5"], ["R2 R3 JK R5 R6"], "R2 R6")
OTHER_COPY = (["R3 JK R5", "R4 B4 K4"], ["R3 R4 R5", "R4 B4 K4", "B9 K9 JK"], "R4 B9 K9")


@pytest.mark.parametrize(
    ("play", "option", "value", "code"),
    [
        (REPLACED, "joker_replacement", "exact", Code.JOKER_WRONG_TILE),
        (BY_THE_TILE, "joker_replacement", "exact", None),
        (ONE_COLOUR, "joker_replacement", "exact", None),
        (FROM_TABLE, "joker_replacement_from", "rack", Code.JOKER_NOT_FROM_RACK),
        (BY_THE_TILE, "joker_replacement_from", "rack", None),
        (REPLACED, "joker_replacement_from", "rack", None),
        (OTHER_COPY, "joker_replacement_from", "rack", None),
        (ONE_COLOUR, "joker_group_of_three", "both", Code.JOKER_BOTH_COLOURS),
        (BOTH_COLOURS, "joker_group_of_three", "both", None),
        (TAKEN, "joker_retrieval", "free", None),
        (TAKEN, "joker_retrieval", "locked", Code.JOKER_LOCKED),
        (BY_THE_TILE, "joker_retrieval", "locked", Code.JOKER_LOCKED),
        (ADDED_TO, "joker_retrieval", "locked", None),
    ],
)
def test_a_house_rule_on_jokers_decides_and_is_named_as_the_ground(play, option, value, code):
    ruling = turn(*play, **{option: value})

    assert ruling.broken == ({code} if code else set())
    if code:
        (clause,) = clauses(ruling, RUMMIKUB, **{option: value})
        assert clause.basis is Basis.HOUSE


def test_two_house_rules_that_are_kept_alone_and_not_together_are_both_named():
    ruling = turn(
        ["K6 O6 JK", "B6 B7 B8 B9"],
        ["K6 O6 R6 B6", "B7 B8 B9", "B1 B2 JK"],
        "R6 B1 B2",
        joker_group_of_three="both",
        joker_replacement_from="rack",
    )

    assert ruling.broken == {Code.JOKER_BOTH_COLOURS, Code.JOKER_NOT_FROM_RACK}


def test_a_locked_set_is_not_reduced_even_where_the_joker_stays():
    ruling = turn(["R3 JK R5 R6"], ["R3 JK R5", "R6 B6 K6"], "B6 K6", joker_retrieval="locked")

    assert ruling.broken == {Code.JOKER_LOCKED}
    assert turn(["R3 JK R5 R6"], ["R3 JK R5", "R6 B6 K6"], "B6 K6").is_legal


def test_a_table_with_more_jokers_than_there_are_is_refused_without_much_work():
    ruling = turn(["R1 JK JK", "B1 JK JK"], ["R1 JK JK B1", "K1 JK JK"], "K1")

    assert ruling.broken == {Code.NOT_IN_PACK}


def test_where_jokers_come_out_freely_they_make_new_sets_all_the_same():
    before, after = ["JK R5 R6 R7", "B9 K9 R9"], ["R5 R6 R7 R8", "B9 K9 R9 JK"]

    free = turn(before, after, "R8", joker_retrieval="free")
    both = turn(before, after, "R8", joker_retrieval="free", joker_reuse="anywhere")

    assert free.broken == {Code.JOKER_NOT_IN_NEW_SET}
    assert both.is_legal


def replaced(ruling, **options):
    """What took the place of a joker, and the clause that says so."""
    (finding,) = [f for f in ruling.findings if f.code is Code.JOKER_REPLACED]
    clause = clauses(ruling, RUMMIKUB, **options)[ruling.findings.index(finding)]
    return " ".join(map(str, finding.cards)), clause.id


@pytest.mark.parametrize(
    ("after", "rack", "tile"),
    [
        # The one that lies with the rest of the set, then the very tile, then any.
        (["R3 R4 R5", "R6 B6 K6", "JK B9 K9"], "R3 R6 B6 K6 B9 K9", "R3"),
        (["R4 R5 R6 R7", "R3 B3 K3", "JK B9 K9"], "R6 R7 R3 B3 K3 B9 K9", "R6"),
        (["R3 R4 R5 R6", "JK B9 K9"], "R3 R6 B9 K9", "R6"),
        (["R4 B4 K4", "R5 B5 K5", "R6 B6 K6", "R3 B3 K3", "JK B9 K9"], None, "R6"),
    ],
)
def test_of_the_tiles_that_may_have_replaced_a_joker_the_likeliest_is_told(after, rack, tile):
    ruling = turn(["R4 R5 JK"], after, rack)

    assert ruling.is_legal
    assert replaced(ruling)[0] == tile


@pytest.mark.parametrize(
    ("before", "after", "options", "clause"),
    [
        (["R3 JK R5"], ["R3 R4 R5", "JK B9 K9"], {}, "retrieval"),
        (["R4 R5 JK"], ["R3 R4 R5", "JK B9 K9"], {}, "replacement"),
        (["R3 JK R5 R6"], ["R4 R5 R6", "R3 B3 K3", "JK B9 K9"], {}, "step-by-step"),
        (
            ["R3 JK R5"],
            ["R3 R4 R5", "JK B9 K9"],
            {"joker_replacement": "exact"},
            "house-joker-replacement",
        ),
        (
            ["R3 JK R5"],
            ["R3 R4 R5", "JK B9 K9"],
            {"joker_replacement_from": "rack"},
            "house-joker-replacement-from",
        ),
        (["R8 B8 JK"], ["R8 B8 K8", "JK B9 K9"], {}, "group-of-three"),
    ],
)
def test_the_clause_is_named_by_which_a_tile_replaced_a_joker(before, after, options, clause):
    ruling = turn(before, after, **options)

    assert ruling.is_legal
    assert replaced(ruling, **options)[1] == clause


def test_a_tile_that_lies_with_the_rest_replaced_the_joker_wherever_its_twin_lies():
    ruling = turn(["O4 K4 JK"], ["B4 K4 O4", "JK B4 R4"], "B4 B4 R4")

    assert replaced(ruling)[0] == "B4"


def test_a_replacement_is_told_of_each_house_rule_that_it_breaks():
    before, after = ["R4 R5 JK", "R3 B3 K3 O3"], ["R3 R4 R5", "B3 K3 O3", "O8 O9 JK"]
    rules = {"joker_replacement": "exact", "joker_replacement_from": "rack"}
    told = turn(before, after, "O8 O9", **rules)

    assert codes(told) >= {"joker-wrong-tile", "joker-not-from-rack"}


def test_the_tile_that_alone_would_replace_a_joker_is_named():
    ruling = turn(*REPLACED, joker_replacement="exact")

    assert "red 5" in ruling.findings[0].says


def test_a_part_of_a_set_goes_on_only_where_it_is_a_set_by_itself():
    # 5, 7 and 8 of the old run are none without the 6 that is new.
    assert turn(["B4 B5 JK B7 B8"], ["B5 B6 B7 B8 JK", "B4 K4 O4"], "B6 K4 O4").is_legal
