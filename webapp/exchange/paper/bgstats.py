"""Games out of an export of BG Stats: one JSON object with the lists `games`, `players`, `plays`.

Nobody publishes a description of it; this is the shape that its files have. A play names its game
and its players by their ids: `gameRefId`, `playDate` ("2026-11-22 20:15:00", by the clock there),
and `playerScores` with `playerRefId`, `score` (a text, which may be a sum) and `winner`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from webapp.exchange.paper.games import Cell, Part, Written
from webapp.exchange.paper.sheets import SheetRefusedError
from webapp.services.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_LISTS: Final = ("games", "players", "plays")
_LONGEST: Final = 200


def is_bgstats(content: bytes) -> bool:
    """Whether a file can be an export of BG Stats: it begins as a JSON object."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def read_plays(content: bytes) -> list[Written]:
    """The plays of an export as they stand there; raises SheetRefusedError, a sentence."""
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise SheetRefusedError("This file begins like JSON, and cannot be read as JSON.") from None
    if not isinstance(found, dict) or not all(isinstance(found.get(of), list) for of in _LISTS):
        raise SheetRefusedError(
            "This file is neither a book of Laydown nor an export of BG Stats: there are no games, "
            "players and plays in it."
        )
    games = dict(_named(found["games"]))
    players = dict(_named(found["players"]))
    plays = (each for each in enumerate(found["plays"], 1) if isinstance(each[1], dict))
    return [_read(number, play, games, players) for number, play in plays]


def _read(number: int, play: dict[str, Any], games: Any, players: Any) -> Written:  # noqa: ANN401 - JSON
    at = f"Play {number}"
    scores = play.get("playerScores")
    scores = [each for each in scores if isinstance(each, dict)] if isinstance(scores, list) else []
    day, _, hour = _text(play.get("playDate")).partition(" ")
    names = [players.get(_id(each.get("playerRefId")), "") for each in scores]
    marked = any(each.get("winner") is True for each in scores)
    return Written(
        line=number,
        date=Cell(f"{at}, date", day),
        hour=hour,
        game=Cell(f"{at}, game", games.get(_id(play.get("gameRefId")), "")),
        parts=tuple(
            Part(
                Cell(f"{at}, player {count}", name),
                Cell(f"{at}, score of {name or f'player {count}'}", _score(each.get("score"))),
                won=each.get("winner") is True if marked else None,
            )
            for count, (name, each) in enumerate(zip(names, scores, strict=True), 1)
        ),
        winners=None,
        goes_on=play.get("ignored") is True,
    )


def _named(rows: list[Any]) -> Iterator[tuple[object, str]]:
    for row in rows:
        if isinstance(row, dict):
            yield _id(row.get("id")), _text(row.get("name"))


def _id(value: object) -> object:
    return value if isinstance(value, (int, str)) else None


def _score(value: object) -> str:
    """A score as a text; BG Stats writes one that was never entered as nothing, or as "null"."""
    text = str(value) if isinstance(value, int) else _text(value)
    return "" if text == "null" else text


def _text(value: object) -> str:
    return clean_text(value[:_LONGEST]) if isinstance(value, str) else ""
