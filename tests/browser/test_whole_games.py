"""A whole game of each on two phones, through the pages: one types what is left, one taps cards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, lay, start_by_hand, start_count, start_game
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


def sit_down(
    new_phone: PhoneMaker, name: str, game: str, start: Callable[..., str] = start_game
) -> tuple[Phone, Phone]:
    """Have two phones at a game that was begun on one of them."""
    one, two = new_phone(f"{name}-one"), new_phone(f"{name}-two", color_scheme="dark")
    two.open(start(one, ("Ana", "Ben"), game))
    return one, two


def end(phone: Phone) -> None:
    """End a game that goes on for as long as the table likes."""
    phone.tap("#more-button")
    phone.tap("#end")
    phone.tap("#endings")


def test_mexican_rummy(new_phone: PhoneMaker, database: Database) -> None:
    """A whole evening of it through the pages is in test_evening; here a third phone counts too."""
    table = Table(database, ("Ana", "Ben"))
    one, two = new_phone("mexican-one"), new_phone("mexican-two", color_scheme="dark")
    for phone in (one, two):
        phone.open(f"/g/{table.pub}")
    one.tap("#takes summary")
    one.press("May I, Ben")
    expect(one.page.locator(".takes button b")).to_have_text("1")
    play(one, two, 1, Round("Ana", {"Ben": "5 10 15 5"}, {"Ana": 0, "Ben": 35}))
    play(one, two, 2, Round("Ben", {"Ana": "65"}, {"Ana": 65, "Ben": 35}))
    table.count(3, ana="out", ben="20+20+5")
    table.count(4, ana="10", ben="out")
    table.count(5, ana="15+15", ben="out")
    catch_up(one, {"Ana": 105, "Ben": 80})
    play(one, two, 6, Round("Ana", {"Ben": "105"}, {"Ana": 105, "Ben": 185}))

    for phone in (one, two):
        phone.heading("Ana wins")


def test_phases(new_phone: PhoneMaker) -> None:
    one, two = new_phone("phases-one"), new_phone("phases-two", color_scheme="dark")
    one.open("/games/new?variant=eleven-phases&seat=%2BAna&seat=%2BBen")
    one.tap("#house-rules summary")
    one.page.fill("#option-phases", "2 sets of 3\n1 run of 7")
    one.tap("#start")
    expect(one.page.locator("#board")).to_be_visible()
    two.open(urlsplit(one.page.url).path)

    play(one, two, 1, Round("Ana", {"Ben": "5 10 20"}, {"Ana": 0, "Ben": 35}, made=("Ben",)))
    one.sees("Phase 2: 1 run of 7")
    play(one, two, 2, Round("Ben", {"Ana": "60"}, {"Ana": 60, "Ben": 35}))

    two.heading("Ben wins")


def test_rummikub(new_phone: PhoneMaker) -> None:
    one, two = sit_down(new_phone, "rummikub", "Rummikub", start_by_hand)
    play(one, two, 1, Round("Ana", {"Ben": "13 30 30 8"}, {"Ana": 81, "Ben": -81}))
    play(one, two, 2, Round("", {"Ana": "25", "Ben": "9"}, {"Ana": 65, "Ben": -65}))
    play(one, two, 3, Round("Ben", {"Ana": "1 2"}, {"Ana": 62, "Ben": -62}))
    one.sees("+62 −62 = 0")
    expect(Pad(one).total("Ben")).to_contain_text("2 wins")
    end(one)

    one.heading("Ben wins")
    two.heading("Ben wins")


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


def test_rummy_500(new_phone: PhoneMaker) -> None:
    one, two = sit_down(new_phone, "five-hundred", "Rummy 500")
    one.press("Referee")
    lay(one, ("AC AD AH",))
    one.tap("#record")
    one.sees("45 down")

    Pad(two).count(1)
    expect(Counting(two).hand("Ana").locator("[name^='table']")).to_have_value("45")
    counting = Counting(two)
    counting.by("cards")
    counting.fill("Ana", {"Ben": "5 10 15"}, table={"Ben": "15 15 15"})
    counting.save()
    Pad(two).shows({"Ana": 45, "Ben": 15})

    typed, tapped = {"Ana": "200", "Ben": "100"}, {"Ana": "25 25 10 10 10", "Ben": "15 15 10"}
    play(one, two, 2, Round("Ana", {"Ben": "20"}, {"Ana": 245, "Ben": 95}, table=typed))
    play(one, two, 3, Round("Ana", {"Ben": "5 10"}, {"Ana": 325, "Ben": 120}, table=tapped))
    play(one, two, 4, Round("", {"Ana": "5", "Ben": "10"}, {"Ana": 520, "Ben": 210}, table=typed))

    two.heading("Ana wins")


def test_a_game_is_chosen_and_begun_without_scripts(new_phone: PhoneMaker) -> None:
    phone = new_phone("unscripted", java_script_enabled=False)

    start_by_hand(phone, ("Ana", "Ben"), "Rummikub")

    phone.heading("Round 1")
