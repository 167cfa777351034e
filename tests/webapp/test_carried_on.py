"""A game that was started on paper and is carried on here: its totals count, not its rounds."""

import csv
import io

import pytest

from tests.webapp.table import Phone, Table, entries, sent
from tests.webapp.test_import import carry, written
from tests.webapp.test_players import move, sit_out
from tests.webapp.test_seats import join, leave
from webapp.backups.check import find_faults
from webapp.exchange.choice import Selection
from webapp.exchange.tables import write_rounds
from webapp.game.facts import CarriedOn, Started
from webapp.game.replay import replay
from webapp.game.state import LoggedFact
from webapp.models import utcnow
from webapp.pages.counting.view import open_count
from webapp.pages.games.commands import NewGameRefusedError
from webapp.pages.games.so_far import PaperSeat
from webapp.pages.history.view import read_sheet
from webapp.pages.phones.commands import undo_phone
from webapp.pages.printing.view import read_print
from webapp.pages.scorepad import commands as taps
from webapp.text.refusals import RoundNotFoundError, RoundNotOpenError

THREE = ("Ana", "Ben", "Cleo")


def paper(*totals, steps=(), won=()):
    steps, won = steps or ("",) * len(totals), won or ("",) * len(totals)
    return tuple(map(PaperSeat, totals, steps, won))


def carried(database, totals=("30", "45", "120"), number="4", names=THREE, **more):
    seats = paper(*totals, steps=more.pop("steps", ()), won=more.pop("won", ()))
    return Table(database, names, so_far=seats, next_round=number, **more)


def test_the_totals_count_and_the_next_round_is_the_one_that_comes_next(database):
    table = carried(database)

    assert entries(table) == ["started", "carried-on"]
    assert table.totals() == [30, 45, 120]
    assert (table.pad.round_number, table.pad.round_says) == (4, "Round 4 of 6")
    assert table.state.score.step == 4
    assert table.pad.dealer == "Cleo"
    table.count(4, ana="out", ben="60", cleo="60")
    assert table.totals() == [30, 105, 180]
    assert table.pad.dealer == "Ana"


def test_the_dealer_that_was_chosen_deals_the_next_round(database):
    ana = Table(database, THREE).ids["ana"]
    table = carried(database, dealer=str(ana))

    assert table.pad.dealer == "Ana"


def test_the_game_ends_when_it_would_have_ended_on_paper(database):
    table = carried(database, number="6")
    table.count(6, ana="60", ben="out", cleo="60")

    assert table.pad.over
    table.tap(taps.finish_game)
    assert table.pad.winners == ("Ben",)


def test_rounds_on_paper_are_rounds_nowhere(database, client):
    table = carried(database)
    table.count(4, ana="out", ben="60", cleo="60")
    table.count(5, ana="out", ben="60", cleo="30")
    table.tap(taps.finish_game)

    pad = table.pad
    assert [row.number for row in pad.rows] == [4, 5]
    sheet = database.read(read_sheet, table.pub)
    assert sheet.margin_says == "by 135 points, after 2 rounds"
    assert "Ana went out most: 2 of 2 rounds" in [says.striptags() for says in sheet.facts]
    assert [number for number, _ in sheet.chart.columns] == [4, 5]
    assert [line.of.heights for line in sheet.chart.lines] == [
        (120, 180, 210),
        (45, 105, 165),
        (30, 30, 30),
    ]
    printed = database.read(read_print, table.pub)
    assert [row.number for row in printed.rows if row.cells[0].seq] == [4, 5]
    assert [column.seat.total for column in printed.columns] == [30, 165, 210]
    rows = [*csv.DictReader(io.StringIO("".join(write_rounds(database, Selection()))))]
    assert [(row["round"], row["total"]) for row in rows if row["player"] == "Ben"] == [
        ("4", "105"),
        ("5", "165"),
    ]
    for page in ("/sheet", "/print"):
        text = Phone(client).open(f"/g/{table.pub}{page}").text
        assert "Rounds 1 to 3 were played on paper: Ana 30, Ben 45, Cleo 120." in text
    assert [*find_faults(database)] == []


def test_a_round_on_paper_has_no_page(database):
    table = carried(database)

    with pytest.raises(RoundNotFoundError):
        database.read(open_count, table.pub, 3)
    with pytest.raises(RoundNotOpenError):
        table.save(3, table.typed(4, ana="out", ben="60", cleo="60"))


def test_everybody_begins_on_their_own_phase(database):
    table = carried(database, ("30", "45", "120"), steps=("4", "2", ""), variant="eleven-phases")
    assert [seat.step for seat in table.pad.seats] == [4, 2, 1]
    table.count(4, ana="out", ben="made 60", cleo="45", sure=True)

    assert [seat.step for seat in table.pad.seats] == [5, 3, 1]
    assert table.totals() == [30, 105, 165]
    assert "Ana 30 (phase 4), Ben 45 (phase 2), Cleo 120 (phase 1)" in table.pad.moves[0]


def test_partners_have_one_total(database):
    names = ("Ana", "Ben", "Cleo", "Dov")
    table = carried(database, ("500", "800"), names=names, variant="canasta")

    assert table.totals() == [500, 800, 500, 800]


def test_rounds_won_on_paper_count_where_they_decide(database):
    table = carried(database, ("10", "-10"), won=("2", "1"), names=THREE[:2], variant="rummikub")

    assert [seat.games_won for seat in table.pad.seats] == [2, 1]


@pytest.mark.parametrize(
    ("totals", "number", "more", "says"),
    [
        (("30", "", "120"), "4", {}, "How many points does Ben have"),
        (("30", "x", "120"), "4", {}, "Ben: "),
        (("30", "-5", "120"), "4", {}, "below 0"),
        (("30", "45", "120"), "", {}, "Which round comes next"),
        (("30", "45", "120"), "7", {}, "Which round comes next"),
        (("30", "45", "120"), "0", {}, "Which round comes next"),
        (("30", "45", "120"), "9" * 9, {}, "Which round comes next"),
        (("5", "5", "5"), "2", {"variant": "rummikub"}, "add up to 0"),
        (("1", "1", "1"), "2", {"variant": "eleven-phases", "steps": ("12", "", "")}, "phase"),
        (("500", "0"), "4", {"variant": "rummy-500", "names": THREE[:2]}, "already over"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_lost(database, totals, number, more, says):
    with pytest.raises(NewGameRefusedError) as refused:
        carried(database, totals, number, **more)

    form = refused.value.page
    assert says in form.problem
    assert form.so_far.lacks_round == says.startswith("Which round")
    assert [seat.total for seat in form.so_far.seats] == [*totals]


def test_the_totals_from_paper_are_undone_and_redone(database):
    table = carried(database)
    assert table.pad.undo.says == "the totals from paper"
    table.undo()
    assert table.totals() == [0, 0, 0]
    assert table.pad.round_number == 1
    table.redo()
    assert (table.totals(), table.pad.round_number) == ([30, 45, 120], 4)


def test_undoing_a_phone_leaves_what_was_played_on_paper(database):
    table = carried(database)
    table.count(4, ana="out", ben="60", cleo="60")
    since = table.state.entered[0].seq
    database.write(undo_phone, table.pub, 1, since, sent())

    assert (table.totals(), table.pad.round_number) == ([30, 45, 120], 4)
    assert table.scores()[0] == [None, None, None]


def test_players_move_sit_out_leave_and_join_as_in_any_game(database, other):
    table = carried(database)
    table.count(4, ana="out", ben="60", cleo="60")
    sit_out(table, "cleo", average=True)
    move(table, "ana", 1)
    join(table, "Dov", carry="average")
    assert table.totals() == [105, 30, 180, 105]
    table.count(5, ana="out", ben="60", dov="30")
    assert table.totals() == [165, 30, 210, 135]
    leave(table, "cleo", ranked=False)
    table.count(6, ana="out", ben="60", dov="60")
    table.tap(taps.finish_game)

    file = written(database)
    assert '"schema":2' in file[0]
    carry(file, other)
    assert other.read(read_sheet, table.pub).pad.rows == table.pad.rows
    assert written(other) == file
    assert [*find_faults(other)] == []


def logged(*facts):
    return [
        LoggedFact(seq=seq, at=utcnow(), device="", fact=fact) for seq, fact in enumerate(facts, 1)
    ]


@pytest.mark.parametrize(
    "facts",
    [
        (CarriedOn(round=2, totals={1: 5}),),
        (CarriedOn(round=0, totals={1: 5, 2: 5}),),
        (CarriedOn(round=10**9, totals={1: 5, 2: 5}),),
        (CarriedOn(round=2, totals={1: 5, 2: 5}, steps={3: 2}),),
        (CarriedOn(round=2, totals={1: 5, 2: 5}),) * 2,
    ],
)
def test_entries_that_are_no_such_game_are_refused(facts):
    start = Started(variant="just-points", rules="1", seats=(1, 2), dealer=0)
    with pytest.raises(ValueError):
        replay(logged(start, *facts))


def test_on_the_page_somebody_carries_a_game_on(client, database):
    phone = Phone(client)
    seats = "&".join(f"seat=%2B{name}" for name in THREE)
    phone.open(f"/games/new?variant=mexican-rummy&key=k&{seats}")
    form = next(form for form in phone.page.forms if "next-round" in dict(form.fields))
    fields = [(name, "7" if name == "total" else value) for name, value in form.fields]
    fields = [(name, "3" if name == "next-round" else value) for name, value in fields]
    form.fields = fields
    phone.press("start")

    assert "Rounds 1 to 2 were played on paper: Ana 7, Ben 7, Cleo 7." in phone.page.text


def test_typed_totals_stay_with_their_players_while_seats_change(client, database):
    phone = Phone(client)
    seats = "seat=%2BAna&seat=%2BBen&seat=%2BCleo&total=1&total=2&total=3"
    page = phone.open(f"/games/new?variant=mexican-rummy&key=k&{seats}&up=%2BCleo")

    totals = [value for name, value in page.forms[0].fields if name == "total"]
    assert totals == ["1", "3", "2"]
