"""A form that is sent twice is done once: after an answer that got lost, nobody need wonder."""

import json
from collections.abc import Callable
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import SQLModel

from referee.faq import questions_of
from tests.described import from_nothing
from tests.webapp.drafts import kept
from tests.webapp.table import HTMX, OWN, Table, count_form, drawn_key
from webapp.db import Database
from webapp.ledger.ledger import FormKey, new_key
from webapp.own_games.catalog import number_of
from webapp.own_games.commands import save_game
from webapp.own_games.sharing import write_file
from webapp.pages.desk.commands import TableAnswer, log_decision
from webapp.pages.notes import commands as notes
from webapp.pages.phones import commands as phones
from webapp.pages.rulebook.draft import in_game
from webapp.pages.scorepad import commands as taps
from webapp.players import commands as changes

Sending = tuple[str, dict[str, str | list[str]]]
"""A path, and the fields of a form as its page shows it."""


def _tap(table: Table, noun: str, **fields: str) -> Sending:
    return f"/g/{table.pub}/{noun}", {"key": table.pad.key, **fields}


def _round(table: Table) -> Sending:
    return f"/g/{table.pub}/rounds/1", count_form(table, ana="out", ben="45", cleo="60")


def _hand(table: Table) -> Sending:
    ben = table.ids["ben"]
    return f"/g/{table.pub}/rounds/1/hands/{ben}", count_form(table, ben="45") | {"only": str(ben)}


def _name(table: Table) -> Sending:
    return f"/players/{table.ids['ben']}/name", {"key": new_key(), "name": "Benita"}


def _phone(table: Table) -> Sending:
    table.count(1, ana="out", ben="45", cleo="60")
    return f"/g/{table.pub}/phones/1/undoings", {"key": new_key(), "since": "2"}


def _put_back(table: Table) -> Sending:
    _phone(table)
    kept = table.database.write(phones.undo_phone, table.pub, 1, 2, FormKey(key=new_key()))
    return f"/g/{table.pub}/phones/voids", {"key": new_key(), "seq": str(kept.seq)}


def _changing(table: Table, who: str, noun: str, **fields: str) -> Sending:
    return f"/players/{table.ids[who]}/{noun}", {"key": new_key(), **fields}


def _merge(table: Table) -> Sending:
    Table(table.database, ("Bne", "Cleo"))
    table.seat("Bne")
    return _changing(table, "bne", "merges", same="Ben")


def _change(table: Table) -> Sending:
    sent = FormKey(key=new_key())
    table.database.write(changes.rename_player, table.ids["ben"], "Benita", sent)
    return "/players/changes/1/voids", {"key": new_key()}


def _game(_: Table) -> Sending:
    seats = ["+Eva", "+Fritz"]
    return "/games", {"key": new_key(), "variant": "rummikub", "seat": seats}


def _undo(table: Table) -> Sending:
    table.count(1, ana="out", ben="45", cleo="60")
    assert table.pad.undo
    return _tap(table, "voids", seq=str(table.pad.undo.seq))


def _finished(table: Table, noun: str) -> Sending:
    table.count(1, ana="out", ben="45", cleo="60")
    table.tap(taps.finish_game)
    return _tap(table, noun)


def _decider(table: Table) -> Sending:
    two = {"phases": "1 set of 3\n1 run of 4"}
    level = Table(table.database, variant="eleven-phases", options=two)
    level.count(1, ana="out", ben="made 5", cleo="60")
    level.count(2, ana="made 5", ben="out", cleo="60")
    return _tap(level, "deciders")


def _join(table: Table) -> Sending:
    return f"/g/{table.pub}/seats", {"key": new_key(), "name": "Dov", "after": "0"}


def _leave(table: Table) -> Sending:
    return f"/g/{table.pub}/seats/{table.ids['ben']}", {"key": new_key(), "does": "leaves"}


def _reseat(table: Table) -> Sending:
    return f"/g/{table.pub}/seats/order", {"key": new_key(), "down": str(table.ids["ana"])}


def _note(table: Table) -> Sending:
    return f"/g/{table.pub}/notes", {"key": new_key(), "round": "1", "text": "Ben dealt twice"}


def _aside(table: Table) -> Sending:
    kept = table.database.write(
        notes.take, table.pub, table.ids["ben"], FormKey(key=table.pad.key, device="phone")
    )
    return f"/g/{table.pub}/notes/{kept.seq}/voids", {"key": new_key()}


def _lay_down(table: Table) -> Sending:
    play = {"ask": "laydown", "player": str(table.ids["ana"])}
    melds = {"meld-1": "7C 7D 7H", "meld-2": "KC KD KH"}
    return f"/g/{table.pub}/laydowns", {"key": new_key(), **play, **melds}


def _dispute(table: Table) -> Sending:
    _, form = _lay_down(table)
    return f"/g/{table.pub}/disputes", {**form, "decided": "overruled", "note": "It was late"}


def _decision(table: Table) -> Sending:
    fields = {"decided": "overruled", "note": "Grandma plays it so"}
    return f"/g/{table.pub}/ask/king-ace-two", {"key": new_key(), **fields}


def _undecide(table: Table) -> Sending:
    question = questions_of(table.state.variant)[0]
    answer = TableAnswer(player=0, decided="overruled", note="")
    kept = table.database.write(log_decision, table.pub, question, answer, FormKey(key=new_key()))
    _, form = _lay_down(table)
    return f"/g/{table.pub}/decisions/undo", {**form, "undo": str(kept.seq)}


def _draft(_: Table) -> Sending:
    fields = {"draft": json.dumps(from_nothing())}
    return "/games/own", {"key": new_key(), **fields}


def _file(_: Table) -> Sending:
    file = (BytesIO(write_file(from_nothing()).encode()), "our.laydown-game.json")
    return "/games/own/add", {"kept": new_key(), "file": file}  # type: ignore[dict-item]  # a file


def _text(_: Table) -> Sending:
    return "/games/own/text", {"key": new_key(), "text": json.dumps(from_nothing())}


def _saved_rules(table: Table) -> Sending:
    draft = kept(table.database, "rummikub", {"deal.cards": 9})
    fields = {"key": new_key(), "d": draft, "name": "Ours", "seen": "0"}
    return "/rules/rummikub/change/done", fields


def _amended(table: Table, noun: str = "", **fields: str) -> Sending:
    draft = kept(table.database, in_game(table.pub), {"deal.cards": 9})
    return f"/g/{table.pub}/house-rules{noun}", {"key": new_key(), "d": draft, **fields}


def _own(table: Table, noun: str, **fields: str) -> Sending:
    slug = table.database.write(save_game, from_nothing(), FormKey(key=new_key()))
    return f"/games/own/{number_of(slug)}/{noun}", {"key": new_key(), **fields}


def _clock(table: Table) -> Sending:
    timed = Table(table.database, variant="rummikub", clock="60")
    return f"/g/{timed.pub}/clock", {"seen": "0", "action": "resume"}


CHANGES: dict[str, Callable[[Table], Sending]] = {
    "clock.tap": _clock,
    "counting.save": _round,
    "counting.save_hand": _hand,
    "deleting.everything": lambda _: (
        "/keeping/deletion",
        {"key": new_key(), "word": "everything"},
    ),
    "deleting.game": lambda table: _tap(table, "deletion"),
    "deleting.own": lambda table: _own(table, "deletion"),
    "deleting.player": lambda table: _changing(table, "ben", "deletion", word="Ben"),
    "asking.decide": _decision,
    "desk.undecide": _undecide,
    "desk.dispute": _dispute,
    "desk.record": _lay_down,
    "games.create": _game,
    "house_rules.save": lambda table: _amended(table, seen="0"),
    "house_rules.save_game": lambda table: _amended(table, "/games", name="Ours"),
    "own.hide": lambda table: _own(table, "hidings", hidden="1"),
    "own.save": _draft,
    "own.save_text": _text,
    "notes.add": _note,
    "notes.void": _aside,
    "phones.restore": _put_back,
    "phones.undo": _phone,
    "roster.add": lambda _: ("/players", {"key": new_key(), "name": "Dov"}),
    "roster.choose": lambda table: (
        f"/players/{table.ids['ben']}/token",
        {"key": new_key(), "token": "7"},
    ),
    "roster.hide": lambda table: _changing(table, "ben", "hidings"),
    "roster.merge": _merge,
    "roster.rename": _name,
    "roster.void": _change,
    "rulebook.save": _saved_rules,
    "scorepad.finish": lambda table: _tap(table, "endings"),
    "scorepad.play_again": lambda table: _finished(table, "rematches"),
    "scorepad.play_decider": _decider,
    "scorepad.reopen": lambda table: _finished(table, "reopenings"),
    "scorepad.take": lambda table: _tap(table, "takes", player=str(table.ids["ben"])),
    "scorepad.void": _undo,
    "seats.add": _join,
    "seats.change": _leave,
    "seats.order": _reseat,
    "standings.ratings": lambda _: ("/standings/ratings", {"key": new_key(), "shown": "1"}),
}
"""A form for every address that changes something, by its endpoint."""

LOOKS: dict[str, Callable[[Table], Sending]] = {
    "counting.judge": lambda table: (f"/g/{table.pub}/rounds/1/judge", _round(table)[1]),
    "counting.fill": lambda table: (f"/g/{table.pub}/rounds/1/fill", _round(table)[1]),
    "own.read": _file,
    "rulebook.tap": lambda _: ("/rules/rummikub/change?d=k", {"undo": "deal.cards"}),
    "house_rules.tap": lambda table: (
        f"/g/{table.pub}/house-rules/taps?d=k",
        {"undo": "deal.cards"},
    ),
    "games.undo": lambda _: ("/games/new", {"key": "k", "variant": "rummikub", "undo": "x"}),
}
"""Forms that are posted because they are long, or change only a draft, and here nothing in it."""


ASKED_FOR = {"keeping.back_up", "keeping.check"}
"""What may be asked for as often as one likes: it is done beside the pages, and changes no row."""


PHONES_OWN = {"home.keep_settings", "seats.claim_seat"}
"""What a phone would rather have, and whose it is: a cookie of its own, and nothing is written."""


HELD = {"exchange.upload", "exchange.keep"}
"""What is about a file; tests/webapp/test_import_pages.py sends each twice."""


def everything(database: Database) -> list[object]:
    """Every row of every table."""

    def read(session: Session) -> list[object]:
        tables = SQLModel.metadata.sorted_tables
        return [sorted(map(repr, session.execute(select(table)))) for table in tables]

    return database.read(read)


def test_every_form_that_is_posted_is_sent_twice_here(app: Flask) -> None:
    posted = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}

    assert posted == CHANGES.keys() | LOOKS.keys() | PHONES_OWN | ASKED_FOR | HELD


@pytest.mark.slow
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize("endpoint", CHANGES)
def test_the_same_form_sent_again_is_answered_as_saved_and_done_once(
    client: FlaskClient, table: Table, database: Database, endpoint: str, headers: dict[str, str]
) -> None:
    path, form = CHANGES[endpoint](table)
    if endpoint.startswith("deleting."):
        form["key"] = drawn_key(client, path)
    before = everything(database)

    first = client.post(path, data=form, headers=OWN | headers)
    after = everything(database)
    second = client.post(path, data=form, headers=OWN | headers)

    assert first.status_code == (200 if headers else 303), first.text
    assert after != before
    assert everything(database) == after
    assert second.status_code == first.status_code
    for header in ("Location", "HX-Redirect", "HX-PTag"):
        assert second.headers.get(header) == first.headers.get(header)


@pytest.mark.parametrize("endpoint", LOOKS)
def test_what_is_only_looked_at_changes_nothing(
    client: FlaskClient, table: Table, database: Database, endpoint: str
) -> None:
    path, form = LOOKS[endpoint](table)
    before = everything(database)

    answer = client.post(path, data=form, headers=OWN)

    assert answer.status_code in {200, 303}
    assert everything(database) == before


def test_a_form_that_comes_late_a_second_time_does_not_take_back_what_was_done_since(
    client: FlaskClient, table: Table
) -> None:
    path, form = _name(table)
    client.post(path, data=form, headers=OWN)
    client.post(path, data={"key": new_key(), "name": "Benno"}, headers=OWN)

    again = client.post(path, data=form, headers=OWN)

    assert again.status_code == 303
    assert "Benno" in client.get("/players").text
    assert "Benita" not in client.get("/players").text


@pytest.mark.parametrize("noun", ["rematches", "deciders"])
def test_a_tap_that_led_to_a_game_leads_there_again_when_that_is_over(
    client: FlaskClient, table: Table, database: Database, noun: str
) -> None:
    path, form = _decider(table)
    path = path.replace("deciders", noun)
    first = client.post(path, data=form, headers=OWN).headers["Location"]
    _finish(client, first)
    count = len(everything(database)[0])

    again = client.post(path, data=form, headers=OWN)

    assert again.headers["Location"] == first
    assert len(everything(database)[0]) == count
    # Also when the game before was opened again meanwhile.
    client.post(path.replace(noun, "reopenings"), data=form, headers=OWN)
    assert client.post(path, data=form, headers=OWN).headers["Location"] == first


def test_another_rematch_of_the_same_game_is_another_game(
    client: FlaskClient, table: Table
) -> None:
    path, form = _finished(table, "rematches")
    first = client.post(path, data=form, headers=OWN).headers["Location"]
    assert table.pad.key == form["key"]
    _finish(client, first)

    again = client.post(path, data={"key": table.pad.key}, headers=OWN)

    assert table.pad.key != form["key"]
    assert again.headers["Location"] != first


def _finish(client: FlaskClient, path: str) -> None:
    client.post(f"{path}/endings", data={"key": new_key()}, headers=OWN)


def test_a_count_does_not_come_back_with_something_else(
    client: FlaskClient, table: Table, database: Database
) -> None:
    path, form = CHANGES["counting.save"](table)
    client.post(path, data=form, headers=OWN)
    after = everything(database)

    answer = client.post(path, data=form | {f"left-{table.ids['ben']}": "50"}, headers=OWN)

    assert answer.status_code == 422
    assert everything(database) == after


@pytest.mark.parametrize("endpoint", ["roster.add", "roster.rename", "notes.add"])
def test_what_is_written_on_a_form_that_is_still_on_its_way_is_another_thing(
    client: FlaskClient, table: Table, database: Database, endpoint: str
) -> None:
    """A second name or note is kept as the first is, and each of them once."""
    path, form = CHANGES[endpoint](table)
    client.post(path, data=form, headers=OWN)
    first = everything(database)
    other = {"name": "Eva", "text": "Cleo dealt twice"}
    changed = form | {name: other[name] for name in other if name in form}

    answer = client.post(path, data=changed, headers=OWN)
    both = everything(database)
    for again in (form, changed):
        client.post(path, data=again, headers=OWN)

    assert answer.status_code == 303
    assert first != both == everything(database)


def test_a_refused_name_keeps_its_form_open(client: FlaskClient, table: Table) -> None:
    form = {"key": new_key(), "name": "Ana"}

    refused = client.post("/players", data=form, headers=OWN)
    mended = client.post("/players", data=form | {"name": "Dov"}, headers=OWN)

    assert (refused.status_code, mended.status_code) == (422, 303)


def test_without_keys_a_form_that_is_sent_twice_is_seen(
    client: FlaskClient, table: Table, database: Database
) -> None:
    path, form = _note(table)
    client.post(path, data=form, headers=OWN)
    after = everything(database)

    client.post(path, data=form | {"key": new_key()}, headers=OWN)

    assert everything(database) != after
