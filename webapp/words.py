"""How numbers, names, dates and cards are put into words on a page: filters for the templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.cards import rank_letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from flask import Flask

    from referee.cards import Card
    from webapp.services.history import Curve

_MINUS: Final = "\N{MINUS SIGN}"
_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
_SUIT_SIGNS: Final = str.maketrans({sign: sign + _AS_TEXT for sign in "♠♥♦♣"})


def points(number: int) -> str:
    """Write points with a true minus: "65", "−25".

    >>> points(-25)
    '−25'
    """
    return f"{_MINUS}{-number}" if number < 0 else str(number)


def plural(number: int, one: str, many: str = "") -> str:
    """Count things in words.

    >>> plural(1, "round"), plural(6, "round"), plural(2, "person", "people")
    ('1 round', '6 rounds', '2 people')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def joined(names: Iterable[str], last: str = "and") -> str:
    """Put names in a row, as one says them.

    >>> joined(["Ana", "Ben", "Cleo"])
    'Ana, Ben and Cleo'
    """
    *most, end = list(names) or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def capital(text: str) -> str:
    """Begin a sentence: only the first letter changes, names within stay as they are."""
    return text[:1].upper() + text[1:]


def day(moment: datetime) -> str:
    """Say a day, on the clock of the machine that serves: "Saturday 21 November 2026"."""
    here = moment.astimezone()
    return f"{here:%A} {here.day} {here:%B} {here.year}"


def clock(moment: datetime) -> str:
    """Say a time of day, on the clock of the machine that serves: "20:15"."""
    return f"{moment.astimezone():%H:%M}"


def signs(text: str) -> str:
    """Keep suit signs from turning into coloured pictures on a phone."""
    return text.translate(_SUIT_SIGNS)


def card_rank(card: Card) -> str:
    """Write what stands in a card's corner above the suit: "7", "K"; a star for a joker."""
    if not card.rank:
        return "★"
    return str(card.rank) if card.is_tile else rank_letter(card.rank)


def kind(value: object) -> str:
    """Name the kind of a thing: the kind of an option as "switch", "choice", "number", "phases"."""
    return type(value).__name__.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One player's curve, in the units of the drawing."""

    name: str
    total: int
    path: str
    """The points of the line: "0,10 40,22.5"."""
    x: float
    y: float
    """Where the line ends."""
    label_y: float
    """Where the name stands, moved aside where two would cover each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Running totals as lines: the least total at the bottom, a column a round."""

    lines: tuple[Line, ...]
    columns: tuple[tuple[int, float], ...]
    """Each round's number and where it stands."""
    levels: tuple[tuple[int, float], ...]
    """The least and the greatest total, and where they stand."""


_WIDTH: Final = 210
_HEIGHT: Final = 150
_LABEL: Final = 15
"""How far apart two names must stand."""


def chart(curves: Sequence[Curve]) -> Chart:
    """Lay out the running totals of a game in a drawing of 210 by 150."""
    totals = [total for curve in curves for total in (0, *curve.totals)]
    low, high = min(totals, default=0), max(totals, default=0)
    rounds = max((len(curve.totals) for curve in curves), default=0)
    across = _WIDTH / max(rounds, 1)

    def height(total: int) -> float:
        return round(_HEIGHT - (total - low) * _HEIGHT / max(high - low, 1), 1)

    ends = [(curve, (0, *curve.totals)) for curve in curves]
    ends.sort(key=lambda end: -end[1][-1])
    lines: list[Line] = []
    free = float("-inf")
    for place, (curve, run) in enumerate(ends):
        label = max(height(run[-1]), free)
        label = min(label, _HEIGHT - (len(ends) - 1 - place) * _LABEL)
        free = label + _LABEL
        steps = (
            f"{round(number * across, 1):g},{height(run[number]):g}" for number in range(len(run))
        )
        lines.append(
            Line(
                name=curve.name,
                total=run[-1],
                path=" ".join(steps),
                x=round((len(run) - 1) * across, 1),
                y=height(run[-1]),
                label_y=round(label, 1),
            )
        )
    return Chart(
        lines=tuple(lines),
        columns=tuple((number, round(number * across, 1)) for number in range(1, rounds + 1)),
        levels=tuple((level, height(level)) for level in dict.fromkeys((high, low))),
    )


def register(app: Flask) -> None:
    """Teach the templates these words, and to leave no blank lines where a tag stood."""
    env = app.jinja_env
    env.trim_blocks = True
    env.lstrip_blocks = True
    for word in (points, plural, joined, capital, day, clock, signs, card_rank, kind, chart):
        env.filters[word.__name__] = word
