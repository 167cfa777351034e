"""The house is in order: linted, formatted, typed, and every import going the right way.

The same commands that a developer runs by hand, so that one command shows all.
"""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest
from grimp import build_graph

from referee.describing.telling.clauses import CATALOGUE
from webapp._bootstrap import ROOT

BIN = Path(sys.executable).parent
SOURCES = [path for folder in ("referee", "webapp", "tests") for path in (ROOT / folder).rglob("*")]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check"],
        ["ruff", "format", "--check"],
        pytest.param(["mypy"], marks=[pytest.mark.slow, pytest.mark.longest]),
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


def test_files_are_short_enough_to_be_read() -> None:
    sources = [
        path for folder in ("referee", "webapp", "tests") for path in (ROOT / folder).rglob("*.py")
    ]

    assert not [path for path in sources if len(path.read_text("utf-8").splitlines()) >= 400]


def test_templates_are_short_enough_to_be_read() -> None:
    templates = ROOT.glob("templates/**/*.html")

    assert not [path for path in templates if len(path.read_text("utf-8").splitlines()) >= 80]


@pytest.mark.parametrize("package", ["referee", "webapp"])
def test_no_folder_is_crowded(package: str) -> None:
    files = (path.parent for path in (ROOT / package).rglob("*.py"))

    assert not [folder for folder, count in Counter(files).items() if count > 16]


@pytest.mark.parametrize("package", ["referee", "webapp"])
def test_the_way_down_is_short(package: str) -> None:
    """From the command down to what imports nothing; a folder of files is one room."""
    assert len(_longest_way(_rooms(package))) <= 10


def test_a_longer_way_down_would_be_found() -> None:
    rooms = {f"room {n}": {f"room {n + 1}"} for n in range(10)}

    assert len(_longest_way(rooms)) == 11


@pytest.mark.parametrize(
    "folder",
    ["referee", "webapp", "webapp/db", "webapp/ledger", "webapp/services", "webapp/services/*"],
)
def test_every_part_of_the_house_is_named(folder: str) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = {path.name for path in ROOT.glob(f"{folder}/*.py") if path.stem != "__init__"}

    assert not [part for part in sorted(parts) if part not in page]


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
    if not any(word in source for word in ("Finding", "Problem", "_ground", "cites")):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Name(id="Finding" | "Problem" | "_ground"),
                args=[_, _, ast.Constant(value=str(word)), *_],
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


def _rooms(package: str) -> dict[str, set[str]]:
    """The rooms of a package, each with those that it imports: a file, or a folder of files.

    The package itself and its services are floors, not rooms: what stands on them is told apart.
    """
    floors = {package, f"{package}.services"}

    def room(module: str) -> str:
        parts = module.split(".")
        return next(
            name
            for name in (".".join(parts[:count]) for count in range(1, len(parts) + 1))
            if name not in floors or name == module
        )

    graph = build_graph(package)
    rooms: dict[str, set[str]] = {}
    for module in graph.modules:
        below = {room(name) for name in graph.find_modules_directly_imported_by(module)}
        rooms.setdefault(room(module), set()).update(below - {room(module)})
    return rooms


def _longest_way(rooms: Mapping[str, set[str]]) -> tuple[str, ...]:
    """The longest way down, room by room; raises CycleError where there is a circle."""
    ways: dict[str, tuple[str, ...]] = {}
    for name in TopologicalSorter(rooms).static_order():
        below = (ways[other] for other in rooms.get(name, ()))
        ways[name] = (name, *max(below, key=len, default=()))
    return max(ways.values(), key=len)
