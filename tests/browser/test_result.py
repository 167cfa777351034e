"""The end of a game: every phone goes to the result, and the result is sent, copied or printed."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import PATIENCE, Counting, Pad, Phone
from tests.browser.test_reach import SMALL_TARGETS, THUMB, TOO_WIDE
from tests.webapp.table import Table
from webapp.db import Database
from webapp.pages.scorepad import commands as taps

NOT_SECURE = """
Object.defineProperty(navigator, 'share', { value: undefined });
Object.defineProperty(navigator, 'clipboard', { value: undefined });
"""
"""What a page lacks over plain http."""


INSIDE = """(each) =>
  [each.getClientRects().length, each.offsetWidth, each.parentElement.clientWidth]"""


def table_before_the_end(database: Database) -> Table:
    """A game that has its last round to be counted."""
    table = Table(database)
    table.play(5)
    return table


def at_result(phone: Phone, table: Table) -> None:
    phone.page.wait_for_url(f"**/g/{table.pub}/result", timeout=PATIENCE)
    phone.heading("Ana wins")


def test_saving_the_last_round_opens_the_result_on_every_phone(
    new_phone: PhoneMaker, database: Database
) -> None:
    table = table_before_the_end(database)
    one, two, three = new_phone("one"), new_phone("two"), new_phone("three")
    for phone in (one, two, three):
        phone.open(f"/g/{table.pub}")
    Pad(one).count(6)
    # Nothing is typed on this phone.
    Pad(three).count(6)
    Counting(one).fill("Ana", {"Ben": "65", "Cleo": "60"})
    one.tap("#save")

    at_result(one, table)
    one.sees("Round 6 saved")
    at_result(two, table)
    at_result(three, table)

    one.press("Undo round 6", exact=False)
    for phone in (one, two):
        expect(phone.page.locator("#count-round")).to_have_text("Score round 6", timeout=PATIENCE)
    two.press("Redo round 6", exact=False)
    at_result(two, table)
    at_result(one, table)
    # Back doesn't lead round in a circle.
    assert table.pad.finished


def test_an_open_sheet_and_a_typed_count_stay_and_lead_to_the_result(
    new_phone: PhoneMaker, database: Database
) -> None:
    table = table_before_the_end(database)
    sheet, typed = new_phone("sheet"), new_phone("typed")
    sheet.open(f"/g/{table.pub}")
    sheet.tap("#more-button")
    typed.open(f"/g/{table.pub}")
    Pad(typed).count(6)
    Counting(typed).type("65")

    table.play(6)

    expect(sheet.page.locator("#more #to-result")).to_contain_text("The game is finished.")
    expect(typed.page.locator("#tell")).to_contain_text("The game is finished.", timeout=PATIENCE)
    expect(typed.page.locator("#count input[value='65'], #count .num input").first).to_be_visible()
    sheet.tap("#to-result a")
    at_result(sheet, table)
    typed.tap("#tell a")
    at_result(typed, table)


def test_a_last_round_that_was_saved_offline_leads_to_the_result(
    new_phone: PhoneMaker, database: Database
) -> None:
    table = table_before_the_end(database)
    phone = new_phone()
    phone.tolerated = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    phone.open(f"/g/{table.pub}")
    expect(phone.page.locator("#carried")).to_have_attribute("data-of", table.pad.version)
    phone.go_offline()
    Pad(phone).count(6)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "60"})
    phone.tap("#save")
    phone.sees("Round 6 is saved on this phone.")
    phone.come_back()

    at_result(phone, table)
    assert table.totals() == [0, 365, 360]


def test_a_result_that_is_reopened_leads_back_to_the_pad(
    new_phone: PhoneMaker, database: Database
) -> None:
    table = table_before_the_end(database)
    table.play(6)
    one, two = new_phone("one"), new_phone("two")
    for phone in (one, two):
        phone.open(f"/g/{table.pub}")
        at_result(phone, table)
    one.tap("#more-button")
    one.tap("#reopenings")

    for phone in (one, two):
        expect(phone.page.locator("#board")).to_be_visible(timeout=PATIENCE)


def test_a_page_that_can_neither_share_nor_copy_selects_the_text(
    new_phone: PhoneMaker, database: Database
) -> None:
    table = table_before_the_end(database)
    table.play(6)
    phone = new_phone()
    phone.page.add_init_script(f"{NOT_SECURE}document.execCommand = () => false;")
    phone.open(f"/g/{table.pub}")
    phone.tap("#send")
    expect(phone.page.locator("#send-it")).to_be_hidden()
    expect(phone.page.locator("#message")).to_be_visible()
    expect(phone.page.locator("#copy")).to_have_class("go")
    phone.tap("#copy")
    phone.sees("It’s selected.")
    assert phone.page.evaluate("getSelection().toString()") == table_says(table)


def test_the_picture_says_that_it_is_drawn_and_if_it_failed(
    new_phone: PhoneMaker, database: Database
) -> None:
    table = table_before_the_end(database)
    table.play(6)
    phone = new_phone("picture")
    phone.tolerated = ("status of 503",)
    phone.open(f"/g/{table.pub}/result")
    picture = phone.page.locator("#picture")
    phone.tap("#send")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.page.route("**/result.png", hold)
    phone.tap(picture)
    expect(picture).to_have_attribute("aria-busy", "true")
    expect(picture).to_have_text("Drawing…")
    held.pop().fulfill(status=503)
    expect(picture).to_have_text("No picture. Try again")

    phone.page.unroute("**/result.png")
    with phone.page.expect_download() as got:
        phone.tap(picture)
    assert got.value.suggested_filename == f"laydown-{table.pub}.png"
    expect(picture).to_have_text("Picture")
    expect(picture).not_to_have_attribute("aria-busy", "true")


def test_a_page_that_can_share_sends_the_line(new_phone: PhoneMaker, database: Database) -> None:
    table = table_before_the_end(database)
    table.play(6)
    phone = new_phone()
    phone.page.add_init_script(
        "Object.defineProperty(navigator, 'share',"
        " { value: async ({ text }) => { window.sent = text; } });"
    )
    phone.open(f"/g/{table.pub}")
    phone.tap("#send")
    expect(phone.page.locator("#message")).to_be_hidden()
    phone.tap("#send-it")
    assert phone.page.evaluate("window.sent") == table_says(table)


def table_says(table: Table) -> str:
    assert table.totals() == [0, 360, 360]
    return "Mexican Rummy · Ana 0 · Ben 360 · Cleo 360 · Ana wins ★"


def test_the_result_and_what_is_sent_fit_a_small_phone_in_both_languages(
    new_phone: PhoneMaker, database: Database
) -> None:
    names = ("Grandma Edith", "Maximiliane", "Ñandú Ibáñez y Goicoech", "Bo")
    table = Table(database, names)
    table.play(6)
    for locale in ("en-US", "es-MX"):
        phone = new_phone(locale, locale=locale, viewport={"width": 320, "height": 568})
        phone.open(f"/g/{table.pub}")
        for opens in (None, "#send", "#more-button"):
            if opens:
                phone.tap(opens)
            assert not phone.page.evaluate(TOO_WIDE), (locale, opens)
            assert phone.page.evaluate(SMALL_TARGETS, THUMB) == [], (locale, opens)
            phone.shoot(f"result-{locale}-{(opens or 'page').strip('#')}")
            if opens:
                phone.page.keyboard.press("Escape")


@pytest.mark.parametrize("totals", [(4260, 3865, -1120), (12_500, -12_500, 98_765)])
@pytest.mark.parametrize("width", [320, 360])
def test_a_figure_on_the_podium_is_one_line_within_its_column(
    new_phone: PhoneMaker, database: Database, totals: tuple[int, ...], width: int
) -> None:
    table = Table(database, ("Ana", "Ben", "Cleo"), "500-rum")
    hands = {
        name: f"{share}/0" if share > 0 else f"0/{-share}"
        for name, share in zip(table.ids, totals, strict=True)
    }
    table.save(1, table.typed(1, sure=True, nobody=True, **hands))
    table.tap(taps.finish_game)
    phone = new_phone(viewport={"width": width, "height": 640})
    phone.open(f"/g/{table.pub}")
    figures = phone.page.locator(".podium .fig")
    expect(figures).to_have_count(3)
    for figure in figures.all():
        lines, wide, room = figure.evaluate(INSIDE)
        assert lines == 1
        assert wide <= room
    columns = [
        each.bounding_box() or {"width": 0} for each in phone.page.locator(".podium li").all()
    ]
    assert max(each["width"] for each in columns) - min(each["width"] for each in columns) < 1
