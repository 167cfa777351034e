"""PostgreSQL: connections with time limits; the promises a server must keep; its copies."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import URL, Connection
from sqlalchemy.orm import Session

from webapp.db.file import DatabaseError, make_private

PROMISES: Final = ("synchronous_commit", "fsync", "full_page_writes")
"""The settings without which a server can lose what it acknowledged."""

ABANDONED: Final = 60
"""The seconds after which a server undoes what a client began and left."""

UNCOPIED: Final = "This PostgreSQL must be copied before its tables are changed, and"
GO_ON: Final = "Copy it yourself, then start once with --copied. Nothing was changed."


def connect_arguments(
    seconds: float, options: str, statement: float | None
) -> Mapping[str, object]:
    """Return the arguments with which psycopg makes a connection.

    It waits up to `seconds` for the server to let it in, and for a lock. A statement can take
    `statement` seconds; None is no limit. `options` are those in the database’s address.
    """
    milliseconds = int(seconds * 1000)
    settings = {
        "lock_timeout": milliseconds,
        "statement_timeout": int((statement or 0) * 1000),
        "synchronous_commit": "on",
        "idle_in_transaction_session_timeout": ABANDONED * 1000,
    }
    ours = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return {
        "connect_timeout": max(2, round(seconds)),
        "options": f"{options} {ours}".strip(),
        # A network that is gone doesn’t answer either: the machine notices, and gives up.
        "tcp_user_timeout": milliseconds,
        "keepalives_idle": 10,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }


def broken_promises(connection: Connection | Session) -> tuple[str, ...]:
    """Return the settings by which this server can lose what it acknowledged, as "fsync = off"."""
    found = ((name, connection.execute(text(f"SHOW {name}")).scalar_one()) for name in PROMISES)
    return tuple(f"{name} = {value}" for name, value in found if value == "off")


def dump(url: URL, copy: Path) -> None:
    """Copy a server's database into a file with pg_dump, readable by its owner only.

    Raises DatabaseError if there is no pg_dump or it fails, and leaves nothing behind then.
    """
    program = shutil.which("pg_dump")
    if program is None:
        raise DatabaseError(f"{UNCOPIED} there is no pg_dump here. {GO_ON}")
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    # A list of running programs must not show it.
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    half = copy.with_name(f"{copy.name}.part")
    try:
        make_private(half)
        done = subprocess.run(  # noqa: S603 - the server's own program, and no shell
            [program, "--format=custom", f"--file={half}", f"--dbname={address}"],
            env={**os.environ, **secret},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or ["it did not say why"]
            raise DatabaseError(f"{UNCOPIED} pg_dump did not do it ({said[0]}). {GO_ON}")
        half.replace(copy)
    except OSError as error:
        raise DatabaseError(f"{UNCOPIED} {copy}: {error.strerror}. {GO_ON}") from error
    finally:
        half.unlink(missing_ok=True)
