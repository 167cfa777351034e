"""What goes over the air, counted byte by byte as the browser counts it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Phone
from tests.browser.played import counted
from tests.examples import in_turn
from tests.servers import Laydown
from tests.webapp.table import Table
from webapp.db import Database
from webapp.web.assets import ROOT, served

FIRST_VISIT = 51_000
"""Bytes of a first visit to a pad with the count in it; all other bytes are printed alone."""

REQUESTS = 6
"""Answers that a pad takes: each one more is felt on a weak Wi-Fi. Others take up to 2 more."""


@pytest.fixture(scope="module")
def server(memory: Path) -> Iterator[Laydown]:
    """A server of our own: a page grows with the people and games that other tests leave."""
    with Laydown(memory / "bytes", surroundings={"LAYDOWN_HOSTS": "lan.test"}) as running:
        yield running


@pytest.fixture(scope="module")
def database(server: Laydown) -> Iterator[Database]:
    """Its database."""
    database = Database(f"sqlite:///{server.instance / 'laydown.db'}", patience=5.0)
    yield database
    database.close()


@pytest.fixture(scope="module")
def others(database: Database) -> tuple[str, ...]:
    """Pages of other games: ten hands whose cards are counted by name, and a turn clock."""
    names = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz", "Gert", "Hal", "Ivo", "Jo")
    named = Table(database, names, "remigio").pub
    timed = Table(database, names[:2], "rummikub").pub
    pairs = Table(database, names[2:6], "canasta").pub
    return (
        *(f"/g/{named}", f"/g/{named}/rounds/1", f"/g/{timed}/clock"),
        *(f"/g/{pairs}", f"/g/{pairs}/rounds/1"),
    )


@pytest.fixture(scope="module")
def game(database: Database) -> str:
    """The path of a game of six with one round counted."""
    names = ("Ana", "Ben", "Cleo", "Dov", "Esperanza", "Fritz")
    return counted(database, names, "mexican-rummy")


def forget(page: Page) -> None:
    """Have a browser that was never here: nothing is left of it in its cache, nor a cookie."""
    page.goto("about:blank")
    page.context.clear_cookies()
    cache = page.context.new_cdp_session(page)
    cache.send("Network.enable")
    cache.send("Network.clearBrowserCache")
    # What is still in memory goes when none of it may be used.
    for disabled in (True, False):
        cache.send("Network.setCacheDisabled", {"cacheDisabled": disabled})
    cache.detach()


def visit(page: Page, address: str) -> tuple[dict[str, int], dict[str, int]]:
    """Load a page; answers the bytes of each answer, and of its body alone."""
    asked: list[Request] = []

    def hear(request: Request) -> None:
        asked.append(request)

    page.on("requestfinished", hear)
    page.goto(address)
    page.wait_for_timeout(100)
    page.remove_listener("requestfinished", hear)
    sizes, bodies = {}, {}
    for request in asked:
        if request.url.endswith("/board"):
            continue
        size = request.sizes()
        bodies[request.url] = size["responseBodySize"]
        sizes[request.url] = size["responseBodySize"] + size["responseHeadersSize"]
    return sizes, bodies


def pages(game: str) -> tuple[str, ...]:
    """Every kind of page there is."""
    desk = "desk?ask=laydown&step=2&meld-1=7C+7D+7H&meld-2=4D+5D+2S+7D"
    hand = "put=1&hand=7C+7D+7H+4D+5D+2S+7D+KD+KH+AC+8H"
    tiles = "&".join(f"table-{n}=R{n}+R{n + 1}+R{n + 2}+R{n + 3}" for n in (1, 5, 9))
    return (
        "/", "/games/new", "/history", "/players", "/rules", "/rules/mexican-rummy",
        "/rules/eleven-phases", "/rules/rummikub", "/desk/rummikub", "/ask", "/ask/rummikub",
        f"/{desk.replace('desk', 'desk/mexican-rummy', 1)}",
        game, f"{game}/seats", f"{game}/notes", f"{game}/rounds/2", f"{game}/rounds/1/hands/1",
        f"{game}/sheet", f"{game}/evening", f"{game}/share", f"{game}/print", "/print/rummikub",
        f"{game}/{desk}", f"{game}/desk/advice", f"{game}/desk/advice?{hand}",
        f"/desk/rummikub/advice?put=1&hand=R5+R9+B5+B6&{tiles}", "/nothing/here",
    )  # fmt: skip


@pytest.mark.parametrize("locale", in_turn(("en-US", "es-MX")))
def test_a_first_visit_is_light(
    new_phone: PhoneMaker, server: Laydown, game: str, others: tuple[str, ...], locale: str
) -> None:
    # Over plain http to another machine a browser takes gzip but no brotli: the heavier case.
    base = f"http://lan.test:{server.port}"
    phone = new_phone(url=base, locale=locale)
    for path in (*pages(game), *others):
        forget(phone.page)
        sizes, bodies = visit(phone.page, base + path)
        # A headless browser does not ask for the icon; a phone does.
        icon = phone.page.locator("link[rel=icon]").get_attribute("href") or ""
        sizes.setdefault(base + icon, len(phone.page.request.get(server.url + icon).body()))
        page, total = bodies[base + path], sum(sizes.values())
        styles, scripts = (
            sum(size for url, size in bodies.items() if url.endswith(kind))
            for kind in (".css", ".js")
        )
        print(
            f"{total:6} bytes in {len(sizes)} answers: "
            f"page {page:5}, styles {styles:5}, scripts {scripts:5}: {path[:40]}"
        )
        is_pad = path in {game, others[0], others[3]}
        assert len(sizes) <= (REQUESTS if is_pad else REQUESTS + 2), (path, sorted(sizes))
        assert total <= FIRST_VISIT or not is_pad, (path, sizes)
        # What had been kept from the page before would weigh nothing.
        assert all(bodies.values()), (path, bodies)
        assert styles, path


def test_a_second_visit_asks_for_the_page_alone(phone: Phone, game: str) -> None:
    phone.open(game)
    phone.open(game)
    fresh = [
        request
        for request in phone.page.evaluate(
            "performance.getEntriesByType('resource').filter(e => e.transferSize).map(e => e.name)"
        )
        if not request.endswith(("/board", "/icon.svg"))
    ]
    assert fresh == []


RULES = """style => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  const rules = [...sheet.cssRules].filter(rule => !(rule instanceof CSSFontFaceRule));
  return rules.map(rule => rule.cssText.replace(/([,:]) /g, '$1'));
}"""
"""The rules of a style as the browser reads them, with the blanks that are in functions."""


@pytest.mark.parametrize("style", sorted(file.name for file in (ROOT / "css").glob("*.css")))
def test_a_smaller_style_has_the_same_rules(phone: Phone, style: str) -> None:
    plain = (ROOT / "css" / style).read_text()
    smaller = served(ROOT, f"css/{style}").decode()

    assert phone.page.evaluate(RULES, smaller) == phone.page.evaluate(RULES, plain)
