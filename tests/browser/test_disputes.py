"""An argument at the table, kept with the game."""

import re

from playwright.sync_api import expect

from tests.browser.phone import Phone, lay, start_game


def test_a_dispute_is_logged_and_found_on_the_sheet(phone: Phone) -> None:
    phone.name = "dispute"
    game = start_game(phone, ("Ana", "Ben"))
    phone.press("Referee")
    phone.tap("#who-button")
    phone.press("Ben")
    lay(phone, ("7C 7D 8H", "KC KD"))
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")

    phone.press("Why?")
    phone.tap("#dispute summary")
    phone.tap("#overruled")
    phone.page.fill("#note", "we always allow that")
    # One more card, and another ruling: what is written here stays.
    phone.page.keyboard.press("Escape")
    for key in ("suit-H", "rank-K"):
        phone.tap(f"#{key}")
    expect(phone.page.locator("#ruling .address-of")).to_have_attribute("href", re.compile("KH"))
    expect(phone.page.locator("#note")).to_have_value("we always allow that")
    expect(phone.page.locator("#overruled")).to_be_checked()
    phone.shoot("logging")
    phone.press("Why?")
    phone.tap("#log")
    expect(phone.page.locator("#board")).to_be_visible()

    phone.open(f"{game}/sheet")
    phone.sees("Ben, round 1: not legal")
    phone.sees("Table overruled it")
    phone.shoot("sheet")
    phone.press("Ben, round 1: not legal", exact=False)
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")
    phone.shoot("again")
