"""Players who move, sit out, leave and join in the middle of a game, played with thumbs."""

from playwright.sync_api import expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import Counting, Phone, start_game

FIVE = ("Ana", "Ben", "Cleo", "Dov", "Eve")
THUMB = 44


def score(phone: Phone, game: str, number: int, out: str, left: dict[str, str]) -> None:
    phone.open(f"{game}/rounds/{number}")
    Counting(phone).fill(out, left)
    Counting(phone).save()


def does(phone: Phone, game: str, name: str, *choices: str) -> None:
    """Choose what a player does, and tap the button that says so."""
    phone.open(f"{game}/seats")
    phone.tap(phone.page.locator(".name", has_text=name))
    sheet = phone.page.locator(".sheet:popover-open")
    for choice in choices:
        phone.tap(sheet.locator("label, .chip").filter(has_text=choice).last)
    phone.tap(sheet.locator(".go"))


def order(phone: Phone) -> list[str]:
    names: list[str] = phone.page.locator(".order .name > b").evaluate_all(
        "all => all.map((each) => each.firstChild.textContent)"
    )
    return names


def drag(phone: Phone, name: str, onto: str) -> None:
    """Drag a seat by its grip onto another one."""
    rows = phone.page.locator(".order li")
    grip = rows.filter(has_text=name).locator(".grip").bounding_box()
    there = rows.filter(has_text=onto).bounding_box()
    assert grip
    assert there
    mouse = phone.page.mouse
    mouse.move(grip["x"] + 5, grip["y"] + grip["height"] / 2)
    mouse.down()
    mouse.move(grip["x"] + 5, there["y"] + there["height"] * 0.7, steps=8)
    mouse.up()


def test_an_evening_in_which_everybody_moves(new_phone: PhoneMaker) -> None:
    phone = new_phone("players", own=True, viewport=SMALL)
    game = start_game(phone, FIVE)
    score(phone, game, 1, "Ana", {"Ben": "30", "Cleo": "45", "Dov": "60", "Eve": "10"})

    does(phone, game, "Eve", "Leaves without a place")
    phone.sees("Left without a place: Eve, after round 1.")
    does(phone, game, "Dov", "Sits out round 2", "The average")
    phone.sees("sits out round 2 · average")
    expect(phone.page.locator(".sheet:popover-open")).to_have_count(0)
    drag(phone, "Ana", "Cleo")
    expect(phone.page.locator(".order li").nth(2)).to_contain_text("Ana")
    assert order(phone) == ["Ben", "Cleo", "Ana", "Dov"]
    phone.tap(phone.page.get_by_label("Move Dov up"))
    expect(phone.page.locator(".order li").nth(2)).to_contain_text("Dov")
    assert order(phone) == ["Ben", "Cleo", "Dov", "Ana"]
    phone.shoot("list")

    score(phone, game, 2, "Ben", {"Cleo": "15", "Ana": "60"})
    phone.open(f"{game}/seats")
    phone.press("Add a player")
    phone.page.fill("#name", "Finn")
    phone.tap(phone.page.locator("label", has_text="As much as last place"))
    # 30, 60, 85 and 60: the round that Dov sat out counts 25.
    expect(phone.page.locator("#joins")).to_have_text("Finn joins with 85")
    phone.tap(phone.page.locator("label", has_text="The average"))
    expect(phone.page.locator("#joins")).to_have_text("Finn joins with 60")
    phone.shoot("join")
    phone.tap("#joins")
    expect(phone.page.locator("#seated")).to_contain_text("Finn")

    score(phone, game, 3, "Finn", {"Ben": "10", "Cleo": "20", "Dov": "30", "Ana": "40"})
    totals = {"Ben": 40, "Cleo": 80, "Dov": 115, "Ana": 100, "Finn": 60}
    board = phone.page.locator("#totals li")
    for name, total in (totals | {"Eve": "–"}).items():
        expect(board.filter(has_text=name)).to_contain_text(str(total))

    phone.tap("[popovertarget='more']")
    phone.tap("#end")
    phone.tap("#endings")
    phone.sees("Ben wins")
    phone.open(f"{game}/result")
    phone.sees("Ben wins")
    podium = phone.page.locator(".podium").inner_text()
    assert all(f"{name}\n{totals[name]}" in podium for name in ("Ben", "Finn", "Cleo"))
    assert "Eve" not in podium
    message = phone.page.locator("#result").inner_html()
    assert "Finn 60" in message
    assert "Eve" not in message
    phone.open(f"{game}/sheet")
    assert "Eve" not in phone.page.locator("svg.chart").inner_html()
    phone.open(f"{game}/print")
    names = phone.page.locator("thead th > span:last-child").all_inner_texts()
    names = [name.strip() for name in names]
    sums = phone.page.locator("tr.tot td").all_inner_texts()
    printed = dict(zip(names, sums, strict=True))
    assert printed == {name: str(total) for name, total in totals.items()} | {"Eve": "–"}
    phone.open("/standings")
    assert "Eve" not in phone.page.locator("main").inner_text()


def test_every_arrow_is_as_wide_as_a_thumb(new_phone: PhoneMaker) -> None:
    for width in (320, 360, 1280):
        phone = new_phone(f"players-{width}", viewport={"width": width, "height": 640})
        phone.open(f"{start_game(phone, FIVE)}/seats")
        for box in [each.bounding_box() for each in phone.page.locator(".mv button").all()]:
            assert box
            assert min(box["width"], box["height"]) >= THUMB
            assert box["x"] + box["width"] <= width
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
