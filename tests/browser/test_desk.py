"""The desk of the games with jokers and tiles: by taps alone, on a small phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.phone import Phone, lay, start_game, tap_cards, turn_to


def test_a_turn_at_the_table_of_tiles(phone: Phone) -> None:
    phone.name = "rummikub"
    phone.open("/desk/rummikub")
    lay(phone, ("R7 B7 K7", "B4 B5 B6 B7"))
    expect(phone.page.locator("#after-2")).to_have_value("B4 B5 B6 B7")
    expect(phone.page.locator("#before-3")).to_have_value("")

    turn_to(phone, "after-3")
    tap_cards(phone, "R4 K4")
    # The blue four is picked up and put with the other fours.
    phone.tap("[data-slot='after-2'] .card >> nth=0")
    phone.shoot("picked")
    turn_to(phone, "after-3")
    expect(phone.page.locator("#after-3")).to_have_value("R4 K4 B4")
    expect(phone.page.locator("#after-2")).to_have_value("B5 B6 B7")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("legal")

    phone.tap("[data-slot='after-2'] .card >> nth=0")
    phone.tap("[data-by='0']")
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")
    # Why is said where the thumb is, before anything is scrolled.
    expect(phone.page.locator(".verdict")).to_contain_text("stays there")
    phone.shoot("illegal")
    phone.press("Why?")
    expect(phone.page.locator("#why")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "laid", "better"),
    [
        ("rummikub", "R12 R13 JK", "JK R12 R13"),
        ("remigio", "KS AS JK", "JK KS AS"),
        ("rummy-500", "KS AS JK", "JK KS AS"),
    ],
)
def test_a_hint_is_one_tap(phone: Phone, game: str, laid: str, better: str) -> None:
    phone.open(f"/desk/{game}?ask=meld")
    tap_cards(phone, laid)
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")
    phone.tap("#hint-1")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    expect(phone.page.locator("#cards")).to_have_value(better)
    expect(phone.page.locator(".card[data-wild]")).to_have_count(1)
    phone.name = game
    phone.shoot("hint")


def test_a_phase_in_which_the_order_says_nothing(phone: Phone) -> None:
    phone.name = "eleven-phases"
    phone.open("/desk/eleven-phases?ask=meld")
    for rank in "635":
        phone.tap(f"#rank-{rank}")
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")
    # Without wilds no other order could help, so there is no hint: a card is missing.
    expect(phone.page.locator("#hint-1")).to_have_count(0)
    phone.shoot("illegal")
    phone.tap("#rank-4")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("legal")


def test_closing_a_hand(phone: Phone) -> None:
    phone.name = "remigio"
    phone.open("/desk/remigio?ask=close")
    tap_cards(phone, "AH 2H 3H 4H 7C 7D 7S KS KH KD")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("closed")
    phone.tap("#take-back")
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")


def test_laying_down_and_taking_from_the_pile(phone: Phone) -> None:
    phone.name = "rummy-500"
    phone.open("/desk/rummy-500")
    lay(phone, ("4D 5D 6D",))
    expect(phone.page.locator("#meld-2")).to_have_count(1)
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.tap("#take-back")
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")

    phone.open("/desk/rummy-500?ask=pickup")
    tap_cards(phone, "9C 7H 4S")
    phone.tap("[data-slot='pile'] .card >> nth=1")
    phone.press("Take it")
    expect(phone.page.locator("#take")).to_have_value("7H")
    phone.tap("[data-slot='meld-1'] input")
    tap_cards(phone, "7H 7S 7D")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("pile")


def test_what_is_true_of_one_player_is_not_said_of_the_next(phone: Phone) -> None:
    start_game(phone, ("Ana", "Ben"), "Rummy 500")
    phone.press("Referee")
    lay(phone, ("7C 7D 7H",))
    phone.tap("#record")
    phone.sees("15 down")
    phone.press("Referee")
    expect(phone.page.locator("#later")).to_be_checked()

    # A first lay has two naturals: Ben's cards come along to him, that Ana has laid does not.
    lay(phone, ("9C 2S JK",))
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.press("Ben")

    expect(phone.page.locator("#meld-1")).to_have_value("9C 2S JK")
    expect(phone.page.locator("#later")).not_to_be_checked()
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")
