"""A game made on a phone with scripts: told as it is typed, complained of, saved, and played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.phone import Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_game_is_told_as_it_is_typed_and_saved(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/games/own/new?from=carioca")
    page.fill("[name=name]", "Tarot rummy")
    page.fill("[name='deal.cards']", "80")
    page.press("[name='deal.cards']", "Tab")
    page.wait_for_selector("#told >> text=deal.cards")
    page.click("#next")
    page.wait_for_selector(".ask [role=alert]")
    page.fill("[name='deal.cards']", "13")
    page.click("#next")
    page.wait_for_selector("text=What is a meld?")
    page.uncheck("[name=has][value=run]")
    page.wait_for_selector("#told >> text=To put right")
    assert not page.is_visible("[name='run.min']")
    page.check("[name=has][value=run]")
    page.wait_for_selector("#told >> text=This can be played")
    page.click("#page-look")
    page.wait_for_selector("#told >> text=Thirteen cards each")
    page.click("#save")
    page.click("text=Play it")
    page.wait_for_selector("#games [aria-current] >> text=Tarot rummy")
