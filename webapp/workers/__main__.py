"""A worker: solves tasks for the server that started it, until that is gone.

It reads them from its standard input and ends when that does, whatever it is at, so that none is
left over however the server ends.
"""

import os
import pickle
import sys
import threading
from queue import SimpleQueue
from typing import IO

from webapp.services.tasks import Task


def main() -> None:
    """Solve one task after the other."""
    answers = sys.stdout.buffer
    # Whatever prints must not come between two answers.
    sys.stdout = sys.stderr
    tasks: SimpleQueue[Task[object]] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        task = tasks.get()
        answer: tuple[bool, object]
        try:
            answer = True, task.do()
        except Exception as error:  # noqa: BLE001 - it is raised where the task was put
            answer = False, error
        pickle.dump(answer, answers)
        answers.flush()


def _read(source: IO[bytes], tasks: SimpleQueue[Task[object]]) -> None:
    """Take in tasks; end the process when nobody can send any more, whatever it is at."""
    while True:
        try:
            tasks.put(pickle.load(source))  # noqa: S301 - see above
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)


if __name__ == "__main__":
    main()
