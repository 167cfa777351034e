"""The book: the games played here, and the final sheet of each."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from sqlalchemy import select
from sqlmodel import col

from referee import variants
from webapp import ledger
from webapp.models import Game, Player, Result
from webapp.services.disputes import list_disputes
from webapp.services.scorepad import read_pad

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from webapp.services.disputes import DisputeLine
    from webapp.services.scorepad import Pad, SeatColumn

MOST_LIVE: Final = 12
"""Games in progress on the home page; older ones are found in the history."""

MOST_LINES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game in a list."""

    pub: str
    variant_name: str
    started_at: datetime
    players: tuple[tuple[str, int, bool], ...]
    """Name, total and whether they won, in seat order."""
    leaders: tuple[str, ...]
    round_says: str
    """ "Round 3 of 6 · 2 runs"; "6 rounds" once finished. """
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One player's running total, a value after each complete round."""

    player_id: int
    name: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalSheet:
    """A game's sheet with everything on it."""

    pad: Pad
    curves: tuple[Curve, ...]
    standing: tuple[tuple[int, str, int], ...]
    """Rank, name and total, best first; ties share a rank."""
    options: tuple[tuple[str, str], ...]
    """The house rules that differ from the source: title and value in words."""
    disputes: tuple[DisputeLine, ...]
    seal: str
    """Twelve characters that change if any entry of the game is changed."""


def read_live(session: Session) -> tuple[GameLine, ...]:
    """List the games in progress, the latest begun first."""
    live = select(col(Game.pub)).where(col(Game.status) == "live")
    rows = session.execute(live.order_by(col(Game.id).desc()).limit(MOST_LIVE))
    return tuple(_line_of(read_pad(session, row.pub)) for row in rows.all())


def read_history(session: Session) -> tuple[GameLine, ...]:
    """List the games played here, the latest begun first, from the projection alone."""
    games = session.execute(
        select(
            col(Game.id), col(Game.pub), col(Game.variant), col(Game.status), col(Game.started_at)
        )
        .order_by(col(Game.id).desc())
        .limit(MOST_LINES)
    ).all()
    results = session.execute(
        select(
            col(Result.game_id),
            col(Player.name),
            col(Result.total),
            col(Result.won),
            col(Result.rounds),
        )
        .join(Player, col(Player.id) == col(Result.player_id))
        .where(col(Result.game_id).in_([game.id for game in games]))
        .order_by(col(Result.game_id), col(Result.place))
    ).all()
    names = {variant.slug: variant.name for variant in variants.all()}
    lines = []
    for game in games:
        own = [row for row in results if row.game_id == game.id]
        rounds = max((row.rounds for row in own), default=0)
        lines.append(
            GameLine(
                pub=game.pub,
                variant_name=names.get(game.variant, game.variant),
                started_at=game.started_at,
                players=tuple((row.name, row.total, row.won) for row in own),
                leaders=(),
                round_says=_count_rounds(rounds),
                finished=game.status == "finished",
            )
        )
    return tuple(lines)


def read_sheet(session: Session, pub: str) -> FinalSheet:
    """Show a game's sheet; raises GameNotFoundError."""
    pad = read_pad(session, pub)
    story = ledger.read_story(session, pub)
    names = {seat.player_id: seat.name for seat in pad.seats}
    complete = [row for row in pad.rows if row.complete]
    curves = tuple(
        Curve(
            player_id=seat.player_id,
            name=seat.name,
            totals=tuple(
                accumulate((row.cells[place].points or 0 for row in complete), initial=seat.carried)
            )[1:],
        )
        for place, seat in enumerate(pad.seats)
    )
    return FinalSheet(
        pad=pad,
        curves=curves,
        standing=_rank(pad),
        options=tuple(_options(pad)),
        disputes=tuple(list_disputes(story, names)),
        seal=b32encode(bytes.fromhex(ledger.seal_of(session, pub)))[:12].decode().lower(),
    )


def _rank(pad: Pad) -> tuple[tuple[int, str, int], ...]:
    """Rank the seats: who wins first, then as the game counts; equal ones share a rank."""

    def place(seat: SeatColumn) -> tuple[bool, bool, int]:
        return not seat.wins, not seat.ranked, seat.place

    seats = sorted(pad.seats, key=place)
    places = [place(seat) for seat in seats]
    return tuple(
        (places.index(mine) + 1, seat.name, seat.total)
        for seat, mine in zip(seats, places, strict=True)
    )


def _options(pad: Pad) -> Iterable[tuple[str, str]]:
    by_name = {option.name: option for option in pad.variant.options}
    for name, value in pad.variant.chosen:
        option = by_name[name]
        labels = [label for known, label in getattr(option.kind, "values", ()) if known == value]
        yield option.title, labels[0] if labels else option.kind.show(value)


def _line_of(pad: Pad) -> GameLine:
    round_says = _count_rounds(sum(row.complete for row in pad.rows))
    if pad.round_number:
        of = f" of {pad.rounds}" if pad.rounds else ""
        brief = pad.rows[pad.round_number - 1].label
        round_says = f"Round {pad.round_number}{of}{f' · {brief}' if brief else ''}"
    return GameLine(
        pub=pad.pub,
        variant_name=pad.variant.name,
        started_at=pad.started_at,
        players=tuple((seat.name, seat.total, seat.wins) for seat in pad.seats),
        leaders=pad.leaders,
        round_says=round_says,
        finished=pad.finished,
    )


def _count_rounds(rounds: int) -> str:
    return f"{rounds} round{'' if rounds == 1 else 's'}"
