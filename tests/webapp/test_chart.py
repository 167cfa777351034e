"""The chart of running totals: whoever plays, and for how long, it can be read."""

from itertools import pairwise

import pytest

from webapp.models import MOST_SEATS
from webapp.pages.scorepad.chart import LABEL, NUMBER, WIDTH, Curve, lay_out_chart


def level(players: int, rounds: int = 3):
    """The curves of a game in which all are close together."""
    return [Curve(name=f"P{n}", totals=(n,) * rounds) for n in range(players)]


def test_a_line_goes_through_the_total_of_every_round():
    chart = lay_out_chart([Curve(name="Ana", totals=(0, 75)), Curve(name="Ben", totals=(50, 150))])

    assert [line.path for line in chart.lines] == ["0,150 66,100 132,0", "0,150 66,150 132,75"]
    assert [(line.of.name, line.of.total) for line in chart.lines] == [("Ben", 150), ("Ana", 75)]
    assert chart.levels == ((150, 0), (0, 150))
    assert chart.columns == ((1, 66), (2, 132))


def test_below_nought_is_below():
    chart = lay_out_chart([Curve(name="Ana", totals=(-50,)), Curve(name="Ben", totals=(50,))])

    assert chart.levels == ((50, 0), (-50, 150))
    assert [line.y for line in chart.lines] == [0, 150]


@pytest.mark.parametrize("players", range(1, MOST_SEATS + 1))
@pytest.mark.parametrize("apart", [0, 1, 100])
def test_no_name_covers_another(players, apart):
    curves = [Curve(name=f"P{n}", totals=(apart * n,)) for n in range(players)]
    chart = lay_out_chart(curves)

    places = [line.label_y for line in chart.lines]
    assert all(below - above >= LABEL for above, below in pairwise(places))
    assert 0 <= places[0] <= places[-1] <= chart.height
    assert {line.of.name for line in chart.lines} == {curve.name for curve in curves}


@pytest.mark.parametrize("rounds", [1, 6, 9, 10, 30, 99, 1999])
def test_no_number_of_a_round_covers_another(rounds):
    chart = lay_out_chart(level(2, rounds))

    assert all(right - left >= NUMBER for (_, left), (_, right) in pairwise(chart.columns))
    assert chart.columns
    assert all(x <= WIDTH for _, x in chart.columns)


def test_a_game_without_a_round_has_no_lines_that_lead_anywhere():
    chart = lay_out_chart(level(2, 0))

    assert [line.path for line in chart.lines] == ["0,150", "0,150"]
    assert chart.columns == ()
