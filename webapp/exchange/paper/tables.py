"""Games out of a table: a line for each game, or one for each player of each game."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from webapp.exchange.paper.games import Cell, Part, Written
from webapp.exchange.paper.sheets import Row, SheetRefusedError
from webapp.services.roster import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webapp.exchange.paper.sheets import Sheet

TEMPLATE: Final = (
    "\ufeffdate,game,winner,Ana,Ben,Cleo\r\n"
    "2025-12-27,Mexican Rummy,Ana,120,185,\r\n"
    "2025-12-28,Mexican Rummy,,210,95,160\r\n"
)
"""A table to be filled in, with two games in it that show how."""

_NAMES: Final[Mapping[str, str]] = {
    name: meaning
    for meaning, names in {
        "date": "date day played datum tag",
        "time": "time hour uhrzeit zeit",
        "game": "game variant spiel",
        "id": "id number no nr #",
        "player": "player name players spieler",
        "total": "total points score result punkte summe gesamt ergebnis",
        "won": "won winner winners win sieger gewinner gewonnen",
        "place": "place rank position platz rang",
        "state": "state",
        "": "rounds note notes comment comments location where duration minutes runden notiz "
        "notizen bemerkung bemerkungen ort dauer",
    }.items()
    for name in names.split()
}
"""What columns are called, and what they are; the last ones are not read."""

_YES: Final = frozenset(
    {"1", "yes", "y", "true", "x", "won", "win", "★", "*", "✓", "ja", "j", "wahr"}
)


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a table are, by their place from 0."""

    known: Mapping[str, int]
    players: tuple[int, ...]
    """Those that are players; none where each line is one player."""
    unread: tuple[str, ...] = field(default=())

    @property
    def says(self) -> str:
        """What a line is."""
        return "a line for each game" if self.players else "a line for each game and player"


def read_columns(sheet: Sheet) -> Columns:
    """What the columns are, by their names; raises SheetRefusedError."""
    known: dict[str, int] = {}
    others: list[int] = []
    unread: list[str] = []
    for place, name in enumerate(sheet.head.cells):
        meaning = _NAMES.get(fold_name(name))
        if meaning is None:
            others.append(place)
        elif not meaning or meaning in known:
            unread.append(name)
        else:
            known[meaning] = place
    for needed, example in (("date", "2026-11-22"), ("game", "Mexican Rummy")):
        if needed not in known:
            raise SheetRefusedError(
                f"Line {sheet.head.line} has no column called “{needed}” (as {example}). The first "
                "line names the columns; the template shows how."
            )
    if "player" in known and "total" in known:
        unread += [sheet.head.cells[place] for place in others if sheet.head.cells[place]]
        return Columns(known, (), tuple(unread))
    players = [place for place in others if sheet.head.cells[place]]
    seen: dict[str, int] = {}
    for place in players:
        first = seen.setdefault(fold_name(sheet.head.cells[place]), place)
        if first != place:
            raise SheetRefusedError(
                f"Line {sheet.head.line}: {sheet.column(first)} and {sheet.column(place)} have the "
                "same name."
            )
    if not players:
        raise SheetRefusedError(
            f"Line {sheet.head.line} names no player: there is no column called “player” and "
            "“total”, and none with the name of somebody."
        )
    return Columns(known, tuple(players), tuple(unread))


def dates_of(sheet: Sheet, columns: Columns) -> Iterator[tuple[int, str]]:
    """The dates of a table, each with its line."""
    for row in sheet.rows:
        yield row.line, row.cells[columns.known["date"]]


def read_games(sheet: Sheet, columns: Columns) -> Iterator[Written]:
    """The games of a table as they stand there."""
    if columns.players:
        yield from (_read_line(sheet, columns, row) for row in sheet.rows)
        return
    for rows in _groups(sheet, columns):
        yield _read_group(sheet, columns, rows)


def _read_line(sheet: Sheet, columns: Columns, row: Row) -> Written:
    parts = tuple(
        Part(
            Cell(f"Line {sheet.head.line}, {sheet.column(place)}", sheet.head.cells[place]),
            _cell(sheet, row, place),
            won=None,
        )
        for place in columns.players
        if row.cells[place]
    )
    won = columns.known.get("won")
    winners = None if won is None else _cell(sheet, row, won)
    return _written(sheet, columns, row, parts, winners)


def _read_group(sheet: Sheet, columns: Columns, rows: list[Row]) -> Written:
    player, total = columns.known["player"], columns.known["total"]
    parts = tuple(
        Part(_cell(sheet, row, player), _cell(sheet, row, total), _is_winner(columns, row))
        for row in rows
    )
    return _written(sheet, columns, rows[0], parts, None)


def _written(
    sheet: Sheet, columns: Columns, row: Row, parts: tuple[Part, ...], winners: Cell | None
) -> Written:
    return Written(
        line=row.line,
        date=_cell(sheet, row, columns.known["date"]),
        hour=_text(columns, row, "time"),
        game=_cell(sheet, row, columns.known["game"]),
        parts=parts,
        winners=winners,
        # As Laydown itself writes it.
        goes_on=_text(columns, row, "state") == "in progress",
    )


def _groups(sheet: Sheet, columns: Columns) -> Iterator[list[Row]]:
    """The lines of each game: one after the other, of one id, or of one day and game.

    Where somebody comes a second time, another game has begun.
    """

    def of(row: Row) -> object:
        return _text(columns, row, "id") or (
            *(_text(columns, row, name) for name in ("date", "time", "game")),
        )

    if not sheet.rows:
        return
    group, seen = [sheet.rows[0]], {_who(columns, sheet.rows[0])}
    for before, row in pairwise(sheet.rows):
        who = _who(columns, row)
        if of(before) != of(row) or (who in seen and not _text(columns, row, "id")):
            yield group
            group, seen = [], set()
        group.append(row)
        seen.add(who)
    yield group


def _who(columns: Columns, row: Row) -> str:
    return fold_name(_text(columns, row, "player"))


def _is_winner(columns: Columns, row: Row) -> bool | None:
    """Whether a line says that its player has won; None where it does not say."""
    won = _text(columns, row, "won").casefold()
    if "won" in columns.known:
        return won in _YES or (bool(won) and fold_name(won) == _who(columns, row))
    return _text(columns, row, "place").rstrip(".") == "1" if "place" in columns.known else None


def _text(columns: Columns, row: Row, name: str) -> str:
    place = columns.known.get(name)
    return "" if place is None else row.cells[place]


def _cell(sheet: Sheet, row: Row, place: int) -> Cell:
    return Cell(f"Line {row.line}, {sheet.column(place)}", row.cells[place])
