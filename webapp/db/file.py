"""A SQLite database’s file: which server it belongs to, and whether it’s still the open one.

A program can go on writing into a file that somebody has deleted, moved or replaced, without
noticing; what it saves is gone at the next start. So every save checks the file at the path, before
and after. The open file can still be copied, as long as it’s open.

Knowing which file it is isn’t enough: `cp backup.db laydown.db` puts other content into the same
file, which together with the log of the old content is damaged. So a server also marks its content.
That is safe because no second server marks it meanwhile (`webapp.db.lock`).
"""

import os
import sqlite3
import struct
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime
from os import stat_result
from pathlib import Path
from secrets import randbelow
from typing import BinaryIO, Final
from urllib.parse import quote

from webapp.language import later
from webapp.refusal import Refusal

OWNER_ONLY: Final = 0o600

MARK: Final = struct.Struct(">I")
MARK_AT: Final = 60
"""The position of `user_version` in a SQLite file, which nothing else here uses."""


class DatabaseError(Refusal):
    """The database can’t be used; the message says why and what helps."""

    status = 503


class FileGoneError(DatabaseError):
    """Another file is at the path of the open one."""


class DatabaseFile:
    """A database file, checked while an app has it open."""

    def __init__(self, path: Path) -> None:
        """Start without opening it."""
        self.path = path
        self.log = path.with_name(f"{path.name}-wal")
        self._lock = threading.Lock()
        self._anchor: sqlite3.Connection | None = None
        self._identity: tuple[object, object] = (None, None)
        self._size = 0
        self._mark = 0
        self._witness: BinaryIO | None = None
        self._rescued: Path | None = None
        self._alone = False
        self._full = False

    @property
    def lacks_room(self) -> bool:
        """Whether the disk was too full to save anything when the file was opened."""
        return self._alone or self._full

    def connect(self) -> sqlite3.Connection:
        """Return a connection to the file; a missing one isn’t created.

        Raises FileGoneError if it’s missing, or isn’t the file that was opened first.
        """
        with self._lock:
            if self._anchor is None:
                self._hold()
        self.require_unmoved()
        return self._open()

    def require_unmoved(self) -> None:
        """Raise FileGoneError unless the file at the path is the open one.

        The file at the path must exist, be on the same disk, be the same file, not be shorter, and
        have the mark of this run; its log, once there is one, must be the same file. If not, the
        open file is copied first. A file that was never opened isn’t looked at.
        """
        if self._anchor is None:
            return
        what = self._what_happened()
        if what:
            copy = self._rescue()
            kept = later("faults.rescued", copy=copy) if copy else ""
            raise FileGoneError(later("faults.gone", what, path=self.path, kept=kept))

    def take_charge(self, address: str = "") -> None:
        """Keep the file open, and mark its content, so that other content in its place is noticed.

        The mark is noted in a file next to it, with the address of the server: a log that a crash
        left belongs to the content with that mark, and to no other.
        """
        with self._lock:
            # Nobody can put another file in its place, not even before the first phone comes.
            if self._anchor is None:
                self._hold()
        if self._alone:
            # Nobody else can open it, and there is no space for the mark.
            return
        mark = 1 + randbelow(2**31 - 1)
        try:
            with closing(self._open()) as connection:
                connection.execute(f"PRAGMA user_version = {mark}")
                # Into the file itself, not only into its log.
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            _note(self.path, mark, address)
        except sqlite3.OperationalError as error:
            if not lacks_room(error):
                raise DatabaseError(later("faults.no-write", path=self.path, why=error)) from error
            # Nothing can be saved; what was saved before can be read and exported.
            self._full = True
            return
        except OSError as error:
            why = error.strerror
            raise DatabaseError(later("faults.no-write", path=self.path, why=why)) from error
        # Never closed while a connection is open: that would also release SQLite’s locks.
        self._witness = self.path.open("rb", buffering=0)
        self._mark = mark

    def close(self) -> None:
        """Stop watching the file.

        Called before its last connection closes, which clears the log.
        """
        with self._lock:
            anchor, self._anchor = self._anchor, None
            if anchor is not None:
                anchor.close()

    def forget(self) -> None:
        """Close what still watches the file; called when no connection is open any more."""
        if self._witness:
            self._witness.close()
            self._witness = None

    def _open(self) -> sqlite3.Connection:
        return open_file(self.path, alone=self._alone)

    def _hold(self) -> None:
        """Open a connection that never writes: while it’s open, so are the file and its log."""
        try:
            anchor = self._open()
            try:
                _look(anchor)
            except sqlite3.OperationalError as error:
                if not lacks_room(error):
                    raise
                self._alone = True
                anchor = self._open()
        except sqlite3.OperationalError as error:
            if self.path.exists():
                raise
            raise FileGoneError(later("faults.no-file", path=self.path)) from error
        self._anchor = anchor
        self._identity = (_identity(self.path), _identity(self.log))
        self._size = self.path.stat().st_size

    def _what_happened(self) -> str:
        """Return what happened to the file: "deleted", "replaced", "cut" or "log"; else empty."""
        file, log = self._identity
        try:
            now = self.path.stat()
        except OSError:
            return "deleted"
        if _same(now) != file or self._has_other_mark():
            return "replaced"
        if now.st_size < self._size:
            return "cut"
        self._size = now.st_size
        if log is None:
            # The log is created by the first save.
            self._identity = (file, _identity(self.log))
        elif _identity(self.log) != log:
            return "log"
        return ""

    def _has_other_mark(self) -> bool:
        """Return whether the open file’s content isn’t the content that this run has marked."""
        if not self._witness:
            return False
        with self._lock:
            self._witness.seek(MARK_AT)
            return self._witness.read(MARK.size) != MARK.pack(self._mark)

    def _rescue(self) -> Path | None:
        """Copy the open file next to it, once; None if that fails."""
        with self._lock:
            if self._rescued is None and self._anchor is not None:
                name = f"{self.path.stem}-rescued-{datetime.now(UTC):%Y%m%dT%H%M%S}.db"
                with suppress(OSError, sqlite3.Error):
                    copy = self.path.with_name(name)
                    copy_whole(self._anchor, copy)
                    self._rescued = copy
            return self._rescued


def open_file(path: Path, *, alone: bool = False) -> sqlite3.Connection:
    """Return a connection to an existing file; a missing one isn’t created.

    SQLite keeps an index of its log in a small file next to the database, for which a full disk has
    no space. With `alone`, no other process can open the database and the index is in memory, so
    that the scores can be read.
    """
    # Not "rwc", which creates a missing file.
    uri = f"file:{quote(str(path))}?mode=rw{'&vfs=unix-excl' if alone else ''}"
    return sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)


def open_with_any_room(path: Path) -> sqlite3.Connection:
    """Return a connection for a program that has the database to itself.

    On a full disk it’s opened `alone`, as in `open_file`.
    """
    connection = open_file(path)
    try:
        _look(connection)
    except sqlite3.OperationalError as error:
        if not lacks_room(error):
            raise
        return open_file(path, alone=True)
    return connection


def lacks_room(error: sqlite3.OperationalError) -> bool:
    """Return whether SQLite failed because the disk is full, so that opening it alone helps."""
    code = error.sqlite_errorcode & 0xFF
    return os.name == "posix" and code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def _look(connection: sqlite3.Connection) -> None:
    """Read something, so that a bad file raises sqlite3.Error now; that closes the connection."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except sqlite3.Error:
        connection.close()
        raise


def copy_whole(connection: sqlite3.Connection, copy: Path) -> None:
    """Copy an open database into a new file, readable by its owner only.

    Raises OSError or sqlite3.Error, and leaves nothing behind then.
    """
    half = copy.with_name(f"{copy.name}.part")
    try:
        half.unlink(missing_ok=True)
        make_private(half)
        with closing(sqlite3.connect(half)) as target:
            connection.backup(target)
            # A copy belongs to no run: it has no mark, and needs no log.
            target.execute("PRAGMA user_version = 0")
            target.execute("PRAGMA journal_mode = DELETE")
            target.commit()
        half.replace(copy)
    finally:
        half.unlink(missing_ok=True)
        half.with_name(f"{half.name}-journal").unlink(missing_ok=True)


def make_private(path: Path) -> None:
    """Create a file that only its owner can read, or make an existing one private.

    Raise OSError.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        # On a disk without permissions, or for another user’s file, it stays as it is.
        with suppress(OSError):
            each.chmod(OWNER_ONLY)


LOGS: Final = ("-wal", "-journal")
"""The endings of the files that SQLite writes back over a database: logs of newer or older
pages."""


def logs_of(path: Path) -> tuple[Path, ...]:
    """Return the -wal and -journal files next to a database file that SQLite would still read."""
    # SQLite names them after the file itself, not after a link to it.
    path = path.resolve()
    beside = (path.with_name(f"{path.name}{end}") for end in LOGS)
    return tuple(log for log in beside if _is_in_use(log))


def _is_in_use(log: Path) -> bool:
    """Return whether SQLite would read a log: one that starts with a zero is finished."""
    try:
        with log.open("rb") as file:
            return file.read(1) not in {b"", b"\0"}
    except FileNotFoundError:
        return False


def refuse_foreign_log(path: Path) -> None:
    """Raise DatabaseError if a log is next to a file that is missing, empty, or not the log’s own.

    SQLite would write another file’s log over the file. That can happen if a copy is put in the
    place of a database that a crash left with its log. If the file is missing, SQLite deletes the
    log.
    """
    logs = logs_of(path)
    if logs and not (path.exists() and path.stat().st_size):
        raise DatabaseError(later("faults.lone-log", path=path, log=logs[0]))
    if has_foreign_log(path):
        raise DatabaseError(later("faults.other-log", path=path, log=logs[0]))


def has_foreign_log(path: Path) -> bool:
    """Return whether the log next to a file is another file’s, as far as a server’s note says."""
    try:
        noted = int(run_note(path).read_text(encoding="utf-8").split()[0])
        with path.open("rb") as file:
            file.seek(MARK_AT)
            [mark] = MARK.unpack(file.read(MARK.size))
    except (OSError, ValueError, IndexError, struct.error):
        return False
    return bool(logs_of(path)) and mark != noted


def forget_mark(path: Path) -> None:
    """Change the note next to `path`: the file that is about to be put there has no mark.

    Without a note nothing is written. Raises OSError if it can’t be changed.
    """
    if run_note(path).exists():
        _note(path, 0, "")


def run_note(path: Path) -> Path:
    """Return the path of a database’s note: it has its server’s mark and address, and its lock."""
    # As with SQLite’s log, a database has one, whatever link leads to it.
    path = path.resolve()
    return path.with_name(f"{path.name}-run")


def _note(path: Path, mark: int, address: str) -> None:
    """Write the mark, always of the same length, and the address.

    The lock removed the last address.
    """
    note = run_note(path)
    make_private(note)
    with note.open("r+b") as file:
        file.write(f"{mark:010}\n{address}\n".encode())


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        return _same(path.stat())
    except OSError:
        return None


def _same(found: stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
