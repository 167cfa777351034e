"""Hold the speed of the referee against that of another tree of it: `tests.bench.before TREE`.

    git archive 78344a9 referee tests webapp | tar -x -C /tmp/before
    python -m tests.bench.before /tmp/before

78344a9 is the last one whose games were Python. Rulings on melds, lay-downs and tables, and a
scorepad of thirty rounds, each in a process of either tree, burst by burst in turn: the least of
all bursts counts, which what else the machine does can only make longer. What it takes to import
the referee and to read its games is held against limits of its own; both are processor time, as a
machine like ours counts it (`tests.yardstick`).
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.yardstick import MILLISECONDS, yardstick
from webapp._bootstrap import ROOT

MOST: Final = 1.1
"""How many times as long as before a thing may take."""
_ONE: Final = """
import referee.variants as v
from referee.describing import build
v.all()
spec = v.description_of("rummikub")
start()
build(spec)
"""
LIMITS: Final = {
    "import, catalogue unread": ("import referee", 60),
    "all games": ("import referee.variants as v\nstart()\nv.all()", 400),
    "one game": (_ONE, 30),
}
"""What is run in a fresh process, and milliseconds that it may take."""

KINDS: Final = ("meld", "lay-down", "rearrange", "scorepad")
_WORKER: Final = """
import sys, time
from functools import partial
from referee import variants
from referee.scorepad import keep_score
from referee.scorepad.hands import HandRecord
from tests.bench import rulings
def pads():
    out, left = HandRecord(out=True), HandRecord(left=35)
    laid = [HandRecord(out=True, table=60), HandRecord(table=40, left=15)]
    for slug, hands in (("mexican-rummy", [out, left]), ("rummy-500", laid)):
        rounds = [[*hands, hands[1], hands[1]] for _ in range(6 if slug[0] == "m" else 30)]
        yield partial(keep_score, variants.get(slug), 4, rounds, 3)
works = {
    "meld": (rulings._melds(), 16), "lay-down": (rulings._lay_downs(), 6),
    "rearrange": (rulings._tables(), 1), "scorepad": ([*pads()], 4),
}
done = dict.fromkeys(works, 0)
for line in sys.stdin:
    calls, burst = works[line.strip()]
    at = done[line.strip()]
    done[line.strip()] = at + burst
    turn = [calls[(at + step) % len(calls)] for step in range(burst)]
    started = time.process_time_ns()
    for call in turn:
        call()
    print((time.process_time_ns() - started) / burst, at % len(calls), flush=True)
"""
"""Answers each line with nanoseconds a call, and which of the calls were made."""
_FRESH: Final = """
import time
def start():
    global began
    began = time.process_time()
start()
{}
print((time.process_time() - began) * 1000)
"""


def main() -> int:
    """Print the figures; the exit status is 1 where one is over its limit."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.before", description=__doc__)
    parser.add_argument("tree", type=Path, nargs="?", help="without it only what has limits")
    parser.add_argument("--turns", type=int, default=400)
    asked = parser.parse_args()
    late = [name for name in LIMITS if not _in_time(name)]
    if asked.tree:
        now, before = _least(ROOT, asked.tree.resolve(), asked.turns)
        for name, took in before.items():
            times = now[name] / took
            print(f"{name:26} {now[name]:9.1f} µs, before {took:9.1f} µs: x{times:.2f}")
            late += [name] if times > MOST else []
    return 1 if late else 0


def _in_time(name: str) -> bool:
    code, limit = LIMITS[name]
    took = min(float(_run(ROOT, _FRESH.format(code)).communicate()[0]) for _ in range(7))
    most = limit / MILLISECONDS * max(MILLISECONDS, yardstick() * 1000)
    print(f"{name:26} {took:9.1f} ms, at most {most:.0f}")
    return took <= most


def _least(now: Path, before: Path, turns: int) -> tuple[dict[str, float], dict[str, float]]:
    """Microseconds a call of each kind in either tree: the mean of the least of each burst."""
    workers = [_run(tree, _WORKER) for tree in (now, before)]
    least: tuple[dict[tuple[str, str], float], ...] = ({}, {})
    for turn in range(turns):
        for kind in KINDS:
            # Who is asked first has the colder machine.
            for side in (0, 1) if turn % 2 else (1, 0):
                took, at = _ask(workers[side], kind)
                least[side][kind, at] = min(took, least[side].get((kind, at), took))
    for worker in workers:
        worker.communicate()
    first, second = (
        {
            kind: statistics.mean(took for (each, _), took in one.items() if each == kind) / 1000
            for kind in KINDS
        }
        for one in least
    )
    return first, second


def _ask(worker: subprocess.Popen[str], kind: str) -> tuple[float, str]:
    assert worker.stdin, "it is asked"
    assert worker.stdout, "and answers"
    worker.stdin.write(f"{kind}\n")
    worker.stdin.flush()
    took, at = worker.stdout.readline().split()
    return float(took), at


def _run(tree: Path, code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


if __name__ == "__main__":
    sys.exit(main())
