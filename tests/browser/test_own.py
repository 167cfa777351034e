"""Rules changed on a phone by tapping their sentences: in how few taps, and what comes of it."""

import pytest
from playwright.sync_api import expect

from tests.browser.phone import Phone
from webapp.db import Database
from webapp.services import own

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PEOPLE = "seat=%2BAna&seat=%2BBen&seat=%2BCleo&key=shown"


def new_game(phone: Phone, variant: str) -> None:
    phone.open(f"/games/new?variant={variant}&{PEOPLE}")
    phone.taps = 0
    phone.tap("#house-rules")
    expect(phone.page.locator("#rulebook")).to_be_visible()


def open_rule(phone: Phone, path: str, name: str) -> None:
    phone.tap(f"#r-{name}")
    expect(phone.page.locator(f"[data-path='{path}']")).to_be_visible()


def in_control(phone: Phone, path: str, label: str) -> None:
    found = phone.page.locator(f"[data-path='{path}']").get_by_text(label, exact=True)
    phone.tap(found.first)
    expect(phone.page.locator("#rulebook.htmx-request")).to_have_count(0)


def value_of(database: Database, name: str) -> object:
    shelf = database.read(own.read_shelf)
    return next(game for game in shelf.games if game.name == name)


def test_an_ace_counts_20_in_this_game_only(phone: Phone) -> None:
    new_game(phone, "mexican-rummy")
    open_rule(phone, "score.hand", "values")
    row = phone.page.locator("[data-path='score.hand'] .row").filter(has_text="A").last
    phone.tap(row.get_by_role("button", name="20", exact=True))
    expect(phone.page.locator("#done")).to_contain_text("1 change")
    phone.tap("#done")
    phone.tap("#this-game")
    expect(phone.page.locator("#changes ins")).to_contain_text("20")
    assert phone.taps <= 5
    expect(phone.page.locator("#seated li > b")).to_have_count(3)
    phone.tap("#start")
    phone.press("Rules")
    phone.sees("A 20")


def test_jokers_wild_everywhere_and_12_cards_saved(phone: Phone, database: Database) -> None:
    new_game(phone, "mexican-rummy")
    open_rule(phone, "wild.cards", "black-2")
    in_control(phone, "wild.cards", "Joker")
    expect(phone.page.locator("#changes")).to_contain_text("This comes with it")
    in_control(phone, "wild.in", "Sets")
    expect(phone.page.locator("#done")).to_contain_text("2 changes")
    in_control(phone, "wild.when", "They’re wild in every round.")
    expect(phone.page.locator("#done")).to_contain_text("3 changes")
    open_rule(phone, "deal.cards", "deal")
    in_control(phone, "deal.cards", "12")
    expect(phone.page.locator("#done")).to_contain_text("4 changes")
    phone.tap("#done")
    phone.tap("#save")
    phone.sees("Our Mexican Rummy")
    assert phone.taps <= 10
    game = value_of(database, "Our Mexican Rummy")
    assert (game.hand_size, game.wild_steps) == (12, None)  # type: ignore[attr-defined]


def test_our_family_s_rummy(phone: Phone, database: Database) -> None:
    """7 cards, sets and runs of 3, 2s wild, the first to 100 loses."""
    new_game(phone, "rummy")
    open_rule(phone, "deal.cards", "deal")
    phone.tap("[data-path='deal.cards'] summary")
    in_control(phone, "deal.cards", "The same for all")
    in_control(phone, "deal.cards", "7")
    expect(phone.page.locator("[data-path='deal.cards'] input[name='typed']")).to_have_value("7")
    phone.tap("details:has(#add-wild) summary")
    phone.tap("#add-wild")
    in_control(phone, "wild.cards", "2")
    expect(phone.page.get_by_text("Which 2s?")).to_be_visible()
    in_control(phone, "wild.cards", "Joker")
    expect(phone.page.locator("[data-path='wild.cards'] .key").last).to_have_attribute(
        "aria-pressed", "false"
    )
    open_rule(phone, "score.settle", "settle")
    phone.tap("[data-path='score.settle'] .pick >> nth=0")
    expect(phone.page.locator("#changes li")).to_have_count(3)
    phone.tap("#done")
    phone.tap("#save")
    phone.sees("Our Rummy")
    assert phone.taps <= 16
    game = value_of(database, "Our Rummy")
    assert game.hand_size == 7  # type: ignore[attr-defined]
    assert {card.rank for card in game.wilds.cards} == {2}  # type: ignore[attr-defined]


def test_a_clash_is_shown_under_its_rule_with_two_ways_out(phone: Phone) -> None:
    phone.open("/rules/phase-10/change")
    open_rule(phone, "deal.cards", "deal")
    field = phone.page.locator("[data-path='deal.cards'] input[name='typed']")
    field.fill("7")
    field.press("Enter")
    clash = phone.page.get_by_role("alert")
    expect(clash).to_be_in_viewport()
    expect(phone.page.locator("#done")).to_have_text("Fix it: 1 rule conflicts")
    ways = clash.locator("a")
    assert ways.count() >= 2
    phone.tap(ways.last)
    expect(phone.page.locator("#done")).to_have_text("Done")
    phone.page.reload()
    expect(phone.page.locator("#rulebook")).to_be_visible()
