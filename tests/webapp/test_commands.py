"""The commands that look after the scores, as people type them: their words and exit status."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.webapp.table import Table
from webapp import cli
from webapp._bootstrap import ROOT
from webapp.db import Database

pytestmark = [pytest.mark.usefixtures("kept_here"), pytest.mark.slow]


@pytest.fixture(scope="module")
def two_rounds(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a game of two rounds in it, to be copied."""
    file = tmp_path_factory.mktemp("two-rounds") / "laydown.db"
    shutil.copy(migrated_sqlite, file)
    play(file, 2)
    return file


@pytest.fixture
def kept_here(tmp_path: Path, two_rounds: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game of two rounds in its scores, which the command is told of."""
    file = tmp_path / "data" / "laydown.db"
    file.parent.mkdir()
    shutil.copy(two_rounds, file)
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(file.parent))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return file


def play(file: Path, rounds: int) -> None:
    with closing(Database(f"sqlite:///{file}")) as database:
        Table(database, ("Ana", "Ben")).play(rounds)


def games(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])


def test_a_backup_can_be_restored_and_what_it_replaces_is_kept(kept_here: Path) -> None:
    assert cli.main(["backup"]) == 0
    [backup] = (kept_here.parent / "backups").glob("backup-*.db")
    play(kept_here, 1)

    assert cli.main(["restore", str(backup)]) == 0

    [replaced] = (kept_here.parent / "backups").glob("replaced-*.db")
    assert (games(kept_here), games(replaced)) == (1, 2)
    assert cli.main(["check"]) == 0


def test_a_backup_goes_to_the_folder_that_is_named(tmp_path: Path, kept_here: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    assert cli.main(["backup", "--to", str(elsewhere)]) == 1, "a stick that is not there"
    assert not elsewhere.exists()
    elsewhere.mkdir()
    assert cli.main(["backup", "--to", str(elsewhere)]) == 0

    [backup] = (tmp_path / "elsewhere").glob("*.db")
    assert games(backup) == 1
    assert not (kept_here.parent / "backups").exists()


def test_a_second_folder_also_has_the_backup(
    tmp_path: Path, kept_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    monkeypatch.setenv("LAYDOWN_BACKUPS", str(stick))

    assert cli.main(["backup"]) == 1, "the stick is not there"
    stick.mkdir()
    assert cli.main(["backup"]) == 0

    [backup] = stick.glob("backup-*.db")
    assert games(backup) == 1
    assert (kept_here.parent / "backups" / backup.name).read_bytes() == backup.read_bytes()


def test_scores_are_moved_into_an_empty_database_alone(tmp_path: Path, kept_here: Path) -> None:
    there = tmp_path / "there.db"

    assert cli.main(["move", "--to", f"sqlite:///{there}"]) == 0
    assert cli.main(["move", "--to", f"sqlite:///{there}"]) == 1

    assert (games(kept_here), games(there)) == (1, 1)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["restore"], 2),
        (["restore", "nowhere.db"], 1),
        (["check", "laydown.db"], 2),
        (["check", "--to", "somewhere"], 2),
        (["move"], 2),
        (["move", "--to", "mysql://ana@localhost/laydown"], 2),
        (["backup", "--to", "/proc/nowhere"], 1),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(
    words: list[str], status: int, kept_here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept_here.read_bytes()

    assert cli.main(words) == status

    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("laydown: ")
    assert kept_here.read_bytes() == before


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _of_another_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE song (title text)")
        connection.commit()


def _text(file: Path) -> None:
    file.write_text("Ana 40, Ben 65\n" * 90)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_empty, "is empty"),
        (_of_another_program, "isn’t a Laydown backup"),
        (_text, "isn’t a Laydown"),
    ],
)
def test_only_a_laydown_backup_is_restored(
    make: Callable[[Path], None],
    says: str,
    tmp_path: Path,
    kept_here: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    brought = tmp_path / "brought.db"
    make(brought)
    before = kept_here.read_bytes()

    assert cli.main(["restore", str(brought)]) == 1

    said = capsys.readouterr().err
    assert str(brought) in said
    assert says in said
    assert kept_here.read_bytes() == before


@pytest.mark.release
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such limit on files.")
def test_scores_on_a_full_disk_can_be_checked_and_exported(kept_here: Path) -> None:
    """No file can have more than a kilobyte, so SQLite's index of its log finds no room."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)); "
        "from webapp.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    for command in ("check", "export"):
        done = subprocess.run(
            [sys.executable, "-B", "-c", script, command],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), command
    assert b"Ana" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such limit on files.")
@pytest.mark.parametrize("most", [0, 4096, 138_000, 200_000])
def test_a_first_start_on_a_full_disk_starts_or_says_one_sentence(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file can have more than so many bytes, from nothing at all to all that a start takes."""
    script = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most})); "
        "from webapp import cli, serving; serving.serve = lambda app, listeners, greet: greet(); "
        "sys.exit(cli.main(sys.argv[1:]))"
    )
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(tmp_path / "new"))
    done = subprocess.run(
        [sys.executable, "-B", "-c", script, "--port", "0"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        assert done.returncode == 1
        [line] = done.stderr.splitlines()
        assert line.startswith("laydown: ")
    else:
        assert done.stderr == ""
        assert "Laydown is running" in done.stdout
        assert "disk with the scores is full" in done.stdout


@pytest.mark.parametrize("command", ["backup", "move --to sqlite:////tmp/laydown-there.db"])
def test_if_nothing_is_kept_nothing_is_made(command: str, kept_here: Path) -> None:
    kept_here.unlink()

    assert cli.main(command.split()) == 1

    assert not list(kept_here.parent.glob("laydown.db*"))
    assert not Path("/tmp/laydown-there.db").exists()  # noqa: S108 - looked for, not made


def test_games_are_exported_to_a_file_or_printed(
    tmp_path: Path, kept_here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "book.jsonl"

    assert cli.main(["export", str(file)]) == 0
    capsysbinary.readouterr()
    assert cli.main(["export"]) == 0
    assert capsysbinary.readouterr().out == file.read_bytes()
    assert cli.main(["export", "-"]) == 0
    assert capsysbinary.readouterr().out == file.read_bytes()
    assert not Path("-").exists()

    assert cli.main(["export", str(file), "--player", "ana", "--as", "totals"]) == 0
    assert file.read_text("utf-8").startswith("\ufeffdate,")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--player", "Zoe"], 1),
        (["--game", "aaaaaaaaaa"], 1),
        (["--year", "1999"], 1),
        (["--year", "-3"], 2),
    ],
)
def test_what_cannot_be_exported_leaves_the_file_as_it_is(
    words: list[str], status: int, tmp_path: Path, kept_here: Path
) -> None:
    file = tmp_path / "book.jsonl"
    file.write_text("old")

    assert cli.main(["export", str(file), *words]) == status

    assert file.read_text() == "old"
    assert list(tmp_path.glob("*.part")) == []


def test_an_export_goes_through_a_device_or_a_pipe_and_leaves_it_there(
    tmp_path: Path, kept_here: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        assert cli.main(["export", str(pipe)]) == 0
        read, _ = reader.communicate(timeout=20)

    assert b"Ana" in read
    assert pipe.is_fifo()


def test_an_export_is_imported_from_standard_input(tmp_path: Path, kept_here: Path) -> None:
    export = tmp_path / "book.jsonl"
    cli.main(["export", str(export)])
    command = [sys.executable, "-m", "webapp", "--data", str(tmp_path / "new"), "import", "-"]
    with export.open("rb") as file:
        unsure = subprocess.run(command, cwd=ROOT, stdin=file, capture_output=True, check=False)
        file.seek(0)
        sure = subprocess.run([*command, "--yes"], cwd=ROOT, stdin=file, check=False)

    assert unsure.returncode == 2
    assert b"--yes" in unsure.stderr
    assert sure.returncode == 0
    assert games(tmp_path / "new" / "laydown.db") == 1


@pytest.mark.parametrize("command", ["check", "backup", "rebuild", "export"])
def test_what_looks_for_scores_makes_no_folder_for_them(
    command: str, tmp_path: Path, kept_here: Path
) -> None:
    unplugged = tmp_path / "unplugged" / "laydown"

    assert cli.main([command, "--data", str(unplugged)]) == 1
    assert cli.main([command, "--data", str(tmp_path / ("a" * 300))]) == 1
    assert not unplugged.parent.exists()


@pytest.mark.parametrize("words", ["export -", "check", "--version"])
def test_a_full_disk_for_what_is_printed_is_no_traceback(words: str, kept_here: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "webapp", *words.split()],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize("host", ["a..b", "a" * 300])
def test_an_address_that_can_be_none_is_a_sentence(
    host: str, kept_here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--host", host, "--port", "0"]) == 1

    [line] = capsys.readouterr().err.splitlines()
    assert "isn't an address" in line
