"""Many at once, each in a thread of its own, until it is over: phones, connections, lookers."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

PATIENCE = 60
"""For how many seconds each may finish what it has begun."""


@dataclass(slots=True)
class Together(ABC):
    """What many do at once until `over` is set."""

    over: threading.Event = field(default_factory=threading.Event, init=False)
    _threads: list[threading.Thread] = field(default_factory=list, init=False)

    @abstractmethod
    def each(self) -> Iterable[Callable[[], object]]:
        """What each of them does; it returns soon after `over` is set."""

    def start(self) -> None:
        """Let all of them begin."""
        self._threads += [threading.Thread(target=one, daemon=True) for one in self.each()]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Let each finish what it has begun."""
        self.over.set()
        for thread in self._threads:
            thread.join(timeout=PATIENCE)
