"""A book of thousands of finished games in seconds: replayed as always, written all at once."""

import json
import random
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.orm import Session

from referee import variants
from webapp.db import Database
from webapp.game.facts import (
    Counted,
    Fact,
    Finished,
    Noted,
    Started,
    kind_of,
    read_fact,
    write_fact,
)
from webapp.game.hand import Hand
from webapp.game.replay import GameState, replay
from webapp.game.state import LoggedFact
from webapp.ledger import ledger
from webapp.ledger.seals import NO_SEAL, seal
from webapp.ledger.standings import appearances_of, attempts_of, outcome_of
from webapp.migrations import migrate
from webapp.models import Appearance, Attempt, Entry, Game, Outcome, Result, Seat
from webapp.players.queries import add_player, fold_name

GAMES: Final = ("mexican-rummy", "rummikub", "eleven-phases", "remigio", "rummy-500", "gin-rummy")
FIRST: Final = datetime(2016, 1, 2, 19, 0, tzinfo=UTC)
AN_EVENING: Final = 3
"""Games, one after the other at one table."""

_AT_ONCE: Final = 500


def make_book(url: str, chance: random.Random, games: int, players: int, years: int = 10) -> None:
    """Make a database with this many finished games of this many players.

    Who comes first on the roster plays most: of two hundred, the first is in half of all games.
    There are three games an evening, over some years, and now and then there is a note in one.
    """
    migrate(url)
    with closing(Database(url)) as database:
        database.write(_add_players, players)
        evenings = [365 * years * number // games for number in range(games + 1)]
        for first in range(1, games + 1, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, games + 1))
            database.write(_add_games, chance, numbers, evenings, players)


def _add_players(session: Session, players: int) -> None:
    for number in range(1, players + 1):
        name = fold_name(f"Player {number}").capitalize()
        add_player(session, name, ledger.FormKey(key=ledger.new_key()))


def _add_games(
    session: Session,
    chance: random.Random,
    numbers: Sequence[int],
    days: Sequence[int],
    players: int,
) -> None:
    weights = [1 / who for who in range(1, players + 1)]
    games: list[tuple[int, datetime, Sequence[Fact]]] = []
    people: tuple[int, ...] = ()
    for number in numbers:
        later = (number - 1) % AN_EVENING
        if not people or not later:
            people = _draw(chance, weights)
        at = FIRST + timedelta(days=days[number - later], hours=later)
        games.append((number, at, list(_facts(chance, people))))
    write_games(session, games)


def write_games(session: Session, games: Iterable[tuple[int, datetime, Sequence[Fact]]]) -> None:
    """Write games, each with its number, when it was begun, and what is entered every 8 minutes."""
    rows: dict[type, list[dict[str, Any]]] = {
        table: [] for table in (Game, Entry, Seat, Result, Outcome, Appearance, Attempt)
    }
    for number, at, facts in games:
        _add_game(rows, number, at, facts)
    for table, each in rows.items():
        if each:
            session.execute(insert(table), each)


def _draw(chance: random.Random, weights: Sequence[float]) -> tuple[int, ...]:
    wanted = chance.randint(2, min(5, len(weights)))
    drawn: dict[int, None] = {}
    while len(drawn) < wanted:
        drawn[chance.choices(range(1, len(weights) + 1), weights)[0]] = None
    return tuple(drawn)


def _facts(chance: random.Random, people: Sequence[int]) -> Iterable[Fact]:
    slug = chance.choice([each for each in GAMES if len(people) in variants.get(each).players])
    yield Started(variant=slug, rules="1", seats=tuple(people), dealer=0, game=_whole(slug))
    for number in range(1, chance.randint(3, 6) + 1):
        out = chance.choice(people)
        hands = {
            who: Hand(out=True) if who == out else Hand(left=str(5 * chance.randint(1, 9)))
            for who in people
        }
        yield Counted(round=number, hands=hands)
    if chance.random() < 0.02:
        yield Noted(round=1, text=f"A note of {chance.randint(1, 1000)} words")
    yield Finished(by="table")


@cache
def _whole(slug: str) -> dict[str, object]:
    rules: dict[str, object] = json.loads(variants.kept(variants.get(slug)))
    return rules


def _add_game(
    rows: dict[type, list[dict[str, Any]]], number: int, at: datetime, facts: Sequence[Fact]
) -> None:
    before, entered = NO_SEAL, []
    for seq, fact in enumerate(facts, 1):
        kind, payload = kind_of(fact), write_fact(fact)
        row: dict[str, Any] = {
            "game_id": number,
            "seq": seq,
            "kind": kind,
            "payload": payload,
            "key": f"{number}-{seq}",
            "digest": "0" * 64,
            "device": "phone",
            "at": at + timedelta(minutes=8 * (seq - 1)),
        }
        before = seal(before, row)
        rows[Entry].append({**row, "seal": before})
        entered.append(
            LoggedFact(seq=seq, at=row["at"], device="phone", fact=read_fact(kind, payload))
        )
    _project(rows, number, replay(tuple(entered)))


def _project(rows: dict[type, list[dict[str, Any]]], number: int, state: GameState) -> None:
    game: dict[str, Any] = {"pub": pub_of(number), "key": f"game-{number}"}
    game |= {"variant": state.start.variant, "seq": len(state.entered), "revision": 0}
    game |= {"status": "finished" if state.finished else "live"}
    game |= {"started_at": state.entered[0].at}
    rows[Game].append({"id": number, **game})
    for place, who in enumerate(state.seats):
        rows[Seat].append({"game_id": number, "place": place, "player_id": who})
        rounds = sum(who in hands for hands in state.rounds)
        result: dict[str, Any] = {"total": state.score.totals[place], "rounds": rounds}
        result |= {"won": place in state.winners, "place": place, "player_id": who}
        result |= {"team": state.team_of(place)}
        rows[Result].append({"game_id": number, **result})
    outcome = outcome_of(state)
    rows[Outcome] += [{"game_id": number, **outcome}] if outcome else []
    rows[Appearance] += [{"game_id": number, **each} for each in appearances_of(state)]
    rows[Attempt] += [{"game_id": number, **each} for each in attempts_of(state)]


def pub_of(number: int) -> str:
    """The public id of a game by its number."""
    return "".join(ledger.ALPHABET[number >> 5 * place & 31] for place in range(10))
