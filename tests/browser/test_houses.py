"""Houses in a real browser: joining by a link, playing without a network, and being sent away."""

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Phone
from tests.servers import Laydown
from tests.webapp.hosting import furnish
from tests.webapp.table import Table
from webapp.config import FILE
from webapp.db import Database
from webapp.houses import door as doors
from webapp.houses.door import Door, Role

OUTBOX = """(name) => new Promise((done) => {
  const asked = indexedDB.open(name);
  asked.onupgradeneeded = () => asked.transaction.abort();
  asked.onerror = () => done(-1);
  asked.onsuccess = () => {
    const all = asked.result.transaction('outbox').objectStore('outbox').getAll();
    all.onsuccess = () => { asked.result.close(); done(all.result.length); };
  };
})"""
"""How many saves wait in an outbox; -1 if there isn’t one."""

KEPT = """(name) => caches.open(name).then((kept) => kept.keys()).then((all) => all.length)"""

STOPPED = """([there, kind]) => new Promise((done) => {
  const tell = ({ effectiveDirective }) => done(effectiveDirective);
  document.addEventListener('securitypolicyviolation', tell, { once: true });
  const made = document.createElement(kind);
  Object.assign(made, kind === 'form' ? { method: 'post', action: there } : { src: there });
  document.body.append(made);
  made.submit?.();
  setTimeout(done, 3000, 'let through');
})"""
"""Which part of the policy stops a form or a frame of another house."""

TAKEN = """([mine, theirs]) => navigator.serviceWorker
  .register(`${mine}/sw.js`, { scope: `${theirs}/` }).then(() => 'taken', () => 'stopped')"""
"""Whether one house's worker can take over another's pages."""

RENEWED = """(path) => navigator.serviceWorker.register(`${path}/sw.js?v=2`).then(() => true)"""
"""Another version of the worker, as after an update of the server."""

IN_CHARGE = """() => navigator.serviceWorker.controller?.scriptURL.endsWith('v=2')"""

AWAY = ("Failed to load resource", "Failed to fetch", "net::ERR")


class House:
    """A house of the server, with a game in which Ana, Ben and Cleo sit."""

    def __init__(self, folder: Path, title: str, empty: Path) -> None:
        self.folder = furnish(folder, title, empty)
        self.path = f"/h/{self.folder.name}"
        with closing(Database(f"sqlite:///{self.folder / FILE}")) as database:
            self.pub = Table(database).pub

    def link(self, role: Role) -> str:
        """A link for one phone."""
        with closing(Door(self.folder / doors.FILE)) as door:
            return f"{self.path}/join?game={self.pub}#{door.invite(role)}"

    def join(self, phone: Phone, role: Role = Role.PLAY) -> None:
        """Let a phone in, which is shared by those at the table."""
        phone.open(self.link(role))
        phone.tap("#join")
        phone.page.wait_for_url(
            re.compile("/who$|/g/[a-z2-7]{10}$"), wait_until="commit", timeout=30_000
        )
        phone.open(f"{self.path}/g/{self.pub}")


@pytest.fixture(scope="module")
def hosted(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path
) -> Iterator[tuple[Laydown, Path]]:
    folder = tmp_path_factory.mktemp("hosted")
    with Laydown(folder, "--houses", str(folder / "houses")) as server:
        yield server, folder / "houses"


@pytest.fixture
def house(hosted: tuple[Laydown, Path], migrated_sqlite: Path) -> House:
    return House(hosted[1], "Club", migrated_sqlite)


@pytest.fixture
def phone(hosted: tuple[Laydown, Path], new_phone: PhoneMaker) -> Phone:
    made = new_phone("house", hosted[0].url, own=True)
    made.tolerated = AWAY
    return made


def wait_until(page: Page, question: str, name: str, answer: int, seconds: float = 30) -> None:
    """Wait until a question to the page's stores has this answer."""
    until = time.monotonic() + seconds
    while page.evaluate(question, name) != answer and time.monotonic() < until:
        time.sleep(0.1)
    assert page.evaluate(question, name) == answer


def wait_for_worker(phone: Phone, house: House) -> None:
    """Wait until the phone has kept the pad that it shows."""
    wait_until(phone.page, KEPT, f"pads {house.path}/", 1)


def count(page: Page) -> None:
    """Count a round: the first is out, the others keep 60."""
    page.locator("#count-round").tap()
    expect(page.locator("#count")).to_be_visible()
    out, *others = (
        page.locator("#count [id^=out-]").first,
        *page.locator("#count [id^=left-]").all()[1:],
    )
    out.tap()
    for each in others:
        each.tap()
        page.locator("#digits [data-key='6']").tap()
        page.locator("#digits [data-key='0']").tap()
    page.locator("#save").tap()


def test_a_link_is_joined_with_one_tap_and_leaves_no_secret_behind(
    house: House, phone: Phone
) -> None:
    phone.open(f"{house.path}/g/{house.pub}")
    phone.sees("You’re not in")
    phone.open(house.link(Role.PLAY))
    assert "#" not in phone.page.url
    expect(phone.page.locator("#typed")).to_be_hidden()
    phone.tap("#join")
    phone.page.wait_for_url("**/who", wait_until="commit", timeout=30_000)
    phone.tap(phone.page.get_by_role("button", name="Ana"))
    phone.sees("Round 1")
    assert not any("#" in url for url in phone.page.evaluate("[document.referrer]"))


def test_a_game_opens_and_counts_without_a_network_and_a_new_version_loses_nothing(
    hosted: tuple[Laydown, Path], house: House, phone: Phone, new_phone: PhoneMaker
) -> None:
    house.join(phone)
    wait_for_worker(phone, house)
    context = phone.page.context
    phone.go_offline()
    phone.page.close()
    phone.page = context.new_page()
    phone.page.goto(f"{phone.url}{house.path}/")
    phone.page.wait_for_url(f"**/g/{house.pub}")
    expect(phone.page.locator(".head .top p").first).to_contain_text("Offline")
    count(phone.page)
    expect(phone.page.locator("#board")).to_contain_text("unsent")
    assert phone.page.evaluate(OUTBOX, f"laydown {house.path}") == 1
    # A new version of the worker comes with the network: it takes over, and what waits is sent.
    phone.come_back()
    phone.page.evaluate(RENEWED, house.path)
    phone.page.wait_for_function(IN_CHARGE, timeout=30_000)
    expect(phone.page.locator("#board tr[data-now]")).to_contain_text("2", timeout=20_000)
    wait_until(phone.page, OUTBOX, f"laydown {house.path}", 0)
    with closing(Database(f"sqlite:///{house.folder / FILE}")) as database:
        assert database.version_of(house.pub) == "2.0"


def test_a_phone_that_is_sent_away_says_so_and_keeps_nothing_but_what_it_has_not_sent(
    house: House, phone: Phone
) -> None:
    house.join(phone)
    wait_for_worker(phone, house)
    with closing(Door(house.folder / doors.FILE)) as door:
        keeper = door.join(door.invite(Role.KEEP), "", "")
        [sent] = [each.id for each in door.devices() if each.role is Role.PLAY]
        door.change(sent, Role.NOBODY)
    assert keeper
    phone.sees("You’re not in")
    wait_until(phone.page, KEPT, f"pads {house.path}/", 0)


def test_an_unsent_round_waits_until_the_phone_is_in_again(house: House, phone: Phone) -> None:
    house.join(phone)
    page = phone.page
    page.locator("#count-round").tap()
    expect(page.locator("#count")).to_be_visible()
    with closing(Door(house.folder / doors.FILE)) as door:
        door.join(door.invite(Role.KEEP), "", "")
        [sent] = [each.id for each in door.devices() if each.role is Role.PLAY]
        door.change(sent, Role.NOBODY)
    page.locator("#count [id^=out-]").first.tap()
    for each in page.locator("#count [id^=left-]").all()[1:]:
        each.tap()
        page.locator("#digits [data-key='5']").tap()
    page.locator("#save").tap()
    phone.sees("isn’t in")
    assert page.evaluate(OUTBOX, f"laydown {house.path}") == 1
    house.join(phone)
    wait_until(page, OUTBOX, f"laydown {house.path}", 0, 40)
    with closing(Database(f"sqlite:///{house.folder / FILE}")) as database:
        assert database.version_of(house.pub) == "2.0"


def test_a_phone_that_may_only_watch_is_offered_nothing_to_enter(
    house: House, phone: Phone
) -> None:
    house.join(phone, Role.WATCH)
    phone.sees("Round 1")
    expect(phone.page.locator("#count-round")).to_be_hidden()
    phone.open(f"{house.path}/")
    for name in ("#new", "#score"):
        assert not [each for each in phone.page.locator(name).all() if each.is_visible()]


def test_a_script_that_got_into_one_house_reaches_no_page_of_another(
    hosted: tuple[Laydown, Path], house: House, phone: Phone, migrated_sqlite: Path
) -> None:
    """What the content policy stops, though both have one origin and the phone is in both.

    What a browser stores by origin it doesn’t stop: docs/scale.md says so.
    """
    other = House(hosted[1], "Two", migrated_sqlite)
    other.join(phone, Role.KEEP)
    house.join(phone)
    phone.tolerated = (*AWAY, "Content Security Policy", "scope")
    page = phone.page
    there = f"{other.path}/players"
    fetched = page.evaluate("(there) => fetch(there).then(() => 'read', () => 'stopped')", there)
    posted = page.evaluate(STOPPED, [there, "form"])
    framed = page.evaluate(STOPPED, [there, "iframe"])
    worker = page.evaluate(TAKEN, [house.path, other.path])

    assert (fetched, posted, framed, worker) == ("stopped", "form-action", "frame-src", "stopped")


def test_what_waits_in_one_house_is_not_sent_by_another(
    hosted: tuple[Laydown, Path], house: House, phone: Phone, migrated_sqlite: Path
) -> None:
    other = House(hosted[1], "Two", migrated_sqlite)
    other.join(phone)
    house.join(phone)
    wait_for_worker(phone, house)
    phone.go_offline()
    phone.page.reload()
    count(phone.page)
    expect(phone.page.locator("#board")).to_contain_text("unsent")
    phone.page.goto(f"{phone.url}{other.path}/g/{other.pub}")

    assert phone.page.evaluate(OUTBOX, f"laydown {house.path}") == 1
    assert phone.page.evaluate(OUTBOX, f"laydown {other.path}") == 0
    assert "unsent" not in phone.page.locator("#board").inner_text()
