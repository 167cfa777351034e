"""House rules that were set wrongly are put right in the middle of a game: it is counted again."""

from dataclasses import replace

import pytest

from tests.webapp.table import Table
from webapp import ledger
from webapp.ledger import Sent, new_key, read_story
from webapp.ledger.facts import Amended
from webapp.services.games.amending import (
    AmendingRefusedError,
    Choosing,
    amend,
    read_amending,
)
from webapp.services.refusals import GameFinishedError, RulesKeptError
from webapp.services.scorepad import taps


def sent(key=""):
    return Sent(key=key or new_key(), device="phone")


def change(table, **options):
    chosen = Choosing(options=options, seen=page_of(table).seen)
    return table.database.write(amend, table.pub, chosen, sent())


def page_of(table):
    return table.database.read(read_amending, table.pub, Choosing(options={}))


def totals(table):
    return [seat.total for seat in table.pad.seats]


def story_of(table):
    return table.database.read(read_story, table.pub)


def options_of(table):
    return dict(story_of(table).variant.chosen)


@pytest.fixture
def rummy(database):
    """Two at Rummy 500: after a round it is 120 to 40."""
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ana="120/out", ben="60/20")
    return table


def test_every_round_counts_by_the_new_house_rules(database):
    table = Table(database, ("Ana", "Ben", "Cleo"), "remigio")
    table.count(1, ana="out", ben="10", cleo="20", close="colour")
    before = totals(table)
    told = table.database.read(read_amending, table.pub, Choosing(options={"multipliers": FIVE}))
    change(table, multipliers=FIVE)

    assert told.differs
    assert told.tells
    assert before == [90, -30, -60]
    assert totals(table) == [150, -50, -100]
    assert table.pad.moves


FIVE = """closed: 1
closed-no-joker: 2
colour: 5
colour-no-joker: 4
straight-colour: 5
straight-colour-no-joker: 6
remigio: 10"""


def test_a_change_can_end_the_game_and_undo_opens_it_again(rummy):
    change(rummy, target="100")
    assert rummy.pad.over

    rummy.undo()
    assert not rummy.pad.over
    rummy.redo()
    assert rummy.pad.over


def test_what_was_changed_last_counts_and_undo_brings_back_what_was_before(rummy):
    change(rummy, target="100")
    change(rummy, target="300")
    assert options_of(rummy) == {"target": 300}

    rummy.undo()
    assert options_of(rummy) == {"target": 100}
    rummy.undo()
    assert options_of(rummy) == {}


def test_what_is_not_chosen_stays_as_it_was_changed_before(rummy):
    change(rummy, target="300")
    change(rummy, **{"set-max": "4"})

    assert options_of(rummy) == {"target": 300}


def test_rules_that_are_so_already_enter_nothing(rummy):
    entered = len(story_of(rummy).entered)
    change(rummy, target="500")

    assert len(story_of(rummy).entered) == entered


def test_the_same_form_sent_twice_changes_them_once(rummy):
    form, same = Choosing(options={"target": "300"}), sent()
    for _ in range(2):
        rummy.database.write(amend, rummy.pub, form, same)

    assert sum(isinstance(entry.fact, Amended) for entry in story_of(rummy).entered) == 1


def test_rules_that_another_phone_changed_meanwhile_are_not_changed_back(rummy):
    mine, theirs = page_of(rummy), page_of(rummy)
    rules = {option.option.name: option.text for option in mine.options}
    first = Choosing(options={**rules, "target": "300"}, seen=mine.seen)
    second = Choosing(options={**rules, "set-max": "null"}, seen=theirs.seen)
    rummy.database.write(amend, rummy.pub, first, sent())
    with pytest.raises(AmendingRefusedError) as refused:
        rummy.database.write(amend, rummy.pub, second, sent())

    assert options_of(rummy) == {"target": 300}
    texts = {option.option.name: option.text for option in refused.value.page.options}
    assert texts["set-max"] == "null"
    rummy.database.write(amend, rummy.pub, replace(second, seen=refused.value.page.seen), sent())
    assert options_of(rummy) == {"set-max": None}


def test_a_rematch_is_played_by_the_rules_as_they_were_changed(rummy):
    change(rummy, target="100")
    rummy.tap(taps.finish_game)
    again = rummy.tap(taps.play_again)

    assert dict(rummy.database.read(read_story, again).start.options) == {"target": 100}


def test_the_rules_of_a_finished_game_stay(rummy):
    rummy.tap(taps.finish_game)

    with pytest.raises(GameFinishedError):
        change(rummy, target="100")


def test_the_rules_of_a_game_that_is_no_longer_the_one_of_today_stay(rummy):
    """What could be chosen are the house rules of another game."""
    start = story_of(rummy).start
    older = replace(start, game={**start.game, "deal": {**start.game["deal"], "cards": 12}})
    form = ledger.Form(key=new_key(), content="older", device="phone")
    rummy.pub = rummy.database.write(ledger.begin, form, older)

    with pytest.raises(RulesKeptError):
        change(rummy, target="100")


@pytest.mark.parametrize("typed", ["", "many", "-3", "9" * 30])
def test_a_house_rule_that_cannot_be_is_kept_as_it_was_typed(rummy, typed):
    with pytest.raises(AmendingRefusedError) as refused:
        change(rummy, target=typed)

    assert [option.text for option in refused.value.page.options if option.problem] == [typed]
    assert options_of(rummy) == {}


def test_the_page_is_whole_without_scripts(phone, rummy):
    phone.open(f"/g/{rummy.pub}")
    phone.tap("House rules")
    looked = phone.press("See what changes", option_target="100")
    wrong = phone.press("Play by these", status=422, option_target="many")
    saved = phone.press("Play by these", option_target="100")

    assert "See what changes What changes The game is over now: Ana wins." in looked.text
    assert ("option-target", "many") in wrong.forms[0].fields
    assert "House rules changed" in saved.text
