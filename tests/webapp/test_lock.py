"""Two Laydowns on one folder: the second is one sentence, and nothing to the first."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.servers import Laydown
from tests.webapp.table import Table
from tests.webapp.test_cli import laydown, only_sentence
from tests.webapp.test_workers import children
from webapp._bootstrap import ROOT
from webapp.backups.backups import take_backup
from webapp.backups.restoring import put_back
from webapp.db import Database, lock, only_server
from webapp.db.file import FileGoneError, run_note
from webapp.db.lock import InUseError

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """The file of an empty book."""
    return Path(shutil.copy(migrated_sqlite, tmp_path / "laydown.db"))


def save(url: str) -> int:
    """Save a player, and answer the status."""
    with closing(http.client.HTTPConnection(url.partition("//")[2], timeout=10)) as line:
        number = time.monotonic_ns()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": url}
        line.request("POST", "/players", f"key=k{number}&name=N{number % 10**12}", headers)
        return line.getresponse().status


def test_a_second_laydown_is_one_sentence_and_nothing_to_the_first(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server:
        for port in ("0", str(server.port)):
            second = laydown("--port", port, LAYDOWN_INSTANCE=str(tmp_path))

            assert second.returncode == 1
            assert f"running at {server.url}/" in only_sentence(second)
            assert save(server.url) == 303


def test_without_locks_a_second_one_would_stop_the_saves_of_the_first(tmp_path: Path) -> None:
    """The twin of the test above, on a file system without locks; each server says so once."""
    program = ("tests.crash.broken", "unlocked")
    with Laydown(tmp_path, program=program) as server:
        said = server.said()
        with Laydown(tmp_path, program=program):
            assert save(server.url) == 503

    assert said.count("This disk can’t lock files") == 1


@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks for processes in /proc")
def test_after_kill_9_another_starts_at_once_whatever_is_left_of_the_first(tmp_path: Path) -> None:
    first = Laydown(tmp_path)
    until = time.monotonic() + 20
    while not (left := children(first.process.pid)) and time.monotonic() < until:
        time.sleep(0.05)
    # They don't see that their server ends.
    for child in left:
        os.kill(child, signal.SIGSTOP)
    try:
        first.process.kill()
        first.process.wait(timeout=20)
        with Laydown(tmp_path) as second:
            assert save(second.url) == 303
    finally:
        for child in left:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    assert left


def test_other_commands_work_beside_a_server(tmp_path: Path) -> None:
    commands = (["check"], ["rebuild"], ["backup"], ["export", str(tmp_path / "all.jsonl")])
    with Laydown(tmp_path) as server:
        for command in commands:
            assert save(server.url) == 303
            done = laydown(*command, LAYDOWN_INSTANCE=str(tmp_path))

            assert (done.returncode, done.stderr) == (0, "")
        assert save(server.url) == 303


def test_restore_says_to_stop_the_server_first(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server:
        save(server.url)
        backup = take_backup(f"sqlite:///{tmp_path / 'laydown.db'}", tmp_path / "backups").path
        done = laydown("restore", str(backup), LAYDOWN_INSTANCE=str(tmp_path))

        assert done.returncode == 1
        assert "Stop it first" in only_sentence(done)
        assert save(server.url) == 303
    assert list(tmp_path.glob("backups/replaced-*")) == []


def test_no_server_starts_while_a_backup_is_restored(file: Path, tmp_path: Path) -> None:
    backup = take_backup(f"sqlite:///{file}", tmp_path / "backups").path
    began = file.stat()
    with only_server(file), pytest.raises(InUseError):
        put_back(backup, f"sqlite:///{file}")

    assert file.stat().st_ino == began.st_ino
    put_back(backup, f"sqlite:///{file}")
    assert file.stat().st_ino != began.st_ino


def test_what_is_locked_stays_where_it_is(file: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(file, tmp_path / "other.db"))
    with closing(Database(f"sqlite:///{other}")) as database:
        Table(database)
    backup = take_backup(f"sqlite:///{other}", tmp_path / "backups").path
    with only_server(file):
        locked = run_note(file).stat().st_ino

    put_back(backup, f"sqlite:///{file}")
    with only_server(file):
        assert run_note(file).stat().st_ino == locked


def test_a_file_has_one_lock_by_whatever_name_it_is_reached(file: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(file.parent)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "scores.db").symlink_to(file)
    with only_server(file):
        for name in ("link/laydown.db", "other/scores.db"):
            with pytest.raises(InUseError), only_server(tmp_path / name):
                pass
    with only_server(tmp_path / "other" / "scores.db"):
        pass


def test_a_server_that_ends_soon_is_waited_for(file: Path, monkeypatch) -> None:
    first = only_server(file)
    first.__enter__()

    def end(_seconds: float) -> None:
        first.__exit__(None, None, None)

    monkeypatch.setattr(lock.time, "sleep", end)
    with only_server(file) as locked:
        assert locked


def test_without_the_lock_a_second_run_would_take_the_file_from_the_first(
    file: Path, monkeypatch
) -> None:
    """The twin: what takes the lock answers that it has, and has not."""
    monkeypatch.setattr(lock, "_lock", lambda _descriptor: None)
    url = f"sqlite:///{file}"
    with only_server(file), closing(Database(url)) as first:
        first.take_charge()
        with only_server(file), closing(Database(url)) as second:
            second.take_charge()

            with pytest.raises(FileGoneError):
                Table(first)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    url = "sqlite:////proc/laydown.db"
    done = laydown("--port", "0", LAYDOWN_INSTANCE=str(tmp_path), DATABASE_URL=url)

    assert done.returncode == 1
    assert "/proc" in only_sentence(done)


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.release
def test_a_server_for_developers_has_the_lock_and_reloads(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"

    def saves() -> bool:
        with suppress(OSError):
            return save(url) == 303
        return False

    with subprocess.Popen(
        [sys.executable, "-m", "webapp", "--debug", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "LAYDOWN_INSTANCE": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as first:
        try:
            wait_for(saves)
            for option in ("--debug", "--lan"):
                second = laydown("--port", "0", option, LAYDOWN_INSTANCE=str(tmp_path))
                assert second.returncode == 1
                assert "Stop it first" in only_sentence(second)
            before = children(first.pid)
            (ROOT / "webapp" / "__init__.py").touch()
            wait_for(lambda: children(first.pid) not in ([], before))
            wait_for(saves)
        finally:
            os.killpg(first.pid, signal.SIGKILL)


@pytest.mark.release
def test_two_laydowns_can_use_one_postgresql(
    tmp_path: Path, new_postgres_database: Callable[[], str]
) -> None:
    settings = {"DATABASE_URL": new_postgres_database()}
    with (
        Laydown(tmp_path / "one", surroundings=settings) as one,
        Laydown(tmp_path / "one", surroundings=settings) as two,
    ):
        assert [save(each.url) for each in (one, two, one)] == [303] * 3
