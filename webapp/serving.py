"""The server: waitress, with limits on how long it waits.

One loop reads and writes all connections, and a thread is used only for a request that has arrived
completely: a phone on a weak Wi-Fi, or somebody who sends half a request, delays nobody. There is
one process, because SQLite lets in one writer at a time, and because a board that one process has
cached would have to be sent to another.
"""

import errno
import logging
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import FrameType
from typing import Final

from flask import Flask
from waitress import create_server
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask

from webapp.network.names import proxy_path
from webapp.web.headers import EVERY

THREADS: Final = 32
"""The most requests that are answered at once. A waiting thread takes some 40 kB; at most 6 wait
for a worker (`webapp.workers.queue`), so that questions never occupy all of them."""
SWITCH: Final = 0.0005
"""The seconds for which a thread can keep the interpreter while others wait for it.

A save releases it at every statement and needs it back. With Python's 5 ms, each time behind a
thread that renders a page, that would be most of a save's time while many pages are requested.
"""

IDLE: Final = 15
"""The seconds for which an idle connection is kept (a phone asks every 2)."""

ARRIVAL: Final = 20
"""The seconds in which a whole request has to arrive, however steadily it drips in."""

CONNECTIONS: Final = 2000
"""The most open connections, if the machine allows one program that many files."""

RESERVE: Final = 100
"""The files reserved for the database, the log and modules that are still to be imported."""

UNREAD: Final = 64 * 1024
"""The bytes of answers that the system buffers for a connection whose client doesn’t read them.

When the buffer is full, the next request on that connection waits. By default it’s megabytes, and
pages are made again and again for a client that asks and never reads. With 32 kB, a long answer to
this machine, such as to its proxy, takes 2 MB a second: each packet is confirmed 40 ms later.
"""

LARGEST_HEAD: Final = 16 * 1024
LARGEST_BODY: Final = 1024 * 1024
"""The most bytes of a request; more is refused while it arrives. The app’s own limit for forms is
explained on a page."""


LOOPBACK: Final = ("127.0.0.1", "::1")
"""The addresses that only this machine can reach."""

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - only where somebody asks for it
"""The addresses that everybody can reach who reaches this machine."""

_TRIES: Final = 20
"""How often another free port is tried, if one is free on one address but not on the next."""

_NO_SUCH_ADDRESS: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})


class ListenError(OSError):
    """A port can’t be opened; the message says why."""


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Return listening sockets on a port, the same on each address; 0 is any free port.

    An address after the first that this machine doesn’t have is left out (IPv6 may be switched
    off). Raises ListenError if the port is taken or can’t be used.
    """
    for _ in range(_TRIES):
        with ExitStack() as opened:
            taken = port
            listeners: list[socket.socket] = []
            try:
                for host in hosts:
                    try:
                        listener = opened.enter_context(_listener(host, taken))
                    except OSError as error:
                        if listeners and _is_elsewhere(error):
                            continue
                        raise
                    taken = listener.getsockname()[1]
                    listeners.append(listener)
            except OSError as error:
                if port == 0 and error.errno == errno.EADDRINUSE:
                    continue
                raise ListenError(_why_not(port, hosts, error)) from error
            opened.pop_all()
            return listeners
    raise ListenError("There's no free port on this computer.")


def _listener(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except UnicodeError as error:
        # Python can’t look up a name that isn’t a valid host name.
        raise socket.gaierror(socket.EAI_NONAME, "no name can be like that") from error
    listener = socket.socket(family, kind)
    try:
        if os.name == "posix":
            # On Windows this would let a second server take the port of a running one.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # IPv4 has a socket of its own, so that an address shows of which kind it is.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        # Accepted connections inherit the listener’s options.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _is_elsewhere(error: OSError) -> bool:
    return isinstance(error, socket.gaierror) or error.errno in _NO_SUCH_ADDRESS


def _why_not(port: int, hosts: Sequence[str], error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use, maybe by another Laydown. Try another with --port."
    if _is_elsewhere(error):
        return f"{hosts[0]} isn't an address of this computer ({error.strerror})."
    return f"Port {port} can't be opened: {error.strerror}."


def serve(
    app: Flask,
    listeners: Sequence[socket.socket],
    greet: Callable[[], None],
    reserve: int = RESERVE,
) -> None:
    """Answer requests on listening sockets until the process is asked to stop.

    SIGTERM, SIGHUP (its terminal was closed) and Ctrl+C end it once the requests that are being
    answered are done. `greet` is called once the app can be reached, and `reserve` are the files
    that aren’t connections. Raises ListenError if the machine can’t start enough threads.
    """
    sys.setswitchinterval(SWITCH)
    # A request that waits for a thread ("Task queue depth is 1") isn’t worth logging.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    servers: dict[int, object] = {}
    try:
        server = create_server(
            app,
            map=servers,
            sockets=list(listeners),
            threads=THREADS,
            connection_limit=_most_connections(reserve),
            channel_timeout=IDLE,
            cleanup_interval=1,
            max_request_header_size=LARGEST_HEAD,
            max_request_body_size=LARGEST_BODY,
            # Without it, a connection after the thousandth is more than select() can handle.
            asyncore_use_poll=hasattr(select, "poll"),
            # A phone that goes out of reach in the middle of an answer isn’t worth logging.
            log_socket_errors=False,
            ident=None,
            # The app decides whether to trust a proxy’s headers (webapp/network/proxies.py).
            clear_untrusted_proxy_headers=False,
            # It also answers without the path: a proxy can remove it, and phones at home have none.
            url_prefix=proxy_path(app.extensions["config"]),
        )
    except RuntimeError as error:
        raise ListenError(f"Laydown needs {THREADS} threads: {error}.") from error
    for each in servers.values():
        if isinstance(each, TcpWSGIServer):
            each.channel_class = _Channel
    _stop_when_told()
    greet()
    try:
        # Returns when the process is asked to stop, after its threads have finished their requests.
        server.run()
    finally:
        server.close()


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request and its answer; one without a body leaves the connection open.

    Waitress closes the connection after every 304, which is what a phone gets every two seconds.
    """

    def set_close_on_finish(self) -> None:
        """Close the connection after this answer, unless only the missing length asks for it."""
        wants_close = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.wrote_header or self.has_body or self.version != "1.1" or wants_close:
            super().set_close_on_finish()


class _ErrorTask(ErrorTask):  # type: ignore[misc]  # as above
    """A malformed request, which the app never sees; its answer has the same headers."""

    def execute(self) -> None:
        """Send the answer."""
        self.response_headers.extend(EVERY)
        super().execute()


class _Channel(HTTPChannel):  # type: ignore[misc]  # as above
    """A connection that knows since when it has been waiting for the rest of a request."""

    task_class = _Task
    error_task_class = _ErrorTask
    waits_since: float | None = None

    def received(self, data: bytes) -> bool:
        """Process the data that has arrived."""
        kept = bool(super().received(data))
        if self.request is None:
            self.waits_since = None
        elif self.waits_since is None:
            self.waits_since = time.monotonic()
        return kept

    def writable(self) -> bool:
        """Return whether there is something to send, or the connection has to be closed."""
        if self.waits_since is not None and time.monotonic() - self.waits_since > ARRIVAL:
            self.will_close = True
        return bool(super().writable())


def _most_connections(reserve: int) -> int:
    """Return how many connections this process can have open besides other files.

    It raises its limit first.

    Raises ListenError if they’re too few to serve anybody.
    """
    if sys.platform == "win32":
        return CONNECTIONS
    import resource  # noqa: PLC0415 - there is none on Windows

    most, may_be = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + reserve
    if may_be != resource.RLIM_INFINITY:
        wanted = min(wanted, may_be)
    if most != resource.RLIM_INFINITY and most < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, may_be))
        most = wanted
    if most == resource.RLIM_INFINITY:
        return CONNECTIONS
    if most - reserve < THREADS:
        needed = reserve + THREADS
        raise ListenError(f"Laydown needs {needed} open files, and may have {most} (ulimit -n).")
    return min(CONNECTIONS, most - reserve)


def _stop_when_told() -> None:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise SystemExit

    # Ctrl+C is named as well: a shell starts its background programs with it ignored.
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
