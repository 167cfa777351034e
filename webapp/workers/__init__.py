"""Workers: processes of their own for what costs the referee more than a few milliseconds.

In the server's own process it would share one interpreter lock with the saves, and delay them. Who
may ask, and who waits, is kept by `webapp.workers.line`.
"""

import faulthandler
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final, TypeVar

from webapp.refusal import Refusal
from webapp.services.tasks import PrepareTask, Task
from webapp.workers.line import AT_ONCE

NICENESS: Final = 5
"""How far a worker stands back if the processor is wanted for a save."""

LIMIT: Final = 5.0
"""Seconds that a task may take; the costliest known takes 0.3 s on a machine with nothing to do."""

START: Final = 30.0
"""Seconds that starting a worker may take on top of that."""

T = TypeVar("T")


class UndecidedError(Refusal):
    """A worker was stopped before it had an answer."""

    status = 503


class Workers:
    """The workers of one server: none before the first task, then as many as solve at once."""

    def __init__(self, limit: float = LIMIT, *, stay: bool = True) -> None:
        """Start nothing. `limit` is in seconds; workers that don’t `stay` end with their task."""
        self._limit = limit
        self._stay = stay
        self._lock = threading.Lock()
        self._pool: Executor | None = None
        # Threads of the server run already: a fork could copy a lock that one of them has.
        self._context = multiprocessing.get_context("spawn")
        self._ends, self._open = self._context.Pipe(duplex=False)

    def __call__(self, task: Task[T], /) -> T:
        """Have a task solved; raises UndecidedError, and what `task.do` raises.

        A worker that takes too long, or breaks, ends, and the other one with it; the other one’s
        task then starts again.
        """
        for _ in range(2):
            pool, began = self._take_pool(), time.monotonic()
            try:
                return pool.submit(_solve, task, self._limit).result(self._limit + START)
            except (BrokenProcessPool, TimeoutError) as error:
                self._let_go(pool)
                if time.monotonic() - began >= self._limit:
                    raise UndecidedError from error
            finally:
                if not self._stay:
                    self._let_go(pool)
        raise UndecidedError

    def warm(self) -> None:
        """Start a worker, and have it prepare, while nobody waits for it."""
        self._take_pool().submit(_solve, PrepareTask(), START)

    def close(self) -> None:
        """End every worker, and whatever it is at."""
        with self._lock:
            self._open.close()
            if self._pool:
                self._pool.shutdown(cancel_futures=True)
                self._pool = None

    def _take_pool(self) -> Executor:
        with self._lock:
            if self._open.closed:
                raise UndecidedError
            if self._pool is None:
                self._pool = ProcessPoolExecutor(AT_ONCE, self._context, _begin, (self._ends,))
            return self._pool

    def _let_go(self, pool: Executor) -> None:
        """Let a pool end once it is done; the next task has a new one."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=False)


def _begin(ends: Connection) -> None:
    """Make a process a worker: it stands back, and ends as soon as its server is gone or closes.

    It stays in the server's session: Linux shares the processor out among sessions first, and only
    within one does it count that a worker stands back.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)

    def watch() -> None:
        with suppress(EOFError, OSError):
            ends.recv()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _solve(task: Task[T], limit: float) -> T:
    # Ends the process whatever it is at, also in code that never lets another thread run.
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - nobody reads where it was
        faulthandler.dump_traceback_later(limit, exit=True, file=nothing)
        try:
            return task.do()
        finally:
            faulthandler.cancel_dump_traceback_later()
