"""The house is in order: linted, formatted, typed, and every import going the right way.

The same commands that a developer runs by hand, so that one command shows all.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from referee.describing.sentences.clauses import CATALOGUE
from webapp._bootstrap import ROOT

PRODUCT = ("referee", "webapp", "laydown", "hatch_build.py")
BIN = Path(sys.executable).parent
ENTRANCE = ("__init__", "__main__")
SOURCES = [path for folder in ("referee", "webapp", "tests") for path in (ROOT / folder).rglob("*")]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check"],
        ["ruff", "format", "--check"],
        pytest.param(["mypy", *PRODUCT], marks=[pytest.mark.slow, pytest.mark.longest]),
        # With the tests it takes four times as long.
        pytest.param(["mypy"], marks=[pytest.mark.slow, pytest.mark.release]),
        ["lint-imports"],
    ],
    ids=" ".join,
)
def test_the_house_is_in_order(command: list[str]) -> None:
    done = subprocess.run(
        [BIN / command[0], *command[1:]],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_the_referee_is_plain_python() -> None:
    files = sorted(ROOT.glob("referee/**/*.py"))
    known = sys.stdlib_module_names | {"referee"}
    others = {path: {name.partition(".")[0] for name in _imports(path)} - known for path in files}

    assert len(files) > 100
    assert not {path: roots for path, roots in others.items() if roots}


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py", "_bootstrap.py"])
def test_a_bare_machine_can_start_the_app(name: str) -> None:
    tree = ast.parse((ROOT / "webapp" / name).read_text(encoding="utf-8"))
    at_the_top = {module for node in tree.body for module in _named(node)}
    roots = {module for module in at_the_top if not module.startswith("webapp._bootstrap")}

    assert {module.partition(".")[0] for module in roots} <= sys.stdlib_module_names


OLD_PYTHON = [
    *(ROOT / "webapp" / f"{name}.py" for name in ("__init__", "__main__", "_bootstrap")),
    *(ROOT / folder / f"{name}.py" for folder in ("tests", "laydown") for name in ENTRANCE),
]
"""What a machine's own Python reads, before the project has one of its own."""


@pytest.mark.parametrize("path", OLD_PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_old_python_can_read_the_way_in(path: Path) -> None:
    """How it is written and what its annotations say, `ruff` sees (pyproject.toml names 3.7)."""
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 7))
    command = [str(BIN / "vermin"), "--target=3.7-", "--violations", "--no-tips", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from __future__ import annotations\n", ""),
        ("    if PROJECT.exists()", "    if found := PROJECT.exists()"),
    ],
)
def test_what_an_old_python_cannot_read_would_be_found(old: str, new: str) -> None:
    name = "webapp/_bootstrap.py"
    source = (ROOT / name).read_text(encoding="utf-8")
    command = [str(BIN / "ruff"), "check", "--quiet", "--stdin-filename", name, "-"]
    done = [
        subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=False)
        for text in (source, source.replace(old, new, 1))
    ]

    assert old in source
    assert [each.returncode for each in done] == [0, 1]


def test_no_file_names_a_package_registry() -> None:
    hosts = [".".join(parts) for parts in (("pypi", "org"), ("npmjs", "org"), ("npmjs", "com"))]
    files = [ROOT / name for name in ("pyproject.toml", ".ci/run")]
    files += [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    files += [path for path in SOURCES if path.suffix in {".py", ".html", ".js", ".css", ".md"}]

    assert not [
        path
        for path in files
        if path.exists() and any(host in path.read_text(encoding="utf-8") for host in hosts)
    ]


def test_no_code_names_a_game() -> None:
    games = [path.stem for path in ROOT.glob("referee/games/*.en.toml")]
    slugs = {game.removesuffix(".en") for game in games}
    names = {*slugs, *(slug.replace("-", "_") for slug in slugs)}
    sources = [path for folder in ("referee", "webapp") for path in (ROOT / folder).rglob("*.py")]
    pages = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("static/js/*.js")]

    assert slugs
    assert not [path for path in sources if _named_in(path, names)]
    assert not [path for path in pages if any(name in path.read_text("utf-8") for name in names)]


def test_no_rule_holds_a_clause() -> None:
    """What rules says by name what it rests on; only a rulebook knows its sentences."""
    rooms = [ROOT / "referee" / room for room in ("melds", "turns", "judging", "scorepad")]
    files = [*chain.from_iterable(room.rglob("*.py") for room in rooms)]
    files += [ROOT / "referee" / f"{name}.py" for name in ("pad", "values", "variant", "rulings")]

    assert {path.name for path in files if _named_in(path, {"Clause"})} == set()


def test_a_rule_that_held_a_clause_would_be_found(tmp_path: Path) -> None:
    twin = tmp_path / "rule.py"
    twin.write_text("class RunRule:\n    cite: Clause | None = None\n", encoding="utf-8")

    assert _named_in(twin, {"Clause"}) == {"Clause"}


def test_whatever_is_cited_is_in_the_catalogue() -> None:
    """A finding names its clause by a word: a word that is misspelt would be found too late."""
    files = (path for path in (ROOT / "referee").rglob("*.py"))
    cited = set(chain.from_iterable(map(_cited, files)))

    assert {"set", "opening", "held"} <= cited
    assert cited <= set(CATALOGUE)


def _cited(path: Path) -> Iterator[str]:
    """The clauses that findings and problems of a file name outright."""
    source = path.read_text(encoding="utf-8")
    if not any(word in source for word in ("found(", "ground(", "problem(", "doubt(", "cites")):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Name(id="found" | "ground" | "problem" | "doubt"),
                args=[_, ast.Constant(value=str(word)), *_],
            ):
                yield word
            case ast.Assign(targets=[ast.Name(id="cites")], value=value):
                words = (ast.literal_eval(each) for each in _constants(value))
                yield from (word for word in words if isinstance(word, str))


def _constants(value: ast.expr) -> Iterator[ast.Constant]:
    return (node for node in ast.walk(value) if isinstance(node, ast.Constant))


def _named_in(path: Path, wanted: set[str]) -> set[str]:
    """Answer which words a file has as names or whole strings.

    A doctest's or a docstring's are text. A file that has none of them anywhere is not parsed.
    """
    source = path.read_text(encoding="utf-8")
    if not any(word in source for word in wanted):
        return set()
    words = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(word)) | ast.Name(id=word) | ast.Attribute(attr=word):
                words.add(word)
            case ast.alias(name=word):
                words.update(word.split("."))
    return words & wanted


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        yield from _named(node)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.module or "referee"
