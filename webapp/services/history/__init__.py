"""The book: the games played here, and the final sheet of each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from sqlalchemy import exists, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from webapp import ledger
from webapp.models import Entry, Game, Player, Result
from webapp.services.disputes import list_disputes
from webapp.services.history.finish import ON_THE_PODIUM, find_facts, rank, say_margin, say_result
from webapp.services.own import names_of_games
from webapp.services.roster import PERSON
from webapp.services.scorepad import read_pad
from webapp.services.tokens import deal_to
from webapp.services.wording import capital, joined, plural, say_options

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from webapp.services.disputes import DisputeLine
    from webapp.services.history.finish import Fact, Place
    from webapp.services.scorepad.chart import Chart
    from webapp.services.scorepad.pages import Pad
    from webapp.services.tokens import Token

MOST_LIVE: Final = 12
"""Games in progress on the home page; the history has older ones in which anything was written."""

MOST_LAST: Final = 5
"""Finished games on the home page."""

MOST_LINES: Final = 60
"""Games on one page of the history."""

_BARE: Final = ("started", "finished", "reopened")
"""The kinds of entries of a game in which nothing was ever written down."""


@dataclass(frozen=True, slots=True)
class LinePlayer:
    """One player of a game in a list."""

    name: str
    total: int
    won: bool
    token: Token


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game in a list."""

    pub: str
    variant_name: str
    started_at: datetime
    players: tuple[LinePlayer, ...]
    """In seat order."""
    round_says: str
    """ "Round 3 of 6 · 2 runs · Ana leads"; "6 rounds" once finished. """
    finished: bool
    key: str = ""
    """The form key of ending it, while it goes on."""

    @property
    def round(self) -> str:
        """The round that is played, without what is asked for ("Round 3 of 6")."""
        return self.round_says.partition(" · ")[0]

    @property
    def first(self) -> LinePlayer | None:
        """Whoever won; else whoever sits first; None where nobody is known."""
        return next((each for each in self.players if each.won), next(iter(self.players), None))

    @property
    def won_by(self) -> str:
        """Who has won, in words: "Ana won", "Ana and Ben share the win"; empty while none has."""
        names = [each.name for each in self.players if each.won]
        if not self.finished or not names:
            return ""
        return f"{names[0]} won" if len(names) == 1 else f"{joined(names)} share the win"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """Some of the games that were played here, the latest begun first."""

    lines: tuple[GameLine, ...]
    earlier: int | None
    """Where the page of the games before these begins (the field ``before``); None on the last."""

    @property
    def days(self) -> tuple[tuple[GameLine, ...], ...]:
        """The games, those together that were begun on one day where the app runs."""
        days = groupby(self.lines, lambda line: line.started_at.astimezone().date())
        return tuple(tuple(lines) for _, lines in days)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalSheet:
    """A game's sheet with everything on it."""

    pad: Pad
    chart: Chart | None
    """The running totals; None while no round is complete."""
    standing: tuple[Place, ...]
    """Everybody, best first; ties share a rank."""
    margin_says: str
    """By how much it was won, and how long it took ("by 50 points, after 6 rounds")."""
    facts: tuple[Fact, ...]
    """What was remarkable; nothing while the game goes on."""
    result_says: str
    """The result as a message to somebody, a line each."""
    options: tuple[tuple[str, str], ...]
    """The house rules that differ from the source: title and value in words."""
    disputes: tuple[DisputeLine, ...]
    seal: str
    """Twelve characters that change if any entry of the game is changed."""

    @property
    def podium(self) -> tuple[Place, ...]:
        """The first three."""
        return self.standing[:ON_THE_PODIUM]

    @property
    def others(self) -> tuple[Place, ...]:
        """Everybody after the first three."""
        return self.standing[ON_THE_PODIUM:]


def read_live(session: Session) -> tuple[GameLine, ...]:
    """List the games in progress, the latest begun first."""
    live = select(col(Game.pub)).where(col(Game.status) == "live")
    rows = session.execute(live.order_by(col(Game.id).desc()).limit(MOST_LIVE))
    return tuple(_line_of(read_pad(session, row.pub)) for row in rows.all())


def read_last(session: Session) -> tuple[GameLine, ...]:
    """List the games that were finished last, the latest begun first."""
    return tuple(line for line in read_history(session).lines if line.finished)[:MOST_LAST]


def read_again(session: Session) -> GameLine | None:
    """The game that was begun last, once it is finished: its table may play again at one tap."""
    pub = latest(session)
    pad = read_pad(session, pub) if pub else None
    return _line_of(pad) if pad and pad.finished and pad.begun else None


def latest(session: Session) -> str | None:
    """The public id of the game that was begun last; None where there is none."""
    games = select(col(Game.pub)).order_by(col(Game.id).desc()).limit(1)
    return session.execute(games).scalar_one_or_none()


def read_history(session: Session, before: int | None = None) -> HistoryPage:
    """List the games played here, the latest begun first; those begun before one, where it is said.

    A game that was begun and in which nothing was ever written down was not played.
    """
    written = exists().where(col(Entry.game_id) == col(Game.id), col(Entry.kind).not_in(_BARE))
    wanted = (
        select(
            col(Game.id), col(Game.pub), col(Game.variant), col(Game.status), col(Game.started_at)
        )
        .where(written)
        .order_by(col(Game.id).desc())
    )
    if before is not None:
        wanted = wanted.where(col(Game.id) < before)
    found = session.execute(wanted.limit(MOST_LINES + 1)).all()
    games = found[:MOST_LINES]
    person = aliased(Player)
    results = session.execute(
        select(
            col(Result.game_id),
            col(Result.player_id),
            col(person.name),
            col(person.token),
            col(Result.total),
            col(Result.won),
            col(Result.rounds),
        )
        .join(Player, col(Player.id) == col(Result.player_id))
        .join(person, col(person.id) == PERSON)
        .where(col(Result.game_id).in_([game.id for game in games]))
        .order_by(col(Result.game_id), col(Result.place))
    ).all()
    players = {game_id: list(rows) for game_id, rows in groupby(results, lambda row: row.game_id)}
    names = names_of_games(session)
    lines = []
    for game in games:
        own = players.get(game.id, [])
        rounds = max((row.rounds for row in own), default=0)
        finished = game.status == "finished"
        tokens = deal_to((row.player_id, row.name, row.token) for row in own)
        lines.append(
            GameLine(
                pub=game.pub,
                variant_name=names.get(game.variant) or capital(game.variant.replace("-", " ")),
                started_at=game.started_at,
                players=tuple(
                    LinePlayer(row.name, row.total, row.won, tokens[row.player_id]) for row in own
                ),
                round_says=plural(rounds, "round") + ("" if finished else " · not finished"),
                finished=finished,
            )
        )
    more = len(found) > MOST_LINES
    return HistoryPage(lines=tuple(lines), earlier=games[-1].id if more else None)


def read_sheet(session: Session, pub: str) -> FinalSheet:
    """Show a game's sheet; raises GameNotFoundError."""
    # The story first: whoever it tells of is on a pad that is read after it.
    story = ledger.read_story(session, pub)
    pad = read_pad(session, pub)
    places = rank(pad)
    names = {seat.player_id: seat.name for seat in pad.seats}
    return FinalSheet(
        pad=pad,
        chart=pad.chart,
        standing=places,
        margin_says=say_margin(pad, places),
        facts=tuple(find_facts(pad)) if pad.finished else (),
        result_says=say_result(pad, places),
        options=tuple(say_options(pad.variant)),
        disputes=tuple(list_disputes(story, names)),
        seal=ledger.read_seal(session, pub),
    )


def _line_of(pad: Pad) -> GameLine:
    round_says = plural(sum(row.complete for row in pad.rows), "round")
    if pad.round_number:
        of = f" of {pad.rounds}" if pad.rounds else ""
        brief = pad.rows[pad.round_number - 1].label
        round_says = f"Round {pad.round_number}{of}{f' · {brief}' if brief else ''}"
    if pad.leaders and not pad.finished:
        verb = "leads" if len(pad.leaders) == 1 else "lead"
        round_says = f"{round_says} · {joined(pad.leaders)} {verb}"
    return GameLine(
        pub=pad.pub,
        variant_name=pad.variant.name,
        started_at=pad.started_at,
        players=tuple(
            LinePlayer(seat.name, seat.total, seat.wins, seat.token) for seat in pad.seats
        ),
        round_says=round_says,
        finished=pad.finished,
        key=pad.key,
    )
