"""Change the rules in small ways and see if their tests notice: `python -m tests.mutants 20`.

Each mutant is one comparison, number, operator or condition of the referee that means something
else, tried in a copy of the checkout by the tests of the referee, but for those of a release. One
that no test notices is printed with its line. The exit status is 1 if more than one in ten lives.
"""

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from webapp._bootstrap import ROOT

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
ROOMS = ("melds", "turns", "judging", "scorepad", "advice")
PATIENCE = 900
"""Seconds that the tests of one mutant may take; one that hangs was noticed."""


def mutants(text: str) -> Iterator[tuple[int, str]]:
    """Each changed version of some Python, with the line that was changed."""
    for at, _ in enumerate(ast.walk(ast.parse(text))):
        tree = ast.parse(text)
        node = [*ast.walk(tree)][at]
        match node:
            case ast.Compare(ops=[op, *_]) if type(op) in SWAPS:
                node.ops[0] = SWAPS[type(op)]()
            case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in SWAPS:
                node.op = SWAPS[type(op)]()
            case ast.Constant(value=bool(value)):
                node.value = not value
            case ast.Constant(value=int(value)):
                node.value = value + 1
            case ast.If(test=test) | ast.IfExp(test=test):
                node.test = ast.UnaryOp(ast.Not(), test)
            case _:
                continue
        yield node.lineno, ast.unparse(ast.fix_missing_locations(tree))


def lives(copy: Path) -> bool:
    """Whether the tests of the referee pass in a copy of the checkout."""
    command = [sys.executable, "-m", "pytest", "-xq", "-n", "2", "-m", "not timed and not release"]
    command += ["-p", "no:cacheprovider", "tests/referee"]
    try:
        done = subprocess.run(command, cwd=copy, capture_output=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    """Try so many mutants, and say which were not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("mutants", type=int, nargs="?", default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    files = [path for room in ROOMS for path in sorted((ROOT / "referee" / room).rglob("*.py"))]
    alive = 0
    with tempfile.TemporaryDirectory(prefix="laydown-mutants-") as folder:
        copy = Path(folder) / "checkout"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "instance"))
        for _ in range(asked.mutants):
            path = chance.choice(files)
            text = path.read_text(encoding="utf-8")
            line, changed = chance.choice([*mutants(text)] or [(0, text)])
            target = copy / path.relative_to(ROOT)
            target.write_text(changed, encoding="utf-8")
            if lives(copy):
                alive += 1
                print(f"alive: {path.relative_to(ROOT)}:{line}", flush=True)
            target.write_text(text, encoding="utf-8")
    print(f"{asked.mutants - alive} of {asked.mutants} noticed (seed {asked.seed})")
    return 1 if alive * 10 > asked.mutants else 0


if __name__ == "__main__":
    sys.exit(main())
