"""Every page and every fragment: with htmx and without, and what is said when it cannot be."""

import html
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee import variants
from referee.advice import no_advice
from tests.examples import in_turn
from tests.webapp.advice import FIVE
from tests.webapp.table import HTMX, OWN, Page, Table, count_form
from webapp.ledger.ledger import new_key
from webapp.pages.rulebook.draft import Draft, in_game, keep_draft
from webapp.pages.scorepad import commands as taps

READ = [
    *"""
    / /up /games/new /games/own /games/own/add /games/own/text?from=rummikub
    /rules/rummikub/change /rules/rummikub/change?open=players
    /ask /rules /history /players /players/{ana} /players/{ana}/against/{ben} /standings
    /history?part=bare /settings /keeping /players/changes /g/{pub} /g/{pub}/board /g/{pub}/sheet
    /g/{pub}/evening /g/{pub}/share /g/{pub}/who /g/{pub}/house-rules /g/{pub}/rules
    /g/{pub}/print /g/{pub}/seats /g/{pub}/seats/new /g/{pub}/notes /g/{pub}/phones
    /g/{pub}/phones/1 /g/{pub}/notes?round=1 /g/{pub}/ask /g/{pub}/ask/king-ace-two
    /ask/rummikub/take-back /g/{pub}/desk /g/{pub}/desk/ruling /g/{pub}/desk/advice
    /g/{pub}/rounds/2 /g/{pub}/rounds/2?player={ana} /g/{pub}/rounds/1
    /g/{pub}/rounds/1/hands/{ana}
    """.split(),
    *("/exports", "/imports", "/keeping/deletion", "/players/{ana}/deletion", "/g/{pub}/deletion"),
    *(f"/{page}/{variant.slug}" for page in ("rules", "print", "ask", "desk") for variant in FIVE),
    *(f"/desk/{variant.slug}/{page}" for page in ("ruling", "advice") for variant in FIVE),
]
TIMED = ["/g/{pub}/clock", "/g/{pub}/clock/face", "/g/{pub}/clock/strip"]
"""Pages of a game that has a turn clock; see tests/webapp/test_clock.py."""
ENDED = ["/g/{pub}/result"]
"""Pages of a finished game; see tests/webapp/test_finish.py."""
CHANGED = ["/rules/rummikub/change/done?d=fewer", "/g/{pub}/house-rules/done?d=sooner"]
"""Pages of rules that were changed, each with the key of the changes."""
KEPT = [f"/games/own/1{page}" for page in ("", "/share", "/file", "/deletion")]
"""Pages of a game of your own; see tests/webapp/test_own_games.py."""

Read = Callable[[str], TestResponse]


def at(address: str, table: Table) -> str:
    return address.format(pub=table.pub, ana=table.ids.get("ana", 0), ben=table.ids.get("ben", 0))


@pytest.fixture(scope="module")
def answers() -> dict[str, TestResponse]:
    """What each page of the game `played` answered, for all tests that look at them."""
    return {}


@pytest.fixture
def read(client: FlaskClient, played: Table, answers: dict[str, TestResponse]) -> Read:
    """A function that reads a page of that game, which is the same one in every test."""

    def read(address: str) -> TestResponse:
        if address not in answers:
            answers[address] = client.get(at(address, played))
        return answers[address]

    return read


@pytest.mark.parametrize("address", READ)
def test_every_page_can_be_read(client, played, read, address):
    plain, fragment = read(address), client.get(at(address, played), headers=HTMX)

    assert (plain.status_code, fragment.status_code) == (200, 200)
    if address.endswith(("/up", "/board")):
        assert "<html" not in plain.text + fragment.text
    else:
        assert "<html" in plain.text


@pytest.mark.parametrize(
    "variant",
    in_turn(variants.all(), quick=0),
    ids=lambda variant: variant.slug,
)
def test_every_game_is_played_on_the_same_pages(client, database, variant):
    table = Table(database, ("Ana", "Ben", "Cleo")[: max(2, variant.players[0])], variant.slug)

    why = no_advice(variant)
    for address in READ:
        # What is asked about one game isn’t asked about every other.
        if address.startswith("/g/{pub}") and not re.search("/rounds|/ask/", address):
            answer = client.get(at(address, table))
            assert answer.status_code == (404 if why and "/advice" in address else 200)
            assert why in html.unescape(answer.text) or "/advice" not in address
    assert client.get(f"/g/{table.pub}/rounds/1").status_code == 200


@pytest.mark.parametrize("variant", in_turn(variants.all()), ids=lambda variant: variant.slug)
def test_every_game_has_its_rules_its_sheet_and_its_desk(client, variant):
    why = no_advice(variant)
    for place in ("rules", "print", "desk"):
        page = client.get(f"/{place}/{variant.slug}")
        assert page.status_code == 200
        assert variant.name in html.unescape(page.text)
    assert client.get(f"/desk/{variant.slug}/ruling").status_code == 200
    assert client.get(f"/desk/{variant.slug}/advice").status_code == (404 if why else 200)
    assert ("/advice" in client.get(f"/rules/{variant.slug}").text) is not bool(why)
    assert ('id="advice"' in client.get(f"/desk/{variant.slug}").text) is not bool(why)


@pytest.mark.parametrize("address", TIMED)
def test_a_game_with_a_clock_shows_it(client, database, address):
    table = Table(database, ("<b>Ana", "Ben"), "rummikub")

    answer = client.get(at(address, table))

    assert answer.status_code == 200
    assert "<b>Ana" not in answer.text
    assert ("<html" in answer.text) is not address.endswith(("face", "strip"))


def change_rules(table: Table) -> None:
    """Change the rules that the pages of `CHANGED` show."""
    table.database.write(keep_draft, Draft("fewer", {"deal.cards": 13}), "rummikub")
    table.database.write(keep_draft, Draft("sooner", {"end.total": 100}), in_game(table.pub))


@pytest.mark.parametrize("address", CHANGED)
def test_the_pages_of_changed_rules_can_be_read(client, played, address):
    change_rules(played)

    answer = client.get(at(address, played))

    assert answer.status_code == 200
    assert "1 change" in answer.text or "Rescore and continue" in answer.text


def test_every_page_there_is_is_tried_by_these_tests(app: Flask, table):
    adapter = app.url_map.bind("localhost")
    tried = {
        adapter.match(at(address, table).partition("?")[0])[0]
        for address in (*READ, *TIMED, *ENDED, *CHANGED, *KEPT)
    }
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}

    files = {"static_file", "home.manifest", "history.picture", "asking.old_index"}
    files |= {"exchange.download", "exchange.template", "own.new", "own.make", "own.change"}
    assert pages - tried == files, "A new page goes into READ, which is also read in Spanish."


def test_no_page_has_a_script_or_style_in_it(read):
    for address in READ:
        text = read(address).text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|hx-on|\bjs:", text)


def test_a_name_is_never_markup(client, database):
    table = Table(database, ("<img src=x>", 'a"onload="x', "O'Ben"))
    table.play(1)

    for address in READ:
        if "{ana}" not in address:
            text = client.get(at(address, table)).text
            assert "<img src" not in text
            assert ' onload="' not in text


def test_a_result_has_no_script_or_style_in_it_and_no_markup_of_names(client, database):
    table = Table(database, ("<img src=x>", 'a"onload="x', "O'Ben"))
    table.play(6)
    text = client.get(f"/g/{table.pub}/result").text

    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|hx-on|\bjs:", text)
    assert "<img src" not in text
    assert ' onload="' not in text
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    "address",
    [
        "/nowhere",
        "/g/aaaaaaaaaa",
        "/g/aaaaaaaaaa/board",
        "/g/AAAAAAAAAA",
        "/g/short",
        "/g/{pub}/rounds/3",
        "/g/{pub}/rounds/0",
        "/g/{pub}/rounds/1/hands/999999",
        "/g/{pub}/rounds/99999999999999999999",
        "/g/{pub}/rounds/2?player=999999",
        "/g/aaaaaaaaaa/phones",
        "/g/{pub}/phones/0",
        "/g/{pub}/phones/2",
        "/g/{pub}/phones/1/undoings/1",
        "/players/changes/0",
        "/g/{pub}/desk?player=999999",
        "/rules/whist",
        "/desk/whist",
        "/static/0/css/laydown.css",
    ],
)
def test_what_is_not_there_is_not_found(client, played, address, headers):
    answer = client.get(at(address, played), headers=headers)

    assert answer.status_code == 404
    assert ("<html" in answer.text) is (not headers)


@pytest.mark.parametrize("page", ["/rounds/3", "/rounds/1/hands/999999", "/desk?player=999999"])
def test_from_what_is_not_there_in_a_game_the_way_leads_back_to_its_pad(phone, played, page):
    phone.open(f"/g/{played.pub}{page}", 404)
    assert phone.page.links["Go back"] == f"/g/{played.pub}"
    phone.open("/g/aaaaaaaaaa", 404)
    assert phone.page.links["Home"] == "/"


def test_a_refusal_by_htmx_goes_where_it_is_read_out(client):
    answer = client.get("/nowhere", headers=HTMX)

    assert answer.headers["HX-Retarget"] == "#said"
    assert answer.headers["HX-Reswap"] == "innerHTML"


def test_a_page_is_not_written_to(client, table):
    answer = client.post(f"/g/{table.pub}", headers=OWN)

    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_a_change_is_not_read(client, table):
    assert client.get(f"/g/{table.pub}/voids").status_code == 405


def test_a_body_that_is_too_large_is_refused(client, table):
    form = {"key": new_key(), "left-1": "1" * 70_000}

    assert client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN).status_code == 413


def test_a_locked_database_is_busy_and_not_broken(client, played, database):
    form = count_form(played, ana="out", ben="45", cleo="60")
    with database.engine.connect() as other:
        lock = other.execution_options(writes=True).begin()
        other.exec_driver_sql("UPDATE game SET seq = seq")
        answer = client.post(f"/g/{played.pub}/rounds/2", data=form, headers=OWN)
        lock.rollback()

    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert client.post(f"/g/{played.pub}/rounds/2", data=form, headers=OWN).status_code == 303


def test_a_fault_of_ours_shows_no_traceback(client, monkeypatch):
    def fail(_session):
        raise RuntimeError("secret")

    monkeypatch.setattr("webapp.pages.home.routes.read_home", fail)
    answer = client.get("/")

    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_what_goes_on_is_not_called_won(client, played):
    assert "not finished" in client.get("/history").text
    played.play(6)
    assert "not finished" not in client.get("/history").text
    assert "★ 1st" in client.get(f"/g/{played.pub}/result").text

    played.tap(taps.reopen_game)

    assert "★ 1st" not in client.get(f"/g/{played.pub}/sheet").text


def test_a_sheet_shows_the_games_won_if_the_standings_go_by_them(client, database):
    table = Table(database, ("Ana", "Ben"), "rummikub")
    table.count(1, ana="out", ben="20")
    table.count(2, ana="out", ben="5")
    table.count(3, ana="90", ben="out")

    shown = Page(client.get(f"/g/{table.pub}/sheet")).text.partition("How it went")[0]

    # Ben has more points, but Ana leads, who has won more games.
    assert "Total −65 , leads 2 wins 65 1 win" in shown


def test_every_place_on_a_page_has_a_name_of_its_own(read):
    for address in READ:
        page = re.sub(r"(?s)<template.*?</template>", "", read(address).text)
        names = re.findall(r' id="([^"]+)"', page)

        assert len(names) == len(set(names)), address


def test_nobody_is_on_a_phase_that_there_is_not(client, database):
    table = Table(database, ("Ana", "Ben"), "phase-10")
    for number in range(1, 11):
        table.save(number, table.typed(number, sure=True, ana="out made", ben="15"))
    page = client.get(f"/g/{table.pub}/sheet").text

    assert "phase 1<" in page
    assert "all done ✓" in page
    assert "phase 11" not in page
