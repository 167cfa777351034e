"""Phones for the browser tests; each must end its test with nothing wrong on it."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.phone import Phone
from tests.servers import Laydown
from webapp.db import Database

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}

PhoneMaker = Callable[..., Phone]


@pytest.fixture
def new_phone(
    request: pytest.FixtureRequest, chromium: Browser, server: Laydown
) -> Iterator[PhoneMaker]:
    """A function that makes a phone: `new_phone("ana", color_scheme="dark")`."""
    made: list[Phone] = []
    Phone.pictures = request.config.getoption("--pictures")

    def make(name: str = "phone", url: str = server.url, **options: object) -> Phone:
        settings = {"viewport": SMALL, "has_touch": True, "reduced_motion": "reduce"}
        phone = Phone(chromium.new_context(**settings | options), url, name)
        made.append(phone)
        return phone

    yield make
    wrong = [f"{phone.name}: {each}" for phone in made for each in phone.wrong]
    for phone in made:
        phone.page.context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def database(server: Laydown) -> Iterator[Database]:
    """The database of the server that runs, so that long games need no thousand taps."""
    database = Database(f"sqlite:///{server.instance / 'laydown.db'}", patience=5.0)
    yield database
    database.close()


@pytest.fixture
def phone(new_phone: PhoneMaker) -> Phone:
    """One phone of 360 by 640."""
    return new_phone()
