"""A phone at the table: a browser page that counts its taps and notices what is out of order."""

import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Route,
    expect,
)

from referee import variants
from tests.crash import phone as plain_phone

ARTEFACTS: Final = Path(__file__).resolve().parent.parent / "artefacts"
"""Where screenshots are put for people to look at; ignored by git."""

PATIENCE: Final = 8_000
"""Milliseconds that anything on a page may take."""

TURNED: Final = """() => {
  const now = performance.now();
  document.dispatchEvent(new Event('visibilitychange'));
  return now;
}"""
"""A page is to be seen again, or no longer; answers when, as it counts milliseconds."""

SOON: Final = 2_000
"""Milliseconds that what is said as one types may take."""


class Phone:
    """One page in one browser context.

    `wrong` collects console errors, refusals by the content policy, failed scripts and requests
    that leave the server's address: an evening must end with none.
    """

    pictures = False
    """Whether screenshots are kept, which take a tenth of an evening's time."""

    def __init__(self, context: BrowserContext, url: str, name: str = "phone") -> None:
        """Open an empty page that will talk to `url`; `name` begins the screenshots' names."""
        context.set_default_timeout(PATIENCE)
        self.url = url
        self.name = name
        self.taps = 0
        self.was_offline = False
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
        if urlsplit(request.url.removeprefix("blob:")).netloc != urlsplit(self.url).netloc:
            self.wrong.append(f"request: {request.url}")

    def open(self, path: str = "/") -> None:
        """Go to an address of the server."""
        self._go(self.url + path)

    def close(self) -> None:
        """Close the page."""
        # Chromium forgets to close one that is just on its way to another, and Playwright waits.
        self._go("about:blank")
        self.page.close()

    def _go(self, address: str) -> None:
        try:
            self.page.goto(address)
        except Error as error:
            # The answer to what was sent last leads to another page at this very moment.
            if "interrupted by another navigation" not in error.message:
                raise
            self.page.wait_for_load_state()
            self.page.goto(address)

    def go_offline(self) -> None:
        """Lose the network, as where the Wi-Fi doesn't reach."""
        self.was_offline = True
        self.page.context.set_offline(True)

    def come_back(self) -> None:
        """Have the network again."""
        self.page.context.set_offline(False)

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
        expect(self.page.locator("h1:visible")).to_have_text(text, timeout=PATIENCE)

    def shoot(self, what: str) -> None:
        """Keep a screenshot for people to look at, where they asked for pictures."""
        if not self.pictures:
            return
        self.page.wait_for_load_state("load")
        ARTEFACTS.mkdir(exist_ok=True)
        picture = ARTEFACTS / f"{self.name}-{what}.png"
        try:
            self.page.screenshot(path=picture)
        except Error:  # a busy machine now and then has no picture at the first asking
            self.page.screenshot(path=picture)


class Counting:
    """The count page on a phone: typed as on a keyboard of your own, or on the page's own keys."""

    def __init__(self, phone: Phone, *, scripts: bool = True, thumb: bool = False) -> None:
        """Take the phone that shows the count page, or soon will; a `thumb` taps each digit."""
        self.phone = phone
        self.scripts = scripts
        self.thumb = thumb

    def hand(self, name: str) -> Locator:
        """Find a player's row."""
        named = self.phone.page.locator("b label", has_text=name)
        return self.phone.page.locator(".hand").filter(has=named)

    def out(self, name: str) -> None:
        """Tap a player's Out."""
        self.phone.tap(self.hand(name).locator("[name='out']"))

    def made(self, name: str) -> None:
        """Tap that a player made the phase."""
        self.phone.tap(self.hand(name).locator("[name^='made']"))

    def by(self, way: str) -> None:
        """Count by "digits" or by "cards" from here on."""
        self.phone.page.locator(".keys:visible").first.wait_for()
        # Whether it is hidden by its attribute: while a page begins all keys are.
        if self.phone.page.locator(f"#{way}[hidden]").count():
            self.phone.tap("[data-key='mode'] >> visible=true")

    def type(self, text: str) -> None:
        """Type digits for the player whose turn it is to be counted."""
        if not self.thumb:
            self.phone.page.locator("[data-here]").press_sequentially(text)
            return
        for digit in text:
            self.phone.tap(f"#digits [data-key='{digit}']")

    def keep(self, cards: str) -> None:
        """Tap the cards that are left: by what they cost ("5 5 20") or by name ("5H KC JK")."""
        if self.phone.page.locator("#picker").count():
            tap_cards(self.phone, cards)
            return
        for points in cards.split():
            self.phone.tap(f"[data-card='{points}']")

    def next(self) -> None:
        """Tap Next."""
        self.phone.tap("[data-key='next'] >> visible=true")

    def write(self, name: str, text: str) -> None:
        """Put a count into a player's field, whichever way this phone does that."""
        field = self.hand(name).locator("[name^='left']")
        if not (self.scripts and self.thumb):
            field.fill(text)
            return
        self.phone.tap(field)
        for _ in field.input_value():
            self.phone.tap("#digits [data-key='back']")
        self.type(text)

    def fill(
        self,
        out: str,
        left: Mapping[str, str],
        made: Iterable[str] = (),
        close: str = "",
        table: Mapping[str, str] | None = None,
    ) -> None:
        """Enter a whole round in as few taps as it takes; without `out` nobody went out.

        All are digits, or cards that are tapped where this phone counts by cards. `close` is the
        way that was chosen, and `table` what is on the table of each.
        """
        self.phone.tap("#out-nobody") if not out else self.out(out)
        if close:
            self.phone.tap(f"#close-{close}")
        for name in made:
            self.made(name)
        fields = [(name, "table", text) for name, text in (table or {}).items()]
        fields += [(name, "left", text) for name, text in left.items()]
        # Down the page, as the keys go.
        fields.sort(key=lambda field: self._place(field[0]))
        for number, (name, kind, text) in enumerate(fields):
            if not self.scripts:
                self.hand(name).locator(f"[name^='{kind}']").fill(text)
                continue
            if number:
                self.next()
            expect(self.hand(name).locator("[data-here]")).to_have_attribute(
                "name", re.compile(kind)
            )
            if self.phone.page.locator("#cards").is_visible():
                self.keep(text)
            else:
                self.type(text)

    def _place(self, name: str) -> int:
        return whole_names(self.phone.page.locator(".hand b .nm")).index(name)

    def save(self) -> None:
        """Save from here."""
        self.phone.tap("#save")
        expect(self.phone.page.locator("#board, #outcome")).to_be_visible()


class Pad:
    """The scorepad on a phone."""

    def __init__(self, phone: Phone) -> None:
        """Take the phone that shows the pad, or soon will."""
        self.phone = phone

    def cell(self, number: int, name: str) -> Locator:
        """Find a player's cell in a round."""
        who, page = self._player(name), self.phone.page
        return page.locator("td", has=page.locator(f"#c{number}-{who}"))

    def total(self, name: str) -> Locator:
        """Find a player's total."""
        return self.phone.page.locator(f"#t{self._player(name)}")

    def _player(self, name: str) -> str:
        """Answer the number of a player, who has a column or a row."""
        names = self.phone.page.locator(".pad em")
        names.first.wait_for()
        named = names.nth(whole_names(names).index(name))
        return (named.get_attribute("id") or "").removeprefix("p")

    def shows(self, totals: Mapping[str, int]) -> None:
        """Wait until the totals are these."""
        for name, total in totals.items():
            text = f"\N{MINUS SIGN}{-total}" if total < 0 else str(total)
            expect(self.total(name)).to_contain_text(text, timeout=PATIENCE)

    def count(self, number: int) -> None:
        """Tap the main button of an open round."""
        self.phone.press(f"Score round {number}")


def whole_names(names: Locator) -> list[str]:
    """The names of players, however short they are shown."""
    found: list[str] = names.evaluate_all("all => all.map(e => e.dataset.whole ?? e.textContent)")
    return found


def held(page: Page, path: str | re.Pattern[str]) -> list[Route]:
    """Hold back all requests to a path; answers the list that they are added to."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    page.route(path, hold)
    return routes


def asked(phone: Phone, path: str) -> list[float]:
    """Answer when a page has asked for this, as it counts milliseconds; what is under way is none.

    How busy the machine is shows in it much less than in when the answer is seen.
    """
    found: list[float] = phone.page.evaluate(
        """path => performance.getEntriesByType('resource')
          .filter(({ name }) => name.endsWith(path)).map(({ startTime }) => startTime)""",
        path,
    )
    return found


def start_by_hand(phone: Phone, names: Iterable[str], variant: str = "Mexican Rummy") -> str:
    """Start a game as people do, choosing it and adding players by name; gives the game's path."""
    phone.open()
    phone.press("New game")
    phone.heading("New game")
    chosen = phone.page.locator("#games [aria-current]")
    if chosen.inner_text().split("\n")[0] != variant:
        if not phone.page.get_by_role("button", name=variant, exact=True).is_visible():
            phone.tap("#more-games > summary")
        phone.press(variant)
        expect(chosen).to_contain_text(variant)
    while phone.page.locator("[id^='drop-']").count():
        seated = phone.page.locator("[id^='drop-']")
        left = seated.count() - 1
        phone.tap(seated.first)
        expect(seated).to_have_count(left)
    for name in names:
        known = phone.page.get_by_role("button", name=f"Add {name}", exact=True)
        if known.count():
            phone.tap(known)
        else:
            phone.page.fill("#name", name)
            phone.press("Add")
        expect(phone.page.locator("#seated li > b").filter(has_text=name)).to_be_visible()
    phone.shoot("new-game")
    return _start(phone)


def begin(url: str, names: Iterable[str], variant: str = "Mexican Rummy") -> str:
    """Start a game by its plain form, as a phone without a screen would; gives the game's path."""
    every = (*variants.all(), *variants.points_only())
    [slug] = [each.slug for each in every if each.name == variant]
    plain = plain_phone.Phone(f"http://localhost:{urlsplit(url).port}", random.Random(1))
    form = plain.get(f"/games/new?variant={slug}").form("key")
    assert form
    fields = [(name, value) for name, value in form.fields.items() if name != "seat"]
    answer = plain.save("/games", [*fields, *(("seat", f"+{name}") for name in names)])
    plain.hang_up()
    return urlsplit(answer.location).path


def start_game(phone: Phone, names: Iterable[str], variant: str = "Mexican Rummy") -> str:
    """Start a game past its form, which takes long to draw, and open its pad; gives its path."""
    path = begin(phone.url, names, variant)
    phone.open(path)
    expect(phone.page.locator("#board")).to_be_visible()
    return path


def start_count(phone: Phone, names: Iterable[str], variant: str = "Mexican Rummy") -> str:
    """Start a game past the page, and open the count of its first round; gives the game's path."""
    path = begin(phone.url, names, variant)
    phone.open(f"{path}/rounds/1")
    expect(phone.page.locator("#count")).to_be_visible()
    return path


def _start(phone: Phone) -> str:
    phone.tap("#start")
    expect(phone.page.locator("#board")).to_be_visible()
    return urlsplit(phone.page.url).path


def tap_cards(phone: Phone, cards: str) -> None:
    """Tap cards or tiles on the picker's keys, a suit only where it changes: "7C 7D", "R7", "7"."""
    suit = ""
    for card in cards.split():
        if card == "JK":
            phone.tap("#joker")
            continue
        if card.isdigit() or card in "AJQK":
            phone.tap(f"#rank-{card}")
            continue
        colour, rank = (card[0], card[1:]) if card[1:].isdigit() else (card[-1], card[:-1])
        if colour != suit:
            suit = colour
            phone.tap(f"#suit-{suit}")
        phone.tap(f"#rank-{rank}")


def turn_to(phone: Phone, row: str) -> None:
    """Tap a row of cards where no card lies: at its name."""
    phone.page.locator(f"#{row}").tap(position={"x": 24, "y": 12})
    phone.taps += 1


def lay(phone: Phone, melds: Iterable[str]) -> None:
    """Lay cards with the picker, meld by meld: "7C 7D 7H"."""
    for place, meld in enumerate(melds):
        turn_to(phone, phone.page.locator(".slot input").nth(place).get_attribute("id") or "")
        tap_cards(phone, meld)
