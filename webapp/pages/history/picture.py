"""A picture of a result, for a chat: the winner, the podium, everybody’s total and every round.

The layout is computed here, in pixels; `templates/picture/result.svg` draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from webapp.pages.history.view import read_sheet
from webapp.pages.scorepad.pad import Pad
from webapp.players.tokens import Token
from webapp.text.formatting import say_points, say_short_day
from webapp.text.refusals import GameNotFinishedError

MARGIN: Final = 60
ON_THE_PODIUM: Final = 3
STEPS: Final = (330, 262, 240)
"""The heights of the podium’s steps in pixels, by rank; less if there isn’t enough space."""

LINE: Final = 54
"""The distance between two lines of players, in pixels."""

ROUND: Final = 44
"""The height of a round, in pixels."""

ROUND_HEAD: Final = 84
"""The distance from the first round to the top of the rounds, which has the tokens."""

ROUND_LABEL: Final = 76
"""The width of the numbers of the rounds, in pixels."""

LEAST: Final = 18
"""The smallest text size in pixels; a name that needs a smaller one is cut."""

_NARROW, _WIDE = frozenset("iljtfrI.,:;'!| 1-−"), frozenset("mwMW%@")


@dataclass(frozen=True, slots=True)
class Paint:
    """How a token looks in a picture: as `tokens.css` has it on felt."""

    colour: str
    radii: tuple[int, int, int, int]
    """The radii of its corners in percent, clockwise from the top left."""

    @property
    def outline(self) -> str:
        """The path of a square from −50 to 50 with these rounded corners."""
        a, b, c, d = self.radii
        return (
            f"M{a - 50} -50H{50 - b}A{b} {b} 0 0 1 50 {b - 50}V{50 - c}A{c} {c} 0 0 1 {50 - c} 50"
            f"H{d - 50}A{d} {d} 0 0 1 -50 {50 - d}V{a - 50}A{a} {a} 0 0 1 {a - 50} -50Z"
        )


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
    """A player or team of a finished game."""

    name: str
    total: str
    token: Token
    rank: int
    """The rank, from 1; players who tie share one."""

    @property
    def paint(self) -> Paint:
        """How the token of the player or team looks in the picture."""
        paint, team = PAINTS[self.token.number - 1], self.token.team
        return replace(paint, colour=PAINTS[team - 1].colour) if team else paint


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The layout of one kind of picture, in pixels from its top left corner."""

    width: int
    height: int
    winner: tuple[float, float]
    radius: float
    title: float
    """The largest text size of the title."""
    title_width: float
    podium: tuple[float, float]
    """The left edge and the width of the podium."""
    floor: float
    """The distance of the podium’s base from the top, if nobody is listed below it."""
    lines: tuple[float, float]
    """The left edge and the width of the players who aren’t on the podium."""
    abreast: int
    """The number of players in `lines` that are side by side."""
    beside: bool
    """Whether they are next to the podium, under the winner, rather than below it."""

    @property
    def baseline(self) -> float:
        """The baseline of the title, under the winner."""
        return self.winner[1] + self.radius + 28 + self.title


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
"""The layout for a chat."""

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
"""The layout for the preview of a link."""

CROWDED: Final = {
    SQUARE: replace(SQUARE, winner=(540, 216), radius=72, title=64),
    BROAD: replace(BROAD, winner=(320, 152), radius=50, title=54),
}
"""The layouts for `MANY` players or more, with less space for the winner, by the usual layout."""

MANY: Final = 6
"""The least number of players for the crowded layouts."""


class Placed(NamedTuple):
    """A player with a place on the picture."""

    who: Finisher
    x: float
    """The middle of their step, or the left edge of their line."""
    y: float
    """The top of their step, or the middle of their line."""


class DrawnRound(NamedTuple):
    """A round on the picture."""

    number: int
    y: float
    """The middle of the round’s row, in pixels from the top."""
    scores: tuple[tuple[str, bool], ...]
    """The points in each column, and whether they are of the player who went out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A result with its layout, in pixels."""

    frame: Frame
    winner: Finisher
    title: str
    says: str
    head: str
    """The game and the day, on the right."""
    floor: float
    """The distance of the podium’s base from the top."""
    steps: tuple[Placed, ...]
    """The steps from left to right, with the best player in the middle."""
    step: float
    """The width of a step."""
    lines: tuple[Placed, ...]
    """The players who aren’t on the podium; a row that isn’t full is centered."""
    line: float
    """The width of one of their lines."""
    heads: tuple[Placed, ...] = ()
    """The token above each column of the rounds, at the middle of the column."""
    rounds: tuple[DrawnRound, ...] = ()
    """The rounds, below everything else; none for the preview of a link."""

    @property
    def height(self) -> float:
        """The height, with all rounds."""
        if not self.rounds:
            return self.frame.height
        return self.frame.height + ROUND_HEAD + len(self.rounds) * ROUND

    @property
    def column(self) -> float:
        """The width of a column of the rounds."""
        return (self.frame.width - 2 * MARGIN - ROUND_LABEL) / len(self.heads)


def read_picture(session: Session, pub: str, frame: Frame) -> Picture:
    """Return the picture of a finished game; raise GameNotFoundError or GameNotFinishedError."""
    sheet = read_sheet(session, pub)
    pad = sheet.pad
    if not pad.finished:
        raise GameNotFinishedError
    finishers = [
        Finisher(seat.name, say_points(seat.total), seat.token, rank)
        for rank, seat in ((each.rank, each.seat) for each in sheet.standing)
    ]
    day = pad.started_at.astimezone()
    head = f"{pad.variant.name} · {say_short_day(day)}"
    drawn = lay_out(frame, finishers, title=pad.title, says=sheet.margin_says, head=head)
    return drawn if frame.beside or pad.on_paper else add_rounds(drawn, pad)


def add_rounds(picture: Picture, pad: Pad) -> Picture:
    """Return a picture with every round of its game below it, a column for each player or team."""
    rounds = [row for row in pad.rows if row.complete]
    column = (picture.frame.width - 2 * MARGIN - ROUND_LABEL) / len(pad.columns)
    left, top = MARGIN + ROUND_LABEL + column / 2, picture.frame.height
    return replace(
        picture,
        heads=tuple(
            Placed(
                Finisher(seat.name, say_points(seat.total), seat.token, seat.place or 0),
                left + place * column,
                top + ROUND_HEAD / 2 - ROUND / 4,
            )
            for place, seat in enumerate(pad.columns)
        ),
        rounds=tuple(
            DrawnRound(
                row.number,
                top + ROUND_HEAD + place * ROUND,
                tuple(
                    ("–" if cell.points is None else say_points(cell.points), cell.out)
                    for cell in row.cells
                ),
            )
            for place, row in enumerate(rounds)
        ),
    )


def lay_out(
    frame: Frame, finishers: Sequence[Finisher], *, title: str, says: str, head: str
) -> Picture:
    """Return the layout of a picture; `finishers` are best first, and the first is shown large."""
    if len(finishers) >= MANY:
        frame = CROWDED[frame]
    best, rest = finishers[:ON_THE_PODIUM], finishers[ON_THE_PODIUM:]
    rows = ceil(len(rest) / frame.abreast)
    floor = frame.floor - (0 if frame.beside or not rows else (rows - 0.5) * LINE)
    room = floor - (MARGIN + 40 if frame.beside else frame.baseline + 90)
    rise = min(1.0, room / STEPS[0])
    left, width = frame.podium
    step = min(300.0, width / len(best))
    left += (width - step * (len(best) - 1)) / 2
    order = (1, 0, 2)[: len(best)] if len(best) > 1 else (0,)
    edge, width = frame.lines
    line = width / frame.abreast
    top = floor - (rows - 1) * LINE - 14 if frame.beside else floor + 58
    lines = []
    for place, who in enumerate(rest):
        row, column = divmod(place, frame.abreast)
        empty = max(0, (row + 1) * frame.abreast - len(rest))
        lines.append(Placed(who, edge + (column + empty / 2) * line, top + row * LINE))
    return Picture(
        frame=frame,
        winner=finishers[0],
        title=title,
        says=says,
        head=head,
        floor=floor,
        steps=tuple(
            Placed(best[index], left + column * step, floor - rise * STEPS[best[index].rank - 1])
            for column, index in enumerate(order)
        ),
        step=step,
        lines=tuple(lines),
        line=line,
    )


def fit(says: str, size: float, width: float) -> tuple[str, float]:
    """Return a text and its size, made smaller to fit the width, and cut if that isn’t enough."""
    size = floor(10 * min(size, max(LEAST, size * width / measure(says, size)))) / 10
    while len(says) > 1 and measure(says, size) > width:
        says = f"{says.removesuffix('…')[:-1].rstrip()}…"
    return says, size


def measure(says: str, size: float) -> float:
    """Return the approximate width of a text in pixels, rather too wide than too narrow."""
    return size * sum(
        0.36 if sign in _NARROW else 0.96 if sign in _WIDE else 0.7 if sign.isupper() else 0.6
        for sign in says
    )
