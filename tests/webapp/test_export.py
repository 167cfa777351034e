"""Export: all there is, line by line, and tables that a spreadsheet program can be trusted with."""

import csv
import io
import json
import random

import pytest

from tests.webapp.books import add_players, play_at_random
from tests.webapp.table import Table
from webapp.exchange.choice import Selection
from webapp.exchange.tables import plain_text, write_rounds, write_totals
from webapp.exchange.writing import write_book
from webapp.ledger import ledger
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import utcnow
from webapp.pages.scorepad import commands as taps
from webapp.players.commands import merge_players

pytestmark = pytest.mark.slow


def lines(database, **which):
    return [json.loads(line) for line in write_book(database, Selection(**which))]


def of(kind, found):
    return [line[kind] for line in found if kind in line]


def rows(text):
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:])))


@pytest.mark.databases
def test_an_export_holds_every_entry_with_its_seal(database):
    play_at_random(database, random.Random(4), add_players(database, 5), 12)

    found = lines(database)

    assert found[0] == {"laydown": {"format": "book", "schema": 1}}
    assert found[-1] == {"end": {"lines": len(found) - 1}}
    assert len(of("game", found)) == 12
    before = ""
    for entry in of("entry", found):
        told = [entry[name] for name in ("seq", "kind", "payload", "key", "device", "at")]
        before = NO_SEAL if entry["seq"] == 1 else before
        assert (
            seal(
                before,
                {
                    **dict(zip(("seq", "kind", "payload", "key", "device"), told, strict=False)),
                    "at": utcnow().fromisoformat(entry["at"]),
                },
            )
            == entry["seal"]
        )
        before = entry["seal"]


def test_one_game_comes_with_its_players_alone(database):
    table = Table(database)
    table.play(2)
    Table(database, ("Dora", "Emil")).play(1)

    found = lines(database, pub=table.pub)

    assert [game["pub"] for game in of("game", found)] == [table.pub]
    assert [player["name"] for player in of("player", found)] == ["Ana", "Ben", "Cleo"]


def test_a_merged_player_is_exported_as_the_one_they_are_now(database):
    table, other = Table(database, ("Bne", "Cleo")), Table(database, ("Ben", "Dora"))
    table.play(1)
    ben = other.ids["ben"]
    database.write(merge_players, table.ids["bne"], "Ben", ledger.FormKey(key=ledger.new_key()))

    found = lines(database, player=ben)

    assert {player["name"] for player in of("player", found)} == {"Ben", "Cleo", "Dora"}
    assert of("game", found)[0]["players"][str(table.ids["bne"])] == ben
    assert {game["pub"] for game in of("game", found)} == {table.pub, other.pub}


def test_totals_and_rounds_are_those_of_the_pad(database):
    table = Table(database)
    table.play(6)
    table.tap(taps.finish_game)
    choice = Selection(pub=table.pub)

    totals = rows("".join(write_totals(database, choice)))
    rounds = rows("".join(write_rounds(database, choice)))

    assert [(row["player"], row["place"], row["total"], row["won"]) for row in totals] == [
        ("Ana", "1", "0", "1"),
        ("Ben", "2", "360", "0"),
        ("Cleo", "2", "360", "0"),
    ]
    assert len(rounds) == 18
    assert [row["total"] for row in rounds if row["player"] == "Ben"][-1] == "360"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", '"=1"', "\t=1", "＝1", "－1"])
def test_no_name_is_a_formula(name):
    assert plain_text(name).startswith("'")


def test_a_name_stays_a_name_and_a_number_a_number(database):
    table = Table(database, ("=cmd|x", "Ben, “Jr”"))
    table.play(1)

    found = rows("".join(write_totals(database, Selection())))

    assert [row["player"] for row in found] == ["'=cmd|x", "Ben, “Jr”"]
    assert found[1]["total"] == "60"


def test_files_are_had_from_the_page(database, client):
    table = Table(database)
    table.play(2)
    page = client.get(f"/exports?game={table.pub}").text

    for kind, ending in (("totals", "totals.csv"), ("rounds", "rounds.csv"), ("book", ".jsonl")):
        assert f"kind={kind}&amp;game={table.pub}" in page
        answer = client.get(f"/exports/file?kind={kind}&game={table.pub}", buffered=True)
        assert answer.status_code == 200
        dash = "" if ending.startswith(".") else "-"
        name = f"laydown-{table.pub}{dash}{ending}"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("kind=book&game=aaaaaaaaaa", 404),
        ("kind=book&player=99", 404),
        ("kind=exe", 400),
        ("kind=book&game=../../etc", 400),
        ("kind=totals&year=99999", 400),
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(query, status, client, database):
    answer = client.get(f"/exports/file?{query}")

    assert answer.status_code == status
    assert answer.mimetype == "text/html"


def test_an_export_is_written_as_it_is_read(database):
    play_at_random(database, random.Random(4), add_players(database, 5), 60)
    written = write_book(database, Selection())
    head = [next(written) for _ in range(8)]

    # Whoever saves meanwhile is neither held up nor half written.
    Table(database).play(1)
    rest = [json.loads(line) for line in written]

    assert len(head) == 8
    assert len(of("game", rest)) + sum("game" in json.loads(line) for line in head) == 60
