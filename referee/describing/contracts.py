"""Contracts as descriptions write them: pure and mixed melds and flushes too."""

import re
from typing import Final, NamedTuple

_PART: Final = re.compile(
    r"([1-9]) (?:(pure|mixed) )?(set|run|flush)(?:e?s)? of ([1-9][0-9]?)", re.ASCII
)
_SMALLEST: Final = 2
_MOST_MELDS: Final = 6
_LONGEST: Final = 60


class Asked(NamedTuple):
    """One meld that a contract asks for."""

    kind: str
    """ "set", "run" or "flush"."""
    size: int
    how: str
    """ "pure" where no wild may stand in it, "mixed" where suits do not matter; else empty."""


def melds_asked(text: str) -> tuple[Asked, ...]:
    """The melds of a contract in words: "1 set of 3 + 1 pure run of 4".

    Raises ValueError with a sentence.
    """
    asked: list[Asked] = []
    for part in text.split("+"):
        match = _PART.fullmatch(" ".join(part.split()).lower())
        if match is None or int(match[4]) < _SMALLEST:
            message = (
                f"“{text[:_LONGEST]}” is no contract. Write it like “1 set of 3 + 1 run of 4”."
            )
            raise ValueError(message)
        asked += [Asked(match[3], int(match[4]), match[2] or "")] * int(match[1])
    if len(asked) > _MOST_MELDS:
        message = f"“{text[:_LONGEST]}” asks for more than six melds."
        raise ValueError(message)
    return tuple(asked)
