"""Changing the roster: renaming, hiding and merging players, and undoing each of these."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.facts import Voided
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.deleting import is_erased
from webapp.ledger.ledger import FormKey
from webapp.ledger.roster import (
    Change,
    Changed,
    Erased,
    Hidden,
    Merged,
    Renamed,
    RosterLog,
    enter_change,
    read_log,
)
from webapp.models import Player, PlayerName, Seat
from webapp.players.queries import clean_name, find_holder, find_player, fold_name, make_submission
from webapp.text.refusals import (
    ChangeNotFoundError,
    PlayerExistsError,
    PlayerNotFoundError,
    RosterRefusedError,
)

MOST_LINES: Final = 60
"""The most changes on one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """A change of the roster, as its page shows it."""

    says: str
    """The change in words: "Ben was renamed to Benita"."""
    at: datetime
    undone: bool
    seq: int
    """The number of the entry that a tap voids: the change itself, or the undo of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesPage:
    """A page of changes of the roster, the latest first."""

    lines: tuple[ChangeLine, ...]
    earlier: int | None
    """The number of the change before which the next page starts (field `before`); None on the
    last page."""
    key: str


def rename_player(session: Session, player_id: int, text: str, form_key: FormKey) -> None:
    """Rename a player on every pad, once for each form.

    A form that arrives late a second time must not undo a later name. Raises PlayerNotFoundError,
    NameRefusedError and PlayerExistsError.
    """
    player, name = _find(session, player_id), clean_name(text)
    if not ledger.remember_submission(
        session, make_submission(f"name-{player_id}", form_key, name)
    ):
        return

    def decide(_: RosterLog) -> Change | None:
        if find_holder(session, name) not in {None, player_id}:
            raise PlayerExistsError
        if name == player.name:
            return None
        was = _number_name(session, player_id, player.name)
        return Renamed(player=player_id, name=_number_name(session, player_id, name), was=was)

    enter_change(session, form_key.device, decide)


def hide_player(session: Session, player_id: int, form_key: FormKey) -> None:
    """Stop offering a player for new games, once for each form; their games stay.

    Raises PlayerNotFoundError.
    """
    _find(session, player_id)
    if ledger.remember_submission(session, make_submission(f"hide-{player_id}", form_key, "")):
        enter_change(
            session,
            form_key.device,
            lambda log: None if player_id in log.hidden else Hidden(player=player_id),
        )


def merge_players(session: Session, player_id: int, same: str, form_key: FormKey) -> None:
    """Merge a player into the one named `same`, once for each form: their games count together.

    Raises PlayerNotFoundError, NameRefusedError or RosterRefusedError.
    """
    _find(session, player_id)
    name = clean_name(same)
    into = find_player(session, name)
    if into is None:
        raise RosterRefusedError(say("roster.nobody", name=name))
    if not ledger.remember_submission(
        session, make_submission(f"merge-{player_id}", form_key, str(into))
    ):
        return

    def decide(log: RosterLog) -> Change:
        fact = Merged(player=player_id, into=into)
        _require_mergeable(session, log, fact)
        return fact

    enter_change(session, form_key.device, decide)


def take_back_change(session: Session, seq: int, form_key: FormKey) -> None:
    """Undo or redo a change of the roster, once for each form.

    If another phone did the same, nothing happens. Raises ChangeNotFoundError and
    RosterRefusedError.
    """
    if not ledger.remember_submission(session, make_submission(f"void-{seq}", form_key, "")):
        return

    def decide(log: RosterLog) -> Change | None:
        if not 1 <= seq <= len(log.entered) or isinstance(log.entered[seq - 1].fact, Erased):
            raise ChangeNotFoundError
        fact = Voided(seq=seq)
        _require_possible(session, log, log.with_facts(fact))
        return None if seq in log.void else fact

    enter_change(session, form_key.device, decide)


def read_changes(session: Session, before: int | None = None) -> ChangesPage:
    """Return a page of changes, the latest first; only those before change `before`, if given."""
    log = read_log(session)
    changes = [entry for entry in log.entered if not isinstance(entry.fact, Voided | Erased)]
    wanted = [entry for entry in changes if before is None or entry.seq < before]
    shown = wanted[-MOST_LINES:]
    backs = {
        entry.fact.seq: entry.seq
        for entry in log.entered
        if isinstance(entry.fact, Voided) and entry.seq not in log.void
    }
    names = {name.id or 0: name.name for name in session.scalars(select(PlayerName))}
    rows = session.execute(select(col(Player.id), col(Player.name)))
    players = {row.id: row.name for row in rows}
    lines = (
        ChangeLine(
            says=_say(entry, players, names),
            at=entry.at,
            undone=entry.seq in log.void,
            seq=backs.get(entry.seq, entry.seq),
        )
        for entry in reversed(shown)
    )
    earlier = shown[0].seq if len(wanted) > MOST_LINES else None
    return ChangesPage(lines=tuple(lines), earlier=earlier, key=ledger.new_key())


def _find(session: Session, player_id: int) -> Player:
    player = session.get(Player, player_id)
    if player is None or is_erased(player):
        raise PlayerNotFoundError
    return player


def _number_name(session: Session, player_id: int, name: str) -> int:
    """Return the number of a player’s name, which is stored where it can be deleted."""
    known = select(col(PlayerName.id)).where(
        col(PlayerName.player_id) == player_id, col(PlayerName.name) == name
    )
    number = session.execute(known).scalars().first()
    if number is None:
        kept = PlayerName(player_id=player_id, name=name, folded=fold_name(name))
        session.add(kept)
        session.flush()
        number = kept.id
    return number or 0


def _require_possible(session: Session, before: RosterLog, after: RosterLog) -> None:
    """Raise RosterRefusedError unless the roster can become like this."""
    for player, number in after.names.items():
        if before.names.get(player) == number:
            continue
        name = session.get(PlayerName, number)
        if name is None:
            raise RosterRefusedError(say("roster.erased"))
        if find_holder(session, name.name) not in {None, player}:
            raise RosterRefusedError(say("roster.taken", name=name.name))
    for player, into in after.merged.items():
        if before.merged.get(player) != into:
            _require_mergeable(session, before, Merged(player=player, into=into))


def _require_mergeable(session: Session, log: RosterLog, fact: Merged) -> None:
    """Raise RosterRefusedError unless two players can be the same person."""
    one, other = _find(session, fact.player), _find(session, fact.into)
    if fact.player in log.merged:
        person = _find(session, log.person(fact.player))
        raise RosterRefusedError(say("roster.merged-before", one=one.name, other=person.name))
    if log.person(fact.into) == fact.player:
        how = "same" if one.id == other.id else ""
        raise RosterRefusedError(say("roster.one-person", how, one=one.name, other=other.name))
    tables = [
        select(col(Seat.game_id)).where(col(Seat.player_id).in_(log.group(each)))
        for each in (fact.player, fact.into)
    ]
    if session.execute(tables[0].intersect(tables[1]).limit(1)).first():
        raise RosterRefusedError(say("roster.two-people", one=one.name, other=other.name))


def _say(entry: Changed, players: Mapping[int, str], names: Mapping[int, str]) -> str:
    match entry.fact:
        case Renamed(name=name, was=was):
            erased = say("roster.a-deleted-name")
            before, after = names.get(was, erased), names.get(name, erased)
            return say("roster.was-renamed", before=before, after=after)
        case Hidden(player=player):
            return say("roster.was-hidden", name=players[player])
        case Merged(player=player, into=into):
            return say("roster.was-merged", one=players[player], other=players[into])
        case _:
            return ""
