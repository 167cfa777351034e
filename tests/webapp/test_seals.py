"""What guards the entries: the database, their seals, and what is worked out from them."""

import shutil
from contextlib import closing

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError as DriverError

from tests.webapp.table import Table, entries, game_id
from webapp.db import Database, sqlite_file
from webapp.ledger import ledger
from webapp.ledger.projection import projection
from webapp.ledger.verification import verify
from webapp.migrations import migrate
from webapp.pages.scorepad import commands as taps

pytestmark = pytest.mark.databases


@pytest.mark.parametrize(
    "statement", ["UPDATE entry SET payload = '{}'", "DELETE FROM entry WHERE seq = 2"]
)
def test_the_database_refuses_to_change_an_entry(table, statement):
    table.play(1)

    with pytest.raises(DriverError):
        table.database.write(lambda session: session.execute(text(statement)))

    assert entries(table) == ["started", "counted"]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO result VALUES (1, 1, 0, 'abc', 1, false)",
        "UPDATE result SET total = 99999999",
        "UPDATE game SET status = 'lost'",
        "UPDATE game SET pub = 'short'",
        "UPDATE seat SET player_id = 999",
        "DELETE FROM player",
        "DELETE FROM game",
    ],
)
def test_the_database_refuses_what_cannot_be(table, statement):
    table.play(1)

    with pytest.raises(DriverError):
        table.database.write(lambda session: session.execute(text(statement)))


def test_the_projection_is_rebuilt_to_the_byte(table, database):
    table.play(6)
    table.tap(taps.reopen_game)
    table.count(2, ben="45")
    table.tap(taps.finish_game)
    number = game_id(table)
    before = database.read(projection, number)

    database.write(lambda session: session.execute(text("UPDATE result SET total = 1")))
    database.write(lambda session: session.execute(text("DELETE FROM seat")))
    assert database.read(projection, number) != before
    assert database.write(verify, number) != ()
    assert database.read(projection, number) != before
    database.write(ledger.rebuild, number)

    assert database.read(projection, number) == before


def results(table: Table) -> list[tuple[int, int, int, bool]]:
    def read(session):
        question = text("SELECT place, total, rounds, won FROM result ORDER BY place")
        rows = session.execute(question).all()
        return [(place, total, rounds, bool(won)) for place, total, rounds, won in rows]

    return table.database.read(read)


def test_the_projection_says_what_the_pad_says(table):
    assert results(table) == [(0, 0, 0, False), (1, 0, 0, False), (2, 0, 0, False)]

    table.play(2)
    assert results(table) == [(0, 0, 2, False), (1, 120, 2, False), (2, 120, 2, False)]

    table.play(6)
    assert results(table) == [(0, 0, 6, True), (1, 360, 6, False), (2, 360, 6, False)]

    table.tap(taps.reopen_game)
    assert not any(won for *_, won in results(table))


def test_a_game_that_nobody_touched_is_found_in_order(table, database):
    table.play(3)

    assert database.write(verify, game_id(table)) == ()


def test_an_entry_that_was_changed_behind_our_back_breaks_the_seal(table, database):
    table.play(3)
    number = game_id(table)

    def tamper(session):
        sqlite = database.engine.dialect.name == "sqlite"
        on = "" if sqlite else " ON entry"
        session.execute(text(f"DROP TRIGGER entry_no_update{on}"))
        session.execute(text("UPDATE entry SET payload = replace(payload, '60', '65')"))
        wrong = verify(session, number)
        session.rollback()
        return wrong

    assert database.write(tamper) != ()


def test_an_entry_that_names_somebody_unknown_is_found_and_not_stumbled_over(table, database):
    number = game_id(table)

    def tamper(session):
        sqlite = database.engine.dialect.name == "sqlite"
        session.execute(text(f"DROP TRIGGER entry_no_update{'' if sqlite else ' ON entry'}"))
        payload = '{"dealer":0,"rules":"1","seats":[999991,999992],"variant":"mexican-rummy"}'
        session.execute(text("UPDATE entry SET payload = :payload"), {"payload": payload})
        wrong = verify(session, number)
        session.rollback()
        return wrong

    assert len(database.write(tamper)) == 2


@pytest.fixture
def new_database(database_url, migrated_sqlite):
    """A database of its own, that can be broken."""
    if file := sqlite_file(database_url):
        shutil.copy(migrated_sqlite, file)
    else:
        migrate(database_url)
    with closing(Database(database_url)) as database:
        yield database


@pytest.mark.parametrize("guarded", ["entry", "roster_entry", "own_version"])
def test_a_guard_that_is_missing_or_switched_off_is_named(guarded, new_database):
    assert new_database.missing_guards() == ()
    with new_database.engine.begin() as connection:
        connection.exec_driver_sql(
            f"DROP TRIGGER {guarded}_no_update"
            if new_database.file
            else f"ALTER TABLE {guarded} DISABLE TRIGGER {guarded}_no_update"
        )

    (missing,) = new_database.missing_guards()

    assert f"{guarded}_no_update" in missing
