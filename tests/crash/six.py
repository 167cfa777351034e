"""Six phones at one count, each with one hand, one of them offline half of the time.

    python -m tests.crash.six --rounds 100 [--seed 1]

Each is a page of a real browser, on one Laydown with a database of its own. They enter their hands
in a random order, and any of them saves. After each round the ledger has every hand once. All that
the pads, Home and the sheet ever show are totals of the ledger, and no pad goes back to older ones.
"""

import argparse
import random
import re
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.phone import Phone
from tests.conftest import real_browser
from tests.servers import Laydown
from tests.webapp.table import Table
from webapp.db import Database
from webapp.ledger import read_story

NAMES: Final = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz")
GAME: Final = "romme"
PATIENCE: Final = 60_000
"""Milliseconds until a phone has heard of the others: it asks every two seconds, but six of them
share a machine with whatever else is running there."""
TOUCH: Final = 15_000
"""Milliseconds for a touch. Now and then one of so many browsers never says that it was one."""

WATCH: Final = """() => {
  let last = '';
  const look = () => {
    // Half a page has half of the totals.
    if (document.readyState === 'loading') return;
    const cells = [...document.querySelectorAll('#board .total[id]')];
    const totals = cells.map((each) => parseInt(each.textContent));
    if (totals.length && String(totals) !== last) shows(totals);
    last = String(totals);
  };
  const all = { childList: true, subtree: true, characterData: true };
  document.addEventListener('DOMContentLoaded', look);
  new MutationObserver(look).observe(document, all);
}"""
"""Tell all totals that a page shows, for however short a time."""


class Seat:
    """One player with a phone of their own."""

    def __init__(self, browser: Browser, url: str, table: Table, name: str) -> None:
        """Open the pad."""
        self.who = table.ids[name.lower()]
        self.shown: list[list[int]] = []
        self.context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
        self.context.expose_binding("shows", lambda _, totals: self.shown.append(totals))
        self.context.add_init_script(f"({WATCH})()")
        self.phone = Phone(self.context, url, name)
        self.context.set_default_timeout(PATIENCE)
        self.phone.tolerated = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
        self.page = self.phone.page
        self.phone.open(f"/g/{table.pub}")

    def tap(self, what: str | Locator) -> None:
        """Tap; without an answer from the browser, click what is still there."""
        place = self.page.locator(what) if isinstance(what, str) else what
        try:
            place.tap(timeout=TOUCH)
        except PlaywrightTimeoutError:
            if place.is_visible():
                place.click()

    def open_count(self, number: int) -> None:
        """Open the count from the pad, as soon as the pad has heard of the round."""
        late = self.page.locator("#tell", has_text="This round changed")
        expect(self.page.locator("#board:visible").or_(late).first).to_be_visible(timeout=PATIENCE)
        if late.is_visible():
            self.tap("#count #top-link")
        button = self.page.locator("#count-round")
        expect(button).to_have_text(f"Score round {number}", timeout=PATIENCE)
        self.tap(button)
        expect(self.page.locator(f"#count[action$='/rounds/{number}']")).to_be_visible()

    def type(self, left: str) -> None:
        """Type this player's hand; nothing left is Out."""
        if not left:
            self.tap(f"#out-{self.who}")
            return
        self.tap(f"#left-{self.who}")
        for digit in left:
            self.tap(f"#digits [data-key='{digit}']")

    def save(self, number: int) -> float:
        """Save once every hand is in; answers how many milliseconds the save took."""
        button = self.page.locator("#save")
        expect(button).to_have_attribute("aria-disabled", "false", timeout=PATIENCE)
        with self.page.expect_response(
            lambda each: each.request.method == "POST" and each.url.endswith(f"/rounds/{number}")
        ) as answer:
            self.tap(button)
        answer.value.finished()
        assert answer.value.status == 200, answer.value.text()
        timing = answer.value.request.timing
        return timing["responseEnd"] - timing["requestStart"]


def play(
    browser: Browser, server: Laydown, database: Database, rounds: int, seed: int
) -> list[float]:
    """Play some rounds; answers how many milliseconds each save took.

    Raises AssertionError for a hand that is lost, and for a total that is not the ledger's.
    """
    chance = random.Random(seed)
    table = Table(database, NAMES, GAME)
    seats = [Seat(browser, server.url, table, name) for name in NAMES]
    expected = [[0] * len(NAMES)]
    saves = []
    for number in range(1, rounds + 1):
        hands = [str(5 * chance.randint(1, 20)) for _ in NAMES]
        hands[chance.randrange(5)] = ""
        order = [*zip(seats, hands, strict=True)]
        late = seats[-1] if number % 2 else None
        chance.shuffle(order)
        for seat, _ in order:
            seat.open_count(number)
        if late:
            late.context.set_offline(True)
        for seat, left in order:
            seat.type(left)
        for seat, left in chance.sample(order, len(order)):
            if left:
                seat.tap("[data-key='next'] >> visible=true")
        _check_elsewhere(seats[0], table, expected[-1])
        if late:
            late.context.set_offline(False)
        saves.append(chance.choice(seats).save(number))
        expected.append([sum(each) for each in zip(expected[-1], map(_points, hands), strict=True)])
        story = database.read(read_story, table.pub)
        saved = {who: hand.entered.left for who, hand in story.hands_of(number).items()}
        assert saved == {seat.who: _points(left) for seat, left in zip(seats, hands, strict=True)}
        assert len(story.rounds) == number
        _check_elsewhere(seats[0], table, expected[-1])
    for seat in seats:
        total = seat.page.locator(f"#board:visible #t{seats[-1].who}")
        expect(total).to_contain_text(str(expected[-1][-1]), timeout=PATIENCE)
        _check_shown(seat.shown, expected)
        assert seat.phone.wrong == []
        seat.context.close()
    return saves


def _points(left: str) -> int:
    return int(left or 0)


def _check_shown(shown: Sequence[Sequence[int]], expected: Sequence[Sequence[int]]) -> None:
    """Check that all totals a pad has shown are some of the ledger's, the newer after the older."""
    assert all(each in expected for each in shown), [each for each in shown if each not in expected]
    order = [expected.index(each) for each in shown]
    assert order == sorted(order), order


def _check_elsewhere(seat: Seat, table: Table, totals: Sequence[int]) -> None:
    """Check the totals on Home and on the sheet."""
    by_name: Mapping[str, int] = dict(zip(NAMES, totals, strict=True))
    home = seat.page.request.get(f"{seat.phone.url}/").text()
    shown = re.findall(r"<span>(\w+)</span><span class=\"fig\">(\d+)</span>", home)
    assert {name: int(total) for name, total in shown} == by_name, home
    sheet = seat.page.request.get(f"{seat.phone.url}/g/{table.pub}/sheet").text()
    for who, total in zip(table.ids.values(), totals, strict=True):
        found = re.search(rf'id="t{who}"[^>]*>\s*(\d+)', sheet)
        assert found, sheet
        assert int(found[1]) == total


def main() -> None:
    """Play on a server of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Laydown(Path(folder)) as server,
        real_browser() as browser,
    ):
        database = Database(f"sqlite:///{server.instance / 'laydown.db'}", patience=5.0)
        saves = play(browser, server, database, asked.rounds, asked.seed)
        database.close()
    middle, slow = (
        statistics.median(saves),
        statistics.quantiles(saves, n=20, method="inclusive")[-1],
    )
    print(
        f"{asked.rounds} rounds: every hand once, every total the ledger's. "
        f"A save took {middle:.0f} ms, p95 {slow:.0f} ms, at most {max(saves):.0f} ms."
    )


if __name__ == "__main__":
    main()
