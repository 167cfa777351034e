"""What can be seen and pressed: reads the fields, calls one service, picks the template."""

from contextlib import AbstractContextManager
from typing import TypeVar, cast

from flask import current_app, request

from referee import Variant, variants
from webapp.config import Config
from webapp.db import Database
from webapp.keeping.keeper import Keeper
from webapp.origin import phone
from webapp.services.own import catalogue
from webapp.services.tasks import Solver, Task
from webapp.speaking import language
from webapp.workers.line import WaitingLine

T = TypeVar("T")


def get_database() -> Database:
    """The database of the app that is asked."""
    return cast("Database", current_app.extensions["database"])


def find_game(slug: str) -> Variant:
    """A game by its slug, your own too, in the language of the page.

    Raises UnknownVariantError and GameLeftOutError.

    The database is asked for your own alone: rules, desk and advice are there without it.
    """
    if catalogue.id_of(slug) is None:
        return variants.get(slug, language())
    return get_database().read(catalogue.find_game, slug)


def get_config() -> Config:
    """The settings of the app that is asked."""
    return cast("Config", current_app.extensions["config"])


def get_keeper() -> Keeper:
    """Whoever keeps the backups of the app that is asked."""
    return cast("Keeper", current_app.extensions["keeper"])


def solve(task: Task[T], /) -> T:
    """Solve a task for the phone that asks; what is costly waits its turn.

    Raises TooManyQuestionsError and UndecidedError, and what `task.do` raises.
    """
    if not task.is_costly:
        return task.do()
    with in_turn():
        return solve_in_turn(task)


def in_turn() -> AbstractContextManager[None]:
    """Wait for the turn of the phone that asks, and hold it; raises TooManyQuestionsError.

    For work that takes this process itself long, like reading a game that somebody sends: sixteen
    phones at it at once would leave a save a sixteenth of the interpreter.
    """
    return _line().turn(phone() or request.remote_addr or "", request.path)


def require_room() -> None:
    """Turn a question away unread, if others at its address fill the line.

    To read it, and find that it is costly, takes four times as long as to refuse it. Raises
    TooManyQuestionsError.
    """
    if request.query_string or request.method == "POST":
        _line().require_room(request.path)


def _line() -> WaitingLine:
    return cast("WaitingLine", current_app.extensions["line"])


def solve_in_turn(task: Task[T], /) -> T:
    """Solve a task while the turn is held; raises UndecidedError, and what `task.do` raises."""
    solver = cast("Solver", current_app.extensions["solver"])
    return solver(task) if task.is_costly else task.do()


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
