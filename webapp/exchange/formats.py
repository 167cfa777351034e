"""The kinds of files that games can be exported as."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from webapp.db import Database
from webapp.exchange.choice import Selection
from webapp.exchange.tables import write_rounds, write_totals
from webapp.exchange.writing import write_book


class FileKind(NamedTuple):
    """A kind of file."""

    write: Callable[[Database, Selection], Iterator[str]]
    mimetype: str
    ending: str


KINDS: Final[Mapping[str, FileKind]] = {
    "book": FileKind(write_book, "application/x-ndjson", ".jsonl"),
    "totals": FileKind(write_totals, "text/csv", "totals.csv"),
    "rounds": FileKind(write_rounds, "text/csv", "rounds.csv"),
}
"""The kinds by the name that people choose."""
