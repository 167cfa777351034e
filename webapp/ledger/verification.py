"""Checking games and the roster: entries are complete and sealed, and the stored rows follow.

Nothing is written, so phones can save meanwhile.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.player_ids import SAME, PlayerIds
from webapp.game.replay import replay
from webapp.game.state import read_entries
from webapp.language import later
from webapp.ledger.player_ids import read_all_player_ids
from webapp.ledger.projection import projected, projections
from webapp.ledger.roster import fold_roster, read_change, rows_of
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import Entry, Game, Player, PlayerName


def verify(session: Session, game_id: int) -> tuple[str, ...]:
    """Return what is wrong with a game, in sentences; none if nothing is."""
    return tuple(sentence for _, sentence in verify_all(session, game_id, game_id))


def verify_all(session: Session, first: int, last: int) -> tuple[tuple[str, str], ...]:
    """Return what is wrong with games, each as a public id and a sentence; none if nothing is.

    They are the games with database ids from `first` to `last`.
    """
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
    numbers = read_all_player_ids(session, first, last)
    games = select(col(Game.id), col(Game.pub)).where(col(Game.id).between(first, last))
    return tuple(
        (pub, sentence)
        for number, pub in session.execute(games.order_by(col(Game.id))).all()
        for sentence in _wrong(
            entries.get(number or 0, ()), kept[number or 0], numbers.get(number or 0, SAME)
        )
    )


def verify_roster(session: Session) -> tuple[str, ...]:
    """Return what is wrong with the roster, in sentences; none if nothing is."""
    rows = list(rows_of(session))
    broken = find_unsealed(rows)
    wrong = [broken[1]] if broken else []
    try:
        log = fold_roster(map(read_change, rows))
        kept = select(col(PlayerName.id), col(PlayerName.name))
        names = {row.id: row.name for row in session.execute(kept)}
        for player in session.scalars(select(Player)):
            number = player.id or 0
            person = log.person(number)
            hidden = number in log.hidden or number in log.erased
            follows = (hidden, None if person == number else person)
            name = names.get(log.names.get(number, 0), player.name)
            if (player.hidden, player.same_as, player.name) != (*follows, name):
                wrong.append(later("keeping.player", number=number))
    except (ValueError, LookupError):
        wrong.append(later("keeping.no-roster"))
    return tuple(wrong)


def find_unsealed(rows: Sequence[Any]) -> tuple[int, str] | None:
    """Return the number of the first entry that is missing or changed, and a sentence about it.

    None if no entry is. `rows` are all entries of a game or of the roster, in order.
    """
    before = NO_SEAL
    for count, row in enumerate(rows, 1):
        if row.seq != count:
            return count, later("keeping.missing", number=count)
        before = seal(before, row._asdict())
        if before != row.seal:
            return count, later("keeping.changed", number=count)
    return None


def _wrong(rows: Sequence[Any], kept: str, player_ids: PlayerIds) -> list[str]:
    broken = find_unsealed(rows)
    wrong = [broken[1]] if broken else []
    if not _follows(rows, kept, player_ids):
        wrong.append(later("keeping.results"))
    return wrong


def _follows(rows: Sequence[Any], kept: str, player_ids: PlayerIds) -> bool:
    """Return whether a replay of the entries gives the stored projection `kept`."""
    try:
        return projected(replay(read_entries(rows, player_ids))) == kept
    except (ValueError, LookupError):
        # Entries that were changed may not be readable.
        return False
