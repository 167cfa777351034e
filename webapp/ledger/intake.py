"""Importing a game from another Laydown: its entries are stored with the seals that they have.

The entries don’t change. A map beside them says which player here each of their numbers means.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Started, read_fact
from webapp.game.player_ids import PlayerIds
from webapp.game.replay import GameState, replay
from webapp.game.state import LoggedFact
from webapp.language import say
from webapp.ledger.projection import project
from webapp.ledger.quota import GameFullError, require_quota_of
from webapp.ledger.records import Numbered
from webapp.ledger.verification import find_unsealed
from webapp.models import Entry, Game
from webapp.refusal import Refusal

_REPLAY_ERRORS: Final = (
    *(ValueError, LookupError, TypeError),
    *(AttributeError, ArithmeticError, AssertionError),
)
"""The errors that a replay can raise if the entries aren’t a game."""


class IntakeError(Refusal, ValueError):
    """A game from elsewhere is broken; the message says where."""


def take_in(  # noqa: PLR0913 - all columns of a row, by name
    session: Session,
    *,
    pub: str,
    variant: str,
    begun: datetime,
    rows: Sequence[Any],
    players: Mapping[int, int],
) -> GameState:
    """Store a game from another Laydown with its entries and seals unchanged; return its state.

    `pub` is its public id, `variant` the slug of its kind of game here, and `rows` are its entries.
    `players` has the player’s id here for each player number in them. Raises IntakeError if a seal
    is wrong or the entries aren’t a game, and what the database raises if the game is here already.
    """
    facts = _read_facts(rows)
    start = facts[0]
    if not isinstance(start, Started):
        raise IntakeError(say("intake.no-start"))
    moved = variant != start.variant or any(of != to for of, to in players.items())
    player_ids = PlayerIds(dict(players) if moved else {}, variant)
    entered = tuple(
        LoggedFact(seq=row.seq, at=row.at, device=row.device, fact=player_ids.read(fact))
        for row, fact in zip(rows, facts, strict=True)
    )
    try:
        state = replay(entered)
    except _REPLAY_ERRORS as error:
        raise IntakeError(say("intake.no-replay", why=_first_line(error))) from error
    if len(set(players.values())) < len(players):
        raise IntakeError(say("intake.one-person"))
    game = Game(pub=pub, key=rows[0].key, variant=variant, started_at=begun)
    session.add(game)
    session.flush()
    game_id = game.id or 0
    names = [name for name in Entry.model_fields if name != "game_id"]
    session.execute(
        insert(Entry),
        [{"game_id": game_id, **{name: getattr(row, name) for name in names}} for row in rows],
    )
    if player_ids.players:
        session.execute(
            insert(Numbered),
            [{"game_id": game_id, "theirs": of, "player_id": to} for of, to in players.items()],
        )
    project(session, game_id, state)
    return state


def _read_facts(rows: Sequence[Any]) -> list[Fact]:
    """Return the facts of a game’s entries; raise IntakeError if they’re broken or too many."""
    broken = find_unsealed(rows)
    if broken or not rows:
        raise IntakeError(broken[1] if broken else say("intake.empty"))
    try:
        facts = [read_fact(row.kind, row.payload) for row in rows]
        require_quota_of(facts)
    except GameFullError as error:
        raise IntakeError(str(error)) from error
    except ValueError as error:
        raise IntakeError(say("intake.no-entry", why=_first_line(error))) from error
    return facts


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:200]
