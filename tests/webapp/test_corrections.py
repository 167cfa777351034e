"""Correcting any past cell: everything after it is played again, and what changed is said."""

import pytest

from tests.webapp.table import Phone, Table
from webapp.game.validation import CountRefusedError
from webapp.ledger.ledger import FormKey, new_key
from webapp.pages.counting.view import fill_count
from webapp.pages.notes import commands as notes
from webapp.pages.scorepad import commands as taps

THREE = {"phases": "1 set of 3\n1 run of 4\n1 set of 4"}


@pytest.fixture
def phases(database):
    return Table(database, ("Ana", "Ben"), "eleven-phases", options=THREE)


def test_a_phase_taken_away_moves_the_player_back(phases):
    phases.count(1, ana="out", ben="made 60")
    phases.count(2, ana="out", ben="made 60")

    phases.count(1, ben="60")

    assert [seat.step for seat in phases.pad.seats] == [3, 2]
    assert "Ben is now on phase 2." in phases.pad.changed


def test_a_game_that_was_over_goes_on(phases):
    for number in (1, 2, 3):
        phases.count(number, ana="out", ben="made 60")
    assert phases.pad.finished
    phases.tap(taps.reopen_game)

    phases.count(1, ana="60", ben="out")

    assert [seat.step for seat in phases.pad.seats] == [3, 4]
    assert phases.pad.over
    phases.undo()
    phases.count(3, ana="60", ben="out")
    phases.count(1, ana="out", ben="60")
    assert not phases.pad.over
    assert "The game is no longer over." in phases.pad.changed
    assert phases.pad.round_number == 4


def test_the_review_of_a_whole_round_says_it_before_it_is_saved(phases):
    phases.count(1, ana="out", ben="made 60")
    phases.count(2, ana="out", ben="made 60")
    typed = phases.typed(1, ana="out", ben="60")

    said = phases.database.read(fill_count, phases.pub, 1, typed)

    assert "Ben is now on phase 2." in said.sentences
    assert [seat.step for seat in phases.pad.seats] == [3, 3]


def test_a_correction_by_which_the_game_was_over_long_ago_is_asked_about_once(database):
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ana="300/out", ben="60/20")
    table.count(2, ana="90/out", ben="60/20")
    table.count(3, ana="0/25", ben="100/out")

    typed = table.typed(1, only="ana", ana="420/out")
    with pytest.raises(CountRefusedError) as asked:
        table.save(1, typed)
    assert asked.value.page.asked
    table.save(1, table.typed(1, only="ana", sure=True, ana="420/out"))

    assert table.totals() == [485, 180]
    assert table.state.last.fact.override == ("after-the-end",)
    assert table.pad.over
    assert table.pad.problems
    table.undo()
    assert not table.pad.over
    assert table.totals() == [365, 180]


def test_what_one_pays_another_is_paid_again(database):
    table = Table(database, variant="remigio")
    table.count(1, ana="out", ben="10", cleo="7", close="closed")
    table.count(2, ana="5", ben="out", cleo="7", close="closed")

    table.count(1, ana="out", ben="10", cleo="7", close="remigio")

    assert table.totals() == [170 - 5, -100 + 12, -70 - 7]
    assert sum(table.totals()) == 0
    assert "Ana now has 165. Ben now has −88. Cleo now has −77." in table.pad.changed


def test_the_next_dealer_is_worked_out_again(database):
    more = {"end": "eliminate-100"}
    table = Table(database, variant="remigio", options=more)
    table.count(1, ana="out", ben="60", cleo="5", close="closed-no-joker")
    assert [seat.plays for seat in table.pad.seats] == [True, False, True]
    assert table.pad.dealer == "Ana"
    table.count(2, ana="out", cleo="5", close="closed")
    assert table.pad.dealer == "Cleo"

    table.count(1, ben="20")

    assert [seat.plays for seat in table.pad.seats] == [True, True, True]
    assert table.pad.round_number == 3
    assert "Ben is in the game again." in table.pad.changed


def test_a_correction_that_upsets_later_rounds_is_asked_about_and_never_refused(database):
    """Ben is out of the game from round 1 on, and yet he closed round 2: the table has to see."""
    table = Table(database, variant="remigio", options={"end": "eliminate-100"})
    table.count(1, ana="out", ben="20", cleo="5", close="closed-no-joker")
    table.count(2, ana="7", ben="out", cleo="5", close="closed-no-joker")
    with pytest.raises(CountRefusedError) as asked:
        table.count(1, ben="60")
    assert asked.value.page.asked

    table.save(1, table.typed(1, sure=True, only="ben", ben="60"))

    assert sum(table.totals()) == 0
    assert any(says.startswith("Round 2") for says in table.pad.problems)
    table.undo()
    assert table.pad.problems == ()


def test_games_won_show_if_the_standings_go_by_them(database):
    table = Table(database, variant="rummikub")
    table.count(1, ana="out", ben="25", cleo="40")
    table.count(2, ana="out", ben="25", cleo="40")

    table.count(1, ana="25", ben="out", cleo="40")

    assert [seat.games_won for seat in table.pad.seats] == [1, 1, 0]
    assert "Ben has now won 1 round." in table.pad.changed
    assert table.pad.leaders == ("Ana", "Ben"), "level in games and in points"


def test_what_was_corrected_is_told_until_the_next_hand_is_counted(phases):
    phases.count(1, ana="out", ben="made 60")
    phases.count(1, ben="60")
    told = phases.pad.changed
    assert told

    sent = FormKey(key=new_key())
    phases.database.write(notes.note, phases.pub, 1, "Ben had a six", sent)
    assert phases.pad.changed == told
    phases.count(2, ana="out")

    assert phases.pad.changed == ""


def test_the_last_round_of_a_finished_game_is_taken_back_in_two_taps(client, table):
    table.play(6)
    phone = Phone(client)
    phone.open(f"/g/{table.pub}")

    phone.press("Reopen")
    assert table.scores()[5] == [0, 60, 60]
    phone.press("Undo")

    assert table.scores()[5] == [None, None, None]
    assert "Score round 6" in phone.page.links


def test_several_steps_are_undone_and_redone_in_order(phases):
    phases.count(1, ana="out", ben="made 60")
    phases.count(1, ben="60")
    phases.count(2, ana="out", ben="made 60")
    phases.count(1, ben="made 75")
    sheets = [phases.pad.rows]
    for _ in range(4):
        phases.undo()
        sheets.append(phases.pad.rows)

    for sheet in reversed(sheets[:-1]):
        phases.redo()
        assert phases.pad.rows == sheet
    assert phases.pad.redo is None
