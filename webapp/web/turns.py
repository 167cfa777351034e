"""Turns: what is costly, or changes something without being a save, waits in a queue."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar, cast

from flask import Response, after_this_request, current_app, g, request

from webapp.web.origin import phone
from webapp.workers.jobs import Solver, Task
from webapp.workers.queue import Queue

T = TypeVar("T")


def solve(task: Task[T], /) -> T:
    """Solve a task for the phone that asks; what is costly waits its turn, or has it already.

    Raises TooManyQuestionsError and UndecidedError, and what `task.do` raises.
    """
    if not task.is_costly:
        return task.do()
    solver = cast("Solver", current_app.extensions["solver"])
    with in_turn():
        return solver(task)


@contextmanager
def in_turn() -> Iterator[None]:
    """Wait for the turn of the phone that asks, and hold it; raises TooManyQuestionsError.

    What is solved meanwhile is part of it. For work that takes this process itself long, like
    reading a game that somebody sends: sixteen phones at it at once would leave a save a sixteenth
    of the interpreter.
    """
    if g.get("in_turn"):
        yield
        return
    with _queue().slot(_who(), request.path):
        g.in_turn = True
        try:
            yield
        finally:
            g.in_turn = False


def changing() -> AbstractContextManager[None]:
    """Wait for the turn to write what is no save, and hold it; raises TooMuchAtOnceError.

    A note is written as a score is, under the same lock, and costs as much: beside 32 phones with a
    note each, a save would have a 33rd of what there is.
    """
    return _queue("changes").slot(_who(), request.path)


def take_turn() -> None:
    """Let a change that is no save wait for its turn, and hold it until it is answered.

    To be called before each request of a blueprint: one that is refused has not been read. Raises
    TooMuchAtOnceError.
    """
    if request.method != "POST":
        return
    turn = ExitStack()
    turn.enter_context(changing())

    @after_this_request
    def end(response: Response) -> Response:
        turn.close()
        return response


def export_in_turn(lines: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Write a file in its turn, which is over when the last line is handed on.

    Raises TooMuchAtOnceError, and what writing raises, before the first line.
    """
    turn = _queue("exports").slot(_who(), request.path)

    def write() -> Iterator[str]:
        with turn:
            yield from lines()

    return write()


def refuse_if_full() -> None:
    """Turn a question away unread, if others at its address fill the queue.

    To read it, and find that it is costly, takes four times as long as to refuse it. Raises
    TooManyQuestionsError.
    """
    if request.query_string or request.method == "POST":
        _queue().refuse_if_full(request.path)


def _queue(name: str = "questions") -> Queue:
    return cast("Queue", current_app.extensions[name])


def _who() -> str:
    """The phone that asks, by its cookie, or by its address if it has none."""
    return phone() or request.remote_addr or ""


class Remembering:
    """A solver that knows the tasks of one request again.

    What a save depends on is solved before it holds the database, and looked up while it does.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[Task[object], object] = {}

    def __call__(self, task: Task[T], /) -> T:
        """Solve a task, or look up what it came to; raises as `solve`."""
        if task not in self._known:
            self._known[task] = solve(task)
        return cast("T", self._known[task])
