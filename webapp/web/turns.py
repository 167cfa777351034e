"""Turns: tasks that are costly, and changes that aren’t saves, wait in a queue."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar, cast

from flask import Response, after_this_request, current_app, g, request

from webapp.web.house import current_house
from webapp.web.origin import phone
from webapp.workers.jobs import Solver, Task
from webapp.workers.queue import Queue

T = TypeVar("T")


def solve(task: Task[T], /) -> T:
    """Solve a task for the current phone; a costly one waits for its turn, unless it has it.

    Raises TooManyQuestionsError or UndecidedError, and what `task.do` raises.
    """
    if not task.is_costly:
        return task.do()
    solver = cast("Solver", current_app.extensions["solver"])
    with in_turn():
        return solver(task)


@contextmanager
def in_turn() -> Iterator[None]:
    """Wait for the current phone’s turn, and keep it until the block ends.

    Tasks solved in the block share this turn. Use it for work that keeps this process busy, such as
    reading a game that somebody sends: with 16 phones doing that at once, a save would get a 17th
    of the time. Raises TooManyQuestionsError.
    """
    if g.get("in_turn"):
        yield
        return
    with _queue().slot(_who(), _where()):
        g.in_turn = True
        try:
            yield
        finally:
            g.in_turn = False


def changing() -> AbstractContextManager[None]:
    """Wait for the turn to write something that isn’t a save; raises TooMuchAtOnceError.

    A note is written like a score, under the same lock, and takes as long: next to 32 phones with a
    note each, a save would get a 33rd of the time.
    """
    return _queue("changes").slot(_who(), _where())


def take_turn() -> None:
    """Make a change that isn’t a save wait for its turn, and keep it until it’s answered.

    It’s called before each request of a blueprint, so a request that is refused hasn’t been read.
    Raises TooMuchAtOnceError.
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
    """Write a file in its turn, which ends when the last line has been passed on.

    Raises TooMuchAtOnceError, and what writing raises, before the first line.
    """
    turn = _queue("exports").slot(_who(), _where())

    def write() -> Iterator[str]:
        with turn:
            yield from lines()

    return write()


def refuse_if_full() -> None:
    """Refuse a question before reading it, if the queue is full and has one to the same page.

    Reading it, and finding that it’s costly, takes 4 times as long as refusing it. Raises
    TooManyQuestionsError.
    """
    if request.query_string or request.method == "POST":
        _queue().refuse_if_full(_where())


def _queue(name: str = "questions") -> Queue:
    """Return a queue; for what isn’t solved by the workers, each house has its own."""
    house = current_house()
    return cast("Queue", (house and house.queues.get(name)) or current_app.extensions[name])


def _who() -> str:
    """Return whose turn it is: a phone’s, by its cookie, or by its address if it has none.

    On a server of many houses a turn at the workers is the house’s: otherwise 5 phones of one could
    keep everybody else’s questions out.
    """
    house = current_house()
    return house.name if house else phone() or request.remote_addr or ""


def _where() -> str:
    """Return the page that is asked for, as the path of its address."""
    return request.script_root + request.path


class Remembering:
    """A solver that remembers the tasks of one request.

    Tasks that a save depends on are solved before it has the database’s lock, and looked up during
    it.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._known: dict[Task[object], object] = {}

    def __call__(self, task: Task[T], /) -> T:
        """Solve a task, or look up its result; raises as `solve`."""
        if task not in self._known:
            self._known[task] = solve(task)
        return cast("T", self._known[task])
