"""Scoring at the table: correcting, undoing, and names that stay readable."""

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, start_count, start_game
from tests.crash import hands
from tests.servers import Laydown
from webapp.db import Database

NAMES = ("Ana", "Ben", "Cleo")
LONG = ("Anna", "Annika", "Grandma Edith", "Maximiliane")


def test_the_first_digit_replaces_a_saved_number(phone: Phone) -> None:
    start_count(phone, NAMES)
    Counting(phone).fill("Ana", {"Ben": "10", "Cleo": "20"})
    Counting(phone).save()

    phone.tap(Pad(phone).cell(1, "Ben").locator("a"))
    for digit in "15":
        phone.tap(f"#digits [data-key='{digit}']")
    expect(Counting(phone).hand("Ben").locator("[name^='left']")).to_have_value("15")
    phone.press("Save change")
    Pad(phone).shows({"Ben": 15})


def test_undo_names_what_it_undoes_on_every_phone(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_count(one, NAMES)
    two.open(game)
    Counting(one).fill("Ana", {"Ben": "10", "Cleo": "20"})
    Counting(one).save()
    for phone in (one, two):
        expect(phone.page.locator(".done")).to_contain_text("Round 1 saved")

    two.tap(Pad(two).cell(1, "Ben").locator("a"))
    Counting(two).write("Ben", "15")
    two.press("Save change")
    done = one.page.locator(".done")
    expect(done).to_contain_text("The correction of Ben in round 1 saved", timeout=5_000)

    one.tap("#undo-last")
    for phone in (one, two):
        expect(phone.page.locator(".done")).to_contain_text("undone", timeout=5_000)
        assert phone.page.locator("button:has-text('Redo')").count() == 1
    Pad(two).shows({"Ben": 10})
    assert one.page.inner_text("#said") == ""


def test_names_stay_on_one_line_and_differ(phone: Phone) -> None:
    for width in (320, 360):
        phone.page.set_viewport_size({"width": width, "height": 640})
        start_game(phone, LONG)
        names = phone.page.locator(".pad thead .nm")
        shown = [name.inner_text().splitlines()[0] for name in names.all()]
        assert len(set(shown)) == len(LONG)
        for name in names.all():
            box = name.bounding_box()
            assert box
            assert box["height"] < 24
            assert name.evaluate("e => e.scrollWidth <= e.clientWidth"), shown
        letters = [each.inner_text()[:2] for each in phone.page.locator(".pad thead .disc").all()]
        assert len(set(letters)) == len(LONG)


LOST = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "Failed to load resource")


def tell(phone: Phone) -> str:
    return phone.page.inner_text("#tell")


def left(phone: Phone, name: str) -> Locator:
    return Counting(phone).hand(name).locator("[name^='left']")


def test_nothing_moves_under_the_thumb(phone: Phone) -> None:
    start_count(phone, NAMES)
    phone.page.evaluate("localStorage.setItem('keys', 'digits')")
    phone.page.reload()
    boxes = []

    def measure() -> None:
        phone.page.wait_for_timeout(400)
        found = [phone.page.locator(each).bounding_box() for each in ("#digits", "#save", "#tell")]
        boxes.append((found, phone.page.inner_text("#save")))

    measure()
    Counting(phone).out("Ana")
    measure()
    Counting(phone).type("48")
    measure()
    Counting(phone).next()
    Counting(phone).type("20")
    measure()
    phone.tolerated = LOST
    phone.go_offline()
    Counting(phone).type("0")
    measure()
    assert phone.page.locator("#tell").get_attribute("data-is") == "off"
    assert all(box == boxes[0] for box in boxes), boxes
    assert boxes[0][1] == "Save round 1"


def test_a_quiet_save_shows_what_is_missing(phone: Phone) -> None:
    game = start_count(phone, NAMES)
    Counting(phone).out("Ana")
    phone.page.locator("#save").dispatch_event("click")
    assert tell(phone) == "Still need Ben, Cleo"
    expect(left(phone, "Ben")).to_have_attribute("data-here", "")
    assert phone.page.url.endswith(f"{game}/rounds/1")


def test_a_message_of_many_names_stays_in_its_line(phone: Phone) -> None:
    start_count(phone, (*NAMES, "Wilhelmina-Alexandra", "Maximiliane", "Xochiquetzal"))
    line = phone.page.locator("#tell span")
    expect(line).to_have_text("Still need Ana, Ben and 4 more")
    top = "e.getBoundingClientRect().top >= e.parentElement.getBoundingClientRect().top"
    assert line.evaluate(f"e => {top}")


def test_a_doubtful_number_can_be_saved_with_a_reason(phone: Phone) -> None:
    start_count(phone, NAMES)
    Counting(phone).fill("Ana", {"Ben": "3", "Cleo": "20"})
    expect(phone.page.locator("#tell")).to_have_attribute("data-is", "doubt")
    expect(Counting(phone).hand("Ben").locator("[data-odd]")).to_be_visible()
    phone.shoot("doubt")
    before = phone.page.locator("#save").bounding_box()
    phone.tap("#save")
    change = phone.page.locator("#change").bounding_box()
    assert before
    assert change
    assert abs(before["y"] - change["y"]) < 12
    phone.shoot("anyway")
    phone.tap("#why-penalty")
    phone.tap("#sure")
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("Penalty")
    expect(Pad(phone).cell(1, "Cleo")).not_to_contain_text("Penalty")
    Pad(phone).shows({"Ben": 3})


AT_HOME = ("localhost", "lan.test")


def count_offline(phone: Phone) -> None:
    """Begin a game, lose the network and enter the first round."""
    phone.tolerated = LOST
    start_game(phone, NAMES)
    phone.go_offline()
    expect(phone.page.locator("#board .top p")).to_contain_text("Offline")
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35"})


@pytest.mark.parametrize("host", AT_HOME)
def test_the_count_opens_and_saves_offline(
    host: str, new_phone: PhoneMaker, request: pytest.FixtureRequest
) -> None:
    phone = (
        new_phone("offline", request.getfixturevalue("lan_url"))
        if host == "lan.test"
        else new_phone("offline")
    )
    count_offline(phone)
    expect(Counting(phone).hand("Ben").locator(".sum")).to_have_text("0 + 65 = 65")
    expect(phone.page.locator("#count .top p")).to_contain_text("Offline · Round 1")
    ready = "Ready. It stays on this phone until you’re back on the Wi-Fi."
    expect(phone.page.locator("#tell")).to_have_text(ready)
    phone.shoot("count")
    phone.tap("#save")

    expect(phone.page.locator("#board .top p")).to_contain_text("Offline · ")
    expect(phone.page.locator(".done")).to_contain_text("Offline. Round 1 is saved on this phone.")
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("65unsent")
    Pad(phone).shows(dict.fromkeys(NAMES, 0))
    phone.shoot("pad")
    for link in ("#desk", "#home"):
        phone.tap(link)
        expect(phone.page.locator("#said")).to_have_text("Not reachable")

    phone.press("Score round 2")
    Counting(phone).fill("Ben", {"Ana": "10", "Cleo": "5"})
    expect(Counting(phone).hand("Cleo").locator(".sum")).to_have_text("35 + 5 = 40")
    phone.tap("#save")
    expect(phone.page.locator(".done")).to_contain_text("Rounds 1 and 2 are saved on this phone.")
    phone.come_back()
    expect(Pad(phone).cell(2, "Cleo")).to_have_text(re.compile("^5$"), timeout=20_000)
    Pad(phone).shows({"Ana": 10, "Ben": 65, "Cleo": 40})
    expect(phone.page.locator("#board .top p")).not_to_contain_text("Offline")
    expect(phone.page.locator(".done")).to_have_text("✓ Sent. Everyone has rounds 1 and 2.")
    phone.page.reload()
    expect(phone.page.locator(".done")).to_contain_text("Round 2 saved")


SAID_LATE = """() => {
  const send = document.dispatchEvent.bind(document);
  document.dispatchEvent = (event) => {
    if (event.type !== 'outbox') return send(event);
    setTimeout(send, 1500, event);
    return true;
  };
}"""
"""A slow phone learns what it has sent after it has heard from the server what is saved."""


def test_a_round_is_unsent_no_longer_once_it_is_sent(new_phone: PhoneMaker) -> None:
    phone = new_phone("offline")
    count_offline(phone)
    phone.tap("#save")
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("65unsent")

    phone.page.evaluate(SAID_LATE)
    phone.come_back()

    Pad(phone).shows({"Ana": 0, "Ben": 65, "Cleo": 35})
    expect(Pad(phone).cell(1, "Ben")).to_have_text(re.compile("^65$"), timeout=8_000)


def test_a_link_on_the_pad_never_leads_to_the_error_page_of_the_browser(
    new_phone: PhoneMaker,
) -> None:
    phone = new_phone("gone")
    phone.tolerated = LOST
    start_game(phone, NAMES)
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35"})
    Counting(phone).save()
    cell = Pad(phone).cell(1, "Ben").locator("a")
    expect(cell).to_be_visible()
    # The phone had an answer a moment ago.
    phone.page.route("**", lambda route: route.abort())
    for link in (phone.page.locator("#desk"), phone.page.locator("#advice"), cell):
        phone.tap(link)
        expect(phone.page.locator("#said")).to_have_text("Not reachable")
        phone.page.evaluate("say('')")
    phone.page.unroute("**")
    phone.tap("#desk")
    phone.heading("Referee")


def test_back_from_the_count_goes_to_the_pad(phone: Phone) -> None:
    game = start_game(phone, NAMES)
    Pad(phone).count(1)
    expect(phone.page.locator("#count")).to_be_visible()
    phone.page.go_back()
    expect(phone.page.locator("#board")).to_be_visible()
    assert phone.page.url.endswith(game)
    phone.page.go_forward()
    expect(phone.page.locator("#count")).to_be_visible()
    phone.page.reload()
    expect(phone.page.locator("#count")).to_be_visible()
    phone.page.go_back()
    expect(phone.page.locator("#board")).to_be_visible()


@pytest.mark.parametrize("choice", ["awake", "sleeps"])
def test_the_screen_stays_on_over_plain_http(
    choice: str, new_phone: PhoneMaker, lan_url: str
) -> None:
    phone = new_phone("film", lan_url)
    phone.open("/settings")
    phone.tap(f"#awake-{choice}")
    expect(phone.page.locator(f"#awake-{choice}")).to_have_attribute("aria-current", "true")
    start_game(phone, NAMES)
    film = phone.page.locator("video")
    assert film.count() == 0
    phone.tap("h1")
    if choice == "sleeps":
        phone.page.wait_for_timeout(500)
        assert film.count() == 0
        return
    expect(film).to_have_js_property("paused", value=False)
    assert film.evaluate("e => e.clientWidth >= innerWidth && e.muted && !e.loop")
    phone.tap("#more-button")
    phone.tap("#end")
    phone.tap("#endings")
    phone.page.wait_for_url("**/result")
    assert film.count() == 0


@pytest.mark.parametrize(("choice", "asked"), [("awake", True), ("sleeps", False)])
def test_a_screen_is_kept_on_only_for_those_who_want_it(
    choice: str, asked: bool, new_phone: PhoneMaker
) -> None:
    phone = new_phone("wake-lock", own=True)
    phone.page.add_init_script("navigator.wakeLock.request = async () => { window.asked = true; }")
    phone.open("/settings")
    phone.tap(f"#awake-{choice}")
    expect(phone.page.locator(f"#awake-{choice}")).to_have_attribute("aria-current", "true")
    start_game(phone, NAMES)
    assert phone.page.evaluate("window.asked === true") is asked


def test_gin_is_said_in_its_own_words(phone: Phone) -> None:
    start_game(phone, NAMES[:2], "Gin Rummy")
    Pad(phone).count(1)
    phone.heading("Deadwood")
    phone.tap(phone.page.get_by_role("radio", name="Gin Ana"))
    Counting(phone).type("21")
    expect(Counting(phone).hand("Ana").locator(".sum")).to_have_text("0 of 100 + 46 = 46")
    Counting(phone).save()
    expect(Pad(phone).cell(1, "Ana")).to_contain_text("gin")

    Pad(phone).count(2)
    phone.tap(phone.page.get_by_role("radio", name="Knocked Ana"))
    phone.page.locator("#save").dispatch_event("click")
    assert tell(phone) == "Still need Ana, Ben"
    Counting(phone).type("6")
    Counting(phone).next()
    Counting(phone).type("21")
    expect(Counting(phone).hand("Ana").locator(".sum")).to_have_text("46 of 100 + 15 = 61")
    Counting(phone).save()
    Pad(phone).shows({"Ana": 61})


def test_rummikub_shows_one_score_with_the_wins_below(phone: Phone) -> None:
    game = start_game(phone, NAMES, "Rummikub")
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "23", "Cleo": "38"})
    expect(left(phone, "Ana")).to_have_attribute("placeholder", "61")
    Counting(phone).save()
    expect(Pad(phone).total("Ana")).to_have_text(re.compile(r"^61, leads\s*1 win$"))
    expect(Pad(phone).total("Ben")).to_have_text(re.compile(r"^−23\s*0 wins$"))
    phone.open()
    expect(phone.page.locator(".scores li").first).to_have_text("A♠Ana611 win")
    phone.open(f"{game}/sheet")
    expect(Pad(phone).total("Ana")).to_have_text(re.compile(r"^61, leads\s*1 win$"))


def test_the_rest_of_a_round_is_a_tap_away_while_one_score_is_corrected(phone: Phone) -> None:
    start_count(phone, NAMES)
    Counting(phone).fill("Ana", {"Ben": "60", "Cleo": "35"})
    Counting(phone).save()
    phone.tap(Pad(phone).cell(1, "Ben").locator("a"))
    expect(Counting(phone).hand("Ben").locator(".sum")).to_have_text("was 60, total 60")
    Counting(phone).type("40")
    expect(Counting(phone).hand("Ben").locator(".sum")).to_have_text("60 → 40, total 40")
    phone.tap(phone.page.locator("a.rest", has_text="Cleo"))
    phone.heading("Change Cleo’s score")


def test_phones_save_their_own_hands_and_none_is_lost(
    chromium: Browser, server: Laydown, database: Database
) -> None:
    """The short form of `python -m tests.crash.hands`."""
    hands.play(chromium, server, database, rounds=2, seed=7)


def test_what_going_out_takes_off_is_shown_with_its_minus(phone: Phone) -> None:
    start_count(phone, NAMES, "Chinchón")
    Counting(phone).fill("Ana", {"Ben": "20", "Cleo": "15"})
    expect(Counting(phone).hand("Ana").locator(".sum")).to_have_text("0 − 10 = −10")
    expect(left(phone, "Ana")).to_have_attribute("placeholder", "−10")


def test_a_player_who_is_out_has_nothing_in_hand_if_melds_score(phone: Phone) -> None:
    start_count(phone, NAMES[:2], "Rummy 500")
    Counting(phone).fill("Ana", {"Ben": "15"}, table={"Ana": "85", "Ben": "60"})
    expect(Counting(phone).hand("Ana").locator(".sum")).to_have_text("0 → 85")
    expect(left(phone, "Ana")).to_have_attribute("placeholder", "0")


def test_names_stay_short_on_a_pad_that_comes_back_from_behind_a_count(phone: Phone) -> None:
    start_game(phone, ("Anna", "Ben", "Maximiliane Wolkenstein", "Cleo"))
    name = phone.page.locator(".pad thead .nm").nth(2)
    expect(name).to_contain_text("MaxiMaximiliane")
    Pad(phone).count(1)
    expect(phone.page.locator("#count")).to_be_visible()
    phone.page.evaluate("dispatchEvent(new Event('resize'))")
    phone.page.go_back()
    expect(phone.page.locator("#board")).to_be_visible()
    expect(name).to_contain_text("MaxiMaximiliane")
    assert name.evaluate("e => e.scrollWidth <= e.clientWidth")
