"""Change the rules in small ways and see whether their tests notice: `python -m tests.mutants 50`.

A mutant is the referee with one thing changed: `<` for `<=`, 3 for 4, `and` for `or`, a `not` left
out, an empty answer. The tests of the referee should fail with it. One that they pass with lives,
and is printed: a rule that no test holds, or a change that changes nothing. The exit status is 1
where fewer than 95 of 100 are killed. Everything is done in copies, never in the work tree.

The tests run once without a change, and what each of them runs through is noted. With a change
those are run that run through what is changed, the quickest of them first: no other can notice,
unless it asks another process, or what was remembered. One that lives after that is asked all the
frozen questions (`tests.answers`).
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Self

from tests.changes import Mutant, find_mutants
from webapp._bootstrap import ROOT

ROOMS: Final = tuple(
    f"referee/{room}"
    for room in ("melds", "turns", "judging", "scorepad", "scoring.py", "values.py")
)
"""The folders, or files, that hold the rules."""

COPIED: Final = ("referee", "webapp", "tests", "pyproject.toml")
"""What the tests of the referee need beside them."""

CASES: Final = "tests/cases/*.jsonl"
"""Questions and answers: they notice most, and a process of the referee's own asks them soonest."""

TESTS: Final = "tests/referee"
"""The tests that should notice."""

FROZEN: Final = "tests/referee/test_answers.py"
"""Those of them that ask the frozen questions, which are slow only because they are many."""

BAR: Final = 95
"""How many mutants of a hundred must be killed."""

PATIENCE: Final = 4
"""How many times as long as without a change a run may take with one."""

LEAST_PATIENCE: Final = 4
"""Seconds of processor time that a run may take at any rate."""

MEMORY: Final = 4 * 2**30
"""Bytes: a change can make a loop that fills all there is."""

RECORD, CHOSEN = "record.json", "chosen.json"
"""Files in a copy: what each test runs through, and which tests are run."""

# What tests say when they fail is not asked, and takes long to prepare.
PYTEST: Final = (
    *("-m", "pytest", "-xsq", "--tb=no", "-rfE", "--assert=plain", "-p", "tests.priority"),
    *("-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"),
)
"""How tests are run: up to the first failure, and without being named: only the quick ones are."""

SLOW: Final = "slow and not timed"
"""The marks of the others; what something takes is no rule."""

PASSED, NO_TESTS = 0, 5
"""What pytest's exit status says where no test failed."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant."""

    mutant: Mutant
    killed_by: str
    """The test that failed, or how else the run ended; empty where it lives."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Record:
    """What the tests take, and what they run through."""

    functions: list[tuple[str, int]]
    """Each by its file and its first line."""
    tests: dict[str, tuple[float, list[int]]]
    """Of each test the seconds, and the functions by their numbers in the list."""

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read what `tests.priority` has written."""
        noted = json.loads(file.read_text(encoding="utf-8"))
        return cls([(path, line) for path, line in noted["functions"]], noted["tests"])

    def choose(self, mutant: Mutant) -> dict[str, float]:
        """The tests that run through what is changed, the quickest first, and what they take.

        Outside all functions that is whatever runs through the same file.
        """
        changed = {
            number
            for number, (path, line) in enumerate(self.functions)
            if path == mutant.path and mutant.within in {line, 0}
        }
        found = {
            name: seconds
            for name, (seconds, through) in self.tests.items()
            if not changed.isdisjoint(through)
        }
        return dict(sorted(found.items(), key=itemgetter(1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunt:
    """What is changed, and by what that should be noticed; paths are relative to the root."""

    root: Path
    rooms: Sequence[str] = ROOMS
    copied: Sequence[str] = COPIED
    cases: str = CASES
    tests: str = TESTS
    frozen: str = FROZEN
    slow: bool = False
    """Whether the slow tests are run too, after all others."""

    def mutants(self) -> list[Mutant]:
        """Every change that this script can think of."""
        found = []
        for room in self.rooms:
            path = self.root / room
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                name = file.relative_to(self.root).as_posix()
                found += find_mutants(name, file.read_text(encoding="utf-8"))
        return found

    def copy(self, to: Path) -> None:
        """Copy the project, compiled so that a changed file is never taken for the old one."""
        for name in self.copied:
            if (self.root / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "artefacts")
                shutil.copytree(self.root / name, to / name, ignore=ignored)
            else:
                shutil.copy(self.root / name, to / name)
        # A compiled file is told from an old one by time and size, and both may be the same.
        compiled = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
        subprocess.run([sys.executable, *compiled, "."], cwd=to, check=True)

    def runs(self, folder: Path, *asked: str) -> Iterator[list[str]]:
        """The commands to run in a copy, as arguments of Python; `asked` is said to pytest."""
        if cases := sorted(map(str, folder.glob(self.cases))):
            yield ["-m", "referee", "judge", "--check", *cases]
        tests = [*PYTEST, "-o", f"testpaths={self.tests}"]
        yield [*tests, *asked]
        if self.slow:
            yield [*tests, "-m", SLOW]
        elif (folder / self.frozen).exists():
            yield [*PYTEST, "-m", SLOW, self.frozen]

    def measure(self, folder: Path) -> Iterator[float]:
        """Let the tests run without a change; gives how many seconds each run may take with one.

        Raises SystemExit where they fail.
        """
        for command in self.runs(folder, "--record", RECORD):
            started = time.monotonic()
            if by := _run(folder, command, 3600):
                message = f"The tests fail before anything is changed: {by}"
                raise SystemExit(message)
            yield max(LEAST_PATIENCE, PATIENCE * (time.monotonic() - started))

    def fails(self, folder: Path, patience: Sequence[float]) -> str:
        """Run the tests in a copy, up to the first that fails; answers which that is, or nothing.

        No run may take more seconds of processor time than its `patience`.
        """
        runs = zip(self.runs(folder, "--chosen", CHOSEN), patience, strict=True)
        return next(filter(None, (_run(folder, command, seconds) for command, seconds in runs)), "")


def _run(folder: Path, command: Sequence[str], patience: float) -> str:
    """Run a command in a copy; answers what failed, or nothing."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # What the tests import of the project is in the copy; what runs them need not be.
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
    )
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(patience), int(patience) + 1))
    resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        said, _ = process.communicate(timeout=20 * patience)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
    if process.returncode in {PASSED, NO_TESTS}:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    by = failed[1] if failed else said.strip().rpartition("\n")[2]
    return by or f"signal {-process.returncode}"


def choose(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Choose so many, the same ones for the same seed."""
    return random.Random(seed).sample(mutants, min(count, len(mutants)))


def pursue(hunt: Hunt, mutants: Sequence[Mutant], workers: int) -> Iterator[Fate]:
    """Say what became of each mutant, as soon as it is known."""
    with tempfile.TemporaryDirectory(prefix="laydown-mutants-") as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            copy = Path(folder) / str(number)
            copy.mkdir()
            hunt.copy(copy)
            copies.put(copy)
        patience = list(hunt.measure(copy))
        record = Record.read(copy / RECORD)

        def pursue_one(mutant: Mutant) -> Fate:
            copy = copies.get()
            file = copy / mutant.path
            source = file.read_bytes()
            started = time.monotonic()
            (copy / CHOSEN).write_text(json.dumps(record.choose(mutant)), encoding="utf-8")
            try:
                file.write_bytes(mutant.change(source))
                by = hunt.fails(copy, patience)
            finally:
                file.write_bytes(source)
                copies.put(copy)
            return Fate(mutant, by, time.monotonic() - started)

        pool = ThreadPoolExecutor(workers)
        try:
            for done in as_completed([pool.submit(pursue_one, mutant) for mutant in mutants]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def main(arguments: Sequence[str] | None = None, hunt: Hunt | None = None) -> int:
    """Say which mutants live; the exit status is 1 where they are too many."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("mutants", type=int, nargs="?", default=50, help="how many to try")
    parser.add_argument("--seed", type=int, default=0, help="another choice of them")
    parser.add_argument(
        "--only", default="", metavar="PART", help="of files with this in their path"
    )
    parser.add_argument("--tell", action="store_true", help="say what killed the others")
    parser.add_argument("--workers", type=int, default=2, help="how many to try at once")
    parser.add_argument("--slow", action="store_true", help="try the slow tests too")
    asked = parser.parse_args(arguments)
    hunt = hunt or Hunt(root=ROOT, slow=asked.slow)
    known = [mutant for mutant in hunt.mutants() if asked.only in mutant.path]
    chosen = choose(known, asked.mutants, asked.seed)
    print(f"{len(chosen)} of {len(known)} mutants, seed {asked.seed}.", flush=True)
    started, living, longest = time.monotonic(), 0, 0.0
    for fate in pursue(hunt, chosen, asked.workers):
        longest = max(longest, fate.seconds)
        if not fate.killed_by:
            living += 1
            print(f"lives: {fate.mutant}", flush=True)
        elif asked.tell:
            print(f"killed: {fate.mutant} by {fate.killed_by}", flush=True)
    killed = len(chosen) - living
    print(
        f"{killed} of {len(chosen)} killed in {time.monotonic() - started:.0f} s, "
        f"the longest in {longest:.0f} s."
    )
    return 0 if killed * 100 >= BAR * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
