"""What the server does for phones on a bad line, seen from the wire."""

import http.client
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from tests.crash.phone import Phone
from tests.servers import Laydown
from webapp.serving import LOOPBACK, UNREAD, ListenError, listen

GAME = "rummikub"


@pytest.fixture
def line(server: Laydown) -> Iterator[http.client.HTTPConnection]:
    """One connection to the real server."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
        yield connection


@pytest.mark.slow
def test_an_unchanged_board_keeps_the_line_open(
    server: Laydown, line: http.client.HTTPConnection
) -> None:
    board = f"{_begin(server)}/board"
    line.request("GET", board)
    tag = line.getresponse()
    tag.read()
    own_end = line.sock.getsockname()
    for _ in range(3):
        line.request("GET", board, headers={"HX-PTag": tag.headers["HX-PTag"]})
        answer = line.getresponse()
        answer.read()

        assert answer.status == 304
        assert "Connection" not in answer.headers
        assert line.sock.getsockname() == own_end


@pytest.mark.slow
def test_a_phone_that_asks_to_close_the_line_is_heard(
    line: http.client.HTTPConnection,
) -> None:
    line.request("GET", "/", headers={"Connection": "close"})
    answer = line.getresponse()
    answer.read()

    assert answer.headers["Connection"] == "close"


@pytest.mark.slow
def test_more_than_a_form_can_hold_is_refused_while_it_arrives(server: Laydown) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        wire.sendall(
            b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\nkey="
        )

        answer = wire.recv(1024)
        assert b" 413 " in answer.split(b"\r\n")[0]
        assert b"X-Content-Type-Options: nosniff\r\n" in answer


def test_somebody_who_never_reads_is_sent_a_few_pages_and_no_more() -> None:
    with ExitStack() as open_ones:
        listener = open_ones.enter_context(listen(LOOPBACK[:1], 0)[0])
        phone = open_ones.enter_context(socket.socket())
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        phone.connect(listener.getsockname())
        ours = open_ones.enter_context(listener.accept()[0])
        ours.setblocking(False)
        sent = 0
        with suppress(BlockingIOError):
            while sent < 10 * UNREAD:
                sent += ours.send(b"x" * 1024)

    assert sent < 10 * UNREAD


def test_the_same_port_is_taken_on_every_address() -> None:
    with ExitStack() as opened:
        listeners = [opened.enter_context(each) for each in listen(LOOPBACK, 0)]
        ports = {each.getsockname()[1] for each in listeners}

        assert len(listeners) == len(LOOPBACK)
        assert len(ports) == 1
        with pytest.raises(ListenError, match="in use"):
            listen(LOOPBACK, ports.pop())


def test_an_address_that_this_machine_lacks_is_left_out_unless_it_is_the_only_one() -> None:
    elsewhere = "203.0.113.7"
    [listener] = listen(("127.0.0.1", elsewhere), 0)
    with closing(listener):
        assert listener.getsockname()[0] == "127.0.0.1"
    with pytest.raises(ListenError, match=elsewhere):
        listen((elsewhere,), 0)


def _begin(server: Laydown) -> str:
    """Begin a game; answers the path of its pad."""
    import random

    phone = Phone(server.url, random.Random(1))
    form = phone.get(f"/games/new?variant={GAME}").form("key")
    assert form is not None
    fields = [(name, value) for name, value in form.fields.items() if name != "seat"]
    answer = phone.save("/games", [*fields, ("seat", "+Ana"), ("seat", "+Ben")])
    phone.hang_up()
    return re.sub(r"^https?://[^/]+", "", answer.location)
