"""How long a query waits for a database server, whatever happens there.

A server that is frozen, or behind a network that is gone, doesn’t answer at all: each statement and
each new connection would wait separately, and a page with 10 of them 10 times as long. So all
statements of one query share one patience, and a connection that has waited that long is closed
(`webapp.db.postgres`). The pool limits how many queries wait at once.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_patience: ContextVar["Patience | None"] = ContextVar("patience", default=None)


class Patience:
    """The seconds left to wait for the server, not counting what else takes time."""

    def __init__(self, left: float) -> None:
        """Start with this many seconds."""
        self.left = left

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time spent within as waiting."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.left = max(0.0, self.left - (time.monotonic() - began))


def patience() -> Patience | None:
    """Return the patience of the current query; None if it waits without a limit."""
    return _patience.get()


@contextmanager
def asking(seconds: float) -> Iterator[None]:
    """Run queries that wait for the server for this many seconds, all together."""
    token = _patience.set(Patience(seconds))
    try:
        yield
    finally:
        _patience.reset(token)
