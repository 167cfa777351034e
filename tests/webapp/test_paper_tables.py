"""Tables of games on paper, and exports of BG Stats: read as people write them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.webapp.sheets import LONG, WIDE, keep, look, pubs, read
from tests.webapp.table import Table
from webapp import ledger
from webapp.exchange.choice import Choice
from webapp.exchange.paper.dates import DateRefusedError, Order, read_date
from webapp.exchange.tables import write_totals
from webapp.ledger import new_key
from webapp.services.refusals import RefusedError
from webapp.services.scorepad import read_pad, taps

ONE = [("mexican-rummy", "2025-11-22", {"Ana": 120, "Björn": 85}, ("Björn",))]


@pytest.mark.parametrize(
    "table",
    [
        "date,game,winner,Ana,Björn\n2025-11-22,Mexican Rummy,Björn,120,85\n",
        "\ufeffdate,game,Ana,Björn\r\n2025-11-22,mexican-rummy,120,85\r\n",
        "Datum;Spiel;Ana;Björn;Sieger\n22.11.2025;MEXICAN RUMMY;120;85;björn\n",
        "day\tgame\tAna\tBjörn\n22/11/2025\tMexican  Rummy\t120\t85\n",
        "sep=;\ndate;game;Ana;Björn;;\n22.11.25;Mexican Rummy;60+60;85;;\n;;;;;\n",
        (
            "date,game,player,total,won\n2025-11-22,Mexican Rummy,Ana,120,0\n"
            "2025-11-22,Mexican Rummy,Björn,85,1\n"
        ),
        (
            "Game,Player,Points,Place,Date\nMexican Rummy,Ana,120,2,2025/11/22\n"
            "Mexican Rummy,Björn,85,1.,2025/11/22\n"
        ),
        'date,game,Ana,Björn,note\n2025-11-22 20:15,"Mexican Rummy",120,85,"rain,\nall day"\n',
    ],
)
def test_a_table_is_read_as_people_write_it(database, table):
    assert read(database, table) == ONE


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16"])
def test_letters_are_read_as_programs_write_them(database, codec):
    table = "date;game;Ana;Björn\n22.11.2025;Mexican Rummy;120;85\n".encode(codec)

    assert read(database, table) == ONE


def test_what_laydown_exports_as_totals_is_read_again(database, other):
    table = Table(other, ("Ana", "=Ben"))
    table.play(2)
    table.tap(taps.finish_game)
    Table(other, ("Ana", "Cleo")).play(1)
    exported = "".join(write_totals(other, Choice()))

    found = look(database, exported).paper

    [game] = found.games
    assert game.totals == {s.name: s.total for s in other.read(read_pad, table.pub).seats}
    assert len(found.left_out) == 1, "the one that goes on"
    assert look(other, exported).paper.here == 1


@pytest.mark.parametrize(
    ("dates", "order", "shown_by"),
    [
        (["01/02/2025", "13/02/2025"], Order.DAY, 3),
        (["01/02/2025", "02/13/2025"], Order.MONTH, 3),
        (["22.11.2024", "3.4.2025"], None, 0),
        (["2025-01-02"], None, 0),
        (["05/05/2025"], None, 0),
    ],
)
def test_the_whole_column_says_whether_the_day_comes_first(database, dates, order, shown_by):
    table = WIDE + "".join(f"{date},Rummy,,1,2,\n" for date in dates)

    found = look(database, table).paper

    assert not found.ambiguous
    assert len(found.games) == len(dates)
    if order:
        assert f"line {shown_by}" in found.read_as
        first = found.games[0].begun
        assert (first.day, first.month) == ((1, 2) if order is Order.DAY else (2, 1))


def test_dates_that_can_be_read_two_ways_are_asked_about(database):
    table = WIDE + "01/02/2025,Rummy,,1,2,\n03/04/2025,Rummy,,3,4,\n"

    found = look(database, table).paper
    assert found.ambiguous == "01/02/2025"
    assert not found.games
    assert keep(database, table) == 0
    for order, day in ((Order.DAY, "2025-02-01"), (Order.MONTH, "2025-01-02")):
        assert read(database, table, order)[0][1] == day


@pytest.mark.parametrize(
    "date", ["", "soon", "31.02.2025", "2025-13-01", "1.1.1899", "1.1.9999", "22.11.2025x", "1/1"]
)
def test_what_is_no_day_is_refused(date):
    with pytest.raises(DateRefusedError):
        read_date(date, "", None)


def test_a_game_of_today_was_not_begun_later_than_now():
    now = datetime.now(UTC).astimezone()

    assert read_date(f"{now:%Y-%m-%d}", "", None) <= now + timedelta(minutes=1)
    assert read_date(f"{now:%Y-%m-%d}", "23:59", None) <= now + timedelta(minutes=1)
    with pytest.raises(DateRefusedError):
        read_date(f"{now + timedelta(days=2):%Y-%m-%d}", "", None)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("2025-11-22,Canasta,,1,2,3", "column B"),
        ("2025-11-22,Gin,,1,2,", "column B"),
        ("2025-11-22,Gin Rummy,,1,2,3", "column B"),
        ("2025-11-22,Rummy,,1,,", "column B"),
        ("2025-11-22,,,1,2,3", "column B"),
        ("2025-22-22,Rummy,,1,2,3", "column A"),
        ("2025-11-22,Rummy,Dora,1,2,3", "column C"),
        ("2025-11-22,Rummy,Cleo,1,2,", "column C"),
        ("2025-11-22,Rummy,,1,two,3", "column E"),
        ("2025-11-22,Rummy,,1,2.5,3", "column E"),
        ("2025-11-22,Rummy,,1,2,1000001", "column F"),
        ("2025-11-22,Phase 10,,1,2,3", "column C"),
        ("2025-11-22,Rummikub,,1,2,3", "column C"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_column(database, line, column):
    good = "2025-11-21,Rummy,,5,6,\n"
    found = look(database, f"{WIDE}{good}{line}\n{good}").paper

    assert len(found.games) == 2
    [why] = found.left_out
    assert why.startswith(f"Line 3, {column}")


@pytest.mark.parametrize(
    "table",
    [
        "",
        "\n\n",
        "hello",
        "date,game\n2025-11-22,Rummy\n",
        "game,Ana,Ben\nRummy,1,2\n",
        "date,Ana,Ben\n2025-11-22,1,2\n",
        "date,game,Ana,ana\n2025-11-22,Rummy,1,2\n",
        "date,game,Ana,B\0en\n",
        "{}",
        "{",
        '{"plays": 1}',
        b"\xff\xfe\x00\xd8",
        "date,game," + ",".join(f"P{n}" for n in range(300)),
        'date,game,"' + "x" * 200_000,
    ],
)
def test_what_is_no_table_is_a_sentence(database, table):
    with pytest.raises(RefusedError, match=r"\w.*[.]$"):
        look(database, table)


@pytest.mark.parametrize(
    ("game", "totals", "winners"),
    [
        ("Mexican Rummy", "10,20,30", ("Ana",)),
        ("Rummy", "10,20,30", ("Cleo",)),
        ("Mexican Rummy", "20,20,30", ("Ana", "Ben")),
        ("Remigio", "-5,−20,25", ("Cleo",)),
    ],
)
def test_the_best_total_wins_as_the_game_counts(database, game, totals, winners):
    [(_, _, _, won)] = read(database, f"{WIDE}2025-11-22,{game},,{totals}\n")

    assert won == winners


@pytest.mark.parametrize(
    ("said", "winners", "is_remarked"),
    [
        ("Ana", ("Ana",), False),
        ("ben", ("Ben",), True),
        ("Ben & Cleo", ("Ben", "Cleo"), True),
        ("Ana, Ben and Cleo", ("Ana", "Ben", "Cleo"), True),
        ("-", ("Ana",), False),
    ],
)
def test_who_won_is_taken_as_it_is_said_and_said_where_totals_say_otherwise(
    database, said, winners, is_remarked
):
    found = look(database, f'{WIDE}2025-11-22,Mexican Rummy,"{said}",10,20,30\n').paper

    assert found.games[0].winners == winners
    assert [each for each in found.remarks if "Line 2" in each] == list(found.remarks)
    assert bool(found.remarks) == is_remarked


def test_lines_of_one_game_stand_together_until_somebody_comes_again(database):
    lines = ["Ana;10;1", "Ben;20;0", "Ana;30;0", "Ben;5;1", "Cleo;50;0"]
    table = LONG + "".join(f"2025-11-22;Mexican Rummy;{line}\n" for line in lines)

    assert [(totals, won) for _, _, totals, won in read(database, table)] == [
        ({"Ana": 10, "Ben": 20}, ("Ana",)),
        ({"Ana": 30, "Ben": 5, "Cleo": 50}, ("Ben",)),
    ]


def test_a_game_whose_name_is_taken_for_another_is_said(database):
    found = look(database, WIDE + "2025-11-22,Scala,,1,2,3\n").paper

    assert found.games[0].variant.slug == "scala-40"
    assert found.remarks == ("“Scala” is taken for Scala 40.",)


def test_who_is_one_person_here_does_not_sit_there_twice(database):
    from webapp.services.roster import add_player, changes, find_player

    for name in ("Ana", "Anna"):
        database.write(add_player, name, ledger.Sent(key=new_key()))
    ana = database.read(find_player, "Ana")
    database.write(changes.merge_players, ana, "Anna", ledger.Sent(key=new_key()))

    found = look(database, "date,game,Ana,Anna\n2025-11-22,Rummy,1,2\n").paper

    assert not found.games
    assert len(found.left_out) == 1


@settings(max_examples=examples(60), deadline=None)
@given(st.text(alphabet="datego,;\t\n\"'=-./0123456789AnaRumy ", max_size=200))
def test_any_text_is_a_table_or_is_refused(table):
    from webapp.exchange.paper.sheets import read_sheet
    from webapp.exchange.paper.tables import dates_of, read_columns, read_games

    for content in (table, WIDE + table, LONG + table):
        try:
            sheet = read_sheet(content.encode())
            columns = read_columns(sheet)
        except RefusedError:
            continue
        list(dates_of(sheet, columns))
        list(read_games(sheet, columns))


BG_STATS = {
    "about": "a shape with what is read of it, and something that is not",
    "games": [{"id": 1, "name": "Mexican Rummy"}, {"id": 2, "name": "Catan"}],
    "players": [{"id": 7, "name": "Ana"}, {"id": 8, "name": "Ben"}],
    "plays": [
        {
            "gameRefId": 1,
            "playDate": "2019-04-06 20:15:00",
            "durationMin": 90,
            "playerScores": [
                {"playerRefId": 7, "score": "60+60", "winner": False},
                {"playerRefId": 8, "score": "85", "winner": True},
            ],
        },
        {
            "gameRefId": 1,
            "playDate": "2019-04-07 20:15:00",
            "playerScores": [{"playerRefId": 7, "score": "5"}, {"playerRefId": 8, "score": 4}],
        },
        {"gameRefId": 2, "playDate": "2019-04-08 20:15:00", "playerScores": []},
        {
            "gameRefId": 1,
            "playDate": "2019-04-09 20:15:00",
            "playerScores": [
                {"playerRefId": 7, "score": ""},
                {"playerRefId": 8, "score": "null"},
            ],
        },
        {"gameRefId": [], "playDate": 5, "playerScores": {}},
        "nothing",
    ],
}


def test_the_rummies_of_a_bg_stats_export_come_in(database):
    export = json.dumps(BG_STATS)

    assert read(database, export) == [
        ("mexican-rummy", "2019-04-06", {"Ana": 120, "Ben": 85}, ("Ben",)),
        ("mexican-rummy", "2019-04-07", {"Ana": 5, "Ben": 4}, ("Ben",)),
    ]
    left_out = look(database, "\ufeff" + export).paper.left_out
    assert [why.partition(",")[0] for why in left_out] == ["Play 3", "Play 4", "Play 5"]
    assert keep(database, export) == 2
    begun = database.read(ledger.read_story, pubs(database)[0]).entered[0].at
    assert f"{begun.astimezone():%H:%M}" == "20:15"
    assert look(database, export).paper.here == 2


@settings(max_examples=examples(40), deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["id", "name", "gameRefId", "playDate", "playerScores", "playerRefId", "score"]
                ),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_an_export_or_is_refused(what):
    from webapp.exchange.paper.bgstats import read_plays

    for found in (what, {"games": [what], "players": [what, what], "plays": [what, what]}):
        try:
            list(read_plays(json.dumps(found).encode()))
        except RefusedError:
            continue
