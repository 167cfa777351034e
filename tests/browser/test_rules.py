"""The rules of a game in a browser: read with large letters, with a screen reader, on paper."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker

pytestmark = pytest.mark.browser

LONGEST = ("canasta", "rummikub")
"""Those with most rules, of cards and of tiles."""
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"
TWICE = "document.documentElement.style.fontSize = '200%'"


def test_the_rules_are_read_by_everybody(new_phone: PhoneMaker) -> None:
    phone = new_phone("rules", own=True)
    for slug in LONGEST:
        phone.open(f"/rules/{slug}")
        phone.page.evaluate(UNFOLD)

        assert Axe().run(phone.page).response["violations"] == [], slug


def test_the_rules_fit_a_narrow_phone_with_large_letters(new_phone: PhoneMaker) -> None:
    phone = new_phone("rules", own=True)
    phone.page.set_viewport_size({"width": 320, "height": 568})
    for slug in LONGEST:
        phone.open(f"/rules/{slug}")
        phone.page.evaluate(TWICE)

        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320, slug


def test_rules_are_changed_by_everybody_and_with_large_letters(new_phone: PhoneMaker) -> None:
    phone = new_phone("rules", own=True)
    lines = {"liverpool-rummy": "contracts", "rummy-500": "wild", "gin-rummy": "knock"}
    for slug, line in lines.items():
        phone.page.set_viewport_size({"width": 360, "height": 640})
        phone.open(f"/rules/{slug}/change")
        phone.page.locator(f"#g-{line}").click()
        expect(phone.page.locator("#open")).to_be_in_viewport()
        if line == "contracts":
            phone.page.locator("#f-steps-r3").click()
            expect(phone.page.locator(".round")).to_be_visible()
            phone.page.locator("#drop-g-swap").click()
            expect(phone.page.locator("#undo-g-swap")).to_be_visible()
            phone.page.locator(f"#g-{line}").click()
        phone.page.evaluate(UNFOLD)

        assert Axe().run(phone.page).response["violations"] == [], slug
        phone.page.set_viewport_size({"width": 320, "height": 568})
        phone.page.evaluate(TWICE)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320, slug


def test_the_contents_of_a_rulebook_are_a_sheet_that_makes_way(new_phone: PhoneMaker) -> None:
    phone = new_phone("rules")
    phone.open("/rules/mexican-rummy")
    phone.tap("#to-contents")
    phone.tap("#contents a >> text=Scoring")

    expect(phone.page.locator("#contents")).to_be_hidden()
    expect(phone.page.locator("#c-scoring")).to_be_in_viewport()
    expect(phone.page.locator("#contents [aria-current]")).to_have_text("Scoring")


def test_the_rules_of_a_game_are_printed_on_two_sheets(new_phone: PhoneMaker) -> None:
    phone = new_phone("rules", own=True)
    for slug in LONGEST:
        phone.open(f"/rules/{slug}")
        printed = phone.page.pdf(format="A4")

        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2, slug
