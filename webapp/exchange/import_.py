"""Importing games from paper, sealed as all games are.

What is sealed: the start, with today’s rules and the day on the paper; the totals; and the end, at
the time of the import.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy.orm import Session

from referee import variants
from webapp.db import Database
from webapp.exchange.paper import PaperGame
from webapp.exchange.reading import EntryRow
from webapp.game.facts import Fact, Finished, Started, Totalled, kind_of, write_fact
from webapp.ledger import ledger
from webapp.ledger.intake import take_in
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import utcnow
from webapp.players.queries import find_or_add

BATCH: Final = 10
"""The games that are saved in one transaction."""


def enter(database: Database, games: Sequence[PaperGame], device: str = "") -> int:
    """Import games; return how many. `device` is the phone that they come from.

    A few at a time, so that a phone that saves doesn’t wait for all of them. If it’s interrupted,
    the table can be imported again: games that are here already are recognized.
    """
    for first in range(0, len(games), BATCH):
        database.write(_enter, games[first : first + BATCH], device)
    return len(games)


def _enter(session: Session, games: Sequence[PaperGame], device: str) -> None:
    now = utcnow()
    for game in games:
        players = {name: find_or_add(session, name) for name in game.totals}
        entries = _seal(_facts(game, players), game.begun, now, device)
        take_in(
            session,
            pub=ledger.new_pub(),
            variant=game.variant.slug,
            begun=entries[0].at,
            rows=entries,
            players={who: who for who in players.values()},
        )


def _facts(game: PaperGame, players: Mapping[str, int]) -> Sequence[Fact]:
    start = Started(
        variant=game.variant.slug,
        rules=game.variant.version,
        seats=tuple(players.values()),
        dealer=0,
        options=dict(game.variant.chosen),
        game=json.loads(variants.kept(game.variant)),
    )
    totals = {players[name]: total for name, total in game.totals.items()}
    winners = tuple(players[name] for name in game.winners)
    return start, Totalled(totals=totals, winners=winners), Finished(by="table")


def _seal(facts: Sequence[Fact], begun: datetime, now: datetime, device: str) -> list[EntryRow]:
    key = ledger.new_key()
    # The key has nothing that was typed in it.
    submission = ledger.Submission(key=key, content="from paper", device=device)
    rows: list[EntryRow] = []
    before = NO_SEAL
    for seq, fact in enumerate(facts, 1):
        row: dict[str, Any] = {
            "seq": seq,
            "kind": kind_of(fact),
            "payload": write_fact(fact),
            "key": f"{key}#{seq}" if rows else key,
            "device": device,
            "at": now if rows else begun.astimezone(now.tzinfo),
        }
        before = seal(before, row)
        rows.append(EntryRow(**row, digest=submission.digest, seal=before))
    return rows
