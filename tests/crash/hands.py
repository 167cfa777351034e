"""Phones that each save their own hand of every round, one of them offline half of the time.

    python -m tests.crash.hands --rounds 100 [--phones 3] [--seed 1]

Each is a page of a real browser, on one Laydown with a database of its own. They save in a random
order; one is offline in every other round, one is loaded anew while it counts, and one corrects
what it has saved. After each round the ledger has every hand once. All that the pads, Home and the
sheet ever show is what the ledger has: no other total, no hand as saved that isn't, and no pad goes
back to older totals.
"""

import argparse
import random
import re
import statistics
import tempfile
from collections import Counter
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
from webapp.game.facts import Corrected, Counted
from webapp.ledger.ledger import read_game

NAMES: Final = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz")
GAME: Final = "romme"
PATIENCE: Final = 60_000
"""Milliseconds until a phone has heard of the others: it asks every two seconds, but all of them
share a machine with whatever else is running there."""
TOUCH: Final = 15_000
"""Milliseconds for a touch. Now and then one of so many browsers never says that it was one."""

WATCH: Final = """() => {
  let last = '';
  let cells = '';
  const look = () => {
    // Half a page has half of the totals.
    if (document.readyState === 'loading') return;
    const found = [...document.querySelectorAll('#board .total[id]')];
    const totals = found.map((each) => parseInt(each.textContent));
    if (totals.length && String(totals) !== last) shows(totals);
    last = String(totals);
    const saved = [...document.querySelectorAll('#board td:not([data-unsent]) > a[id^="c"]')]
      .map((each) => [...each.id.slice(1).split('-').map(Number), parseInt(each.textContent)])
      .filter(([, , left]) => !Number.isNaN(left));
    if (String(saved) !== cells) holds(saved);
    cells = String(saved);
  };
  const all = { childList: true, subtree: true, characterData: true };
  document.addEventListener('DOMContentLoaded', look);
  new MutationObserver(look).observe(document, all);
}"""
"""Tell all totals and all saved hands that a page shows, for however short a time."""


class Seat:
    """One player with a phone of their own."""

    def __init__(self, browser: Browser, url: str, table: Table, name: str) -> None:
        """Say whose phone it is, and open the pad."""
        self.who = table.ids[name.lower()]
        self.game = f"/g/{table.pub}"
        self.shown: list[list[int]] = []
        self.hands: set[tuple[int, int, int]] = set()
        self.context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
        self.context.expose_binding("shows", lambda _, totals: self.shown.append(totals))
        self.context.expose_binding("holds", lambda _, hands: self.hands.update(map(tuple, hands)))
        self.context.add_init_script(f"({WATCH})()")
        self.phone = Phone(self.context, url, name)
        self.context.set_default_timeout(PATIENCE)
        self.phone.tolerated = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
        self.page = self.phone.page
        self.phone.open(f"{self.game}/who")
        self.phone.press(name)
        expect(self.page.locator("#board")).to_be_visible()

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

    def load_anew(self, left: str) -> None:
        """Load the count anew: what was typed is still there."""
        self.page.reload()
        if left:
            expect(self.page.locator(f"#left-{self.who}")).to_have_value(left)
        else:
            expect(self.page.locator(f"#out-{self.who}")).to_be_checked()

    def save(self) -> None:
        """Save this hand: alone while others are missing, else with the round."""
        button = self.page.locator("#part:visible, #save[aria-disabled='false']").first
        self.tap(button)
        # A count that has no pad around it stays until it is sent.
        waits = self.page.locator(":is(#tell, #outbox p):visible", has_text="Not saved")
        expect(self.page.locator("#board:visible").or_(waits).first).to_be_visible(timeout=PATIENCE)

    def save_online(self, number: int) -> float:
        """Save, and answer how many milliseconds the save took."""
        with self.page.expect_response(
            lambda each: each.request.method == "POST" and each.url.endswith(f"/rounds/{number}")
        ) as answer:
            self.save()
        answer.value.finished()
        assert answer.value.status == 200, answer.value.text()
        timing = answer.value.request.timing
        return timing["responseEnd"] - timing["requestStart"]

    def correct(self, number: int, left: str) -> None:
        """Change what was saved, by a tap on its cell."""
        cell = self.page.locator(f"#c{number}-{self.who}")
        expect(cell).to_have_attribute("href", re.compile("/hands/"), timeout=PATIENCE)
        self.tap(cell)
        self.page.locator(f"#left-{self.who}").fill(left)
        self.tap("#save")
        expect(self.page.locator("#board")).to_be_visible()


def play(
    browser: Browser,
    server: Laydown,
    database: Database,
    rounds: int,
    seed: int,
    *,
    phones: int = 3,
) -> list[float]:
    """Play some rounds; answers how many milliseconds each save took.

    Raises AssertionError for a hand that is lost, and for anything shown that is not the ledger's.
    """
    chance = random.Random(seed)
    names = NAMES[:phones]
    table = Table(database, names, GAME)
    seats = [Seat(browser, server.url, table, name) for name in names]
    corrects, reloads, roams = seats[0], seats[1], seats[-1]
    expected = [[0] * len(names)]
    ever: set[tuple[int, int, int]] = set()
    saves = []
    for number in range(1, rounds + 1):
        hands = {seat: str(5 * chance.randint(1, 20)) for seat in seats}
        hands[chance.choice(seats[:-1])] = ""
        away = number % 2 == 1
        for seat in chance.sample(seats, len(seats)):
            seat.open_count(number)
        if away:
            roams.context.set_offline(True)
        for seat in chance.sample(seats, len(seats)):
            seat.type(hands[seat])
        if chance.random() < 0.5:
            reloads.load_anew(hands[reloads])
        changes = chance.random() < 0.5 and hands[corrects]
        for seat in chance.sample(seats, len(seats)):
            if seat is roams and away:
                seat.save()
            else:
                saves.append(seat.save_online(number))
            ever.add((number, seat.who, _points(hands[seat])))
            if seat is corrects and changes:
                hands[seat] = str(_points(hands[seat]) + 5)
                seat.correct(number, hands[seat])
                ever.add((number, seat.who, _points(hands[seat])))
        _check_elsewhere(seats[0], table, expected[-1:] if away else None)
        roams.context.set_offline(False)
        lefts = [_points(hands[seat]) for seat in seats]
        expected.append([sum(each) for each in zip(expected[-1], lefts, strict=True)])
        button = corrects.page.locator("#count-round")
        expect(button).to_have_text(f"Score round {number + 1}", timeout=PATIENCE)
        _check_ledger(database, table, number, dict(zip(table.ids.values(), lefts, strict=True)))
        _check_elsewhere(seats[0], table, expected[-1:])
    for seat in seats:
        total = seat.page.locator(f"#board:visible #t{seats[-1].who}")
        expect(total).to_contain_text(str(expected[-1][-1]), timeout=PATIENCE)
        _check_shown(seat.shown, expected, ever)
        assert seat.hands <= ever, seat.hands - ever
        assert seat.phone.wrong == []
        seat.context.close()
    return saves


def _points(left: str) -> int:
    return int(left or 0)


def _check_ledger(database: Database, table: Table, number: int, lefts: Mapping[int, int]) -> None:
    """Check that a round is complete, with every hand once; a correction names what it replaces."""
    state = database.read(read_game, table.pub)
    saved = {who: cell.hand.points for who, cell in state.hands_of(number).items()}
    assert saved == lefts
    assert len(state.rounds) == number
    counted = Counter(
        who
        for entry in state.entered
        if isinstance(entry.fact, Counted) and not isinstance(entry.fact, Corrected)
        if entry.fact.round == number
        for who, hand in entry.fact.hands.items()
        if not hand.base
    )
    assert counted == dict.fromkeys(lefts, 1), counted


def _check_shown(
    shown: Sequence[Sequence[int]],
    expected: Sequence[Sequence[int]],
    ever: set[tuple[int, int, int]],
) -> None:
    """Check that all totals a pad has shown are some of the ledger's, the newer after the older.

    In between are those of a round whose hand was corrected after it was complete.
    """
    final = [each for each in shown if each in expected]
    order = [expected.index(each) for each in final]
    assert order == sorted(order), order
    first = min(who for _, who, _ in ever)
    for each in (each for each in shown if each not in expected):
        # Of the phone that corrects, alone, by the 5 that it adds.
        assert [each[0] + 5, *each[1:]] in expected, (each, first)


def _check_elsewhere(seat: Seat, table: Table, totals: Sequence[Sequence[int]] | None) -> None:
    """Check the totals on Home and on the sheet, if it is known what they are."""
    if totals is None:
        return
    by_name: Mapping[str, int] = dict(zip(NAMES, totals[0], strict=False))
    home = seat.page.request.get(f"{seat.phone.url}/").text()
    shown = re.findall(r"<span>(\w+)</span><span class=\"fig\">(\d+)</span>", home)
    assert {name: int(total) for name, total in shown} == by_name, home
    sheet = seat.page.request.get(f"{seat.phone.url}/g/{table.pub}/sheet").text()
    for who, total in zip(table.ids.values(), totals[0], strict=True):
        found = re.search(rf'id="t{who}"[^>]*>\s*(\d+)', sheet)
        assert found, sheet
        assert int(found[1]) == total


def main() -> None:
    """Play on a server of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--phones", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Laydown(Path(folder)) as server,
        real_browser() as browser,
    ):
        database = Database(f"sqlite:///{server.instance / 'laydown.db'}", patience=5.0)
        saves = play(browser, server, database, asked.rounds, asked.seed, phones=asked.phones)
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
