"""The path of a request through the code: `python -m tests.trace save`.

Prints each file that runs, in order, with its functions, and counts: files of its own, files that
every request passes (those that `GET /up` runs too), the referee’s, and templates. Also `board`,
`ruling`, `rule` and `advice`.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webapp.table import HTMX, OWN, Table
from webapp import create_app
from webapp.config import Config
from webapp.ledger.ledger import new_key
from webapp.migrations import migrate

ROOT: Final = Path(__file__).resolve().parent.parent
GAME: Final = "mexican-rummy"
NAMES: Final = ("Ana", "Ben", "Cleo")

Step = tuple[str, str]
"""A file, from the project’s folder on, and a function in it."""


def save(client: FlaskClient, table: Table) -> Callable[[], TestResponse]:
    """A round of three hands is saved."""
    ana, *others = table.ids.values()
    form = {f"left-{who}": text for who, text in zip(others, ("45", "60"), strict=True)}
    form |= {f"base-{who}": "0" for who in table.ids.values()}
    form |= {"key": new_key(), "out": str(ana)}
    return lambda: client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN | HTMX)


def board(client: FlaskClient, table: Table) -> Callable[[], TestResponse]:
    """Another phone asks for the board after that."""
    save(client, table)()
    return lambda: client.get(f"/g/{table.pub}/board", headers=HTMX)


def ruling(client: FlaskClient, _: Table) -> Callable[[], TestResponse]:
    """The referee is asked whether a meld is legal."""
    address = f"/desk/{GAME}/ruling?ask=meld&cards=4D+5D+2S+7D&step=2"
    return lambda: client.get(address, headers=HTMX)


def rule(client: FlaskClient, _: Table) -> Callable[[], TestResponse]:
    """A sentence of a rulebook is tapped, and changed."""
    form = {"open": "opening.points", "set": '["opening.points",40]'}
    address = f"/rules/rummikub/change?d={new_key()}"
    return lambda: client.post(address, data=form, headers=OWN | HTMX)


def advice(client: FlaskClient, _: Table) -> Callable[[], TestResponse]:
    """Somebody asks what to do with a rack."""
    rack = "put=1&hand=R5+R9+B5+B6+K5+JK&table-1=R10+R11+R12&table-2=B7+B8+B9"
    return lambda: client.get(f"/desk/rummikub/advice?{rack}")


REQUESTS: Final = {each.__name__: each for each in (save, board, ruling, rule, advice)}


def traced(ask: Callable[[], TestResponse]) -> tuple[TestResponse, list[Step]]:
    """What a request is answered, and each call of ours that it takes, in order."""
    calls: list[Step] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(ROOT):
            path = file.relative_to(ROOT).as_posix()
            name = frame.f_code.co_name
            if path.startswith(("webapp/", "referee/", "templates/")) and name[0] != "<":
                calls.append((path, name))

    sys.setprofile(note)
    try:
        answer = ask()
    finally:
        sys.setprofile(None)
    return answer, calls


def main() -> int:
    """Print the path of a request; the exit status is 1 if it was refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.trace", description=__doc__)
    parser.add_argument("request", choices=REQUESTS)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/laydown.db"
        migrate(url)
        app = create_app(Config(database_url=url, instance=Path(folder)))
        client = app.test_client()
        prepare = REQUESTS[asked.request]
        # What is made once for all requests isn’t the path of one.
        prepare(client, Table(app.extensions["database"], NAMES, GAME))()
        ask = prepare(client, Table(app.extensions["database"], NAMES, GAME))
        _, passed = traced(lambda: client.get("/up"))
        answer, calls = traced(ask)
    hooks = {path for path, _ in passed}
    files = dict.fromkeys(path for path, _ in calls)
    for path in files:
        names = dict.fromkeys(name for each, name in calls if each == path)
        print(f"{'  ' if path in hooks else ''}{path}: {', '.join(names)}")
    others = [path for path in files if path not in hooks]
    kinds = {
        kind: sum(path.startswith(f"{kind}/") for path in others)
        for kind in ("webapp", "referee", "templates")
    }
    print(
        f"\n{asked.request}: {answer.status}. {len(calls):,} calls of {len({*calls}):,} functions "
        f"in {len(files)} files: {kinds['webapp']} of its own, "
        f"{len(files) - len(others)} that every request passes, {kinds['referee']} of the referee, "
        f"{kinds['templates']} templates"
    )
    return 0 if answer.status_code < 400 else 1


if __name__ == "__main__":
    sys.exit(main())
