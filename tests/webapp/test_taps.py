"""The end of a game: by the rules or by the table, reopened, and a rematch."""

import pytest

from tests.webapp.table import Table, entries
from webapp.ledger import ledger
from webapp.pages.history.view import read_sheet
from webapp.pages.scorepad import commands as taps
from webapp.text.refusals import GameFinishedError, GameNotFinishedError


def test_the_last_round_finishes_the_game_in_the_same_breath(table):
    table.play(6)

    assert entries(table)[-2:] == ["counted", "finished"]
    assert table.pad.finished
    assert table.pad.winners == ("Ana",)


def test_a_finished_game_takes_nothing_until_it_is_reopened(table):
    table.play(5)
    form = table.typed(1, only="ben", ben="50")
    table.play(6)
    seq = len(entries(table)) - 1

    with pytest.raises(GameFinishedError):
        table.save(1, form)
    with pytest.raises(GameFinishedError):
        table.void(seq)
    table.tap(taps.reopen_game)
    table.save(1, form)

    assert table.totals()[1] == 350
    assert not table.pad.finished
    assert table.pad.over


def test_a_reopened_game_is_finished_by_hand(table):
    table.play(6)
    table.tap(taps.reopen_game)
    assert not table.pad.finished
    table.tap(taps.finish_game)

    assert table.pad.finished


def test_redoing_the_last_round_finishes_the_game(table):
    table.play(6)
    table.tap(taps.reopen_game)
    table.undo()
    assert table.pad.round_number == 6

    table.redo()

    assert table.pad.finished


def test_a_table_may_end_a_game_early_and_who_leads_has_won(table):
    table.play(2)

    table.tap(taps.finish_game)

    assert table.pad.finished
    assert not table.pad.over
    assert table.pad.winners == ("Ana",)


def test_of_phases_whoever_is_furthest_has_won_a_game_that_was_ended_early(database):
    table = Table(database, variant="eleven-phases")
    table.count(1, ana="out", ben="60", cleo="made 5")
    table.count(2, ana="60", ben="out", cleo="made 150", sure=True)

    table.tap(taps.finish_game)

    assert table.totals() == [60, 60, 155]
    assert table.pad.winners == table.pad.leaders == ("Cleo",)
    standing = database.read(read_sheet, table.pub).standing
    assert [(place.rank, place.seat.name) for place in standing] == [
        (1, "Cleo"),
        (2, "Ana"),
        (2, "Ben"),
    ]


def test_a_rematch_is_the_same_game_dealt_by_the_next(table, database):
    with pytest.raises(GameNotFinishedError):
        table.tap(taps.play_again)
    table.play(6)

    again = database.write(taps.play_again, table.pub, ledger.FormKey(key="at-8"))
    twice = database.write(taps.play_again, table.pub, ledger.FormKey(key="at-8"))

    assert again == twice
    first, second = table.pad, Table.__new__(Table)
    second.database, second.pub = database, again
    assert first.dealer == "Cleo"
    assert second.pad.dealer == "Ana"
    assert [seat.name for seat in second.pad.seats] == [seat.name for seat in first.seats]


def test_a_second_rematch_follows_when_the_first_is_over(table, database):
    table.play(6)
    first = database.write(taps.play_again, table.pub, ledger.FormKey(key=table.pad.key))
    database.write(taps.finish_game, first, ledger.FormKey(key="at-1"))

    second = database.write(taps.play_again, table.pub, ledger.FormKey(key=table.pad.key))

    assert second != first
