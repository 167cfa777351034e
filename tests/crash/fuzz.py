"""Send whatever comes to mind to every address: `python -m tests.fuzz requests`.

Raw WSGI, within this process, on SQLite or with --postgres there: forms, files, cookies, headers
and paths that no browser would send. Every answer is a page, a piece or a refusal: never a fault,
and never after long.
"""

import io
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from flask import Flask
from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Variant, variants
from referee.scorepad import close_choices
from tests.crash.nasty import FIELDS, FILES, HEADERS, HELD, METHODS, NASTY, PATHS
from tests.webapp.table import Table
from tests.yardstick import milliseconds
from webapp.config import Config
from webapp.db import Database
from webapp.exchange.looking import keep
from webapp.factory import make_app
from webapp.ledger import Sent, new_key, read_story
from webapp.migrations import migrate
from webapp.models import Game
from webapp.services.games import NewGameChoices, NewGameRefusedError, start_game
from webapp.services.own.drafts import made_from
from webapp.services.own.keeping import save_game
from webapp.services.roster import read_players

LIMIT_MS = 1000
"""Processor time that an answer may take, on a machine like ours."""

TURN = 200
"""Requests to one game before there is another one."""

UNSENDABLE = b"\r\n\0"
"""What no server lets into a header."""


@dataclass(slots=True)
class Outcome:
    """What came of it."""

    answers: Counter[int] = field(default_factory=Counter)
    """How many answers of each status."""
    slowest_ms: float = 0
    slowest: str = ""
    wrong: list[str] = field(default_factory=list)
    """What was answered by a fault, or too late, a sentence each."""

    @property
    def is_well(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong


@dataclass(slots=True)
class Sender:
    """Sends to an app that is open on an empty database; the same for the same seed."""

    app: Flask
    chance: random.Random
    outcome: Outcome = field(default_factory=Outcome)

    def play(self, seconds: float, most: int = 0) -> None:
        """Send for so long, to one game after the other, or until so many were sent."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for variant in variants.all():
                begin_own(self.app, variant.slug)
                table, paper = begin(self.app, variant.slug), begin_on_paper(self.app, variant)
                for turn in range(TURN):
                    sent = self.outcome.answers.total()
                    if time.monotonic() > until or (most and sent >= most):
                        return
                    if self.send(table if turn % 10 else paper):
                        # It may be the game itself that was deleted.
                        table = begin(self.app, variant.slug)

    def send(self, table: Table) -> bool:
        """Send one request that has to do with a table, and look at the answer.

        Answers whether something was deleted.
        """
        environ = self._environ(table)
        said = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']!r:.80}"
        began = time.process_time()
        status = answer(self.app, environ)
        took = 1000 * (time.process_time() - began)
        self.outcome.answers[status] += 1
        if took > self.outcome.slowest_ms:
            self.outcome.slowest_ms, self.outcome.slowest = took, said
        if status >= 500:
            self.outcome.wrong.append(f"{status}: {said}")
        elif took > LIMIT_MS and took > milliseconds(LIMIT_MS):
            self.outcome.wrong.append(f"{took:.0f} ms: {said}")
        return status == 303 and environ["PATH_INFO"].endswith("/deletion")

    def _environ(self, table: Table) -> dict[str, Any]:
        chance, who = self.chance, list(table.ids.values())
        path = chance.choice(PATHS).format(
            pub=table.pub,
            who=chance.choice(who),
            few=chance.randrange(1, 4),
            nasty=self._text(table),
        )
        fields = [
            (chance.choice(FIELDS).format(who=chance.choice(who)), self._text(table))
            for _ in range(chance.randrange(12))
        ]
        if chance.random() < 0.8:
            held = path.startswith("/imports/")
            fields.append(("key", chance.choice(HELD) if held else new_key()))
        method = chance.choice(METHODS) if chance.random() < 0.1 else chance.choice(("GET", "POST"))
        written = self._write(fields)
        body = b"" if method == "GET" else written
        headers = {"Host": b"localhost"}
        if chance.random() < 0.95:
            headers["Origin"] = b"http://localhost"
        if chance.random() < 0.5:
            headers["HX-Request"] = b"true"
        if body:
            headers["Content-Type"] = b"application/x-www-form-urlencoded"
        while chance.random() < 0.2:
            value = _bytes(self._text(table)).translate(None, UNSENDABLE)
            headers[chance.choice(HEADERS)] = value[:8000]
        if method == "POST" and path == "/imports" and chance.random() < 0.8:
            headers["Content-Type"] = b"multipart/form-data; boundary=x"
            body = self._file()
        elif chance.random() < 0.05:
            headers["Content-Type"] = b"multipart/form-data; boundary=x"
            body = chance.randbytes(chance.randrange(300))
        return environ_of(method, path, written if method == "GET" else b"", headers, body)

    def _file(self) -> bytes:
        """A file as a page sends it, now and then torn or with bytes that were changed."""
        chance = self.chance
        content = bytearray(chance.choice(FILES))
        for _ in range(chance.choice([0, 0, 1, 5])):
            place = chance.randrange(len(content) + 1)
            content[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        held = chance.choice(HELD).encode()
        return (
            b'--x\r\nContent-Disposition: form-data; name="held"\r\n\r\n' + held + b"\r\n"
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
            + bytes(content)
            + b"\r\n--x--\r\n"
        )

    def _text(self, table: Table) -> str:
        chance, kind = self.chance, self.chance.random()
        if kind < 0.6:
            return chance.choice(NASTY)
        if kind < 0.8:
            return str(chance.choice([0, 1, 2, 5, 45, *table.ids.values()]))
        return "".join(chr(chance.randrange(0x11000)) for _ in range(chance.randrange(12)))

    def _write(self, fields: Sequence[tuple[str, str]]) -> bytes:
        pairs = (
            b"=".join(quote_from_bytes(_bytes(part)).encode() for part in pair) for pair in fields
        )
        written = b"&".join(pairs)
        if self.chance.random() < 0.1:
            # Torn: half a percent sign, no equals sign, whatever bytes.
            place = self.chance.randrange(len(written) + 1)
            written = written[:place] + self.chance.randbytes(3) + written[place:]
        return written


def begin(app: Flask, slug: str) -> Table:
    """A game in which one round was counted."""
    variant, database = variants.get(slug), app.extensions["database"]
    names = ("Ana", "Ben", "Cleo")[: max(2, variant.players[0])]
    try:
        pub = _start(database, slug, names)
    except NewGameRefusedError:
        # Two of them were merged meanwhile.
        pub = _start(database, slug, tuple(f"{name} {new_key()[:8]}" for name in names))
    # By the seats: who sits there may have been given another name meanwhile.
    seats = database.read(read_story, pub).seats
    ids = dict(zip((name.lower() for name in names), seats, strict=True))
    table = Table.found(database, pub, ids)
    others = dict.fromkeys(list(table.ids)[1:], "0/made 20")
    close = [choice.word for choice in close_choices(variant) if choice.joker is None][-1:]
    table.count(1, ana="60/out", **others, close="".join(close))
    return table


def begin_own(app: Flask, slug: str) -> Table:
    """A game of your own made from a shipped one, with two players."""
    database = app.extensions["database"]
    spec = made_from(variants.description_of(slug), f"Our {slug}")
    own = database.write(save_game, spec, Sent(key=new_key(), device="phone"))
    players = {"ana": "Ana", "ben": "Ben"}
    pub = _start(database, own, tuple(players.values()))
    seats = database.read(read_story, pub).seats
    return Table.found(database, pub, dict(zip(players, seats, strict=True)))


def _start(database: Database, slug: str, names: Sequence[str]) -> str:
    seats = tuple(f"+{name}" for name in names)
    choices = NewGameChoices(variant=slug, seats=seats, key=new_key())
    return str(database.write(start_game, choices, "phone"))


def begin_on_paper(app: Flask, variant: Variant) -> Table:
    """A game that was kept on paper."""
    database = app.extensions["database"]
    players = ("Ana", "Ben", "Cleo")[: max(2, variant.players[0])]
    table = f"date,game,winner,{','.join(players)}\n2025-11-22,{variant.name},Ana,"
    content = table.replace(variant.name, f'"{variant.name}"') + ",".join("567"[: len(players)])
    keep(content.encode(), database)

    def latest(session: Session) -> str:
        game = select(col(Game.pub)).order_by(col(Game.id).desc()).limit(1)
        return str(session.execute(game).scalar_one())

    ids = {player.name.lower(): player.id for player in database.read(read_players)}
    return Table.found(database, database.read(latest), ids)


def environ_of(
    method: str, path: str, query: bytes, headers: dict[str, bytes], body: bytes
) -> dict[str, Any]:
    """A request as a server hands it on: bytes written as Latin-1."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": _bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        environ[key] = value.decode("latin-1")
    return environ


def answer(app: Flask, environ: dict[str, Any]) -> int:
    """Let an app answer, to the last byte; the status."""
    statuses: list[int] = []

    def start(status: str, _headers: object, _info: object = None, /) -> Callable[[bytes], object]:
        statuses.append(int(status[:3]))
        return lambda _: None

    chunks: Iterable[bytes] = app(environ, start)
    try:
        for _ in chunks:
            pass
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    return statuses[-1]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@contextmanager
def opened(url: str = "") -> Iterator[Flask]:
    """An app that is open on a database of its own, or on an empty one."""
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        url = url or f"sqlite:///{Path(folder) / 'laydown.db'}"
        migrate(url)
        app = make_app(Config(database_url=url, instance=Path(folder)))
        try:
            yield app
        finally:
            app.extensions["database"].close()


def run(seconds: float, *, seed: int = 0, most: int = 0, url: str = "") -> Outcome:
    """Send for so long, or so many, to an app on a database of its own, or on an empty one."""
    with opened(url) as app:
        sender = Sender(app, random.Random(seed))
        sender.play(seconds, most)
    return sender.outcome


def say(outcome: Outcome, seconds: float, seed: int) -> int:
    """Print what came of it; answers the exit status, 1 where anything was wrong."""
    print(
        f"{outcome.answers.total()} requests in {seconds:.0f} s ("
        f"{', '.join(f'{many} × {status}' for status, many in sorted(outcome.answers.items()))}), "
        f"slowest {outcome.slowest_ms:.0f} ms ({outcome.slowest}), {len(outcome.wrong)} wrong "
        f"(seed {seed})"
    )
    for sentence in outcome.wrong[:20]:
        print(f"- {sentence[:2000]}")
    return 0 if outcome.is_well else 1
