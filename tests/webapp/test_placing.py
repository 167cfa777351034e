"""A file that takes the place of the database never meets the log of another."""

import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.webapp.table import Table
from webapp.backups.backups import take_backup
from webapp.backups.copying import carry
from webapp.backups.restoring import put_back
from webapp.db import Database, DatabaseError
from webapp.db import placing as placed
from webapp.db.file import logs_of
from webapp.db.placing import put_in_place
from webapp.migrations import migrate

pytestmark = pytest.mark.slow


def play(file: Path, games: int) -> None:
    with closing(Database(f"sqlite:///{file}")) as database:
        for _ in range(games):
            Table(database, ("Ana", "Ben")).play(1)


def pubs(file: Path) -> set[str]:
    """The games in a file, as SQLite finds it."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {pub for (pub,) in connection.execute("SELECT pub FROM game")}


@pytest.fixture(scope="module")
def made(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a backup of 2 games, and what a crash left of a book of 3 others."""
    folder = tmp_path_factory.mktemp("made")
    book = folder / "book" / "laydown.db"
    book.parent.mkdir()
    shutil.copy(migrated_sqlite, book)
    play(book, 2)
    shutil.copy(take_backup(f"sqlite:///{book}", folder).path, folder / "backup.db")
    shutil.copy(migrated_sqlite, book)
    with closing(Database(f"sqlite:///{book}")) as database:
        database.take_charge()
        for _ in range(3):
            Table(database, ("Ana", "Ben")).play(1)
        crashed = folder / "crashed"
        crashed.mkdir()
        for left in book.parent.glob("laydown.db*"):
            shutil.copy(left, crashed)
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path) -> Path:
    """The database that crashed, with its log beside it."""
    shutil.copytree(made / "crashed", tmp_path / "here")
    return tmp_path / "here" / "laydown.db"


@pytest.fixture
def backup(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "backup.db", tmp_path))


def gone(file: Path) -> None:
    file.unlink()


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def torn(file: Path) -> None:
    file.write_bytes(b"torn" * 5000)


def as_it_is(_file: Path) -> None:
    """Leave the file and the log that belongs to it."""


def put_over(file: Path) -> None:
    """Another database is put by hand over the one that crashed."""
    shutil.copy(file.parent.parent / "backup.db", file)


@pytest.mark.parametrize("left", [gone, emptied, torn, as_it_is, put_over])
def test_what_is_restored_is_what_was_in_the_backup_whatever_a_crash_left(
    left: Callable[[Path], None], here: Path, backup: Path
) -> None:
    left(here)
    log = here.with_name("laydown.db-wal").read_bytes()

    kept = put_back(backup, f"sqlite:///{here}")

    assert pubs(here) == pubs(backup)
    assert len(pubs(backup)) == 2
    assert logs_of(here) == ()
    assert all(each.parent == here.parent / "backups" for each in kept)
    if left is as_it_is:
        [before] = kept
        assert len(pubs(before)) == 3
    else:
        # The log is kept as it was, beside the file that it may belong to.
        assert kept[-1].read_bytes() == log
        assert kept[-1].name.endswith(".db-wal")


def test_a_journal_of_an_older_mode_is_kept_as_well(here: Path, backup: Path) -> None:
    gone(here)
    here.with_name("laydown.db-wal").rename(here.with_name("laydown.db-journal"))

    [kept] = put_back(backup, f"sqlite:///{here}")

    assert kept.name.endswith(".db-journal")
    assert pubs(here) == pubs(backup)


def test_a_database_behind_a_link_is_restored_where_it_is(here: Path, backup: Path) -> None:
    link = here.parent.parent / "link" / "laydown.db"
    link.parent.mkdir()
    link.symlink_to(here)
    gone(here)

    [kept] = put_back(backup, f"sqlite:///{link}")

    assert link.is_symlink()
    assert kept.name.endswith(".db-wal")
    assert pubs(link) == pubs(here) == pubs(backup)


def test_a_backup_without_its_log_is_not_taken_for_a_whole_one(here: Path, tmp_path: Path) -> None:
    there = tmp_path / "new" / "laydown.db"

    with pytest.raises(DatabaseError, match="log"):
        put_back(here, f"sqlite:///{there}")

    assert not there.exists()


# The siblings


@pytest.mark.parametrize("left", [gone, emptied])
def test_nothing_is_begun_beside_the_log_of_another_file(
    left: Callable[[Path], None], here: Path, backup: Path
) -> None:
    left(here)
    before = {each.name: each.read_bytes() for each in here.parent.iterdir()}

    with pytest.raises(DatabaseError, match="laydown restore"):
        migrate(f"sqlite:///{here}")
    with pytest.raises(DatabaseError):
        carry(f"sqlite:///{backup}", f"sqlite:///{here}")

    assert {each.name: each.read_bytes() for each in here.parent.iterdir()} == before


def test_what_a_killed_restore_left_is_cleared_away(here: Path, backup: Path) -> None:
    (here.parent / ".proof-abc").mkdir()
    (here.parent / ".proof-abc" / "laydown.db-wal").write_bytes(b"half")

    put_back(backup, f"sqlite:///{here}")

    assert list(here.parent.glob(".proof-*")) == []


# A crash at any point


def put_first(new: Path, file: Path) -> tuple[Path, ...]:
    """The fault: the file takes its name first, and the log goes after that."""
    shutil.copy(new, file)
    with file.open("rb"):
        """A moment for the crash."""
    for log in logs_of(file):
        log.unlink()
    return ()


STEPS = {"open", "os.rename", "os.remove", "os.truncate", "shutil.copyfile", "sqlite3.connect"}


def crash_at(step: int, place: Callable[[Path, Path], object], new: Path, file: Path) -> bool:
    """Put a file in place in a process that is killed before a step, from 1; False if none is."""
    child = os.fork()
    if child == 0:
        left = [step]

        def hook(event: str, _arguments: object) -> None:
            if event in STEPS:
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1

        sys.addaudithook(hook)
        place(new, file)
        os._exit(0)
    return os.waitpid(child, 0)[1] != 0


def crashes(place: Callable[[Path, Path], object], here: Path, backup: Path) -> Iterator[set[str]]:
    """What is in the database after a crash before each step, and in the end."""
    crashed = here.parent.with_name("again")
    for step in range(200):
        shutil.rmtree(crashed, ignore_errors=True)
        shutil.copytree(here.parent, crashed)
        file = crashed / here.name
        new = crashed / "new.db"
        shutil.copy(backup, new)
        killed = crash_at(step, place, new, file)
        # Whoever comes next keeps off what can't be right.
        try:
            migrate(f"sqlite:///{file}")
        except DatabaseError:
            yield set()
        else:
            yield pubs(file)
        if not killed:
            return


@pytest.mark.parametrize("left", [gone, torn, as_it_is])
def test_a_crash_at_any_point_leaves_the_old_scores_or_the_new_ones(
    left: Callable[[Path], None], here: Path, backup: Path
) -> None:
    old = pubs(Path(shutil.copytree(here.parent, here.parent.with_name("old"))) / here.name)
    new = pubs(backup)
    left(here)

    found = list(crashes(put_in_place, here, backup))

    assert len(found) > 5
    assert found[-1] == new
    assert all(each in ([old, new] if left is as_it_is else [set(), new]) for each in found)


def test_the_log_going_last_would_be_noticed(here: Path, backup: Path) -> None:
    gone(here)
    here.with_name("laydown.db-run").unlink()

    assert any(each not in (set(), pubs(backup)) for each in crashes(put_first, here, backup))


def test_what_is_replaced_stays_locked_until_it_is(
    here: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(path: Path) -> None:
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            try:
                connection.execute("SELECT count(*) FROM game").fetchone()
            except sqlite3.OperationalError as error:
                seen.append(error.sqlite_errorname)

    monkeypatch.setattr(placed, "forget_mark", look)
    put_in_place(backup, here)

    assert seen == ["SQLITE_BUSY"]
