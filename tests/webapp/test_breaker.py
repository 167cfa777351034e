"""How long a question waits for a database server, and how many wait at once."""

import threading
import time
from contextlib import ExitStack

import pytest

from webapp.db import breaker
from webapp.db.breaker import AT_ONCE, PROBES, SILENCE, Breaker, Patience, patience
from webapp.db.faults import BusyError


@pytest.fixture
def server():
    return Breaker(5)


@pytest.fixture
def waiting(server):
    """Ask so many questions that nothing is said to until the test is over."""
    with ExitStack() as questions:

        def ask(count):
            for _ in range(count):
                questions.enter_context(server.asking())

        yield ask


@pytest.fixture
def in_no_time(monkeypatch):
    """Nobody waits for a place."""
    monkeypatch.setattr(breaker, "ENTRY", 0)


def be_silent(server):
    """Let time pass in which the server says nothing."""
    server._since -= SILENCE + 0.1


def ask(server):
    """Ask what is answered at once."""
    with server.asking():
        pass


def test_each_question_has_the_whole_patience(server):
    for _ in range(2):
        with server.asking():
            assert patience().left == 5
            with patience().waiting():
                time.sleep(0.001)
            assert 0 < patience().left < 5


def test_who_asks_nothing_has_no_patience_to_lose(server):
    ask(server)

    assert patience() is None


def test_patience_is_lost_by_waiting_for_the_server_alone():
    mine = Patience(1)
    with mine.waiting():
        time.sleep(0.01)
    left = mine.left
    time.sleep(0.01)

    assert 0 < left <= 0.99
    assert mine.left == left


def test_there_is_no_less_than_no_patience():
    mine = Patience(0.001)
    with mine.waiting():
        time.sleep(0.01)

    assert mine.left == 0


def test_what_is_waited_for_counts_though_it_fails():
    mine = Patience(1)
    with pytest.raises(ZeroDivisionError), mine.waiting():
        raise ZeroDivisionError(time.sleep(0.01))

    assert mine.left <= 0.99


def test_only_so_many_ask_at_once(server, waiting, in_no_time):
    waiting(AT_ONCE)

    with pytest.raises(BusyError):
        ask(server)


def test_who_comes_to_a_full_house_takes_the_next_place(server, monkeypatch):
    monkeypatch.setattr(breaker, "ENTRY", 20)
    with ExitStack() as others:
        for _ in range(AT_ONCE - 1):
            others.enter_context(server.asking())
        with server.asking():
            late = threading.Thread(target=ask, args=(server,), daemon=True)
            late.start()
        late.join(timeout=10)

        assert not late.is_alive()


def test_every_place_is_given_back(server, in_no_time):
    for _ in range(AT_ONCE + 1):
        ask(server)
    for error in (BusyError, ZeroDivisionError) * AT_ONCE:
        with pytest.raises(error), server.asking():
            raise error


def test_a_silent_server_is_asked_by_few(server, waiting):
    waiting(1)
    be_silent(server)
    waiting(PROBES)

    began = time.monotonic()
    with pytest.raises(BusyError):
        ask(server)
    assert time.monotonic() - began < breaker.ENTRY


def test_a_silent_server_in_a_full_house_is_asked_by_nobody_more(server, waiting):
    waiting(AT_ONCE)
    be_silent(server)

    began = time.monotonic()
    for _ in range(PROBES + 1):
        with pytest.raises(BusyError):
            ask(server)
    assert time.monotonic() - began < breaker.ENTRY


def test_a_server_is_not_silent_before_a_while(server, waiting):
    waiting(1)
    server._since -= SILENCE - 0.5
    waiting(PROBES + 1)

    ask(server)


def test_one_answer_ends_the_silence(server, waiting):
    waiting(1)
    be_silent(server)
    ask(server)
    waiting(PROBES + 1)

    ask(server)


def test_that_it_could_not_be_reached_is_no_answer(server, waiting):
    waiting(1)
    be_silent(server)
    for _ in range(PROBES + 1):
        with pytest.raises(BusyError), server.asking():
            raise BusyError
    waiting(PROBES)

    with pytest.raises(BusyError):
        ask(server)


def test_any_other_fault_is_an_answer(server, waiting):
    waiting(1)
    be_silent(server)
    with pytest.raises(ZeroDivisionError), server.asking():
        raise ZeroDivisionError
    waiting(PROBES + 1)

    ask(server)


def test_a_server_that_nobody_asks_is_not_silent(server, waiting):
    ask(server)
    be_silent(server)
    waiting(PROBES + 2)

    ask(server)


def test_a_probe_that_is_over_makes_room_for_another(server, waiting):
    waiting(1)
    for _ in range(PROBES + 1):
        be_silent(server)
        ask(server)
