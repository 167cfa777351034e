"""Workers: separate processes for tasks that take the referee more than a few milliseconds.

In the server’s own process they would share one interpreter lock with the saves, and delay them.
`webapp.workers.queue` decides who can ask, and who waits.

Each worker is a process at the other end of a pipe. A pool of the standard library would also need
semaphores, for which many containers and NAS devices have no place (/dev/shm).
"""

import faulthandler
import multiprocessing
import os
import signal
import threading
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from typing import Any, Final, TypeVar

from webapp.refusal import Refusal
from webapp.workers.jobs import Task
from webapp.workers.queue import AT_ONCE

NICENESS: Final = 5
"""How nice a worker is (as in `nice`), so that saves get the processor first."""

LIMIT: Final = 5.0
"""The seconds that a task can take; the costliest known takes 0.3 s on an idle machine."""

START: Final = 30.0
"""The seconds that starting a worker can take in addition."""

T = TypeVar("T")


class UndecidedError(Refusal):
    """A worker was stopped before it had an answer."""

    status = 503


class Workers:
    """The worker processes of one server, started when tasks need them and then used again."""

    def __init__(
        self,
        limit: float = LIMIT,
        first: Task[object] | None = None,
        *,
        niceness: int = NICENESS,
        stay: bool = True,
    ) -> None:
        """Start no process yet. `limit` is in seconds, and `niceness` as in `nice`.

        Each worker begins with the task `first`, which can take `START` seconds. Without it, what
        a worker loads for its first question would count as part of that question: on a busy
        machine the worker would be ended for it, and so would the next one. Workers that don’t
        `stay` end with their task.
        """
        self._limit = limit
        self._first = first
        self._niceness = niceness
        self._stay = stay
        self._turn = threading.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._free: list[_Worker] = []
        # The server already has threads: a fork could copy a lock that one of them has.
        self._context = multiprocessing.get_context("spawn")
        self._ends, self._open = self._context.Pipe(duplex=False)

    def __call__(self, task: Task[T], /) -> T:
        """Have a task solved; raise UndecidedError or what `task.do` raises.

        A worker that takes too long, or breaks, is ended. One that broke sooner may have been ended
        by somebody else while it was idle: then another one tries once more.
        """
        with self._turn:
            for _ in range(2):
                worker, began = self._take(), time.monotonic()
                try:
                    is_solved, answer = worker.ask(task, self._limit)
                except (EOFError, OSError) as error:
                    worker.end()
                    if time.monotonic() - began >= self._limit:
                        raise UndecidedError from error
                else:
                    self._put_back(worker)
                    if is_solved:
                        solved: T = answer
                        return solved
                    raise answer
        raise UndecidedError

    def warm(self) -> None:
        """Start a worker and have it do its first task, while nobody waits for it."""
        with suppress(UndecidedError):
            self._put_back(self._start())

    def close(self) -> None:
        """End every worker, whatever it’s doing."""
        with self._lock:
            self._open.close()
            for worker in self._free:
                worker.end()
            self._free.clear()

    def _take(self) -> "_Worker":
        with self._lock:
            if self._open.closed:
                raise UndecidedError
            if self._free:
                return self._free.pop()
        return self._start()

    def _start(self) -> "_Worker":
        try:
            return _Worker(self._context, self._ends, self._first, self._niceness)
        except OSError as error:
            # The machine has reached its limit of processes or open files.
            raise UndecidedError from error

    def _put_back(self, worker: "_Worker") -> None:
        with self._lock:
            if self._stay and not self._open.closed:
                self._free.append(worker)
                return
        worker.end()


class _Worker:
    """A process that solves one task after another; nobody waits for the result of its first."""

    def __init__(
        self, context: SpawnContext, ends: Connection, first: Task[object] | None, niceness: int
    ) -> None:
        self._line, theirs = context.Pipe()
        with theirs:
            self._process = context.Process(
                target=_work, args=(ends, theirs, first, niceness), daemon=True
            )
            self._process.start()

    def ask(self, task: Task[T], limit: float) -> tuple[bool, Any]:
        """Have a task solved; return whether it was, and the result or what was raised.

        Raises EOFError or OSError if the worker breaks, and TimeoutError, which is an OSError.
        """
        self._line.send((task, limit))
        if not self._line.poll(limit + START):
            raise TimeoutError
        solved: tuple[bool, Any] = self._line.recv()
        return solved

    def end(self) -> None:
        """End the process, whatever it’s doing."""
        self._line.close()
        self._process.kill()
        self._process.join()


def _work(ends: Connection, line: Connection, first: Task[object] | None, niceness: int) -> None:
    """Run as a worker: with low priority, ending as soon as the server is gone or closes.

    It stays in the server’s session: Linux first shares the processor among sessions, and a low
    priority only counts within one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)

    def watch() -> None:
        with suppress(EOFError, OSError):
            ends.recv()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    if first:
        _solve(first, START)
    with suppress(EOFError, OSError):
        while True:
            line.send(_solve(*line.recv()))


def _solve(task: Task[T], limit: float) -> tuple[bool, T | Exception]:
    # Ends the process whatever it’s doing, even in code that never lets another thread run.
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - nobody reads where it was
        faulthandler.dump_traceback_later(limit, exit=True, file=nothing)
        try:
            return True, task.do()
        except Exception as error:  # noqa: BLE001 - it is raised where the task came from
            # The traceback isn’t sent along.
            error.add_note(f"In a worker:\n{traceback.format_exc()}")
            return False, error
        finally:
            faulthandler.cancel_dump_traceback_later()
