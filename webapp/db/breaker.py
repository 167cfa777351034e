"""How long a question waits for a database server, and how many wait at once.

A server that is frozen, or behind a network that has gone, says nothing at all: whoever asks it
would wait for good, and with them the few threads that answer everybody. So each question has a
deadline, few wait at a time, and while the server is silent nearly all are told so at once.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from webapp.db.faults import BusyError

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_ONCE: Final = 12
"""How many questions a server is asked at once: half of the threads that there are."""

ENTRY: Final = 0.25
"""For how many seconds one waits to be among them."""

SILENCE: Final = 1.0
"""After how many seconds without an answer to anybody a server counts as silent."""

PROBES: Final = 2
"""How many questions may wait for a silent server, to find that it answers again."""

_patience: ContextVar[Patience | None] = ContextVar("patience", default=None)


class Patience:
    """How many more seconds a question waits for the server, whatever else takes time meanwhile."""

    def __init__(self, left: float) -> None:
        self.left = left

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count what is waited within."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.left = max(0.0, self.left - (time.monotonic() - began))


def patience() -> Patience | None:
    """The patience of the question that is being asked; None waits for good."""
    return _patience.get()


class Breaker:
    """The questions that wait for one server."""

    def __init__(self, seconds: float) -> None:
        """Let each wait for so many seconds at most."""
        self._seconds = seconds
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._waiting = 0
        self._probing = 0
        self._since = 0.0
        """Since when there has been no answer, while one was waited for."""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ask the server what is asked within; raises BusyError.

        Whatever is asked there waits for it no longer than the patience, all together.
        """
        probes = self._enter()
        token = _patience.set(Patience(self._seconds))
        answered = True
        try:
            yield
        except BusyError:
            answered = False
            raise
        finally:
            _patience.reset(token)
            self._leave(probes=probes, answered=answered)

    def _enter(self) -> bool:
        """Be among those who wait; answers whether it is to see if a silent server is back."""
        with self._lock:
            probes = self._waiting > 0 and time.monotonic() - self._since > SILENCE
            if probes and self._probing >= PROBES:
                raise BusyError(BusyError.__doc__)
            self._probing += probes
        if not self._places.acquire(timeout=0 if probes else ENTRY):
            with self._lock:
                self._probing -= probes
            raise BusyError(BusyError.__doc__)
        with self._lock:
            if not self._waiting:
                self._since = time.monotonic()
            self._waiting += 1
        return probes

    def _leave(self, *, probes: bool, answered: bool) -> None:
        with self._lock:
            self._waiting -= 1
            self._probing -= probes
            if answered:
                self._since = time.monotonic()
        self._places.release()
