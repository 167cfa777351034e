"""Partners sit alternately."""

import pytest

from referee.teams import teams


@pytest.mark.parametrize(
    ("players", "size", "seats"),
    [
        (4, 2, ((0, 2), (1, 3))),
        (6, 3, ((0, 2, 4), (1, 3, 5))),
        (6, 2, ((0, 3), (1, 4), (2, 5))),
        (3, 1, ((0,), (1,), (2,))),
    ],
)
def test_partners_sit_alternately(players, size, seats):
    assert teams(players, size) == seats
    for team, members in enumerate(seats):
        assert {seat % len(seats) for seat in members} == {team}
