"""Values as a form shows them in one line, and reads them back.

What cannot be read stays as it was typed: it is complained of at its field, and nothing is lost.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from webapp.services.text import clean_text

LONGEST: Final = 2000
"""Letters of one field."""
_NUMBER: Final = re.compile(r"[-−]?[0-9]{1,7}", re.ASCII)
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def whole(text: str) -> int | str:
    """A whole number, or the text where it is none."""
    plain = clean_text(text[:LONGEST])
    return int(plain.replace("−", "-")) if _NUMBER.fullmatch(plain) else plain


def words(text: str) -> list[str]:
    """Words between commas."""
    return [word for word in (clean_text(each) for each in text[:LONGEST].split(",")) if word]


def by_players(text: str) -> Any:  # noqa: ANN401 - as it is checked later
    """A number, or one by players: "2-4: 2, 5-6: 3"."""
    if ":" not in text:
        return whole(text)
    parts = [part.partition(":") for part in words(text)]
    return {clean_text(players): whole(number) for players, _, number in parts}


def show_by_players(value: object) -> str:
    """A number by players as it is typed."""
    if isinstance(value, dict):
        return ", ".join(f"{players}: {number}" for players, number in value.items())
    return str(value)


def value(text: str) -> Any:  # noqa: ANN401 - as above
    """A value as a file of a game has it: {drop = {points = 20}}."""
    try:
        return tomllib.loads(f"v = {text[:LONGEST].strip()}")["v"]
    except (ValueError, RecursionError, KeyError):
        return clean_text(text[:LONGEST])


def show(given: object) -> str:
    """A value as a file of a game has it."""
    match given:
        case bool():
            return "true" if given else "false"
        case str():
            return json.dumps(given, ensure_ascii=False)
        case list():
            return f"[{', '.join(map(show, given))}]"
        case dict():
            return f"{{{_lines(given)}}}"
    return str(given)


def _lines(table: Mapping[str, object]) -> str:
    return ", ".join(
        f"{key if _BARE.fullmatch(key) else show(key)} = {show(part)}"
        for key, part in table.items()
    )
