"""Games of teams in all that looks back: a column each, partners no opponents, money."""

import csv
import io
from contextlib import closing

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import select
from sqlmodel import col

from tests.webapp.evenings import DAY
from tests.webapp.older import copy_rows, make_older
from tests.webapp.partners import FOUR, POINTS, SIX, enter, play, rules, sit_down
from tests.webapp.sheets import keep, pubs
from tests.webapp.table import Table, sent
from tests.webapp.test_amending import page_of
from webapp.backups.backups import take_backup
from webapp.backups.check import find_faults, prove
from webapp.backups.restoring import put_back
from webapp.db import Database
from webapp.exchange.choice import Selection
from webapp.exchange.paper import PaperRefusedError
from webapp.exchange.preview import copy_staged, staging
from webapp.exchange.reading import read_book
from webapp.exchange.tables import write_rounds, write_totals
from webapp.exchange.writing import write_book
from webapp.game.facts import Counted, Finished, Left, Totalled, read_fact, write_fact
from webapp.game.hand import Hand
from webapp.game.replay import replay
from webapp.game.state import LoggedFact
from webapp.history.search import read_history
from webapp.ledger import ledger
from webapp.migrations import migrate
from webapp.models import Appearance, Result
from webapp.own_games.commands import save_game
from webapp.pages.deleting.view import read_deletion
from webapp.pages.evening.view import read_evening
from webapp.pages.history import view as history
from webapp.pages.history.picture import SQUARE, read_picture
from webapp.pages.printing.blank import blank_sheet
from webapp.pages.printing.view import read_print
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.view import read_pad
from webapp.pages.standings.pair import read_pair
from webapp.pages.standings.player import read_player
from webapp.pages.standings.view import read_house
from webapp.standings.ratings import read_ratings, show_ratings

TEAMS = ["Ana and Cleo", "Ben and Dov"]


@pytest.fixture
def pairs(database):
    """A game of two teams, played to its end: 540 to 380."""
    return play(sit_down(database))


def test_what_a_team_counts_is_written_and_read_alike():
    hand = Hand(left="0", table="120", bonus={"long": 2}, aside=1, reserve=False)
    fact = Counted(round=1, hands={1: hand, 2: Hand(left="5")})

    text = write_fact(fact)

    assert read_fact("counted", text) == fact
    assert '"2":{"left":5}' in text


def test_a_team_has_one_column_headed_by_its_names(pairs):
    pad = pairs.pad

    assert [column.name for column in pad.columns] == TEAMS
    assert [seat.name for seat in pad.seats] == list(FOUR)
    assert [tuple(cell.points for cell in row.cells) for row in pad.rows] == list(POINTS)
    assert [column.total for column in pad.columns] == [540, 380]
    assert [column.place for column in pad.columns] == [1, 2]
    assert pad.title == "Ana and Cleo win"
    assert pad.chart
    assert [line.of.name for line in pad.chart.lines] == TEAMS
    assert [line.of.label for line in pad.chart.lines] == ["A + C", "B + D"]


def test_a_running_game_says_which_team_leads(database):
    table = play(sit_down(database), rounds=1, end=False)

    assert table.pad.lead_says == "Ana and Cleo lead by 210"
    assert table.pad.columns[0].standing == "lead"
    (line,) = database.read(history.read_live)
    assert line.scores_say == "Ana and Cleo 360, Ben and Dov 150"
    assert line.round_says.endswith("Ana and Cleo lead")


def test_where_everybody_plays_alone_a_column_is_a_seat(database):
    table = sit_down(database, FOUR[:3])

    assert table.pad.columns == table.pad.seats
    assert [column.name for column in table.pad.columns] == list(FOUR[:3])


def test_three_teams_of_two_sit_alternately(database):
    table = sit_down(database, SIX)

    assert [column.name for column in table.pad.columns] == [
        "Ana and Dov",
        "Ben and Eva",
        "Cleo and Finn",
    ]


def test_the_result_names_the_teams(pairs):
    sheet = pairs.database.read(history.read_sheet, pairs.pub)
    deletion = pairs.database.read(read_deletion, "game", pairs.pub)

    assert [(each.rank, each.seat.name) for each in sheet.standing] == list(enumerate(TEAMS, 1))
    assert sheet.margin_says == "by 160 points, after 3 rounds"
    assert sheet.result_says.splitlines()[1:] == []
    assert "Ana + Cleo 540 · Ben + Dov 380" in sheet.result_says
    assert "Ana and Cleo 540, Ben and Dov 380" in deletion.goes[0]


def test_new_house_rules_count_by_team(database):
    table = play(sit_down(database), rounds=1, end=False)

    told = page_of(table, {"score.out": 80})

    assert not told.problem
    assert [(each.name, each.now, each.new) for each in told.totals] == [
        ("Ana and Cleo", 360, 390),
        ("Ben and Dov", 150, 150),
    ]


def test_the_teams_of_a_running_game_stay(database):
    table = play(sit_down(database), rounds=1, end=False)

    told = page_of(table, {"teams.size": 1})

    assert told.problem.startswith("The teams stay as they are")


def test_the_picture_shows_the_teams(pairs):
    picture = pairs.database.read(read_picture, pairs.pub, SQUARE)

    assert picture.winner.name == "Ana and Cleo"
    assert picture.winner.token.initial == "AC"
    assert {placed.who.name for placed in picture.steps} == set(TEAMS)
    assert len({placed.who.paint.colour for placed in picture.steps}) == 2


def test_lists_name_the_teams(pairs):
    (line,) = pairs.database.read(read_history).lines

    assert line.won_by == "Ana and Cleo won"
    assert line.scores_say == "Ana and Cleo 540, Ben and Dov 380"
    assert line.names == "Ana, Cleo, Ben and Dov"


def test_the_printed_sheet_has_a_column_for_each_team(pairs):
    sheet = pairs.database.read(read_print, pairs.pub)

    assert [column.seat.name for column in sheet.columns] == list(TEAMS)
    assert [column.names for column in sheet.columns] == [("Ana", "+ Cleo"), ("Ben", "+ Dov")]
    assert [row.cells[0].points for row in sheet.rows[:3]] == [360, 40, 140]
    assert [column.seat.total for column in sheet.columns] == [540, 380]


def test_a_blank_sheet_has_a_column_for_each_team(database):
    variant = sit_down(database).pad.variant

    assert [blank_sheet(variant, seats).columns for seats in (4, 5, 6)] == [2, 5, 3]


@pytest.mark.databases
def test_partners_share_the_win_and_the_place(pairs):
    def read(session):
        kept = session.scalars(select(Appearance).order_by(col(Appearance.player_id)))
        return [(each.place, each.won, each.total, each.outs, each.team) for each in kept]

    assert pairs.database.read(read) == [
        (1, True, 540, 1, 0),
        (2, False, 380, 0, 1),
        (1, True, 540, 1, 0),
        (2, False, 380, 1, 1),
    ]


@pytest.mark.databases
def test_partners_are_no_opponents(pairs):
    ana = pairs.database.read(read_player, pairs.ids["ana"])
    with_cleo = pairs.database.read(read_pair, pairs.ids["ana"], pairs.ids["cleo"])
    with_ben = pairs.database.read(read_pair, pairs.ids["ana"], pairs.ids["ben"])

    assert ana.streak == ana.running == 1
    assert {(each.other.name, each.score) for each in ana.against} == {
        ("Ben", "1–0"),
        ("Dov", "1–0"),
    }
    (together,) = ana.partners
    assert (together.partner.name, together.rate.says) == ("Cleo", "1 of 1 won")
    assert with_cleo.score.games == 0
    assert not with_cleo.lines
    assert with_ben.score.score == "1–0"
    assert len(with_ben.lines) == 1


def test_the_standings_count_a_win_for_both(pairs):
    house = pairs.database.read(read_house, pairs.state.start.variant)

    assert [(line.place, line.name, line.rate.wins, line.average) for line in house.few] == [
        ("1.0", "Ana", 1, 540),
        ("1.0", "Cleo", 1, 540),
        ("2.0", "Ben", 0, 380),
        ("2.0", "Dov", 0, 380),
    ]
    assert [(each.says, each.who) for each in house.records][:2] == [
        ("360", "Ana and Cleo"),
        ("160", ""),
    ]


def test_a_team_is_rated_as_a_team(pairs):
    pairs.database.write(show_ratings, shown=True, form_key=sent())
    slug = pairs.pad.variant.slug
    model = PlackettLuce(mu=1500, sigma=500, beta=250, tau=5)
    won, lost = model.rate([[model.rating(), model.rating()] for _ in range(2)], ranks=[1.0, 2.0])

    found = pairs.database.read(read_ratings, slug)[slug]

    for name, rating in zip(("ana", "cleo", "ben", "dov"), (*won, *lost), strict=True):
        assert found[pairs.ids[name]].middle == round(rating.mu)


def test_each_loser_pays_one_winner_the_difference(database):
    table = play(sit_down(database, stake="0.10", currency="€"))
    evening = database.read(read_evening, table.pub)

    says = sorted(each.says for each in table.pad.payments)
    assert says == ["Ben pays Ana 16.00 €", "Dov pays Cleo 16.00 €"]
    assert sorted(each.says for each in evening.money[0].debts) == says


def test_of_three_teams_both_that_lose_pay(database):
    table = sit_down(database, SIX, stake="1")
    names = ("ana", "ben", "cleo", "dov", "eva", "finn")
    tables = dict(zip(names, ("100", "60", "30"), strict=False))
    hands = {table.ids[who]: Hand(table=tables.get(who, "")) for who in names}
    enter(table, Counted(round=1, hands=hands))

    pad = table.pad
    assert [column.total for column in pad.columns] == [100, 60, 30]
    assert sorted(each.says for each in pad.payments) == [
        "Ben pays Ana 40",
        "Cleo pays Ana 70",
        "Eva pays Dov 40",
        "Finn pays Dov 70",
    ]


def test_an_evening_counts_the_wins_of_both(database):
    table = play(sit_down(database))
    again = table.tap(taps.play_again)
    play(Table.found(database, again, table.ids))

    evening = database.read(read_evening, table.pub)

    assert evening.title == "Ana and Cleo win 2 each"
    assert [line.won_by for line in evening.lines] == ["Ana and Cleo won"] * 2


def read_rows(text):
    return list(csv.DictReader(io.StringIO("".join(text)[1:])))


def test_a_table_names_the_team_where_there_is_one(pairs, database):
    totals = read_rows(write_totals(database, Selection()))
    rounds = read_rows(write_rounds(database, Selection()))

    assert [(row["player"], row["place"], row["total"], row["won"]) for row in totals] == [
        ("Ana", "1", "540", "1"),
        ("Ben", "2", "380", "0"),
        ("Cleo", "1", "540", "1"),
        ("Dov", "2", "380", "0"),
    ]
    assert [row["team"] for row in totals] == TEAMS * 2
    assert [(row["player"], row["points"], row["left"], row["out"]) for row in rounds[:4]] == [
        ("Ana", "360", "0", "1"),
        ("Ben", "150", "30", "0"),
        ("Cleo", "360", "10", "0"),
        ("Dov", "150", "0", "0"),
    ]


def test_a_table_without_teams_has_no_column_for_them(database):
    sit_down(database, FOUR[:3])

    assert "team" not in "".join(write_totals(database, Selection()))


def paper(database, *totals, winner=""):
    database.write(save_game, rules(), sent())
    table = f"date,game,winner,Ana,Cleo,Ben,Dov\n2019-03-02,Partnership Rum,{winner},"
    keep(database, table + ",".join(map(str, totals)) + "\n")
    (pub,) = pubs(database)
    return database.read(read_pad, pub)


@pytest.mark.parametrize(
    ("totals", "winner", "title"),
    [
        ((540, 540, 380, 380), "", "Ana and Cleo win"),
        ((380, 380, 540, 540), "", "Ben and Dov win"),
        ((380, 380, 540, 540), "Ana", "Ana and Cleo win"),
        ((500, 500, 500, 500), "Ana & Cleo", "Ana and Cleo win"),
    ],
)
def test_partners_on_paper_are_those_with_one_total(database, totals, winner, title):
    pad = paper(database, *totals, winner=winner)

    assert {column.name for column in pad.columns} == set(TEAMS)
    assert pad.title == title


def test_partners_on_paper_with_two_totals_are_refused(database):
    with pytest.raises(PaperRefusedError, match="Give partners the same total"):
        paper(database, 540, 530, 380, 380)


@pytest.mark.parametrize(("totals", "winners"), [((540, 530), (1, 3)), ((540, 540), (1,))])
def test_partners_who_differ_are_no_game_from_paper(database, totals, winners):
    table = sit_down(database)
    seats = tuple(table.ids.values())
    start = database.read(ledger.read_game, table.pub).start
    came = dict(zip(seats, (totals[0], 380, totals[1], 380), strict=True))
    facts = (start, Totalled(totals=came, winners=winners), Finished(by="table"))

    with pytest.raises(ValueError, match="totals"):
        replay([LoggedFact(seq=n, at=DAY, device="", fact=fact) for n, fact in enumerate(facts, 1)])


def test_entries_by_which_a_partner_leaves_are_no_game(database):
    table = sit_down(database)
    state = database.read(ledger.read_game, table.pub)

    with pytest.raises(ValueError, match="join or leave"):
        state.with_facts([Left(player=table.ids["ana"], round=1)])


@pytest.mark.databases
def test_an_evening_of_teams_comes_back_to_the_byte(pairs, database, other):
    play(Table.found(database, pairs.tap(taps.play_again), pairs.ids), rounds=2, end=False)
    book = list(write_book(database, Selection()))

    with staging() as staged:
        read_book(staged, book, read_pad)
        assert copy_staged(other, staged) == 2

    assert list(write_book(other, Selection())) == book
    assert not list(find_faults(other))
    assert other.read(read_history).lines == database.read(read_history).lines


@pytest.mark.databases
def test_a_backup_of_an_evening_of_teams_is_put_back(pairs, database, clean_url, tmp_path):
    backup = take_backup(clean_url, tmp_path / "backups")
    url = f"sqlite:///{tmp_path / 'back.db'}"

    assert not prove(backup.path)
    put_back(backup.path, url)

    with closing(Database(url)) as back:
        assert back.read(read_history).lines == database.read(read_history).lines
        assert not list(find_faults(back))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_book_of_before_there_were_teams_has_none(
    kind, played, database, new_postgres_database, tmp_path
):
    """The migration notes nobody's team, and checking finds nothing amiss."""
    played.tap(taps.finish_game)
    url = f"sqlite:///{tmp_path / 'older.db'}" if kind == "sqlite" else new_postgres_database()
    make_older(url, "0015")
    copy_rows(database, url)
    migrate(url)

    with closing(Database(url)) as older:
        kept = older.read(lambda session: set(session.scalars(select(col(Result.team)))))
        assert kept == {None}
        assert not list(find_faults(older))


def test_the_sheet_of_a_running_game_marks_no_dealer_in_the_standing(table, client):
    page = client.get(f"/g/{table.pub}/sheet").text

    assert "♠" not in page[: page.index('class="pad')]
