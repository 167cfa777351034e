"""Games of teams on a small phone: who sits where, and the desk with what a team has."""

from collections.abc import Iterable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import Phone, start_game, tap_cards, turn_to
from webapp.ledger.ledger import new_key

FOUR = ("Ana", "Ben", "Cleo", "Dov")

BOXES = """all => all.map((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return [left, top, right, bottom];
})"""
THUMB = 44


def form(names: Iterable[str] = FOUR) -> str:
    """The address of a new game of Canasta with these players."""
    seats = (("seat", f"+{name}") for name in names)
    return f"/games/new?{urlencode([('variant', 'canasta'), ('key', new_key()), *seats])}"


def seated(phone: Phone) -> list[str]:
    """The names round the table, as they sit."""
    names: list[str] = phone.page.locator("#round .nm").evaluate_all(
        "all => all.map(e => e.dataset.whole ?? e.textContent)"
    )
    return names


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_partners_are_chosen_with_taps(new_phone: PhoneMaker, *, scripts: bool) -> None:
    phone = new_phone("seating", own=True, java_script_enabled=scripts)
    phone.open(form())
    teams = phone.page.locator("#teams")
    expect(teams).to_contain_text("Ana and Cleo · Ben and Dov")

    phone.tap("#round li:nth-child(2) button")
    phone.sees("Swap Ben with…")
    phone.shoot("held")
    phone.tap("#round li:nth-child(3) button")
    expect(teams).to_contain_text("Ana and Ben · Cleo and Dov")
    assert seated(phone) == ["Ana", "Cleo", "Ben", "Dov"]

    phone.press("Swap partners")
    expect(teams).to_contain_text("Ana and Dov · Ben and Cleo")
    phone.tap("#round li:nth-child(4) button")
    phone.press("Remove Cleo")
    expect(phone.page.locator("#round")).to_have_count(0)
    phone.page.fill("#name", "Cleo")
    phone.press("Add")
    expect(teams).to_contain_text("Ana and Dov · Ben and Cleo")
    phone.press("Start with 2 teams")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.sees("Ana and Dov")


@pytest.mark.parametrize("width", [320, 360, 1280])
@pytest.mark.parametrize("count", [4, 6])
def test_every_seat_round_the_table_can_be_tapped_with_the_game_in_sight(
    new_phone: PhoneMaker, count: int, width: int
) -> None:
    phone = new_phone("seats", viewport={"width": width, "height": 640})
    phone.open(form((*FOUR, "Eva", "Grandma Edith")[:count]))
    boxes = phone.page.locator("#round button").evaluate_all(BOXES)
    assert len(boxes) == count
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left <= right - THUMB <= width
        assert bottom - top >= THUMB
        for other in boxes[at + 1 :]:
            beside = other[0] >= right - 1 or other[2] <= left + 1
            assert beside or other[1] >= bottom - 1 or other[3] <= top + 1
    chosen, start = (
        phone.page.locator(one).bounding_box() for one in ("#games [aria-current]", "#start")
    )
    assert chosen
    assert start
    assert width < SMALL["width"] or chosen["y"] + chosen["height"] <= start["y"]


def test_a_team_lays_down_adds_takes_the_pile_and_goes_out(phone: Phone) -> None:
    game = start_game(phone, FOUR, "Canasta")
    phone.name = "teams"
    verdict, page = phone.page.locator(".verdict"), phone.page

    phone.press("Referee")
    phone.tap(phone.page.locator(".plays > a").first)
    tap_cards(phone, "K K K A A A")
    expect(verdict).to_contain_text("Legal")
    phone.tap("#record")
    expect(page.locator("#board")).to_be_visible()

    # Her partner adds to what she laid, and begins a meld.
    phone.press("Referee")
    phone.tap(phone.page.locator(".plays > a").first)
    phone.tap("#who-button")
    phone.tap(page.locator("#who").get_by_role("link", name="Cleo"))
    expect(page.locator("#own-1")).to_have_value("K K K")
    turn_to(phone, "add-1")
    tap_cards(phone, "K")
    expect(verdict).to_contain_text("Legal")
    phone.shoot("added")
    phone.tap("#record")
    expect(page.locator("#board")).to_be_visible()

    # The others have nothing, so the pile takes a pair of the hand, and first melds enough.
    phone.open(f"{game}/desk?ask=pickup")
    phone.tap("#who-button")
    phone.tap(page.locator("#who").get_by_role("link", name="Ben"))
    expect(page.locator("#own-1")).to_have_value("")
    turn_to(phone, "pile")
    tap_cards(phone, "5 Q")
    turn_to(phone, "meld-1")
    tap_cards(phone, "Q Q")
    phone.tap("#joker")
    expect(verdict).to_contain_text("Not legal")
    phone.tap("#take-back")
    tap_cards(phone, "Q")
    turn_to(phone, "meld-2")
    tap_cards(phone, "10 10 10")
    expect(verdict).to_contain_text("Legal")
    phone.shoot("pile")

    # Nobody goes out without a canasta.
    phone.open(f"{game}/desk?own-1=KS+KH+KD+KC&meld-1=4S+4H+4D")
    expect(verdict).to_contain_text("Legal")
    phone.tap("#rare > summary")
    phone.tap("#goes-out")
    expect(verdict).to_contain_text("Not legal")
    expect(verdict).to_contain_text("canasta")
    phone.shoot("out")


def test_a_row_of_the_team_brings_the_next_with_what_is_added_below_it(phone: Phone) -> None:
    phone.open("/desk/canasta")
    expect(phone.page.locator("#add-1")).to_be_hidden()
    turn_to(phone, "own-1")
    tap_cards(phone, "9 9 9")
    turn_to(phone, "own-2")
    tap_cards(phone, "J J J")
    expect(phone.page.locator("#own-3")).to_have_value("")
    turn_to(phone, "add-2")
    tap_cards(phone, "J")
    expect(phone.page.locator(".verdict")).to_contain_text("Legal")
    phone.tap("[data-adds='JK']")
    # Delete takes away the card that is picked, not the last.
    phone.tap("[data-slot='add-2'] .card >> nth=0")
    phone.tap("#take-back")
    expect(phone.page.locator("#add-2")).to_have_value("JK")
    # What a team has stays when something else is asked.
    phone.tap("#what-button")
    phone.tap(phone.page.locator("#what").get_by_role("link", name="Take the pile"))
    expect(phone.page.locator("#own-2")).to_have_value("J J J")


def test_a_foot_is_picked_up_instead_of_going_out(phone: Phone) -> None:
    start_game(phone, FOUR, "Hand and Foot")
    phone.press("Referee")
    phone.tap(phone.page.locator(".plays > a").first)
    tap_cards(phone, "K K K A A A")
    phone.tap("#rare > summary")
    phone.tap("#goes-out")
    expect(phone.page.locator(".verdict")).to_contain_text("Not legal")
    phone.tap("#untaken")
    expect(phone.page.locator(".verdict")).to_contain_text("Legal")
    phone.shoot("foot")
