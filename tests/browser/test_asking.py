"""An argument is typed and answered, without a button and without a question a letter."""

import re
import time

import pytest
from playwright.sync_api import Route, expect

from tests.browser.phone import Counting, Phone, start_game, tap_cards
from tests.webapp.table import Table
from webapp.db import Database
from webapp.pages.asking.view import SUGGESTED

BOTTOMS = "all => all.map(each => each.getBoundingClientRect().bottom)"
ABOVE_KEYBOARD = 640 - 248
"""Pixels of a small phone that its keyboard leaves."""

ARGUMENTS = [
    ("Mexican Rummy", "", "same card twice", "Yes"),
    ("Mexican Rummy", "k a 2", "king, ace, 2", "No"),
    ("Mexican Rummy", "black 2 in a set", "black 2 in a set", "It depends"),
    ("Mexican Rummy", "", "lay off before I go down", "No"),
    ("Mexican Rummy", "out without a discard", "without a discard", "Yes"),
    ("Rummikub", "open with 9 joker 11", "9, joker, 11", "Yes"),
    ("Rummikub", "can i take the joker", "take the joker", "Yes"),
    ("Rummy 500", "", "on the other player’s melds", "Yes"),
    ("Gin Rummy", "", "ace go after a king", "No"),
    ("Phase 10", "skip the same player twice", "skipped twice", "It depends"),
]
"""Arguments that tables have: the game, what is typed if its question isn’t there at once, a part
of the question, and the word that the answer begins with."""

TYPING = 80
"""Milliseconds between two letters of somebody who types quickly."""


def test_answers_come_while_somebody_types_and_a_tap_shows_one(phone: Phone) -> None:
    game = start_game(phone, ("Ana", "Ben"))
    phone.name = "asking"
    phone.tap("#desk")
    expect(phone.page.locator(".qa li")).to_have_count(3)
    phone.shoot("start")

    questions: list[str] = []
    phone.page.on("request", lambda sent: questions.append(sent.url))
    began = time.monotonic()
    phone.page.locator("#q").press_sequentially("can i go king ace two", delay=TYPING)
    first = phone.page.locator("#answers li").first
    expect(first).to_contain_text("Is king, ace, 2 a run?")
    phone.shoot("typed")
    took = time.monotonic() - began
    typed = [each for each in questions if f"{game}/ask?q=" in each]
    assert 1 <= len(typed) <= 1 + 2 * took, "twice a second at most"
    bottoms = phone.page.locator("#answers li").evaluate_all(BOTTOMS)
    assert bottoms[2] <= ABOVE_KEYBOARD

    phone.tap(first.locator("a"))
    phone.heading("No")
    phone.shoot("answer")
    phone.tap("#another")
    expect(phone.page.locator("#q")).to_have_value("")


def test_old_answers_do_not_stay_beside_new_words(phone: Phone) -> None:
    phone.tolerated = ("status of 503",)
    phone.open("/ask/mexican-rummy")
    field, answers = phone.page.locator("#q"), phone.page.locator("#answers")
    field.fill("king ace two")
    expect(answers).to_contain_text("Is king, ace, 2 a run?")

    asked = phone.page.context
    asked.route("**/ask/mexican-rummy?q=*", lambda route: route.fulfill(status=503))
    field.press_sequentially("s")
    expect(answers).to_have_text("The referee didn’t answer. Keep typing to ask again.")
    asked.unroute("**/ask/mexican-rummy?q=*")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    asked.route("**/ask/mexican-rummy?q=*", hold)
    field.press("Backspace")
    expect(answers).to_have_css("opacity", "0.4")
    held.pop().fulfill(status=429)
    expect(answers).to_have_text("The referee is busy. Asking again…")
    asked.unroute("**/ask/mexican-rummy?q=*")
    expect(answers).to_contain_text("Is king, ace, 2 a run?")
    expect(answers).to_have_css("opacity", "1")


def test_the_cards_are_a_tap_away_and_the_rule_can_be_changed(phone: Phone) -> None:
    game = start_game(phone, ("Ana", "Ben"))
    phone.open(f"{game}/ask")
    phone.tap("#play-meld")
    expect(phone.page).to_have_url(re.compile("desk.*ask=meld"))

    phone.open(f"{game}/ask/king-ace-two")
    phone.tap("#differently")
    expect(phone.page.locator("#open")).to_be_in_viewport()


def test_what_the_table_decided_on_cards_shows_where_they_lie_and_can_be_undone(
    phone: Phone,
) -> None:
    game = start_game(phone, ("Ana", "Ben"))
    phone.name = "deciding"
    phone.open(f"{game}/desk?ask=meld")
    tap_cards(phone, "KS AS 2S 3S")
    expect(phone.page.locator("#ruling")).to_have_attribute("data-legal", "no")

    phone.tap("#differ")
    phone.page.locator("#overruled").tap()
    phone.page.locator("#note").fill("We turn the corner")
    phone.tap("#log")
    decided = phone.page.locator("#decided")
    expect(decided).to_contain_text("We turn the corner")
    expect(decided).to_be_in_viewport()
    phone.shoot("desk")

    phone.tap("#undecide")
    expect(decided).to_have_count(0)
    expect(phone.page.locator("#verdict")).to_contain_text("Not legal")


def test_what_the_table_decided_on_a_question_shows_there_and_can_be_undone(phone: Phone) -> None:
    game = start_game(phone, ("Ana", "Ben"))
    phone.name = "deciding"
    phone.open(f"{game}/ask/king-ace-two")
    phone.tap("#decide > summary")
    phone.page.locator("#overruled").tap()
    phone.tap("#log")
    phone.heading("Yes")
    phone.shoot("answer")

    phone.tap("#undecide")
    phone.heading("No")
    expect(phone.page.locator("#decided")).to_have_count(0)


@pytest.mark.parametrize(("game", "words", "asks", "answer"), ARGUMENTS)
def test_an_argument_is_settled_in_two_taps_or_one_line(
    phone: Phone, game: str, words: str, asks: str, answer: str
) -> None:
    start_game(phone, ("Ana", "Ben"), game)
    before = phone.taps
    phone.tap("#desk")
    phone.page.locator("#q").fill(words)
    line = phone.page.locator("#answers li", has_text=asks).first
    expect(line).to_contain_text(answer.replace("It depends", "Depends"))
    place = line.evaluate("each => [...each.parentElement.children].indexOf(each)")
    assert place < SUGGESTED, "above the keyboard"
    phone.tap(line.locator("a"))
    phone.heading(answer)
    assert phone.taps - before == 2 or words


def test_a_doubt_in_the_count_leads_to_its_rule_and_back_to_the_numbers(
    phone: Phone, database: Database
) -> None:
    table = Table(database, ("Ana", "Ben"), "mexican-rummy")
    table.play(5)
    phone.open(f"/g/{table.pub}/rounds/6")
    count = Counting(phone)
    count.fill("Ana", {"Ben": "20"})
    phone.tap("#save")
    phone.press("We play round 6 differently")
    expect(phone.page.locator("#open")).to_be_in_viewport()

    phone.page.wait_for_load_state()
    phone.page.evaluate("history.back()")
    left = count.hand("Ben").locator("[name^='left']")
    expect(left).to_have_value("20")
    phone.open(f"/g/{table.pub}")
    phone.press("Score round 6")
    expect(left).to_have_value("20")
