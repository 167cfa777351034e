"""Queues for costly work: which phone gets a turn now, which waits, and which is refused.

At a club, 2 questions at once are many. Questions from quick taps wait a moment for their turn;
more than that, which would let one phone or many keep the machine from saving, is refused.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from webapp.refusal import Refusal

AT_ONCE: Final = max(1, min(2, (os.cpu_count() or 1) - 1))
"""The most questions that are worked on at once, from different phones; a core is left for
saves."""

WAITING: Final = 4
"""The most questions that wait, one from each phone; each occupies a thread of the server."""

PATIENCE: Final = 0.5
"""The seconds that a question waits; most take less than a tenth."""

RETRY_SECONDS: Final = "1"
"""The seconds after which it’s worth asking again."""


class TooManyQuestionsError(Refusal):
    """The queue of questions is full."""

    status = 429


class TooMuchAtOnceError(Refusal):
    """The queue of other work, such as writing notes, is full."""

    status = 429


class Queue:
    """The questions that are worked on, and those that wait."""

    refusal: type[Refusal] = TooManyQuestionsError
    """The error for a phone that is turned away."""

    def __init__(self) -> None:
        """Start empty."""
        self._changed = threading.Condition()
        self._asking: dict[str, str] = {}
        self._waiting: dict[str, str] = {}

    @contextmanager
    def slot(self, phone: str, address: str = "") -> Iterator[None]:
        """Wait for a phone’s turn, and keep it until the block ends.

        Raises `refusal` if too many phones wait, if this one waits already, or if its turn doesn’t
        come in time.
        """
        with self._changed:
            if not self._is_free(phone):
                self._wait(phone, address)
            self._asking[phone] = address
        try:
            yield
        finally:
            with self._changed:
                del self._asking[phone]
                self._changed.notify_all()

    def refuse_if_full(self, address: str) -> None:
        """Raise the refusal if the queue is full and has a question to the page at this address.

        The next question to that page is most likely as costly.
        """
        with self._changed:
            there = {*self._asking.values(), *self._waiting.values()}
            if len(self._waiting) >= WAITING and address in there:
                raise self.refusal

    @property
    def _at_once(self) -> int:
        return AT_ONCE

    def _is_free(self, phone: str) -> bool:
        return len(self._asking) < self._at_once and phone not in self._asking

    def _wait(self, phone: str, address: str) -> None:
        if phone in self._waiting or len(self._waiting) >= WAITING:
            raise self.refusal
        self._waiting[phone] = address
        try:
            if not self._changed.wait_for(lambda: self._is_free(phone), PATIENCE):
                raise self.refusal
        finally:
            del self._waiting[phone]


class OneByOne(Queue):
    """A queue for this process’s own work: one at a time, as it has one interpreter."""

    refusal = TooMuchAtOnceError
    _at_once = 1
