"""Copies of the book: proved before they count, kept for a year, put back whole."""

import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.webapp.table import Table, sent
from webapp.backups.backups import take_backup
from webapp.backups.check import prove
from webapp.backups.copying import carry
from webapp.backups.restoring import put_back
from webapp.db import Database, DatabaseError, sqlite_file
from webapp.ledger.verification import verify_all
from webapp.models import Game
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.view import read_pad
from webapp.players.commands import merge_players

pytestmark = pytest.mark.slow


def play(database: Database, rounds: int = 2) -> Table:
    """Play some rounds of a game."""
    table = Table(database)
    for number in range(1, rounds + 1):
        table.count(number, ana="out", ben="100", cleo="120")
    return table


def fill(database: Database) -> None:
    """Play two games, one of them to its end."""
    play(database)
    play(database, 6).tap(taps.finish_game)


@pytest.fixture(scope="session")
def filled(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with these two games in it, to be copied."""
    file = Path(shutil.copy(migrated_sqlite, tmp_path_factory.mktemp("filled")))
    with closing(Database(f"sqlite:///{file}")) as database:
        fill(database)
    return file


@pytest.fixture
def book(clean_url: str, filled: Path) -> Iterator[Database]:
    """A book with two games in it, one of them finished, open in an app."""
    file = sqlite_file(clean_url)
    if file:
        shutil.copy(filled, file)
    with closing(Database(clean_url)) as database:
        if not file:
            fill(database)
        database.take_charge()
        yield database


@pytest.fixture(scope="session")
def taken(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a book with a finished game in it, not to be touched."""
    folder = tmp_path_factory.mktemp("taken")
    shutil.copy(migrated_sqlite, folder / "laydown.db")
    url = f"sqlite:///{folder / 'laydown.db'}"
    with closing(Database(url)) as database:
        play(database, 6).tap(taps.finish_game)
    return take_backup(url, folder).path


@pytest.fixture
def backup(taken: Path, tmp_path: Path) -> Path:
    """A copy of that backup."""
    folder = tmp_path / "backups"
    folder.mkdir()
    return Path(shutil.copy(taken, folder))


def contents(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    tables = Game.metadata.sorted_tables

    def rows(session: object) -> dict[str, list[tuple[object, ...]]]:
        return {
            table.name: [
                tuple(row)
                for row in session.execute(select(table).order_by(*table.primary_key))  # type: ignore[attr-defined]
            ]
            for table in tables
        }

    return database.read(rows)


def contents_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    with closing(Database(url)) as database:
        return contents(database)


def file_of(url: str) -> Path:
    """The file that a book on this machine is in."""
    file = sqlite_file(url)
    assert file
    return file


# Taking


@pytest.mark.databases
def test_a_backup_holds_all_that_was_saved_before_it(
    book: Database, clean_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"

    path = take_backup(clean_url, folder).path

    assert contents_of(f"sqlite:///{path}") == contents(book)
    assert len(contents(book)["game"]) == 2
    # It is one file, and only its owner can read it.
    assert [each.name for each in folder.iterdir()] == [path.name]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.databases
def test_phones_save_on_while_backups_are_taken(
    book: Database, clean_url: str, tmp_path: Path
) -> None:
    over = threading.Event()
    saved = []

    def save() -> None:
        while not over.is_set():
            saved.append(play(book, 1).pub)

    phone = threading.Thread(target=save)
    phone.start()
    backups = []
    try:
        for number in range(3):
            before = len(saved)
            backups.append((before, take_backup(clean_url, tmp_path / str(number))))
    finally:
        over.set()
        phone.join()

    for before, taken in backups:
        assert prove(taken.path) == ()
        kept = {row[1] for row in contents_of(f"sqlite:///{taken.path}")["game"]}
        assert kept >= set(saved[:before])
    assert len(saved) > before


# Proving


def test_a_good_backup_is_proved_and_not_touched(backup: Path) -> None:
    before = backup.read_bytes()

    assert prove(backup) == ()

    assert backup.read_bytes() == before
    assert [path.name for path in backup.parent.iterdir()] == [backup.name]


def _change_an_entry(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TRIGGER entry_no_update")
    connection.execute("UPDATE entry SET payload = replace(payload, '100', '105')")


def _change_a_total(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE result SET total = total + 5")


def _lose_a_player(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM player WHERE name = 'Ben'")


@pytest.mark.parametrize("damage", [_change_an_entry, _change_a_total, _lose_a_player])
def test_a_copy_in_which_anything_was_changed_does_not_count(
    backup: Path, damage: Callable[[sqlite3.Connection], None]
) -> None:
    with closing(sqlite3.connect(backup)) as connection:
        damage(connection)
        connection.commit()

    assert prove(backup)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_torn_copy_does_not_count(backup: Path, part: float) -> None:
    whole = backup.read_bytes()
    backup.write_bytes(whole[: int(part * len(whole))])

    assert not is_good(backup)


def test_a_copy_with_a_bad_sector_does_not_count(backup: Path) -> None:
    whole = backup.read_bytes()
    before = contents_of(f"sqlite:///{backup}")

    found = 0
    for start in range(0, len(whole), len(whole) // 12):
        backup.write_bytes(whole[:start] + bytes(512) + whole[start + 512 :])
        if not is_good(backup):
            found += 1
            continue
        # Where nothing is kept a sector may be bad.
        assert contents_of(f"sqlite:///{backup}") == before
    assert found


def is_good(copy: Path) -> bool:
    try:
        return not prove(copy)
    except DatabaseError:
        return False


# Which are kept


def test_only_backups_are_cleared_away(book: Database, clean_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    others = ["laydown-20200101T000000000000.db", "replaced-20200101T000000Z.db", "holiday.jpg"]
    old = [f"backup-202001{day:02}T120000Z.db" for day in range(1, 29)]
    for name in (*others, *old):
        (folder / name).write_bytes(b"")

    taken = take_backup(clean_url, folder)

    left = {path.name for path in folder.iterdir()}
    assert left >= {*others, taken.path.name, old[-1]}
    assert len(left & set(old)) < len(old)
    assert book.read(read_pad, contents(book)["game"][0][1])  # type: ignore[arg-type]


# Putting back


def test_a_book_that_is_put_back_is_as_it_was(backup: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'laydown.db'}"

    assert put_back(backup, url) == ()

    assert contents_of(url) == contents_of(f"sqlite:///{backup}")


def test_what_a_backup_replaces_is_kept(book: Database, clean_url: str, backup: Path) -> None:
    play(book)
    later = contents(book)
    book.close()

    [replaced] = put_back(backup, clean_url)

    assert contents_of(f"sqlite:///{replaced}") == later
    assert contents_of(clean_url) == contents_of(f"sqlite:///{backup}")


def test_nothing_is_put_back_while_laydown_runs(
    book: Database, clean_url: str, backup: Path
) -> None:
    play(book)
    before = contents(book)

    with pytest.raises(DatabaseError):
        put_back(backup, clean_url)

    assert contents(book) == before
    play(book)


def test_nothing_is_put_back_before_the_first_phone_comes(
    book: Database, clean_url: str, backup: Path
) -> None:
    book.close()
    with closing(Database(clean_url)) as waiting:
        waiting.take_charge()

        with pytest.raises(DatabaseError):
            put_back(backup, clean_url)


def test_a_damaged_book_is_set_aside_and_replaced(
    book: Database, clean_url: str, backup: Path
) -> None:
    file = file_of(clean_url)
    book.close()
    file.write_bytes(b"torn" * 5000)

    [replaced] = put_back(backup, clean_url)

    assert replaced.read_bytes() == b"torn" * 5000
    assert contents_of(clean_url) == contents_of(f"sqlite:///{backup}")


def test_a_bad_copy_replaces_nothing(book: Database, clean_url: str, backup: Path) -> None:
    before = contents(book)
    book.close()
    backup.write_bytes(backup.read_bytes()[:5000])

    with pytest.raises(DatabaseError):
        put_back(backup, clean_url)

    assert contents_of(clean_url) == before


# Carrying


@pytest.mark.databases
def test_a_book_is_carried_to_a_server_and_back(
    book: Database, clean_url: str, new_postgres_database: Callable[[], str], tmp_path: Path
) -> None:
    server, file = new_postgres_database(), f"sqlite:///{tmp_path / 'back.db'}"
    # A player who is the same person as a later one.
    same = Table(book, ("Bne", "Cleo")).ids["bne"]
    Table(book, ("Benno", "Cleo"))
    book.write(merge_players, same, "Benno", sent())

    carry(clean_url, server)
    carry(server, file)

    assert contents_of(server) == contents_of(file) == contents(book)
    with closing(Database(server)) as database:
        table = play(database)
        assert database.read(verify_all, 1, 100) == ()
        assert table.pub not in {row[1] for row in contents(book)["game"]}


@pytest.mark.databases
def test_a_book_is_carried_into_no_other_book(
    book: Database, clean_url: str, tmp_path: Path
) -> None:
    other = f"sqlite:///{tmp_path / 'other.db'}"
    carry(clean_url, other)
    before = contents_of(other)
    play(book)

    with pytest.raises(DatabaseError):
        carry(clean_url, other)

    assert contents_of(other) == before
