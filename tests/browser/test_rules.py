"""The rules of a game in a browser: read with large letters, with a screen reader, on paper."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import PhoneMaker

pytestmark = pytest.mark.browser

LONGEST = ("mexican-rummy", "rummikub", "rummy-500", "phase-10")
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


def test_the_rules_of_a_game_are_printed_on_two_sheets(new_phone: PhoneMaker) -> None:
    phone = new_phone("rules", own=True)
    for slug in LONGEST:
        phone.open(f"/rules/{slug}")
        printed = phone.page.pdf(format="A4")

        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2, slug
