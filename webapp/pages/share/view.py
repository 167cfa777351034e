"""Sharing a game: its address as a QR code, for another phone."""

from dataclasses import dataclass
from typing import Final

import segno
from sqlalchemy.orm import Session

from webapp.pages.scorepad.view import read_pad

QUIET_ZONE: Final = 4
"""The width in modules of the light border around a QR code, without which it can’t be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QrCode:
    """A QR code."""

    size: int
    """The width of the code in modules, including its quiet zone."""
    path: str
    """The dark modules, as the path data of a line that is one module wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A game's address for another phone."""

    pub: str
    name: str
    link: str
    """The address; empty if phones can’t reach the app."""
    code: QrCode | None
    """The address as a QR code; None if there is no address."""


def read_share(session: Session, pub: str, link: str) -> Share:
    """Return a game’s address with its QR code, if there is one; raise GameNotFoundError."""
    name = read_pad(session, pub).variant.name
    return Share(pub=pub, name=name, link=link, code=draw(link) if link else None)


def draw(link: str) -> QrCode:
    """Return a link as a QR code."""
    code = segno.make(link, error="m", micro=False)
    return QrCode(
        size=len(code.matrix) + 2 * QUIET_ZONE,
        path="".join(_draw_row(y + QUIET_ZONE, bytes(row)) for y, row in enumerate(code.matrix)),
    )


def _draw_row(y: int, row: bytes) -> str:
    """Return the dark modules of a row, as strokes along its middle."""
    drawn = []
    x = 0
    while (x := row.find(1, x)) >= 0:
        end = row.find(0, x)
        end = len(row) if end < 0 else end
        drawn.append(f"M{x + QUIET_ZONE} {y}.5h{end - x}")
        x = end
    return "".join(drawn)
