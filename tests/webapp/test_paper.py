"""Games that were kept on paper: read as people write them, shown first, kept without rounds."""

from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.described import from_nothing
from tests.webapp.sheets import WIDE, keep, look, pubs, read
from tests.webapp.table import OWN, Table
from webapp.exchange.choice import Selection
from webapp.exchange.paper import TEMPLATE, PaperRefusedError
from webapp.exchange.preview import copy_staged, staging
from webapp.exchange.reading import read_book
from webapp.exchange.writing import write_book
from webapp.game.facts import Finished, Noted, Started, Totalled
from webapp.ledger import ledger
from webapp.ledger.ledger import new_key
from webapp.ledger.verification import verify, verify_all
from webapp.pages.evening.view import read_evening
from webapp.pages.exchange import upload as incoming
from webapp.pages.history.view import read_sheet
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.view import read_pad
from webapp.pages.standings.pair import read_pair
from webapp.pages.standings.player import read_player
from webapp.pages.standings.view import read_house
from webapp.text.refusals import KeptOnPaperError, RefusedError

pytestmark = pytest.mark.slow


def test_a_game_from_paper_is_kept_without_rounds(database, client):
    assert keep(database, WIDE + "2019-03-02,Mexican Rummy,Ben,120,85,\n") == 1

    [pub] = pubs(database)
    state = database.read(ledger.read_game, pub)
    assert [type(entry.fact) for entry in state.entered] == [Started, Totalled, Finished]
    assert state.entered[0].at.astimezone().date().isoformat() == "2019-03-02"
    assert (state.finished, state.rounds, state.score.totals) == (True, (), (120, 85))
    assert state.winners == (1,)
    assert database.read(verify, 1) == ()
    sheet = database.read(read_sheet, pub)
    assert (sheet.pad.on_paper, sheet.chart, sheet.facts) == (True, None, ())
    page = client.get(f"/g/{pub}", follow_redirects=True)
    assert page.request.path == f"/g/{pub}/result"
    assert 'id="no-rounds"' in client.get(f"/g/{pub}/sheet").text
    for where in ("print", "result.png", "phones", "share", "rules", "notes", "export?game="):
        assert client.get(f"/g/{pub}/{where}").status_code < 500
    assert "from paper" in client.get("/history").text


def test_a_game_from_paper_is_not_opened_again_and_can_be_played_again(database):
    keep(database, WIDE + "2019-03-02,Mexican Rummy,,120,85,90\n")
    [pub] = pubs(database)

    with pytest.raises(KeptOnPaperError):
        database.write(taps.reopen_game, pub, ledger.FormKey(key=new_key()))
    again = database.write(taps.play_again, pub, ledger.FormKey(key=new_key()))
    assert database.read(read_pad, again).seats[0].total == 0


def test_it_counts_for_players_and_pairs_and_not_for_rounds(database):
    Table(database, ("Ana", "Ben")).count(1, ana="out", ben="40")
    keep(database, WIDE + "2019-03-02,Mexican Rummy,,20,85,\n2019-03-03,Mexican Rummy,,60,5,\n")
    taps_on = pubs(database)[0]
    database.write(taps.finish_game, taps_on, ledger.FormKey(key=new_key()))

    house = database.read(read_house, "mexican-rummy")
    assert house.games_says.startswith("3 games since 20")
    assert [(line.name, line.rate.games, line.rate.wins, line.average) for line in house.few] == [
        ("Ana", 3, 2, 27),
        ("Ben", 3, 1, 43),
    ]
    records = {record.title: record.says for record in house.records}
    assert records["Highest round"] == "40"
    assert records["Biggest win"] == "65"
    assert records["Most rounds"] == "1"
    ana = database.read(read_player, house.few[0].person)
    assert ana.outs_says == "out in 1 of 1 round"
    assert [form.won for form in ana.last] == [True, False, True]
    pair = database.read(read_pair, house.few[0].person, house.few[1].person)
    assert (pair.score.ahead, pair.score.behind, len(pair.lines)) == (2, 1, 3)


def test_an_evening_on_paper_has_games_and_no_hours(database):
    keep(database, WIDE + "2019-03-02,Rummy,,1,2,3\n2019-03-02,Mexican Rummy,,1,2,3\n")
    evening = database.read(read_evening, pubs(database)[0])

    assert evening.length_says == "2 games"
    assert {(player.name, player.wins) for player in evening.players} == {
        *(("Ana", 1), ("Ben", 0), ("Cleo", 1))
    }


def test_the_same_game_is_not_taken_twice(database):
    table = WIDE + "2025-11-22,Rummy,,1,2,3\n2025-11-22,Rummy,,1,2,3\n"

    assert keep(database, table) == 2, "two alike in a file are two"
    assert keep(database, table) == 0
    assert look(database, table + "2025-11-22,Rummy,,3,2,1\n").games == 1


@pytest.mark.databases
def test_games_from_paper_go_from_book_to_book_without_loss(database, other):
    keep(database, TEMPLATE)
    before = "".join(write_book(database, Selection()))

    with staging() as staged:
        read_book(staged, before.splitlines(keepends=True), read_pad)
        copy_staged(other, staged)

    assert "".join(write_book(other, Selection())) == before
    assert other.read(verify_all, 1, 9) == ()


@pytest.mark.parametrize(
    "facts",
    [
        [Totalled(totals={1: 5}, winners=(1,))],
        [Totalled(totals={1: 5, 2: 6, 3: 7}, winners=(1,))],
        [Totalled(totals={1: 5, 2: 6}, winners=())],
        [Totalled(totals={1: 5, 2: 6}, winners=(3,))],
        [Totalled(totals={1: 5, 2: 6}, winners=(1,))] * 2,
        [
            Totalled(totals={1: 5, 2: 6}, winners=(1,)),
            Finished(by="table"),
            Noted(round=1, text="x"),
        ],
        [Finished(by="table"), Totalled(totals={1: 5, 2: 6}, winners=(1,))],
        [Noted(round=1, text="x"), Totalled(totals={1: 5, 2: 6}, winners=(1,))],
    ],
)
def test_what_is_no_game_from_paper_is_refused(database, facts):
    state = database.read(ledger.read_game, Table(database, ("Ana", "Ben")).pub)
    assert state.seats == (1, 2)

    with pytest.raises(ValueError):
        state.with_facts(facts)


def test_an_own_game_comes_in_from_paper(database):

    from webapp.own_games.commands import save_game

    spec = from_nothing()
    spec = {**spec, "text": {**spec["text"], "name": "Sunday"}}
    slug = database.write(save_game, spec, ledger.FormKey(key=new_key()))
    assert keep(database, WIDE + "2025-11-22,sunday,,1,2,3\n") == 1

    assert database.read(ledger.read_game, pubs(database)[0]).start.variant == slug


def send(client, what, key, name="paper.csv"):
    fields = {"held": key, "file": (BytesIO(what.encode()), name)}
    return client.post("/imports", data=fields, headers=OWN)


def test_the_page_shows_a_table_and_imports_it_once(client, database):
    Table(database, ("Ana", "Dora"))
    key = new_key()
    template = client.get("/imports/template.csv")
    assert template.data.decode() == TEMPLATE
    table = WIDE + "2025-02-01,Rummy,,1,2,\n"

    shown = send(client, table, key)
    assert "Already here: Ana." in shown.text
    assert "New players: Ben." in shown.text
    assert len(pubs(database)) == 1
    for _ in range(2):
        assert client.post("/imports/kept", data={"key": key}, headers=OWN).status_code == 303
        assert len(pubs(database)) == 2
    begun = database.read(ledger.read_game, pubs(database)[1]).entered[0].at.astimezone()
    assert (begun.month, begun.day) == (2, 1)


def test_every_mistake_is_named_by_line_and_column_and_nothing_is_imported(client, database):
    lines = "2025-02-01,Rummy,,1,2,\n2025-02-30,Whist,,3,4.5,\n"
    refused = send(client, WIDE + lines, new_key())

    assert refused.status_code == 422
    for mistake in ("Line 3, date", "Line 3, game", "Line 3, Ben", "Nothing was imported"):
        assert mistake in refused.text
    assert pubs(database) == []


def test_one_file_is_imported_at_a_time(client, database):
    """The next one gets a 429 that explains why, so that a save never waits for several."""
    with incoming.alone():
        answer = send(client, TEMPLATE, new_key())

    assert answer.status_code == 429
    assert answer.headers["Retry-After"]
    assert "Another file is being imported" in answer.text
    assert send(client, TEMPLATE, new_key()).status_code == 200


def test_a_table_with_more_games_than_a_page_imports_is_entered_nowhere(client, monkeypatch):
    monkeypatch.setattr(incoming, "MOST_FROM_PAPER", 1)

    refused = send(client, TEMPLATE, new_key())

    assert refused.status_code == 422
    assert "2 new games" in refused.text


@pytest.mark.parametrize(
    ("game", "totals", "winners"),
    [
        ("Mexican Rummy", "120,85,", ("Ben",)),
        ("Rummy 500", "520,480,", ("Ana",)),
        ("mexican-rummy", "85,85,90", ("Ana", "Ben")),
        ("Mexican Rummy", "−5,0,", ("Ana",)),
    ],
)
def test_the_best_total_wins_if_no_winner_is_written(database, game, totals, winners):
    assert read(database, f"{WIDE}2025-12-27,{game},,{totals}\n")[0][3] == winners


def test_a_winner_who_is_written_wins_whatever_the_totals(database):
    table = WIDE + "2025-12-27,Rummy,Ana & Cleo,1,2,3\n2025-12-27,Five Crowns,Ben,1,2,\n"

    assert [game[3] for game in read(database, table)] == [("Ana", "Cleo"), ("Ben",)]


def test_more_winners_than_players_are_not_all_read(database):
    table = WIDE + "2025-12-27,Rummy," + "Zoe & " * 20_000 + ",1,2,3\n"

    with pytest.raises(PaperRefusedError) as refused:
        look(database, table)
    assert str(refused.value).count("winner") == 3 + 1, "one for each player, and the rest"


@pytest.mark.parametrize("between", [",", ";"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_table_can_have_commas_or_semicolons(database, between, mark):
    table = (mark + WIDE + "2025-12-27,Rummy,,1,2,\n\n").replace(",", between)

    assert read(database, table) == [("rummy", "2025-12-27", {"Ana": 1, "Ben": 2}, ("Ben",))]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("", "Line 1 has to be"),
        ("game,date,winner,Ana,Ben\n", "Line 1 has to be"),
        ("date,game,winner\n", "no player"),
        ("date,game,winner,Ana,ANA\n", "Line 1, column 5"),
        ("date,game,winner,Ana,\n", "Line 1, column 5"),
        ("date,game,winner,Ana,Ben\n2025-12-27,Rummy,,1\n", "Line 2, game"),
        ("date,game,winner,Ana,Ben\n2025-12-27,Rummy,,1,2,3\n", "Line 2 has more columns"),
        ("date,game,winner,Ana,Ben\n2999-12-27,Rummy,,1,2\n", "Line 2, date"),
        ("date,game,winner,Ana,Ben\n27.12.2025,Rummy,,1,2\n", "Line 2, date"),
        ("date,game,winner,Ana,Ben\n2025-12-27,Rummy,Zoe,1,2\n", "Line 2, winner"),
        ("date,game,winner,Ana,Ben\n2025-12-27,Phase 10,,1,2\n", "say who won"),
        ("date,game,winner,Ana,Ben\n2025-12-27,Rummy,,1,2000000\n", "Line 2, Ben"),
        ('date,game,winner,Ana,Ben\n"2025', "Line 2"),
        (WIDE.encode() + b"2025-12-27,Rummy,\xe9,1,2,\n", "CSV UTF-8"),
        (WIDE + "2025-12-27,Rummy,,1,2,\n" * 2_001, "up to 2000 games"),
    ],
)
def test_a_table_that_is_not_as_described_is_refused(database, table, says):
    with pytest.raises(PaperRefusedError, match=says):
        look(database, table)


@given(table=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
@example(table=b'{"laydown":')  # This would be a whole book, were it one.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_table_or_are_refused(database, table):
    for content in (table, WIDE.encode() + table):
        with suppress(RefusedError):
            look(database, content)
