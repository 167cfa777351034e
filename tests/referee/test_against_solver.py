"""A Rummikub solver by others: its turns are legal, and ours play as many tiles.

What it brings along (scipy, cvxpy) is fetched and imported for these tests alone.
"""

from functools import cache
from importlib import import_module

import pytest

from referee import variants
from tests.examples import examples

pytestmark = [pytest.mark.slow, pytest.mark.release]


@cache
def solver():
    return import_module("tests.solver")


def test_every_turn_that_a_solver_proposes_is_legal():
    tally = solver().compare(solver().positions(60))

    assert tally.refused == []
    assert tally.accepted >= 57


def test_there_are_as_many_sets_as_others_have_counted():
    # 1173 with up to two jokers and up to five tiles: the test suite of gregorias/rummikubsolver
    # has the same number. Without jokers: 5 groups a number, runs of 3, 4 and 5 a colour.
    assert len(solver().every_set()) == 1173
    assert sum("JK" not in some for some in solver().every_set()) == 13 * 5 + 4 * (11 + 10 + 9)


def test_as_many_tiles_are_played_as_a_solver_plays():
    differing = solver().differences(solver().positions(examples(150)))

    wrong = [one for one in differing if one.ours != one.truth]
    assert wrong == []
    # The other one is wrong in these: it leaves out sets with a joker that is not needed, and its
    # engine now and then calls a position impossible.
    assert all(one.theirs < one.truth for one in differing)
    assert len(differing) <= 5


def test_as_many_tiles_are_played_as_an_integer_program_says():
    variant = variants.get("rummikub").with_options(solver().SOLVED_UNDER)
    for position in solver().positions(examples(25), seed=1):
        advice = position.held.ask(variant)
        assert advice.decided
        assert len(advice.turn.played if advice.turn else ()) == solver().most_tiles(position)
