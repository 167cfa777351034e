"""How long a question waits for a database server, whatever it does there.

A server that is frozen, or behind a network that is gone, says nothing at all: each statement and
each new connection would wait for itself, and a page with ten of them ten times as long. So all
that one question asks shares one patience, and what has waited that long is given up
(`webapp.db.postgres`). How many questions wait at once is limited by the pool.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_patience: ContextVar["Patience | None"] = ContextVar("patience", default=None)


class Patience:
    """How many more seconds a question waits for the server, whatever else takes time meanwhile."""

    def __init__(self, left: float) -> None:
        """Begin with so many seconds."""
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
    """The patience of the question that is being asked; None waits without an end."""
    return _patience.get()


@contextmanager
def asking(seconds: float) -> Iterator[None]:
    """Ask the server what is asked within; all of it waits for so many seconds together."""
    token = _patience.set(Patience(seconds))
    try:
        yield
    finally:
        _patience.reset(token)
