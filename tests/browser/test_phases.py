"""The eleven phases on the same pages, with a list of two phases so that the evening is short."""

from playwright.sync_api import expect

from tests.browser.phone import Counting, Pad, Phone, start_game

NAMES = ("Ana", "Ben", "Cleo")


def test_two_phases(phone: Phone) -> None:
    phone.name = "phases"
    phone.open("/games/new?variant=eleven-phases")
    for name in NAMES:
        phone.page.fill("#name", name)
        phone.press("Add")
        expect(phone.page.locator(".list b").filter(has_text=name)).to_be_visible()
    phone.tap("details summary")
    phone.page.fill("#option-phases", "2 sets of 3\n1 run of 7")
    phone.shoot("options")
    phone.tap("#start")
    phone.sees("Phase 1: 2 sets of 3")

    phone.press("Referee")
    for key in ("rank-7", "rank-7", "rank-7"):
        phone.tap(f"#{key}")
    phone.tap("[data-slot='meld-2'] input")
    for key in ("rank-K", "rank-K", "rank-K"):
        phone.tap(f"#{key}")
    phone.sees("✓ Legal")
    phone.shoot("desk")
    phone.tap("#record")
    phone.sees("down ✓")

    Pad(phone).count(1)
    counting = Counting(phone)
    counting.fill("Ana", {"Ben": "30", "Cleo": "120"}, made=["Ben"])
    phone.shoot("count")
    counting.save()
    phone.sees("Phase 2: 1 run of 7")
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("✓")
    phone.shoot("pad")

    Pad(phone).count(2)
    counting.fill("Cleo", {"Ana": "80", "Ben": "85"})
    counting.save()
    Pad(phone).count(3)
    counting.fill("Ben", {"Ana": "25", "Cleo": "90"}, made=["Ana"])
    counting.save()

    phone.heading("Ana wins")
    Pad(phone).shows({"Ana": 105, "Ben": 115, "Cleo": 210})
    phone.shoot("finished")


def test_the_seats_and_the_dealer(phone: Phone) -> None:
    start_game(phone, ("Gert", "Hal", "Ivo"), "Mexican Rummy, eleven phases")
    phone.sees("Ivo deals, Gert starts")
    phone.open("/games/new?variant=eleven-phases&seat=%2BGert&seat=%2BHal")
    phone.press("Move Hal up")
    expect(phone.page.locator(".list b").first).to_have_text("Hal")
    phone.press("Take Gert off")
    expect(phone.page.locator(".list b")).to_have_count(1)
    phone.press("Mexican Rummy")
    expect(phone.page.locator(".tiles [aria-current]")).to_have_text("Mexican Rummy")
    expect(phone.page.locator(".list b")).to_have_text("Hal")
