"""Seasons: a year (2026), a month (202611), or 0 for all time."""

from collections.abc import Iterable, Iterator
from typing import Final

from webapp.language import say
from webapp.text.formatting import say_month

ALL_TIME: Final = 0
_DECEMBER: Final = 12
_MONTHS: Final = 10_000
"""Numbers above this are months."""


def is_month(season: int) -> bool:
    """Return whether a season is a month."""
    return season > _MONTHS


def months_of(season: int) -> tuple[int, int]:
    """Return the first and the last month of a season (202611); all time is from 0 to 999999."""
    if season == ALL_TIME:
        return 0, 999_999
    if is_month(season):
        return season, season
    return 100 * season + 1, 100 * season + _DECEMBER


def say_season(season: int) -> str:
    """Return a season in words: "All time", "2026", "November 2026"."""
    if season == ALL_TIME:
        return say("standings.all-time")
    year, month = divmod(season, 100)
    if is_month(season) and 1 <= month <= _DECEMBER:
        return say("dates.month-of", month=say_month(month), year=year)
    return str(season)


def seasons_of(months: Iterable[int], season: int) -> Iterator[tuple[int, str]]:
    """Yield the seasons to choose from while one is shown, each with its words.

    They are all time, the years, and the months of the year that is shown. `months` are those with
    games, the latest first.
    """
    months = list(months)
    shown = season // 100 if is_month(season) else season
    yield ALL_TIME, say_season(ALL_TIME)
    for year in dict.fromkeys((*(month // 100 for month in months), *([shown] if shown else []))):
        yield year, str(year)
        if year == shown:
            its = [month for month in months if month // 100 == year]
            for month in dict.fromkeys((*its, *([season] if is_month(season) else []))):
                yield month, say_month(month % 100) if month in its else say_season(month)


def season_before(months: Iterable[int], season: int) -> tuple[int, int] | None:
    """Return a season and the latest one of its kind before it, both with games.

    For all time they are the latest year and the one before. None if the season or all earlier ones
    have no games. `months` are those with games, the latest first.
    """
    parts = list(dict.fromkeys(m if is_month(season) else m // 100 for m in months))
    of = parts[0] if season == ALL_TIME and parts else season
    before = next((part for part in parts if part < of), None)
    return (of, before) if before is not None and of in parts else None
