"""Phones for the browser tests; each must end its test with nothing wrong on it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession

from tests.browser.phone import Phone
from tests.servers import Laydown
from webapp.db import Database

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}

PhoneMaker = Callable[..., Phone]


class Contexts:
    """Browser contexts that tests use one after another: to begin one takes a process.

    A page is new in each test, and nothing is left of what the last one stored.
    """

    def __init__(self, chromium: Browser) -> None:
        """Begin none."""
        self._chromium = chromium
        self._free: dict[str, list[BrowserContext]] = {}
        self._of: dict[BrowserContext, tuple[str, CDPSession]] = {}

    def take(self, *, own: bool, **settings: Any) -> BrowserContext:
        """Answer a context of these settings that nobody uses, nor will: it is the test's `own`."""
        if own:
            return self._chromium.new_context(**settings)
        key = repr(sorted(settings.items()))
        free = self._free.setdefault(key, [])
        if free:
            return free.pop()
        context = self._chromium.new_context(**settings)
        # The process stays for as long as there is a page in it.
        self._of[context] = key, context.new_cdp_session(context.new_page())
        return context

    def give_back(self, phone: Phone) -> None:
        """Take a phone's page away, and all that is left of it."""
        context = phone.page.context
        # Playwright once never came back from putting one online whose page was just closed.
        if context not in self._of or phone.was_offline:
            context.close()
            return
        key, stays = self._of[context]
        phone.close()
        context.clear_cookies()
        everything = {"origin": phone.url, "storageTypes": "all"}
        stays.send("Storage.clearDataForOrigin", everything)
        self._free[key].append(context)


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Contexts:
    """The contexts of the browser."""
    return Contexts(chromium)


@pytest.fixture
def new_phone(
    request: pytest.FixtureRequest, contexts: Contexts, server: Laydown
) -> Iterator[PhoneMaker]:
    """A function that makes a phone: `new_phone("ana", color_scheme="dark")`.

    Whoever changes what stays changed for every page (Playwright's `page.clock`) wants `own=True`.
    """
    made: list[Phone] = []
    Phone.pictures = request.config.getoption("--pictures")

    def make(
        name: str = "phone", url: str = server.url, *, own: bool = False, **options: object
    ) -> Phone:
        settings = {"viewport": SMALL, "has_touch": True, "reduced_motion": "reduce"}
        phone = Phone(contexts.take(own=own, **settings | options), url, name)
        made.append(phone)
        return phone

    yield make
    wrong = [f"{phone.name}: {each}" for phone in made for each in phone.wrong]
    for phone in made:
        contexts.give_back(phone)
    assert wrong == []


@pytest.fixture(scope="session")
def database(server: Laydown) -> Iterator[Database]:
    """The database of the server that runs, so that long games need no thousand taps."""
    database = Database(f"sqlite:///{server.instance / 'laydown.db'}", patience=5.0)
    yield database
    database.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Laydown]:
    """A server at which nobody has played."""
    with Laydown(tmp_path) as running:
        yield running


@pytest.fixture
def phone(new_phone: PhoneMaker) -> Phone:
    """One phone of 360 by 640."""
    return new_phone()
