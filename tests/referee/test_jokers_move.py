"""A joker on a table of tiles that moves over in its run, where that is the rule of the table."""

import pytest

from referee import Moment, Rearrange, rule_on, variants
from referee.advice import advise
from referee.rulings import Code

MOVES = {"/wild.moves": True}


def turn(before, after, rack, **options):
    tiles = variants.get("rummikub")
    game = tiles.with_options({**options, **MOVES})

    def melds(table):
        return tuple(game.pack.parse(meld) for meld in table.split(" / "))

    play = Rearrange(before=melds(before), after=melds(after), rack=game.pack.parse(rack))
    return [rule_on(play, each) for each in (tiles.with_options(options), game)]


@pytest.mark.parametrize("options", [{}, {"/rearrange.retrieval": "locked"}], ids=str)
@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        ("R3 R4 R5 JK", "R3 R4 R5 R6 JK", "R6"),
        ("R3 R4 R5 JK", "JK R3 R4 R5 R6", "R6"),
        ("R3 JK R5 R6", "R3 R4 R5 R6 JK", "R4"),
        ("R3 R4 R5 JK / B1 B2 B3 B4", "R3 R4 R5 R6 R7 JK / B1 B2 B3 B4", "R6 R7"),
    ],
)
def test_a_joker_moves_over_when_the_tile_it_stands_for_is_added(before, after, rack, options):
    stays, moves = turn(before, after, rack, **options)

    assert not stays.is_legal or Code.JOKER_REPLACED in {each.code for each in stays.findings}
    assert moves.is_legal
    assert Code.WILD_MOVED in {each.code for each in moves.findings}


@pytest.mark.parametrize(
    ("before", "after", "rack"),
    [
        # The tile that it stands for is not there.
        ("R3 R4 R5 JK", "R2 R3 R4 R5 / JK K9 K10", "R2 K9 K10"),
        # It leaves its run.
        ("R3 R4 R5 JK / B7 B8 B9", "R3 R4 R5 R6 / B7 B8 B9 JK", "R6"),
        # Its run is split.
        ("R3 R4 R5 JK", "R3 R4 JK / R5 R6 R7", "R6 R7"),
    ],
)
def test_elsewhere_a_joker_needs_what_it_needed(before, after, rack):
    stays, moves = turn(before, after, rack)

    assert moves.is_legal is stays.is_legal
    assert moves.broken == stays.broken
    assert Code.WILD_MOVED not in {each.code for each in moves.findings}


def test_advice_isn_t_sure_where_a_joker_on_the_table_may_move_over():
    game = variants.get("rummikub")
    table, rack = [game.pack.parse("R3 R4 R5 JK")], game.pack.parse("R6 K1")

    for options, sure in (({"/rearrange.retrieval": "locked"}, True), (MOVES, False)):
        advice = advise(game.with_options(options), Moment(None), rack, table=table)
        assert advice.decided is sure
