"""Whatever is sent: an answer, never a fault."""

import os
import random
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import HTTPException

from referee import variants
from tests.crash.editor import Editor
from tests.crash.fuzz import Sender, answer, begin, begin_on_paper, begin_own, environ_of
from tests.crash.nasty import PATHS
from tests.examples import examples
from tests.webapp.advice import FIVE
from tests.webapp.table import OWN
from webapp.ledger import Sent, new_key
from webapp.services.refusals import PlayerExistsError, RosterRefusedError
from webapp.services.roster import add_player
from webapp.services.roster.changes import merge_players


@pytest.mark.slow
@pytest.mark.parametrize("variant", FIVE, ids=lambda variant: variant.slug)
def test_nothing_that_is_sent_makes_a_fault(app, database, variant):
    """LAYDOWN_FUZZ says how much is sent; `python -m tests.crash.fuzz` goes on for longer."""
    begin_own(app, variant.slug)
    table = begin(app, variant.slug)
    sender = Sender(app, random.Random(20261121))
    for turn in range(int(os.environ.get("LAYDOWN_FUZZ", "500"))):
        if sender.send(table):
            table = begin(app, variant.slug)
        if turn % 100 == 99 and table.pad.finished:
            table = begin(app, variant.slug)

    assert sender.outcome.wrong == []
    assert {200, 303, 400, 403, 404, 405, 421, 422} <= set(sender.outcome.answers)


@pytest.mark.slow
def test_nothing_that_is_filled_in_makes_a_fault(app, database):
    editor = Editor(app, random.Random(20261122))
    editor.edit(60, most=int(os.environ.get("LAYDOWN_FUZZ", "300")))

    assert editor.outcome.wrong == []
    assert {200, 422} <= set(editor.outcome.answers)


def test_a_fault_in_the_form_would_be_seen(app, database, monkeypatch):
    def fault(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("webapp.services.own.opening.filled_in", fault)
    editor = Editor(app, random.Random(1))
    editor.edit(60, most=30)

    assert editor.outcome.wrong


def test_a_game_of_every_kind_can_be_attacked(app, database):
    for variant in variants.all():
        assert begin(app, variant.slug).pad.begun
    assert begin_on_paper(app, variant).pad.on_paper


def missed(app, paths):
    """The routes, with their methods, that no path leads to."""
    adapter = app.url_map.bind("localhost")
    filled = {"pub": "a" * 10, "who": 1, "few": 2, "nasty": "abc"}
    wanted = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in {"GET", "POST"} & set(rule.methods or ())
    }
    for path in paths:
        for method in ("GET", "POST"):
            with suppress(HTTPException):
                rule, _ = adapter.match(path.format(**filled), method, return_rule=True)
                wanted.discard((rule.rule, method))
    return wanted


def test_the_attack_goes_on_where_those_who_play_were_merged_with_others(app, database):
    table = begin(app, "rummy")
    for name, same in (("ana", "Dov"), ("ben", "Dov")):
        with suppress(PlayerExistsError):
            database.write(add_player, same, Sent(key=new_key()))
        # Two who sat at one table are not merged.
        with suppress(RosterRefusedError):
            database.write(merge_players, table.ids[name], same, Sent(key=new_key()))

    assert begin(app, "rummy").pad.begun


def test_every_route_is_sent_to(app):
    assert missed(app, PATHS) == set()


@pytest.mark.parametrize("left_out", ["/imports/kept", "/g/{pub}/deletion", "/standings/ratings"])
def test_a_route_that_is_left_out_would_be_seen(app, left_out):
    assert {rule for rule, _ in missed(app, [path for path in PATHS if path != left_out])}


def test_an_address_that_is_no_text_cannot_be_read(app, database):
    environ = environ_of("GET", "/desk/rummikub", b"hand=\xe2(", {"Host": b"localhost"}, b"")

    assert answer(app, environ) == 400


def test_an_address_may_be_written_in_plain_unicode(app, database):
    query = "ask=meld&cards=7♠ 7♥ 7♦".encode()
    environ = environ_of("GET", "/desk/mexican-rummy", query, {"Host": b"localhost"}, b"")

    assert answer(app, environ) == 200


@pytest.mark.slow
@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(name=st.text(max_size=80))
def test_any_text_is_a_name_or_is_refused(client, name):
    fields = {"name": name.encode("utf-8", "surrogatepass"), "key": new_key()}
    answer = client.post("/players", data=fields, headers=OWN)

    assert answer.status_code in {303, 422}
    assert client.get("/players").status_code == 200
