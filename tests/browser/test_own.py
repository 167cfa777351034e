"""A game made on a phone with scripts: told as it is typed, complained of, saved, and played."""

from collections.abc import Mapping

import pytest
from playwright.sync_api import Page

from referee.describing import build
from tests import described
from tests.browser.phone import Phone
from tests.fuzz import answers
from webapp.db import Database
from webapp.services import own

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_game_is_told_as_it_is_typed_and_saved(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/games/own/new?from=carioca")
    page.fill("[name=name]", "Tarot rummy")
    page.fill("[name='deal.cards']", "80")
    page.press("[name='deal.cards']", "Tab")
    page.wait_for_selector("#told >> text=How many cards are dealt to each: “80” is no number")
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


FAR_HOUSE: dict[str, dict[str, str | bool | tuple[str, ...]]] = {
    "melds": {
        "name": "Far house rummy",
        "fewest": "3",
        "deal.cards": "11",
        "deal.upcard": False,
        "deal.direction=right": True,
    },
    "wilds": {"set.suits=different": True, "run.min": "4", "run.around=true": True},
    "down": {
        "wild.cards": "JK, 2",
        "wild.naturals": "2",
        "wild.outnumber": True,
        "wild.adjacent=false": True,
    },
    "down again": {
        "way=contract": True,
        "contract.pace=alone-all-move": True,
        "contract.same-rank-sets=false": True,
        "step.1.contract": "2 sets of 3",
        "step.2.contract": "1 set of 3 + 1 run of 4",
    },
    "table": {
        "step.3.contract": "2 runs of 4",
        "step.3.deal": "12",
        "step.4.contract": "3 sets of 3",
        "step.4.deal": "12",
        "step.4.discard": True,
    },
    "score": {
        "layoff.when=later": True,
        "has=swap": True,
        "swap.who=anyone": True,
        "has=buy": True,
        "buy.extra": "2",
        "buy.limit": "3",
        "buy.down": True,
    },
    "end": {
        "out.discard=must": True,
        "out.dry=true": True,
        "score.hand:name": ("3-10", "J-K", "A", "2", "spades Q", "JK"),
        "score.hand:number": ("face", "10", "15", "25", "40", "50"),
        "score.cap": "150",
    },
    "house": {"ends=end.rounds": True, "end.rounds": "8"},
}
"""What is typed and tapped on the way to each page of the form."""


def fill(page: Page, typed: Mapping[str, str | bool | tuple[str, ...]]) -> None:
    for field, value in typed.items():
        name, _, of = field.partition("=")
        found = page.locator(f"[name='{name}']" + (f"[value='{of}']" if of else ""))
        if isinstance(value, bool):
            found.set_checked(value)
        elif isinstance(value, str):
            found.fill(value)
        else:
            for at, each in enumerate(value):
                found.nth(at).fill(each)


def add_rule(page: Page, title: str, offer: str) -> None:
    page.fill("#new-title", title)
    page.select_option("#offer", offer)
    page.click("#add-rule")
    page.wait_for_selector("#asks")


def test_rummy_of_the_most_surprising_house_rules_is_ruled_as_it_is_written(
    phone: Phone, database: Database
) -> None:
    """Made on the phone, page by page; the same in a file of forty lines."""
    page = phone.page
    page.goto(f"{phone.url}/games/own/new")
    for to, typed in FAR_HOUSE.items():
        fill(page, typed)
        page.click("#another-round" if to == "down again" else "#next")
        page.wait_for_selector(
            "[name='step.3.contract']" if to == "down again" else f"#page-{to}[aria-current]"
        )
    add_rule(page, "Corner", "run.around")
    page.click("#next")
    add_rule(page, "Rounds", "end.rounds")
    page.click("#next")
    add_rule(page, "Wilds", "choices")
    fill(page, {"choice.0": "Both", "choice.1": "Jokers"})
    page.click("#another")
    for path in ("wild.cards", "wild.adjacent"):
        page.select_option("[name='choice.1.field']", path)
        page.click("[value='set'] >> nth=-1")
        page.wait_for_selector(f"[name='choice.1:{path}']")
    fill(page, {"choice.1:wild.cards": "JK"})
    page.click("#next")
    page.wait_for_selector("#add-rule")
    page.click("#next")
    page.click("#save")
    page.click("text=Play it")

    slug = next(slug for slug, _ in reversed(database.read(own.read_shelf).own.items()))
    made = database.read(own.find_game, slug)
    text = described.FAR_HOUSE.read_text(encoding="utf-8")
    written = build(described.rules_of(described.FAR_HOUSE) | {"slug": slug})
    assert len(text.splitlines()) <= 40
    assert made.form == written.form
    for chosen in ({}, {"corner": False}, {"wilds": "jokers", "rounds": 5}):
        one, other = (game.with_options(chosen) for game in (made, written))
        assert one.form == other.form
        asked = answers(one, 210)
        assert asked == answers(other, 210)
        assert {legal for _, _, legal, *_ in asked} == {True, False}
    assert phone.wrong == []
