"""Putting games from paper into a staging book, sealed as all games are, to be merged from there.

What is sealed: the start, with the rules of today and the day that the paper names; what it came
to, and its end, at the time when they came in.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, insert, select
from sqlalchemy.orm import Session

from referee import variants
from webapp import ledger
from webapp.db import Database
from webapp.exchange.paper import PaperGame
from webapp.exchange.reading import EntryRow
from webapp.ledger.facts import Fact, Finished, Started, Totalled, kind_of, write_fact
from webapp.ledger.intake import take_in
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import OwnGame, utcnow
from webapp.services.own.catalogue import id_of
from webapp.services.roster import find_or_add

Rows = list[dict[str, Any]]


def enter(
    staged: Database, database: Database, games: Sequence[PaperGame], device: str = ""
) -> None:
    """Put games into an empty staging book, with the games of one's own that they were played by.

    `database` is the book of the house, which has these; `device` is the phone that they come from.
    """
    own = {id_of(game.variant.slug) or 0 for game in games} - {0}
    rows = database.read(_read_own, own) if own else []
    staged.write(_enter, rows, games, device)


def _read_own(session: Session, numbers: Iterable[int]) -> list[tuple[Table, Rows]]:
    found: list[tuple[Table, Rows]] = []
    for name, key in (("own_game", "id"), ("own_version", "game_id")):
        table = OwnGame.metadata.tables[name]
        rows = session.execute(select(table).where(table.c[key].in_(numbers))).mappings()
        found.append((table, [dict(row) for row in rows]))
    return found


def _enter(
    session: Session,
    own: Iterable[tuple[Table, Rows]],
    games: Sequence[PaperGame],
    device: str,
) -> None:
    for table, rows in own:
        session.execute(insert(table), rows)
    now = utcnow()
    known: dict[str, int] = {}
    for game in games:
        known |= {name: find_or_add(session, name) for name in game.totals if name not in known}
        players = {name: known[name] for name in game.totals}
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
    # Nothing that was typed is in what the form is known by.
    form = ledger.Form(key=key, content="from paper", device=device)
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
        rows.append(EntryRow(**row, digest=form.digest, seal=before))
    return rows
