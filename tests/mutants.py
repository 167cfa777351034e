"""Change the rules in small ways and see whether their tests notice: `python -m tests.mutants 50`.

A mutant is the referee with one thing changed: `<` for `<=`, 3 for 4, `and` for `or`, a `not` left
out, an empty answer. The tests of the referee should fail with it. One that they pass with lives,
and is printed: a rule that no test holds, or a change that changes nothing. The exit status is 1
where fewer than 95 of 100 are killed. Everything is done in copies, never in the work tree.
"""

import argparse
import ast
import itertools
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
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from webapp._bootstrap import ROOT

ROOMS: Final = tuple(
    f"referee/{room}"
    for room in ("melds", "turns", "judging", "scorepad", "scoring.py", "values.py")
)
"""The folders, or files, that hold the rules."""

COPIED: Final = ("referee", "webapp", "tests", "pyproject.toml")
"""What the tests of the referee need beside them."""

ORDER: Final = (
    "tests/referee/test_cases.py",
    "tests/referee/test_[!a]*.py",
    "tests/referee/test_*.py",
)
"""The tests, in as many runs: those that notice most first, those of advice, which search, last."""

BAR: Final = 95
"""How many mutants of a hundred must be killed."""

PATIENCE: Final = 4
"""How many times as long as the tests take without a change they may take with one."""

LEAST_PATIENCE: Final = 20
"""Seconds of processor time that tests may take at any rate."""

MEMORY: Final = 4 * 2**30
"""Bytes: a change can make a loop that fills all there is."""

QUICK: Final = "not slow and not timed"
SLOW: Final = "slow and not timed"
"""The marks of the tests that are run; what something takes is no rule."""

PASSED, NO_TESTS = 0, 5
"""What pytest's exit status says where no test failed."""

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CHANGED: Final = ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant
"""Conditions that are changed already."""

OTHER: Final = {"any": "all", "all": "any", "min": "max", "max": "min"}
"""Functions of the same arguments that answer otherwise."""

EMPTY: Final = {
    r".*\| None": "None",
    r"tuple|Cards": "()",
    r"list|Sequence": "[]",
    r"frozenset": "frozenset()",
    r"set": "set()",
    r"dict|Mapping": "{}",
    r"int": "0",
    r"str": '""',
}
"""What is nothing, by the beginning of the annotation of what a function answers."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change to one file: the text between two offsets, and what stands there instead."""

    path: str
    """Relative to the root of the project."""
    line: int
    start: int
    end: int
    """Both in bytes from the beginning of the file."""
    old: str
    new: str

    def __str__(self) -> str:
        """Where it is, and what it changes."""
        return f"{self.path}:{self.line}: {_short(self.old)} → {_short(self.new)}"

    def change(self, source: bytes) -> bytes:
        """The file with this change in it."""
        return source[: self.start] + self.new.encode() + source[self.end :]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant."""

    mutant: Mutant
    killed_by: str
    """The test that failed, or how else the run ended; empty where it lives."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunt:
    """What is changed, and by what that should be noticed; paths are relative to the root."""

    root: Path
    rooms: Sequence[str] = ROOMS
    copied: Sequence[str] = COPIED
    tests: Sequence[str] = ORDER
    """Patterns, of one run each; what was in one is not in the next."""
    slow: bool = False
    """Whether the slow tests are run too, after all others."""

    def mutants(self) -> list[Mutant]:
        """Every change that this script can think of."""
        found = []
        for room in self.rooms:
            path = self.root / room
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                name = file.relative_to(self.root).as_posix()
                found += _Changes(name, file.read_text(encoding="utf-8")).find()
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

    def runs(self) -> Iterator[list[str]]:
        """What pytest is given in each run: files and a mark."""
        before: set[Path] = set()
        for pattern in self.tests:
            files = sorted(set(self.root.glob(pattern)) - before)
            before.update(files)
            yield [*self._named(files), "-m", QUICK]
        if self.slow:
            yield [*self._named(sorted(before)), "-m", SLOW]

    def _named(self, files: Sequence[Path]) -> list[str]:
        return [file.relative_to(self.root).as_posix() for file in files]

    def fails(self, folder: Path, patience: float = 3600) -> str:
        """Run the tests in a copy, up to the first that fails; answers which that is, or nothing.

        No run may take more seconds of processor time than `patience`.
        """
        for given in self.runs():
            status, by = self._run(folder, given, patience)
            if status not in {PASSED, NO_TESTS}:
                return by
        return ""

    def _run(self, folder: Path, given: Sequence[str], patience: float) -> tuple[int, str]:
        """Run some tests; answers the exit status and what pytest said last."""
        command = [sys.executable, "-m", "pytest", *given, "-xq", "--tb=no"]
        # What tests say when they fail is not asked, and takes long to prepare.
        command += ["--assert=plain"]
        command += ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "-rfE"]
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": str(folder)},
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(patience), int(patience) + 1))
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            said, _ = process.communicate(timeout=20 * patience)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
        by = failed[1] if failed else said.strip().rpartition("\n")[2]
        return process.returncode, by or f"signal {-process.returncode}"


class _Changes(ast.NodeVisitor):
    """The mutants of one file."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.found: list[Mutant] = []
        lengths = [len(line.encode()) for line in text.splitlines(keepends=True)]
        self.offsets = [0, *itertools.accumulate(lengths)]

    def find(self) -> list[Mutant]:
        self.visit(ast.parse(self.text))
        return self.found

    def _change(self, node: ast.expr, new: str) -> None:
        """Note that `new` may stand in the place of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.offsets[node.lineno - 1] + node.col_offset
        end = self.offsets[node.end_lineno - 1] + node.end_col_offset
        old = self.text.encode()[start:end].decode()
        self.found.append(Mutant(self.path, node.lineno, start, end, old, new))

    def _replace(self, node: ast.expr, new: ast.expr) -> None:
        self._change(node, f"({ast.unparse(new)})")

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, operator in enumerate(node.ops):
            ops = [*node.ops[:at], COMPARED[type(operator)](), *node.ops[at + 1 :]]
            self._replace(node, ast.Compare(node.left, ops, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._replace(node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._replace(node, node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in RECKONED:
            self._replace(node, ast.BinOp(node.left, RECKONED[type(node.op)](), node.right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._change(node, str(not node.value))
        elif isinstance(node.value, int):
            self._change(node, str(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in OTHER:
            self._change(node.func, OTHER[node.func.id])
        for each in (node.func, *node.args):
            self.visit(each)
        for keyword in node.keywords:
            # Whether two lists are as long as each other is no rule.
            if keyword.arg != "strict":
                self.visit(keyword.value)

    def visit_If(self, node: ast.If) -> None:
        self._negate(node.test)
        # What stands there for the type checker alone is never run.
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        """Turn a condition round, where no other change does."""
        if not isinstance(test, CHANGED) and ast.unparse(test) != "TYPE_CHECKING":
            self._replace(test, ast.UnaryOp(ast.Not(), test))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        said = ast.unparse(node.returns) if node.returns else ""
        for each in _returns(node):
            if said == "bool":
                self._negate(each)
                continue
            nothing = next((new for kind, new in EMPTY.items() if re.match(kind, said)), "")
            if nothing and ast.unparse(each) != nothing:
                self._change(each, nothing)
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave it: it says what cannot be otherwise."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave it: what stands in a sentence is asserted nowhere."""


def _returns(node: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function answers, that of functions inside it left aside."""
    within: list[ast.AST] = list(node.body)
    for each in within:
        if isinstance(each, ast.Return) and each.value is not None:
            yield each.value
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            within.extend(ast.iter_child_nodes(each))


def _short(text: str) -> str:
    return " ".join(text.split())


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
        started = time.monotonic()
        if by := hunt.fails(copy):
            message = f"The tests fail before anything is changed: {by}"
            raise SystemExit(message)
        patience = max(LEAST_PATIENCE, PATIENCE * (time.monotonic() - started))

        def pursue_one(mutant: Mutant) -> Fate:
            copy = copies.get()
            file = copy / mutant.path
            source = file.read_bytes()
            started = time.monotonic()
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
