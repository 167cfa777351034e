"""Whatever is sent: an answer, never a fault."""

import os
import re
from random import Random

import pytest

from tests.examples import in_turn
from tests.webapp.advice import FIVE
from tests.webapp.sender import Sender, answer, environ_of
from tests.webapp.spoiler import KINDS, Spoiler, begin
from webapp.game.teams import kept_of, teams_in
from webapp.pages.counting import form
from webapp.pages.counting.teams import TeamSheet


@pytest.mark.parametrize(
    "variant", in_turn(FIVE, quick=0, each=2), ids=lambda variant: variant.slug
)
def test_nothing_that_is_sent_makes_a_fault(app, database, variant):
    """LAYDOWN_FUZZ says how much is sent; `python -m tests.fuzz requests` goes on for longer."""
    sender = Sender(app, Random(20261121))
    sender.play(variant.slug, int(os.environ.get("LAYDOWN_FUZZ", "300")))

    assert sender.tally.wrong == []
    assert {200, 303, 400, 404, 405, 422} <= sender.statuses


@pytest.mark.parametrize("kind", in_turn([*KINDS], quick=1, each=2))
def test_no_field_of_a_form_makes_a_fault(app, database, kind):
    """`python -m tests.fuzz forms 600` sends them all, in every way."""
    spoiler = Spoiler(app)
    planned = spoiler.spoil(begin(app, kind), Random(kind), most=150)

    assert spoiler.tally.wrong == []
    assert {200, 303, 400, 404, 409, 422} <= set(spoiler.statuses)
    assert planned > 2000


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cards", "teams"])
def test_a_field_that_makes_a_fault_would_be_found(app, database, kind, monkeypatch):
    """The broken twins: what these forms were answered with once."""
    place = {"cards": (form, "NUMBER"), "teams": (TeamSheet, "_hands")}[kind]
    monkeypatch.setattr(*place, TWINS[kind])
    spoiler = Spoiler(app)
    of_a_hand = {("counting.save", "base"), ("counting.save", "left")}
    spoiler.spoil(
        begin(app, kind),
        Random(1),
        only=lambda of, name: (of, name.partition("-")[0]) in of_a_hand,
    )

    assert any(said.startswith("500: POST") for said in spoiler.tally.wrong)


def hands_of_lines(sheet, typed):
    for players in teams_in(sheet.state):
        if players[0] in typed.hands:
            one = sheet._read(typed.hands[players[0]])
            yield from kept_of(sheet.variant, players, {**typed.hands, players[0]: one}).items()


TWINS = {"cards": re.compile("[0-9]+"), "teams": hands_of_lines}


def test_a_fault_would_be_seen(app, database, monkeypatch):
    def fault(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(app, "view_functions", dict.fromkeys(app.view_functions, fault))
    sender = Sender(app, Random(1))
    sender.play("rummy", 10)

    assert sender.tally.wrong


def test_an_address_that_is_not_text_cannot_be_read(app, database):
    environ = environ_of("GET", "/desk/rummikub", b"hand=\xe2(", {"Host": b"localhost"}, b"")

    assert answer(app, environ).status_code == 400


def test_an_address_may_be_written_in_plain_unicode(app, database):
    query = "ask=meld&cards=7♠ 7♥ 7♦".encode()
    environ = environ_of("GET", "/desk/mexican-rummy", query, {"Host": b"localhost"}, b"")

    assert answer(app, environ).status_code == 200
