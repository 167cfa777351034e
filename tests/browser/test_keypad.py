"""One keypad for every count: one box in hand, one Next, one way to type, by thumb or keyboard."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, start_count

NAMES = ("Rosa", "Tom", "Lucy", "Mia")
KINDS = {
    "Mexican Rummy": ("60", "35", "20", "40"),
    "Rummikub": ("15", "35", "20", "40"),
    "Remigio": ("15", "35", "20", "40"),
    "500 Rum": ("60", "5", "30", "20", "45", "10", "15", "25"),
    "Mexican Rummy, eleven phases": ("60", "65", "70", "75"),
    "Just points": ("60", "35", "20", "40"),
    "Canasta": ("245", "180", "20", "75"),
}
"""What is in the boxes, down the page."""

BADGE_ABOVE_ROW = """(box) => box.closest('.hand').getBoundingClientRect().top
  - box.getBoundingClientRect().top - parseFloat(getComputedStyle(box, '::before').top)"""
"""How far the “?” of a box is above its row, where the head would cut the first one."""


def boxes(phone: Phone) -> Locator:
    return phone.page.locator(".num input:not(#shown)")


def typed(phone: Phone) -> list[str]:
    return [box.input_value() for box in boxes(phone).all()]


def here(phone: Phone) -> str:
    return phone.page.locator("[data-here]").get_attribute("id") or ""


def fill(phone: Phone, kind: str) -> None:
    start_count(phone, NAMES, kind)
    phone.page.locator("#tell").wait_for()
    for place, text in enumerate(KINDS[kind]):
        boxes(phone).nth(place).fill(text)


@pytest.mark.parametrize("kind", KINDS)
def test_next_selects_each_full_box_once_and_changes_nothing(phone: Phone, kind: str) -> None:
    fill(phone, kind)
    # A number that the rules speak against would be turned to first.
    phone.page.evaluate("mark({})")
    seen = []
    for _ in KINDS[kind]:
        phone.tap("[data-key='next'] >> visible=true")
        seen.append(here(phone))
        box = phone.page.locator("[data-here]")
        picked = box.evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)")
        assert picked == box.input_value()

    assert sorted(seen) == sorted(box.get_attribute("id") or "" for box in boxes(phone).all())
    assert typed(phone) == [*KINDS[kind]]
    expect(phone.page.locator("#count")).to_be_visible()


@pytest.mark.parametrize("kind", ["Mexican Rummy", "Canasta"])
def test_the_first_digit_replaces_a_number_delete_empties_it_and_plus_goes_on(
    phone: Phone, kind: str
) -> None:
    fill(phone, kind)
    box = boxes(phone).nth(1)

    def keys(*names: str) -> None:
        for name in names:
            phone.tap(f"#digits [data-key='{name}']")

    phone.tap(box)
    keys("4", "0")
    expect(box).to_have_value("40")
    phone.tap(box)
    keys("+", "5")
    expect(box).to_have_value("40+5")
    keys("back")
    expect(box).to_have_value("40+")
    # Coming to the box in hand selects it, too.
    phone.tap(box)
    keys("back")
    expect(box).to_have_value("")


def test_next_goes_to_what_is_empty_then_to_what_is_odd(phone: Phone) -> None:
    start_count(phone, NAMES)
    counting = Counting(phone)
    counting.out("Rosa")
    counting.write("Lucy", "650")
    counting.write("Mia", "20")
    counting.next()
    expect(counting.hand("Tom").locator("[data-here]")).to_be_visible()
    counting.type("35")
    odd = counting.hand("Lucy").locator("[data-odd]")
    expect(odd).to_be_visible()
    assert odd.evaluate(BADGE_ABOVE_ROW) <= 0

    counting.next()

    expect(counting.hand("Lucy").locator("[data-here]")).to_be_visible()
    counting.next()
    expect(counting.hand("Mia").locator("[data-here]")).to_be_visible()


def test_a_player_who_goes_out_has_laid_something_and_then_the_next_has(phone: Phone) -> None:
    start_count(phone, NAMES, "500 Rum")
    counting = Counting(phone)
    counting.out("Lucy")

    seen = []
    for text in ("60", "30", "20", "45", "10", "15", "25"):
        seen.append(phone.page.locator(".hand:has([data-here]) .nm").inner_text())
        counting.type(text)
        counting.next()

    assert seen == ["Lucy", "Mia", "Mia", "Rosa", "Rosa", "Tom", "Tom"]


@pytest.mark.parametrize("kind", ["Mexican Rummy", "Canasta"])
def test_a_keyboard_works_at_once(new_phone: PhoneMaker, kind: str) -> None:
    laptop = new_phone("laptop", viewport={"width": 1280, "height": 800}, has_touch=False)
    start_count(laptop, NAMES, kind)
    expect(boxes(laptop).first).to_be_focused()
    keyboard = laptop.page.keyboard

    keyboard.type("35")
    keyboard.press("Enter")
    keyboard.type("20")
    assert typed(laptop)[:2] == ["35", "20"]

    keyboard.press("ArrowUp")
    keyboard.type("+5")
    assert typed(laptop)[:2] == ["35+5", "20"]
    keyboard.press("ArrowDown")
    keyboard.type("40")
    assert typed(laptop)[:2] == ["35+5", "40"]

    # Also while the focus is elsewhere, such as on an Out that was tapped.
    laptop.page.locator("[name='out']").first.focus()
    keyboard.type("+15")
    assert typed(laptop)[:2] == ["35+5", "40+15"]
    laptop.page.locator("[name='out']").first.focus()
    keyboard.type("20")
    assert typed(laptop)[:2] == ["35+5", "20"]


def test_a_whole_round_is_typed_and_saved_on_a_keyboard(new_phone: PhoneMaker) -> None:
    laptop = new_phone("laptop", viewport={"width": 1280, "height": 800}, has_touch=False)
    start_count(laptop, NAMES)
    keyboard = laptop.page.keyboard
    keyboard.press("o")
    for text in ("35", "20", "40"):
        keyboard.type(text)
        keyboard.press("Enter")

    Pad(laptop).shows({"Rosa": 0, "Tom": 35, "Lucy": 20, "Mia": 40})


@pytest.mark.parametrize("kind", ["Mexican Rummy", "Mexican Rummy, eleven phases", "500 Rum"])
def test_five_rows_are_above_the_keypad_which_stays_where_it_is(phone: Phone, kind: str) -> None:
    start_count(phone, (*NAMES, "Grandad"), kind)
    expect(phone.page.locator("#tell")).to_have_text("Still need Rosa, Tom and 3 more")
    tray, rows = phone.page.locator(".tray"), phone.page.locator(".hand:not(.nobody)")
    tops = set()

    def look() -> None:
        above, last = tray.bounding_box(), rows.last.bounding_box()
        assert above
        assert last
        assert last["y"] + last["height"] <= above["y"]
        tops.add(above["y"])

    look()
    counting = Counting(phone)
    for name in ("Tom", "Lucy", "Mia", "Grandad"):
        counting.write(name, "65")
        look()
    counting.out("Rosa")
    look()
    counting.write("Mia", "650")
    expect(phone.page.locator("#tell")).to_have_attribute("data-is", "doubt")
    look()
    assert len(tops) == 1


def test_what_is_laid_and_left_shows_the_new_total_at_once(phone: Phone) -> None:
    start_count(phone, NAMES, "500 Rum")
    counting = Counting(phone)
    heads = phone.page.locator(".colhead span")
    expect(heads).to_have_text(["Player", "Out", "Laid +", "Left −"])

    counting.out("Tom")
    counting.type("95")
    expect(counting.hand("Tom").locator(".sum")).to_have_text("0 → 95")

    counting.write("Lucy", "15")
    expect(counting.hand("Lucy").locator(".sum")).to_have_text("0 → −15")
    expect(counting.hand("Mia").locator(".sum")).to_have_text("0 so far")


def test_beside_a_keyboard_the_totals_take_the_place_of_the_keys(new_phone: PhoneMaker) -> None:
    laptop = new_phone("laptop", viewport={"width": 1280, "height": 800}, has_touch=False)
    start_count(laptop, NAMES)
    expect(laptop.page.locator("#digits")).to_be_hidden()
    keyboard = laptop.page.keyboard
    keyboard.press("o")
    for text in ("35", "20", "40"):
        keyboard.type(text)
        if text != "40":
            keyboard.press("Enter")

    ranked = laptop.page.locator(".after li")
    expect(ranked.locator("b")).to_have_text(["Rosa", "Lucy", "Tom", "Mia"])
    expect(ranked.locator(".fig")).to_have_text(["0", "20", "35", "40"])
    expect(ranked.locator("small")).to_have_text(["Out", "+20", "+35", "+40"])

    laptop.page.locator("#show-keys").click()
    expect(laptop.page.locator("#digits")).to_be_visible()


def test_totals_from_10_000_on_are_ranked_too(new_phone: PhoneMaker) -> None:
    laptop = new_phone("laptop", viewport={"width": 1280, "height": 800}, has_touch=False)
    start_count(laptop, NAMES, "Just points")
    for text in ("12000", "35", "15000", "20"):
        laptop.page.keyboard.type(text)
        if text != "20":
            laptop.page.keyboard.press("Enter")

    expect(laptop.page.locator(".hand .sum b")).to_have_text(["12,000", "35", "15,000", "20"])
    ranked = laptop.page.locator(".after li")
    expect(ranked.locator(".fig")).to_have_text(["15,000", "12,000", "35", "20"])
    expect(ranked.locator("small")).to_have_text(["+15,000", "+12,000", "+35", "+20"])


@pytest.mark.parametrize("kind", ["Mexican Rummy", "Canasta"])
def test_a_sum_that_is_too_long_shows_its_end(phone: Phone, kind: str) -> None:
    start_count(phone, NAMES, kind)
    box = boxes(phone).nth(1)
    phone.tap(box)
    for key in "5+5+10":
        phone.tap(f"#digits [data-key='{key}']")
    expect(phone.page.locator(".num[data-long]")).to_have_count(0)
    for key in "+20+5+15+10+20+5+15+10+20":
        phone.tap(f"#digits [data-key='{key}']")

    expect(box).to_have_value("5+5+10+20+5+15+10+20+5+15+10+20")
    around = phone.page.locator(".num[data-long]")
    expect(around).to_have_count(1)
    assert around.evaluate("e => getComputedStyle(e, '::after').content") == '"…"'
    expect(around.locator("output")).to_have_text("140")
    end = "e => e.scrollLeft + e.clientWidth >= e.scrollWidth - 1"
    assert box.evaluate(end)
    # Still so once another box is in hand.
    phone.tap(boxes(phone).nth(2))
    phone.page.wait_for_function(end, arg=box.element_handle())


@pytest.mark.parametrize("kind", ["Mexican Rummy", "Canasta"])
def test_the_line_asks_who_went_out_and_offers_nobody(phone: Phone, kind: str) -> None:
    fill(phone, kind)
    line = phone.page.locator("#tell")
    expect(line).to_have_text("Who went out? Nobody")

    phone.tap(line.get_by_role("button", name="Nobody", exact=True))

    expect(phone.page.locator("#out-nobody")).to_be_checked()
    expect(line).to_have_attribute("data-is", "in")
    phone.tap("#save")
    expect(phone.page.locator("#board")).to_be_visible()
