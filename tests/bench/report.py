"""The figures of `tests.bench.advice` in words and as a plot."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.growth import draw
from tests.bench.speed import TURNS, Check, Work, all_works, checks, fresh_checks, measure
from tests.yardstick import MILLISECONDS, yardstick

FOLDER = Path(__file__).parent / "artefacts"
FULL = 200
QUICK = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and draw; the exit status is 1 where a limit is missed."""
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.bench.advice", description="How long advice takes."
    )
    parser.add_argument("positions", type=_positions, nargs="?", default=FULL, help="of each kind")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} positions of each kind")
    parser.add_argument("--only", default="", metavar="WORD", help="kinds with that word; no plot")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder for the plot")
    asked = parser.parse_args(arguments)
    started = time.monotonic()
    speed = yardstick() * 1000 / MILLISECONDS
    works = all_works(QUICK if asked.quick else asked.positions, asked.seed, asked.only)
    measure(works)
    held = checks(works)
    fresh = [] if asked.only else fresh_checks()
    print(
        "Processor time in ms; each limit is followed by what was used of it. Plain Python takes "
        f"×{speed:.2f} of what it took where the limits were set.\n"
    )
    print(f"{'':32} {'size':>4} {'n':>4} {'median':>8} {'p99':>8} {'most':>8} {'wall p99':>8}")
    for work, limits in zip(works, held, strict=True):
        print(_row(work, limits))
    print()
    for check in fresh:
        print(f"{check.name:32} {_say(check.figure):>14} {check.unit}  {_verdict(check)}")
    if not asked.only:
        print(f"\nPlots: {', '.join(map(str, draw(works, asked.out)))}")
    every = [check for limits in held for check in limits] + fresh
    missed = [check for check in every if not check.met]
    print(
        f"{len(every)} limits, {len(every) - len(missed)} met, {len(missed)} missed; "
        f"{time.monotonic() - started:.0f} s"
    )
    busy = sum(check.would_be_met(speed) for check in missed)
    if busy:
        print(f"{busy} of those missed are in ms, and would be met but for the ×{speed:.2f}.")
    return 1 if missed else 0


def _positions(text: str) -> int:
    number = int(text)
    if number < TURNS:
        message = f"at least {TURNS}"
        raise argparse.ArgumentTypeError(message)
    return number


def _row(work: Work, limits: list[Check]) -> str:
    figures = (work.figure("median"), work.figure("p99"), work.figure("most"), work.wall_p99)
    said = " ".join(f"{_say(figure):>8}" for figure in figures)
    rest = "; ".join(f"{check.name} {_verdict(check)}" for check in limits)
    if work.may_give_up:
        rest += f"  (undecided {work.undecided / len(work.cpu):.1%})"
    return f"{work.kind:32} {work.size:4} {len(work.cpu):4} {said}  {rest}".rstrip()


def _verdict(check: Check) -> str:
    used = check.figure / check.limit
    return f"≤{_say(check.limit)} ×{used:.2f} {'met' if check.met else 'MISSED'}"


def _say(figure: float) -> str:
    return f"{figure:.4f}" if figure < 0.1 else f"{figure:.3f}" if figure < 10 else f"{figure:.1f}"
