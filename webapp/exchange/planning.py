"""What importing a staging book would do: which games are new, who is who, what is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.db import Database
from webapp.models import Entry, Game, Outcome, Player, Seat
from webapp.services.book.lines import GameLine, is_from_paper
from webapp.services.book.lists import lines_of
from webapp.services.own import names_of_games
from webapp.services.roster import PERSON, find_player
from webapp.services.wording import plural

MOST_SHOWN: Final = 60
"""Games and names on the page."""

NEW, HERE, MORE, TAKEN = "new", "here", "more", "taken"
"""What a game of a file is to the book: new; there already; there with fewer entries than in the
file; or its id or its form is that of another game."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A game by its seals."""

    pub: str
    key: str
    first: str
    last: str
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an import would do."""

    new: int
    here: int
    more: int
    taken: int
    lines: Sequence[GameLine]
    """The new games, some of them, latest begun first."""
    known: Sequence[str]
    """Who of them plays here already."""
    added: Sequence[str]
    """Who does not."""
    since: datetime | None
    until: datetime | None

    @property
    def says(self) -> tuple[str, ...]:
        """What it would do, in sentences."""
        said = ["Nothing in it is new here."]
        if self.new:
            new = plural(self.new, "game")
            said = [f"{new} that {'is' if self.new == 1 else 'are'} not here yet."]
        if self.here:
            said.append(f"{plural(self.here, 'game')} here already.")
        if self.more:
            more = plural(self.more, "game")
            said.append(f"{more} here with fewer entries. Delete it here first to have them all.")
        if self.taken:
            said.append(f"{plural(self.taken, 'game')} not taken: here it went on otherwise.")
        if self.known:
            said.append(f"Known here: {', '.join(self.known)}.")
        if self.added:
            said.append(f"New here: {', '.join(self.added)}.")
        return tuple(said)


def find_new(database: Database, staged: Database) -> list[str]:
    """The public ids of the games that are not there yet, the first begun first."""
    states = _states(database, staged)
    return [chain.pub for chain, state in states if state == NEW]


def plan(database: Database, staged: Database) -> Plan:
    """What importing a staging book would do; nothing is changed."""
    states = _states(database, staged)
    count = {of: sum(state == of for _, state in states) for of in (NEW, HERE, MORE, TAKEN)}
    new = [chain.pub for chain, state in states if state == NEW]
    lines, names, since, until = staged.read(_show, new)
    known = [name for name in names if database.read(find_player, name) is not None]
    return Plan(
        new=count[NEW],
        here=count[HERE],
        more=count[MORE],
        taken=count[TAKEN],
        lines=lines,
        known=known,
        added=[name for name in names if name not in known],
        since=since,
        until=until,
    )


def _states(database: Database, staged: Database) -> list[tuple[Chain, str]]:
    chains = staged.read(_read_chains)
    states: list[tuple[Chain, str]] = []
    for first in range(0, len(chains), 200):
        states += database.read(_compare, chains[first : first + 200])
    return states


def _read_chains(session: Session) -> list[Chain]:
    last = func.max(col(Entry.seq)).label("last")
    lengths = select(col(Entry.game_id), last).group_by(col(Entry.game_id)).subquery()
    rows = session.execute(
        select(
            *(col(Game.id), col(Game.pub), col(Entry.seq), col(Entry.key), col(Entry.seal)),
            lengths.c.last,
        )
        .join(Entry, col(Entry.game_id) == col(Game.id))
        .join(lengths, lengths.c.game_id == col(Game.id))
        .where((col(Entry.seq) == 1) | (col(Entry.seq) == lengths.c.last))
        .order_by(col(Game.id), col(Entry.seq))
    ).all()
    found: dict[int, Chain] = {}
    for row in rows:
        before = found.get(row.id)
        key, first = (before.key, before.first) if before else (row.key, row.seal)
        found[row.id] = Chain(row.pub, key, first, row.seal, row.last)
    return list(found.values())


def _compare(session: Session, chains: Sequence[Chain]) -> list[tuple[Chain, str]]:
    """What each game is to the book."""
    wanted = select(col(Game.id), col(Game.pub), col(Game.key)).where(
        col(Game.pub).in_([chain.pub for chain in chains])
        | col(Game.key).in_([chain.key for chain in chains])
    )
    rows = session.execute(wanted).all()
    taken = {row.pub for row in rows} | {row.key for row in rows}
    firsts = select(col(Entry.seal), col(Entry.game_id)).where(
        col(Entry.game_id).in_([row.id for row in rows]), col(Entry.seq) == 1
    )
    games = {row.seal: row.game_id for row in session.execute(firsts)}
    return [(chain, _state(session, chain, games, taken)) for chain in chains]


def _state(session: Session, chain: Chain, games: dict[str, int], taken: set[str]) -> str:
    here = games.get(chain.first)
    if here is None:
        return TAKEN if chain.pub in taken or chain.key in taken else NEW
    at = select(col(Entry.seal)).where(col(Entry.game_id) == here, col(Entry.seq) == chain.length)
    seal = session.execute(at).scalar_one_or_none()
    return HERE if seal == chain.last else MORE if seal is None else TAKEN


def _show(session: Session, pubs: Sequence[str]) -> tuple[Any, ...]:
    """The latest of some games as lines, all who sit in them, and from when to when they were."""
    shown: list[Any] = []
    names: set[str] = set()
    times: list[datetime] = []
    person = aliased(Player)
    for first in range(0, len(pubs), MOST_SHOWN):
        part = pubs[first : first + MOST_SHOWN]
        rows = session.execute(_rows(part)).all()
        shown = [*shown, *rows][-MOST_SHOWN:]
        times += [row.started_at for row in rows]
        seated = (
            select(col(person.name))
            .join(Player, col(person.id) == PERSON)
            .join(Seat, col(Seat.player_id) == col(Player.id))
            .where(col(Seat.game_id).in_([row.id for row in rows]))
        )
        names |= set(session.execute(seated).scalars())
    ends = (min(times, default=None), max(times, default=None))
    return tuple(lines_of(session, shown[::-1], names_of_games(session))), sorted(names), *ends


def _rows(pubs: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return (
        select(
            *(col(Game.id), col(Game.pub), col(Game.variant), col(Game.status)),
            *(col(Game.started_at), col(Outcome.margin), col(Outcome.minutes), is_from_paper()),
        )
        .outerjoin(Outcome, col(Outcome.game_id) == col(Game.id))
        .where(col(Game.pub).in_(pubs))
        .order_by(col(Game.id))
    )
