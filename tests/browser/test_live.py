"""Several phones at one table: what one saves the others see, and nothing typed is lost."""

import re
from collections.abc import Callable
from itertools import pairwise

from playwright.sync_api import APIResponse, Locator, Route, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import (
    PATIENCE,
    TURNED,
    Counting,
    Pad,
    Phone,
    asked,
    held,
    start_count,
    start_game,
)
from tests.webapp.table import Table
from webapp.db import Database
from webapp.pages.scorepad import commands as taps

NAMES = ("Ana", "Ben", "Cleo")
SOON = 3_000
STRETCH = """
const sheet = new CSSStyleSheet();
sheet.replaceSync('* { animation-duration: 3600s !important; }');
document.adoptedStyleSheets = [sheet];
"""
"""A button that has just come lies still until REST."""

REST = "document.getAnimations().forEach((each) => each.finish())"
"""What is shown has been there for long."""

HIDE = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => %s})"


def wait_for(phone: Phone, routes: list[Route], count: int = 1) -> Route:
    """Wait until so much is held, and give the last of it."""
    for _ in range(50):
        if len(routes) < count:
            phone.page.wait_for_timeout(50)
    return routes[count - 1]


def test_a_saved_round_is_seen_within_three_seconds(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_game(one, NAMES)
    two.open(game)
    answers: list[int] = []
    two.page.on(
        "response",
        lambda answer: answers.append(answer.status) if answer.url.endswith("/board") else None,
    )
    while len(answers) < 2:
        two.page.wait_for_timeout(100)
    assert set(answers) == {304}
    # What is saved just after it asked is seen when it asks again.
    assert min(later - one for one, later in pairwise(asked(two, "/board"))) < SOON
    two.page.evaluate("document.querySelector('#desk').focus()")

    Pad(one).count(1)
    Counting(one).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(one).save()
    expect(Pad(two).total("Ben")).to_contain_text("65", timeout=PATIENCE)

    assert two.page.evaluate("document.activeElement.id") == "desk"


def test_what_is_typed_is_never_swapped_away(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_game(one, NAMES)
    two.open(game)
    Pad(two).count(1)
    Counting(two).out("Ana")
    Counting(two).type("6")

    one.tap(Pad(one).cell(1, "Cleo").locator("a"))
    Counting(one).type("35")
    one.tap("#part")

    ben = Counting(two).hand("Ben").locator("[name^='left']")
    cleo = Counting(two).hand("Cleo").locator("[name^='left']")
    expect(cleo).to_have_value("35", timeout=PATIENCE)
    expect(ben).to_have_value("6")
    expect(ben).to_be_focused()
    Counting(two).type("5")
    Counting(two).save()
    Pad(one).shows({"Ana": 0, "Ben": 65, "Cleo": 35})


def test_a_hidden_page_asks_nothing_and_catches_up(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_game(one, NAMES)
    two.open(game)
    two.page.evaluate(HIDE % "true")
    two.page.wait_for_timeout(300)
    questions: list[str] = []
    two.page.on(
        "request", lambda request: questions.append(request.url) if "/board" in request.url else 0
    )
    Pad(one).count(1)
    Counting(one).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(one).save()
    two.page.wait_for_timeout(2500)
    assert questions == []

    two.page.evaluate(HIDE % "false")
    shown = two.page.evaluate(TURNED)
    expect(Pad(two).total("Ben")).to_contain_text("65", timeout=PATIENCE)
    assert min(at - shown for at in asked(two, "/board") if at >= shown) < 500


def test_an_answer_from_before_the_line_broke_says_nothing_of_now(new_phone: PhoneMaker) -> None:
    phone = new_phone()
    start_game(phone, NAMES)
    phone.tolerated = (
        "ERR_INTERNET_DISCONNECTED",
        "ERR_FAILED",
        "Failed to fetch",
        "status of 400",
    )
    Pad(phone).count(1)
    looks = held(phone.page, "**/rounds/1")
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35"})
    wait_for(phone, looks)
    phone.go_offline()
    ours = {"Cross-Origin-Resource-Policy": "same-origin"}
    looks.pop(0).fulfill(status=400, headers=ours)
    phone.page.wait_for_timeout(300)
    phone.tap("#save")

    expect(phone.page.locator("#board .top p")).to_contain_text("Offline")
    expect(phone.page.locator(".done")).to_contain_text("Round 1 is saved on this phone.")
    # Unrouting answers what is still held, and nothing can be answered twice. What is asked in
    # between would be held for good, so from here on every request fails at once.
    phone.page.route("**/rounds/1", lambda route: route.abort())
    for route in looks:
        route.abort()
    phone.page.unroute("**/rounds/1")
    phone.come_back()
    Pad(phone).shows({"Ana": 0, "Ben": 65, "Cleo": 35})


def test_an_answer_about_the_last_round_does_not_close_the_next(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_game(one, NAMES)
    two.open(game)
    Pad(two).count(1)
    looks = held(two.page, "**/rounds/1")
    look = wait_for(two, looks)
    two.press("Scores")
    Pad(one).count(1)
    Counting(one).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(one).save()
    carried = two.page.locator("#carried")
    expect(carried).to_have_attribute("data-of", re.compile(r"2\."), timeout=PATIENCE)
    Pad(two).count(2)
    count = two.page.locator("#count[action$='/rounds/2']")
    expect(count).to_be_visible()

    with two.page.expect_response("**/rounds/1"):
        look.continue_()
    two.page.wait_for_timeout(300)
    expect(count).to_be_visible()
    expect(two.page.locator("#tell")).to_have_text("Still need Ana, Ben, Cleo")


def test_a_phone_that_saves_a_round_does_not_read_that_another_closed_it(
    new_phone: PhoneMaker,
) -> None:
    phone = new_phone()
    start_game(phone, NAMES)
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35"})
    kept: dict[str, list[Route]] = {"GET": [], "POST": []}
    phone.page.route(
        re.compile(r"/rounds/1$"), lambda route: kept[route.request.method].append(route)
    )
    look = wait_for(phone, kept["GET"])
    phone.tap("#save")
    save = wait_for(phone, kept["POST"])
    saved = save.fetch()
    with phone.page.expect_response(re.compile(r"/rounds/1$")):
        look.continue_()
    phone.page.wait_for_timeout(300)
    expect(phone.page.locator("#count")).to_be_visible()
    expect(phone.page.locator("#tell")).not_to_contain_text("another phone")

    save.fulfill(response=saved)
    phone.page.unroute(re.compile(r"/rounds/1$"))
    Pad(phone).shows({"Ana": 0, "Ben": 65, "Cleo": 35})


def test_a_phone_that_counts_leaves_the_round_when_another_ends_the_game(
    new_phone: PhoneMaker, database: Database
) -> None:
    phone, table = new_phone(), Table(database, NAMES)
    table.play(1)
    phone.open(f"/g/{table.pub}")
    Pad(phone).count(2)
    expect(phone.page.locator("#tell")).to_contain_text("Still need")
    table.tap(taps.finish_game)

    expect(phone.page.locator("#outcome")).to_be_visible()
    phone.sees("wins")


def test_the_second_tap_of_two_presses_no_button_that_has_just_come(new_phone: PhoneMaker) -> None:
    phone = new_phone()
    phone.page.add_init_script(STRETCH)
    start_count(phone, NAMES)
    phone.page.evaluate(REST)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35"})
    again = _tap(phone, "#save")
    expect(phone.page.locator("#count-round")).to_have_text("Score round 2")
    again()
    phone.page.wait_for_timeout(300)
    expect(phone.page.locator("#count-round")).to_have_text("Score round 2")


def _tap(phone: Phone, what: str) -> Callable[[], None]:
    """Tap something; answers what taps once more at the same place, whatever is there then."""
    phone.page.evaluate(REST)
    place = _place(phone, what)
    while True:  # until it has come to rest
        phone.page.wait_for_timeout(200)
        before, place = place, _place(phone, what)
        if place == before:
            break
    phone.page.touchscreen.tap(*place)
    return lambda: phone.page.touchscreen.tap(*place)


def _place(phone: Phone, what: str) -> tuple[float, float]:
    """The middle of something that can be tapped."""
    phone.page.locator(what).click(trial=True)
    box = phone.page.locator(what).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_out_of_reach_cards_can_be_tapped_and_nothing_cries_out(new_phone: PhoneMaker) -> None:
    phone = new_phone()
    phone.tolerated = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    start_count(phone, ("Ana", "Ben"), "Remigio")
    counting = Counting(phone)
    counting.by("cards")
    counting.out("Ana")
    phone.tap("#close-closed")
    phone.go_offline()
    counting.keep("5H 6H 7H 2S 2D 2C 3C KC QH 9S")
    phone.page.wait_for_timeout(300)
    expect(phone.page.locator("#said")).to_be_empty()
    phone.come_back()

    counting.save()

    Pad(phone).shows({"Ana": 32, "Ben": -32})


def test_a_round_that_another_phone_undid_can_no_longer_be_saved(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_count(one, NAMES)
    Counting(one).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(one).save()
    two.open(f"{game}/rounds/2")
    Counting(two).fill("Ana", {"Ben": "65", "Cleo": "35"})
    one.tap("#voids")
    expect(one.page.locator("#redo")).to_be_visible()

    Counting(two).write("Cleo", "40")

    expect(two.page.locator("#tell")).to_have_attribute("data-is", "no", timeout=PATIENCE)
    two.sees("This round changed on another phone.")
    expect(two.page.locator("#save")).to_have_attribute("aria-disabled", "true")


def played(phone: Phone) -> str:
    """Start a game and count its first round; answers the game's path."""
    game = start_game(phone, NAMES)
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(phone).save()
    Pad(phone).shows({"Ana": 0, "Ben": 65, "Cleo": 35})
    return game


def hold_first(phone: Phone, path: str) -> list[tuple[Route, APIResponse]]:
    """Hold back the answer to the first request for a path; later requests go through."""
    kept: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if kept:
            route.continue_()
        else:
            kept.append((route, route.fetch()))

    phone.page.route(path, hold)
    return kept


def test_a_board_that_was_overtaken_on_the_way_is_not_shown(new_phone: PhoneMaker) -> None:
    phone = new_phone()
    played(phone)
    # So that the answer is a whole board.
    phone.page.evaluate("document.getElementById('board').dataset.version = ''")
    kept = hold_first(phone, "**/board")
    while not kept:
        phone.page.wait_for_timeout(100)
    route, answer = kept[0]
    assert "65" in answer.text()
    phone.tap("#voids")
    expect(phone.page.locator("#redo")).to_be_visible()

    route.fulfill(response=answer)
    phone.page.wait_for_timeout(300)

    expect(phone.page.locator("#redo")).to_be_visible(timeout=100)
    Pad(phone).shows({"Ana": 0, "Ben": 0, "Cleo": 0})


def test_a_slow_server_is_asked_for_one_board_at_a_time(new_phone: PhoneMaker) -> None:
    phone = new_phone(own=True)
    phone.page.clock.install()
    game = start_game(phone, NAMES)
    phone.page.clock.pause_at(phone.page.evaluate("Date.now()") + 1_000)
    boards = held(phone.page, f"**{game}/board")
    phone.page.clock.run_for(2_000)
    wait_for(phone, boards)
    phone.page.clock.run_for(4_000)
    phone.page.wait_for_timeout(300)
    assert len(boards) == 1

    # The next request follows at once, as something may have changed meanwhile.
    boards[0].continue_()
    wait_for(phone, boards, 2)
    assert len(boards) == 2
    phone.page.unroute("**/board")


def test_the_main_button_does_not_dim_while_the_board_is_asked_for(new_phone: PhoneMaker) -> None:
    phone = new_phone()
    start_game(phone, NAMES)
    boards = held(phone.page, "**/board")
    wait_for(phone, boards)
    expect(phone.page.locator("#board.htmx-request")).to_be_visible()
    expect(phone.page.locator("#count-round")).to_have_css("opacity", "1")
    boards[0].continue_()
    phone.page.unroute("**/board")


def test_what_is_open_stays_open_while_the_board_changes(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_game(one, NAMES)
    two.open(game)
    two.tap("#more-button")
    two.tap("#end")
    expect(two.page.locator("#endings")).to_be_visible()
    Pad(one).count(1)
    Counting(one).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(one).save()

    expect(Pad(two).total("Ben")).to_contain_text("65", timeout=PATIENCE)
    expect(two.page.locator("#more")).to_be_visible(timeout=100)
    expect(two.page.locator("#endings")).to_be_visible(timeout=100)


def test_the_page_of_a_strangers_network_empties_no_board(new_phone: PhoneMaker) -> None:
    phone = new_phone()
    phone.tolerated = ("Failed to load resource",)
    start_game(phone, NAMES)
    phone.page.route("**/board", lambda route: route.fulfill(body="<h1>Welcome</h1>"))
    for _ in range(2):
        phone.page.wait_for_event("response", lambda answer: answer.url.endswith("/board"))
    expect(Pad(phone).total("Ben")).to_contain_text("0")
    expect(phone.page.locator("#board .top p")).to_contain_text("Offline")

    phone.page.unroute("**/board")
    expect(phone.page.locator("#board .top p")).not_to_contain_text("Offline", timeout=PATIENCE)


def hand_of_cards(phone: Phone, database: Database) -> tuple[Locator, Locator]:
    """Open a count in which cards are named; answers Ana’s field, and the cards laid out."""
    table = Table(database, NAMES, "remigio")
    phone.open(f"/g/{table.pub}/rounds/1")
    page = phone.page
    return page.locator(f"#left-{table.ids['ana']}"), page.locator("#count .dealt .card")


def test_of_two_answers_about_one_hand_the_later_question_counts(
    new_phone: PhoneMaker, database: Database
) -> None:
    phone = new_phone()
    field, cards = hand_of_cards(phone, database)
    asked_for = held(phone.page, "**/fill")
    field.fill("7C 7D 7H 2S")
    wait_for(phone, asked_for)
    field.fill("7C 7D")
    wait_for(phone, asked_for, 2)
    for route in asked_for:
        route.continue_()

    expect(cards).to_have_count(2)


def test_a_hand_stays_laid_out_when_a_strangers_network_answers(
    new_phone: PhoneMaker, database: Database
) -> None:
    phone = new_phone()
    field, cards = hand_of_cards(phone, database)
    field.fill("7C 7D")
    expect(cards).to_have_count(2)
    phone.page.route("**/fill", lambda route: route.fulfill(body="<h1>Welcome</h1>"))
    with phone.page.expect_response("**/fill"):
        field.fill("7C 7D 7H")
    phone.page.unroute("**/fill")
    field.fill("7C 7D 7H 2S")

    expect(cards).to_have_count(4)
