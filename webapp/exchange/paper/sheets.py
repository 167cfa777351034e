"""A file as a table of texts: its letters, what stands between its cells, its columns."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from webapp.exchange.tables import FORMULA
from webapp.services.refusals import RefusedError
from webapp.services.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_COLUMNS: Final = 200
LONGEST_CELL: Final = 500
"""Characters; what is longer is cut."""

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""How a file begins that says itself how its letters are written."""

_BETWEEN: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_SAID: Final = re.compile(r"sep=([,;|\t])\r?\n", re.IGNORECASE)
"""The line in which Excel says what stands between cells."""

_DEFUSED: Final = re.compile(f"'(?={FORMULA})")
"""The apostrophe before a text that a spreadsheet program would work out."""


class SheetRefusedError(RefusedError):
    """This file is no table."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table that is not empty."""

    line: int
    """Its number in the file, from 1."""
    cells: tuple[str, ...]
    """As many as the table has columns."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as it was read."""

    head: Row
    rows: tuple[Row, ...]
    says: str
    """How it was read: "semicolons, Latin-1"."""

    def column(self, place: int) -> str:
        """A column as it is named to people: "column C, “Ana”"."""
        name = self.head.cells[place]
        return f"column {letters_of(place)}{f', “{name}”' if name else ''}"


def read_sheet(content: bytes) -> Sheet:
    """The table in a file; raises SheetRefusedError, a sentence."""
    text, letters = _decode(content)
    said = _SAID.match(text)
    first = text[said.end() :] if said else text
    between = said[1] if said else _find_separator(first)
    rows = list(_rows(text, between, skip=bool(said)))
    if not rows:
        raise SheetRefusedError("There is nothing in this file.")
    width = len(rows[0].cells)
    while width > 1 and not rows[0].cells[width - 1]:
        width -= 1
    if width > MOST_COLUMNS:
        raise SheetRefusedError(f"Line 1 has {width} columns. {MOST_COLUMNS} are the most.")
    fitted = tuple(Row(row.line, (*row.cells, *[""] * width)[:width]) for row in rows)
    says = f"{_BETWEEN.get(between, f'“{between}” between the cells')}, {letters}"
    return Sheet(fitted[0], fitted[1:], says)


def letters_of(place: int) -> str:
    """A column, from 0, as spreadsheet programs name it: "A", "AB"."""
    found = ""
    number = place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def _decode(content: bytes) -> tuple[str, str]:
    """The text of a file, and how its letters were written."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            try:
                return content.decode(codec), codec.upper().replace("-SIG", "")
            except UnicodeDecodeError:
                raise SheetRefusedError("The letters of this file cannot be read.") from None
    try:
        return content.decode(), "UTF-8"
    except UnicodeDecodeError:
        pass
    # As Excel writes it in the West; five of its bytes stand for nothing there.
    try:
        return content.decode("cp1252"), "Latin-1"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "Latin-1"


def _find_separator(text: str) -> str:
    """What stands between the cells of the first line that is not empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return max(_BETWEEN, key=bare.count)


def _rows(text: str, between: str, *, skip: bool) -> Iterator[Row]:
    if "\0" in text:
        raise SheetRefusedError("There is a letter in this file that cannot be kept.")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    before = 0
    try:
        for cells in reader:
            # A cell may go over some lines: the line is that in which the row begins.
            line, before = before + 1, reader.line_num
            cleaned = tuple(map(_clean, cells))
            if any(cleaned) and not (skip and line == 1):
                yield Row(line, cleaned)
    except csv.Error as error:
        raise SheetRefusedError(f"Line {reader.line_num}: this is no table ({error}).") from error


def _clean(cell: str) -> str:
    plain = clean_text(cell[:LONGEST_CELL])
    return _DEFUSED.sub("", plain, count=1) if plain.startswith("'") else plain
