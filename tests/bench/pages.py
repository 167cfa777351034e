"""How long the pages that phones ask for most take on the server: `python -m tests.bench.pages`.

Milliseconds mean little on a shared machine, so the processor time of each page is held against
that of a bare Flask route that answers a short string, in interleaved bursts of the same run: what
slows one slows both. In process, through the whole WSGI stack, with the headers that a phone sends.
"""

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import flask
from werkzeug.datastructures import Headers
from werkzeug.test import Client, EnvironBuilder

import webapp
from tests.crash.phone import Answer
from webapp.config import Config
from webapp.migrations import migrate

BURST = 5
GAME = "mexican-rummy"
PLAYERS = ("Ana", "Ben", "Cleo", "Dan")
CHANGED = ('["deal.cards",12]', '["run.around",true]')
ROUNDS = 3
"""Rounds on the pad: half a game."""

MOST_POLL = 1.75
"""What a poll may cost, in bare routes: near 1.5 when nothing disturbs it.

A third of what it costs beyond a bare route is the row that it reads.
"""

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One address to measure: whom it is asked of, the status it must answer, the most it may cost.

    `most` is in bare Flask routes.
    """

    name: str
    app: Wsgi
    environ: dict[str, Any]
    status: str
    most: float = 0
    bodies: Iterator[bytes] | None = None
    """What is sent, each time something else; None if nothing is."""


def _measure(pages: list[Asked], requests: int) -> Iterable[tuple[Asked, tuple[float, float]]]:
    times: dict[str, list[float]] = {asked.name: [] for asked in pages}
    for asked in pages:
        for _ in range(BURST):
            _time(asked)
    gc.collect()
    for _ in range(requests // BURST):
        for asked in pages:
            times[asked.name] += [_time(asked) for _ in range(BURST)]
    bare = statistics.median(times[pages[0].name])
    for asked in pages:
        median = statistics.median(times[asked.name])
        yield asked, (median, median / bare)


def _time(asked: Asked) -> float:
    said: list[str] = []

    def start_response(status: str, *_: object) -> Callable[[bytes], None]:
        said.append(status)
        return lambda _: None

    environ = dict(asked.environ)
    if asked.bodies is not None:
        body = next(asked.bodies)
        environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    started = time.process_time()
    answer = asked.app(environ, start_response)
    for _ in answer:
        pass
    if hasattr(answer, "close"):
        answer.close()
    taken = time.process_time() - started
    if said != [asked.status]:
        message = f"{asked.name} answered {said}, not {asked.status}."
        raise RuntimeError(message)
    return taken


def _pages(folder: Path) -> list[Asked]:
    """Make a bare app and a real one with half a game on its pad; answers what to ask them."""
    bare = flask.Flask("bare")
    bare.get("/")(lambda: "hello")
    url = f"sqlite:///{folder / 'laydown.db'}"
    migrate(url)
    app = webapp.create_app(Config(database_url=url, instance=folder))
    pub = _play(Client(app))
    board = Client(app).get(f"/g/{pub}/board", headers={"HX-Request": "true"})
    tag = {"HX-Request": "true", "HX-PTag": board.headers["HX-PTag"]}
    for sets in CHANGED:
        # Each tap is a request of its own, and the page is the one after both.
        _save(Client(app), f"/rules/{GAME}/change?d=ours", [("set", sets)])
    return [
        Asked("bare Flask route", bare, _environ("/"), "200 OK"),
        Asked("scorepad", app, _environ(f"/g/{pub}"), "200 OK", 6),
        Asked("scorepad, plain", app, _environ(f"/g/{pub}", {"Accept-Encoding": ""}), "200 OK", 6),
        Asked(
            "poll, unchanged", app, _environ(f"/g/{pub}/board", tag), "304 NOT MODIFIED", MOST_POLL
        ),
        Asked("count", app, _environ(f"/g/{pub}/rounds/{ROUNDS + 1}"), "200 OK"),
        Asked("home", app, _environ("/"), "200 OK"),
        Asked("rules", app, _environ(f"/rules/{GAME}"), "200 OK", 60),
        Asked("rules, two changes", app, _environ(f"/rules/{GAME}/change?d=ours"), "200 OK", 75),
        Asked("tap on a rule", app, _tap(), "200 OK", bodies=_taps()),
    ]


def _tap() -> dict[str, Any]:
    """A tap as a phone with scripts sends it, without what it sets."""
    sent = {"HX-Request": "true", "Origin": "http://localhost"}
    form = {"REQUEST_METHOD": "POST", "CONTENT_TYPE": "application/x-www-form-urlencoded"}
    return _environ(f"/rules/{GAME}/change?d=another", sent) | form


def _taps() -> Iterator[bytes]:
    """What taps set: each another number, so that nothing was told before."""
    for number in cycle(range(-200, 200)):
        yield urlencode({"open": "g-out-bonus", "set": f'["score.out",{number}]'}).encode()


def _environ(address: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    path, _, query = address.partition("?")
    phone = {"Accept-Encoding": "gzip, deflate, br", "Accept": "text/html", "User-Agent": "phone"}
    sent = Headers(phone | dict(headers or {}))
    return EnvironBuilder(path=path, query_string=query, headers=sent).get_environ()


def _play(client: Client) -> str:
    """Play half a game through the pages' own forms; answers its public id."""
    form = _form(client, f"/games/new?variant={GAME}")
    seats = [("seat", f"+{name}") for name in PLAYERS]
    location = _save(client, "/games", [*form.items(), *seats])
    pub = location.split("/g/")[1][:10]
    for round_ in range(1, ROUNDS + 1):
        fields = _form(client, f"/g/{pub}/rounds/{round_}")
        players = [name[5:] for name in fields if name.startswith("base-")]
        fields["out"] = players[round_ % len(players)]
        for place, player in enumerate(players):
            fields[f"left-{player}"] = "" if player == fields["out"] else str(20 + 15 * place)
        _save(client, f"/g/{pub}/rounds/{round_}", [*fields.items(), ("sure", "1")])
    return pub


def _form(client: Client, path: str) -> dict[str, str]:
    answer = client.get(path)
    form = Answer(answer.status_code, answer.text, "").form("key")
    if form is None:
        message = f"{path} answered {answer.status} and no form."
        raise RuntimeError(message)
    return form.fields


def _save(client: Client, path: str, fields: list[tuple[str, str]]) -> str:
    data: dict[str, list[str]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    answer = client.post(path, data=data, headers={"Origin": "http://localhost"})
    if answer.status_code != 303:
        message = f"{path} answered {answer.status}: {answer.text[:300]}"
        raise RuntimeError(message)
    return answer.headers["Location"]


def is_dear(*, ratio: float, most: float) -> bool:
    """Whether a page costs more than it may, in bare routes; 0 lets it cost anything."""
    return bool(most and ratio > most)


def main() -> int:
    """Print the figures; the exit status is 1 where a page costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages", description=__doc__)
    parser.add_argument("requests", type=int, nargs="?", default=200, help="of each page (200)")
    asked = parser.parse_args()
    dear = 0
    with tempfile.TemporaryDirectory(prefix="laydown-bench-") as folder:
        for page, (median, ratio) in _measure(_pages(Path(folder)), asked.requests):
            dear += is_dear(ratio=ratio, most=page.most)
            most = f"  (at most {page.most:g})" if page.most else ""
            print(f"{page.name:20} {median * 1e6:7.0f} µs  ×{ratio:5.2f}{most}")
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main())
