"""Time against cards in hand and tiles on the table, with the engines by others, as a plot."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from tests.bench.speed import Work

PEERS = ("rummikub-solver", "RLCard", "OpenSpiel")

Panel = tuple[str, str, tuple[tuple[str, str], ...]]
"""A title, what the axis counts, and the kinds of work that are drawn, each with its colour."""

PANELS: tuple[Panel, ...] = (
    (
        "Rummikub: best play, rack of 14, options free/anywhere",
        "tiles on the table",
        (
            ("Rummikub free, 0 jokers", "C0"),
            ("Rummikub free, 1 joker", "C1"),
            ("Rummikub free, 2 jokers", "C2"),
            ("rummikub-solver, 0 jokers", "C0"),
            ("rummikub-solver, 1 joker", "C1"),
            ("rummikub-solver, 2 jokers", "C2"),
        ),
    ),
    (
        "Contracts: lay-down from two packs (Mexican) or three (phases)",
        "cards in hand",
        (
            ("Mexican Rummy, as dealt", "C0"),
            ("Mexican Rummy, 0-4 black 2s", "C1"),
            ("Eleven phases, as dealt", "C2"),
        ),
    ),
    (
        "Rummy 500: best gain",
        "cards in hand",
        (("Rummy 500, as dealt", "C0"), ("Rummy 500, 0-6 wilds", "C1")),
    ),
    (
        "Remigio and gin rummy: least deadwood",
        "cards in hand",
        (
            ("Remigio, least deadwood", "C0"),
            ("Remigio, advice", "C1"),
            ("Least deadwood, no wilds", "C2"),
            ("RLCard, no wilds", "C3"),
            ("OpenSpiel, no wilds", "C4"),
        ),
    ),
)


def draw(works: Sequence[Work], folder: Path) -> list[Path]:
    """Draw the medians as lines and the slowest of a hundred dashed; answers the files."""
    folder.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(13, 10), layout="constrained")
    for place, panel in zip(figure.subplots(2, 2).flat, PANELS, strict=True):
        _draw(place, panel, works)
    figure.suptitle("Advice: median (solid), 99th percentile (dashed); squares are other engines")
    files = [folder / f"advice.{kind}" for kind in ("svg", "png")]
    for file in files:
        figure.savefig(file, dpi=110)
    return files


def _draw(place: Axes, panel: Panel, works: Sequence[Work]) -> None:
    title, counted, kinds = panel
    for kind, colour in kinds:
        those = sorted((work for work in works if work.kind == kind), key=lambda work: work.size)
        sizes = [work.size for work in those]
        marker = "s" if kind.startswith(PEERS) else "o"
        for of, line in (("median", "-"), ("p99", "--")):
            place.plot(
                sizes,
                [work.figure(of) for work in those],
                color=colour,
                linestyle=line,
                marker=marker,
                markersize=5 if of == "median" else 3,
                alpha=1 if of == "median" else 0.5,
                label=kind if of == "median" else None,
            )
    place.set_yscale("log")
    # 0.05 ms reads better than a power of ten.
    place.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    place.yaxis.set_major_formatter("{x:g}")
    place.yaxis.set_minor_formatter("")
    place.set_xticks(sorted({work.size for work in works if work.kind in dict(kinds)}))
    place.set_title(title)
    place.set_xlabel(counted)
    place.set_ylabel("milliseconds of processor time")
    place.grid(which="major", alpha=0.4)
    place.grid(which="minor", alpha=0.12)
    place.legend(fontsize=8)
