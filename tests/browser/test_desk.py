"""The desk of the games with jokers and tiles: by taps alone, on a small phone."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Phone, lay, start_game, tap_cards, turn_to

TRAY = ".verdict, .suit, .ranks .key, #differ, #record, #another"
BOXES = """(tray) => [...document.querySelectorAll(tray)].map((each) => {
  // As laid out: a button that is pressed is drawn a little smaller.
  return [each.offsetLeft, each.offsetTop, each.offsetWidth, each.offsetHeight];
})"""


def tray(phone: Phone) -> list[list[int]]:
    """Where the verdict, the keys and the button are."""
    boxes: list[list[int]] = phone.page.evaluate(BOXES, TRAY)
    return boxes


def ruled_as_it_is(phone: Phone) -> None:
    """Tap the button while it is quiet: that is everything."""
    phone.page.locator("#record").tap(force=True)
    phone.taps += 1


def test_the_melds_of_a_contract_fill_one_after_another_and_nothing_moves(phone: Phone) -> None:
    game = start_game(phone, ("Ana", "Ben"))
    phone.name = "referee"
    phone.open(f"{game}/desk?step=3")
    verdict, ruling = phone.page.locator(".verdict"), phone.page.locator("#ruling")
    states = []

    def shows(text: str, legal: str, picture: str) -> None:
        expect(verdict).to_contain_text(text)
        expect(ruling).to_have_attribute("data-legal", legal)
        phone.shoot(picture)
        states.append(tray(phone))

    shows("Run of 4", "", "start")
    before = phone.taps
    tap_cards(phone, "4H 5H")
    shows("Run 1 needs 2 more cards", "", "typing")
    tap_cards(phone, "6H 7H 9C 10C")
    shows("Run 2 needs 2 more cards", "", "next")
    ruled_as_it_is(phone)
    shows("Run 2 needs 2 more cards", "no", "all")
    tap_cards(phone, "JC QC")
    shows("Legal", "yes", "legal")
    # Two keys of a suit are tapped once more, because the picture was taken in between.
    assert phone.taps - before <= 11 + 3
    expect(phone.page.locator("#meld-1")).to_have_value("4H 5H 6H 7H")
    expect(phone.page.locator("#meld-2")).to_have_value("9C 10C JC QC")

    phone.open(f"{game}/desk?step=3")
    tap_cards(phone, "QH KH AH 2H")
    shows("Not legal", "no", "not")
    expect(phone.page.locator("[data-slot='meld-1'] [data-bad]")).to_have_count(1)
    for each in states:
        assert each == states[0]


def test_however_fast_two_runs_are_tapped_a_verdict_takes_11_taps(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy?ask=laydown&step=3")
    before = phone.taps
    tap_cards(phone, "4H 5H 6H 7H 9C 10C JC QC")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    assert phone.taps - before <= 11
    expect(phone.page.locator("#meld-2")).to_have_value("9C 10C JC QC")


def test_a_card_joins_the_finished_meld_it_fits_and_any_other_begins_the_next(
    phone: Phone,
) -> None:
    phone.open("/desk/rummy-500")
    tap_cards(phone, "8S 8H 8D JC QC KC 8C 10C")
    expect(phone.page.locator("#meld-1")).to_have_value("8S 8H 8D 8C")
    expect(phone.page.locator("#meld-2")).to_have_value("JC QC KC 10C")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")


def test_a_card_that_is_laid_off_finds_its_meld(phone: Phone) -> None:
    game = start_game(phone, ("Ana", "Ben"), "Rummy 500")
    phone.press("Referee")
    phone.tap(phone.page.locator(".plays > a").first)
    expect(phone.page.locator("#record")).to_be_visible()
    states = [tray(phone)]
    tap_cards(phone, "8S 8H 8D 8C 5H 6H 7H")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    states.append(tray(phone))
    phone.tap("#record")
    expect(phone.page.locator("#board")).to_be_visible()
    phone.open(f"{game}/desk?ask=layoff")
    states.append(tray(phone))
    tap_cards(phone, "KS")
    expect(phone.page.locator(".verdict")).to_contain_text("Doesn’t fit any meld here")
    states.append(tray(phone))
    phone.tap("#take-back")
    tap_cards(phone, "4H")
    expect(phone.page.locator("#melds > li").first).to_have_attribute("data-fits", "yes")
    expect(phone.page.locator("#melds > li").nth(1)).to_have_attribute("data-fits", "no")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    for each in (*states, tray(phone)):
        assert each == states[0]


def test_a_turn_at_the_table_of_tiles(phone: Phone) -> None:
    phone.name = "rummikub"
    phone.open("/desk/rummikub?before-1=R7+B7+K7&before-2=B4+B5+B6+B7")
    expect(phone.page.locator("#after-2")).to_have_value("B4 B5 B6 B7")

    before = tray(phone)
    turn_to(phone, "after-3")
    tap_cards(phone, "R4 K4")
    # The blue four is picked up and put with the other fours.
    phone.tap("[data-slot='after-2'] .card >> nth=0")
    phone.shoot("picked")
    turn_to(phone, "after-3")
    expect(phone.page.locator("#after-3")).to_have_value("R4 K4 B4")
    expect(phone.page.locator("#after-2")).to_have_value("B5 B6 B7")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("legal")
    assert tray(phone) == before

    phone.tap("[data-slot='after-2'] .card >> nth=0")
    phone.tap("[data-by='0']")
    expect(phone.page.locator(".verdict")).to_contain_text("Run needs 1 more tile")
    expect(phone.page.locator("#differ")).to_be_disabled()
    phone.shoot("unfinished")
    assert tray(phone) == before


def test_a_hint_is_one_tap(phone: Phone) -> None:
    phone.open("/desk/rummikub?ask=meld")
    tap_cards(phone, "R12 R13 JK")
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")
    phone.tap("#hint-1")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    expect(phone.page.locator("#cards")).to_have_value("JK R12 R13")
    expect(phone.page.locator(".card[data-wild]")).to_have_count(1)
    phone.shoot("hint")


def test_laying_down_and_taking_from_the_pile(phone: Phone) -> None:
    phone.name = "rummy-500"
    phone.open("/desk/rummy-500")
    lay(phone, ("4D 5D 6D",))
    expect(phone.page.locator("#meld-2")).to_have_count(1)
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.tap("#take-back")
    expect(phone.page.locator("#ruling")).to_have_attribute("data-legal", "")

    phone.open("/desk/rummy-500?ask=pickup")
    tap_cards(phone, "9C 7H 4S")
    phone.tap("[data-slot='pile'] .card >> nth=1")
    phone.press("Take it")
    expect(phone.page.locator("#take")).to_have_value("7H")
    phone.tap("[data-slot='meld-1'] input")
    tap_cards(phone, "7H 7S 7D")
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.shoot("pile")


def test_what_is_true_of_one_player_is_not_said_of_the_next(phone: Phone) -> None:
    start_game(phone, ("Ana", "Ben"), "Rummy 500")
    phone.press("Referee")
    phone.tap(phone.page.locator(".plays > a").first)
    lay(phone, ("7C 7D 7H",))
    phone.tap("#record")
    phone.sees("15 down")
    phone.press("Referee")
    phone.tap(phone.page.locator(".plays > a").first)
    expect(phone.page.locator("#later")).to_be_checked()

    # A first lay has two naturals: Ben's cards come along to him, that Ana has laid does not.
    lay(phone, ("9C 2S JK",))
    expect(phone.page.locator(".verdict")).to_contain_text("✓ Legal")
    phone.tap("#who-button")
    phone.press("Ben")

    expect(phone.page.locator("#meld-1")).to_have_value("9C 2S JK")
    expect(phone.page.locator("#later")).not_to_be_checked()
    expect(phone.page.locator(".verdict")).to_contain_text("✗ Not legal")


def test_the_cards_are_there_again_after_a_look_at_the_rule(phone: Phone) -> None:
    phone.open("/desk/mexican-rummy?ask=meld&step=1")
    for rank in ("K", "A", "2"):
        phone.tap("#suit-S")
        phone.tap(f"#rank-{rank}")
    expect(phone.page.locator("#verdict")).to_have_text("Not legal")
    phone.tap("[popovertarget=why]")
    phone.tap("#why a >> nth=0")
    expect(phone.page).to_have_url(re.compile("/rules/"))
    phone.page.go_back()

    expect(phone.page.locator(".slot .card")).to_have_count(3)
    expect(phone.page.locator("#verdict")).to_have_text("Not legal")


def test_a_laptop_types_cards_and_reads_the_ruling_beside_them(new_phone: PhoneMaker) -> None:
    laptop = new_phone("laptop", viewport={"width": 1280, "height": 800}, has_touch=False)
    game = start_game(laptop, ("Ana", "Ben"))
    laptop.open(f"{game}/desk?ask=laydown&step=3")
    expect(laptop.page.locator(".words .often li")).to_have_count(3)
    laptop.page.keyboard.type("4h5h6h7h9c10cJCqc", delay=20)
    expect(laptop.page.locator("#verdict")).to_have_text("Legal")
    expect(laptop.page.locator("#meld-2")).to_have_value("9C 10C JC QC")
    expect(laptop.page.locator("#why .reasons")).to_be_visible()
    laptop.shoot("legal")

    laptop.page.keyboard.press("Backspace")
    expect(laptop.page.locator("#verdict")).to_have_text("Run 1 done")
    laptop.page.locator("#q").press_sequentially("king ace two", delay=20)
    expect(laptop.page.locator("#answers li").first).to_contain_text("Is king, ace, 2 a run?")
    expect(laptop.page.locator("#meld-2")).to_have_value("9C 10C JC")
    # In a row that was turned to, no blanks are needed either.
    laptop.page.locator("#meld-2").fill("")
    laptop.page.locator("#meld-2").press_sequentially("9c10cjcqc", delay=20)
    expect(laptop.page.locator("#meld-2")).to_have_value("9c 10c jc qc")
    keys = laptop.page.locator(".ranks .key")
    assert len(keys.evaluate_all("all => [...new Set(all.map(each => each.offsetTop))]")) == 1


def test_a_decision_beside_cards_that_were_changed_since_is_looked_at_again(
    new_phone: PhoneMaker,
) -> None:
    laptop = new_phone("laptop", viewport={"width": 1280, "height": 800}, has_touch=False)
    game = start_game(laptop, ("Ana", "Ben"))
    laptop.open(f"{game}/desk?ask=meld&step=3&cards=KS+AS+2S+3S")
    laptop.page.locator("#differ").click()
    laptop.page.locator("#overruled").check(force=True)
    # As if the answer to another card was still on its way.
    laptop.page.evaluate("document.getElementById('cards').value = 'JS QS KS AS'")
    laptop.page.locator("#log").click()
    expect(laptop.page.locator("#verdict")).to_have_text("Legal")
    expect(laptop.page.locator("#decided")).to_have_count(0)
