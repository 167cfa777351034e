"""What a form and a count keep in place: seats, where the page is, outs that are taken back."""

from playwright.sync_api import expect

from tests.browser.phone import Counting, Phone, start_count, start_game

NAMES = ("Ana", "Ben", "Cleo")


def test_the_seats_and_the_dealer(phone: Phone) -> None:
    start_game(phone, ("Gert", "Hal", "Ivo"), "Mexican Rummy, eleven phases")
    phone.sees("Ivo deals")
    phone.sees("Gert starts")
    phone.open("/games/new?variant=eleven-phases&seat=%2BGert&seat=%2BHal")
    phone.tap("#seating summary")
    phone.press("Move Hal up")
    expect(phone.page.locator("#seated li > b").first).to_have_text("Hal")
    phone.press("Remove Gert")
    expect(phone.page.locator("#seated li > b")).to_have_count(1)
    phone.press("Mexican Rummy")
    expect(phone.page.locator("#games [aria-current]")).to_contain_text("Mexican Rummy")
    expect(phone.page.locator("#seated li > b")).to_have_text("Hal")


def test_a_tap_on_the_form_leaves_the_page_where_it_is(phone: Phone) -> None:
    seats = "&".join(f"seat=%2BP{number}" for number in range(6))
    phone.open(f"/games/new?variant=eleven-phases&{seats}")
    phone.tap("#seating summary")
    up = phone.page.get_by_role("button", name="Move P2 up")
    up.scroll_into_view_if_needed()
    before = phone.page.evaluate("scrollY")

    phone.tap(up)

    expect(phone.page.locator("#seated li > b").nth(1)).to_have_text("P2")
    phone.page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go, 50)))")
    assert phone.page.evaluate("scrollY") == before


def test_what_is_wrong_further_down_is_brought_into_view_once(phone: Phone) -> None:
    phone.open("/games/new?variant=rummikub&seat=%2BAna&seat=%2BBen&seat=%2BCleo")
    phone.tap("#extras summary")
    phone.page.fill("#clock", "often")
    phone.tap("#start")
    expect(phone.page.locator("details [role='alert']")).to_be_in_viewport()
    phone.tap("#seating summary")
    up = phone.page.get_by_role("button", name="Move Cleo up")
    up.scroll_into_view_if_needed()
    before = phone.page.evaluate("scrollY")

    phone.tap(up)

    expect(phone.page.locator("#seated li > b").nth(1)).to_have_text("Cleo")
    assert phone.page.evaluate("scrollY") == before


def test_an_out_that_is_taken_back_leaves_no_trace(phone: Phone) -> None:
    start_count(phone, NAMES, "Mexican Rummy, eleven phases")
    counting = Counting(phone)
    counting.by("digits")
    made = {name: counting.hand(name).locator("[name^='made']") for name in NAMES}
    left = {name: counting.hand(name).locator("[name^='left']") for name in NAMES}
    counting.write("Ana", "60")
    counting.out("Ana")
    expect(made["Ana"]).to_be_checked()
    expect(left["Ana"]).to_have_value("")

    counting.out("Ben")
    expect(left["Ana"]).to_have_value("60")
    expect(made["Ana"]).not_to_be_checked()

    # Somebody who is out can have points all the same, which stay when another is out instead.
    counting.write("Ben", "70")
    expect(counting.hand("Ben").locator("[name='out']")).to_be_checked()
    expect(counting.hand("Ben").locator(".num[data-odd]")).to_be_visible()

    counting.out("Cleo")
    expect(made["Ben"]).not_to_be_checked()
    expect(left["Ben"]).to_have_value("70")
    counting.out("Ana")
    expect(made["Cleo"]).not_to_be_checked()


def test_a_row_shows_the_phase_and_the_total_and_where_both_go(phone: Phone) -> None:
    game = start_count(phone, NAMES, "Mexican Rummy, eleven phases")
    counting = Counting(phone)
    heads = phone.page.locator(".colhead span")
    expect(heads).to_have_text(["Phase · total", "Out", "Made it", "Points"])
    expect(phone.page.locator(".asked-for li")).to_have_count(1)
    sums = {name: counting.hand(name).locator(".sum") for name in NAMES}
    expect(sums["Ana"]).to_have_text("Phase 1 · 0")

    counting.out("Ana")
    counting.write("Ben", "45")
    counting.made("Ben")
    counting.write("Cleo", "60")

    after = {"Ana": "Phase 1 → 2 · 0", "Ben": "Phase 1 → 2 · 45", "Cleo": "Phase 1 · 60"}
    for name, says in after.items():
        expect(sums[name]).to_have_text(says)
    counting.save()
    phone.open(f"{game}/rounds/2")
    asked = phone.page.locator(".asked-for li")
    expect(asked).to_have_count(2)
    expect(asked.first).to_contain_text("Phase 1")
    expect(asked.first.locator(".disc")).to_have_text(["C"])
    expect(asked.last.locator(".disc")).to_have_text(["A", "B"])
    expect(sums["Ben"]).to_have_text("Phase 2 · 45")


def test_cards_that_an_out_took_away_are_counted_again_when_it_is_taken_back(phone: Phone) -> None:
    start_count(phone, NAMES[:2], "Remigio")
    counting = Counting(phone)
    counting.by("cards")
    counting.keep("5H KC")
    ana = counting.hand("Ana")
    expect(ana.locator("output")).to_have_text("15")

    counting.out("Ana")
    expect(ana.locator(".card")).to_have_count(0)
    counting.out("Ben")

    expect(ana.locator(".card")).to_have_count(2)
    expect(ana.locator("output")).to_have_text("15")


def test_what_was_wrong_is_forgotten_once_it_is_changed(phone: Phone) -> None:
    start_count(phone, NAMES)
    counting = Counting(phone)
    counting.by("digits")
    counting.fill("Ana", {"Ben": "x", "Cleo": "60"})
    says = phone.page.locator("#tell")
    expect(says).to_have_attribute("data-is", "no")
    expect(phone.page.locator("#save")).to_have_attribute("aria-disabled", "true")

    counting.write("Ben", "5")
    expect(says).to_have_attribute("data-is", "in")

    counting.write("Ben", "x")
    expect(says).to_have_attribute("data-is", "no")
    counting.out("Ben")
    expect(says).to_have_attribute("data-is", "wait")
