"""Servers with a planted fault each, to see that the check sees it.

`forgetful` says "saved" when the score is in memory, and writes it to the disk twice a second.
`doubling` takes no notice of form keys, so that a form that is sent twice counts twice.
`swallowing` says "saved" although the database said no.
`waiting` reads one connection to its end before it looks at the next.
`hanging` has a worker that is never done with what it was told to prepare.
`rushing` lets nobody wait: whatever is asked is done at once.
`unlocked` is on a file system without locks.
Run as `python -m tests.crash.broken forgetful --port 8000`.
"""

import atexit
import errno
import os
import shutil
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Flask, Response, request
from werkzeug.serving import make_server

from tests.webapp.chores import Spin
from webapp import app as factory
from webapp import cli, serving
from webapp.config import Config
from webapp.db import lock
from webapp.houses.houses import Houses
from webapp.workers import Workers
from webapp.workers.queue import Queue

BEHIND = 0.5
"""How many seconds the forgetful server's disk is behind."""


def forgetful() -> None:
    """Serve from a copy of the database, and bring the real one up to the copy now and then."""
    kept = Path(os.environ["LAYDOWN_INSTANCE"]) / "laydown.db"
    memory = kept.with_name(f"memory-{os.getpid()}.db")
    if kept.exists():
        shutil.copy(kept, memory)
    os.environ["DATABASE_URL"] = f"sqlite:///{memory}"

    def write() -> None:
        with closing(sqlite3.connect(memory)) as now, closing(sqlite3.connect(kept)) as disk:
            now.backup(disk)

    def write_behind() -> None:
        while True:
            time.sleep(BEHIND)
            write()

    make = factory.create_app

    def create(config: Config | None = None, houses: Houses | None = None) -> Flask:
        threading.Thread(target=write_behind, daemon=True).start()
        # A server that is asked to stop has forgotten nothing.
        atexit.register(write)
        return make(config, houses)

    factory.create_app = create


def doubling() -> None:
    """Give every form that comes in a key of its own."""
    make = factory.create_app

    def create(config: Config | None = None, houses: Houses | None = None) -> Flask:
        app = make(config, houses)
        app.wsgi_app = _without_keys(app.wsgi_app)  # type: ignore[method-assign]  # Flask's own way
        return app

    factory.create_app = create


def swallowing() -> None:
    """Answer every save of a hand as if it had been kept."""
    make = factory.create_app

    def create(config: Config | None = None, houses: Houses | None = None) -> Flask:
        app = make(config, houses)

        def cover_up(response: Response) -> Response:
            is_save = request.method == "POST" and request.path.startswith("/g/")
            if is_save and response.status_code == 503:
                return Response(status=303, headers={"Location": request.path})
            return response

        app.after_request(cover_up)
        return app

    factory.create_app = create


def waiting() -> None:
    """Answer one connection after the other, and wait for what it sends."""

    def serve(
        app: Flask, listeners: Sequence[socket.socket], greet: Callable[[], None], reserve: int = 0
    ) -> None:
        greet()
        listener = listeners[0]
        host, port = listener.getsockname()[:2]
        make_server(host, port, app, fd=listener.fileno()).serve_forever()

    serving.serve = serve


def hanging() -> None:
    """Give the worker something that it is never done with."""

    def warm(self: Workers) -> None:
        threading.Thread(target=self, args=(Spin(),), daemon=True).start()

    Workers.warm = warm  # type: ignore[method-assign]  # as above


def rushing() -> None:
    """Give everybody their turn at once."""
    Queue._is_free = lambda _line, _phone: True  # type: ignore[method-assign, assignment]  # as above


def unlocked() -> None:
    """Find no lock for the database file."""

    def refuse(descriptor: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK), descriptor)

    lock._lock = refuse


def _without_keys(
    app: Callable[..., Iterable[bytes]],
) -> Callable[..., Iterable[bytes]]:
    def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
            fields = [
                (name, os.urandom(8).hex() if name == "key" else value)
                for name, value in parse_qsl(body, keep_blank_values=True)
            ]
            changed = urlencode(fields).encode()
            environ["wsgi.input"] = BytesIO(changed)
            environ["CONTENT_LENGTH"] = str(len(changed))
        return app(environ, start_response)

    return wrapped


if __name__ == "__main__":
    faults = (forgetful, doubling, swallowing, waiting, hanging, rushing, unlocked)
    {fault.__name__: fault for fault in faults}[sys.argv[1]]()
    sys.exit(cli.main(sys.argv[2:]))
