"""What can be laid down, by taps alone: asked, answered, put to the referee, and recorded."""

from playwright.sync_api import expect

from tests.browser.phone import Phone, start_game, tap_cards


def test_a_contract_is_advised_ruled_on_and_recorded(phone: Phone) -> None:
    phone.name = "advice"
    game = start_game(phone, ("Ana", "Ben"))
    phone.tap("#advice")
    phone.heading("Whose hand is it?")
    phone.press("Ana")
    phone.heading("Ana’s hand")
    tap_cards(phone, "7C 8C KC")
    phone.tap("#who-button")
    phone.press("Ben")
    phone.heading("Ben’s hand")
    tap_cards(phone, "7D 8D 7H 8H AS")
    # Cards sort themselves.
    expect(phone.page.locator("#hand")).to_have_value("AS 7H 8H 7D 8D 7C 8C KC")
    phone.shoot("hand")
    phone.tap("#find")
    phone.heading("Ben can lay down")
    expect(phone.page.locator(".card")).to_have_count(8)
    phone.shoot("found")

    phone.tap("#rule")
    expect(phone.page.locator("#record")).to_be_enabled()
    expect(phone.page.locator("#meld-1")).to_have_value("7H 7D 7C")
    phone.page.go_back()
    phone.tap("#record-advised")

    expect(phone.page.locator("#board")).to_be_visible()
    phone.sees("Ben has laid down.")
    phone.open(f"{game}/desk/advice")
    phone.press("Ana")
    expect(phone.page.locator("#table-1")).to_have_value("7H 7D 7C")


def test_a_hand_sorts_itself_by_suit_and_says_how_many_cards_are_to_go(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy/advice")
    says = phone.page.locator("#held b")
    expect(says).to_have_text("10 more")
    tap_cards(phone, "9C 2S 7D 8S")
    lines = phone.page.locator(".by-suit > .fan")
    expect(lines).to_have_count(3)
    assert [line.locator(".card").count() for line in lines.all()] == [2, 1, 1]
    expect(phone.page.locator("#hand")).to_have_value("2S 8S 7D 9C")
    expect(says).to_have_text("6 more")

    tap_cards(phone, "AH 2H 3H 4H 5H 6H")
    expect(says).to_have_text("10 cards")
    tap_cards(phone, "7H")
    expect(says).to_have_text("11 cards")


def test_what_cannot_be_read_is_where_the_keys_type_next(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy/advice")
    tap_cards(phone, "7C 7C 7C")
    phone.tap("#find")
    phone.sees("more copies of 7♣")
    expect(phone.page.locator("[data-slot='hand']")).to_have_attribute("data-now", "")
    phone.tap("#take-back")
    expect(phone.page.locator("[role='alert']")).to_have_count(0)


def test_a_table_of_tiles_before_and_after(phone: Phone) -> None:
    phone.name = "advice-tiles"
    phone.open("/desk/rummikub/advice")
    tap_cards(phone, "R4 K4 R9")
    for number, tiles in enumerate(("R7 B7 K7", "B4 B5 B6 B7"), 1):
        phone.tap(phone.page.locator(f"[data-slot='table-{number}'] input"))
        tap_cards(phone, tiles)
    phone.tap("#find")
    phone.heading("You can play 2 tiles")
    before, after = phone.page.locator(".sides section").all()
    expect(before.locator(".marked[data-mark='moved'] .card")).to_contain_text(["4"])
    expect(after.locator(".marked[data-mark='rack'] .card")).to_have_count(2)
    expect(after.locator(".marked[data-mark='moved'] .card")).to_have_count(1)
    expect(after).to_contain_text("from the rack")
    phone.sees("1 set stays as it is")
    phone.shoot("found")

    phone.tap("#rule")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")


def test_a_phone_that_is_somebodys_starts_with_them(phone: Phone) -> None:
    game = start_game(phone, ("Ana", "Ben", "Cleo"))
    # A phone that did not start the game is asked, also if it comes from Home.
    phone.open("/")
    phone.tap("#continue")
    phone.heading("Whose phone is this?")
    phone.shoot("who")
    phone.press("Ben")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.open(f"{game}/desk")
    expect(phone.page.locator("#who-button")).to_contain_text("Ben")
    phone.open(f"{game}/desk/advice")
    phone.heading("Ben’s hand")
    phone.open(f"{game}/rounds/1")
    expect(phone.page.locator(".hand .nm").first).to_have_text("Ben")
    # It is asked once; More changes it, and a phone that is shared keeps the order of the table.
    phone.open(f"{game}/who")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.open(f"{game}/who?change=1")
    phone.press("We share this phone")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.open(f"{game}/rounds/1")
    expect(phone.page.locator(".hand .nm").first).to_have_text("Ana")
