"""A line that loses things: a proxy between phones and a server, for the attacks that need one."""

import http.client
import random
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

FAULTS = ("request", "answer", "late", "twice", "")
"""What happens to a save, each as often: it is lost, or its answer, or it comes late, or twice."""

LATE = 4.0
"""For how many seconds a save is held back at most."""

HOPS = {"connection", "content-length", "transfer-encoding"}


class Line(ThreadingHTTPServer):
    """A proxy in front of a port of this machine; only what changes something is at risk.

    `faults` counts what went wrong. As a context manager it is there while it is needed.
    """

    daemon_threads = True

    def __init__(self, to: int, chance: random.Random) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.to = to
        self.chance = chance
        self.faults = 0

    @property
    def port(self) -> int:
        """The port to go to instead of the server's."""
        return self.server_port

    def fault(self) -> str:
        """Draw what happens to a save."""
        kind = self.chance.choice(FAULTS)
        self.faults += bool(kind)
        return kind

    def __enter__(self) -> Self:
        """Begin to listen."""
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: object) -> None:
        """Leave it: a phone that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: Line
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._pass_on("")

    def do_POST(self) -> None:
        self._pass_on(self.server.fault())

    def log_message(self, *_: Any) -> None:
        pass

    def _pass_on(self, fault: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.close_connection = fault in {"request", "answer"}
        if fault == "request":
            return
        if fault == "late":
            time.sleep(self.server.chance.uniform(0, LATE))
        answer, content = self._ask(body)
        if fault == "twice":
            answer, content = self._ask(body)
        if fault != "answer":
            with suppress(OSError):
                self._answer(answer, content)

    def _ask(self, body: bytes) -> tuple[http.client.HTTPResponse, bytes]:
        server = http.client.HTTPConnection("127.0.0.1", self.server.to, timeout=30)
        server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            server.putheader(name, value)
        server.endheaders(body)
        answer = server.getresponse()
        content = answer.read()
        server.close()
        return answer, content

    def _answer(self, answer: http.client.HTTPResponse, content: bytes) -> None:
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOPS:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
