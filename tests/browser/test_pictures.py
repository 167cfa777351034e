"""Pictures of each page that was drawn before it was built, to look at: only with `--pictures`.

Set MOCKS to the folder of the drawings, and each is beside what the app shows.
"""

import os
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import ARTEFACTS, Counting, Phone, tap_cards
from tests.browser.test_look import DRAWN_AGAIN, USUAL
from tests.browser.test_look import LARGE as LARGE_LETTERS
from tests.browser.test_reach import LARGE, ON_ITS_SIDE, SMALLEST, look
from tests.webapp.table import Table
from webapp.db import Database

MOCKS: Final = Path(os.environ.get("MOCKS", "/nowhere"))
NAMES: Final = ("Anna", "Ben", "Cleo", "Dov")
LONG: Final = ("Anna", "Annika", "Grandma Edith", "Maximiliane")
ROUNDS: Final = (("out", "40", "60", "50"), ("40", "25", "out", "70"), ("out", "45", "30", "70"))
"""What is left in each round."""

BESIDE: Final = "<body style='display:flex;flex-wrap:wrap;gap:16px;align-items:start'>{}"
SEATS: Final = "&".join(f"seat=%2B{name}" for name in NAMES[:3])

State = Callable[[Phone, Phone, Database], None]
"""Bring the first phone to a page; the second is another one at the table."""
STATES: dict[str, State] = {}


def state(name: str) -> Callable[[State], State]:
    """Keep how a page comes about, by the name of its drawing."""
    return lambda shows: STATES.setdefault(name, shows)


def play(database: Database, rounds: int = 2, names: tuple[str, ...] = NAMES) -> str:
    """Play some rounds of Mexican Rummy; answers the game's path."""
    table = Table(database, names)
    for number, left in enumerate(ROUNDS[:rounds], start=1):
        table.count(number, **dict(zip(table.ids, left, strict=False)))
    return f"/g/{table.pub}"


def play_other(database: Database, variant: str, rounds: list[dict[str, str]], *names: str) -> str:
    """Play some rounds of another game; answers its path."""
    table = Table(database, names, variant)
    for number, hands in enumerate(rounds, start=1):
        table.save(number, table.typed(number, sure=True, **hands))
    return f"/g/{table.pub}"


@state("count")
def _counting(phone: Phone, other: Phone, database: Database) -> None:
    game = play(database)
    other.open(f"{game}/rounds/3")
    Counting(other).write("Dov", "70")
    other.tap(Counting(other).hand("Cleo").locator("[name^='left']"))
    phone.open(f"{game}/rounds/3")
    Counting(phone).out("Anna")
    Counting(phone).type("45")
    Counting(phone).next()


def _all_in(phone: Phone, database: Database, cleo: str = "30") -> None:
    phone.open(f"{play(database)}/rounds/3")
    Counting(phone).fill("Anna", {"Ben": "45", "Cleo": cleo, "Dov": "70"})


@state("count-all-in")
def _(phone: Phone, other: Phone, database: Database) -> None:
    _all_in(phone, database)


@state("count-8")
def _(phone: Phone, other: Phone, database: Database) -> None:
    names = ("Anna", "Ben", "Annika", "Cleo", "Maximiliane", "Grandma Edith", "Fritz", "Jo")
    phone.open(f"{play(database, 0, names)}/rounds/1")
    Counting(phone).out("Ben")
    Counting(phone).type("45")


@state("count-doubt")
def _(phone: Phone, other: Phone, database: Database) -> None:
    _all_in(phone, database, "48")


@state("count-anyway")
def _(phone: Phone, other: Phone, database: Database) -> None:
    _all_in(phone, database, "48")
    phone.tap("#save")
    expect(phone.page.locator("#asks")).to_be_visible()


@state("count-clash")
def _(phone: Phone, other: Phone, database: Database) -> None:
    game = play(database)
    other.tolerated = phone.tolerated = ("ERR_INTERNET", "Failed to")
    other.open(f"{game}/rounds/3")
    other.go_offline()
    phone.open(f"{game}/rounds/3")
    Counting(phone).fill("Anna", {"Ben": "45", "Cleo": "30", "Dov": "70"})
    Counting(phone).next()
    Counting(other).write("Dov", "75")
    Counting(other).next()
    other.come_back()
    expect(phone.page.locator(".which")).to_contain_text("75")


@state("count-impossible")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open(f"{play(database)}/rounds/3")
    for name, left in zip(NAMES, ("15", "45", "30", "70"), strict=True):
        Counting(phone).write(name, left)
    phone.page.locator("#save").dispatch_event("click")


@state("count-offline")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.tolerated = ("ERR_INTERNET", "Failed to")
    phone.open(play(database))
    phone.page.wait_for_load_state("networkidle")
    phone.go_offline()
    phone.tap("#count-round")
    Counting(phone).fill("Anna", {"Ben": "45", "Cleo": "30", "Dov": "70"})


@state("pad-offline")
def _(phone: Phone, other: Phone, database: Database) -> None:
    STATES["count-offline"](phone, other, database)
    phone.tap("#save")
    expect(phone.page.locator("#board")).to_be_visible()


@state("count-own")
def _(phone: Phone, other: Phone, database: Database) -> None:
    game = play(database)
    phone.open(f"{game}/who?change=1")
    phone.press("Ben")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.open(f"{game}/rounds/3")
    other.open(f"{game}/rounds/3")
    Counting(other).out("Anna")
    Counting(other).write("Dov", "70")
    Counting(other).type("1")


@state("count-gin")
def _(phone: Phone, other: Phone, database: Database) -> None:
    game = play_other(database, "gin-rummy", [{"anna": "out", "ben": "25"}], *NAMES[:2])
    phone.open(f"{game}/rounds/2")
    phone.tap(phone.page.get_by_role("radio", name="Knocked Anna"))
    Counting(phone).type("6")
    Counting(phone).next()
    Counting(phone).type("21")


def tiles(database: Database) -> str:
    """Play some rounds of Rummikub; answers its path."""
    rounds = [
        {"anna": "out", "ben": "31", "cleo": "21"},
        {"anna": "12", "ben": "out", "cleo": "13"},
        {"anna": "13", "ben": "24", "cleo": "out"},
    ]
    return play_other(database, "rummikub", rounds, *NAMES[:3])


@state("count-rummikub")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open(f"{tiles(database)}/rounds/4")
    Counting(phone).fill("Anna", {"Ben": "23", "Cleo": "38"})


@state("correct")
def _correcting(phone: Phone, other: Phone, database: Database) -> None:
    game = play(database)
    phone.open(game)
    phone.tap(phone.page.locator("td a[href*='/rounds/1/hands/']").nth(1))
    expect(phone.page.locator("#count")).to_be_visible()


@state("correct-typed")
def _(phone: Phone, other: Phone, database: Database) -> None:
    _correcting(phone, other, database)
    Counting(phone).type("60")


@state("pad-said")
def _said(phone: Phone, other: Phone, database: Database) -> None:
    phone.open(play(database, 3))


@state("pad-undone")
def _(phone: Phone, other: Phone, database: Database) -> None:
    _said(phone, other, database)
    phone.tap("#undo-last")
    expect(phone.page.locator("#redo")).to_be_visible()


@state("who")
def _(phone: Phone, other: Phone, database: Database) -> None:
    game = play(database)
    other.open(f"{game}/who?change=1")
    other.press("Anna")
    phone.open(f"{game}/who?change=1")


def desk(phone: Phone, database: Database, step: int, cards: str) -> None:
    """Open the referee of a game at a step, and tap cards."""
    phone.open(f"{play(database)}/desk?step={step}")
    tap_cards(phone, cards)
    phone.page.wait_for_timeout(700)


for name, step, cards in (
    ("desk-1-start", 3, ""),
    ("desk-2-typing", 3, "4H 5H"),
    ("desk-3-next", 3, "4H 5H 6H 7H"),
    ("desk-4-legal", 3, "4H 5H 6H 7H 9C 10C JC QC"),
    ("desk-5-not", 3, "QH KH AH 2H"),
    ("desk-6-three", 6, "4H 5H 6H 7H 9C 10C JC QC 2S"),
):
    STATES[name] = lambda phone, _, database, step=step, cards=cards: desk(
        phone, database, step, cards
    )


@state("desk-7-all")
def _(phone: Phone, other: Phone, database: Database) -> None:
    desk(phone, database, 3, "4H 5H 6H 7H 9C 10C")
    phone.page.locator("#record").tap(force=True)
    phone.page.wait_for_timeout(700)


@state("desk-free")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open("/desk/rummy-500")
    tap_cards(phone, "8S 8H 8D JC QC")
    phone.page.wait_for_timeout(700)


@state("desk-layoff")
def _(phone: Phone, other: Phone, database: Database) -> None:
    game = play_other(database, "rummy-500", [], *NAMES[:2])
    phone.open(f"{game}/desk")
    tap_cards(phone, "9C 10C JC QC 4H 5H 6H 7H")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.tap("#record")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.open(f"{game}/desk?ask=layoff")
    tap_cards(phone, "8H")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")


@state("desk-rummikub")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open("/desk/rummikub?ask=table&after-1=R5+B5+K5&after-2=O9+O10+O11+O13&after-3=K7")
    phone.page.wait_for_timeout(700)


@state("advice-hand")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open(f"{play(database)}/desk/advice")
    phone.press("Ben")
    tap_cards(phone, "4H 5H 6H 7H 9C 10C JC QC 6S")


@state("advice-found")
def _(phone: Phone, other: Phone, database: Database) -> None:
    STATES["advice-hand"](phone, other, database)
    tap_cards(phone, "5S 2D")
    phone.tap("#find")
    phone.page.locator("#change").wait_for()


@state("new-points-options")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open(f"/games/new?variant=just-points&{SEATS}")
    phone.tap("#change-points")


def points(database: Database) -> str:
    """Play some rounds of a game of points alone; answers its path."""
    rounds = [
        {"anna": "20", "ben": "-5", "cleo": "15"},
        {"anna": "-40", "ben": "60", "cleo": "6"},
        {"anna": "8", "ben": "30", "cleo": "20"},
    ]
    return play_other(database, "just-points", rounds, *NAMES[:3])


@state("points-count")
def _(phone: Phone, other: Phone, database: Database) -> None:
    phone.open(f"{points(database)}/rounds/4")
    Counting(phone).type("4")


ADDRESSES: Final[dict[str, Callable[[Database], str]]] = {
    "home": lambda database: "/" if tiles(database) else "",
    "pick": lambda _: "/ask",
    "new": lambda _: f"/games/new?variant=mexican-rummy&{SEATS}",
    "new-points": lambda _: f"/games/new?variant=just-points&{SEATS}",
    "pad-names": lambda database: play(database, 2, LONG),
    "points-pad": points,
    "advice-who": lambda database: f"{play(database)}/desk/advice",
}
"""Pages that only have to be opened."""
for name, opens in ADDRESSES.items():
    STATES[name] = lambda phone, _, database, opens=opens: phone.open(opens(database))


@pytest.mark.pictures
@pytest.mark.parametrize("name", STATES)
def test_a_page_looks_as_it_was_drawn(
    name: str, new_phone: PhoneMaker, database: Database, chromium: Browser
) -> None:
    phone = new_phone(own=True)
    STATES[name](phone, new_phone("other", own=True), database)
    page, faults = phone.page, []
    found: dict[str, list[bytes]] = {"phone": [], "wide": [], "narrow": []}

    def keep(kind: str, size: dict[str, int], **media: str) -> None:
        page.emulate_media(**{"color_scheme": "light", "contrast": "no-preference"} | media)
        page.set_viewport_size(size)
        page.evaluate(DRAWN_AGAIN)
        look(page, f"{name}, {size['width']}, {media}", faults)
        found[kind].append(page.screenshot())

    for kind, size in (("phone", SMALL), ("wide", LARGE)):
        for media in ({}, {"color_scheme": "dark"}, {"contrast": "more"}):
            keep(kind, size, **media)
    for size in (SMALLEST, *ON_ITS_SIDE):
        keep("narrow", size)
    large = new_phone("large", own=True)
    letters = large.page.context.new_cdp_session(large.page)
    letters.send("Page.setFontSizes", {"fontSizes": LARGE_LETTERS})
    STATES[name](large, new_phone("another", own=True), database)
    page = large.page
    keep("narrow", SMALL)
    letters.send("Page.setFontSizes", {"fontSizes": USUAL})

    beside = chromium.new_page()
    drawing = MOCKS / f"{name}.html"
    for kind, size in (("phone", SMALL), ("wide", LARGE)):
        if drawing.exists():
            beside.set_viewport_size(size)
            beside.goto(drawing.as_uri())
            found[kind].insert(0, beside.screenshot())
    ARTEFACTS.mkdir(exist_ok=True)
    for kind, pictures in found.items():
        beside.set_viewport_size({"width": 1540 if kind != "wide" else 2600, "height": 640})
        beside.set_content(BESIDE.format("".join(map(image, pictures))))
        beside.screenshot(path=ARTEFACTS / f"{name}-{kind}.png", full_page=True)
    beside.close()
    assert not faults, "\n".join(faults)


def image(picture: bytes) -> str:
    """A picture as a part of a page."""
    return f'<img src="data:image/png;base64,{b64encode(picture).decode()}">'
