"""Queues: who may have something costly done now, and who waits or comes back.

At a club two questions at once are many. What a phone asks by tapping quickly waits its turn for a
moment; what would let one phone, or many, take the machine away from the saves is refused.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from webapp.refusal import Refusal

AT_ONCE: Final = max(1, min(2, (os.cpu_count() or 1) - 1))
"""How many questions are worked on at a time, of different phones; a core stays free for saves."""

WAITING: Final = 4
"""How many wait for that, one of each phone; each holds a thread of the server's."""

PATIENCE: Final = 0.5
"""Seconds that a question waits; most take less than a tenth."""

RETRY_SECONDS: Final = "1"
"""When it is worth asking again."""


class TooManyQuestionsError(Refusal):
    """As many questions wait as may."""

    status = 429


class TooMuchAtOnceError(Refusal):
    """As many of what is no question and no save, such as a note, wait as may."""

    status = 429


class Queue:
    """The questions that are worked on, and those that wait."""

    refusal: type[Refusal] = TooManyQuestionsError
    """What whoever is sent away gets."""

    def __init__(self) -> None:
        """Begin with nobody in it."""
        self._changed = threading.Condition()
        self._asking: dict[str, str] = {}
        self._waiting: dict[str, str] = {}

    @contextmanager
    def slot(self, phone: str, address: str = "") -> Iterator[None]:
        """Wait for a phone's turn, and hold it; raises its refusal."""
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
        """Raise its refusal if nobody more may wait, and somebody asks at this address.

        What is asked there next is most likely as costly.
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
    """What this process does itself, beside the saves: one at a time, as it has one interpreter."""

    refusal = TooMuchAtOnceError
    _at_once = 1
