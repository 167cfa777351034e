"""The door of a house: the devices that are let in, what each may do, and the invitations.

It’s a file of its own beside the scores: restoring a backup must not let anybody in again who was
sent away, and an export must not contain it. Tokens and secrets are random and long, so they are
stored as plain hashes, and looking one up takes microseconds.
"""

import hashlib
import hmac
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

from webapp.db.file import DatabaseError, make_private
from webapp.language import later
from webapp.refusal import Refusal

FILE: Final = "door.db"
"""The name of the file in the house’s folder."""

LONGEST_TITLE: Final = 40
MOST_DEVICES: Final = 200
MOST_INVITATIONS: Final = 50
HALF_A_DAY: Final = 12 * 3600
"""The seconds after which there is another invitation for the evening; the last one still works."""
WEEK: Final = 7 * 24 * 3600
"""The seconds for which an invitation for one device can be used."""
AGAIN: Final = 1.0
"""The seconds between two looks at whether another process changed the file."""
SEEN: Final = 3600
"""The seconds between two notes that a device was there."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS house (
  title TEXT NOT NULL, salt BLOB NOT NULL, key BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS device (
  id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, role INTEGER NOT NULL,
  kind TEXT NOT NULL, joined REAL NOT NULL, seen REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS invitation (
  id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, role INTEGER NOT NULL,
  made REAL NOT NULL
) STRICT;
"""


class Role(IntEnum):
    """What a device may do; each role may also do everything that those before it may."""

    NOBODY = 0
    WATCH = 1
    PLAY = 2
    KEEP = 3

    @property
    def word(self) -> str:
        """The role’s name in forms and in the catalog."""
        return self.name.lower()


class Device(NamedTuple):
    """A phone that was let into a house."""

    id: int
    role: Role
    kind: str
    """What its browser says it is, such as "iPhone"; empty if nobody knows."""
    joined: float
    seen: float
    """When it was last there, to the hour."""

    @property
    def when(self) -> datetime:
        """When it was last there."""
        return datetime.fromtimestamp(self.seen, UTC)


class Invitation(NamedTuple):
    """A link for one device, which nobody has used yet; its secret is shown once and not stored."""

    id: int
    role: Role
    made: float

    @property
    def when(self) -> datetime:
        """When it was made."""
        return datetime.fromtimestamp(self.made, UTC)


class InvitationOverError(Refusal):
    """The invitation was used or has ended, or there never was one."""

    status = 410


class LastKeeperError(Refusal):
    """The last device that may keep the house can’t be sent away."""

    status = 409


class HouseFullError(Refusal):
    """Too many devices are in, or too many invitations are open."""

    status = 409


class Door:
    """The door of one house."""

    def __init__(self, path: Path, title: str = "") -> None:
        """Open the door’s file, or make it with this title if it’s missing.

        Raises DatabaseError if the file can’t be used.
        """
        self._lock = threading.Lock()
        self._devices: dict[bytes, Device] = {}
        self._version = -1
        self._looked = -AGAIN
        try:
            make_private(path)
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise DatabaseError(later("faults.door")) from error
        try:
            self._file.executescript(f"PRAGMA journal_mode=WAL;PRAGMA busy_timeout=5000;{_TABLES}")
            with self._change():
                [[is_there]] = self._file.execute("SELECT count(*) FROM house")
                if not is_there:
                    new = (title, secrets.token_bytes(32), secrets.token_bytes(32))
                    self._file.execute("INSERT INTO house VALUES (?, ?, ?)", new)
            [[self.title, self._salt]] = self._file.execute("SELECT title, salt FROM house")
        except sqlite3.Error as error:
            self._file.close()
            raise DatabaseError(later("faults.door")) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def device(self, token: str) -> Device | None:
        """Return the device with a token; None if it isn’t in.

        All devices are remembered until another process, such as `laydown house`, changes the file,
        which is noticed within a second.
        """
        if not token:
            return None
        now = time.monotonic()
        if now - self._looked >= AGAIN:
            # Only then: whoever asks meanwhile must not be told what isn’t read yet.
            self._look()
            self._looked = now
        key = self._hash(token)
        found = self._devices.get(key)
        if found and time.time() - found.seen > SEEN:
            with self._change():
                seen = time.time()
                self._file.execute("UPDATE device SET seen = ? WHERE id = ?", (seen, found.id))
                self._read()
        return found

    def _look(self) -> None:
        """Read the devices again if another process has changed the file."""
        with self._reading():
            [[version]] = self._file.execute("PRAGMA data_version")
            if version != self._version:
                self._read()
                self._version = version

    def devices(self) -> list[Device]:
        """Return all devices, those that were there last first."""
        with self._reading():
            self._read()
            return sorted(self._devices.values(), key=lambda each: -each.seen)

    def invitations(self) -> list[Invitation]:
        """Return the invitations for one device that are still open."""
        with self._change():
            self._tidy()
            rows = self._file.execute("SELECT id, role, made FROM invitation ORDER BY id")
            return [Invitation(number, Role(role), made) for number, role, made in rows]

    def evening_secret(self, ago: int = 0) -> str:
        """Return the secret by which phones join to play this evening; there always is one.

        It’s worked out, so a page that shows it writes nothing. It works until the end of the next
        half day, or until somebody is sent away. `ago` is how many half days before.
        """
        with self._reading():
            [[key]] = self._file.execute("SELECT key FROM house")
        return _evening(key, ago)

    def invite(self, role: Role) -> str:
        """Make an invitation for one device; return its secret.

        Raises HouseFullError if too many invitations are open.
        """
        secret = secrets.token_urlsafe(18)
        with self._change():
            self._tidy()
            [[many]] = self._file.execute("SELECT count(*) FROM invitation")
            if many >= MOST_INVITATIONS:
                raise HouseFullError
            self._file.execute(
                "INSERT INTO invitation (hash, role, made) VALUES (?, ?, ?)",
                (self._hash(secret), role, time.time()),
            )
        return secret

    def take_back(self, invitation: int) -> None:
        """End an invitation."""
        with self._change():
            self._file.execute("DELETE FROM invitation WHERE id = ?", (invitation,))

    def join(self, secret: str, token: str, kind: str) -> str:
        """Let a device in by an invitation; return its token.

        The token is a new one, unless the device is in already: nobody can choose it. A device that
        may do as much already stays as it is, and uses nothing up. Raises InvitationOverError or
        HouseFullError.
        """
        with self._change():
            self._tidy()
            used, role = self._invited(secret)
            self._read()
            known = self._devices.get(self._hash(token))
            if known and known.role >= role:
                return token
            self._file.execute("DELETE FROM invitation WHERE id = ?", (used,))
            if known:
                self._file.execute("UPDATE device SET role = ? WHERE id = ?", (role, known.id))
            elif len(self._devices) >= MOST_DEVICES:
                raise HouseFullError
            else:
                token, now = secrets.token_urlsafe(32), time.time()
                self._file.execute(
                    "INSERT INTO device (hash, role, kind, joined, seen) VALUES (?, ?, ?, ?, ?)",
                    (self._hash(token), role, kind, now, now),
                )
            self._read()
            return token

    def change(self, device: int, role: Role) -> None:
        """Change what a device may do; NOBODY sends it away.

        Raises LastKeeperError if the house would have no keeper. Two keepers who send each other
        away leave one, because the other keepers are counted in the same transaction. A device that
        may do less than before, or nothing, could still have any link that was sent around: all of
        them end.
        """
        with self._change():
            rows = self._file.execute("SELECT role FROM device WHERE id = ?", (device,)).fetchall()
            if not rows or rows[0][0] == role:
                return
            keepers = "SELECT count(*) FROM device WHERE role = ? AND id <> ?"
            [[others]] = self._file.execute(keepers, (Role.KEEP, device))
            if rows[0][0] == Role.KEEP and not others:
                raise LastKeeperError
            if role:
                self._file.execute("UPDATE device SET role = ? WHERE id = ?", (role, device))
            else:
                self._file.execute("DELETE FROM device WHERE id = ?", (device,))
            if role < rows[0][0]:
                self._file.execute("DELETE FROM invitation")
                self._file.execute("UPDATE house SET key = ?", (secrets.token_bytes(32),))
            self._read()

    def _invited(self, secret: str) -> tuple[int, Role]:
        """Return the number of an invitation, 0 for the evening’s, and what it lets a device do."""
        [[key]] = self._file.execute("SELECT key FROM house")
        if any(hmac.compare_digest(secret.encode(), _evening(key, ago).encode()) for ago in (0, 1)):
            return 0, Role.PLAY
        asked = "SELECT id, role FROM invitation WHERE hash = ?"
        for number, role in self._file.execute(asked, (self._hash(secret),)):
            return number, Role(role)
        raise InvitationOverError

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Keep other threads off the file meanwhile; raise DatabaseError if it can’t be used."""
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise DatabaseError(later("faults.door")) from error

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Change the file in one transaction; nothing is changed if anything is raised."""
        with self._reading():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def _hash(self, token: str) -> bytes:
        """Return the hash that is stored instead of a token; every house has its own for it."""
        return hashlib.blake2b(token.encode(), key=self._salt, digest_size=24).digest()

    def _read(self) -> None:
        rows = self._file.execute("SELECT hash, id, role, kind, joined, seen FROM device")
        self._devices = {key: Device(of, Role(role), *more) for key, of, role, *more in rows}

    def _tidy(self) -> None:
        self._file.execute("DELETE FROM invitation WHERE made < ?", (time.time() - WEEK,))


def _evening(key: bytes, ago: int) -> str:
    period = str(int(time.time() // HALF_A_DAY) - ago).encode()
    return hmac.new(key, period, hashlib.sha256).hexdigest()[:36]
