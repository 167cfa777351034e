"""How many taps things take, counted."""

from playwright.sync_api import expect

from tests.browser.phone import Counting, Pad, Phone, lay, start_game

NAMES = ("Ana", "Ben", "Cleo", "Dov")


def test_saving_a_typed_round(phone: Phone) -> None:
    start_game(phone, NAMES)
    left = {"Ben": "65", "Cleo": "35", "Dov": "50"}
    before = phone.taps

    Pad(phone).count(1)
    Counting(phone).fill("Ana", left)
    Counting(phone).save()

    digits = sum(map(len, left.values()))
    out, nexts, review, save = 1, len(left) - 1, 1, 1
    assert phone.taps - before <= digits + out + nexts + review + save + 1


def test_a_rematch_is_one_tap(phone: Phone) -> None:
    game = start_game(phone, NAMES)
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35", "Dov": "50"})
    Counting(phone).save()
    phone.tap("#more summary")
    phone.press("End the game here")
    expect(phone.page.locator("#rematches")).to_be_visible()
    before = phone.taps

    phone.press("Rematch")

    expect(phone.page.locator("#count-round")).to_have_text("Count round 1")
    assert phone.taps - before == 1
    assert game not in phone.page.url


def test_cards_on_the_desk(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy?ask=meld")
    before = phone.taps
    for key in ("suit-D", "rank-4", "rank-5", "rank-6", "rank-7", "rank-8"):
        phone.tap(f"#{key}")
    expect(phone.page.locator("#answer")).to_have_text("✓ Legal")
    assert phone.taps - before == 6

    phone.open("/desk/mexican-rummy?ask=meld")
    before = phone.taps
    for key in ("suit-C", "rank-7", "suit-D", "rank-7", "suit-H", "rank-7"):
        phone.tap(f"#{key}")
    expect(phone.page.locator("#answer")).to_have_text("✓ Legal")
    assert phone.taps - before == 6


def test_a_wild_is_moved_and_a_hint_is_one_tap(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy?ask=laydown&step=3")
    lay(phone, ("KS AS 2S JS", "4D 5D 6D 7D"))
    expect(phone.page.locator("#answer")).to_contain_text("Not legal")

    phone.tap("[data-slot='meld-1'] .card >> nth=2")
    phone.tap("[data-by='-1']")
    phone.tap("[data-by='-1']")
    expect(phone.page.locator("#meld-1")).to_have_value("2S KS AS JS")

    phone.open("/desk/mexican-rummy?ask=laydown&step=3&meld-1=QS+KS+AS+2S&meld-2=4D+5D+6D+7D")
    hint = phone.page.locator("#hint-1")
    expect(hint).to_be_visible()
    phone.tap(hint)
    expect(phone.page.locator("#answer")).to_have_text("✓ Legal")
    phone.shoot("hint-taken")


def test_tapping_the_cards_that_are_left(phone: Phone) -> None:
    start_game(phone, ("Ana", "Ben"))
    Pad(phone).count(1)
    Counting(phone).out("Ana")
    phone.tap("[data-key='mode'] >> visible=true")
    for points in ("10", "10", "15", "5"):
        phone.tap(f"[data-card='{points}'] >> nth=0")
    ben = Counting(phone).hand("Ben")
    expect(ben.locator("[name^='left']")).to_have_value("10+10+15+5")
    expect(ben.locator("output")).to_have_text("40")
    expect(phone.page.locator("[data-card='10'] i")).to_have_text("2")
    phone.shoot("tap-the-cards")
    phone.tap("#cards [data-key='back']")
    expect(ben.locator("output")).to_have_text("35")
    Counting(phone).save()
    Pad(phone).shows({"Ana": 0, "Ben": 35})


def test_a_keyboard_of_ones_own(phone: Phone) -> None:
    start_game(phone, ("Ana", "Ben", "Cleo"))
    Pad(phone).count(1)
    keys = phone.page.keyboard
    Counting(phone).out("Ana")
    keys.type("65")
    keys.press("Enter")
    keys.type("20+10+5")
    keys.press("Enter")
    phone.heading("Is this right?")
    phone.sees("Ben +65")
    phone.sees("Cleo +35")
    assert phone.page.evaluate("document.activeElement.tagName") == "H1"


def test_the_wrong_player_was_out(phone: Phone) -> None:
    start_game(phone, ("Ana", "Ben"))
    Pad(phone).count(1)
    Counting(phone).fill("Ana", {"Ben": "65"})
    Counting(phone).save()

    phone.tap("#r1")
    phone.heading("Correct round 1")
    Counting(phone).write("Ana", "30")
    Counting(phone).out("Ben")
    phone.tap("#review")
    phone.heading("Is this right?")
    phone.press("Save the correction")

    Pad(phone).shows({"Ana": 30, "Ben": 0})
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("out")
