"""One or two costly questions at once, one of each phone; a phone beyond that is sent away."""

import hashlib
import threading
from contextlib import ExitStack

import pytest

from tests.described import from_nothing
from tests.webapp.advice import HANDS, found
from tests.webapp.table import HTMX, OWN, Table
from webapp.ledger import new_key
from webapp.services.own.packed import write_token
from webapp.workers.line import AT_ONCE, WAITING, TooManyQuestionsError, WaitingLine

pytestmark = pytest.mark.slow

ADVICE = "/desk/remigio/advice"
ASKED = {"put": "1", "hand": HANDS["remigio"]}
MANY = {
    "ask": "rearrange",
    **{f"before-{number}": "R1 R2 R3 R4 R5" for number in (1, 2)},
    **{f"after-{number}": "R1 R2 R3 R4 R5" for number in (1, 2)},
    "before-3": "B1 B2 B3 B4 B5",
    "after-3": "B1 B2 B3 B4 B5",
    "drew": "1",
}


@pytest.fixture
def busy(app):
    """A referee who has as many questions as he takes."""
    with ExitStack() as stack:
        for number in range(AT_ONCE):
            stack.enter_context(app.extensions["line"].turn(f"phone {number}"))
        yield


def test_as_many_phones_ask_at_once_as_leave_a_core_for_saves():
    line = WaitingLine()

    with ExitStack() as stack:
        for number in range(AT_ONCE):
            stack.enter_context(line.turn(f"phone {number}"))
        with pytest.raises(TooManyQuestionsError):
            line.turn("one too many").__enter__()


def test_a_phone_asks_one_thing_at_a_time():
    line = WaitingLine()

    with line.turn("one"), pytest.raises(TooManyQuestionsError):
        line.turn("one").__enter__()
    with line.turn("one"):
        pass


def test_whoever_waits_has_the_next_turn():
    line, said = WaitingLine(), []
    begun = threading.Event()

    def ask() -> None:
        begun.set()
        with line.turn("one"):
            said.append("answered")

    with line.turn("one"):
        other = threading.Thread(target=ask)
        other.start()
        begun.wait()
        said.append("first")
    other.join(timeout=5)

    assert said == ["first", "answered"]


def test_only_so_many_wait(monkeypatch):
    monkeypatch.setattr("webapp.workers.line.PATIENCE", 30.0)
    line = WaitingLine()
    ends = threading.Event()

    def hold(phone: str) -> None:
        with line.turn(phone):
            ends.wait(20)

    threads = [
        threading.Thread(target=hold, args=(f"phone {number}",))
        for number in range(AT_ONCE + WAITING)
    ]
    for thread in threads:
        thread.start()
    while len(line._waiting) < WAITING:
        pass
    with pytest.raises(TooManyQuestionsError):
        line.turn("one too many").__enter__()
    ends.set()
    for thread in threads:
        thread.join(timeout=10)

    assert not line._waiting
    assert not line._asking


def test_a_phone_that_is_turned_away_learns_when_to_ask_again_and_keeps_its_hand(client, busy):
    answer = client.get(ADVICE, query_string=ASKED)

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "1"
    assert 'role="alert"' in answer.text
    assert f'id="again" href="{ADVICE}?put=1&amp;hand=AH' in answer.text


def test_a_piece_is_answered_with_a_piece(client, busy):
    answer = client.get("/desk/rummikub/ruling", query_string=MANY, headers=HTMX)

    assert answer.status_code == 429
    assert answer.headers["HX-Retarget"] == "#said"
    assert "<html" not in answer.text


def test_a_game_that_somebody_sends_waits_before_it_is_read(client, busy):
    link = f"/games/own/add?g={write_token(from_nothing())}"

    assert client.get(link).status_code == 429


def test_a_small_question_is_answered_all_the_same(client, busy):
    small = {"ask": "meld", "cards": "R1 R2 R3"}

    assert client.get("/desk/rummikub/ruling", query_string=small).status_code == 200


def test_the_page_that_asks_for_a_hand_is_shown_all_the_same(client, busy):
    assert client.get(ADVICE).status_code == 200


def test_a_question_at_an_address_that_fills_the_line_is_turned_away_unread(
    app, client, monkeypatch
):
    monkeypatch.setattr("webapp.workers.line.WAITING", 0)
    small = {"ask": "meld", "cards": "R1 R2 R3"}
    with app.extensions["line"].turn("another", "/desk/no-game/ruling"):
        assert client.get("/desk/no-game/ruling", query_string=small).status_code == 429
        assert client.get("/desk/no-game/ruling").status_code == 404
        assert client.get("/desk/rummikub/ruling", query_string=small).status_code == 200
    assert client.get("/desk/no-game/ruling", query_string=small).status_code == 404


def test_a_phone_is_known_by_its_cookie(app, client, monkeypatch):
    monkeypatch.setattr("webapp.workers.line.AT_ONCE", 2)
    client.set_cookie("laydown", "a" * 43)
    mine = hashlib.sha256(b"a" * 43).hexdigest()[:16]
    with app.extensions["line"].turn(mine):
        assert client.get(ADVICE, query_string=ASKED).status_code == 429
    with app.extensions["line"].turn("another"):
        assert found(client.get(ADVICE, query_string=ASKED).text)


def test_a_phone_without_a_cookie_is_known_by_its_address(app, client):
    with app.extensions["line"].turn("127.0.0.1"):
        assert client.get(ADVICE, query_string=ASKED).status_code == 429


@pytest.mark.parametrize(("path", "more"), [("laydowns", {}), ("disputes", {"decided": "upheld"})])
def test_a_ruling_that_is_to_be_kept_waits_before_it_holds_the_database(
    client, database, busy, path, more
):
    table = Table(database, ("Ana", "Ben"), "rummikub")
    form = {"key": new_key(), "player": str(table.ids["ana"]), **MANY, **more}
    answer = client.post(f"/g/{table.pub}/{path}", data=form, headers=OWN)

    assert answer.status_code == 429
    table.count(1, ana="out", ben="5")
