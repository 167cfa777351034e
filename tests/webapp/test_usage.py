"""The command line: what people type, what they typed in older scripts, and what makes no sense."""

import shlex
from itertools import product
from pathlib import Path

import pytest

from webapp import cli
from webapp.backups.commands import CommandError
from webapp.config import Config, SettingError, this_version
from webapp.usage import COMMANDS, _overview, _parser, read

OLD = {
    "": {"command": "serve", "port": 8000, "lan": False, "host": "", "data": None},
    "serve": {"command": "serve", "port": 8000, "lan": False},
    "--lan": {"command": "serve", "lan": True},
    "--lan --open": {"command": "serve", "lan": True, "open": True},
    "--lan serve": {"command": "serve", "lan": True},
    "serve --lan --port 8001": {"command": "serve", "lan": True, "port": 8001},
    "--port=0 --data /srv/x": {"command": "serve", "port": 0, "data": "/srv/x"},
    "--host 0.0.0.0": {"command": "serve", "host": "0.0.0.0"},  # noqa: S104 - only read
    "--host 0.0.0.0 --copied": {"command": "serve", "copied": True},
    "--host ''": {"command": "serve", "host": ""},
    "--debug": {"command": "serve", "debug": True},
    "--po 8001 --la": {"command": "serve", "port": 8001, "lan": True},
    "--data X backup": {"command": "backup", "data": "X", "to": None},
    "--data=X backup": {"command": "backup", "data": "X"},
    "--dat X backup": {"command": "backup", "data": "X"},
    "backup --data X": {"command": "backup", "data": "X"},
    "--data backup check": {"command": "check", "data": "backup"},
    "--to /media/stick backup": {"command": "backup", "to": "/media/stick"},
    "backup --to /media/stick": {"command": "backup", "to": "/media/stick"},
    "check --data X": {"command": "check", "data": "X"},
    "rebuild": {"command": "rebuild"},
    "restore b.db": {"command": "restore", "file": "b.db"},
    "--data X restore b.db": {"command": "restore", "file": "b.db", "data": "X"},
    "restore --data X b.db": {"command": "restore", "file": "b.db", "data": "X"},
    "move --to postgresql://ana@host/x": {"command": "move", "to": "postgresql://ana@host/x"},
    "--to=sqlite:////x.db move": {"command": "move", "to": "sqlite:////x.db"},
    "export": {"command": "export", "file": "-", "kind": "book", "year": 0},
    "export a.jsonl": {"command": "export", "file": "a.jsonl"},
    "export --as rounds --player Ana a.csv": {"kind": "rounds", "player": "Ana", "file": "a.csv"},
    "export a.csv --as rounds --player Ana": {"kind": "rounds", "player": "Ana", "file": "a.csv"},
    "--as totals export --year 2026 a.csv": {"kind": "totals", "year": 2026, "file": "a.csv"},
    "export --game abc": {"game": "abc", "file": "-"},
    "import a.jsonl --yes": {"command": "import", "file": "a.jsonl", "yes": True},
    "import --yes a.jsonl": {"command": "import", "file": "a.jsonl", "yes": True},
    "--houses X": {"command": "serve", "houses": "X"},
    "house new 'Sunday table'": {"command": "house new", "title": "Sunday table"},
    "house --houses X list": {"command": "house list", "houses": "X"},
    "--houses X house invite club": {"command": "house invite", "house": "club", "role": "keep"},
    "house invite club --to watch": {"command": "house invite", "role": "watch"},
    "house restore club b.db": {"command": "house restore", "house": "club", "file": "b.db"},
    "house import club b.db --yes": {"command": "house import", "file": "b.db", "yes": True},
    "--yes import a.jsonl": {"command": "import", "file": "a.jsonl", "yes": True},
}
"""How people could write it at any time, and what is meant by it."""


@pytest.mark.parametrize("line", OLD)
def test_every_old_spelling_means_what_it_meant(line: str) -> None:
    asked = vars(read(shlex.split(line)))

    assert {name: asked[name] for name in OLD[line]} == OLD[line]


def options(name: str) -> set[str]:
    return {
        option
        for action in _parser(name)._actions
        for option in action.option_strings
        if option.startswith("--")
    }


ALL = sorted(set().union(*map(options, COMMANDS)))


@pytest.mark.parametrize(
    ("name", "option"),
    [(name, option) for name, option in product(COMMANDS, ALL) if option not in options(name)],
)
@pytest.mark.parametrize("comes_first", [True, False])
def test_an_option_that_a_command_does_not_have_is_refused(
    name: str, option: str, comes_first: bool
) -> None:
    # A command and what it needs, and what the option needs where it is one.
    needs = {
        "restore": ["b.db"],
        "import": ["b.db"],
        "move": ["--to", "postgresql://a@b/c"],
        "house new": ["Club"],
        "house invite": ["club"],
        "house remove": ["club"],
        "house backup": ["club"],
        "house import": ["club", "b.db"],
        "house restore": ["club", "b.db"],
    }
    takes = [each for each in map(_parser, COMMANDS) if option in each._option_string_actions]
    action = takes[0]._option_string_actions[option]
    value = "" if action.nargs == 0 else "=" + (action.choices or ["2026"])[0]
    words, written = name.split(), f"{option}{value}"
    given = [written, *words] if comes_first else [*words, written]

    with pytest.raises(CommandError) as refused:
        read([*given, *needs.get(name, [])])

    assert refused.value.status == 2
    assert option in str(refused.value)
    assert f"laydown {name} --help" in str(refused.value)


MISUSE = [
    "bakup",
    "nonsense",
    "help nonsense",
    "house",
    "house nonsense",
    "house new",
    "house restore club",
    "house invite club --to nobody",
    "check file",
    "restore",
    "restore a b",
    "import",
    "move",
    "backup --to",
    "backup --to ''",
    "--data ''",
    "--port",
    "--port x",
    "--port 99999",
    "--port -1",
    "--port 8000000000000000000000000",
    "--lan --host ::1",
    "--lan=yes",
    "-x",
    "--nonsense",
    "-- check",
    "export a b",
    "export --as nonsense",
    "export --year x",
    "export --year -3",
    "export --year 99999",
    "export --year \u0663",
    "export --player \udcff",
    "export --game \udcff",
    "check --data \udcff",
    "move --to sqlite:////tmp/\udcff.db",
    "--host \udcff",
    "\udcff",
]


@pytest.mark.parametrize("line", MISUSE)
def test_what_makes_no_sense_is_one_sentence_and_status_2(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)

    assert cli.main(shlex.split(line)) == 2

    said = capsys.readouterr()
    assert said.out == ""
    [sentence] = said.err.splitlines()
    assert sentence.startswith("laydown: ")
    assert sentence.endswith((".", "?"))
    assert not (tmp_path / "data").exists()


def test_a_misspelled_command_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["bakup"])

    assert "Did you mean backup?" in capsys.readouterr().err


@pytest.mark.parametrize("line", [*(f"{name} --help" for name in COMMANDS), "help export", "-h"])
def test_help_reads_like_a_page_of_a_manual(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        cli.main(line.split())
    page = capsys.readouterr().out
    name = line.removeprefix("help ").removesuffix(" --help")
    name = name if name in COMMANDS else "serve"

    assert not ended.value.code
    assert page.startswith("usage: laydown")
    assert [option for option in options(name) if option not in page] == []
    assert "Exit status: 0" in page
    assert max(map(len, page.splitlines())) <= 88


def test_each_example_in_the_help_is_one() -> None:
    for name, command in COMMANDS.items():
        lines = [line.strip().partition("  ")[0] for line in command.examples.splitlines()]
        parts = [part for line in lines for part in line.replace("&&", "|").split("|")]
        asked = [
            read(shlex.split(part)[1:]).command
            for part in parts
            if part.strip().startswith("laydown")
        ]
        assert name in asked


def test_the_overview_names_every_command() -> None:
    page = _overview().format_help()

    assert [name for name in COMMANDS if f"\n  {name} " not in page] == []


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])

    assert not ended.value.code
    assert capsys.readouterr().out == f"laydown {this_version()}\n"
    assert this_version()[0].isdigit()


@pytest.mark.parametrize(
    "name", ["LAYDOWN_INSTANCE", "DATABASE_URL", "LAYDOWN_BACKUPS", "LAYDOWN_ADDRESS"]
)
def test_a_setting_that_no_page_could_show_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="UTF-8"):
        Config.from_environment({name: "sqlite:////tmp/\udcff.db"})
