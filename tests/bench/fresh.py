"""What the referee costs a process that has just started.

Run as a module it is such a process, which asks for advice on every game and prints what that took.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from referee import variants
from referee.advice import no_advice
from referee.variant import Variant
from tests import positions
from tests.positions import Held

ROOT = Path(__file__).resolve().parents[2]

IMPORT = """
import time
started = time.process_time()
import referee
imported = time.process_time()
from referee import advice, protocol, variants
variants.all()
print((imported - started) * 1000, (time.process_time() - started) * 1000)
"""


@dataclass(frozen=True, slots=True)
class Fresh:
    """What was measured in one fresh process."""

    imported: float
    """Milliseconds that `import referee` took."""
    whole: float
    """The same with the protocol, all advice and every game."""
    tables: dict[str, float]
    """Milliseconds that the first advice on a game took longer than the second, by game."""
    grown: float
    """MB that advice on every game has added to the process."""


def measure(runs: int = 2) -> Fresh:
    """Start so many fresh processes; answers the least of each figure, which load spoils least."""
    # A limit is for an installed program: what was compiled once is not compiled again.
    _python("-c", f"{IMPORT}\nimport tests.bench.fresh")
    seen = [_start() for _ in range(runs)]
    return Fresh(
        imported=min(fresh.imported for fresh in seen),
        whole=min(fresh.whole for fresh in seen),
        tables={slug: min(fresh.tables[slug] for fresh in seen) for slug in seen[0].tables},
        grown=min(fresh.grown for fresh in seen),
    )


def _start() -> Fresh:
    imported, whole = map(float, _python("-c", IMPORT).split())
    return Fresh(imported, whole, **json.loads(_python("-m", "tests.bench.fresh")))


def _python(*arguments: str) -> str:
    """Start Python and answer what it printed."""
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = f"python {' '.join(arguments)} ended with {done.returncode}: {done.stderr[-500:]}"
        raise RuntimeError(message)
    return done.stdout


def _here() -> dict[str, object]:
    """Measure this process."""
    games = [variant for variant in variants.all() if not no_advice(variant)]
    before = _memory()
    tables = {}
    for variant in games:
        held = positions.usual(variant, max(1, variant.steps), seed=1)
        # The same hands twice, one for each contract: the second time finds the tables there.
        first, second = (_timed(lambda: _ask(variant, held)) for _ in range(2))  # noqa: B023 - now
        tables[variant.slug] = first - second
        _ask(variant, positions.usual(variant, 200, seed=2))
        _ask(variant, positions.adversarial(variant, 60, 6))
    return {"tables": tables, "grown": _memory() - before}


def _ask(variant: Variant, positions: list[Held]) -> None:
    for held in positions:
        held.ask(variant)


def _timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def _memory() -> float:
    """Answer the most memory that this process has held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage says there counts what the process had been before it became this one.
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 2**10
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(json.dumps(_here()))
