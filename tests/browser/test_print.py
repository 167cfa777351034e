"""What comes out of the printer: one page, upright, and nothing on it too small to be read."""

import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from referee import variants
from tests.browser.conftest import PhoneMaker
from tests.browser.phone import ARTEFACTS, Phone
from tests.browser.test_reach import SMALL_TARGETS, THUMB, TOO_WIDE
from tests.examples import in_turn
from tests.webapp.table import Table
from webapp.db import Database
from webapp.ledger.ledger import FormKey, new_key
from webapp.pages.notes import commands as notes
from webapp.pages.scorepad import commands as taps

GAMES = [
    variants.get(slug)
    for slug in ("mexican-rummy", "rummikub", "remigio", "eleven-phases", "rummy-500")
]
"""Paper is looked at in a browser for these; the others have no other sheets."""
NAMES = (
    *("Ana", "Wilhelmina-Alexandra", "Ñandú Ibáñez y Goicoech", "Bo", "Maximiliane"),
    *("Dov", "Hortensia", "Xochiquetzal", "Jo", "Konstantin"),
)
SOME_GAMES = pytest.mark.parametrize(
    "variant", in_turn(GAMES[::-1], each=5), ids=lambda variant: variant.slug
)
PAPER = ("A4", "Letter")
POINT = 96 / 72
"""CSS pixels."""

LEAST_TYPE = 7 * POINT
LEAST_COUNT = 8 * POINT
"""What is read across a table is set larger than a footnote."""

TOO_SMALL = """([least, within]) => [...document.querySelectorAll(`.leaf ${within}`)]
  .filter(each => [...each.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
  .filter(each => !each.closest('sup, .vh'))
  .map(each => [each.textContent.trim(), parseFloat(getComputedStyle(each).fontSize)])
  .filter(([, size]) => size < least - .01)"""
CUT_OFF = """[...document.querySelectorAll('.leaf :is(th, td, td > span, tr, tbody, table)')]
  .filter(each => each.scrollWidth > each.clientWidth + 1
    || each.scrollHeight > each.clientHeight + 1)
  .map(each => `${each.tagName} ${each.textContent.trim().slice(0, 30)}`)"""


def play(database: Database, variant: Any, players: int, rounds: int) -> Table:
    """Play a game of so many players for so many rounds, with something of everything."""
    stake = {"stake": "0.05", "currency": "€"} if variant.pad.zero_sum else {}
    table = Table(database, NAMES[:players], variant.slug, **stake)
    ids = list(table.ids)
    for number in range(1, min(rounds, variant.rounds or rounds) + 1):
        if number == 3:
            _write_on(table, ids[0], variant)
        hands = {name: _hand(variant, number + place) for place, name in enumerate(ids)}
        hands[ids[number % players]] = "out"
        close = "closed" if variant.close else ""
        table.save(number, table.typed(number, sure=True, close=close, **hands))
    return table


def _write_on(table: Table, name: str, variant: Any) -> None:
    table.save(1, table.typed(1, only=name, sure=True, **{name: _hand(variant, 3)}))
    for number in (1, 2):
        sent = FormKey(key=new_key(), device="phone")
        table.database.write(notes.note, table.pub, number, "Played by candlelight.", sent)


def _hand(variant: Any, luck: int) -> str:
    if variant.pad.asks_table:
        return f"{luck % 4 * 5}/{luck % 3 * 5 + 5}"
    made = "made " if variant.climbs_alone and luck % 7 == 0 else ""
    return f"{made}{60 + luck % 9 * 5}"


def pages_of(pdf: bytes) -> int:
    """Count the pages of a PDF as Chromium writes it."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def hold_to(phone: Phone, name: str, least_count: float = LEAST_COUNT) -> None:
    """Print the page that is open on both papers, and look at it as the printer does."""
    page = phone.page
    for paper in PAPER:
        pdf = page.pdf(format=paper, print_background=False)
        if phone.pictures:
            ARTEFACTS.mkdir(exist_ok=True)
            (ARTEFACTS / f"print-{name}-{paper}.pdf").write_bytes(pdf)
        assert pages_of(pdf) == 1, (name, paper)
    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    assert page.evaluate(TOO_SMALL, [LEAST_TYPE, "*"]) == [], name
    assert page.evaluate(TOO_SMALL, [least_count, "tbody td *"]) == [], name
    assert page.evaluate(CUT_OFF) == [], name
    phone.shoot(f"print-{name}")
    page.emulate_media(media="null")


@SOME_GAMES
def test_a_blank_sheet_is_one_page(new_phone: PhoneMaker, variant: Any) -> None:
    phone = new_phone()
    for players in {variant.players[0], min(4, variant.players[-1]), variant.players[-1]}:
        phone.open(f"/print/{variant.slug}?players={players}")
        expect(phone.page.locator("thead th:not(.how)")).to_have_count(players)
        hold_to(phone, f"{variant.slug}-blank-{players}")
        assert phone.page.locator("tbody tr").count() == (variant.rounds or 20)


WORDS = """() => [...document.querySelectorAll('.a4 thead th > span:last-child > span')]
  .map(each => [each.textContent, each.getClientRects().length,
    each.offsetWidth <= each.closest('th').clientWidth + 1])"""
ROWS = """() => [...document.querySelectorAll('.a4 tbody tr')].slice(0, -2)
  .map(row => [...row.querySelectorAll('td')].map(each => each.firstChild.data))"""


@pytest.mark.parametrize(("players", "rounds"), [(8, 12), (5, 12), (8, 20)])
def test_a_game_is_one_page_with_every_round_and_no_broken_name(
    new_phone: PhoneMaker, database: Database, players: int, rounds: int
) -> None:
    names = ("Rosa", "Tom", "Grandma Edith", "Grandad", "Maximiliano", "Anne-Sophie", "Bo", "Ñandú")
    table = Table(database, names[:players], "remigio")
    ids = list(table.ids)
    for number in range(1, rounds + 1):
        hands = {name: str(60 + (number + place) % 9 * 5) for place, name in enumerate(ids)}
        hands[ids[number % players]] = "out"
        table.save(number, table.typed(number, sure=True, close="closed", **hands))
    table.tap(taps.finish_game)
    phone = new_phone()
    phone.open(f"/g/{table.pub}/print")
    page = phone.page
    for paper in PAPER:
        assert pages_of(page.pdf(format=paper)) == 1, paper

    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    scores = [["−" * (cell < 0) + str(abs(cell)) for cell in row] for row in _scores(table)]
    assert page.evaluate(ROWS) == scores
    found = page.evaluate(WORDS)
    assert [word for word, _, _ in found] == " ".join(names[:players]).split()
    assert {lines for _, lines, _ in found} == {1}
    assert all(fits for _, _, fits in found)
    if rounds == 12:
        sheet = page.locator(".a4").bounding_box()
        assert sheet
        assert sheet["height"] < 0.62 * 277 * 96 / 25.4
    phone.shoot("print-game")


def _scores(table: Table) -> list[list[int]]:
    return [[cell or 0 for cell in row] for row in table.scores()]


def test_a_game_of_each_kind_is_one_page(new_phone: PhoneMaker, database: Database) -> None:
    for variant in GAMES:
        table = play(database, variant, min(8, variant.players[-1]), 12)
        phone = new_phone()
        phone.open(f"/g/{table.pub}/print")
        assert pages_of(phone.page.pdf(format="A4")) == 1, variant.slug
        totals = phone.page.locator(".tot td").all_inner_texts()
        assert [int(text.replace("−", "-")) for text in totals] == table.totals()
        phone.sees("* corrected")
        phone.sees("Round 1: Played by candlelight.")


def test_above_twenty_rounds_the_names_are_on_the_second_page_too(
    new_phone: PhoneMaker, database: Database
) -> None:
    variant = next(each for each in GAMES if each.slug == "remigio")
    table = play(database, variant, 4, 60)
    phone = new_phone()
    phone.open(f"/g/{table.pub}/print")
    assert pages_of(phone.page.pdf(format="A4")) == 2
    head = phone.page.locator(".a4 thead")
    assert head.evaluate("each => getComputedStyle(each).display") == "table-header-group"


def test_ten_players_turn_the_page(new_phone: PhoneMaker, database: Database) -> None:
    table = Table(database, tuple(f"Player{place}" for place in range(10)), "remigio")
    ids = list(table.ids)
    for number in range(1, 13):
        hands = dict.fromkeys(ids, "60") | {ids[number % 10]: "out"}
        table.save(number, table.typed(number, sure=True, close="closed", **hands))
    table.tap(taps.finish_game)
    phone = new_phone()
    phone.open(f"/g/{table.pub}/print")
    pdf = phone.page.pdf(prefer_css_page_size=True)
    assert pages_of(pdf) == 1
    width, height = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0]
    assert float(width) > float(height)


def test_the_button_opens_the_dialog(new_phone: PhoneMaker, database: Database) -> None:
    table = play(database, GAMES[0], 3, 2)
    phone = new_phone()
    phone.page.add_init_script("window.asked = 0; window.print = () => { window.asked += 1; };")
    phone.open(f"/g/{table.pub}/print")
    expect(phone.page.locator("#by-hand")).to_be_hidden()
    assert phone.page.evaluate("window.asked") == 0
    phone.tap("#print")
    assert phone.page.evaluate("window.asked") == 1
    phone.open("/rules")
    phone.open(f"/g/{table.pub}/print#print")
    phone.page.wait_for_timeout(500)
    assert phone.page.evaluate("window.asked") == 1
    assert not phone.page.url.endswith("#print")


def test_without_scripts_the_page_says_how(new_phone: PhoneMaker) -> None:
    phone = new_phone("print-plain", java_script_enabled=False)
    phone.open(f"/print/{GAMES[0].slug}")
    expect(phone.page.locator("#print")).to_be_hidden()
    expect(phone.page.locator("#by-hand")).to_be_visible()
    phone.tap("#players-6")
    expect(phone.page.locator("thead th")).to_have_count(6)
    assert all(text.strip() for text in phone.page.locator("thead th").all_text_contents())
    phone.shoot("page")


def test_the_page_on_a_screen_is_the_page_on_paper(new_phone: PhoneMaker) -> None:
    phone = new_phone("print")
    phone.open(f"/print/{GAMES[0].slug}")
    for scheme, (width, height) in product(
        ("light", "dark"), ((320, 568), (360, 640), (1280, 800))
    ):
        phone.page.emulate_media(color_scheme=scheme)
        phone.page.set_viewport_size({"width": width, "height": height})
        assert not phone.page.evaluate(TOO_WIDE), (scheme, width)
        assert phone.page.evaluate(SMALL_TARGETS, THUMB) == [], (scheme, width)
        box = phone.page.locator(".leaf").bounding_box()
        assert box
        assert box["height"] / box["width"] == pytest.approx(275 / 210, rel=0.01)
        assert box["width"] <= width
        assert phone.page.evaluate(CUT_OFF) == [], (scheme, width)
        phone.shoot(f"page-{width}-{scheme}")
