"""Whether everybody can use the pages: size, reach, width, color, focus."""

import random
import re
from itertools import combinations, product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import Counting, Pad, start_game
from tests.browser.played import counted
from tests.crash import phone as plain_phone
from tests.servers import Laydown
from webapp.db import Database
from webapp.ledger.ledger import new_key
from webapp.players.queries import read_players
from webapp.players.tokens import TOKENS
from webapp.web.assets import ROOT

SIDE = 24
"""CSS pixels from the edge within which a pinned column begins."""

THUMB = 44
"""CSS pixels, each way, that a target needs; links within a sentence are as the sentence is."""

SMALLEST = {"width": 320, "height": 568}
LARGE = {"width": 1280, "height": 800}
ON_ITS_SIDE = ({"width": 640, "height": 360}, {"width": 568, "height": 320})
"""A phone that is held so, and a small one."""

SMALL_TARGETS = """thumb => [...document.querySelectorAll(
    'a, button, input, select, summary, textarea')]
  .filter(each => each.checkVisibility() && !each.closest('p, cite, .vh') && each.type !== 'hidden')
  .map(each => {
    const chip = each.closest('.chip, .slot, .num, .short div');
    const { width, height } = (chip ?? each).getBoundingClientRect();
    // Under the tokens of five to eight, a tap on the box beside opens the same round.
    const least = each.closest('.tokens tbody') ? 27 : thumb;
    return { width, height, least, what: each.id || each.textContent.trim() || each.outerHTML };
  })
  .filter(({ width, height, least }) => width < least - .5 || height < thumb - .5)
  .map(({ what, width, height }) => `${what}: ${Math.round(width)} by ${Math.round(height)}`)"""
UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
LEAST_LETTERS = 11
"""CSS pixels that the letters of a chart need."""

LETTERS = """[...document.querySelectorAll('.chart text')].map(
    each => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""
COVERED = """each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return !each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def game(database: Database, server: Laydown) -> str:
    """The path of a game of eight with long names, one round counted."""
    names = (
        "Ana", "Wilhelmina-Alexandra", "Ñandú Ibáñez y Goicoech", "Bo",
        "Maximiliane", "Dov", "Hortensia", "Xochiquetzal",
    )  # fmt: skip
    path = counted(database, names, "eleven-phases", "125")
    who = next(player.id for player in database.read(read_players) if player.name == "Bo")
    plain = plain_phone.Phone(server.url, random.Random(5))
    for name in ("Bonaventura-Maria", "Bo"):
        plain.save(f"/players/{who}/name", {"key": new_key(), "name": name})
    plain.hang_up()
    return path


@pytest.fixture(scope="module")
def long_pad(server: Laydown) -> str:
    """The path of a game of ten with thirty rounds, counted by plain forms: pages take longer."""
    plain = plain_phone.Phone(server.url, random.Random(5))
    new = plain.get("/games/new?variant=remigio").form("key")
    names = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz", "Gert", "Hal", "Ivo", "Jo")
    assert new
    seats = [("seat", f"+{name}") for name in names]
    path = plain.save("/games", [*new.fields.items(), *seats]).location
    for number in range(1, 31):
        address = f"{path}/rounds/{number}"
        count = plain.get(address).form("key")
        assert count
        players = [name.removeprefix("base-") for name in count.fields if name.startswith("base")]
        out = players[number % len(players)]
        left = {f"left-{who}": str(number + 3 * place) for place, who in enumerate(players)}
        fields = {**count.fields, **left, f"left-{out}": "", "out": out, "close": "closed"}
        plain.save(address, fields)
    plain.hang_up()
    return path


def pages(game: str) -> dict[str, str]:
    """Every kind of page, by the name of its screenshot."""
    melds = "meld-1=7C+7D+8H&meld-2=4D+5D+2S+7D"
    hand = "put=1&step=2&hand=7C+7D+7H+4D+5D+2S+7D+KD+KH+AC+8H"
    names = ("Wilhelmina-Alexandra", "Bo", "Hortensia", "Xochiquetzal", "Dov", "Maximiliane")
    partners, more = "&".join(f"seat=%2B{name}" for name in names), "kept=9S&total=1500&untaken=1"
    table = "table-1=R7+B7+K7&table-2=B4+B5+B6+B7&table-3=O9+O10+O11+O12+O13"
    return {
        "home": "/",
        "new": "/games/new?variant=eleven-phases&seat=%2BAna&seat=%2BMaximiliane&dealer=%2BAna",
        "history": "/history",
        "players": "/players",
        "player": "/players/1",
        "pair": "/players/1/against/2",
        "standings": "/standings",
        "changes": "/players/changes",
        "settings": "/settings",
        "keeping": "/keeping",
        "rules-index": "/rules",
        "rules": "/rules/mexican-rummy",
        "ask-index": "/ask",
        "ask": f"{game}/ask",
        "ask-typed": "/ask/mexican-rummy?q=take+the+joker",
        "answer": "/ask/mexican-rummy/king-ace-two",
        "desk": f"/desk/mexican-rummy?ask=laydown&step=2&{melds}",
        "layoff": "/desk/mexican-rummy?ask=layoff&step=2&cards=8D&onto=4D+5D+2S+7D",
        "swap": "/desk/mexican-rummy?ask=swap&step=2",
        "teams": f"/games/new?variant=canasta&key=k&tap=%2BBo&{partners}",
        "team-desk": f"/desk/canasta?own-1=KS+KH+KD&add-1=KC&meld-1=4S+4H+4D&{more}",
        "team-pile": f"/desk/hand-and-foot?ask=pickup&pile=9S+KC&own-1=QS+QH+QD&{more}",
        "pad": game,
        "count": f"{game}/rounds/2",
        "correct": f"{game}/rounds/1/hands/2",
        "sheet": f"{game}/sheet",
        "evening": f"{game}/evening",
        "share": f"{game}/share",
        "seats": f"{game}/seats",
        "joining": f"{game}/seats/new",
        "notes": f"{game}/notes",
        "phones": f"{game}/phones",
        "phone": f"{game}/phones/1",
        "print": f"{game}/print",
        "paper": "/print/rummikub",
        "game-desk": f"{game}/desk",
        "advice": "/desk/mexican-rummy/advice",
        "advice-bad": "/desk/mexican-rummy/advice?put=1&hand=7X&table-1=7C+7D+8H",
        "advice-found": f"/desk/mexican-rummy/advice?{hand}&table-1=4H+5H+6H+7H",
        "advice-missed": "/desk/mexican-rummy/advice?put=1&step=1&hand=7C+7D+8C+8D+8H+KS",
        "advice-closed": "/desk/remigio/advice?put=1&hand=AH+2H+3H+4H+7C+7D+7S+KS+KH+KD+9D",
        "advice-tiles": f"/desk/rummikub/advice?put=1&hand=R4+K4+R9+O8&{table}",
        "game-advice": f"{game}/desk/advice",
        "error": "/g/aaaaaaaaaa",
        "imports": "/imports",
        "exports": "/exports",
        "never-scored": "/history?part=bare",
        "found": "/desk?find=rum",
        "points": "/games/new?variant=just-points&seat=%2BAna&seat=%2BBo",
        "who": f"{game}/who?change=1",
        "clock": f"{game}/clock",
        "add-own": "/games/own/add",
    }


def look(page: Page, name: str, faults: list[str]) -> None:
    """Measure the page as it is shown."""
    faults += [f"{name}: {each}" for each in page.evaluate(SMALL_TARGETS, THUMB)]
    if page.evaluate(TOO_WIDE):
        faults.append(f"{name}: scrolls sideways")


def test_targets_and_width(new_phone: PhoneMaker, game: str) -> None:
    """Each page is opened once for all that is measured on it."""
    phone = new_phone("page")
    faults: list[str] = []
    for name, path in pages(game).items():
        phone.open(path)
        phone.page.evaluate(UNFOLD)
        for scheme in ("dark", "light") if phone.pictures else ():
            phone.page.emulate_media(color_scheme=scheme)
            phone.shoot(f"{scheme}-{name}")
        for size in (SMALL, SMALLEST, *ON_ITS_SIDE, LARGE):
            phone.page.set_viewport_size(size)
            look(phone.page, f"{name}, {size['width']} by {size['height']}", faults)
        phone.shoot(f"wide-{name}")
        phone.page.set_viewport_size(SMALL)
    assert not faults, "\n".join(faults)


def test_the_keys_of_every_count(new_phone: PhoneMaker) -> None:
    phone = new_phone("keys")
    faults: list[str] = []
    for game, out in (("Rummikub", "nobody"), ("Remigio", "1"), ("Rummy 500", "nobody")):
        start_game(phone, ("Ana", "Ben"), game)
        Pad(phone).count(1)
        counting = Counting(phone)
        for way in ("digits", "cards"):
            counting.by(way)
            phone.shoot(f"{game}-{way}".lower().replace(" ", "-"))
            for size in ({"width": 320, "height": 568}, SMALL):
                phone.page.set_viewport_size(size)
                look(phone.page, f"{game}, {way}, {size['width']}", faults)
        counting.out("Ana") if out == "1" else phone.tap("#out-nobody")
        look(phone.page, f"{game}, out", faults)
        if game == "Rummikub":
            phone.press("Scores")
            phone.tap("#more-button")
            phone.tap("#clock")
            expect(phone.page.locator("#clock-face")).to_be_visible()
            phone.page.wait_for_load_state("load")
            look(phone.page, "clock", faults)
        phone.shoot(f"{game}-out".lower().replace(" ", "-"))
    assert not faults, "\n".join(faults)


def test_a_pad_of_ten_and_thirty(new_phone: PhoneMaker, long_pad: str) -> None:
    phone = new_phone("long")
    phone.open(long_pad)
    pad = phone.page.locator("#sheet")
    expect(pad.locator("tbody tr")).to_have_count(10)
    # The round that is played stands first, beside the totals.
    expect(pad.locator("tbody [data-now]").first).to_be_in_viewport(ratio=1)
    expect(pad.locator("thead th").nth(1)).to_contain_text("31")
    phone.shoot("begins")
    pad.evaluate("pad => { pad.scrollLeft = 600; }")

    for pinned in (pad.locator("tbody th").nth(3), pad.locator("tbody .total").nth(3)):
        expect(pinned).to_be_in_viewport(ratio=1)
    assert pad.locator("tbody th").nth(3).bounding_box()["x"] < SIDE
    assert not phone.page.evaluate(TOO_WIDE)
    phone.shoot("scrolled")


def test_the_chart_of_ten_and_thirty(new_phone: PhoneMaker, long_pad: str) -> None:
    phone = new_phone("chart")
    phone.open(f"{long_pad}/sheet")
    boxes = [text.bounding_box() for text in phone.page.locator(".chart text").all()]
    assert len(boxes) > 10
    for one, other in combinations(sorted(boxes, key=lambda box: box["x"]), 2):
        # The box of a line of text is higher than its letters.
        beside = one["x"] + one["width"] <= other["x"]
        assert beside or abs(one["y"] - other["y"]) >= LEAST_LETTERS
    assert all(box["x"] + box["width"] <= SMALL["width"] for box in boxes)
    sizes = phone.page.evaluate(LETTERS)
    assert min(sizes) >= LEAST_LETTERS, sizes
    phone.page.locator(".chart").scroll_into_view_if_needed()
    phone.shoot("of-ten")


def test_a_phone_on_its_side_shows_what_is_counted(new_phone: PhoneMaker, game: str) -> None:
    phone = new_phone("side", viewport=ON_ITS_SIDE[0])
    for size in ON_ITS_SIDE:
        phone.page.set_viewport_size(size)
        phone.open(f"{game}/rounds/2")
        phone.page.locator("#digits, #cards").locator("visible=true").first.wait_for()
        for what in (".num input", "#tell"):
            assert not phone.page.locator(what).first.evaluate(COVERED), (what, size)


def tokens() -> dict[str, dict[str, str]]:
    """Read the named colors of both themes."""
    text = (ROOT / "css" / "tokens.css").read_text(encoding="utf-8")
    light, _, dark = text.partition("@media (prefers-color-scheme: dark)")
    found = {
        name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part))
        for name, part in (("light", light), ("dark", dark))
    }
    return {"light": found["light"], "dark": found["light"] | found["dark"]}


def contrast(one: str, other: str) -> float:
    """Reckon the contrast of two colors as WCAG does."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_pair_of_colors_can_be_read(theme: str) -> None:
    named = tokens()[theme]
    texts = (
        *product(("ink", "soft"), ("ground", "paper", "tray", "melon")),
        *product(("legal", "illegal", "glow"), ("ground", "paper")),
        *product(("on-felt", "on-felt-soft", "gold"), ("felt", "lamp")),
        *(("on-main", "main"), ("on-tone", "tone"), ("ink", "fruit"), ("on-gold", "gold")),
        *(("legal", "legal-tint"), ("illegal", "illegal-tint"), ("ink", "tone")),
        *(("paper", "legal"), ("paper", "illegal"), ("paper", "glow"), ("star", "paper")),
    )
    for ink, ground in texts:
        assert contrast(named[ink], named[ground]) >= 4.5, (ink, ground)
    for control, ground in product(("edge", "glow"), ("paper", "melon")):
        assert contrast(named[control], named[ground]) >= 3, (control, ground)


def test_every_token_can_be_seen_and_its_letter_read() -> None:
    text = (ROOT / "css" / "tokens.css").read_text(encoding="utf-8")
    found = re.findall(
        r"data-p=\"(\d+)\"\] { --deep: (#\w+); --bright: (#\w+); --shape: ([^;]+)", text
    )
    assert [int(number) for number, *_ in found] == list(range(1, TOKENS + 1))
    # No two are told apart by their color alone.
    assert len({shape for *_, shape in found}) == TOKENS
    light, dark = tokens()["light"], tokens()["dark"]
    for _, deep, bright, _ in found:
        assert contrast(deep, light["paper"]) >= 4.5, deep
        assert contrast("#fffaf3", deep) >= 4.5, deep
        assert contrast("#2a1428", bright) >= 4.5, bright
        for ground in (light["felt"], light["lamp"], dark["felt"], dark["lamp"], dark["paper"]):
            assert contrast(bright, ground) >= 3, (bright, ground)


def test_the_suits_look_different() -> None:
    css = Path(ROOT) / "css"
    text = "".join((css / name).read_text(encoding="utf-8") for name in ("cards.css", "rows.css"))
    suits = re.findall(r"\[data-suit(?:=\"(\w)\")?\] { --suit: (#[0-9a-f]{6})", text)
    assert len({colour for _, colour in suits[:4]}) == 4
    for letter, suit in suits:
        # Cards are ink on ivory, tiles are white on color.
        for ground in ("#ffffff",) if letter in {"R", "B", "O"} else ("#fffefb", "#ffe3d3"):
            assert contrast(suit, ground) >= 4.5, suit
