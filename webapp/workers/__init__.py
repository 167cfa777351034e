"""Workers: processes of their own for what costs the referee more than a few milliseconds.

In the server's own process it would share one interpreter lock with the saves, and delay them. Who
may ask, and who waits, is kept by `webapp.workers.line`. Tasks go to the standard input of a worker
(`webapp.workers.__main__`), and what they come to comes from its standard output. A worker is in a
process group of its own, where Ctrl+C at the terminal does not reach it, and in the server's
session: Linux shares the processor out among sessions first, and only within one does it count that
a worker stands back. Pickle is safe between the two: both ends are ours, and look for modules in
the same places.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Any, Final, TypeVar

from webapp.refusal import Refusal
from webapp.services.tasks import PrepareTask, Task

NICENESS: Final = 5
"""How far a worker stands back where the processor is wanted for a save, from its first import."""

_START: Final = (
    "import os, sys; hasattr(os, 'nice') and os.nice({}); sys.path[:] = {!a}; "
    "from {}.__main__ import main; main()"
)
"""What a worker runs; in ASCII, because it goes through the command line."""

LIMIT: Final = 5.0
"""Seconds that a task may take; the costliest known takes 0.3 s on a machine with nothing to do."""

KEPT: Final = 1
"""How many workers stay when there is nothing to do; another one is started when it is needed."""

LINGER: Final = 20.0
"""Seconds that another one stays for the next question: starting it costs more than most."""

T = TypeVar("T")


class UndecidedError(Refusal):
    """A worker was stopped before it had an answer."""

    status = 503
    says = "This could not be decided in time. Ask again, or ask about fewer cards."


class Workers:
    """The workers of one server: none before the first task, as many as there are tasks at once."""

    def __init__(self, limit: float = LIMIT, kept: int = KEPT, linger: float = LINGER) -> None:
        """Start nothing; `kept` is how many stay with nothing to do, the others are seconds."""
        self._limit = limit
        self._kept = kept
        self._linger = linger
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._looking = False

    def __call__(self, task: Task[T], /) -> T:
        """Have a task solved; raises UndecidedError, and what `task.do` raises.

        A worker that takes too long, or breaks, is ended; the next task has a new one.
        """
        worker = self._take()
        try:
            is_well, answer = worker.ask(task, self._limit)
        except BaseException:
            self._end(worker)
            raise
        self._put_back(worker)
        if not is_well:
            raise answer
        return answer  # type: ignore[no-any-return]  # the answer to this very task

    def warm(self) -> None:
        """Start a worker, and have it prepare, while nobody waits for it."""

        def prepare() -> None:
            try:
                self(PrepareTask())
            except UndecidedError:
                return  # The first question will take a little longer.

        threading.Thread(target=prepare, name="warm", daemon=True).start()

    def close(self) -> None:
        """End every worker, and whatever it is at."""
        with self._lock:
            self._closed = True
            ending = list(self._all)
        for worker in ending:
            self._end(worker)

    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers that there are."""
        with self._lock:
            return tuple(worker.pid for worker in self._all)

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise UndecidedError
            while self._idle:
                worker = self._idle.pop()
                if worker.is_there():
                    return worker
                self._all.discard(worker)
                worker.end()
            worker = _Worker()
            self._all.add(worker)
            return worker

    def _put_back(self, worker: _Worker) -> None:
        with self._lock:
            stays = not self._closed
            if stays:
                worker.rests_since = time.monotonic()
                # The last is taken first, so that the first have rested longest.
                self._idle.append(worker)
                self._look_again()
        if not stays:
            self._end(worker)

    def _look_again(self) -> None:
        """See in a while to those that are too many; to be called under the lock."""
        if len(self._idle) > self._kept and not self._looking and not self._closed:
            self._looking = True
            timer = threading.Timer(self._linger, self._let_go)
            timer.daemon = True
            timer.start()

    def _let_go(self) -> None:
        """End those that are too many and have rested long."""
        since = time.monotonic() - self._linger
        with self._lock:
            self._looking = False
            spare = [worker for worker in self._idle if worker.rests_since <= since]
            spare = spare[: max(0, len(self._idle) - self._kept)]
            self._idle = [worker for worker in self._idle if worker not in spare]
            self._look_again()
        for worker in spare:
            self._end(worker)

    def _end(self, worker: _Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.end()


class _Worker:
    """One process, and the line to it; not to be shared between threads."""

    def __init__(self) -> None:
        """Start it."""
        apart: dict[str, Any] = {"process_group": 0}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-c", _START.format(NICENESS, sys.path, __name__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **apart,
        )
        self.pid = self._process.pid
        self.rests_since = 0.0
        """When it had nothing more to do, by `time.monotonic`."""

    def ask(self, task: Task[object], limit: float) -> tuple[bool, Any]:
        """Have a task solved: whether it went well, and the answer or what was raised.

        Raises UndecidedError where there is no answer within the limit.
        """
        to_it, from_it = self._process.stdin, self._process.stdout
        assert to_it is not None
        assert from_it is not None
        clock = threading.Timer(limit, self._process.kill)
        clock.start()
        try:
            pickle.dump(task, to_it)
            to_it.flush()
            answer: tuple[bool, Any] = pickle.load(from_it)  # noqa: S301 - see above
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise UndecidedError from error
        finally:
            clock.cancel()
        return answer

    def is_there(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the process, and let go of the line."""
        self._process.kill()
        self._process.wait()
        for line in (self._process.stdin, self._process.stdout):
            if line is not None:
                # A task that it never read is still there to be sent.
                with suppress(OSError):
                    line.close()
