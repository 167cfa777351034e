"""A second tap before the first is answered: another thing is kept, the same one counts once."""

import re
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Phone, begin, held, start_game

NAMES = ("Ana", "Ben", "Cleo")

NAMES_LEFT = """store('getAll').then(
  (items) => items.map(({ body }) => new URLSearchParams(body).get('name')))"""
"""The names that were refused, and that nobody has decided on yet."""

MEANT = 600
"""Milliseconds after which a tap on the turn clock is meant for the turn that is shown."""


@pytest.fixture
def phone(new_phone: PhoneMaker) -> Phone:
    return new_phone("quick")


def hold(page: Page, method: str, path: str) -> Callable[[], None]:
    """Let no answer come to what goes to a path; gives how to let them all through."""
    waiting: list[Route] = []
    are_let_through = False

    def on(route: Route) -> None:
        if are_let_through or route.request.method != method:
            route.fallback()
        else:
            waiting.append(route)

    def let_go() -> None:
        # First, as another request may come while those that wait are sent on their way. Taking
        # the route away instead would lose one that the browser has announced and nobody has seen.
        nonlocal are_let_through
        are_let_through = True
        for route in waiting:
            route.fallback()

    page.route(path, on)
    return let_go


def all_sent(phone: Phone) -> None:
    """Wait until everything is answered, whatever page the phone is on by then.

    What was refused can stay, and is shown until somebody looks at it.
    """
    answered = "store('getAll').then((items) => items.every(({ why }) => why))"
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with suppress(Error):  # between two pages there is no such function
            if phone.page.evaluate(answered):
                return
        phone.page.wait_for_timeout(50)
    pytest.fail("Something is still waiting in the phone.")


def names_on_the_form(phone: Phone) -> list[str]:
    """Who sits at the table of the form for a new game."""
    return phone.page.locator("#seated li > b").all_inner_texts()


def test_players_that_are_added_quickly_all_sit_down(phone: Phone) -> None:
    begin(phone.url, NAMES)
    phone.open("/games/new?variant=mexican-rummy&key=shown")
    let_go = hold(phone.page, "GET", "**/games/new?*")
    for name in ("Cleo", "Cleo", "Ana", "Ben", "Ana"):
        phone.press(f"Add {name}")
    let_go()

    expect(phone.page.locator("#start")).to_contain_text("with 3 players")
    assert names_on_the_form(phone) == ["Cleo", "Ana", "Ben"]


def test_a_game_starts_with_whoever_was_added_a_moment_before(phone: Phone) -> None:
    begin(phone.url, NAMES)
    phone.open("/games/new?variant=mexican-rummy&key=shown")
    for name in ("Ana", "Ben"):
        phone.press(f"Add {name}")
        expect(phone.page.locator("#seated li > b").last).to_have_text(name)
    let_go = hold(phone.page, "GET", "**/games/new?*")
    phone.press("Add Cleo")
    phone.tap("#start")
    let_go()

    expect(phone.page.locator(".pad em")).to_have_text(["Ana", "Ben", "Cleo"])


def test_what_is_tapped_after_a_question_that_was_lost_is_not_tapped_later(phone: Phone) -> None:
    phone.tolerated = ("Failed to load resource", "Failed to fetch")
    begin(phone.url, NAMES)
    phone.open("/games/new?variant=mexican-rummy&key=shown")
    asked = held(phone.page, "**/games/new?*")
    phone.press("Add Ana")
    phone.press("Add Ben")
    asked[0].abort()
    expect(phone.page.locator("#said")).to_be_empty()
    phone.page.unroute("**/games/new?*")

    phone.press("Add Cleo")
    expect(phone.page.locator("#seated li > b")).to_have_text(["Cleo"])


def test_names_that_are_added_quickly_are_all_on_the_roster(phone: Phone) -> None:
    phone.open("/players")
    let_go = hold(phone.page, "POST", "**/players")
    for name in ("Quill", "Rosa", "Rosa"):
        phone.page.fill("#new-name", name)
        phone.tap("#add")
    let_go()

    all_sent(phone)
    phone.open("/players")
    for name in ("Quill", "Rosa"):
        row = phone.page.locator(".list summary b").get_by_text(name, exact=True)
        expect(row).to_have_count(1)
    # The second Rosa was refused. If the page changed before, that waits for somebody to read it.
    assert phone.page.evaluate(NAMES_LEFT) in ([], ["Rosa"])


def test_notes_are_taken_back_one_by_one(phone: Phone) -> None:
    game = start_game(phone, NAMES)
    phone.tap("#takes summary")
    for name in NAMES:
        phone.press(f"May I, {name}")
        expect(phone.page.get_by_role("button", name=f"May I, {name}: 1 so far")).to_be_visible()
    phone.open(f"{game}/notes")
    let_go = hold(phone.page, "POST", f"**{game}/notes/*/voids")
    for number in (0, 0, 1):
        phone.tap(phone.page.locator(".list li button").nth(number))
    let_go()

    all_sent(phone)
    phone.open(f"{game}/notes")
    expect(phone.page.locator(".list li")).to_have_count(1)


def running_clock(phone: Phone) -> str:
    """Begin Ana's turn, a while ago, and show its clock; gives the clock's path."""
    clock = f"{begin(phone.url, NAMES, 'Rummikub')}/clock"
    phone.open(clock)
    phone.tap("#resume")
    expect(phone.page.locator("#pause")).to_be_visible()
    phone.page.wait_for_timeout(MEANT)
    return clock


def test_half_a_minute_more_and_then_done_ends_the_turn(phone: Phone) -> None:
    clock = running_clock(phone)
    let_go = hold(phone.page, "POST", f"**{clock}")
    phone.tap("#extend")
    phone.tap("#pass")
    let_go()

    phone.heading("Ben")


def test_done_and_then_half_a_minute_more_is_for_the_next_player(phone: Phone) -> None:
    clock = running_clock(phone)
    let_go = hold(phone.page, "POST", f"**{clock}")
    phone.tap("#pass")
    phone.tap("#extend")
    let_go()

    phone.heading("Ben")
    expect(phone.page.locator("#time")).to_have_text(re.compile("1:(30|2.)"))


@pytest.mark.parametrize("shown", [False, True], ids=["with the answer", "by then"])
def test_a_done_that_waits_does_not_end_the_turn_of_somebody_else(
    phone: Phone, new_phone: PhoneMaker, shown: bool
) -> None:
    clock = running_clock(phone)
    other = new_phone("other")
    other.open(clock)
    taps, looks = held(phone.page, f"**{clock}"), held(phone.page, f"**{clock}/face")
    phone.tap("#extend")
    phone.tap("#pass")
    other.tap("#pass")
    other.heading("Ben")
    if shown:
        phone.page.unroute(f"**{clock}/face")
        for route in looks:
            route.continue_()
        phone.heading("Ben")
        phone.page.wait_for_timeout(MEANT)
    taps[0].continue_()

    phone.heading("Ben")
    phone.page.wait_for_timeout(MEANT)
    assert len(taps) == 1
