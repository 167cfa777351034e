"""A player who left and isn't ranked has no place: on no page, in no file, in no sum."""

import csv
import io

import pytest

from tests.webapp.table import Table, sent
from tests.webapp.test_changed_ends import count
from tests.webapp.test_seats import join, leave
from webapp.backups.check import find_faults
from webapp.db import Database, GameCache
from webapp.exchange.choice import Selection
from webapp.exchange.tables import write_totals
from webapp.game import replay
from webapp.history.search import read_history
from webapp.ledger import ledger
from webapp.pages.counting.view import fill_count
from webapp.pages.evening.view import read_evening
from webapp.pages.history.picture import SQUARE, read_picture
from webapp.pages.history.view import read_sheet
from webapp.pages.printing.view import read_print
from webapp.pages.scorepad import commands as taps
from webapp.pages.standings.pair import read_pair
from webapp.pages.standings.player import read_player
from webapp.pages.standings.view import read_house
from webapp.standings.ratings import read_ratings, show_ratings
from webapp.text.refusals import PlayerNotFoundError

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eve")
STAY = ("Ana", "Ben", "Cleo", "Dov")


def play(database: Database, *, ranked: bool = False, finished: bool = True) -> Table:
    """Five play a round, in which Eve goes out; then she leaves, and the others play another."""
    table = Table(database, NAMES)
    count(table, ("30", "40", "50", "60", "out"))
    leave(table, "eve", ranked=ranked)
    count(table, ("out", "40", "50", "60", ""), first=2)
    if finished:
        table.tap(taps.finish_game)
    return table


def test_places_are_those_of_the_others(database, phone):
    for finished in (False, True):
        table = play(database, finished=finished)
        assert table.state.places == (1, 2, 3, 4, None)
        sheet = database.read(read_sheet, table.pub)
        assert [(each.rank, each.seat.name) for each in sheet.standing] == [
            *enumerate(STAY, start=1)
        ]
        page = phone.open(f"/g/{table.pub}/sheet")
        assert "5th" not in page.text
        assert "Eve left before round 2, and isn’t ranked." in page.text


def test_the_result_and_its_picture_name_the_others(database):
    table = play(database)
    sheet = database.read(read_sheet, table.pub)

    assert [part.split(" ")[0] for part in sheet.result_says.split(" · ")[1:-1]] == [*STAY]
    assert "Eve" not in sheet.result_says
    assert all("Eve" not in says for says in sheet.facts)
    picture = database.read(read_picture, table.pub, SQUARE)
    shown = [each.who.name for each in (*picture.steps, *picture.lines)]
    assert sorted(shown) == [*STAY]
    printed = database.read(read_print, table.pub)
    assert printed.title == "Ana wins"
    assert "Eve left before round 2, and isn’t ranked." in printed.says


def test_lists_of_the_house_leave_the_game_out_for_them(database):
    table = play(database)
    who = {name: table.ids[name.lower()] for name in NAMES}
    database.write(show_ratings, shown=True, form_key=sent())

    house = database.read(read_house, "mexican-rummy")
    assert {line.name for line in house.few} == {*STAY}
    assert all("Eve" not in record.who for record in house.records)
    assert set(database.read(read_ratings, "mexican-rummy")["mexican-rummy"]) == {
        who[name] for name in STAY
    }
    ana, eve = (database.read(read_player, who[name]) for name in ("Ana", "Eve"))
    assert {each.other.name for each in ana.against} == {"Ben", "Cleo", "Dov"}
    assert eve.rate is None
    assert eve.against == eve.last == eve.games == ()
    assert database.read(read_pair, who["Ana"], who["Eve"]).score.games == 0
    assert list(find_faults(database)) == []


def test_an_evening_names_who_is_ranked(database):
    table = play(database)
    evening = database.read(read_evening, table.pub)
    assert [(each.name, each.games) for each in evening.players] == [(name, 1) for name in STAY]

    other = Table(database, ("Eve", "Ana"))
    other.play(1)
    other.tap(taps.finish_game)
    evening = database.read(read_evening, table.pub)
    games = {each.name: (each.wins, each.games) for each in evening.players}
    assert games == {"Ana": (1, 2), "Eve": (1, 1), **dict.fromkeys(("Ben", "Cleo", "Dov"), (0, 1))}


def test_a_table_of_totals_has_no_place_for_them(database):
    play(database)
    rows = csv.DictReader(io.StringIO("".join(write_totals(database, Selection()))))

    assert [row["place"] for row in rows] == ["1", "2", "3", "4", ""]


def test_the_lead_is_over_those_who_can_win(database):
    table = play(database, finished=False)
    assert table.pad.lead_says == "Ana leads by 50"
    typed = table.typed(3, ana="out", ben="50", cleo="50", dov="50")
    says = table.database.read(fill_count, table.pub, 3, typed).says

    assert "Ana leads by 100" in says


def test_only_players_who_can_win_are_asked_about_at_the_target(database):
    table = Table(database, ("Ana", "Ben", "Cleo"), "just-points", options={"target": "50"})
    count(table, ("10", "20", "60"))
    assert table.pad.asks_end
    leave(table, "cleo", ranked=False)

    assert not table.pad.asks_end


def test_a_player_who_left_and_is_ranked_has_a_place(database):
    table = play(database, ranked=True)

    assert table.state.places == (2, 3, 4, 5, 1)
    assert table.pad.winners == ("Eve",)


def test_a_player_who_comes_back_has_a_place_again(database):
    table = play(database, finished=False)
    join(table, "Eve", player=str(table.ids["eve"]), carry="nothing")
    table.tap(taps.finish_game)

    assert None not in table.state.places


def test_a_table_that_everybody_left_for_others_has_a_sheet(database, client):
    table = Table(database, ("Ana", "Ben", "Cleo"))
    table.play(1)
    for name in ("Dov", "Eve", "Finn"):
        join(table, name, carry="nothing")
    for name in ("ana", "ben", "cleo"):
        leave(table, name, ranked=False)
    table.tap(taps.finish_game)

    assert table.state.places == (None, None, None, 1, 1, 1)
    for page in ("/result", "/sheet", "/print", "/evening", "/result.png"):
        assert client.get(f"/g/{table.pub}{page}").status_code == 200


def test_games_of_before_are_in_no_list_of_theirs_after_the_upgrade(database, monkeypatch):
    with monkeypatch.context() as patch:
        # As the Laydown of before had it, and as the broken twin of this one has.
        everybody = property(lambda state: tuple(place or 5 for place in state.score.places))
        patch.setattr(replay.GameState, "places", everybody)
        table = play(database)
        assert database.read(read_player, table.ids["eve"]).rate
        assert "Eve 0" in database.read(read_sheet, table.pub).result_says
    database.cache = GameCache()
    assert list(find_faults(database))
    # What an upgrade does, after its migrations.
    database.write(ledger.rebuild_older)

    assert database.read(read_player, table.ids["eve"]).rate is None
    assert list(find_faults(database)) == []


def test_a_game_that_is_known_by_its_winner_lists_everybody_who_sat_there(database):
    table = play(database)
    [line] = database.read(read_history).lines

    assert line.won_by == "Ana won"
    assert len(line.players) == len(NAMES)
    assert table.pad.title == "Ana wins"
    with pytest.raises(PlayerNotFoundError):
        database.read(read_pair, table.ids["ana"], table.ids["ana"])
