"""Which backups are kept: all of the last day, then one a day, one a week, one a month."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from webapp.keeping.backups import worth_keeping

NOW = datetime(2026, 11, 22, 22, tzinfo=UTC)


def test_the_backups_of_a_year_are_thinned_out() -> None:
    taken = [NOW - timedelta(hours=hours) for hours in range(2, 24 * 400, 6)]

    kept = sorted(worth_keeping(taken, NOW), reverse=True)

    assert {time.date() for time in kept} >= {
        (NOW - timedelta(days=day)).date() for day in range(7)
    }
    assert len({time.isocalendar()[:2] for time in kept}) >= 8
    assert len({(time.year, time.month) for time in kept}) == 12
    assert len(kept) <= 4 + 7 + 8 + 12


@given(st.lists(st.integers(0, 24 * 500), min_size=1, unique=True))
def test_the_latest_backup_is_always_kept_and_few_beside_it(hours: list[int]) -> None:
    taken = [NOW - timedelta(hours=each) for each in hours]

    kept = worth_keeping(taken, NOW)

    assert max(taken) in kept
    assert kept <= set(taken)
    assert len(kept) <= 10 + 7 + 8 + 12


@given(st.lists(st.integers(0, 24 * 500), min_size=1, unique=True))
def test_thinning_out_twice_takes_no_more(hours: list[int]) -> None:
    kept = worth_keeping([NOW - timedelta(hours=each) for each in hours], NOW)

    assert worth_keeping(kept, NOW) == kept
