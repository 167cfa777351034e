"""Scoring at the table: correcting, undoing, and names that stay readable."""

from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, start_count, start_game

NAMES = ("Ana", "Ben", "Cleo")
LONG = ("Anna", "Annika", "Grandma Edith", "Maximiliane")


def test_the_first_digit_replaces_a_saved_number(phone: Phone) -> None:
    start_count(phone, NAMES)
    Counting(phone).fill("Ana", {"Ben": "10", "Cleo": "20"})
    Counting(phone).save()

    phone.tap(Pad(phone).cell(1, "Ben").locator("a"))
    for digit in "15":
        phone.tap(f"#digits [data-key='{digit}']")
    expect(Counting(phone).hand("Ben").locator("[name^='left']")).to_have_value("15")
    phone.press("Save the correction")
    Pad(phone).shows({"Ben": 15})


def test_undo_names_what_it_undoes_on_every_phone(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_count(one, NAMES)
    two.open(game)
    Counting(one).fill("Ana", {"Ben": "10", "Cleo": "20"})
    Counting(one).save()
    for phone in (one, two):
        expect(phone.page.locator(".done")).to_contain_text("Round 1 saved")

    two.tap(Pad(two).cell(1, "Ben").locator("a"))
    Counting(two).write("Ben", "15")
    two.press("Save the correction")
    done = one.page.locator(".done")
    expect(done).to_contain_text("The correction of Ben in round 1 saved", timeout=5_000)

    one.tap("#undo-last")
    for phone in (one, two):
        expect(phone.page.locator(".done")).to_contain_text("undone", timeout=5_000)
        assert phone.page.locator("button:has-text('Redo')").count() == 1
    Pad(two).shows({"Ben": 10})
    assert one.page.inner_text("#said") == ""


def test_names_stay_on_one_line_and_differ(phone: Phone) -> None:
    for width in (320, 360):
        phone.page.set_viewport_size({"width": width, "height": 640})
        start_game(phone, LONG)
        names = phone.page.locator(".pad thead .nm")
        shown = [name.inner_text().splitlines()[0] for name in names.all()]
        assert len(set(shown)) == len(LONG)
        for name in names.all():
            box = name.bounding_box()
            assert box
            assert box["height"] < 24
            assert name.evaluate("e => e.scrollWidth <= e.clientWidth"), shown
        letters = [each.inner_text()[:2] for each in phone.page.locator(".pad thead .disc").all()]
        assert len(set(letters)) == len(LONG)


def test_ending_a_game_asks_first(phone: Phone) -> None:
    start_game(phone, NAMES)
    phone.tap("#more-button")
    expect(phone.page.locator("#endings")).to_be_hidden()
    phone.tap("#end")
    phone.sees("You can reopen it.")
    phone.tap("#endings")
    expect(phone.page.locator("#rematches")).to_be_visible()
