"""A whole game of each on two phones, through the pages: one types what is left, one taps cards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, start_count
from tests.webapp.table import Table
from webapp.db import Database


@dataclass(frozen=True)
class Round:
    """What was left, by who kept it: typed on one phone ("65"), tapped on the other ("5 5 20")."""

    out: str
    left: Mapping[str, str]
    totals: Mapping[str, int]
    """What the pad must show after it."""
    close: str = ""
    made: tuple[str, ...] = ()
    table: Mapping[str, str] = field(default_factory=dict)


def play(one: Phone, two: Phone, number: int, round_: Round) -> None:
    """Count a round, on the first phone by digits and on the second by cards, in turn."""
    phone, other, way = ((one, two, "digits"), (two, one, "cards"))[number % 2]
    Pad(phone).count(number)
    counting = Counting(phone)
    counting.by(way)
    counting.fill(round_.out, round_.left, made=round_.made, close=round_.close, table=round_.table)
    phone.shoot(f"count-{number}")
    counting.save()
    Pad(phone).shows(round_.totals)
    catch_up(other, round_.totals)


def catch_up(phone: Phone, totals: Mapping[str, int]) -> None:
    """Have the pad from the server, where it would else wait for its next poll."""
    phone.page.evaluate("document.getElementById('board').dispatchEvent(new Event('refresh'))")
    Pad(phone).shows(totals)


def end(phone: Phone) -> None:
    """End a game that goes on for as long as the table likes."""
    phone.tap("#more-button")
    phone.tap("#end")
    phone.tap("#endings")


def test_a_third_joker_is_not_there(new_phone: PhoneMaker) -> None:
    phone = new_phone("third-joker")
    start_count(phone, ("Ana", "Ben", "Cleo"), "Rummikub")
    counting = Counting(phone)
    counting.by("cards")
    counting.out("Ana")
    counting.keep("30")
    counting.next()
    counting.keep("30")
    joker = phone.page.locator("[data-card='30']")
    expect(joker).to_have_attribute("aria-disabled", "true")

    joker.tap(force=True)

    phone.sees("No more of these")
    expect(counting.hand("Cleo").locator("[name^='left']")).to_have_value("30")


@pytest.mark.release
def test_remigio(new_phone: PhoneMaker) -> None:
    one, two = new_phone("remigio-one"), new_phone("remigio-two", color_scheme="dark")
    one.open("/games/new?variant=remigio&seat=%2BAna&seat=%2BBen")
    one.tap("#extras summary")
    one.page.fill("#stake", "0.05")
    one.page.fill("#currency", "€")
    one.tap("#start")
    expect(one.page.locator("#board")).to_be_visible()
    two.open(urlsplit(one.page.url).path)

    kept = "5H 6H 7H 2S 2D 2C 3C KC QH 9S"
    ana = {"Ana": 128, "Ben": -128}
    play(one, two, 1, Round("Ana", {"Ben": kept}, ana, close="colour-no-joker"))
    play(one, two, 2, Round("Ben", {"Ana": "14"}, {"Ana": 114, "Ben": -114}, close="closed"))

    Pad(two).count(3)
    counting = Counting(two)
    counting.by("cards")
    counting.out("Ana")
    two.tap("#shown")
    counting.keep("4H 5H 6H 7H 8H 9H 10H KS KD KC")
    two.sees("Plain close without a joker, ×2")
    two.shoot("shown")
    counting.next()
    counting.keep("2H 2C 2D AS 3S 3D 3C 9S 9D 9C")
    expect(counting.hand("Ben").locator("output")).to_have_text("1")
    two.shoot("arranged")
    counting.save()
    Pad(two).shows({"Ana": 116, "Ben": -116})
    two.sees("Ben pays Ana")
    expect(two.page.locator("#payments")).to_contain_text("5.80 €")
    end(two)

    one.heading("Ana wins")


VIOLATION = """() => document.addEventListener(
  'securitypolicyviolation',
  ({ violatedDirective, target }) => console.error(violatedDirective, target?.outerHTML ?? ''),
)"""


@pytest.mark.parametrize("size", [SMALL, {"width": 1280, "height": 800}])
def test_a_whole_game_breaks_no_content_policy(
    new_phone: PhoneMaker, database: Database, size: dict[str, int]
) -> None:
    table = Table(database, ("Ana", "Ben", "Cleo"), "mexican-rummy")
    # A page that says something is refused ends the test as what is `wrong` with its phone.
    one, two = (new_phone(name, own=True, viewport=size) for name in ("counts", "looks"))
    for phone in (one, two):
        phone.page.add_init_script(f"({VIOLATION})()")
        phone.open(f"/g/{table.pub}")
    for number in range(1, 7):
        Pad(one).count(number)
        counting = Counting(one)
        counting.out("Ana")
        for name in ("Ben", "Cleo"):
            counting.write(name, "50")
        counting.save()
        # What another phone looks at is changed in place, until it goes to the result.
        if number < 6:
            catch_up(two, {"Ben": 50 * number, "Cleo": 50 * number})
    one.heading("Ana wins")
    two.heading("Ana wins")
    for page in ("/sheet", "/share", "/evening", "/print", "/rounds/6", "/result"):
        one.open(f"/g/{table.pub}{page}")
    one.page.wait_for_timeout(100)
