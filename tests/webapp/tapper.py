"""Tap on rules at random: `python -m tests.fuzz taps 30000`.

In published games, and in a running game of each kind, rows are opened, buttons pressed and numbers
typed as the page has them; one tap in eight has a field more that nobody would send. The draft that
comes of it is looked at with *Done*. Every answer is a page, a fragment or a refusal.
"""

import html
import re
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import urlencode

from flask import Flask
from flask.testing import FlaskClient

from referee import variants
from tests.fuzz import Tally
from tests.webapp.spoiler import KINDS, begin
from tests.webapp.table import HTMX, OWN
from webapp.app import create_app
from webapp.config import Config
from webapp.ledger.ledger import new_key
from webapp.migrations import migrate

LIMIT: Final = 1000
"""Milliseconds of processor time that an answer may take."""
TURN: Final = 30
"""Taps on one draft."""
RUNNING: Final = 0.3
"""Which part of the drafts is of a running game."""
SPOILED: Final = 0.12
_FIELDS: Final = ("set", "path", "undo", "n.x", "n.", "n.1", "t.x", "text", "open", "at", "name")
_JUNK: Final = (
    *("", "x", "-1", "9" * 30, "9" * 5000, "[]", "{}", "null", "1,5", "٣", "a\0b", "\ud800"),
    *('["steps",[{"deal":0}]]', '["steps",[["a"]]]', '["steps",[{"contract":[1,2]}]]'),
    *('["steps",null]', '["steps",["99 sets of 99"]]', '["end",null]', '["deal",null]'),
    *('["set",null]', '["score",null]', '["contract",null]', '["hand",{}]', '["free",{}]'),
    *('["points",{}]', '["wild",{"cards":5}]', '["wild.cards",["JK","JK"]]', '["buy",1e999]'),
    *('["opening.points",true]', '["players",[2,99]]', '["players",[]]', '["teams.size",{}]'),
    *('["score.hand",{"A":"face","JK":[1]}]', '["pack.kind","nonsense"]', '["pack",{"kind":1}]'),
    *("[" * 3000, '["deal.cards",' + "9" * 400 + "]", "steps|wild|deal.cards|nonsense", "g-wild"),
)


class Tapper:
    """Taps in an app; the same for the same seed."""

    def __init__(self, app: Flask, seed: int) -> None:
        self.app, self.chance, self.tally = app, Random(seed), Tally()
        self.client: FlaskClient = app.test_client()
        self.games = [game.slug for game in variants.all() if not game.points_only]
        self.tables = [begin(app, kind).pub for kind in KINDS]

    def tap(self, taps: int) -> None:
        """Make so many taps, on one draft after the other."""
        while taps > 0:
            taps -= self._on_a_draft(min(TURN, taps))

    def _on_a_draft(self, taps: int) -> int:
        chance = self.chance
        at = f"/rules/{chance.choice(self.games)}/change"
        if chance.random() < RUNNING:
            at = f"/g/{chance.choice(self.tables)}/house-rules"
        key = new_key()
        page = self._ask(f"{at}?d={key}", None)
        for _ in range(taps):
            page = self._ask(*self._any_tap(page, at)) or page
        self._ask(f"{at}/done?d={key}", None)
        return taps

    def _ask(self, address: str, fields: Sequence[tuple[str, str]] | None) -> str:
        """What is on the page that is answered; empty if it is a refusal."""

        def ask() -> tuple[int, str]:
            if fields is None:
                found = self.client.get(address, headers=HTMX)
            else:
                body = urlencode(fields, errors="surrogatepass")
                kind = "application/x-www-form-urlencoded"
                found = self.client.post(address, data=body, content_type=kind, headers=OWN | HTMX)
            return found.status_code, found.text

        said = f"{address} {fields}"
        answered = self.tally.call(ask, LIMIT, said)
        if not isinstance(answered, tuple):
            return ""
        status, text = answered
        if status >= 500:
            self.tally.wrong.append(f"{status}: {said}")
        self.tally.answered += status < 400
        return text if status == 200 else ""

    def _any_tap(self, page: str, at: str) -> tuple[str, list[tuple[str, str]] | None]:
        """A link or a button of a page with its form, now and then spoiled."""
        chance = self.chance
        links = [html.unescape(one) for one in re.findall(r'href="([^"]*open=[^"#]*)', page)]
        forms = re.findall(r'<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>', page, re.DOTALL)
        if not forms or (links and chance.random() < 0.4):
            return chance.choice(links) if links else at, None
        address, body = chance.choice(forms)
        fields: list[tuple[str, str]] = []
        buttons: list[tuple[str, str]] = []
        for kind, tag in re.findall(r"<(input|button|textarea)([^>]*)>", body):
            found = re.findall(r'([a-z-]+)="([^"]*)"', tag)
            said = {name: html.unescape(text) for name, text in found}
            if "name" in said:
                typed = said["name"].startswith("n.") and chance.random() < 0.4
                text = str(chance.randint(-5, 300)) if typed else said.get("value", "")
                (buttons if kind == "button" else fields).append((said["name"], text))
        fields += [chance.choice(buttons)] if buttons else []
        if chance.random() < SPOILED:
            odd = chance.choice(_FIELDS), chance.choice(_JUNK)
            if fields and chance.random() < 0.5:
                fields[chance.randrange(len(fields))] = odd
            else:
                fields.append(odd)
        return html.unescape(address), fields


def run(taps: int, seed: int) -> Tally:
    """Make so many taps in an app on an empty database."""
    with tempfile.TemporaryDirectory(prefix="laydown-taps-") as folder:
        url = f"sqlite:///{Path(folder) / 'laydown.db'}"
        migrate(url)
        app = create_app(Config(database_url=url, instance=Path(folder)))
        with closing(app.extensions["database"]):
            tapper = Tapper(app, seed)
            tapper.tap(taps)
    return tapper.tally
