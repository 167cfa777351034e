"""Every example in the docs of the referee runs: those in docstrings, and those in its README."""

import ast
import doctest
import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from webapp._bootstrap import ROOT

README = ROOT / "referee" / "README.md"
FILES = [
    path
    for path in sorted((ROOT / "referee").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
DOORS = ("referee", "referee.variants", "referee.scorepad", "referee.advice")
WITHOUT_EXAMPLE = {
    "Basis": "an enum: each member has its line",
    "Code": "an enum: each finding with a code is an example",
    "Counts": "an enum: each member has its line",
    "Lead": "an enum: each member is its own words",
}
"""The public classes and functions that need no example, with the reason."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_example_in_a_docstring_runs(path: Path) -> None:
    module = import_module(_module_of(path))
    tests = doctest.DocTestFinder().find(module)
    written = re.findall(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)

    assert not _failures(tests)
    assert sum(len(test.examples) for test in tests) == len(written)


def test_every_example_in_the_readme_runs() -> None:
    blocks = list(_blocks(README.read_text(encoding="utf-8")))

    assert len(blocks) >= 5
    assert not _failures(blocks)
    # A block with no printed result would show nothing that could be wrong.
    assert all(any(example.want for example in block.examples) for block in blocks)


@pytest.mark.parametrize("door", DOORS)
def test_every_public_name_has_an_example(door: str) -> None:
    names = dict(_public(door))
    without = {name for name, value in names.items() if not _has_example(value)}

    assert len(names) > 5
    assert without == names.keys() & WITHOUT_EXAMPLE.keys()


def test_a_wrong_result_would_be_found() -> None:
    page = README.read_text(encoding="utf-8")
    twin = page.replace("((KC, KD, 3H), 25, True)", "((KC, KD, 3H), 20, True)")

    assert twin != page
    assert "((KC, KD, 3H), 25, True)" in _failures(_blocks(twin))


def test_a_wrong_result_in_a_docstring_would_be_found() -> None:
    def twin() -> None:
        """Return nothing.

        >>> from referee import parse_cards
        >>> parse_cards("4d")
        (5D,)
        """

    tests = doctest.DocTestFinder().find(twin, "twin", globs={})

    assert "(4D,)" in _failures(tests)


def test_a_name_without_an_example_would_be_found() -> None:
    def twin() -> None:
        """Return nothing."""

    assert not _has_example(twin)


def _module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _blocks(page: str) -> Iterator[doctest.DocTest]:
    """The fenced blocks of Python on a page, each with names of its own."""
    for found in re.finditer(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        line = page.count("\n", 0, found.start(1))
        yield doctest.DocTestParser().get_doctest(found[1], {}, "README", str(README), line)


def _failures(tests: Iterable[doctest.DocTest]) -> str:
    """What differs from the docs when examples are run; empty if nothing does."""
    told: list[str] = []
    for test in tests:
        doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    return "".join(told)


def _public(door: str) -> Iterator[tuple[str, object]]:
    """The classes and functions that a module exports, or has if nothing else is its own."""
    module = import_module(door)
    tree = ast.parse(inspect.getsource(module))
    names = [
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    ]
    names += [
        node.name
        for node in tree.body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")
    ]
    for name in names:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isroutine(inspect.unwrap(value)):
            yield name, value


def _has_example(value: object) -> bool:
    return ">>> " in (value.__doc__ or "")
