"""The chart of a game: running totals as lines, laid out here so that a page only draws them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 132
"""The width of the drawing without labels, in units that are pixels on a phone 320 wide."""

LEAST_HEIGHT: Final = 150
LABEL: Final = 16
"""The least distance between two names."""

NUMBER: Final = 18
"""The least distance between the numbers of two rounds."""

LEFT, NAMES = 30, 100
"""The space for totals on the left, and for names at the ends of the lines."""

TOP, ROUNDS = 10, 22
"""The space above the drawing, and for the numbers of the rounds below it."""

_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A player's or a team's running total, a value after each complete round that it has."""

    name: str
    totals: tuple[int, ...]
    begun: int = 0
    """The number of rounds before it begins, for a player who joined late."""
    first_total: int = 0
    """The total with which it begins."""
    label: str = ""
    """The text at its end, if that isn’t the name."""
    token: int = 1
    """The number of the player’s token, which has the color of the line."""
    team: int = 0
    """The number of the team, from 1, whose color the line has; 0 for a player who plays alone."""
    first: bool = False
    """Whether the player wins or leads, so that the line is the boldest."""

    @property
    def total(self) -> int:
        """The total after the last round."""
        return self.totals[-1] if self.totals else self.first_total

    @property
    def heights(self) -> tuple[int, ...]:
        """The totals from its beginning on."""
        return (self.first_total, *self.totals)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A curve in the units of the drawing."""

    of: Curve
    path: str
    """The points of the line: "0,10 40,22.5"."""
    y: float
    """The height at which the line ends, on the right edge."""
    label_y: float
    """The height of the name, moved away from the line’s if two names would overlap."""

    @property
    def drop(self) -> float:
        """The distance from the end of the line down to the name."""
        return round(self.label_y - self.y, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The running totals as lines: the lowest total at the bottom, a column for each round."""

    width: int
    height: int
    lines: tuple[ChartLine, ...]
    columns: tuple[tuple[int, float], ...]
    """The numbers of rounds, with their positions; only every few if there are many."""
    levels: tuple[tuple[int, float], ...]
    """The lowest and the highest total, with their positions."""

    @property
    def view(self) -> str:
        """The view box: the drawing, with space around it for totals, names and rounds."""
        width, height = LEFT + self.width + NAMES, TOP + self.height + ROUNDS
        return f"{-LEFT} {-TOP} {width} {height}"


def lay_out_chart(curves: Sequence[Curve], first: int = 1) -> Chart:
    """Return the chart of a game’s running totals, taller if there are more names than fit.

    `first` is the number of the first round.
    """
    totals = [total for curve in curves for total in (0, *curve.heights)]
    low, high = min(totals, default=0), max(totals, default=0)
    rounds = max((curve.begun + len(curve.totals) for curve in curves), default=0)
    across, tall = WIDTH / max(rounds, 1), max(LEAST_HEIGHT, LABEL * (len(curves) - 1))

    def height(total: int) -> float:
        return round(tall - (total - low) * tall / max(high - low, 1), 1)

    lines: list[ChartLine] = []
    free = 0.0
    for above, curve in enumerate(sorted(curves, key=lambda curve: -curve.total), 1):
        y, run = height(curve.total), enumerate(curve.heights, curve.begun)
        label = min(max(y, free), tall - (len(curves) - above) * LABEL)
        free = label + LABEL
        steps = (f"{round(n * across, 1):g},{height(total):g}" for n, total in run)
        lines.append(ChartLine(curve, " ".join(steps), y, round(label, 1)))
    step = next(step for step in _STEPS if step * across >= NUMBER)
    numbered = range(step, rounds + 1, step)
    return Chart(
        width=WIDTH,
        height=tall,
        lines=tuple(lines),
        columns=tuple((first - 1 + at, round(at * across, 1)) for at in numbered),
        levels=tuple((level, height(level)) for level in dict.fromkeys((high, low))),
    )
