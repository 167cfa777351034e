"""Send whatever comes to mind to every address: `python -m tests.fuzz requests 5000`.

Raw WSGI, within this process. From page to page a form is filled in, with fields left out, doubled
and mixed up, and any of its buttons pressed. In between something is sent to any route that the app
has: texts, files, headers and methods that no browser would send. Every answer is a page, a
fragment or a refusal: never a fault, and never after long.
"""

import io
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import quote_from_bytes, urlsplit

from flask import Flask
from werkzeug import Request
from werkzeug.test import TestResponse, run_wsgi_app

from referee import variants
from referee.scorepad import close_choices
from tests.fuzz import ODD_WORDS, Tally, bend
from tests.webapp.table import Page, Table
from webapp.app import create_app
from webapp.config import Config
from webapp.ledger.ledger import new_key
from webapp.migrations import migrate

LIMIT: Final = 1000
"""Milliseconds of processor time that an answer may take."""
TURNS: Final = 200
"""Requests to one game before there is another one."""
UNSENDABLE: Final = b"\r\n\0"
"""What no server lets into a header."""
FORM: Final = "application/x-www-form-urlencoded"

NASTY: Final = (
    *("", "\0", "a\0b", "\ud800", "\udcff", "１２", "٣", "1_000", "-1", "0.05", "1e9", "NaN"),
    *(str(2**31), str(2**63), "9" * 5000, "../../etc/passwd", "%00", "%ff%fe", "+", "." * 300),
    *("'; DROP TABLE entry; --", "<script>alert(1)</script>", "\u202eabc", "Ⅷ", "é" * 300),
    *("\r\nSet-Cookie: a=b", "{{7*7}}", "[" * 2000, "👨‍👩‍👧‍👦" * 20, "a" * 64, "0" * 40),
    *("JK JK JK", "7C " * 60, "A♠ K♠ 2♠", "R7 B7 K7 JK", "meld", "laydown", "layoff", "swap"),
    *("pickup", "close", "call", "rearrange", "nobody", "own", "on", "Ana", "everything", "month"),
    *("2026", "rummikub", "remigio", "rummy-500", "phases:reconstructed", "null", "1 set of 3"),
)
"""Texts: most are what no field expects, some what another field does."""

FILES: Final = (
    b"",
    b"date,game,winner,Ana,Ben\n2025-11-22,Mexican Rummy,Ana,5,60\n22.11.2025,Whist,,1,2\n",
    b"sep=;\ndate;game;Ana;B\xf6rn;\n1/2/3;Phase 10;5;6;\n",
    b'{"laydown":{"format":"book","schema":1}}\n{"end":{"lines":1}}\n',
    b"\xff\xfed\x00a\x00t\x00",
    b'date,game,"',
    b'{"plays":' + b"[" * 3000,
)
"""Files that people import, whole and torn."""

HEADERS: Final = (
    *("HX-PTag", "HX-Request", "HX-History-Restore-Request", "HX-Current-URL", "Cookie", "Range"),
    *("Accept-Encoding", "Accept", "Host", "Origin", "Referer", "Sec-Fetch-Site", "User-Agent"),
    *("X-Forwarded-Proto", "X-Forwarded-For", "X-Forwarded-Host", "If-None-Match", "Expect"),
    *("Content-Type", "Content-Length", "Transfer-Encoding", "If-Modified-Since"),
)
METHODS: Final = ("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "X" * 30)

Fields = list[tuple[str, str]]


@dataclass(slots=True)
class Sender:
    """Sends to an app that is open on a database; the same for the same seed."""

    app: Flask
    chance: Random
    tally: Tally = field(default_factory=Tally)
    statuses: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=lambda: {"key", "seq", "ask", "file", "variant"})
    """The names of all fields that there were on a page."""
    _page: Page | None = None
    _path: str = ""

    def play(self, slug: str, requests: int) -> None:
        """Send so many requests that have to do with a game."""
        table = begin(self.app, slug)
        for _ in range(requests):
            pressed = self._pressed() if self.chance.random() < 0.6 else None
            environ = self._environ(*(pressed or self._anything(table)))
            self._send(environ)
            if environ["PATH_INFO"].endswith("/deletion"):
                # It may be the game itself that was deleted.
                table = begin(self.app, slug)

    def _send(self, environ: dict[str, Any]) -> None:
        said = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']!r:.80}"
        found = self.tally.call(lambda: answer(self.app, environ), LIMIT, said)
        if not isinstance(found, TestResponse):
            return
        self.statuses.add(found.status_code)
        self.tally.answered += found.status_code < 400
        if found.status_code >= 500:
            self.tally.wrong.append(f"{found.status_code}: {said}")
        if found.mimetype == "text/html" and found.text.lstrip().startswith("<!"):
            self._page, self._path = Page(found), environ["PATH_INFO"]
            self.names |= {name for form in self._page.forms for name, _ in form.fields}

    def _pressed(self) -> tuple[str, str, Fields] | None:
        """A button of the latest page’s forms, with the fields as they were filled in."""
        forms = [form for form in (self._page.forms if self._page else ()) if form.buttons]
        if not forms:
            return None
        form = self.chance.choice(forms)
        button = self.chance.choice(form.buttons).attributes
        fields = self._filled([*form.fields], sorted(form.choices))
        if "name" in button:
            fields.append((button["name"], button.get("value", "")))
        action = button.get("formaction") or form.attributes.get("action") or self._path
        method = button.get("formmethod") or form.attributes.get("method") or "get"
        return method.upper(), urlsplit(action).path, fields

    def _filled(self, fields: Fields, choices: Fields) -> Fields:
        chance = self.chance
        for _ in range(chance.choice((0, 0, 1, 1, 2, 5)) if fields else 0):
            place = chance.randrange(len(fields))
            name, value = fields[place]
            match chance.randrange(6):
                case 0 if len(fields) > 1:
                    del fields[place]
                case 1:
                    fields.append((name, chance.choice((value, self._text(())))))
                case 2:
                    fields[place] = name, chance.choice(fields)[1]
                case 3 if choices:
                    fields.append(chance.choice(choices))
                case 4:
                    fields[place] = name, self._bent(value)
                case _:
                    fields[place] = name, self._text(())
        return fields

    def _bent(self, value: str) -> str:
        """A value with a part of it changed, JSON as JSON."""
        try:
            found = [json.loads(value)]
        except (ValueError, RecursionError):
            found = [value]
        bend(found, [found], ODD_WORDS, self.chance)
        return json.dumps(found[0]) if found else ""

    def _anything(self, table: Table) -> tuple[str, str, Fields]:
        """A route of the app, and some fields of any page."""
        chance, who = self.chance, [*table.ids.values()]
        rules = [rule for rule in self.app.url_map.iter_rules() if rule.methods]
        rule = chance.choice(rules)
        path = rule.rule
        for name in sorted(rule.arguments):
            usual = table.pub if name == "pub" else str(chance.choice((1, 2, *who)))
            wanted = chance.choice((usual, usual, usual, *NASTY[:2], self._text(who)))
            head, _, tail = path.partition("<")
            path = head + wanted + tail.partition(">")[2]
        method = "POST" if "POST" in (rule.methods or ()) else "GET"
        names = sorted(self.names)
        fields = [
            (chance.choice(names), self._text(who)) for _ in range(chance.choice((0, 1, 5, 12)))
        ]
        if chance.random() < 0.8:
            fields.append(("key", new_key()))
        return method, path, fields

    def _text(self, known: Sequence[int]) -> str:
        chance, kind = self.chance, self.chance.random()
        if kind < 0.7:
            return chance.choice(NASTY)
        if kind < 0.9:
            return str(chance.choice((0, 1, 2, 5, 45, *known)))
        return "".join(chr(chance.randrange(0x11000)) for _ in range(chance.randrange(12)))

    def _environ(self, method: str, path: str, fields: Fields) -> dict[str, Any]:
        chance = self.chance
        pairs = (b"=".join(quote_from_bytes(_bytes(part)).encode() for part in f) for f in fields)
        written = b"&".join(pairs)
        headers = {"Host": b"localhost", "Content-Type": FORM.encode()}
        if chance.random() < 0.95:
            headers["Origin"] = b"http://localhost"
        if chance.random() < 0.5:
            headers["HX-Request"] = b"true"
        while chance.random() < 0.1:
            value = _bytes(self._text(())).translate(None, UNSENDABLE)
            headers[chance.choice(HEADERS)] = value[:8000]
        if chance.random() < 0.05:
            method = chance.choice(METHODS)
        if chance.random() < 0.05:
            # Torn: half a percent sign, no equals sign, whatever bytes.
            place = chance.randrange(len(written) + 1)
            written = written[:place] + chance.randbytes(3) + written[place:]
        if method == "POST" and path == "/imports":
            headers["Content-Type"] = b"multipart/form-data; boundary=x"
            written = self._file()
        query, body = (written, b"") if method == "GET" else (b"", written)
        return environ_of(method, path, query, headers, body)

    def _file(self) -> bytes:
        """A file as a page sends it, now and then torn or with bytes that were changed."""
        content = bytearray(self.chance.choice(FILES))
        for _ in range(self.chance.choice((0, 0, 1, 5))):
            place = self.chance.randrange(len(content) + 1)
            content[place : place + self.chance.randrange(3)] = self.chance.randbytes(2)
        return (
            b'--x\r\nContent-Disposition: form-data; name="held"\r\n\r\nheld-1\r\n'
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
            + bytes(content)
            + b"\r\n--x--\r\n"
        )


def begin(app: Flask, slug: str) -> Table:
    """Begin a game in which one round was counted, with players whom nobody knows yet."""
    variant = variants.get(slug)
    names = tuple(f"{name}{new_key()[:6]}" for name in "ABC"[: max(2, variant.players[0])])
    table = Table(app.extensions["database"], names, slug)
    first, *others = table.ids
    close = [choice.word for choice in close_choices(variant) if choice.joker is None][-1:]
    table.count(1, **{first: "60/out"}, **dict.fromkeys(others, "0/made 20"), close="".join(close))
    return table


def environ_of(
    method: str, path: str, query: bytes, headers: dict[str, bytes], body: bytes
) -> dict[str, Any]:
    """Return a request as a server hands it on: bytes written as Latin-1."""
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


def answer(app: Flask, environ: dict[str, Any]) -> TestResponse:
    """Let an app answer, to the last byte."""
    # What took too long is sent again.
    environ["wsgi.input"].seek(0)
    chunks, status, headers = run_wsgi_app(app, environ, buffered=True)
    return TestResponse(chunks, status, headers, Request(environ))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def run(requests: int, seed: int) -> Tally:
    """Send so many, to one game after the other, to an app on an empty database."""
    with tempfile.TemporaryDirectory(prefix="laydown-fuzz-") as folder:
        url = f"sqlite:///{Path(folder) / 'laydown.db'}"
        migrate(url)
        app = create_app(Config(database_url=url, instance=Path(folder)))
        with closing(app.extensions["database"]):
            sender = Sender(app, Random(seed))
            slugs = [variant.slug for variant in variants.all()]
            for turn in range(-(-requests // TURNS)):
                sender.play(slugs[turn % len(slugs)], min(TURNS, requests - turn * TURNS))
    return sender.tally
