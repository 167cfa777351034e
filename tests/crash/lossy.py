"""Let phones save over a line that loses things: `python -m tests.crash.lossy 120`.

Between real browsers and a real server stands a proxy: of five saves it drops one, drops the answer
to another, holds a third back, sends a fourth twice. The phones reload and go back meanwhile. When
their outboxes are empty, what they said is saved must be in the database once, and nothing else.
"""

import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as BrowserError
from sqlalchemy import NullPool, create_engine

from tests.conftest import FLAGS
from tests.crash.line import Line
from tests.crash.outcome import Outcome, by_hand
from tests.crash.phone import Phone
from tests.provision import find_chromium
from tests.servers import Laydown

PATIENCE = 60
"""For how many seconds an outbox may take to become empty."""

EACH = 12
"""After so many notes a phone goes on in another game, before its page of notes grows long."""

LISTEN = """
const was = location.hash;
document.addEventListener('submit', ({ target }) => {
  if (target.elements.text) sessionStorage.setItem('note', target.elements.text.value);
}, true);
document.addEventListener('DOMContentLoaded', () => {
  const done = was === '#saved' && document.querySelector('.done');
  if (done) tell(sessionStorage.getItem('note') ?? '');
  const said = document.getElementById('said');
  if (said) new MutationObserver(() => {
    const text = said.textContent;
    if (text === 'Saved.') tell(sessionStorage.getItem('note') ?? '');
    else if (text.startsWith('Saved: ')) tell(text.split(' ').pop());
  }).observe(said, { childList: true });
});
"""
"""Hears what a page says is saved: the note that was sent from it, or one that waited longer."""


@dataclass(slots=True)
class _Writer:
    """A phone that writes notes, each with a text of its own."""

    name: str
    url: str
    server: Phone
    context: BrowserContext
    chance: random.Random
    sent: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    game: str = ""
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(10_000)
        self.context.expose_binding("tell", lambda _, text: self.told.append(text))
        self.context.add_init_script(LISTEN)
        self.page = self.context.new_page()

    def write(self) -> None:
        """Write a note, and do one of the things that people do before it is saved."""
        if len(self.sent) % EACH == 0:
            self.game = _begin(self.server, f"{self.name}{len(self.sent)}")
        text = f"{self.name}-{len(self.sent)}"
        with suppress(BrowserError):
            self.page.goto(f"{self.url}{self.game}/notes")
            self.page.fill("#text", text)
            self.sent.append(text)
            self.page.tap("#note")
            after = self.chance.choice(("wait", "wait", "tap", "reload", "back", "leave"))
            if after == "tap":
                self.page.tap("#note", timeout=500)
            elif after == "reload":
                self.page.reload()
            elif after == "back":
                self.page.go_back()
            elif after == "leave":
                self.page.goto(f"{self.url}/")
            else:
                self.page.wait_for_url(f"**{self.game}*", timeout=1500)

    def rest(self) -> str:
        """Wait until nothing waits any more; answers what still does, if anything."""
        until = time.monotonic() + PATIENCE
        waits: Any = "its page"
        while time.monotonic() < until:
            with suppress(BrowserError):
                if not self.page.url.endswith(self.game):
                    self.page.goto(f"{self.url}{self.game}")
                waits = self.page.evaluate(
                    "store('getAll').then((all) => all.map((one) => one.says))"
                )
                if not waits:
                    # What has just been answered is said in a moment.
                    self.page.wait_for_timeout(300)
                    return ""
            time.sleep(0.2)
        return f"{self.name}: {waits}"


def _begin(server: Phone, name: str) -> str:
    """Start a game past the proxy; answers its path."""
    form = server.get("/games/new?variant=mexican-rummy").form("key")
    fields = [(key, value) for key, value in (form.fields if form else {}).items() if key != "seat"]
    answer = server.save("/games", [*fields, ("seat", f"+A {name}"), ("seat", f"+B {name}")])
    return urlsplit(answer.location).path


def run(
    seconds: float,
    browser: Browser,
    *program: str,
    phones: int = 6,
    host: str = "lan.test",
    seed: int = 0,
) -> Outcome:
    """Write notes for so long; `program` is the Python module to serve with and its arguments."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        settings = {"LAYDOWN_HOSTS": "lan.test"}
        serving = program or ("webapp",)
        with (
            Laydown(instance, program=serving, surroundings=settings) as server,
            Line(server.port, chance) as line,
        ):
            direct = Phone(server.url, chance)
            writers = [
                _Writer(
                    name,
                    f"http://{host}:{line.port}",
                    direct,
                    browser.new_context(has_touch=True),
                    chance,
                )
                for name in "abcdefghijkl"[:phones]
            ]
            begun = time.monotonic()
            # On a busy machine a few seconds can pass before any phone says that a note is saved,
            # and what none has said cannot be held against the database.
            while (passed := time.monotonic() - begun) < seconds or (
                passed < PATIENCE and not any(writer.told for writer in writers)
            ):
                for writer in writers:
                    writer.write()
            stuck = [waits for waits in (writer.rest() for writer in writers) if waits]
            for writer in writers:
                writer.context.close()
            direct.hang_up()
        kept = _notes(f"sqlite:///{instance / 'laydown.db'}")
    sent = [text for writer in writers for text in writer.sent]
    told = [text for writer in writers for text in writer.told]
    figures = {"sent": len(sent), "said to be saved": len(set(told)), "faults": line.faults}
    return Outcome([*_wrong(sent, told, kept)], stuck, figures)


def _wrong(sent: list[str], told: list[str], kept: Counter[str]) -> Iterator[str]:
    yield from (f"Lost: {text}, which was said to be saved." for text in set(told) - kept.keys())
    yield from (f"Doubled: {text} is there {n} times." for text, n in kept.items() if n > 1)
    yield from (f"Doubled: {text}, which nobody sent." for text in kept.keys() - set(sent))


def _notes(database_url: str) -> Counter[str]:
    with create_engine(database_url, poolclass=NullPool).connect() as connection:
        rows = connection.exec_driver_sql("SELECT payload FROM entry WHERE kind = 'noted'")
        return Counter(json.loads(payload)["text"] for (payload,) in rows)


def _by_hand(seconds: int, *, seed: int) -> Outcome:
    with sync_playwright() as playwright:
        found = find_chromium(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(executable_path=str(found.program), args=list(FLAGS))
        return run(seconds, browser, seed=seed)


if __name__ == "__main__":
    sys.exit(by_hand(_by_hand, 60))
