"""What the referee may cost: a start, its tables, and the worst that can be asked of it.

Limits are in milliseconds of the machine that they were set on (`tests.yardstick`).
"""

import time

import pytest

from referee import variants
from referee.advice import no_advice
from tests import positions
from tests.bench import fresh
from tests.examples import examples
from tests.yardstick import milliseconds

pytestmark = [pytest.mark.timed, pytest.mark.release]


@pytest.fixture(scope="module")
def started():
    """What processes took that have just started and asked for advice on every game.

    One is enough, unless the machine was busy with something else just then.
    """
    measured = fresh.measure(1)
    return measured if is_well(measured) else fresh.measure()


def is_well(started):
    return (
        started.imported / 1000 < milliseconds(60)
        and started.whole / 1000 < milliseconds(400)
        and max(started.tables.values()) / 1000 < milliseconds(30)
    )


def test_importing_the_referee_takes_60_ms_at_most(started):
    assert started.imported / 1000 < milliseconds(60)
    # With the questions, all advice and every game, which is read and built for it.
    assert started.whole / 1000 < milliseconds(400)


def test_the_tables_of_a_game_take_30_ms_at_most_and_are_built_by_the_first_advice(started):
    assert len(started.tables) == sum(not no_advice(game) for game in variants.all())
    assert max(started.tables.values()) / 1000 < milliseconds(30)


def test_advice_adds_20_mb_at_most(started):
    assert started.grown < 20


@pytest.mark.parametrize(
    "game", [game for game in variants.all() if not no_advice(game)], ids=lambda game: game.slug
)
def test_advice_takes_150_ms_at_most_with_every_wild_there_is(game):
    for held in positions.adversarial(game, 60, examples(4 * max(6, len(game.contracts)))):
        once = (_timed(lambda: held.ask(game)) for _ in range(2))  # noqa: B023 - run at once
        assert any(taken < milliseconds(150) for taken in once), held


def _timed(work):
    started = time.process_time()
    work()
    return time.process_time() - started
