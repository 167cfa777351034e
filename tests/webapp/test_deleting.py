"""Deleting: the name gone everywhere, the rest whole, and every guard where it was."""

import json
import sqlite3
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from referee import variants
from referee.variants import UnknownVariantError
from tests.described import from_nothing
from tests.webapp.table import OWN, Table, drawn_key, sent
from webapp.backups.check import find_faults
from webapp.db import DatabaseError
from webapp.exchange.choice import Selection
from webapp.exchange.preview import copy_staged, staging
from webapp.exchange.reading import read_book
from webapp.exchange.writing import write_book
from webapp.game.facts import Counted, Finished
from webapp.game.hand import Hand
from webapp.history.search import read_history
from webapp.ledger import deleting, ledger
from webapp.own_games.catalog import find_game, read_catalog
from webapp.own_games.commands import save_game
from webapp.own_games.patches import made_from
from webapp.pages.deleting.commands import NotSureError, delete
from webapp.pages.deleting.view import read_deletion, read_deletions
from webapp.pages.notes import commands as notes
from webapp.pages.notes.view import read_notes
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.view import read_pad
from webapp.pages.standings.player import read_player
from webapp.players.commands import merge_players, rename_player

pytestmark = pytest.mark.slow


def everything(database):
    """All that the book holds, as text."""
    return "".join(write_book(database, Selection()))


def rows_with(database, word):
    """The tables in which a word stands somewhere."""

    def look(session):
        return [
            table.name
            for table in SQLModel.metadata.sorted_tables
            for row in session.execute(table.select())
            if word.casefold() in str(tuple(row)).casefold()
        ]

    return database.read(look)


def evening(database):
    table = Table(database)
    table.play(5)
    database.write(notes.note, table.pub, 1, "Ben dealt twice, said BEN; Benita did not", sent())
    table.play(6)
    table.tap(taps.finish_game)
    return table


@pytest.mark.databases
def test_a_deleted_person_becomes_somebody_and_no_entry_is_touched(database):
    table = evening(database)
    ben = table.ids["ben"]
    database.write(rename_player, ben, "Benjamin", sent())
    database.write(rename_player, ben, "Ben", sent())
    totals = [seat.total for seat in table.pad.seats]
    sealed = database.read(ledger.seal_of, table.pub)

    database.write(delete, "player", ben, " bEn ", sent())

    assert rows_with(database, "Benjamin") == []
    assert '"Ben"' not in everything(database)
    assert [seat.name for seat in table.pad.seats] == ["Ana", "Somebody", "Cleo"]
    assert [seat.total for seat in table.pad.seats] == totals
    assert database.read(ledger.seal_of, table.pub) == sealed
    assert database.read(read_player, ben).rate.games == 1
    assert list(find_faults(database)) == []


@pytest.mark.databases
def test_notes_that_name_a_person_are_listed_to_be_edited_first(database):
    table = Table(database)
    table.play(1)
    for written in ("BEN dealt twice; Benita did not", "Benita was late", "Benjamin, again"):
        database.write(notes.note, table.pub, 1, written, sent())
    database.write(rename_player, table.ids["ben"], "Benjamin", sent())

    def listed():
        return [text for _, text in database.read(read_deletion, "player", table.ids["ben"]).notes]

    assert listed() == ["BEN dealt twice; Benita did not", "Benjamin, again"]
    first = database.read(read_notes, table.pub).asides[0]
    database.write(notes.take_back, table.pub, first.seq, sent())
    assert listed() == ["Benjamin, again"]


@pytest.mark.databases
def test_every_guard_is_there_after_a_deletion(database):
    table, other = evening(database), evening(database)

    database.write(delete, "game", table.pub, "", sent())

    assert database.missing_guards() == ()
    for statement in ("UPDATE entry SET payload = '{}'", "DELETE FROM entry"):
        with pytest.raises((DatabaseError, Exception), match=r"never|could not|not"):
            database.write(lambda session, statement=statement: session.execute(text(statement)))
    assert other.pad.finished


@pytest.mark.databases
def test_a_deleted_game_is_gone_and_nothing_else_is(database):
    table, other = evening(database), evening(database)
    before = database.read(read_player, table.ids["ana"]).rate

    database.write(delete, "game", table.pub, "", sent())

    with pytest.raises(ledger.GameNotFoundError):
        _ = table.pad
    after = database.read(read_player, table.ids["ana"]).rate
    assert (before.games, after.games) == (2, 1)
    assert list(find_faults(database)) == []
    assert other.pub in everything(database)


@pytest.mark.databases
def test_everything_is_everything(database):
    evening(database)
    with pytest.raises(NotSureError):
        database.write(delete, "everything", 0, "every thing", sent())

    database.write(delete, "everything", 0, "Everything", sent())

    assert [next(iter(json.loads(line))) for line in everything(database).splitlines()] == [
        "laydown",
        "end",
    ]
    assert list(find_faults(database)) == []
    # And a book can be begun again.
    assert evening(database).pad.finished


@pytest.mark.parametrize("variant", ["mexican-rummy", "eleven-phases", "remigio"])
def test_a_game_of_any_kind_is_deleted_whole(variant, database):
    table = Table(database, variant=variant)
    form = ledger.Submission(key=ledger.new_key(), content="", device="phone")
    ids = list(table.ids.values())
    hands = {who: Hand(left="5", out=who == ids[0]) for who in ids}
    facts = [Counted(round=1, hands=hands), Finished(by="table")]
    database.write(ledger.enter, table.pub, form, lambda _: facts)

    database.write(delete, "game", table.pub, "", sent())

    assert rows_with(database, table.pub) == []
    assert list(find_faults(database)) == []


def test_of_a_person_of_two_names_both_go(database):
    table, other = Table(database, ("Bne", "Cleo")), Table(database, ("Ben", "Dora"))
    table.play(1)
    other.play(1)
    database.write(merge_players, table.ids["bne"], "Ben", sent())

    database.write(delete, "player", table.ids["bne"], "Ben", sent())

    assert rows_with(database, "Bne") == rows_with(database, "Ben") == []
    assert list(find_faults(database)) == []


def test_a_name_that_is_not_typed_keeps_everything(database):
    table = evening(database)
    before = everything(database)

    with pytest.raises(NotSureError):
        database.write(delete, "player", table.ids["ben"], "Ana", sent())

    assert everything(database) == before


def test_the_same_form_deletes_once(database):
    table = evening(database)
    form = sent()
    database.write(delete, "game", table.pub, "", form)
    again = everything(database)

    database.write(delete, "game", table.pub, "", form)

    assert everything(database) == again


def own_game(database, title, tagline=""):
    spec = from_nothing()
    words = {"name": title, "tagline": tagline} if tagline else {"name": title}
    spec = {**spec, "text": {**spec["text"], **words}}
    return database.write(save_game, spec, sent())


def test_a_person_is_deleted_after_a_game_made_from_a_shipped_one_began(database):
    spec = made_from(variants.description_of("remigio"), "Remigio at home")
    table = Table(database, ("Ana", "Ben"), database.write(save_game, spec, sent()))
    database.write(delete, "player", table.ids["ben"], "Ben", sent())

    assert rows_with(database, "Ben") == []
    assert list(find_faults(database)) == []


@pytest.mark.databases
def test_a_game_of_your_own_goes_and_what_was_played_by_it_stays(database, other):
    own_game(database, "Sunday")
    table = Table(database, ("Ana", "Cleo"), "own-1")
    table.play(1)
    form = sent()
    for _ in range(2):
        database.write(delete, "own", 1, "", form)

    with pytest.raises(UnknownVariantError):
        database.read(find_game, "own-1")
    assert not database.read(read_catalog).own
    table.play(2)
    assert table.pad.variant.name == "Sunday"
    [line] = database.read(read_history).lines
    assert line.variant_name == "Sunday"
    again = table.tap(taps.finish_game) and table.tap(taps.play_again)
    assert database.read(read_pad, again).variant.name == "Sunday"
    assert list(find_faults(database)) == []
    with staging() as staged:
        read_book(staged, everything(database).splitlines(keepends=True), read_pad)
        copy_staged(other, staged)
    assert everything(other) == everything(database)


def test_a_game_of_your_own_that_nobody_played_leaves_nothing(database):
    own_game(database, "Sunday")
    database.write(delete, "own", 1, "", sent())

    assert rows_with(database, "Sunday") == []
    assert [says for says, _ in database.read(read_deletions)]
    own_game(database, "Monday")
    assert list(database.read(read_catalog).own)


def test_a_game_of_your_own_is_asked_about_twice_on_its_page(database, client):
    own_game(database, "Sunday")
    assert "/games/own/1/deletion" in client.get("/games/own/1").text
    assert client.get("/games/own/1/deletion").status_code == 200
    fields = {"key": drawn_key(client, "/games/own/1/deletion")}
    assert client.post("/games/own/1/deletion", data=fields, headers=OWN).status_code == 303
    assert client.get("/games/own/1").status_code == 404
    assert client.get("/games/own/1/deletion").status_code == 404


def test_the_file_of_the_scores_holds_a_deleted_name_no_more(database, clean_url):
    table = Table(database, ("Ana", "Quetzalcoatl"))
    table.play(2)

    database.write(delete, "player", table.ids["quetzalcoatl"], "Quetzalcoatl", sent())

    file = database.file.path
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    held = b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
    assert b"quetzalcoatl" not in held.lower()


def test_a_deletion_that_leaves_the_guards_down_would_be_seen(database, monkeypatch):
    @contextmanager
    def careless(session):
        session.execute(text("DROP TRIGGER entry_no_update"))
        session.execute(text("DROP TRIGGER entry_no_delete"))
        yield

    monkeypatch.setattr(deleting, "lifted", careless)
    with pytest.raises(AssertionError):
        test_every_guard_is_there_after_a_deletion(database)


def test_each_is_asked_twice_on_the_pages(database, client):
    table = evening(database)
    own_game(database, "Sunday")
    ana = table.ids["ana"]
    for address, word in (
        (f"/players/{ana}/deletion", "Ana"),
        (f"/g/{table.pub}/deletion", ""),
        ("/keeping/deletion", "everything"),
    ):
        asked = client.get(address)
        assert asked.status_code == 200
        assert "can’t undo this" in asked.text
        key = drawn_key(client, address)
        for made_up in (ledger.new_key(), drawn_key(client, "/games/own/1/deletion")):
            data = {"key": made_up, "word": word}
            refused = client.post(address, data=data, headers=OWN)
            assert refused.status_code == 422, "a key of no page, or of another one"
        if word:
            refused = client.post(address, data={"key": key, "word": "no"}, headers=OWN)
            assert refused.status_code == 422
        done = client.post(address, data={"key": key, "word": word}, headers=OWN)
        assert done.status_code == 303
    page = client.get("/keeping").text
    assert "Everything was deleted" in page
    assert "Ana" not in page
    assert client.get(f"/players/{ana}/deletion").status_code == 404
