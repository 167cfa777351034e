"""Whose turn it is to compute, among the threads that share this process: saves before pages.

Threads share one interpreter, so no page is done sooner by being drawn beside another. But a save
asks for the interpreter again after every statement, while other saves wait for its lock: beside a
few threads that draw it takes four times as long. So no page begins while a save is being answered,
and one is drawn at a time.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from jinja2 import Template

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

LONG: Final = 0.3
"""Seconds after which a save is waiting for its disk or its server, and pages wait no longer."""

PATIENCE: Final = 1.0
"""Seconds that a page waits for saves at most, however many come."""


class Turns:
    """Who computes first: the saves, then one page after the other."""

    def __init__(self) -> None:
        self._page = threading.RLock()
        self._done = threading.Condition()
        self._saves: dict[int, float] = {}
        """When each save that is being answered began, the oldest first, by its thread."""

    @property
    def is_saving(self) -> bool:
        """Whether this thread is answering a save."""
        return threading.get_ident() in self._saves

    @contextmanager
    def save(self) -> Iterator[None]:
        """Answer a save; no page of another thread begins to be drawn meanwhile."""
        with self._done:
            self._saves[threading.get_ident()] = time.monotonic()
        try:
            yield
        finally:
            with self._done:
                del self._saves[threading.get_ident()]
                self._done.notify_all()

    @contextmanager
    def page(self) -> Iterator[None]:
        """Draw a page, when nothing else is being drawn and no save is being answered."""
        with self._page:
            self.let_save()
            yield

    def let_save(self) -> None:
        """Wait until no save is being answered, unless the oldest takes LONG; PATIENCE at most."""
        if not self._saves or self.is_saving:
            return
        deadline = time.monotonic() + PATIENCE
        with self._done:
            while self._saves:
                oldest = next(iter(self._saves.values()))
                left = min(oldest + LONG, deadline) - time.monotonic()
                if left <= 0:
                    return
                self._done.wait(left)


TURNS: Final = Turns()
"""The turns of this process: it has one interpreter, however many apps are made in it."""


class PageTemplate(Template):
    """A template that is drawn when it is its turn."""

    def render(self, *args: object, **kwargs: object) -> str:
        """Draw it."""
        with TURNS.page():
            return super().render(*args, **kwargs)


def saves_first(answer: WSGIApplication) -> WSGIApplication:
    """The WSGI application `answer`, with its saves before its pages."""

    def answer_in_turn(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "POST":
            TURNS.let_save()
            return answer(environ, start_response)
        with TURNS.save():
            return answer(environ, start_response)

    return answer_in_turn
