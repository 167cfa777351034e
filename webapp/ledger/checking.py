"""Holding games against their promises: entries in order, seals whole, results that follow.

Nothing is written, so that phones save on meanwhile.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlmodel import col

from webapp.ledger.cells import Entered
from webapp.ledger.facts import read_fact
from webapp.ledger.projection import projected, projections
from webapp.ledger.seals import NO_SEAL, seal
from webapp.ledger.story import fold
from webapp.models import Entry, Game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from sqlalchemy.orm import Session


def verify(session: Session, game_id: int) -> tuple[str, ...]:
    """What is wrong with a game, in sentences; none where its promises are kept."""
    return tuple(sentence for _, sentence in verify_all(session, game_id, game_id))


def verify_all(session: Session, first: int, last: int) -> tuple[tuple[str, str], ...]:
    """What is wrong with the games from one number to another: their public ids and sentences."""
    rows = session.execute(
        select(
            col(Entry.game_id),
            col(Entry.seq),
            col(Entry.kind),
            col(Entry.payload),
            col(Entry.key),
            col(Entry.device),
            col(Entry.at),
            col(Entry.seal),
        )
        .where(col(Entry.game_id).between(first, last))
        .order_by(col(Entry.game_id), col(Entry.seq))
    )
    entries = {number: tuple(of_game) for number, of_game in groupby(rows, lambda row: row.game_id)}
    kept = projections(session, first, last)
    games = select(col(Game.id), col(Game.pub)).where(col(Game.id).between(first, last))
    return tuple(
        (pub, sentence)
        for number, pub in session.execute(games.order_by(col(Game.id))).all()
        for sentence in _wrong(entries.get(number or 0, ()), kept[number or 0])
    )


def _wrong(rows: Sequence[Any], kept: str) -> list[str]:
    wrong = []
    before = NO_SEAL
    for count, row in enumerate(rows, 1):
        if row.seq != count:
            wrong.append(f"Entry {count} is missing.")
            break
        before = seal(before, row._asdict())
        if before != row.seal:
            wrong.append(f"Entry {count} was changed after it was entered.")
            break
    if not _follows(rows, kept):
        wrong.append("The results do not follow from the entries.")
    return wrong


def _follows(rows: Sequence[Any], kept: str) -> bool:
    try:
        entered = [
            Entered(
                seq=each.seq,
                at=each.at,
                device=each.device,
                fact=read_fact(each.kind, each.payload),
            )
            for each in rows
        ]
        return projected(fold(tuple(entered))) == kept
    except (ValueError, LookupError):
        # Entries that were changed may be none at all.
        return False
