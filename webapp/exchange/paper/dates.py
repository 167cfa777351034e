"""Dates as people write them: 2026-11-22, 22.11.2026, 22/11/2026, 11/22/2026.

Whether the day or the month comes first in the last two is said by no single date of a day up to
the twelfth: the whole column decides, or whoever brings the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time
from enum import Enum
from typing import TYPE_CHECKING, Final

from webapp.exchange.lines import FIRST_YEAR
from webapp.models import utcnow

if TYPE_CHECKING:
    from collections.abc import Iterable

NOON: Final = time(12)
"""When a game began of which only the day is known: it is the same day nearly everywhere."""

_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", re.ASCII)
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})", re.ASCII)
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?", re.ASCII)
_MONTHS: Final = 12
_CENTURY: Final = 100


class Order(Enum):
    """Which comes first in dates with strokes."""

    DAY = "day"
    MONTH = "month"


class DateRefusedError(ValueError):
    """This is no date."""


@dataclass(frozen=True, slots=True)
class Column:
    """What all dates of a column say of their order."""

    order: Order | None
    """None where it is not known, or does not matter."""
    is_open: bool = False
    """Whether it matters, and somebody has to say."""
    told_by: int = 0
    """The line that tells the order; 0 where none does."""
    example: str = ""
    """A date that could be read two ways."""


def look_at(dates: Iterable[tuple[int, str]], asked: Order | None = None) -> Column:
    """What the dates of a column, each with its line, say of their order; `asked` is what was said.

    Where a line tells one order and another line the other, the first is believed, and the other
    cannot be read.
    """
    example = ""
    for line, text in dates:
        found = _YEAR_LAST.match(text)
        if not found or found[2] == ".":
            continue
        first, second = int(found[1]), int(found[3])
        if first > _MONTHS >= second:
            return Column(Order.DAY, told_by=line)
        if second > _MONTHS >= first:
            return Column(Order.MONTH, told_by=line)
        if first != second:
            example = example or found[0]
    if asked:
        return Column(asked)
    return Column(None, is_open=bool(example), example=example)


def read_date(text: str, hour: str, order: Order | None) -> datetime:
    """When a game was begun, here: a date, and an hour where it is written; else at noon.

    Raises DateRefusedError, a sentence.
    """
    found = _YEAR_FIRST.match(text)
    if found:
        year, month, day = int(found[1]), int(found[3]), int(found[4])
    else:
        found = _YEAR_LAST.match(text)
        if not found:
            raise DateRefusedError(f"“{text[:40]}” is no date. Write 2026-11-22 or 22.11.2026.")
        day, month, year = int(found[1]), int(found[3]), int(found[4])
        if found[2] != "." and order is Order.MONTH:
            day, month = month, day
        year = _whole_year(year, len(found[4]))
    rest = text[found.end() :].lstrip(" T,")
    if rest and not _TIME.match(rest):
        raise DateRefusedError(f"“{text[:40]}” is no date. Write 2026-11-22 or 22.11.2026.")
    if year < FIRST_YEAR:
        raise DateRefusedError(f"{year} is too long ago.")
    try:
        begun = datetime.combine(datetime(year, month, day), _read_hour(hour or rest)).astimezone()  # noqa: DTZ001 - the clock here
    except (ValueError, OverflowError, OSError):
        raise DateRefusedError(f"There is no day “{text[:40]}”.") from None
    now = utcnow()
    if begun.date() > now.astimezone().date():
        raise DateRefusedError(f"{text[:40]} is still to come.")
    return min(begun, now)


def _whole_year(year: int, digits: int) -> int:
    """A year of two digits is one of the last hundred."""
    if digits > 2:  # noqa: PLR2004 - as it is written
        return year
    now = utcnow().year
    year += now - now % _CENTURY
    return year if year <= now else year - _CENTURY


def _read_hour(text: str) -> time:
    if not text.strip():
        return NOON
    found = _TIME.match(text.strip())
    try:
        return time(int(found[1]), int(found[2])) if found else NOON
    except ValueError:
        return NOON
