"""A save that got no answer: what the phone shows of it, and that it is made good by itself."""

import re
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, begin, start_count

LATE = 4_500
"""Milliseconds within which a phone says that it does not know."""
LOST = ("Failed to load resource", "Failed to fetch")
LOOK_AGAIN = """
  const letGo = live.delete;
  live.delete = (id) => { report(); return letGo.call(live, id); };
"""
"""The phone looks at what waits in the very moment in which a form lets go of it."""


@pytest.fixture
def phone(lan_url: str, new_phone: PhoneMaker) -> Phone:
    """A phone on a home network; the attack over a lossy line asks this machine itself too."""
    return new_phone("outbox-lan", lan_url)


def hold(page: Page, path: str, answer: Callable[[Route], object]) -> Callable[[], None]:
    """Do something with every save that goes to a path; gives how to let them through again."""

    def on(route: Route) -> None:
        if route.request.method == "POST":
            answer(route)
        else:
            route.continue_()

    page.route(f"**{path}", on)
    return lambda: page.unroute(f"**{path}", on)


def lose(route: Route) -> None:
    """Lose a save on the way."""
    route.abort()


def box(phone: Phone) -> str:
    """What the phone says about saves that wait."""
    return phone.page.locator("#outbox").inner_text()


def shoot(phone: Phone, what: str) -> None:
    """Keep pictures of a state: small and large, by day and by night."""
    page = phone.page
    small, large = {"width": 360, "height": 640}, {"width": 1280, "height": 800}
    for scheme, sizes in (("dark", (small, large)), ("light", (large, small))):
        page.emulate_media(color_scheme=scheme)
        for size in sizes:
            if page.viewport_size != size:
                page.set_viewport_size(size)
            phone.shoot(f"{what}-{size['width']}-{scheme}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def counted(phone: Phone, *names: str) -> str:
    """Count a round up to where only Save is left to be tapped; answers the game's path."""
    game = start_count(phone, names or ("Ana", "Ben"))
    Counting(phone).fill("Ana", dict.fromkeys((names or ("Ana", "Ben"))[1:], "65"))
    return game


def noting(phone: Phone, game: str, text: str) -> None:
    """Write a note and tap the button."""
    phone.open(f"{game}/notes")
    phone.page.fill("#text", text)
    phone.tap("#note")


def test_a_hanging_save_is_sending_then_not_known_then_saved(phone: Phone) -> None:
    phone.tolerated = LOST
    game = counted(phone)
    held: list[Route] = []
    let_go = hold(phone.page, f"{game}/rounds/1", held.append)

    save = phone.page.locator("#save")
    place = save.bounding_box()
    phone.tap("#save")
    line = phone.page.locator("#tell")
    expect(line).to_have_text("Sending… Save round 1 · Ben 65")
    shoot(phone, "sending")
    expect(line).to_contain_text("Not saved yet, trying again", timeout=LATE)
    # Nothing is added above the page, so what is on it stays where it is.
    assert save.bounding_box() == place
    assert box(phone) == ""
    shoot(phone, "not-known")
    let_go()
    Pad(phone).shows({"Ana": 0, "Ben": 65})
    expect(phone.page.locator(".done")).to_contain_text("Round 1 saved")
    assert box(phone) == ""


def test_what_waits_outlives_leaving_the_page_and_is_saved_once(phone: Phone) -> None:
    phone.tolerated = LOST
    game = counted(phone)
    let_go = hold(phone.page, f"{game}/rounds/1", lose)
    phone.tap("#save")
    expect(phone.page.locator("#outbox p")).to_contain_text("Sending…")

    phone.open(game)
    expect(phone.page.locator("#outbox p")).to_contain_text("Ben 65", timeout=LATE)
    phone.page.reload()
    expect(phone.page.locator("#outbox p")).to_contain_text("Not saved yet", timeout=LATE)
    shoot(phone, "waits-on-the-pad")
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("65unsent")

    let_go()
    expect(phone.page.locator(".done")).to_have_text(
        "✓ Sent. Everyone has round 1.", timeout=20_000
    )
    Pad(phone).shows({"Ana": 0, "Ben": 65})
    assert box(phone) == ""
    phone.tap("#voids")
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("no score yet")


def test_an_answer_that_was_lost_is_not_a_second_save(new_phone: PhoneMaker) -> None:
    phone = new_phone("outbox")
    phone.tolerated = LOST
    game = begin(phone.url, ("Ana", "Ben"))
    lost: list[int] = []

    def lose_answer(route: Route) -> None:
        lost.append(route.fetch(max_redirects=0).status)
        if len(lost) < 3:
            route.abort()
        else:
            route.continue_()

    hold(phone.page, f"{game}/notes", lose_answer)
    noting(phone, game, "Ben dealt twice")
    expect(phone.page.locator(".done")).to_contain_text("The note", timeout=20_000)

    assert len(lost) == 3
    phone.open(f"{game}/notes")
    expect(phone.page.locator(".list li")).to_have_count(1)


def test_what_waits_is_sent_in_order(phone: Phone) -> None:
    phone.tolerated = LOST
    game = begin(phone.url, ("Ana", "Ben"))
    let_go = hold(phone.page, f"{game}/notes", lose)
    for text in ("first", "second", "third"):
        noting(phone, game, text)
        expect(phone.page.locator("#outbox p")).to_contain_text("note", ignore_case=True)
    expect(phone.page.locator("#outbox p")).to_contain_text("and 2 more")

    let_go()
    here = f"http://localhost:{urlsplit(phone.url).port}"
    notes: list[str] = []
    until = time.monotonic() + 30
    while len(notes) < 3 and time.monotonic() < until:
        # Asked beside the page, which follows what was kept by itself, and would be in the way.
        kept = phone.page.request.get(f"{here}{game}/notes").text()
        notes = re.findall(r"<li><span[^>]*>[^<]*?(first|second|third)", kept)
        time.sleep(0.1)
    assert notes == ["first", "second", "third"]
    expect(phone.page.locator("#outbox p")).to_be_empty()


def test_a_conflict_that_comes_later_waits_for_a_decision(new_phone: PhoneMaker) -> None:
    one, two = new_phone("outbox-one"), new_phone("outbox")
    two.tolerated = LOST
    game = counted(two)
    let_go = hold(two.page, f"{game}/rounds/1", lose)
    two.tap("#save")
    expect(two.page.locator("#outbox p")).to_contain_text("Sending…")
    two.open(game)
    one.open(game)
    Pad(one).count(1)
    Counting(one).out("Ana")
    Counting(one).write("Ben", "35")
    Counting(one).save()

    let_go()
    refused = two.page.locator("#outbox div")
    expect(refused).to_contain_text("Save round 1 · Ben 65", timeout=20_000)
    expect(refused).to_contain_text("Not saved: Two phones disagree. Tap the right score.")
    shoot(two, "conflict-later")
    two.page.reload()
    expect(refused).to_contain_text("Not saved: Two phones disagree")

    two.press("Look at it")
    two.heading("Change scores")
    expect(two.page.locator("#outbox div")).to_have_count(0)
    expect(two.page.locator("#tell")).to_have_attribute("data-is", "doubt")
    two.tap(two.page.get_by_role("radio", name="Ben 65"))
    expect(two.page.locator("#tell")).to_have_attribute("data-is", "in")
    two.tap("#save")
    Pad(two).shows({"Ana": 0, "Ben": 65})
    two.page.wait_for_timeout(500)
    assert box(two) == ""


def test_what_can_never_be_saved_is_shown_with_what_was_typed_and_can_be_dropped(
    new_phone: PhoneMaker,
) -> None:
    one, two = new_phone("outbox-one"), new_phone("outbox")
    two.tolerated = LOST
    game = counted(two)
    two.tap("#save")
    expect(two.page.locator("#board")).to_be_visible()
    let_go = hold(two.page, f"{game}/notes", lose)
    noting(two, game, "Ben dealt twice")
    expect(two.page.locator("#outbox p")).to_have_text("Sending… Note for round 2: Ben dealt twice")
    two.open(game)
    one.open(game)
    one.tap("#more-button")
    one.tap("#end")
    one.tap("#endings")
    expect(one.page.locator("#rematches")).to_be_visible()

    let_go()
    refused = two.page.locator("#outbox div")
    expect(refused).to_contain_text("Ben dealt twice", timeout=20_000)
    expect(refused).to_contain_text("Not saved")
    shoot(two, "refused-later")
    two.press("Drop it")
    expect(two.page.locator("#outbox div")).to_have_count(0)
    two.page.reload()
    two.page.wait_for_timeout(500)
    assert box(two) == ""


def test_a_save_that_never_goes_through_can_be_dropped_once_the_server_is_back(
    new_phone: PhoneMaker,
) -> None:
    phone = new_phone("outbox", own=True)
    phone.tolerated = (*LOST, "ERR_INTERNET_DISCONNECTED", "status of 500")
    game = begin(phone.url, ("Ana", "Ben"))
    hold(phone.page, f"{game}/notes", lambda route: route.fulfill(status=500))
    noting(phone, game, "Ben dealt twice")
    expect(phone.page.locator("#outbox p")).to_contain_text("Ben dealt twice")
    phone.go_offline()
    # Each time that the phone is looked at it tries again.
    for _ in range(8):
        phone.page.evaluate("dispatchEvent(new Event('focus'))")
        phone.page.wait_for_timeout(200)
    assert phone.page.evaluate("tries") > 4

    phone.come_back()
    phone.press("Don’t send it")
    expect(phone.page.locator("#outbox p")).to_be_empty()
    expect(phone.page.locator("#outbox div")).to_have_count(0)


def test_it_is_so_whenever_the_phone_looks_at_what_waits(new_phone: PhoneMaker) -> None:
    phone = new_phone("outbox")
    begin(phone.url, ("Ana", "Ben"))
    phone.open("/players")
    phone.page.evaluate(LOOK_AGAIN)
    phone.page.fill("#new-name", "Ana")
    phone.tap("#add")
    expect(phone.page.locator("[role=alert]")).to_be_visible()
    phone.page.wait_for_timeout(800)
    assert box(phone) == ""


def test_busy_is_not_an_answer_and_gets_the_time_it_asks_for(phone: Phone) -> None:
    phone.tolerated = LOST
    game = begin(phone.url, ("Ana", "Ben"))
    asked: list[float] = []

    def busy(route: Route) -> None:
        asked.append(phone.page.evaluate("performance.timeOrigin + performance.now()"))
        if len(asked) == 1:
            route.fulfill(status=429, headers={"Retry-After": "3"}, body="Too many")
        else:
            route.continue_()

    hold(phone.page, f"{game}/notes", busy)
    noting(phone, game, "Ben dealt twice")
    expect(phone.page.locator(".done")).to_contain_text("The note", timeout=20_000)
    assert asked[1] - asked[0] >= 3_000


def test_the_page_of_a_hotel_does_not_say_that_a_save_is_saved(phone: Phone) -> None:
    phone.tolerated = LOST
    game = begin(phone.url, ("Ana", "Ben"))
    welcome = "<h1>Welcome to our network</h1>"
    let_go = hold(
        phone.page, f"{game}/notes", lambda route: route.fulfill(status=200, body=welcome)
    )
    noting(phone, game, "Ben dealt twice")
    expect(phone.page.locator("#outbox p")).to_contain_text("Not saved yet", timeout=LATE)
    let_go()
    expect(phone.page.locator(".done")).to_contain_text("The note", timeout=20_000)


@pytest.mark.parametrize(
    "breaks",
    [
        "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } })",
        "IDBObjectStore.prototype.add = () => { throw new Error('full'); }",
    ],
)
def test_a_browser_without_storage_warns_and_saves_as_before(
    new_phone: PhoneMaker, breaks: str
) -> None:
    phone = new_phone("outbox")
    phone.tolerated = LOST
    phone.page.add_init_script(breaks)
    game = counted(phone)
    let_go = hold(phone.page, f"{game}/rounds/1", lose)
    phone.tap("#save")
    expect(phone.page.locator("#outbox p")).to_contain_text("can’t store scores")
    expect(phone.page.locator("#said")).to_contain_text("still here")
    shoot(phone, "keeps-nothing")
    let_go()
    phone.tap("#save")
    Pad(phone).shows({"Ana": 0, "Ben": 65})
