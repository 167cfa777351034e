"""Sharing a game: its address as a QR code, for another phone."""

from dataclasses import dataclass
from typing import Final

import segno
from sqlalchemy.orm import Session

from webapp.pages.scorepad.view import read_pad

QUIET_ZONE: Final = 4
"""Light modules around a QR code, without which it is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QrCode:
    """A QR code."""

    size: int
    """Its width in modules, its quiet zone included."""
    path: str
    """The dark modules as the path data of a line one module wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A game's address for another phone."""

    pub: str
    name: str
    link: str
    """Empty where no phone gets in."""
    code: QrCode | None
    """None if no phone gets in."""


def read_share(session: Session, pub: str, link: str) -> Share:
    """Draw a game's address as a QR code, where there is one; raises GameNotFoundError."""
    name = read_pad(session, pub).variant.name
    return Share(pub=pub, name=name, link=link, code=draw(link) if link else None)


def draw(link: str) -> QrCode:
    """A link as a QR code."""
    code = segno.make(link, error="m", micro=False)
    return QrCode(
        size=len(code.matrix) + 2 * QUIET_ZONE,
        path="".join(_draw_row(y + QUIET_ZONE, bytes(row)) for y, row in enumerate(code.matrix)),
    )


def _draw_row(y: int, row: bytes) -> str:
    """Draw the dark modules of a row as strokes along its middle."""
    drawn = []
    x = 0
    while (x := row.find(1, x)) >= 0:
        end = row.find(0, x)
        end = len(row) if end < 0 else end
        drawn.append(f"M{x + QUIET_ZONE} {y}.5h{end - x}")
        x = end
    return "".join(drawn)
