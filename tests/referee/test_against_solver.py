"""What a Rummikub solver by others proposes is a legal turn; all thousand by `tests.solver`."""

import pytest

from tests.solver import compare, positions


@pytest.mark.slow
def test_every_turn_that_a_solver_proposes_is_legal():
    tally = compare(positions(200))

    assert tally.refused == []
    assert tally.accepted >= 190
