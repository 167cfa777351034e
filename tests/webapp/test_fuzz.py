"""Whatever is sent: an answer, never a fault."""

import os
from random import Random

import pytest

from tests.examples import in_turn
from tests.webapp.advice import FIVE
from tests.webapp.sender import Sender, answer, environ_of


@pytest.mark.parametrize(
    "variant", in_turn(FIVE, quick=0, each=2), ids=lambda variant: variant.slug
)
def test_nothing_that_is_sent_makes_a_fault(app, database, variant):
    """LAYDOWN_FUZZ says how much is sent; `python -m tests.fuzz requests` goes on for longer."""
    sender = Sender(app, Random(20261121))
    sender.play(variant.slug, int(os.environ.get("LAYDOWN_FUZZ", "300")))

    assert sender.tally.wrong == []
    assert {200, 303, 400, 404, 405, 422} <= sender.statuses


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
