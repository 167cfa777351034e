"""Rules changed on a phone by tapping their sentences: in how few taps, and what comes of it."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.phone import Phone, held
from tests.webapp.table import Table
from webapp.db import Database
from webapp.own_games import catalog

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PUSH = "Push the top discard to the player on your left, then draw the next card."
USUAL = (
    "To draw from the stock, you need to push: pass the top discard to the next player with the top"
    " card of the stock, and draw the next card yourself. They have to keep both."
)
TAPS = re.compile(r"change\?d=")
"""Where taps go."""
PEOPLE = "seat=%2BAna&seat=%2BBen&seat=%2BCleo&key=shown"


def new_game(phone: Phone, variant: str) -> None:
    phone.open(f"/games/new?variant={variant}&{PEOPLE}")
    phone.taps = 0
    phone.tap("#house-rules")
    expect(phone.page.locator("#rulebook")).to_be_visible()


def unfold(phone: Phone, inside: Locator) -> None:
    """Unfold the chapter around this, if it’s folded."""
    folded = phone.page.locator("details.chapter:not([open])").filter(has=inside)
    if folded.count():
        phone.tap(folded.locator("> summary"))


def open_rule(phone: Phone, path: str, name: str) -> None:
    rule = phone.page.locator(f"#r-{name}")
    unfold(phone, rule)
    phone.tap(rule)
    expect(phone.page.locator(f"[data-path='{path}']")).to_be_visible()


def open_line(phone: Phone, path: str, line: str) -> None:
    phone.tap(f"#g-{line}")
    expect(phone.page.locator(f".short [data-path='{path}']")).to_be_visible()


def in_control(phone: Phone, path: str, label: str) -> None:
    found = phone.page.locator(f"[data-path='{path}']").get_by_text(label, exact=True)
    phone.tap(found.first)
    expect(phone.page.locator("#rulebook.htmx-request")).to_have_count(0)


def value_of(database: Database, name: str) -> object:
    games = database.read(catalog.read_catalog)
    return next(game for game in games.games if game.name == name)


def fill(phone: Phone, path: str, key: str, text: str) -> Locator:
    """Type a number of a field and press Enter: it takes the place of what is there."""
    field = phone.page.locator(f"#open [data-path='{path}'] input[name='n.{key}']")
    phone.tap(field)
    phone.page.keyboard.type(text) if text else phone.page.keyboard.press("Delete")
    with phone.page.expect_response(lambda answer: answer.request.method == "POST"):
        phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#rulebook.htmx-request, #rulebook .htmx-request")).to_have_count(0)
    return field


def test_an_ace_counts_20_in_this_game_only(phone: Phone) -> None:
    new_game(phone, "mexican-rummy")
    open_line(phone, "score.hand", "values")
    fill(phone, "score.hand", "A", "20")
    expect(phone.page.locator("#done")).to_contain_text("1 change")
    phone.tap("#done")
    phone.tap("#this-game")
    expect(phone.page.locator("#changes ins")).to_contain_text("20")
    assert phone.taps <= 5
    expect(phone.page.locator("#seated li > b")).to_have_count(3)
    phone.tap("#start")
    phone.press("Rules")
    phone.sees("A 20")


def test_jokers_wild_everywhere_and_12_cards_saved(phone: Phone, database: Database) -> None:
    new_game(phone, "mexican-rummy")
    open_line(phone, "wild.cards", "wild")
    in_control(phone, "wild.cards", "Joker")
    expect(phone.page.locator("#came")).to_contain_text("4 jokers")
    in_control(phone, "wild.in", "Sets")
    in_control(phone, "wild.when", "They’re wild in every round.")
    open_line(phone, "deal.cards", "deal")
    in_control(phone, "deal.cards", "12")
    expect(phone.page.locator("#g-deal")).to_contain_text("12 cards each")
    phone.tap("#done")
    phone.tap("#save")
    phone.sees("Our Mexican Rummy")
    assert phone.taps <= 10
    game = value_of(database, "Our Mexican Rummy")
    assert (game.hand_size, game.wild_steps) == (12, None)  # type: ignore[attr-defined]


def test_a_family_s_rummy_for_one_game(phone: Phone) -> None:
    """8 cards for all, 2 jokers that are wild, and the last card discarded."""
    new_game(phone, "rummy")
    phone.taps = 0
    phone.tap("#g-deal")
    fill(phone, "deal.cards", "", "8")
    phone.tap("#g-wild")
    phone.tap(phone.page.locator("#open button", has_text="Some cards are wild"))
    expect(phone.page.locator("#came")).to_contain_text("4 jokers")
    fill(phone, "pack.jokers", "", "2")
    phone.tap("#g-discard")
    phone.tap(phone.page.locator("#open button.pick", has_text="need"))
    expect(phone.page.locator("#done")).to_contain_text("change")
    phone.tap("#done")
    phone.tap("#this-game")
    assert phone.taps <= 10
    expect(phone.page.locator("#changes")).to_contain_text("2 jokers")


def test_machiavelli_is_made_from_rummy(phone: Phone, database: Database) -> None:
    """13 cards, 2 decks, no suit twice, rearranging, no pile, no discard, most rounds won."""
    phone.open("/rules/rummy/change")
    phone.taps = 0
    phone.tap("#g-deal")
    fill(phone, "deal.cards", "", "13")
    expect(phone.page.locator("#clash")).to_contain_text("too few to deal 13")
    phone.tap("#fix")
    phone.tap("#open [data-path='pack.copies'] .step button >> nth=1")
    expect(phone.page.locator("#clash")).to_have_count(0)
    phone.tap("#g-set")
    phone.tap(phone.page.locator("[data-path='set.suits'] .pick", has_text="repeat a suit"))
    row = phone.page.locator("[id='r-f-rearrange']")
    unfold(phone, row)
    phone.tap(phone.page.locator("details.more", has=row).locator("> summary"))
    phone.tap(row)
    phone.tap(phone.page.locator("#open button", has_text="Melds on the table"))
    phone.tap("#g-draw")
    phone.tap(phone.page.locator("[data-path='draw.pile'] .pick", has_text="no discard pile"))
    open_line(phone, "end.leads", "ends")
    phone.tap(phone.page.locator("[data-path='end.leads'] .pick", has_text="most rounds"))
    expect(phone.page.locator("#clash")).to_contain_text("can end at a total")
    phone.tap("[data-path='end.open'] .pick >> nth=0")
    expect(phone.page.locator("#clash")).to_have_count(0)
    expect(phone.page.locator("#done")).to_contain_text("changes")
    phone.tap("#done")
    phone.tap("#name")
    phone.page.keyboard.type("Machiavelli")
    phone.tap("#save")
    phone.sees("Machiavelli")
    assert phone.taps <= 22
    assert value_of(database, "Machiavelli").hand_size == 13  # type: ignore[attr-defined]


def test_a_joker_counts_25_from_the_first_round_of_a_running_game(
    phone: Phone, database: Database
) -> None:
    table = Table(database, ("Ana", "Ben", "Cleo"), "contract-rummy")
    table.count(1, ana="out", ben="45", cleo="15")
    phone.open(f"/g/{table.pub}/house-rules")
    phone.taps = 0
    phone.tap("#g-values")
    fill(phone, "score.hand", "JK", "25")
    phone.tap("#done")
    expect(phone.page.locator(".recount")).to_contain_text("45")
    phone.sees("Ben’s in round 1")
    phone.tap("#save-rules")
    expect(phone.page.locator("#board")).to_contain_text("House rules changed")
    assert phone.taps <= 4


def test_a_typed_number_counts_as_soon_as_something_else_is_tapped(phone: Phone) -> None:
    phone.open("/rules/phase-10/change")
    open_rule(phone, "deal.cards", "deal")
    control = phone.page.locator("[data-path='deal.cards']")
    field = control.locator("input[name='n.']")
    field.fill("11")
    phone.tap(control.locator("[aria-label$='1 more']"))
    expect(field).to_have_value("12")
    field.fill("14")
    field.blur()
    expect(phone.page.locator("#done")).to_contain_text("1 change")
    field.fill("13")
    phone.tap("#done")
    expect(phone.page.locator("#changes")).to_contain_text("13 cards")


@pytest.mark.parametrize("first", ["typed", "tapped"])
def test_a_number_typed_before_the_last_answer_came_is_not_lost(phone: Phone, first: str) -> None:
    phone.open("/rules/phase-10/change")
    open_rule(phone, "deal.cards", "deal")
    control = phone.page.locator("[data-path='deal.cards']")
    field = control.locator("input[name='n.']")
    asked = held(phone.page, TAPS)
    if first == "typed":
        field.fill("14")
        field.blur()
    else:
        phone.tap(control.get_by_text("11", exact=True))
    field.fill("13")
    phone.tap("#done")
    assert asked
    # It lets what is held go on. The next tap waits for that answer, and must not be held as well.
    phone.page.unroute(TAPS)
    expect(phone.page.locator("#changes")).to_contain_text("13 cards")


def test_a_number_that_never_arrived_is_sent_again_by_the_next_tap(phone: Phone) -> None:
    phone.open("/rules/phase-10/change")
    open_rule(phone, "deal.cards", "deal")
    field = phone.page.locator("[data-path='deal.cards'] input[name='n.']")
    phone.tolerated = ("ERR_FAILED", "Failed to fetch")
    phone.page.route(re.compile(r"change\?d="), lambda route: route.abort())
    field.fill("14")
    with phone.page.expect_event("requestfailed"):
        phone.tap("#done")
    expect(field).to_have_value("14")
    phone.page.unroute(re.compile(r"change\?d="))
    phone.tap("#done")
    expect(phone.page.locator("#changes")).to_contain_text("14 cards")


def test_what_a_round_has_is_seen_as_soon_as_it_is_tapped(phone: Phone) -> None:
    phone.open("/rules/contract-rummy/change")
    open_rule(phone, "steps", "contracts")
    tapped = phone.page.locator("#open [id$='-r5']")
    tapped.scroll_into_view_if_needed()
    phone.tap(tapped)
    expect(tapped).to_have_attribute("aria-expanded", "true")
    expect(tapped).to_be_in_viewport(ratio=1)
    expect(phone.page.locator(".round .step").last).to_be_in_viewport(ratio=1)

    # Where there’s room for it, it stays under the thumb.
    phone.page.set_viewport_size({"width": 360, "height": 1600})
    tapped = phone.page.locator("#open [id$='-r2']")
    tapped.scroll_into_view_if_needed()
    before = tapped.bounding_box()
    phone.tap(tapped)
    expect(tapped).to_have_attribute("aria-expanded", "true")
    after = tapped.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 60  # the page is shorter now


def test_a_problem_is_seen_and_done_waits_until_it_is_fixed(phone: Phone) -> None:
    phone.open("/rules/phase-10/change")
    open_rule(phone, "deal.cards", "deal")
    fill(phone, "deal.cards", "", "7")
    clash = phone.page.locator("#clash")
    expect(clash).to_be_in_viewport(ratio=1)
    expect(phone.page.locator("#done")).to_have_count(0)
    # Another rule opens meanwhile, and the problem stays in sight.
    phone.tap("#g-discard")
    expect(phone.page.locator(".short #open")).to_be_visible()
    expect(clash).to_be_in_viewport(ratio=1)
    phone.page.reload()
    expect(clash).to_be_visible()
    phone.tap("#undo-last")
    expect(phone.page.locator("#done")).to_have_text("Done")


def test_a_line_at_a_glance_is_changed_where_it_stands(phone: Phone) -> None:
    phone.open("/rules/contract-rummy/change")
    line = phone.page.locator("#g-deal")
    phone.tap("#g-deal")
    expect(phone.page.locator("dl > div:has(#g-deal) #open")).to_contain_text("Cards dealt")
    expect(line).to_be_in_viewport(ratio=1)
    before = line.bounding_box()
    in_control(phone, "deal.cards", "11")
    expect(line).to_contain_text("11")
    after = line.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 2

    open_line(phone, "set.suits", "set")
    expect(phone.page.locator("#open")).to_have_count(1)
    phone.tap("#g-set")
    expect(phone.page.locator("#open")).to_have_count(0)


def test_the_next_line_stays_where_it_is_when_a_rule_is_given_up(phone: Phone) -> None:
    phone.open("/rules/continental/change")
    draw = phone.page.locator("#g-draw")
    draw.scroll_into_view_if_needed()
    before = draw.bounding_box()
    phone.tap("#drop-g-buy")
    expect(phone.page.locator("#done")).to_contain_text("1 change")

    now = draw.bounding_box()
    assert before
    assert now
    assert now["y"] == pytest.approx(before["y"], abs=2)

    phone.tap("#undo-g-buy")
    expect(phone.page.locator("#drop-g-buy")).to_be_visible()
    expect(phone.page.locator("#changes")).to_have_count(0)


def test_chapters_are_folded_on_a_phone_and_one_that_is_unfolded_stays_so(phone: Phone) -> None:
    phone.open("/rules/contract-rummy/change")
    unfolded = phone.page.locator("details.chapter[open]")
    expect(unfolded).to_have_count(0)
    phone.tap("#c-scoring > summary")
    open_line(phone, "deal.cards", "deal")
    in_control(phone, "deal.cards", "11")
    expect(phone.page.locator("#done")).to_contain_text("1 change")
    expect(unfolded.and_(phone.page.locator(".body .chapter"))).to_have_count(1)
    expect(phone.page.locator("#c-scoring")).to_have_attribute("open", "")

    phone.page.set_viewport_size({"width": 1280, "height": 800})
    phone.open("/rules/contract-rummy/change")
    expect(phone.page.locator("details.chapter:not(.fine, [open])")).to_have_count(0)


def test_push_rummy_by_its_published_rules(phone: Phone, database: Database) -> None:
    """2 decks and 4 jokers, 6 to 10 cards, 5 contracts, 2s wild, by a stranger."""
    phone.open("/games/new")
    phone.tap("#own-game")
    phone.tap(phone.page.locator("details.family", has_text="Contract each round"))
    phone.press("Contract Rummy", exact=False)
    open_line(phone, "players", "players")
    fill(phone, "players", "1", "4")
    fill(phone, "players", "0", "4")
    open_line(phone, "pack.jokers", "pack")
    fill(phone, "pack.jokers", "", "4")
    open_line(phone, "set.suits", "set")
    in_control(phone, "set.suits", "A set can’t repeat a suit.")
    open_line(phone, "wild.cards", "wild")
    in_control(phone, "wild.cards", "2")
    open_line(phone, "steps", "contracts")
    fill(phone, "steps", "length", "5")
    phone.tap("#open [id$='-r5']")
    for key, cards in (("r5.run", "5"), ("r5.2", "5"), ("r5.0", ""), ("r5.0", "")):
        fill(phone, "steps", key, cards)
    expect(phone.page.locator("#open [id$='-r5']")).to_contain_text("2 runs of 5")
    open_line(phone, "deal.cards", "deal")
    for number in range(1, 6):
        fill(phone, "steps", f"d{number}", str(5 + number))
    open_line(phone, "score.hand", "values")
    fill(phone, "score.hand", "2", "20")
    for line in ("buy", "swap"):
        phone.tap(f"#drop-g-{line}")
        expect(phone.page.locator(f"#g-{line}")).to_have_count(0)
    open_line(phone, "draw.pile", "draw")
    phone.tap(phone.page.locator("#open summary", has_text="Write a rule"))
    phone.tap(phone.page.locator("#open .adds button", has_text="need to push"))
    expect(phone.page.locator("#g-unchecked-turn, [id='g-unchecked.turn']")).to_contain_text(USUAL)
    assert phone.page.locator("#clash p").all_inner_texts() == []
    phone.tap("#done")
    expect(phone.page.locator("#changes")).to_contain_text(USUAL)
    phone.tap("#name")
    phone.page.keyboard.type("Push Rummy")
    phone.tap("#save")
    expect(phone.page.locator("#games [aria-current]")).to_have_text("Push Rummy")
    game = value_of(database, "Push Rummy")
    assert game.sign == "P"  # type: ignore[attr-defined]
    assert [game.hand_at(step) for step in range(1, 6)] == [6, 7, 8, 9, 10]  # type: ignore[attr-defined]
    assert [each.says for each in game.rulebook.unruled] == [USUAL]  # type: ignore[attr-defined]


def test_three_rules_of_push_rummy_in_few_taps(phone: Phone) -> None:
    phone.open("/rules/contract-rummy/change")
    phone.taps = 0
    phone.tap("#g-wild")
    phone.tap("#open button.key >> text=2")
    expect(phone.page.locator("#g-wild")).to_contain_text("2s")
    phone.tap("#drop-g-buy")
    expect(phone.page.locator("#undo-g-buy")).to_be_visible()
    open_line(phone, "draw.pile", "draw")
    phone.tap(phone.page.locator("#open summary", has_text="Write a rule"))
    phone.tap(phone.page.locator("#open .adds button", has_text="need to push"))
    expect(phone.page.locator("#done")).to_contain_text("3 changes")
    phone.tap("#done")
    assert phone.taps <= 8


def test_one_card_gets_a_value_of_its_own(phone: Phone) -> None:
    phone.open("/rules/shanghai-rummy/change")
    open_rule(phone, "score.hand", "values")
    fill(phone, "score.hand", "2", "20")
    expect(phone.page.locator("#open .rule")).to_contain_text("2: 20, 3–9: 5")


def test_a_number_is_chosen_as_soon_as_it_is_typed(phone: Phone) -> None:
    phone.open("/rules/shanghai-rummy/change")
    open_rule(phone, "end.total", "ends")
    control = phone.page.locator("[data-path='end.total']")
    none = control.get_by_text("There’s no target score.")
    expect(none).to_have_attribute("aria-pressed", "true")
    control.locator(".step input").first.fill("500")
    expect(none).to_have_attribute("aria-pressed", "false")
    open_rule(phone, "score.settle", "settle")
    expect(phone.page.locator("#done")).to_contain_text("1 change")


def test_rules_are_found_while_somebody_types(phone: Phone) -> None:
    phone.open("/rules/gin-rummy")
    phone.tap("#find")
    phone.page.keyboard.type("knock")
    expect(phone.page.locator("#hits")).to_contain_text("How few points do I need to knock?")
    expect(phone.page.locator(".short")).to_be_hidden()
    phone.tap("#to-contents")
    phone.tap("#contents a >> nth=2")
    expect(phone.page.locator("#c-the-deal")).to_be_in_viewport()
    phone.tap("#find")
    phone.page.keyboard.type("knock")
    phone.tap("#hits a.rule[href$='#knock'] >> nth=0")
    expect(phone.page.locator("#knock")).to_be_in_viewport()
    expect(phone.page.locator("#hits")).to_have_count(0)


def test_a_rule_of_the_fine_print_that_is_found_is_shown(phone: Phone) -> None:
    phone.open("/rules/shanghai-rummy/change")
    phone.tap("#find")
    phone.page.keyboard.type("your own hand")
    phone.tap("#hits a.rule >> nth=0")
    expect(phone.page.locator("#r-own-cards")).to_be_in_viewport(ratio=1)


def test_what_no_rule_mentions_is_written_in_one_tap(phone: Phone) -> None:
    phone.open("/rules/contract-rummy/change")
    phone.tap("#find")
    phone.page.keyboard.type("push")
    before = phone.taps
    phone.press("Your turn")
    expect(phone.page.locator(".own-words textarea")).to_be_focused()
    phone.page.keyboard.type(PUSH)
    phone.press("Add")
    expect(phone.page.locator("#changes")).to_contain_text(PUSH)
    assert phone.taps - before == 2


def test_what_opens_below_the_screen_is_brought_into_view(phone: Phone) -> None:
    phone.open("/rules/shanghai-rummy/change")
    rule = phone.page.locator("#r-players")
    unfold(phone, rule)
    rule.evaluate("each => scrollBy(0, each.getBoundingClientRect().bottom - innerHeight + 90)")
    phone.tap(rule)
    opened = phone.page.locator("#open")
    expect(opened).to_be_in_viewport(ratio=1)
    bar = phone.page.locator(".bar.do").bounding_box()
    box = opened.bounding_box()
    assert bar
    assert box
    assert box["y"] + box["height"] <= bar["y"]


def test_a_rule_stays_where_it_was_tapped(phone: Phone) -> None:
    phone.open("/rules/contract-rummy/change")
    open_rule(phone, "deal.cards", "deal")
    phone.page.evaluate("document.querySelectorAll('.chapter').forEach(each => each.open = true)")
    rule = phone.page.locator("#r-ace")
    rule.evaluate("each => scrollBy(0, each.getBoundingClientRect().top - 120)")
    for is_open in (True, False):
        before = rule.bounding_box()
        phone.tap(rule)
        expect(phone.page.locator("[data-path='run.ace']")).to_have_count(int(is_open))
        after = rule.bounding_box()
        assert before
        assert after
        assert abs(before["y"] - after["y"]) < 3


def test_a_list_unfolded_while_an_answer_is_on_its_way_stays_unfolded(phone: Phone) -> None:
    phone.open("/rules/rummy/change")
    phone.tap("#g-draw")
    pick = phone.page.locator("[data-path='draw.pile'] .pick", has_text="no discard pile")
    expect(pick).to_be_visible()
    row = phone.page.locator("[id='r-f-rearrange']")
    more = phone.page.locator("details.more", has=row)
    unfold(phone, row)
    routes = held(phone.page, re.compile(r"/rules/rummy/change\?"))
    phone.tap(pick)
    phone.tap(more.locator("> summary"))
    expect(more).to_have_attribute("open", "")
    routes[0].continue_()

    expect(phone.page.locator("#done")).to_contain_text("change")
    expect(more).to_have_attribute("open", "")
