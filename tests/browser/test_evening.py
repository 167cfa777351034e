"""An evening of Mexican Rummy, played through the pages alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, Phone, lay, start_by_hand, turn_to

NAMES = ("Ana", "Ben", "Cleo", "Dov")
ROUNDS = (
    ("Ana", {"Ben": 65, "Cleo": 35, "Dov": 50}),
    ("Ben", {"Ana": 40, "Cleo": 25, "Dov": 70}),
    ("Cleo", {"Ana": 55, "Ben": 30, "Dov": 85}),
    ("Dov", {"Ana": 20, "Ben": 45, "Cleo": 60}),
    ("Ana", {"Ben": 15, "Cleo": 75, "Dov": 10}),
    ("Ben", {"Ana": 110, "Cleo": 95, "Dov": 120}),
)
CORRECTED = 35
"""What Cleo really held in round 2."""
ILLEGAL = ("7C 7D 7H", "QH KH AH 2H")


def totals(rounds: int, *, corrected: bool) -> dict[str, int]:
    """Add up the rounds, as the test's own reckoning."""
    sums = {name: sum(left.get(name, 0) for _, left in ROUNDS[:rounds]) for name in NAMES}
    if corrected:
        sums["Cleo"] += CORRECTED - ROUNDS[1][1]["Cleo"]
    return sums


def count(phone: Phone, number: int, *, scripts: bool = True) -> None:
    """Count a round on a phone that shows the pad."""
    out, left = ROUNDS[number - 1]
    Pad(phone).count(number)
    phone.heading("Points in hand")
    # All is tapped, on each of the phones once.
    counting = Counting(phone, scripts=scripts, thumb=number <= 2)
    counting.fill(out, {name: str(points) for name, points in left.items()})
    phone.shoot(f"count-{number}")
    counting.save()


def correct(phone: Phone, *, scripts: bool = True) -> None:
    """Correct Cleo's hand of round 2 on a phone that shows the pad."""
    phone.tap(Pad(phone).cell(2, "Cleo").locator("a"))
    phone.heading("Change Cleo’s score")
    Counting(phone, scripts=scripts, thumb=True).write("Cleo", str(CORRECTED))
    phone.shoot("correct")
    phone.press("Save change")
    expect(Pad(phone).cell(2, "Cleo")).to_contain_text("35 ✎")


def take_back(phone: Phone, number: int) -> None:
    """Undo the last round."""
    phone.tap("#voids")
    expect(Pad(phone).cell(number, "Ben")).to_contain_text("no score yet")
    phone.sees("undone")
    phone.shoot("undone")


@pytest.mark.longest
def test_six_rounds_on_two_phones(new_phone: PhoneMaker) -> None:
    one, two = (new_phone(scheme, color_scheme=scheme) for scheme in ("light", "dark"))
    game = start_by_hand(one, NAMES)
    two.open(game)
    one.shoot("pad-empty")

    count(one, 1)
    Pad(two).shows(totals(1, corrected=False))

    two.press("Referee")
    two.tap(two.page.locator(".plays > a").first)
    lay(two, ILLEGAL)
    expect(two.page).to_have_url(re.compile("2H"))
    expect(two.page.locator(".verdict")).to_contain_text("✗ Not legal")
    two.shoot("illegal")
    turn_to(two, "meld-2")
    for _ in range(4):
        two.tap("#take-back")
    for key in ("suit-D", "rank-4", "rank-5", "suit-S", "rank-2", "suit-D", "rank-7"):
        two.tap(f"#{key}")
    expect(two.page.locator(".card[data-wild]")).to_contain_text("= 6")
    two.shoot("legal")
    two.tap("#record")
    two.sees("Ana has laid down")
    one.sees("Ana has laid down")

    count(two, 2)
    count(one, 3)
    correct(one)
    one.shoot("pad-corrected")
    Pad(two).shows(totals(3, corrected=True))
    expect(Pad(two).cell(2, "Cleo")).to_contain_text("corrected")

    count(two, 4)
    Pad(one).shows(totals(4, corrected=True))
    take_back(one, 4)
    Pad(two).shows(totals(3, corrected=True))
    count(one, 4)
    count(two, 5)
    count(one, 6)

    for phone in (one, two):
        phone.heading("Ben wins")
        for total in totals(6, corrected=True).values():
            phone.sees(str(total))
    one.sees("★ 1st")
    one.shoot("finished")
