"""Games written at an hour of an evening, and read once more."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from referee import variants
from tests.bench.games import pub_of, write_games
from webapp.db import Database
from webapp.game.facts import Counted, Fact, Finished, Started
from webapp.game.hand import Hand
from webapp.pages.evening.view import Evening

PAID: Final = ("rummikub", "manipulation-rummy")
"""Games in which points are paid."""
UNPAID: Final = "mexican-rummy"
DAY: Final = datetime(2026, 11, 21, tzinfo=UTC)


def facts(
    seats: Sequence[int],
    rounds: Sequence[int],
    *,
    slug: str = UNPAID,
    end: bool = True,
    **stake: Any,
) -> Iterator[Fact]:
    """A game, of each round of which it is told who goes out; the others keep 5 points and more."""
    game = json.loads(variants.kept(variants.get(slug)))
    yield Started(variant=slug, rules="1", seats=tuple(seats), dealer=0, game=game, **stake)
    for number, out in enumerate(rounds, 1):
        hands = {who: Hand(left=str(5 * (who % 7 + number))) for who in seats}
        hands[seats[out % len(seats)]] = Hand(out=True)
        yield Counted(round=number, hands=hands)
    if end:
        yield Finished(by="table")


def write(database: Database, *games: tuple[datetime, Iterable[Fact]], first: int = 1) -> list[str]:
    """Write games, each with when it was begun and its facts; answers their public ids."""
    numbered = [(n, at, list(each)) for n, (at, each) in enumerate(games, first)]
    database.write(write_games, numbered)
    return [pub_of(number) for number, *_ in numbered]


def pubs(evening: Evening) -> list[str]:
    return [line.pub for line in evening.lines]


def at(hour: int, minute: int = 0) -> datetime:
    return DAY + timedelta(hours=hour, minutes=minute)
