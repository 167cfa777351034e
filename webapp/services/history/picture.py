"""The picture of a result, for a chat: who won, the podium and everybody's total.

It is laid out here in pixels, so that `templates/picture/result.svg` only draws it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, radians, sin
from typing import Final

from sqlalchemy.orm import Session

from webapp.services.history import read_sheet
from webapp.services.refusals import GameNotFinishedError
from webapp.services.tokens import Token
from webapp.services.wording import ordinal, say_points

MARGIN: Final = 60
RAYS: Final = 36
"""How many wedges lie around the winner; every other one is lighter."""

ON_THE_PODIUM: Final = 3
STEPS: Final = (330, 262, 240)
"""How high the steps of the podium are, where there is room."""

LINE: Final = 54
"""Pixels from one line of players to the next."""

LEAST: Final = 18
"""The smallest letters; a name that needs smaller ones is cut."""

_NARROW, _WIDE = frozenset("iljtfrI.,:;'!| 1-−"), frozenset("mwMW%@")


@dataclass(frozen=True, slots=True)
class Paint:
    """How a token is painted: as `tokens.css` paints it on felt."""

    colour: str
    radii: tuple[int, int, int, int]
    """How far its corners are rounded, in percent, clockwise from the top left."""


PAINTS: Final = (
    Paint("#84c5f4", (50, 50, 50, 50)),
    Paint("#fba268", (30, 30, 30, 30)),
    Paint("#66d3c6", (50, 50, 22, 22)),
    Paint("#f7a1c8", (50, 12, 50, 12)),
    Paint("#bfaefa", (22, 22, 50, 50)),
    Paint("#cdd675", (12, 50, 12, 50)),
    Paint("#ff9a8d", (22, 50, 50, 22)),
    Paint("#c8d0d8", (50, 22, 22, 50)),
    Paint("#ddb88f", (50, 50, 50, 12)),
    Paint("#a9bcff", (50, 50, 12, 50)),
)
"""A paint for each token, from token 1 on."""


@dataclass(frozen=True, slots=True)
class Finisher:
    """One player of a finished game."""

    name: str
    total: str
    token: Token
    rank: int
    """From 1; who is level shares one."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A player's colour, shape and initial."""

    x: float
    y: float
    size: float
    """Of the initial."""
    outline: str
    colour: str
    initial: str


@dataclass(frozen=True, slots=True)
class Text:
    """A word in its place; `size` is the height of its letters."""

    says: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureStep:
    """A step of the podium."""

    outline: str
    gold: bool
    disc: Disc
    name: Text
    total: Text
    place: Text
    star: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLine:
    """A player below the podium."""

    disc: Disc
    name: Text
    total: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Everything that is drawn, in pixels."""

    width: int
    height: int
    glow: float
    """How far the lamp shines."""
    rays: str
    ring: str
    """The gold outline around the winner."""
    winner: Disc
    title: Text
    says: Text
    head: Text
    """The game and the day, at the right."""
    steps: tuple[PictureStep, ...]
    floor: tuple[float, float, float]
    """Where the podium stands: left, height, width."""
    lines: tuple[PictureLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where things stand on one kind of picture."""

    width: int
    height: int
    winner: tuple[float, float]
    radius: float
    title: float
    """The height of its letters at the most."""
    title_width: float
    podium: tuple[float, float]
    """Its left and its width."""
    floor: float
    """The height at which it stands, where nobody is listed below it."""
    lines: tuple[float, float]
    """The left and the width of the players who are not on the podium."""
    abreast: int
    """How many of them stand side by side."""
    beside: bool
    """Whether they stand beside the podium, under the winner, and not below it."""


SQUARE: Final = Frame(
    width=1080,
    height=1080,
    winner=(540, 266),
    radius=100,
    title=84,
    title_width=960,
    podium=(90, 900),
    floor=960,
    lines=(MARGIN, 960),
    abreast=3,
    beside=False,
)
"""For a chat."""

BROAD: Final = Frame(
    width=1200,
    height=630,
    winner=(320, 250),
    radius=86,
    title=80,
    title_width=530,
    podium=(630, 520),
    floor=560,
    lines=(40, 560),
    abreast=2,
    beside=True,
)
"""For the preview of a link."""

CROWDED: Final = {
    SQUARE: replace(SQUARE, winner=(540, 216), radius=72, title=64),
    BROAD: replace(BROAD, winner=(320, 152), radius=50, title=54),
}
"""The same for so many players that the winner makes room for them."""

MANY: Final = 6
"""From so many players on."""


def read_picture(session: Session, pub: str, frame: Frame) -> Picture:
    """The picture of a finished game; raises GameNotFoundError and GameNotFinishedError."""
    sheet = read_sheet(session, pub)
    pad = sheet.pad
    if not pad.finished:
        raise GameNotFinishedError
    finishers = [
        Finisher(seat.name, say_points(seat.total), seat.token, rank)
        for rank, seat in ((each.rank, each.seat) for each in sheet.standing)
    ]
    day = pad.started_at.astimezone()
    head = f"{pad.variant.name} · {day.day} {day:%B %Y}"
    return lay_out(frame, finishers, title=pad.title, says=sheet.margin_says, head=head)


def lay_out(
    frame: Frame, finishers: Sequence[Finisher], *, title: str, says: str, head: str
) -> Picture:
    """Lay out a picture; `finishers` are best first, and the first of them is shown large."""
    if len(finishers) >= MANY:
        frame = CROWDED[frame]
    first, rest = finishers[0], finishers[ON_THE_PODIUM:]
    x, y = frame.winner
    rows = ceil(len(rest) / frame.abreast)
    floor = frame.floor - (0 if frame.beside or not rows else (rows - 0.5) * LINE)
    baseline = y + frame.radius + 28 + frame.title
    room = floor - (MARGIN + 40 if frame.beside else baseline + 90)
    return Picture(
        width=frame.width,
        height=frame.height,
        glow=0.62 * frame.width,
        rays=_wedges(x, y, 1.5 * frame.width),
        ring=_outline(x, y, frame.radius + 14, PAINTS[first.token.number - 1].radii),
        winner=_disc(first, x, y, frame.radius),
        title=_text(title, x, baseline, frame.title, frame.title_width),
        says=_text(says, x, baseline + 52, 32, frame.title_width),
        head=_text(head, frame.width - MARGIN + 12, 84, 28, frame.width - 320),
        steps=tuple(_podium(frame, finishers[:ON_THE_PODIUM], floor, min(1.0, room / STEPS[0]))),
        floor=(frame.podium[0], floor, frame.podium[1]),
        lines=tuple(_lines(frame, rest, floor)),
    )


def _podium(
    frame: Frame, best: Sequence[Finisher], floor: float, rise: float
) -> Iterator[PictureStep]:
    """The steps from left to right, the best in the middle."""
    left, width = frame.podium
    one = min(300.0, width / len(best))
    left += (width - one * len(best)) / 2
    order = (1, 0, 2)[: len(best)] if len(best) > 1 else (0,)
    for column, index in enumerate(order):
        who = best[index]
        x, y = left + (column + 0.5) * one, floor - rise * STEPS[who.rank - 1]
        wins = who.rank == 1
        yield PictureStep(
            outline=f"M{x - one / 2 + 6:.1f} {floor:.1f}V{y + 24:.1f}a24 24 0 0 1 24-24"
            f"h{one - 60:.1f}a24 24 0 0 1 24 24V{floor:.1f}Z",
            gold=wins,
            disc=_disc(who, x, y + 48, 32),
            name=_text(who.name, x, y + 118, 34, one - 40),
            total=_text(who.total, x, y + (194 if wins else 174), 80 if wins else 58, one - 36),
            place=Text(ordinal(who.rank), x + (14 if wins else 0), floor - 18, 26),
            star=_star(x - 22, floor - 27, 12) if wins else "",
        )


def _lines(frame: Frame, rest: Sequence[Finisher], floor: float) -> Iterator[PictureLine]:
    """The players who are not on the podium; a row that is not full stands in the middle."""
    left, width = frame.lines
    one = width / frame.abreast
    rows = [rest[start : start + frame.abreast] for start in range(0, len(rest), frame.abreast)]
    top = floor - (len(rows) - 1) * LINE - 14 if frame.beside else floor + 58
    for number, row in enumerate(rows):
        y = top + number * LINE
        for column, who in enumerate(row):
            x = left + (column + (frame.abreast - len(row)) / 2) * one
            space = one - 104 - measure(who.total, 28)
            yield PictureLine(
                disc=_disc(who, x + 24, y, 20),
                name=_text(who.name, x + 56, y, 26, space),
                total=Text(who.total, x + one - 24, y, 28),
            )


def _text(says: str, x: float, y: float, size: float, width: float) -> Text:
    """Words made to fit: in smaller letters, and where those would be too small, cut."""
    size = min(size, max(LEAST, size * width / measure(says, size)))
    while len(says) > 1 and measure(says, size) > width:
        says = f"{says.removesuffix('…')[:-1].rstrip()}…"
    return Text(says, x, y, round(size, 1))


def measure(says: str, size: float) -> float:
    """About how wide words are, rather too wide than too narrow, in pixels."""
    return size * sum(
        0.36 if sign in _NARROW else 0.96 if sign in _WIDE else 0.7 if sign.isupper() else 0.6
        for sign in says
    )


def _disc(who: Finisher, x: float, y: float, radius: float) -> Disc:
    paint = PAINTS[who.token.number - 1]
    outline = _outline(x, y, radius, paint.radii)
    return Disc(x, y, radius, outline, paint.colour, who.token.initial)


def _outline(x: float, y: float, radius: float, radii: tuple[int, int, int, int]) -> str:
    """A square whose corners are rounded, as in CSS: in percent, clockwise from the top left."""
    side = 2 * radius
    a, b, c, d = (side * part / 100 for part in radii)
    left, top, right, bottom = x - radius, y - radius, x + radius, y + radius
    corners = (
        (right - b, top, b, right, top + b),
        (right, bottom - c, c, right - c, bottom),
        (left + d, bottom, d, left, bottom - d),
        (left, top + a, a, left + a, top),
    )
    drawn = f"M{left + a:.1f} {top:.1f}"
    for x1, y1, bend, x2, y2 in corners:
        drawn += f"L{x1:.1f} {y1:.1f}A{bend:.1f} {bend:.1f} 0 0 1 {x2:.1f} {y2:.1f}"
    return f"{drawn}Z"


def _wedges(x: float, y: float, radius: float) -> str:
    """Every other wedge of a circle."""
    turns = [radians(360 / RAYS * number - 5) for number in range(RAYS + 1)]
    rim = [(x + radius * sin(turn), y - radius * cos(turn)) for turn in turns]
    wedges = list(pairwise(rim))[::2]
    return "".join(f"M{x} {y}L{a:.0f} {b:.0f}L{c:.0f} {d:.0f}Z" for (a, b), (c, d) in wedges)


def _star(x: float, y: float, radius: float) -> str:
    """A star of five points."""
    turns = [radians(36 * number) for number in range(10)]
    reach = [radius if number % 2 == 0 else 0.42 * radius for number in range(10)]
    points = [
        f"{x + far * sin(turn):.1f} {y - far * cos(turn):.1f}"
        for turn, far in zip(turns, reach, strict=True)
    ]
    return f"M{'L'.join(points)}Z"
