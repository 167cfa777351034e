"""How many taps things take, counted."""

from itertools import pairwise, product

import pytest
from playwright.sync_api import expect

from tests.browser.phone import Counting, Pad, Phone, lay, start_count, start_game
from tests.examples import in_turn
from tests.servers import Laydown

NAMES = ("Ana", "Ben", "Cleo", "Dov")
FIVES = (
    {"Ben": "65", "Cleo": "35", "Dov": "60"},
    {"Ben": "5 5 10 15", "Cleo": "15", "Dov": "10"},
    "",
    NAMES,
)
ROUNDS = {
    "Mexican Rummy": FIVES,
    "Rummikub": (FIVES[0], {"Ben": "13 30 7", "Cleo": "30", "Dov": "1"}, "", NAMES),
    "Remigio": (
        {"Ben": "7", "Cleo": "12", "Dov": "30"},
        dict.fromkeys(("Ben", "Dov"), "5H 6H 7H 2S 3S 4S KC QC JC 9C")
        | {"Cleo": "AS 8S 8D 8C 9S 9D 9H 2H JK 2D"},
        "colour-no-joker",
        NAMES,
    ),
    "Rummy 500": ({"Ben": "65"}, {"Ben": "5 15 10"}, "", NAMES[:2]),
}
"""What is left typed and tapped, how the round was closed, and who plays; the first goes out."""

TABLES = ("Rummy 500",)
"""Where what lies on the table scores, too."""


@pytest.mark.parametrize("asked", in_turn([*product(ROUNDS, ("digits", "cards"))], each=3), ids=str)
def test_saving_a_round(phone: Phone, asked: tuple[str, str]) -> None:
    """One a digit or card class, Out, a Next between two hands, Save; and Count before it."""
    game, way = asked
    typed, tapped, close, names = ROUNDS[game]
    left = typed if way == "digits" else tapped
    start_game(phone, names, game)
    phone.page.evaluate(f"localStorage.setItem('keys', '{way}')")
    before = phone.taps

    Pad(phone).count(1)
    table = dict.fromkeys(names, "50" if way == "digits" else "25 25") if game in TABLES else {}
    Counting(phone, thumb=True).fill(names[0], left, close=close, table=table)
    Counting(phone).save()

    texts = [*left.values(), *table.values()]
    keys = sum(len(text) if way == "digits" else _keys(text) for text in texts)
    count, out, nexts, save = 1, 1, len(texts) - 1, 1
    assert phone.taps - before <= keys + count + out + bool(close) + nexts + save


def _keys(cards: str) -> int:
    """Count the keys that cards take: one each, and one wherever the suit is another."""
    suits = [card[-1] for card in cards.split() if not card.isdigit() and card != "JK"]
    changes = sum(one != other for one, other in pairwise(["", *suits]))
    return len(cards.split()) + changes


def test_a_rematch_is_one_tap(phone: Phone) -> None:
    game = start_count(phone, NAMES)
    Counting(phone).fill("Ana", {"Ben": "65", "Cleo": "35", "Dov": "50"})
    Counting(phone).save()
    phone.tap("#more-button")
    phone.tap("#end")
    phone.tap("#endings")
    expect(phone.page.locator("#rematches")).to_be_visible()
    before = phone.taps

    phone.press("Rematch")

    expect(phone.page.locator("#count-round")).to_have_text("Score round 1")
    assert phone.taps - before == 1
    assert game not in phone.page.url


def test_a_first_visit_with_two_names_is_five_taps(alone: Laydown, phone: Phone) -> None:
    phone.url = alone.url
    phone.open()
    before = phone.taps
    phone.press("New game")
    phone.tap("#name")
    phone.page.keyboard.type("Ana")
    phone.press("Add")
    expect(phone.page.locator("#seated li > b")).to_have_text("Ana")
    phone.page.keyboard.type("Ben")
    phone.press("Add")
    expect(phone.page.locator("#start")).to_have_text("Start with 2 players")
    phone.tap("#start")
    expect(phone.page.locator("#board")).to_be_visible()
    assert phone.taps - before == 5


def test_all_games_unfold_where_they_are_seen(phone: Phone) -> None:
    start_game(phone, NAMES)
    phone.open("/games/new")
    phone.tap("#more-games > summary")
    expect(phone.page.locator("#more-games .boxes").first).to_be_in_viewport(ratio=1)


def test_just_points_with_the_players_of_last_time_is_three_taps(phone: Phone) -> None:
    start_game(phone, NAMES)
    phone.open()
    before = phone.taps
    phone.press("New game")
    phone.press("Just points")
    expect(phone.page.locator("#points")).to_be_visible()
    phone.tap("#start")
    expect(phone.page.locator(".pad em")).to_have_text(list(NAMES))
    assert phone.taps - before == 3

    phone.tap("#count-round")
    for key in ("4", "0", "minus"):
        phone.tap(f"#digits [data-key='{key}']")
    phone.tap("#save")
    expect(phone.page.locator("#asks h2")).to_have_text("Ben, Cleo and Dov: 0?")
    phone.tap("#sure")
    Pad(phone).shows({"Ana": -40, "Ben": 0, "Cleo": 0, "Dov": 0})


def test_the_options_of_just_points_are_chosen_over_the_page_and_shown_on_it(phone: Phone) -> None:
    phone.open("/games/new?variant=just-points&seat=%2BAna&seat=%2BBen")
    phone.tap("#change-points")
    phone.tap(phone.page.get_by_role("radio", name="Lowest total"))
    phone.page.fill("#called", "Golf")
    expect(phone.page.locator(".ends-at input:visible")).to_have_count(0)
    phone.tap(phone.page.get_by_role("radio", name="After rounds"))
    expect(phone.page.locator(".ends-at input:visible")).to_have_count(1)
    phone.page.fill("#option-rounds", "9")
    phone.press("Done")
    expect(phone.page.locator("#points")).to_contain_text("Lowest total wins · 9 rounds · Golf")
    expect(phone.page.locator("#points-sheet")).to_be_hidden()
    phone.tap("#change-points")
    expect(phone.page.locator("#called")).to_have_value("Golf")
    phone.press("Done")
    phone.tap("#start")
    expect(phone.page.locator("#board h1")).to_have_text("Round 1 of 9")


def test_a_wild_is_moved_and_a_hint_is_one_tap(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy?ask=laydown&step=3")
    lay(phone, ("KS AS 2S JS", "4D 5D 6D 7D"))
    expect(phone.page.locator(".verdict")).to_contain_text("Legal")

    phone.tap("[data-slot='meld-1'] .card >> nth=2")
    phone.tap("[data-by='-1']")
    phone.tap("[data-by='-1']")
    expect(phone.page.locator("#meld-1")).to_have_value("2S KS AS JS")

    phone.open("/desk/mexican-rummy?ask=laydown&step=3&meld-1=QS+KS+AS+2S&meld-2=4D+5D+6D+7D")
    hint = phone.page.locator("#hint-1")
    expect(hint).to_be_visible()
    phone.tap(hint)
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("hint-taken")


def test_a_keyboard_of_your_own(phone: Phone) -> None:
    start_count(phone, ("Ana", "Ben", "Cleo"))
    keys = phone.page.keyboard
    Counting(phone).out("Ana")
    keys.type("65")
    keys.press("Enter")
    expect(Counting(phone).hand("Cleo").locator("[name^='left']")).to_be_focused()
    keys.type("20+10+5")
    expect(Counting(phone).hand("Cleo").locator(".sum")).to_have_text("0 + 35 = 35")
    keys.press("Enter")
    Pad(phone).shows({"Ana": 0, "Ben": 65, "Cleo": 35})


def test_the_wrong_player_was_out(phone: Phone) -> None:
    start_count(phone, ("Ana", "Ben"))
    Counting(phone).fill("Ana", {"Ben": "65"})
    Counting(phone).save()

    phone.tap("#r1")
    phone.heading("Change scores")
    Counting(phone, thumb=True).write("Ana", "30")
    Counting(phone).out("Ben")
    phone.tap("#save")

    Pad(phone).shows({"Ana": 30, "Ben": 0})
    expect(Pad(phone).cell(1, "Ben")).to_contain_text("out")
