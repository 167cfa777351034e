"""How the pages look, measured: letters and boxes, on small screens and with large letters."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, start_count
from tests.browser.played import counted
from tests.browser.test_reach import ON_ITS_SIDE, TOO_WIDE, look, pages
from tests.examples import in_turn
from tests.servers import Laydown
from tests.webapp.books import add_players
from webapp.db import Database
from webapp.players.queries import MOST_OPEN

LEAST_LETTERS = 13
"""CSS pixels."""

SMALL_LETTERS = """least => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: each, textContent } = walk.currentNode;
    const size = parseFloat(getComputedStyle(each).fontSize);
    const text = textContent.trim();
    // A sheet of paper is drawn by the millimetre.
    if (!text || size >= least || each.closest('.vh, svg, .leaf, .a4')) continue;
    if (each.checkVisibility()) found.add(`${text.slice(0, 20)}: ${size}`);
  }
  return [...found];
}"""

BROKEN_WORDS = """() => [...document.querySelectorAll('.pad em, .hand .nm')].flatMap((each) => {
  const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
  return [...text.textContent.matchAll(/[^\\s-]+-?/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word);
})"""

OVERLAPS = """() => {
  const shown = '.pad .total, .pad .cell > span:first-child, .pad td a > span:first-child, .pad em';
  const boxes = [...document.querySelectorAll(shown)]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each.firstChild);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      // A box of letters is as tall as their font says, which may be more than their line; what is
      // drawn stays within the line, in the middle of that.
      const line = parseFloat(getComputedStyle(each).lineHeight) || bottom - top;
      const spare = Math.max(0, bottom - top - line) / 2;
      return [each, { left, right, top: top + spare, bottom: bottom - spare }];
    });
  // What stays while the rest is scrolled may well lie over it.
  const stays = (each) => each.closest('.across th, .across .total, thead');
  const faults = [];
  for (const [place, [one, a]] of boxes.entries()) {
    for (const [other, b] of boxes.slice(place + 1)) {
      if (Boolean(stays(one)) !== Boolean(stays(other))) continue;
      if (one.closest('td, th') === other.closest('td, th')) continue;
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (x > 1 && y > 1) faults.push(`${one.textContent.trim()} over ${other.textContent.trim()}`);
    }
  }
  return faults;
}"""

HIDDEN_TOTALS = """() => [...document.querySelectorAll('.pad td.total')].filter((each) => {
  const { left, right } = each.getBoundingClientRect();
  return left < -1 || right > document.documentElement.clientWidth + 1;
}).map((each) => each.id)"""

WIDEST = """() => {
  const right = (each) => each.getBoundingClientRect().right;
  const [widest] = [...document.querySelectorAll('main *')].sort((a, b) => right(b) - right(a));
  return `${right(widest)}: ${widest.outerHTML.slice(0, 120)}`;
}"""
"""What reaches furthest to the right."""

DRAWN_AGAIN = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
"""A page hears of its new width with the next frame, and shortens names then."""

NAMES = (
    "Ana", "Ben", "Cleo", "Dov", "Maximiliane", "Fritz", "Grandma Edith", "Jo",
    "Wilhelmina-Alexandra", "Xochiquetzal",
)  # fmt: skip
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
DRAWN = ["color-contrast", "link-in-text-block", "target-size"]
"""What is asked of each look; all other rules ask what there is, which is the same in each."""

MOST_IN_MEXICAN_RUMMY = 8
PARTS = 3
"""In how many parts the pages are looked at; one of them in every run."""
LOOKS = {
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
    "much contrast": {"contrast": "more"},
    # The last one, as every page is opened in it.
    "light": {"color_scheme": "light"},
}
ON = {"enabled": True}
PLAIN = {"color_scheme": "light", "forced_colors": "none", "contrast": "no-preference"}
"""What a phone asks for that nobody has set."""

USUAL = {"standard": 16, "fixed": 13}
LARGE = {name: 2 * size for name, size in USUAL.items()}
"""CSS pixels of letters, as a browser has them and as somebody may set them."""

QUICK = {"resultTypes": ["violations"], "preload": False, "selectors": False}
"""Nothing but what is wrong; none of the rules wants what axe would else load once more."""

VIOLATIONS = "options => axe.run(options).then(found => found.violations)"


def play(phone: Phone, names: tuple[str, ...]) -> str:
    """Start a game and count a round; answers its path."""
    path = start_count(phone, names)
    Counting(phone).fill(names[0], dict.fromkeys(names[1:], "65"))
    Counting(phone).save()
    return path


@pytest.fixture(scope="module")
def games(database: Database) -> dict[int, str]:
    """The paths of games of two, four, eight and ten with a round counted each."""
    return {
        count: counted(database, NAMES[:count], "remigio", close="closed")
        if count > MOST_IN_MEXICAN_RUMMY
        else counted(database, NAMES[:count], "mexican-rummy")
        for count in (2, 4, 8, 10)
    }


def measure(page: Page, what: str, faults: list[str]) -> None:
    """Look for names broken inside a word, numbers over numbers, and totals off the screen."""
    page.evaluate(DRAWN_AGAIN)
    faults += [f"{what}: broken {each}" for each in page.evaluate(BROKEN_WORDS)]
    faults += [f"{what}: {each}" for each in page.evaluate(OVERLAPS)]
    faults += [f"{what}: {each} is off the screen" for each in page.evaluate(HIDDEN_TOTALS)]
    if page.evaluate(TOO_WIDE):
        faults.append(f"{what}: scrolls sideways")


@pytest.mark.parametrize("players", in_turn((10, 2, 4, 8), each=2))
def test_names_and_totals_of_any_table_can_be_read(
    new_phone: PhoneMaker, games: dict[int, str], players: int
) -> None:
    phone = new_phone("many")
    faults: list[str] = []
    for page in ("", "/rounds/2", "/sheet"):
        phone.open(f"{games[players]}{page}")
        upright = ({"width": width, "height": 640} for width in (320, 360, 640, 1280))
        for size in (*upright, *ON_ITS_SIDE):
            phone.page.set_viewport_size(size)
            measure(phone.page, f"{page} at {size}", faults)
            look(phone.page, f"{page} at {size}", faults)
    assert not faults, "\n".join(faults)


@pytest.mark.longest
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.release) for part in range(1, PARTS))]
)
def test_whatever_is_shown_can_be_read_and_is_in_nobodys_way(
    new_phone: PhoneMaker, games: dict[int, str], part: int
) -> None:
    """A part of the pages as they are, as axe sees them in each look, and with large letters."""
    phone = new_phone("look")
    faults: list[str] = []
    for name, path in [*pages(games[10]).items()][part::PARTS]:
        if path.startswith(games[10]):
            phone.open(path)
            faults += [f"{name} of ten: {each}" for each in small_letters(phone)]
    # A browser compiles what every page begins with only once.
    phone.page.add_init_script(Axe().axe_script)
    for name, path in [*pages(games[4]).items()][part::PARTS]:
        phone.open(path)
        faults += [f"{name}: {each}" for each in small_letters(phone)]
        faults += [f"{name}, {each}" for each in in_each_look(phone)]
    assert not faults, "\n".join(faults)


def in_each_look(phone: Phone) -> Iterator[str]:
    """What is wrong with a page that has axe, in each look and with large letters."""
    settings = phone.page.context.new_cdp_session(phone.page)
    # So tall that nothing lies under the bar, where axe would take it for a small target.
    phone.page.set_viewport_size({"width": SMALL["width"], "height": 9000})
    yield from in_the_way(phone.page)
    settings.send("Page.setFontSizes", {"fontSizes": LARGE})
    # A phone loads its pages with its letters; names are measured as they load.
    phone.page.evaluate("dispatchEvent(new Event('resize'))")
    yield from (f"large letters, {each}" for each in covered(phone.page))
    settings.send("Page.setFontSizes", {"fontSizes": USUAL})
    phone.page.set_viewport_size(SMALL)
    settings.detach()


def small_letters(phone: Phone) -> list[str]:
    """Letters that are smaller than they may be."""
    return list(phone.page.evaluate(SMALL_LETTERS, LEAST_LETTERS))


def in_the_way(page: Page) -> Iterator[str]:
    """What axe finds, in each look; the page has it loaded, and is light again afterwards."""
    for asked, media in LOOKS.items():
        page.emulate_media(**PLAIN | media)
        # Colors that are forced are the person's own, and no page chooses them.
        chosen = {"color-contrast": {"enabled": "forced_colors" not in media}}
        options = {"runOnly": RULES, "rules": chosen} | QUICK
        if asked != "light":
            drawn = [rule for rule in DRAWN if chosen.get(rule, ON)["enabled"]]
            options = {"runOnly": {"type": "rule", "values": drawn}} | QUICK
        for rule in page.evaluate(VIOLATIONS, options):
            places = [node["html"][:120] for node in rule["nodes"]]
            yield f"{asked}: {rule['id']}: {places[:3]}"


def covered(page: Page) -> Iterator[str]:
    """Numbers that lie over numbers, and pages that scroll sideways, on narrow screens."""
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate(DRAWN_AGAIN)
        if page.evaluate(TOO_WIDE):
            yield f"{width}: scrolls sideways, {page.evaluate(WIDEST)}"
        yield from (f"{width}: {each}" for each in page.evaluate(OVERLAPS))


def test_what_is_in_the_way_is_found_in_each_look(phone: Phone) -> None:
    phone.page.set_content("<main><h1>Pale</h1><p>grey on grey</p></main>")
    phone.page.add_style_tag(
        content="""
        @media (prefers-color-scheme: dark) { p { color: #999; background: #888; } }
        @media (prefers-contrast: more) { p { color: #999; background: #888; } }
        """
    )
    phone.page.evaluate(Axe().axe_script)
    found = {}
    for asked, media in LOOKS.items():
        phone.page.emulate_media(**PLAIN | media)
        options = {"runOnly": RULES, "resultTypes": ["violations"]}
        violations = phone.page.evaluate(VIOLATIONS, options)
        found[asked] = "color-contrast" in {rule["id"] for rule in violations}
    # A browser that forces colors does so over these as well.
    assert found == {"light": False, "dark": True, "forced colours": False, "much contrast": True}


def test_a_quiet_button_can_be_read_in_each_look(phone: Phone, games: dict[int, str]) -> None:
    phone.open(f"{games[2]}/rounds/2")
    save = phone.page.locator("#save[aria-disabled='true']")
    for media in LOOKS.values():
        phone.page.emulate_media(**PLAIN | media)
        ink, ground = save.evaluate(
            "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
        )
        assert ink != ground, media


def test_a_long_list_of_players_fits_a_narrow_screen_in_large_letters(
    new_phone: PhoneMaker, alone: Laydown
) -> None:
    with closing(Database(f"sqlite:///{alone.instance / 'laydown.db'}", patience=5.0)) as database:
        add_players(database, MOST_OPEN + 1)
    phone = new_phone("long-list", url=alone.url)
    phone.page.set_viewport_size({"width": 320, "height": 568})
    phone.open("/players")
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not phone.page.evaluate(TOO_WIDE), phone.page.evaluate(WIDEST)


def test_what_opens_over_a_page_is_reached_by_keys_alone(phone: Phone) -> None:
    play(phone, NAMES[:4])
    more = phone.page.locator("#more-button")
    more.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#more")).to_be_visible()
    phone.page.keyboard.press("Tab")
    assert phone.page.evaluate("document.activeElement.id") == "share"
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("#more")).to_be_hidden()
    assert phone.page.evaluate("document.activeElement.id") == "more-button"


def test_a_tap_beside_a_sheet_closes_it_and_does_nothing_behind_it(phone: Phone) -> None:
    phone.open("/rules/shanghai-rummy/change")
    phone.page.evaluate("document.querySelectorAll('.chapter').forEach(each => each.open = true)")
    rule = phone.page.locator("#r-ace")
    phone.tap("#to-contents")
    expect(phone.page.locator("#contents")).to_be_visible()
    rule.evaluate("each => scrollBy(0, each.getBoundingClientRect().top - 30)")
    box = rule.bounding_box()
    assert box
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.touchscreen.tap(box["x"] + 50, box["y"] + 10)
    expect(phone.page.locator("#contents")).to_be_hidden()
    # By the time that another rule is open, this one would be, too.
    phone.tap("#r-run")
    expect(phone.page.locator("#open > #r-run")).to_be_visible()
    assert "open=ace" not in " ".join(asked)


def test_a_tap_beside_more_opens_no_page_behind_it(phone: Phone) -> None:
    play(phone, NAMES[:4])
    phone.tap("#more-button")
    expect(phone.page.locator("#more")).to_be_visible()
    # A browser may have scrolled to the button, and a tap must be on the page.
    phone.page.evaluate("scrollTo(0, 0)")
    box = phone.page.locator("#board #top-link").bounding_box()
    assert box
    phone.page.touchscreen.tap(box["x"] + 10, box["y"] + 10)
    expect(phone.page.locator("#more")).to_be_hidden()
    phone.page.wait_for_timeout(300)
    expect(phone.page.locator("#board")).to_be_visible()


def test_more_opens_without_scripts(new_phone: PhoneMaker, games: dict[int, str]) -> None:
    phone = new_phone("plain", java_script_enabled=False)
    phone.open(games[4])
    phone.tap("#more-button")
    phone.tap("#so-far")
    phone.heading("Score sheet")
    phone.tap("#notes")
    phone.heading("Notes")


def test_the_first_score_of_a_table_that_plays_again(new_phone: PhoneMaker, alone: Laydown) -> None:
    phone = new_phone(url=alone.url)
    play(phone, NAMES[:4])
    phone.tap("#more-button")
    phone.tap("#end")
    phone.tap("#endings")
    expect(phone.page.locator("#rematches")).to_be_visible()
    phone.taps = 0

    phone.open()
    phone.press("Play again")
    count_six_digits(phone)
    assert phone.taps <= 12

    phone.open("/games/new")
    expect(phone.page.locator("#seated li > b")).to_have_text(list(NAMES[:4]))


def count_six_digits(phone: Phone) -> None:
    """Count the first round of four: six digits and who went out."""
    Pad(phone).count(1)
    counting = Counting(phone, thumb=True)
    counting.fill(NAMES[0], {"Ben": "65", "Cleo": "60", "Dov": "55"})
    counting.save()
