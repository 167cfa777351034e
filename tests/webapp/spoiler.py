"""Spoil every field of every form that there is: `python -m tests.fuzz forms 600`.

The pages of a running game are opened, link by link, and their forms are taken as they are: where
each is sent, how, and all its fields. What a page doesn't show but the app asks for is heard from
the app, as it asks for it. Then each form is sent with each of its fields left out, doubled, empty,
giant, nested or not what anybody would type. Every answer is a page, a fragment or a refusal. After
each that wrote something the database is as it was, so that all forms are sent to the same game.
"""

import json
import re
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, Final, Self
from urllib.parse import parse_qsl, quote_from_bytes, urljoin, urlsplit

from flask import Flask, has_request_context, request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from tests.fuzz import Tally
from tests.webapp.sender import FILES, FORM, LIMIT, answer, environ_of
from tests.webapp.table import Table
from tests.webapp.teams import in_pairs
from webapp.app import create_app
from webapp.config import Config
from webapp.db import GameCache
from webapp.game.facts import Counted
from webapp.game.hand import Hand
from webapp.ledger.ledger import Submission, enter, new_key
from webapp.migrations import migrate

Fields = tuple[tuple[str, str], ...]

MANY: Final = "9" * 5000
"""Digits that Python's int() refuses to read."""

OF_A_KIND: Final = 2
"""Pages of one address that are opened, and forms that are taken from it."""

ROOM: Final = 1_000_000
"""Bytes in the database for what a form writes."""

LINES: Final = "left base made table hand aside bonus-1-natural".split()
"""What a count form has for each player, or may have: those names are looked for, not asked for."""
_OF_A_PLAYER: Final = re.compile(r"(?:left|table|base)-([0-9]+)")

PIECES: Final = ("counting.save", "counting.fill", "seats.add", "games.create")
"""What is sent with nothing in it, though there are pages that send to it."""

FILLED: Final = {"left": "20", "table": "60", "name": "Zoe", "text": "A note", "carried": "5"}
"""What is typed into fields that a page has blank, by how they begin."""

PAGES: Final = 150
"""Pages that are opened of one game."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to spoil a field."""

    name: str
    spoil: Callable[[Fields, str], Fields]


def _with(value: str) -> Callable[[Fields, str], Fields]:
    def spoil(fields: Fields, name: str) -> Fields:
        if not any(each == name for each, _ in fields):
            return (*fields, (name, value))
        return tuple((each, value if each == name else was) for each, was in fields)

    return spoil


def _without(fields: Fields, name: str) -> Fields:
    return tuple(each for each in fields if each[0] != name)


def _twice(fields: Fields, name: str) -> Fields:
    found = next((value for each, value in fields if each == name), "1")
    return (*fields, (name, found), (name, "2"))


def _below(fields: Fields, name: str) -> Fields:
    """The field as the name of something that has fields."""
    return (*_without(fields, name), (f"{name}[]", "1"), (f"{name}[a][b]", "1"))


def _of_another(fields: Fields, name: str) -> Fields:
    others = [value for each, value in fields if each != name and value]
    return _with(others[-1] if others else "key")(fields, name)


WAYS: Final = (
    Way("missing", _without),
    Way("alone", lambda fields, name: tuple(each for each in fields if each[0] in {name, "key"})),
    Way("doubled", _twice),
    Way("nested name", _below),
    Way("of another field", _of_another),
    Way("empty", _with("")),
    Way("giant number", _with(MANY)),
    Way("giant text", _with("Zoë " * 5000)),
    Way("giant sum", _with("1+" * 2000 + "1")),
    Way("nested lists", _with("[" * 3000)),
    Way("nested objects", _with('{"a":' * 500 + "1" + "}" * 500)),
    Way("an object", _with(json.dumps({"a": [1, {"b": None}], "": {}}))),
    Way("a number too many", _with(str(2**63))),
    Way("below nothing", _with("-1")),
    Way("nought", _with("0")),
    Way("other digits", _with("٣²")),
    Way("a fraction", _with("1e999")),
    Way("a zero byte", _with("a\0b")),
    Way("half a letter", _with("\ud800")),
    Way("cards", _with("JK JK 7♠ 7♥ 2S 2S")),
    Way("bars", _with("1|out natural=1 out=9|out|made")),
)


@dataclass(frozen=True, slots=True)
class Harvested:
    """A form as a page has it, with one of its buttons pressed."""

    method: str
    path: str
    fields: Fields
    more: tuple[str, ...] = ()
    """The names of its fields that are empty unless somebody chooses something."""
    is_file: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its fields."""
        return tuple(dict.fromkeys((*(name for name, _ in self.fields), *self.more)))

    @property
    def filled(self) -> Self:
        """The form with something in its blank fields, so that what is sent is worth looking at."""

        def fill(name: str, value: str) -> str:
            return value or FILLED.get(name.partition("-")[0], "")

        return replace(self, fields=tuple((name, fill(name, value)) for name, value in self.fields))


@dataclass(slots=True)
class _Open:
    """A form while its page is read."""

    attributes: dict[str, str]
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[dict[str, str]] = field(default_factory=list)


class Harvest(HTMLParser):
    """The forms and links of a page, also of fields and buttons that name their form."""

    def __init__(self, text: str, at: str) -> None:
        super().__init__()
        self.at, self.links = at, list[str]()
        self._forms: list[_Open] = []
        self._named: dict[str, _Open] = {}
        self._within: _Open | None = None
        self._later: list[tuple[str, str, dict[str, str]]] = []
        self._select = self._writing = ""
        self.feed(text)
        self.close()
        for tag, form, known in self._later:
            if form in self._named:
                self._take(self._named[form], tag, known)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in known:
            self.links.append(known["href"])
        if "hx-get" in known:
            self.links.append(known["hx-get"])
        if tag == "form":
            self._within = _Open(known)
            self._forms.append(self._within)
            self._named[known.get("id", "")] = self._within
        elif tag != "form" and "hx-post" in known:
            alone = _Open({"method": "post", "action": known["hx-post"]})
            told = json.loads(known.get("hx-vals", "{}") or "{}")
            alone.fields = [(name, str(value)) for name, value in told.items()]
            self._forms.append(alone)
        elif tag in {"input", "button", "select", "textarea"}:
            if "form" in known:
                self._later.append((tag, known["form"], known))
            elif self._within:
                self._take(self._within, tag, known)
            self._select = known.get("name", "") if tag == "select" else self._select
        elif tag == "option" and self._within and self._select:
            into = self._within.fields if "selected" in known else self._within.choices
            into.append((self._select, known.get("value", "")))

    @staticmethod
    def _take(form: _Open, tag: str, known: dict[str, str]) -> None:
        if tag == "button":
            form.buttons.append(known)
        elif "name" not in known or tag == "select":
            return
        elif known.get("type") in {"radio", "checkbox"} and "checked" not in known:
            form.choices.append((known["name"], known.get("value", "on")))
        else:
            form.fields.append((known["name"], known.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._within = None

    @property
    def forms(self) -> Iterator[Harvested]:
        """Each form with each of its buttons, and with no button."""
        for form in self._forms:
            more = tuple(dict.fromkeys(name for name, _ in form.choices))
            for button in (*form.buttons, {}) if form.buttons else ({},):
                action = button.get("formaction") or form.attributes.get("action") or self.at
                method = button.get("formmethod") or form.attributes.get("method") or "get"
                where = urlsplit(urljoin(f"http://localhost{self.at}", action))
                if where.hostname != "localhost" or button.get("type") in {"button", "reset"}:
                    continue
                pressed = [(button["name"], button.get("value", ""))] if "name" in button else []
                there = {name for name, _ in form.fields}
                first = dict(reversed(form.choices))
                chosen = [each for each in first.items() if each[0] not in there]
                yield Harvested(
                    method.upper(),
                    where.path,
                    (*parse_qsl(where.query), *form.fields, *chosen[:1], *pressed),
                    more,
                    "multipart" in form.attributes.get("enctype", ""),
                )


@contextmanager
def listening(app: Flask) -> Iterator[dict[str, set[str]]]:
    """Hear which fields the app asks for, by endpoint."""
    heard: dict[str, set[str]] = defaultdict(set)

    class Heard(ImmutableMultiDict[str, Any]):
        def _hear(self, name: object) -> None:
            if isinstance(name, str) and has_request_context():
                heard[request.endpoint or ""].add(name)

        def get(self, name: Any, *more: Any, **how: Any) -> Any:  # type: ignore[override]
            self._hear(name)
            return super().get(name, *more, **how)

        def getlist(self, name: Any, *more: Any, **how: Any) -> Any:  # type: ignore[override]
            self._hear(name)
            return super().getlist(name, *more, **how)

        def __getitem__(self, name: Any) -> Any:
            self._hear(name)
            return super().__getitem__(name)

        def __contains__(self, name: object) -> bool:
            self._hear(name)
            return super().__contains__(name)

    before = app.request_class
    app.request_class = type("Listening", (before,), {"parameter_storage_class": Heard})
    try:
        yield heard
    finally:
        app.request_class = before


@dataclass(slots=True)
class Spoiler:
    """Harvests the forms around a running game, and sends them spoiled."""

    app: Flask
    tally: Tally = field(default_factory=Tally)
    statuses: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    about: tuple[str, ...] = ()
    """What addresses of the game have in them: its public id, and what it's called there."""
    _heard: dict[str, set[str]] = field(default_factory=dict)
    _taken: dict[tuple[str, ...], int] = field(default_factory=dict)

    def spoil(
        self,
        table: Table,
        chance: Random,
        *,
        most: int = 0,
        until: float = 0,
        only: Callable[[str, str], bool] = lambda *_: True,
    ) -> int:
        """Send the forms that are found around a game; answers in how many ways they can be sent.

        In all of them, or `most`, and none after `until`, by the clock. `only` chooses by endpoint
        and name.
        """
        slug = table.state.start.variant
        self.about = (table.pub, f"/{slug}")
        with listening(self.app) as self._heard, self._kept() as put_back:
            forms = self.harvest(starts_of(table, slug), put_back)
            forms += self._without_a_page(table, forms)
            put_back()
            plan = [each for each in self._plan(forms) if only(self._of(each[0]), each[1])]
            chance.shuffle(plan)
            for form, name, way in plan[: most or None]:
                if until and time.monotonic() > until:
                    break
                about = f"{form.method} {form.path} {name} {way.name}"
                found = self.send(form, way.spoil(form.fields, name), about)
                if found is None or (form.method != "GET" and found.status_code < 400):
                    put_back()
        return len(plan)

    def harvest(self, starts: Sequence[str], put_back: Callable[[], None]) -> list[Harvested]:
        """Open pages from some on, link by link, and take their forms; everything stays as it was.

        Each form is sent once as it is: what comes may be another page of forms, as a doubt is.
        """
        queue, seen = list(starts), set[str]()
        opened: dict[tuple[str, tuple[str, ...]], int] = defaultdict(int)
        forms: list[Harvested] = []
        while queue and sum(opened.values()) < PAGES:
            at = queue.pop(0)
            where = urlsplit(urljoin("http://localhost/", at))
            if where.hostname != "localhost" or f"{where.path}?{where.query}" in seen:
                continue
            seen.add(f"{where.path}?{where.query}")
            names = tuple(sorted({name for name, _ in parse_qsl(where.query)}))
            endpoint = self._endpoint("GET", where.path)
            kind = endpoint, names
            if not endpoint or endpoint == "static_file" or opened[kind] >= OF_A_KIND:
                continue
            opened[kind] += 1
            get = Harvested("GET", where.path, tuple(parse_qsl(where.query)))
            found = self.send(get, get.fields, f"GET {at}")
            for form in self._take(found, where.path):
                forms.append(form.filled)
                if form.method == "POST" and not form.path.endswith("/deletion"):
                    sent = self.send(form, form.filled.fields, f"POST {at}")
                    forms += (each.filled for each in self._take(sent, form.path))
                    put_back()
            if found is not None and found.mimetype == "text/html":
                queue += Harvest(found.text, where.path).links
            if get.fields:
                forms.append(get)
        return forms

    def _take(self, found: TestResponse | None, at: str) -> Iterator[Harvested]:
        """The forms of an answer, few of one kind."""
        if found is None or found.mimetype != "text/html":
            return
        for form in Harvest(found.text, at).forms:
            endpoint = self._endpoint(form.method, form.path)
            if not endpoint:
                continue
            # What isn't about this game is the same beside every other one.
            about = next((each for each in self.about if each in form.path), "")
            kind = (
                about,
                form.method,
                endpoint,
                *sorted({re.sub(r"\d+", "", n) for n in form.names}),
            )
            self._taken[kind] = self._taken.get(kind, 0) + 1
            if self._taken[kind] <= OF_A_KIND:
                yield form

    def _without_a_page(self, table: Table, forms: Sequence[Harvested]) -> list[Harvested]:
        """What is sent by scripts alone: an empty form to each address that no page sends to."""
        there = {self._of(form) for form in forms}
        who = next(iter(table.ids.values()))
        slug = table.state.start.variant
        known: dict[str, object] = {"pub": table.pub, "slug": slug, "number": 2, "seq": 2}
        found = []
        for rule in self.app.url_map.iter_rules():
            if "POST" not in (rule.methods or ()):
                continue
            if rule.endpoint in there and rule.endpoint not in PIECES:
                continue
            known["which"] = table.pub if rule.rule.startswith("/g/") else who
            path = rule.rule
            for name in rule.arguments:
                path = re.sub(rf"<([^<>]*:)?{name}>", str(known.get(name, who)), path)
            form = Harvested("POST", path, (("key", new_key()),))
            self.send(form, form.fields, f"POST {path}")
            found.append(form)
        return found

    def _plan(self, forms: Sequence[Harvested]) -> Iterator[tuple[Harvested, str, Way]]:
        """Each field of each kind of form, in every way; of what is posted, in two forms."""
        seen: dict[tuple[str, str], int] = defaultdict(int)
        for form in forms:
            for name in self._names(form):
                kind = self._of(form), re.sub(r"\d+", "", name)
                seen[kind] += 1
                if seen[kind] <= (1 if form.method == "GET" else OF_A_KIND):
                    yield from ((form, name, way) for way in WAYS)

    def _of(self, form: Harvested) -> str:
        return self._endpoint(form.method, form.path)

    def _names(self, form: Harvested) -> tuple[str, ...]:
        """The fields of a form, and those that the app asks for there or looks through them for."""
        asked = sorted(self._heard.get(self._of(form), ()))
        of = next((found[1] for name in form.names if (found := _OF_A_PLAYER.fullmatch(name))), "")
        lines = [f"{name}-{of}" for name in LINES] if of else []
        return tuple(dict.fromkeys((*form.names, *asked, *lines)))

    def _endpoint(self, method: str, path: str) -> str:
        try:
            adapter = self.app.url_map.bind("localhost")
            return str(adapter.match(path, method=method)[0])
        except HTTPException:
            return ""

    def send(self, form: Harvested, fields: Fields, about: str) -> TestResponse | None:
        """Send a form; None if the app fell."""
        headers = {"Host": b"localhost", "Origin": b"http://localhost"}
        # A form that was kept is known by its key: each is another one.
        fields = tuple((n, new_key() if n == "key" and len(v) == 26 else v) for n, v in fields)
        if form.is_file:
            headers["Content-Type"] = b"multipart/form-data; boundary=x"
            body = b"".join(map(_part, fields)) + b"--x--\r\n"
        else:
            headers["Content-Type"] = FORM.encode()
            body = b"&".join(b"=".join(_quoted(part) for part in each) for each in fields)
        query, body = (body, b"") if form.method == "GET" else (b"", body)
        environ = environ_of(form.method, form.path, query, headers, body)
        found = self.tally.call(lambda: answer(self.app, environ), LIMIT, about)
        if not isinstance(found, TestResponse):
            return None
        self.statuses[found.status_code] += 1
        self.tally.answered += found.status_code < 400
        if found.status_code >= 500:
            self.tally.wrong.append(f"{found.status_code}: {about}")
        return found

    @contextmanager
    def _kept(self) -> Iterator[Callable[[], None]]:
        """A function that makes the database what it is now."""
        database = self.app.extensions["database"]
        file = sqlite3.connect(str(database.file.path))
        with closing(file), closing(sqlite3.connect(":memory:")) as kept:
            # Room for whatever is written: a file that gets smaller was cut, as the app sees it.
            file.executescript(f"CREATE TABLE room AS SELECT zeroblob({ROOM}) r; DROP TABLE room;")
            file.backup(kept)

            def put_back() -> None:
                kept.backup(file)
                # Games have been as far already, and their pads were another.
                database.cache = GameCache()

            yield put_back
            put_back()


def _quoted(text: str) -> bytes:
    return quote_from_bytes(text.encode("utf-8", "surrogatepass")).encode()


def _part(field: tuple[str, str]) -> bytes:
    name, value = (each.encode("utf-8", "surrogatepass") for each in field)
    name = name.replace(b'"', b"")
    what = b'; filename="a.csv"' if name == b"file" else b""
    value = FILES[1] if name == b"file" and not value else value
    return b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' % (name, what, value)


# ---- games to spoil -------------------------------------------------------------------------

KINDS: Final = {
    "points": ("just-points", ("left",)),
    "cards": ("mexican-rummy", ("left",)),
    "tiles": ("rummikub", ("left",)),
    "laid and left": ("500-rum", ("left", "table")),
    "phases": ("phase-10", ("left",)),
    "teams": ("canasta", ("left", "table")),
    "own teams": ("", ("left", "table")),
    "knock": ("oklahoma-gin", ("left",)),
    "out at a total": ("indian-rummy-pool", ("left",)),
}
"""A game of each way to count: its slug, and what is written down of a hand."""


def begin(app: Flask, kind: str) -> Table:
    """Begin a game of a kind, with a round counted, a hand of the next, and a note."""
    database = app.extensions["database"]
    slug, asks = KINDS[kind]
    many = 2 if kind == "knock" else 4
    names = tuple(f"{name} {new_key()[:5]}" for name in ("Ann", "Ben", "Cleo", "Dov")[:many])
    slug = slug or in_pairs(database, name=f"Pairs {new_key()[:6]}")
    more = {"clock": "60"} if kind == "tiles" else {}
    table = Table(database, names, slug, **more)
    who = [*table.ids.values()]
    hands = {
        player: Hand(
            left="20" if place else "",
            out=not place and kind != "points",
            table="60" if "table" in asks else "",
        )
        for place, player in enumerate(who)
    }
    last = {who[-1]: hands[who[-1]]}
    facts = [Counted(round=1, hands=hands)]
    if kind not in {"teams", "own teams"}:
        facts.append(Counted(round=2, hands=last))
    key = new_key()
    database.write(
        enter, table.pub, Submission(key=key, content=key, device="phone"), lambda _: facts
    )
    return table


def starts_of(table: Table, slug: str) -> list[str]:
    """Where to begin: the game, and all that is around it."""
    here = f"/g/{table.pub}"
    who = [*table.ids.values()]
    return [
        *(here, f"{here}/rounds/2", f"{here}/rounds/1", f"{here}/rounds/2?player={who[0]}"),
        *(f"{here}/{page}" for page in "seats notes phones who share sheet print rules".split()),
        *(f"{here}/{page}" for page in "clock desk desk/advice evening deletion".split()),
        *(f"/players/{who[0]}", f"/players/{who[0]}/against/{who[1]}"),
        *("/", "/games/new", "/games/own", "/games/own/add", "/games/own/text", "/imports"),
        *("/exports", f"/exports?game={table.pub}", "/history", "/players", "/players/changes"),
        *(
            "/standings",
            "/settings",
            "/keeping",
            "/keeping/deletion",
            "/ask",
            "/ask/gin-rummy",
            "/rules",
        ),
        *(f"/games/new?variant={slug}", f"/desk/{slug}", f"/rules/{slug}", f"/print/{slug}"),
        f"/players/{who[0]}/deletion",
    ]


def run(seconds: int, seed: int) -> Tally:
    """Spoil forms for so many seconds, game after game, in an app on an empty database."""
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="laydown-forms-") as folder:
        url = f"sqlite:///{Path(folder) / 'laydown.db'}"
        migrate(url)
        app = create_app(Config(database_url=url, instance=Path(folder)))
        with closing(app.extensions["database"]):
            spoiler, chance = Spoiler(app), Random(seed)
            for number, kind in enumerate(KINDS):
                table = begin(app, kind)
                left = until - time.monotonic()
                share = time.monotonic() + left / (len(KINDS) - number)
                before = spoiler.tally.tried
                planned = spoiler.spoil(table, chance, until=share)
                print(f"{kind}: {spoiler.tally.tried - before} of {planned} requests", flush=True)
    return spoiler.tally
