"""The turn clock on two phones: what is passed, paused and extended, and a phone that slept."""

import re
import time
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import PATIENCE, TURNED, Phone, asked, begin
from tests.browser.test_reach import SMALL_TARGETS, THUMB, TOO_WIDE
from tests.servers import Laydown

NAMES = ("Ana", "Ben", "Cleo")
SOON = 3_000
"""Milliseconds within which a clock asks again."""
HIDE = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => %s})"

HEAR = """
  localStorage.setItem('sound', '%s');
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { window.tones += 1; start.call(this, at); };
  window.buzzed = 0;
  Navigator.prototype.vibrate = function () { window.buzzed += 1; return true; };
"""
"""Counts tones and buzzes, which nobody hears in a test; the page's own code stays as it is."""


LOCK = """
  window.locks = 0;
  WakeLock.prototype.request = async () => {
    window.locks += 1;
    return { release: async () => { window.locks -= 1; } };
  };
"""
"""Counts the locks that the page holds on the screen."""


@pytest.fixture
def clock(server: Laydown) -> str:
    """The path of the clock of a new match of three; nobody's turn has begun."""
    return f"{begin(server.url, NAMES, 'Rummikub')}/clock"


def seconds(page: Page) -> int:
    """Read the digits."""
    minutes, rest = page.locator("#time").inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def sleep(phone: Phone, gone: int) -> None:
    """Lock the phone for some seconds: nothing on the page runs, and nothing is asked."""
    phone.page.evaluate(HIDE % "true")
    phone.page.evaluate(TURNED)
    now = phone.page.evaluate("Date.now()")
    phone.page.clock.pause_at(datetime.fromtimestamp(now / 1000 + 0.5, UTC))
    phone.page.clock.set_system_time(datetime.fromtimestamp(now / 1000 + gone, UTC))


def wake(phone: Phone) -> None:
    """Unlock it."""
    phone.page.clock.resume()
    phone.page.evaluate(HIDE % "false")
    phone.page.evaluate(TURNED)


def test_one_tap_passes_the_turn_on_and_the_other_phone_follows(
    new_phone: PhoneMaker, clock: str
) -> None:
    one, two = new_phone("clock-one"), new_phone("clock-two")
    one.open(clock)
    two.open(clock)
    one.heading("Ana")
    expect(two.page.locator("#time")).to_have_text("1:00")
    one.tap("#resume")
    expect(two.page.locator("#pause")).to_be_visible(timeout=PATIENCE)
    expect(two.page.locator("#time")).not_to_have_text("1:00", timeout=PATIENCE)
    assert abs(seconds(one.page) - seconds(two.page)) <= 1

    one.page.wait_for_timeout(600)
    begun = time.monotonic()
    one.tap("#pass")
    one.heading("Ben")
    expect(two.page.locator("h1")).to_have_text("Ben", timeout=PATIENCE)
    assert seconds(two.page) >= 58 - (time.monotonic() - begun)
    assert min(later - one for one, later in pairwise(asked(two, "/clock/face"))) < SOON
    two.page.wait_for_timeout(600)
    two.tap("#pass")
    expect(one.page.locator("h1")).to_have_text("Cleo", timeout=PATIENCE)


def test_the_lower_half_is_one_button(new_phone: PhoneMaker, clock: str) -> None:
    phone = new_phone("clock")
    phone.open(clock)
    phone.tap("#resume")
    for width, height in ((360, 640), (320, 568), (412, 915), (1280, 800)):
        phone.page.set_viewport_size({"width": width, "height": height})
        expect(phone.page.locator("#pass")).to_be_in_viewport(ratio=1)
        box = phone.page.locator("#pass").bounding_box()
        assert box
        assert box["width"] == width
        assert box["height"] >= height / 2
        assert not phone.page.evaluate(TOO_WIDE)
        assert phone.page.evaluate(SMALL_TARGETS, THUMB) == []


def test_a_pause_stops_it_everywhere_and_an_extension_adds_half_a_minute(
    new_phone: PhoneMaker, clock: str
) -> None:
    one, two = new_phone("clock-one", own=True), new_phone("clock-two", own=True)
    one.open(clock)
    two.open(clock)
    one.tap("#resume")
    expect(two.page.locator("#pause")).to_be_visible(timeout=PATIENCE)
    one.tap("#pause")
    expect(two.page.locator("#resume")).to_be_visible(timeout=PATIENCE)
    stood = seconds(two.page)
    two.page.wait_for_timeout(1500)
    assert seconds(two.page) == stood == seconds(one.page)
    two.tap("#extend")
    expect(two.page.locator("#time")).to_have_text(f"1:{stood + 30 - 60:02}")
    expect(one.page.locator("#time")).to_have_text(f"1:{stood + 30 - 60:02}", timeout=PATIENCE)
    one.shoot("paused")
    one.page.wait_for_timeout(600)
    one.tap("#resume")
    one.heading("Ana")
    expect(two.page.locator("#pause")).to_be_visible(timeout=PATIENCE)


def open_where_time_flies(phone: Phone, clock: str, sound: str = "on") -> None:
    """Open the clock, with sound or without, on a page whose time the test moves on."""
    phone.page.add_init_script(HEAR % sound)
    phone.page.clock.install()
    # A question that is under way while a minute flies by goes unanswered for a minute.
    phone.tolerated = ("htmx:error: timeout",)
    phone.open(clock)


def test_a_phone_that_was_locked_shows_what_the_others_show(
    new_phone: PhoneMaker, clock: str
) -> None:
    phone = new_phone("clock-locked", own=True)
    open_where_time_flies(phone, clock)
    begun = time.monotonic()
    phone.tap("#resume")
    expect(phone.page.locator("#pause")).to_be_visible()
    questions: list[str] = []
    phone.page.on("request", lambda request: questions.append(request.url))
    sleep(phone, 40)
    assert questions == []
    wake(phone)
    assert 18 - (time.monotonic() - begun) <= seconds(phone.page) <= 20
    assert questions

    sleep(phone, 70)
    wake(phone)
    assert seconds(phone.page) == 0
    expect(phone.page.locator("#up")).to_be_visible()
    # What was missed is not rung for afterwards.
    assert phone.page.evaluate("window.tones") == 0


def test_the_screen_stays_on_while_a_turn_runs(new_phone: PhoneMaker, clock: str) -> None:
    phone = new_phone("clock")
    phone.page.add_init_script(LOCK)
    phone.open(clock)
    assert phone.page.evaluate("window.locks") == 0
    phone.tap("#resume")
    expect(phone.page.locator("#pause")).to_be_visible()
    assert phone.page.evaluate("window.locks") == 1
    phone.page.wait_for_timeout(600)
    phone.tap("#pass")
    phone.heading("Ben")
    assert phone.page.evaluate("window.locks") == 1
    phone.tap("#pause")
    expect(phone.page.locator("#resume")).to_be_visible()
    assert phone.page.evaluate("window.locks") == 0


def test_an_answer_that_was_overtaken_is_not_shown(new_phone: PhoneMaker, clock: str) -> None:
    one, two = new_phone("clock-one"), new_phone("clock-slow")
    one.open(clock)
    two.open(clock)
    held: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    one.tap("#resume")
    expect(two.page.locator("#pause")).to_be_visible(timeout=PATIENCE)
    one.tap("#pause")
    expect(one.page.locator("#resume")).to_be_visible()
    two.page.route("**/clock/face", hold_the_first)
    while not held:
        two.page.wait_for_timeout(100)
    assert 'data-running="no"' in held[0][1].text()
    one.page.wait_for_timeout(600)
    one.tap("#resume")
    expect(one.page.locator("#pause")).to_be_visible()
    # The slow phone does not know of the pause: its tap does nothing, and brings the news.
    face = two.page.locator("#clock-face")
    known = face.get_attribute("hx-ptag")
    assert known
    two.tap("#pass")
    expect(face).not_to_have_attribute("hx-ptag", known, timeout=PATIENCE)
    expect(two.page.locator("#pause")).to_be_visible()
    route, answer = held[0]
    route.fulfill(response=answer)
    two.page.wait_for_timeout(300)
    expect(two.page.locator("#pause")).to_be_visible(timeout=100)
    two.heading("Ana")


def test_when_the_time_is_up_the_penalties_stand_there_and_it_can_be_passed_on(
    new_phone: PhoneMaker, clock: str
) -> None:
    phone = new_phone("clock-up", own=True)
    open_where_time_flies(phone, clock)
    expect(phone.page.locator("#penalties")).to_be_hidden()
    phone.tap("#resume")
    expect(phone.page.locator("#pause")).to_be_visible()
    phone.page.clock.fast_forward(48_500)
    phone.page.clock.run_for(2_000)
    assert phone.page.evaluate("[window.tones, window.buzzed]") == [1, 1]
    phone.page.clock.fast_forward(7_500)
    phone.page.clock.run_for(3_000)
    assert phone.page.evaluate("[window.tones, window.buzzed]") == [4, 2]
    expect(phone.page.locator("#penalties li")).to_have_text(
        [re.compile("1 tile"), re.compile("3 tiles")]
    )
    expect(phone.page.locator("#penalties")).to_be_visible()
    expect(phone.page.locator("#time")).to_have_text("0:00")
    phone.shoot("page")
    phone.tap("#pass")
    phone.heading("Ben")
    expect(phone.page.locator("#penalties")).to_be_hidden()


def test_it_is_silent_unless_somebody_wants_to_hear_it(new_phone: PhoneMaker, clock: str) -> None:
    phone = new_phone("clock", own=True)
    open_where_time_flies(phone, clock, "off")
    expect(phone.page.locator("#sound")).to_have_text("Sound: off")
    phone.tap("#resume")
    expect(phone.page.locator("#pause")).to_be_visible()
    phone.page.clock.fast_forward(59_000)
    phone.page.clock.run_for(2_000)
    assert phone.page.evaluate("[window.tones, window.buzzed]") == [0, 0]
    phone.tap("#sound")
    expect(phone.page.locator("#sound")).to_have_text("Sound: on")
    assert phone.page.evaluate("window.tones") == 1


def test_a_second_tap_does_not_pass_two_turns(new_phone: PhoneMaker, clock: str) -> None:
    phone = new_phone("clock")
    phone.open(clock)
    phone.tap("#resume")
    phone.page.wait_for_timeout(600)
    phone.page.locator("#pass").dblclick(delay=20)
    phone.heading("Ben")
    phone.page.locator("#pass").click()  # the turn has only just changed
    phone.page.wait_for_timeout(600)
    phone.heading("Ben")
    phone.tap("#pass")
    phone.heading("Cleo")


def test_the_pad_shows_the_running_turn_in_a_line(new_phone: PhoneMaker, clock: str) -> None:
    pad, other = new_phone("pad"), new_phone("other")
    pad.open(clock.removesuffix("/clock"))
    strip = pad.page.locator("#to-clock")
    expect(strip).to_have_count(0)
    other.open(clock)
    other.tap("#resume")

    expect(strip).to_contain_text("’s turn", timeout=2 * SOON)
    first = strip.locator(".fig").inner_text()
    expect(strip.locator(".fig")).not_to_have_text(first)
    assert pad.page.evaluate(SMALL_TARGETS, THUMB) == []
    assert not pad.page.evaluate(TOO_WIDE)
    pad.shoot("strip")
    other.tap("#pause")
    expect(strip).to_have_count(0, timeout=2 * SOON)
    other.tap("#resume")
    expect(strip).to_have_count(1, timeout=2 * SOON)
    pad.tap("#to-clock")
    expect(pad.page.locator("#clock-face")).to_be_visible()
