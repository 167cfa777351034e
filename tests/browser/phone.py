"""A phone at the table: a browser page that counts its taps and notices what is out of order."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Request, expect

ARTEFACTS: Final = Path(__file__).resolve().parent.parent / "artefacts"
"""Where screenshots are put for people to look at; ignored by git."""

PATIENCE: Final = 8_000
"""Milliseconds that anything on a page may take."""


class Phone:
    """One page in one browser context.

    `wrong` collects console errors, refusals by the content policy, failed scripts and requests
    that leave the server's address: an evening must end with none.
    """

    def __init__(self, context: BrowserContext, url: str, name: str = "phone") -> None:
        """Open an empty page that will talk to `url`; `name` begins the screenshots' names."""
        context.set_default_timeout(PATIENCE)
        self.url = url
        self.name = name
        self.taps = 0
        self.wrong: list[str] = []
        self.tolerated: tuple[str, ...] = ()
        self.page = context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("request", self._watch)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"}:
            return
        # The browser notes each 4xx answer; those are part of the play.
        expected = ("the server responded with a status of 4", *self.tolerated)
        if not any(part in message.text for part in expected):
            self.wrong.append(f"console: {message.text}")

    def _watch(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.url).netloc:
            self.wrong.append(f"request: {request.url}")

    def open(self, path: str = "/") -> None:
        """Go to an address of the server."""
        self.page.goto(self.url + path)

    def tap(self, what: str | Locator) -> None:
        """Tap once, as a thumb does; counted."""
        place = self.page.locator(what) if isinstance(what, str) else what
        place.tap()
        self.taps += 1

    def press(self, label: str, *, exact: bool = True) -> None:
        """Tap the button or link of this name."""
        button = self.page.get_by_role("button", name=label, exact=exact)
        link = self.page.get_by_role("link", name=label, exact=exact)
        self.tap(button.or_(link).first)

    def sees(self, text: str) -> None:
        """Wait until the page shows this."""
        expect(self.page.locator("body")).to_contain_text(text, timeout=PATIENCE)

    def heading(self, text: str) -> None:
        """Wait until the page's heading is this."""
        expect(self.page.locator("h1")).to_have_text(text, timeout=PATIENCE)

    def shoot(self, what: str) -> None:
        """Keep a screenshot for people to look at."""
        self.page.wait_for_load_state("load")
        ARTEFACTS.mkdir(exist_ok=True)
        self.page.screenshot(path=ARTEFACTS / f"{self.name}-{what}.png")


class Counting:
    """The count page on a phone, by its own keys where there are scripts, by typing where not."""

    def __init__(self, phone: Phone, *, scripts: bool = True) -> None:
        """Take the phone that shows the count page, or soon will."""
        self.phone = phone
        self.scripts = scripts

    def hand(self, name: str) -> Locator:
        """Find a player's row."""
        named = self.phone.page.locator("label", has_text=name)
        return self.phone.page.locator(".hand").filter(has=named)

    def out(self, name: str) -> None:
        """Tap a player's Out."""
        self.phone.tap(self.hand(name).locator("[name='out']"))

    def made(self, name: str) -> None:
        """Tap that a player made the phase."""
        self.phone.tap(self.hand(name).locator("[name^='made']"))

    def type(self, text: str) -> None:
        """Tap digits for the player whose turn it is to be counted."""
        for digit in text:
            self.phone.tap(f"#digits [data-key='{digit}']")

    def next(self) -> None:
        """Tap Next."""
        self.phone.tap("#digits [data-key='next']")

    def write(self, name: str, text: str) -> None:
        """Put a count into a player's field, whichever way this phone does that."""
        field = self.hand(name).locator("[name^='left']")
        if not self.scripts:
            field.fill(text)
            return
        self.phone.tap(field)
        for _ in field.input_value():
            self.phone.tap("#digits [data-key='back']")
        self.type(text)

    def fill(self, out: str, left: Mapping[str, str], made: Iterable[str] = ()) -> None:
        """Enter a whole round in as few taps as it takes."""
        self.out(out)
        for name in made:
            self.made(name)
        for number, (name, text) in enumerate(left.items()):
            if not self.scripts:
                self.write(name, text)
                continue
            if number:
                self.next()
            expect(self.hand(name)).to_have_attribute("data-now", "")
            self.type(text)

    def save(self) -> None:
        """Review, then save."""
        self.phone.tap("#review")
        self.phone.heading("Is this right?")
        self.phone.tap("#save")
        expect(self.phone.page.locator("#board")).to_be_visible()


class Pad:
    """The scorepad on a phone."""

    def __init__(self, phone: Phone) -> None:
        """Take the phone that shows the pad, or soon will."""
        self.phone = phone

    def cell(self, number: int, name: str) -> Locator:
        """Find a player's cell in a round."""
        return (
            self.phone.page.locator(".pad tbody tr")
            .nth(number - 1)
            .locator("td")
            .nth(self._place(name))
        )

    def total(self, name: str) -> Locator:
        """Find a player's total."""
        return self.phone.page.locator(".pad tfoot td").nth(self._place(name))

    def _place(self, name: str) -> int:
        self.phone.page.locator("#board, .pad").first.wait_for()
        return self.phone.page.locator(".pad thead th span").all_inner_texts().index(name)

    def shows(self, totals: Mapping[str, int]) -> None:
        """Wait until the totals are these."""
        for name, total in totals.items():
            expect(self.total(name)).to_contain_text(str(total), timeout=PATIENCE)

    def count(self, number: int) -> None:
        """Tap the main button of an open round."""
        self.phone.press(f"Count round {number}")


def start_game(phone: Phone, names: Iterable[str], variant: str = "Mexican Rummy") -> str:
    """Start a game through the pages, adding players by name; gives the game's path."""
    phone.open()
    phone.press("New game")
    phone.heading("New game")
    if phone.page.locator(".chip [aria-current]").inner_text() != variant:
        phone.press(variant)
        expect(phone.page.locator(".chip [aria-current]")).to_have_text(variant)
    for name in names:
        known = phone.page.get_by_role("button", name=f"Add {name}", exact=True)
        if known.count():
            phone.tap(known)
        else:
            phone.page.fill("#name", name)
            phone.press("Add")
        expect(phone.page.locator(".list b").filter(has_text=name)).to_be_visible()
    phone.shoot("new-game")
    phone.tap("#start")
    expect(phone.page.locator("#board")).to_be_visible()
    return urlsplit(phone.page.url).path


def tap_cards(phone: Phone, cards: str) -> None:
    """Tap cards or tiles on the picker's keys, a suit only where it changes: "7C 7D", "R7 B7"."""
    suit = ""
    for card in cards.split():
        if card == "JK":
            phone.tap("#joker")
            continue
        colour, rank = (card[0], card[1:]) if card[1:].isdigit() else (card[-1], card[:-1])
        if colour != suit:
            suit = colour
            phone.tap(f"#suit-{suit}")
        phone.tap(f"#rank-{rank}")


def lay(phone: Phone, melds: Iterable[str]) -> None:
    """Lay cards with the picker, meld by meld: "7C 7D 7H"."""
    for place, meld in enumerate(melds):
        phone.tap(phone.page.locator(".slot").nth(place).locator("input"))
        tap_cards(phone, meld)
