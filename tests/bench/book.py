"""How the pages of the book grow with it: `python -m tests.bench.book`.

Each page is asked for in books of 100, 1,000 and 10,000 finished games of 200 players, with ratings
switched on, in process and through the whole WSGI stack, in interleaved bursts: what slows one book
slows the others too. Processor time at the median, and how many times that of the smallest book it
is. The exit status is 1 if a page takes over 6 times that of the smallest book. Beside them is the
replay of a game of twelve players and sixty rounds, which every save does.
"""

import argparse
import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from flask import Flask
from sqlalchemy import select
from sqlmodel import col
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

import webapp
from tests.bench.games import FIRST, GAMES, make_book, pub_of
from webapp.config import Config
from webapp.game.facts import Counted, Fact, Started
from webapp.game.hand import Hand
from webapp.game.replay import replay
from webapp.game.state import LoggedFact
from webapp.ledger.ledger import FormKey, new_key
from webapp.migrations import migrate
from webapp.models import Outcome
from webapp.standings.ratings import show_ratings

SIZES: Final = (100, 1_000, 10_000)
PLAYERS: Final = 200
MOST_TIMES: Final = 6
"""How many times as long a page may take with a hundred times as many games.

The page of the player who plays most grows most, near 5 times: it adds up all their games.
"""
BURST: Final = 5

_YEAR: Final = FIRST.year + 3


def _addresses(app: Flask, games: int) -> dict[str, str]:
    """What is asked for, by what it is called; the first player has played most, the last least."""
    middle = games // 2
    # A season in which something was played, in each book.
    played = select(col(Outcome.variant), col(Outcome.month)).where(col(Outcome.game_id) == middle)
    variant, month = app.extensions["database"].read(lambda session: session.execute(played).one())
    return {
        "home": "/",
        "games": "/history",
        "games, in the middle": f"/history?before={middle}",
        "games of one who plays often": "/history?player=1",
        "games of one who plays rarely": f"/history?player={PLAYERS - 1}",
        "games of theirs, in the middle": f"/history?player=1&before={middle}",
        "games of a kind": f"/history?game={GAMES[0]}",
        "games of a kind and a year": f"/history?game={GAMES[0]}&year={_YEAR}",
        "games of one in a year": f"/history?player=1&year={_YEAR}",
        "games by a name": "/history?q=player+17",
        "games by a note": "/history?q=note+of+7",
        "games by what is nowhere": "/history?q=xyzzy",
        "never counted": "/history?part=bare",
        "standings": "/standings",
        "standings of a year": f"/standings?game={variant}&season={month // 100}",
        "standings of a month": f"/standings?game={variant}&season={month}",
        "players": "/players",
        "one who plays often": "/players/1",
        "one who plays rarely": f"/players/{PLAYERS - 1}",
        "a pair that plays often": "/players/1/against/2",
        "a finished game": f"/g/{pub_of(middle)}/result",
        "an evening": f"/g/{pub_of(middle)}/evening",
        "new game": "/games/new",
    }


def _time(app: Flask, environ: dict[str, Any]) -> float:
    """Ask for a page; answers the processor time in milliseconds."""
    said: list[str] = []

    def start_response(status: str, *_: object) -> Callable[[bytes], None]:
        said.append(status)
        return lambda _: None

    environ = dict(environ)
    started = time.process_time()
    answer = app(environ, start_response)
    for _ in answer:
        pass
    close = getattr(answer, "close", None)
    if close:
        close()
    taken = time.process_time() - started
    if said != ["200 OK"]:
        message = f"{environ['PATH_INFO']} answered {said}."
        raise RuntimeError(message)
    return 1000 * taken


def _environ(address: str) -> dict[str, Any]:
    path, _, query = address.partition("?")
    phone = {"Accept-Encoding": "gzip, deflate, br", "Accept": "text/html", "User-Agent": "phone"}
    return EnvironBuilder(path=path, query_string=query, headers=Headers(phone)).get_environ()


def _measure(apps: Sequence[Flask], sizes: Sequence[int], requests: int) -> Iterable[Any]:
    """The name of each page, and its median in each book."""
    asked = [_addresses(app, size) for app, size in zip(apps, sizes, strict=True)]
    gc.collect()
    for name in asked[0]:
        environs = [_environ(addresses[name]) for addresses in asked]
        times: list[list[float]] = [[] for _ in sizes]
        for burst in range(requests // BURST + 1):
            for of, app, environ in zip(times, apps, environs, strict=True):
                took = [_time(app, environ) for _ in range(BURST)]
                # The first burst compiles templates and questions.
                of.extend(took if burst else [])
        yield name, [statistics.median(of) for of in times]


def _fold(players: int, rounds: int) -> float:
    """Replay a game; answers the processor time in milliseconds."""
    seats = tuple(range(1, players + 1))
    start = Started(variant="rummikub", rules="1", seats=seats, dealer=0)
    counts = [
        Counted(
            round=number,
            hands={
                who: Hand(out=True) if who == number % players + 1 else Hand(left="20")
                for who in seats
            },
        )
        for number in range(1, rounds + 1)
    ]
    facts: tuple[Fact, ...] = (start, *counts)
    entered = [
        LoggedFact(seq=seq, at=FIRST, device="", fact=fact) for seq, fact in enumerate(facts, 1)
    ]
    started = time.process_time()
    replay(tuple(entered))
    return 1000 * (time.process_time() - started)


def is_dear(medians: Sequence[float]) -> bool:
    """Whether a page grows too much with its book, by its times, the smallest book's first."""
    return max(medians) > MOST_TIMES * medians[0]


def main() -> int:
    """Print the figures; the exit status is 1 where a page costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.book", description=__doc__)
    parser.add_argument("requests", type=int, nargs="?", default=30, help="of each page (30)")
    parser.add_argument("--books", type=Path, help="a folder in which the books are kept")
    asked = parser.parse_args()
    dear = 0
    with tempfile.TemporaryDirectory(prefix="laydown-bench-") as made:
        folder = asked.books or Path(made)
        apps = [_open(folder, size) for size in SIZES]
        print(f"{'games':32}", *(f"{size:12,}" for size in SIZES))
        for name, medians in _measure(apps, SIZES, asked.requests):
            least = medians[0]
            missed = is_dear(medians)
            dear += missed
            figures = (f"{ms:5.1f} ms ×{ms / least:3.1f}" for ms in medians)
            print(f"{name:32}", *figures, "  too much" if missed else "")
        small, large = (
            statistics.median(_fold(*of) for _ in range(9)) for of in ((4, 6), (12, 60))
        )
        print(f"replaying 4 players and 6 rounds {small:.1f} ms, 12 and 60 {large:.1f} ms")
    return 1 if dear else 0


def _open(folder: Path, size: int) -> Flask:
    """The app with a book of so many games, made where it is not there."""
    file = folder / f"book-{size}.db"
    url = f"sqlite:///{file}"
    if not file.exists():
        make_book(url, random.Random(1), size, PLAYERS)
    migrate(url)
    app = webapp.create_app(Config(database_url=url, instance=folder / str(size)))
    sent = FormKey(key=new_key())
    app.extensions["database"].write(show_ratings, shown=True, form_key=sent)
    return app


if __name__ == "__main__":
    sys.exit(main())
