"""One or two costly questions at once, one of each phone; a phone beyond that is sent away."""

import hashlib
import re
import threading
from contextlib import ExitStack, closing

import pytest

from tests.described import from_nothing
from tests.webapp.advice import HANDS, found
from tests.webapp.table import HTMX, OWN, Page, Table
from webapp.ledger.ledger import new_key
from webapp.own_games.url_token import write_token
from webapp.pages.exchange import upload as incoming
from webapp.pages.notes.view import read_notes
from webapp.workers.queue import AT_ONCE, WAITING, Queue, TooManyQuestionsError

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
            stack.enter_context(app.extensions["questions"].slot(f"phone {number}"))
        yield


def test_as_many_phones_ask_at_once_as_leave_a_core_for_saves():
    queue = Queue()

    with ExitStack() as stack:
        for number in range(AT_ONCE):
            stack.enter_context(queue.slot(f"phone {number}"))
        with pytest.raises(TooManyQuestionsError):
            queue.slot("one too many").__enter__()


def test_a_phone_asks_one_thing_at_a_time():
    queue = Queue()

    with queue.slot("one"), pytest.raises(TooManyQuestionsError):
        queue.slot("one").__enter__()
    with queue.slot("one"):
        pass


def test_whoever_waits_has_the_next_turn():
    queue, said = Queue(), []
    begun = threading.Event()

    def ask() -> None:
        begun.set()
        with queue.slot("one"):
            said.append("answered")

    with queue.slot("one"):
        other = threading.Thread(target=ask)
        other.start()
        begun.wait()
        said.append("first")
    other.join(timeout=5)

    assert said == ["first", "answered"]


def test_only_so_many_wait(monkeypatch):
    monkeypatch.setattr("webapp.workers.queue.PATIENCE", 30.0)
    queue = Queue()
    ends = threading.Event()

    def hold(phone: str) -> None:
        with queue.slot(phone):
            ends.wait(20)

    threads = [
        threading.Thread(target=hold, args=(f"phone {number}",))
        for number in range(AT_ONCE + WAITING)
    ]
    for thread in threads:
        thread.start()
    while len(queue._waiting) < WAITING:
        pass
    with pytest.raises(TooManyQuestionsError):
        queue.slot("one too many").__enter__()
    ends.set()
    for thread in threads:
        thread.join(timeout=10)

    assert not queue._waiting
    assert not queue._asking


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


@pytest.mark.parametrize("page", ["/ask", "/rules"])
def test_a_question_for_all_games_waits_and_the_games_are_shown_all_the_same(client, busy, page):
    assert client.get(page, query_string={"find": "can I draw two cards"}).status_code == 429
    assert client.get(page, query_string={"find": "rummikub"}).status_code == 200


def test_a_small_question_is_answered_all_the_same(client, busy):
    small = {"ask": "meld", "cards": "R1 R2 R3"}

    assert client.get("/desk/rummikub/ruling", query_string=small).status_code == 200


def test_the_page_that_asks_for_a_hand_is_shown_all_the_same(client, busy):
    assert client.get(ADVICE).status_code == 200


def test_a_question_at_an_address_that_fills_the_line_is_turned_away_unread(
    app, client, monkeypatch
):
    monkeypatch.setattr("webapp.workers.queue.WAITING", 0)
    small = {"ask": "meld", "cards": "R1 R2 R3"}
    with app.extensions["questions"].slot("another", "/desk/no-game/ruling"):
        assert client.get("/desk/no-game/ruling", query_string=small).status_code == 429
        assert client.get("/desk/no-game/ruling").status_code == 404
        assert client.get("/desk/rummikub/ruling", query_string=small).status_code == 200
    assert client.get("/desk/no-game/ruling", query_string=small).status_code == 404


def test_a_phone_is_known_by_its_cookie(app, client, monkeypatch):
    monkeypatch.setattr("webapp.workers.queue.AT_ONCE", 2)
    client.set_cookie("laydown", "a" * 43)
    mine = hashlib.sha256(b"a" * 43).hexdigest()[:16]
    with app.extensions["questions"].slot(mine):
        assert client.get(ADVICE, query_string=ASKED).status_code == 429
    with app.extensions["questions"].slot("another"):
        assert found(client.get(ADVICE, query_string=ASKED).text)


def test_a_phone_without_a_cookie_is_known_by_its_address(app, client):
    with app.extensions["questions"].slot("127.0.0.1"):
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


PLAYED = {
    *("games.create", "counting.fill", "counting.join", "counting.judge"),
    *("counting.save", "counting.save_hand"),
    *("clock.tap", "phones.restore", "phones.undo", "seats.add", "seats.change", "seats.order"),
    *("seats.claim_seat", "scorepad.finish", "scorepad.play_again", "scorepad.play_decider"),
    *("scorepad.reopen", "scorepad.take", "scorepad.void"),
}
"""Saves: what people do at the table to play on."""
OF_A_PHONE = {"home.keep_settings"}
"""What is kept by the phone itself."""


@pytest.fixture
def crowded(app, monkeypatch):
    """A house in which all that waits its turn has to be sent away."""
    monkeypatch.setattr("webapp.workers.queue.PATIENCE", 0.01)
    with ExitStack() as stack:
        for queue in ("questions", "changes", "exports"):
            for number in range(AT_ONCE if queue == "questions" else 1):
                stack.enter_context(app.extensions[queue].slot(f"phone {number}"))
        stack.enter_context(incoming.alone())
        yield


def changes(app):
    """Every form that there is, as its endpoint and an address."""
    for rule in app.url_map.iter_rules():
        if "POST" in rule.methods:
            address = re.sub("<pub:[a-z]+>", "aaaaaaaaaa", rule.rule)
            address = re.sub("<number:[a-z]+>", "1", address).replace("<slug>", "rummikub")
            address = address.replace("<question>", "pool-empty")
            yield rule.endpoint, re.sub("<any[^>]*>", "make", address)


def test_whatever_is_no_save_waits_its_turn(app, client, database, crowded):
    """A form that is new has to be one or the other: what costs, and isn't played, waits."""
    pub = Table(database, ("Ana", "Ben"), "rummikub").pub
    fields = {"key": new_key(), "kept": new_key(), "c": "", "name": "Ours", "decided": "upheld"}
    fields |= {"ask": "meld", "cards": "R1 R2 R3", "undo": "1"}
    for endpoint, address in changes(app):
        if endpoint in OF_A_PHONE:
            continue
        there = (
            address.replace("aaaaaaaaaa", pub)
            if endpoint.startswith(("desk", "asking"))
            else address
        )
        status = client.post(there, data=fields, headers=OWN).status_code

        assert (status == 429) == (endpoint not in PLAYED), endpoint


def test_a_table_plays_on_while_all_lines_are_full(client, database, crowded):
    table = Table(database, ("Ana", "Ben"), "rummikub")
    form = Page(client.get(f"/g/{table.pub}/rounds/1")).forms[0]
    sent = {
        **dict(form.fields),
        "out": table.ids["ana"],
        f"left-{table.ids['ben']}": "25",
        "sure": "1",
    }

    assert client.post(f"/g/{table.pub}/rounds/1", data=sent, headers=OWN).status_code == 303


def test_a_note_that_is_sent_away_is_kept_once_it_is_sent_again(app, client, database):
    table = Table(database, ("Ana", "Ben"))
    note = {"key": new_key(), "round": "1", "text": "Ben dealt twice"}

    def send():
        return client.post(f"/g/{table.pub}/notes", data=note, headers=OWN)

    with app.extensions["changes"].slot("another"):
        away = send()
    assert (away.status_code, away.headers["Retry-After"]) == (429, "1")
    assert not database.read(read_notes, table.pub).asides
    assert [send().status_code for _ in range(2)] == [303, 303]
    assert len(database.read(read_notes, table.pub).asides) == 1


def test_a_change_that_is_refused_ends_its_turn(client, database):
    table = Table(database, ("Ana", "Ben"))
    for text, status in (("", 422), ("", 422), ("Ben dealt twice", 303)):
        note = {"key": new_key(), "round": "1", "text": text}
        answer = client.post(f"/g/{table.pub}/notes", data=note, headers=OWN)

        assert answer.status_code == status


def test_one_file_is_written_at_a_time_until_it_is_sent_or_nobody_wants_it(client, database):
    Table(database, ("Ana", "Ben"))

    def ask():
        return client.get("/exports/file?kind=book")

    with closing(ask()) as first:
        assert first.status_code == 200
        assert ask().status_code == 429
    with closing(ask()) as again:
        assert again.status_code == 200
        assert again.data.startswith(b'{"laydown":')
    # What can't be written has its turn back, too.
    for _ in range(2):
        assert client.get("/exports/file?kind=book&player=99").status_code == 404
