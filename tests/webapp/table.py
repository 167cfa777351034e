"""A table to test at: people with pencils, and phones without JavaScript."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Self
from urllib.parse import urlencode, urljoin, urlsplit

from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col
from werkzeug.test import TestResponse

from webapp.db import Database
from webapp.game.hand import Hand
from webapp.game.replay import GameState
from webapp.game.validation import CountForm, CountRefusedError
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written, new_key
from webapp.models import Entry, Game
from webapp.pages.counting import commands as counting
from webapp.pages.counting import view as count_page
from webapp.pages.games import commands as games
from webapp.pages.games.page import NewGameChoices
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.pad import Pad
from webapp.pages.scorepad.view import read_pad
from webapp.players.queries import read_players

HERE = "http://localhost"
OWN = {"Origin": HERE}
HTMX = {"HX-Request": "true"}


class Table:
    """A game whose scores are written by running commands, as several phones would."""

    def __init__(
        self,
        database: Database,
        names: tuple[str, ...] = ("Ana", "Ben", "Cleo"),
        variant: str = "mexican-rummy",
        **more: Any,
    ) -> None:
        self.database = database
        seats = tuple(f"+{name}" for name in names)
        choices = NewGameChoices(variant=variant, seats=seats, key=new_key(), **more)
        self.pub = database.write(games.start_game, choices, "phone")
        found = {player.name: player.id for player in database.read(read_players)}
        self.ids = {name.lower(): found[name] for name in names}

    @classmethod
    def found(cls, database: Database, pub: str, ids: Mapping[str, int]) -> Self:
        """A game that the database has already, and who sits at it."""
        table = cls.__new__(cls)
        table.database, table.pub, table.ids = database, pub, dict(ids)
        return table

    @property
    def pad(self) -> Pad:
        return self.database.read(read_pad, self.pub)

    def typed(
        self,
        number: int,
        *,
        key: str = "",
        sure: bool = False,
        only: str = "",
        seen: dict[str, int] | None = None,
        nobody: bool = False,
        close: str = "",
        shown: str = "",
        turned: str = "",
        **hands: str,
    ) -> CountForm:
        """Fill in a form: ana="out", ben="45", cleo="made 20"; `seen` gives other bases.

        "60/15" is 60 on the table and 15 in hand.
        """
        form = self.database.read(count_page.open_count, self.pub, number)
        bases = {player: hand.base for player, hand in form.hands.items()}
        bases |= {self.ids[name]: seq for name, seq in (seen or {}).items()}
        return CountForm(
            hands={
                self.ids[name]: Hand(
                    left=re.sub("out|(un)?made", "", text.rpartition("/")[2]).strip(),
                    table=text.rpartition("/")[0],
                    out="out" in text,
                    # As on the page, Out ticks Made it, too.
                    made=bool(re.search(r"\bmade|out(?!.*unmade)", text)),
                    base=bases[self.ids[name]],
                )
                for name, text in hands.items()
            },
            only=self.ids[only] if only else None,
            sure=sure,
            nobody=nobody,
            close=close,
            shown=shown,
            turned=turned,
            key=key or new_key(),
            device="phone",
        )

    def save(self, number: int, typed: CountForm) -> Written:
        """Save a form; what is refused has the page with it that says so, as the route shows it."""
        try:
            return self.database.write(counting.save_count, self.pub, number, typed)
        except CountRefusedError as error:
            found = error.validation
            vars(error)["page"] = self.database.read(
                count_page.refuse_count, self.pub, number, typed, found
            )
            raise

    def count(self, number: int, **hands: Any) -> Written:
        """Count hands of a round: all where there is one for each, else the only one given."""
        names = [name for name in hands if name in self.ids]
        if len(names) == 1:
            return self.save(number, self.typed(number, only=names[0], **hands))
        return self.save(number, self.typed(number, **hands))

    def seat(self, name: str) -> None:
        """Know somebody who has joined."""
        self.ids[name.lower()] = next(
            player.id for player in self.database.read(read_players) if player.name == name
        )

    def play(self, rounds: int) -> None:
        """Play some rounds in which the first goes out and everybody else keeps 60."""
        first, *others = self.ids
        for number in range(len([row for row in self.pad.rows if row.complete]) + 1, rounds + 1):
            self.count(number, **{first: "out"}, **dict.fromkeys(others, "60"))

    def undo(self, key: str = "") -> Written:
        assert self.pad.undo
        return self.void(self.pad.undo.seq, key)

    def redo(self, key: str = "") -> Written:
        assert self.pad.redo
        return self.void(self.pad.redo.seq, key)

    def void(self, seq: int, key: str = "") -> Written:
        sent = FormKey(key=key or self.pad.key, device="phone")
        return self.database.write(taps.void_entry, self.pub, seq, sent)

    def tap(self, command: Callable[..., object], key: str = "") -> object:
        return self.database.write(
            command, self.pub, FormKey(key=key or self.pad.key, device="phone")
        )

    def scores(self) -> list[list[int | None]]:
        """The pad as numbers: None for blank."""
        return [[cell.points for cell in row.cells] for row in self.pad.rows]

    def totals(self) -> list[int]:
        return [seat.total for seat in self.pad.seats]

    @property
    def state(self) -> GameState:
        """All that was entered, as the ledger has it."""
        return self.database.read(ledger.read_game, self.pub)


@dataclass
class Button:
    """A button with what pressing it adds and where it leads."""

    label: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass
class PageForm:
    """A form with its fields as the browser would send them, in order."""

    attributes: dict[str, str]
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: set[tuple[str, str]] = field(default_factory=set)
    buttons: list[Button] = field(default_factory=list)


class Page(HTMLParser):
    """A page as a browser without JavaScript sees it."""

    def __init__(self, response: TestResponse) -> None:
        super().__init__()
        self.response = response
        self.forms: list[PageForm] = []
        self.links: dict[str, str] = {}
        self.words: list[str] = []
        self._link = ""
        self._field = ""
        self._silent = self._writing = False
        self.feed(response.text)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self._silent = tag in {"title", "script", "style"}
        if tag == "form":
            self.forms.append(PageForm(known))
        elif tag == "a":
            self._link = known.get("href", "")
        elif tag == "button" and self.forms:
            self.forms[-1].buttons.append(Button(attributes=known))
        elif tag == "input" and "name" in known:
            self._add_input(known)
        elif tag in {"select", "textarea"} and self.forms:
            self._field = known["name"]
            if tag == "textarea":
                self.forms[-1].fields.append((self._field, ""))
                self._writing = True
        elif tag == "option" and "selected" in known:
            self.forms[-1].fields.append((self._field, known["value"]))

    def _add_input(self, known: dict[str, str]) -> None:
        form, name, value = self.forms[-1], known["name"], known.get("value", "on")
        if known.get("type") in {"radio", "checkbox"}:
            form.choices.add((name, value))
            if "checked" not in known:
                return
        form.fields.append((name, known.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._link = ""
        self._writing = self._writing and tag != "textarea"
        if tag in {"title", "script", "style"}:
            self._silent = False

    def handle_data(self, data: str) -> None:
        if self._writing:
            name, text = self.forms[-1].fields[-1]
            self.forms[-1].fields[-1] = (name, text + data)
        text = " ".join(data.split())
        if not text or self._silent:
            return
        self.words.append(text)
        if self._link:
            self.links.setdefault(text, self._link)
        if self.forms and self.forms[-1].buttons:
            button = self.forms[-1].buttons[-1]
            button.label = f"{button.label} {text}".strip()


class Phone:
    """A browser without JavaScript: opens addresses, taps links, fills in and sends forms."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.address = "/"
        self.page: Page

    def open(self, address: str, status: int = 200) -> Page:
        self.address = urljoin(self.address, address)
        response = self.client.get(self.address, follow_redirects=True)
        assert response.status_code == status, (self.address, response.text)
        if response.history:
            self.address = response.request.path
        self.page = Page(response)
        return self.page

    def tap(self, words: str) -> Page:
        """Tap the link that begins with these words."""
        links = [link for text, link in self.page.links.items() if text.startswith(words)]
        assert links, f"no link {words!r} among {sorted(self.page.links)}"
        return self.open(links[0])

    def press(self, label: str, status: int = 200, **fields: str) -> Page:
        """Press the button that begins so, with some fields filled in; "_" stands for "-"."""
        form, button = self._find(label)
        filled = {name.replace("_", "-"): value for name, value in fields.items()}
        sent = [(name, value) for name, value in form.fields if name not in filled]
        sent += [(name, value) for name, value in filled.items() if value]
        known = {name for name, _ in form.fields} | {name for name, _ in form.choices}
        assert set(filled) <= known, f"no field {set(filled) - known}"
        attributes = button.attributes
        if "name" in attributes:
            sent.append((attributes["name"], attributes.get("value", "")))
        action = attributes.get("formaction", form.attributes.get("action", self.address))
        method = attributes.get("formmethod", form.attributes.get("method", "get")).lower()
        address = urljoin(self.address, action)
        if method == "get":
            return self.open(f"{address}?{urlencode(sent)}", status)
        body = urlencode(sent)
        kind = "application/x-www-form-urlencoded"
        response = self.client.post(address, data=body, content_type=kind, headers=OWN)
        if response.status_code == 303:
            self.address = address
            there = urlsplit(response.headers["Location"])
            return self.open(f"{there.path}?{there.query}".rstrip("?"), status)
        assert response.status_code == status, (address, response.text)
        self.address = address
        self.page = Page(response)
        return self.page

    def _find(self, label: str) -> tuple[PageForm, Button]:
        found = [
            (form, button)
            for form in self.page.forms
            for button in form.buttons
            if label in (button.attributes.get("id"), button.attributes.get("aria-label"))
            or button.label.startswith(label)
        ]
        assert found, f"no button {label!r} on {self.address}"
        assert "disabled" not in found[0][1].attributes, f"{label!r} cannot be pressed"
        return found[0]


def entries(table: Table) -> list[str]:
    """The kinds of the entries of a game, in order."""

    def read(session: Session) -> list[str]:
        rows = session.execute(
            select(col(Entry.seq), col(Entry.kind))
            .join(Game, col(Game.id) == col(Entry.game_id))
            .where(col(Game.pub) == table.pub)
            .order_by(col(Entry.seq))
        ).all()
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        return [row.kind for row in rows]

    return table.database.read(read)


def game_id(table: Table) -> int:
    """The key of a game in the tables."""
    return table.database.read(ledger.game_id_of, table.pub)


def sent(key: str = "", device: str = "phone") -> FormKey:
    """What comes with a form of a phone; a form that was not sent before, unless it has a key."""
    return FormKey(key=key or new_key(), device=device)


def count_form(table: Table, **hands: str) -> dict[str, str]:
    """What a phone sends to count hands that nobody has counted: points, or "out"."""
    form = {"key": new_key()}
    for name, hand in hands.items():
        who = table.ids[name]
        form |= {f"base-{who}": "0"}
        form |= {"out": str(who)} if hand == "out" else {f"left-{who}": hand}
    return form


def drawn_key(client: FlaskClient, path: str) -> str:
    """The key of the form that a page shows."""
    found = re.search(r'name="key" value="([^"]+)"', client.get(path).text)
    assert found, path
    return found[1]
