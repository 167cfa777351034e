"""What happens at a table besides counting: people come and go, take cards, note and correct."""

from playwright.sync_api import expect

from tests.browser.phone import Counting, Pad, Phone, start_count, start_game

NAMES = ("Ana", "Ben", "Cleo")


def count_one(phone: Phone, number: int, out: str, **left: str) -> None:
    """Count a round on a phone that shows the pad."""
    Pad(phone).count(number)
    Counting(phone).fill(out, left)
    Counting(phone).save()


def to(phone: Phone, page: str) -> None:
    """Go to one of the pages that are wanted less often."""
    phone.tap("#more-button")
    phone.tap(phone.page.locator("#more").get_by_role("link", name=page))


def test_somebody_joins_and_another_leaves(phone: Phone) -> None:
    start_game(phone, NAMES)
    count_one(phone, 1, "Ana", Ben="65", Cleo="60")

    to(phone, "Players")
    phone.tap("#join")
    expect(phone.page.locator("#carried")).to_be_hidden()
    phone.page.fill("#name", "Eva")
    phone.page.select_option("#after", label="Ana")
    phone.tap(phone.page.locator("label", has_text="As much as last place"))
    expect(phone.page.locator("#joins")).to_have_text("Eva joins with 65")
    phone.tap("#joins")
    leaving = phone.page.locator("#seated .name", has_text="Cleo")
    phone.tap(leaving)
    sheet = phone.page.locator(".sheet:popover-open")
    phone.tap(sheet.locator("label", has_text="Leaves without a place"))
    phone.tap(sheet.locator(".go"))
    phone.sees("Left without a place: Cleo, after round 1.")

    phone.press("Scores")
    Pad(phone).shows({"Ana": 0, "Eva": 65, "Ben": 65})
    phone.sees("Eva joined in round 2 with 65.")
    phone.sees("Cleo left before round 2, and isn’t ranked.")
    expect(Pad(phone).cell(1, "Eva")).to_contain_text("not in this round")
    Pad(phone).count(2)
    expect(phone.page.locator(".hand:not(.nobody)")).to_have_count(3)
    expect(phone.page.locator("#count .head")).to_contain_text("1 set + 1 run")
    phone.shoot("joined")


def test_a_count_outlives_a_reload_and_going_back(phone: Phone) -> None:
    path = start_count(phone, NAMES)
    counting = Counting(phone)
    counting.by("digits")
    counting.out("Ben")
    counting.type("45")

    phone.page.reload()
    expect(counting.hand("Ana").locator("[name^='left']")).to_have_value("45")
    expect(counting.hand("Ben").locator("[name='out']")).to_be_checked()

    phone.open(path)
    Pad(phone).count(1)
    counting.next()
    counting.type("60")
    counting.write("Cleo", "65")
    phone.page.reload()
    expect(counting.hand("Ana").locator("[name^='left']")).to_have_value("45")
    counting.save()
    Pad(phone).shows({"Ana": 45, "Ben": 0, "Cleo": 65})


def test_a_count_of_all_outlives_a_look_at_one_hand(phone: Phone) -> None:
    path = start_count(phone, NAMES)
    counting = Counting(phone)
    counting.by("digits")
    counting.write("Ben", "45")
    ben = (counting.hand("Ben").locator("[name^='left']").get_attribute("name") or "").split("-")[1]

    phone.open(f"{path}/rounds/1?player={ben}")
    counting.by("digits")
    counting.type("6")
    phone.open(f"{path}/rounds/1")

    expect(counting.hand("Ben").locator("[name^='left']")).to_have_value("45")


def test_a_count_that_was_saved_is_not_offered_again(phone: Phone) -> None:
    start_game(phone, NAMES)
    count_one(phone, 1, "Ana", Ben="65", Cleo="60")
    phone.press("Undo round 1")

    Pad(phone).count(1)

    expect(Counting(phone).hand("Ben").locator("[name^='left']")).to_have_value("")


def test_what_somebody_else_counted_meanwhile_is_not_written_over(phone: Phone) -> None:
    path = start_count(phone, NAMES)
    counting = Counting(phone)
    counting.by("digits")
    counting.type("45")
    address = phone.page.url
    ana = counting.hand("Ana").locator("[name^='left']").get_attribute("name").partition("-")[2]
    done = phone.page.request.post(
        f"{phone.url}{path}/rounds/1",
        form={"key": "another-phone-01", "only": ana, f"left-{ana}": "70", f"base-{ana}": "0"},
        headers={"Origin": phone.url},
    )
    assert done.ok

    phone.open(address.removeprefix(phone.url))

    # What was typed here stays as well, and a save asks which of the two is right.
    expect(counting.hand("Ana").locator("[name^='left']")).to_have_value("45")
    counting.out("Ben")
    counting.write("Cleo", "60")
    phone.tap("#save")
    expect(phone.page.locator("#tell")).to_have_text("Two phones disagree. Tap the right score.")
    theirs = counting.hand("Ana").get_by_role("radio", name="70")
    expect(counting.hand("Ana").get_by_role("radio")).to_have_count(2)
    phone.tap(theirs)
    counting.save()
    Pad(phone).shows({"Ana": 70, "Ben": 0, "Cleo": 60})
