"""Which copies are kept: all of the last day, then one a day, one a week, one a month."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

DAYS, WEEKS, MONTHS = 7, 8, 12
"""For how many of each the last copy is kept, those without a copy not counted."""

FRESH: Final = timedelta(days=1)
LATEST: Final = 10
"""Of the last day no more than so many: an evening has few games."""


def worth_keeping(taken: Iterable[datetime], now: datetime) -> frozenset[datetime]:
    """Of the times at which copies were taken, those whose copies are kept.

    Days, weeks and months are those of the clock that the times are told by. The latest copy is
    always kept, however old it is.
    """
    times = sorted(taken, reverse=True)
    fresh = [time for time in times if now - time < FRESH]
    return frozenset(
        [
            *fresh[:LATEST],
            *_last_of_each(times, lambda time: time.date().toordinal(), DAYS),
            *_last_of_each(times, lambda time: time.isocalendar()[:2], WEEKS),
            *_last_of_each(times, lambda time: (time.year, time.month), MONTHS),
        ]
    )


def _last_of_each(
    times: Iterable[datetime], span: Callable[[datetime], object], most: int
) -> Iterable[datetime]:
    """The last of each span of time, for as many spans as are kept; `times` are latest first."""
    last: dict[object, datetime] = {}
    for time in times:
        last.setdefault(span(time), time)
    return list(last.values())[:most]
