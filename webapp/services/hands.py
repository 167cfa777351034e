"""Hands as they are typed: digits or a sum, read by one strict rule."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from webapp.facts import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webapp.ledger import Sent

MOST_POINTS: Final = 99_999
_COUNT: Final = re.compile(r"[0-9]{1,5}(?:\+[0-9]{1,5}){0,59}", re.ASCII)
_LONGEST: Final = 200
_SPACES: Final = re.compile(r"\s+")


class UnreadableCountError(ValueError):
    """Write points as digits, or as a sum like 20+10+5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A count that was read."""

    points: int
    typed: str
    """The sum as it was typed, without spaces; empty where it was only a number."""


def read_count(text: str) -> Count | None:
    """Read points: "35", "20+10+5"; None for blank, which is not nought.

    Python's own int() is not asked: it takes "1_000" and digits of any script, and breaks at
    five thousand of them. Raises UnreadableCountError.
    """
    if len(text) > _LONGEST:
        raise UnreadableCountError(UnreadableCountError.__doc__)
    plain = _SPACES.sub("", unicodedata.normalize("NFKC", text))
    if not plain:
        return None
    if not _COUNT.fullmatch(plain):
        raise UnreadableCountError(UnreadableCountError.__doc__)
    points = sum(map(int, plain.split("+")))
    if points > MOST_POINTS:
        raise UnreadableCountError(UnreadableCountError.__doc__)
    return Count(points=points, typed=plain if "+" in plain else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedHand:
    """One player's line as a form brings it."""

    left: str
    out: bool
    made: bool
    base: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedHands:
    """A count form as it came in; nothing in it is checked yet."""

    lines: Mapping[int, TypedHand]
    """By player; who is missing was not on the form."""
    only: int | None
    sure: bool
    sent: Sent

    @property
    def asks(self) -> str:
        """Everything that a save would go by, as text."""
        lines = {
            str(player): [line.left, line.out, line.made, line.base]
            for player, line in self.lines.items()
        }
        return canonical([lines, self.only, self.sure])
