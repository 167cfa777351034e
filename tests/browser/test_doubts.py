"""What a sheet that asks about a score names is what its buttons act on, in each kind of count."""

from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, start_count, start_game

NAMES = ("Rosa", "Tom", "Lucy", "Mia")


class Round(NamedTuple):
    """A round of which one box is odd: what is typed into each, down the page."""

    variant: str
    typed: tuple[str, ...]
    """An empty text is left alone."""
    odd: int
    """The place of the odd one."""
    says: str
    left: str
    """What the button on the left says."""
    before: str = "[name='out']"
    """What is tapped first."""
    after: str = ""
    """What is tapped then, as somebody who goes out has a way to close."""


ROUNDS = [
    Round(
        *("Mexican Rummy", ("", "35", "650", "20"), 2),
        *("Lucy has 650 in hand?", "Save with 650"),
    ),
    Round("Rummikub", ("", "35", "20", "999"), 3, "Mia has 999 on the rack?", "Save with 999"),
    Round(
        *("Remigio", ("", "500", "10", "20"), 1),
        *("Tom has 500 in hand?", "Save with 500"),
        after="[name='close']",
    ),
    Round(
        *("500 Rum", ("60", "", "30", "20", "-15", "20", "30", "25"), 4),
        *("Lucy laid −15?", "Save with −15"),
    ),
    Round(
        "Mexican Rummy, eleven phases",
        ("", "60", "45", "60"),
        2,
        "Lucy has 45 in hand?",
        "Save with 45",
    ),
    Round(
        *("Canasta", ("245", "40", "20", "75"), 1),
        *("Tom and Mia melded 40?", "Save with 40"),
        before="[data-step='1'] >> nth=0",
        after="[name='out'] >> nth=0",
    ),
]


def fill(phone: Phone, told: Round) -> list[str]:
    """Fill in a round and save it, which asks; answers what is in the boxes then."""
    start_count(phone, NAMES, told.variant)
    phone.page.locator("#tell").wait_for()
    phone.tap(phone.page.locator(told.before).first)
    if told.after:
        phone.tap(phone.page.locator(told.after).first)
    boxes = phone.page.locator(".num input:not(#shown)")
    for place, text in enumerate(told.typed):
        if text:
            boxes.nth(place).fill(text)
    expect(phone.page.locator("#tell")).to_have_attribute("data-is", "doubt")
    odd = phone.page.locator("#count .num[data-odd] input")
    expect(odd).to_have_count(1)
    assert odd.get_attribute("id") == boxes.nth(told.odd).get_attribute("id")
    phone.tap("#save")
    expect(phone.page.locator("#asks h2")).to_have_text(told.says)
    phone.shoot(f"asks-{told.variant}")
    return [box.input_value() for box in boxes.all()]


@pytest.mark.parametrize("told", ROUNDS, ids=lambda told: told.variant)
def test_the_right_button_changes_the_box_that_it_names_and_no_other(
    phone: Phone, told: Round
) -> None:
    before = fill(phone, told)
    who = told.says.split(" ")[0]
    assert phone.page.locator("#change").inner_text().startswith(f"Change {who}")

    phone.tap("#change")
    expect(phone.page.locator("#asks")).to_have_count(0)
    boxes = phone.page.locator(".num input:not(#shown)")
    expect(boxes.nth(told.odd)).to_have_attribute("data-here", "")
    phone.page.keyboard.type("65")

    expect(phone.page.locator("#count .num[data-odd]")).to_have_count(0)
    after = [*before[: told.odd], "65", *before[told.odd + 1 :]]
    assert [box.input_value() for box in boxes.all()] == after


@pytest.mark.parametrize("told", ROUNDS, ids=lambda told: told.variant)
def test_the_left_button_saves_it_as_it_was_typed(phone: Phone, told: Round) -> None:
    before = fill(phone, told)

    phone.press(told.left)
    expect(phone.page.locator("#board")).to_be_visible()

    phone.open(urlsplit(phone.page.url).path + "/rounds/1")
    boxes = phone.page.locator(".num input:not(#shown)")
    kept = [box.input_value() for box in boxes.all()]
    assert [text for text in kept if text not in {"", "0"}] == [text for text in before if text]


def test_a_row_of_several_odd_boxes_leads_to_its_own(phone: Phone) -> None:
    start_count(phone, NAMES)
    Counting(phone).fill("Rosa", {"Tom": "48", "Lucy": "650", "Mia": "20"})
    phone.tap("#save")
    expect(phone.page.locator("#asks h2")).to_have_text("Tom 48 and Lucy 650?")

    phone.tap(phone.page.locator(".asks button", has_text="Lucy"))
    phone.page.keyboard.type("65")

    typed = [box.input_value() for box in phone.page.locator(".num input").all()]
    assert typed == ["", "48", "65", "20"]


def leave_one_empty(phone: Phone) -> list[str]:
    """Fill in a round of Just points but for Tom, and save it, which asks; answers the boxes."""
    start_count(phone, NAMES, "Just points")
    boxes = phone.page.locator(".num input")
    for place, text in ((0, "12"), (2, "8"), (3, "-5")):
        boxes.nth(place).fill(text)
    tell = phone.page.locator("#tell")
    expect(tell).to_have_text("Tom’s box is empty.")
    expect(tell).to_have_attribute("data-is", "wait")
    phone.page.wait_for_timeout(600)
    expect(tell).to_have_text("Tom’s box is empty.")
    expect(phone.page.locator("#count .num[data-odd]")).to_have_count(0)
    phone.tap("#save")
    expect(phone.page.locator("#asks h2")).to_have_text("Tom: 0?")
    phone.shoot("asks-empty")
    return [box.input_value() for box in boxes.all()]


def test_an_empty_box_is_entered_by_the_right_button_and_no_other_changes(phone: Phone) -> None:
    assert leave_one_empty(phone) == ["12", "", "8", "-5"]

    phone.press("Enter Tom’s points")
    expect(phone.page.locator("#asks")).to_have_count(0)
    phone.page.keyboard.type("65")

    boxes = phone.page.locator(".num input")
    assert [box.input_value() for box in boxes.all()] == ["12", "65", "8", "-5"]
    expect(phone.page.locator("#tell")).to_contain_text("Ready.")
    phone.tap("#save")
    Pad(phone).shows({"Rosa": 12, "Tom": 65, "Lucy": 8, "Mia": -5})


def test_an_empty_box_is_0_by_the_left_button_and_a_tick_asks_no_more(phone: Phone) -> None:
    leave_one_empty(phone)
    phone.tap("#zeros")
    phone.press("Save with 0 for Tom")
    Pad(phone).shows({"Rosa": 12, "Tom": 0, "Lucy": 8, "Mia": -5})

    phone.tap("#count-round")
    phone.page.locator(".num input").first.fill("1")
    expect(phone.page.locator("#tell")).to_contain_text("3 empty boxes count as 0.")
    phone.tap("#save")
    Pad(phone).shows({"Rosa": 13, "Tom": 0, "Lucy": 8, "Mia": -5})


def test_nobody_went_out_is_a_line_of_the_page_and_asks_nothing(phone: Phone) -> None:
    start_count(phone, NAMES)

    Counting(phone).fill("", dict.fromkeys(NAMES, "60"))
    expect(phone.page.locator("#tell")).to_have_attribute("data-is", "in")
    Counting(phone).save()

    Pad(phone).shows(dict.fromkeys(NAMES, 60))


def test_a_phase_that_was_not_ticked_is_not_made(phone: Phone) -> None:
    start_count(phone, NAMES, "Mexican Rummy, eleven phases")
    counting = Counting(phone)
    counting.fill("Rosa", dict.fromkeys(NAMES[1:], "60"))
    counting.made("Rosa")
    expect(phone.page.locator("#tell")).to_contain_text("Rosa didn’t make it?")

    phone.tap("#save")
    phone.press("Save anyway")

    expect(phone.page.locator("#board")).to_be_visible()
    expect(phone.page.locator(".pad th", has_text="Rosa")).to_contain_text("phase 1")


def test_the_own_row_is_first_as_soon_as_a_phone_says_whose_it_is(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    path = start_game(one, NAMES)
    two.open(path)

    for phone, name in ((one, "Lucy"), (two, "Mia")):
        # The count was opened before: in another order.
        Pad(phone).count(1)
        phone.press("Scores")
        phone.open(f"{path}/who?change=1")
        phone.press(name)
        Pad(phone).count(1)
        first = phone.page.locator("#count .hand").first
        expect(first.locator("b label")).to_contain_text(name)
        expect(first.locator("[data-here]")).to_be_visible()
        Counting(phone).by("cards")
        expect(phone.page.locator("#sum-says")).to_have_text(f"{name}: tap each card.")
