"""The home page: the game that is played, what may be asked at its table, and who wins most."""

from tests.webapp.table import Page, Table
from webapp.pages.home.view import read_home
from webapp.pages.scorepad.commands import finish_game


def test_before_the_first_game_it_says_so_and_asks_nothing(client, database):
    page = client.get("/").text

    assert "No game yet" in page
    assert 'id="q"' not in page
    assert database.read(read_home).asking is None


def test_a_running_game_has_the_token_of_its_leader(database):
    table = Table(database)
    table.count(1, ana="60", ben="out", cleo="30")

    [line] = database.read(read_home).live

    assert [each.leads for each in line.players] == [False, True, False]
    assert line.first is not None
    assert line.first.names == ("Ben",)
    assert line.asks == "1 set + 1 run"
    assert line.brief == "Round 2 of 6 · Ben leads"


def test_nobody_leads_before_anything_is_counted(database):
    Table(database)

    [line] = database.read(read_home).live

    assert not any(each.leads for each in line.players)


def test_what_may_be_asked_is_about_the_round_that_is_played(client, database):
    table = Table(database)
    page = client.get("/")

    asking = database.read(read_home).asking
    assert asking is not None
    assert asking.pub == table.pub
    assert asking.step == 1
    for each in asking.suggested:
        assert f"/g/{table.pub}/ask/{each.id}" in page.text
    assert [form for form in Page(page).forms if form.attributes["action"] == f"/g/{table.pub}/ask"]


def test_once_a_game_is_over_its_rules_as_published_may_be_asked_about(client, database):
    table = Table(database)
    table.play(1)
    table.tap(finish_game)

    asking = database.read(read_home).asking

    assert asking is not None
    assert asking.pub == ""
    assert 'action="/ask/mexican-rummy"' in client.get("/").text


def test_just_points_has_no_referee_here_either(client, database):
    Table(database, variant="just-points")

    assert database.read(read_home).asking is None
    assert 'id="q"' not in client.get("/").text


def test_those_who_win_most_are_ranked_once_they_have_played_enough(client, database):
    for number in range(5):
        table = Table(database, ("Ana", "Ben"))
        table.count(1, ana="out" if number else "30", ben="out" if not number else "30")
        table.tap(finish_game)
        if number < 4:
            assert database.read(read_home).ranked == ()
    page = client.get("/").text

    ranked = database.read(read_home).ranked
    assert [(line.name, line.rate.percent) for line in ranked] == [("Ana", 80), ("Ben", 20)]
    assert "5 played, 4 won" in page
