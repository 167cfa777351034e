"""The history: the games played here, and the result and the score sheet of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from markupsafe import Markup
from sqlalchemy.orm import Session

from webapp.game.replay import GameState
from webapp.history.latest import latest_game, read_finished, read_in_progress
from webapp.history.lines import GameLine, LinePlayer
from webapp.history.search import lines_of
from webapp.language import say
from webapp.ledger import ledger
from webapp.models import utcnow
from webapp.own_games.catalog import names_of_games
from webapp.own_games.sentences import say_house_rules
from webapp.pages.desk.decisions import Decision, list_decisions
from webapp.pages.evening.view import EveningLink, link_to
from webapp.pages.history.finish import (
    ON_THE_PODIUM,
    FinishPlace,
    find_facts,
    rank,
    read_left,
    say_margin,
    say_result,
)
from webapp.pages.scorepad.chart import Chart
from webapp.pages.scorepad.pad import Pad, SeatColumn, Undo
from webapp.pages.scorepad.view import read_pad
from webapp.text.formatting import joined

MOST_LIVE: Final = 12
"""The most games in progress on the home page; the history has the older ones."""

MOST_LAST: Final = 5
"""The most finished games on the home page."""


NEWS: Final = timedelta(hours=1)
"""The time for which a result offers to undo the round that ended the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalSheet:
    """A game as its result and its score sheet show it."""

    pad: Pad
    chart: Chart | None
    """The running totals; None while no round is complete."""
    standing: tuple[FinishPlace, ...]
    """Everybody’s place, best first; players who tie share one."""
    margin_says: str
    """The margin of the win and the length: "by 50 points, after 6 rounds"."""
    left: Mapping[int, int]
    """The last round before each player left, by player id; 0 before the first round."""
    facts: tuple[Markup, ...]
    """What was remarkable, in sentences; nothing while the game goes on."""
    saved: Undo | None
    """The entry that has just ended the game; None later, or if the table ended it."""
    result_says: str
    """The result as a message to send, in one line; empty while the game goes on."""
    options: tuple[tuple[str, str], ...]
    """The house rules that differ from the source: title and value in words."""
    disputes: tuple[Decision, ...]
    evening: EveningLink | None
    """The way to all games of that evening; None if this was its only game."""

    @property
    def unplaced(self) -> tuple[SeatColumn, ...]:
        """The players who left and have no place."""
        return tuple(seat for seat in self.pad.columns if not seat.place)

    @property
    def podium(self) -> tuple[FinishPlace, ...]:
        """The best 3 players or teams."""
        return self.standing[:ON_THE_PODIUM]

    @property
    def others(self) -> tuple[FinishPlace, ...]:
        """Everybody after the best 3."""
        return self.standing[ON_THE_PODIUM:]


def read_live(session: Session) -> tuple[GameLine, ...]:
    """Return the games in progress, the latest started first."""
    live = read_in_progress(session, MOST_LIVE)
    return tuple(_line_of(read_pad(session, pub)) for pub in live)


def read_last(session: Session) -> tuple[GameLine, ...]:
    """Return the latest finished games, the latest started first."""
    games = read_finished(session, MOST_LAST)
    return tuple(lines_of(session, games, names_of_games(session)))


def read_again(session: Session) -> GameLine | None:
    """Return the latest game if it’s finished, because one tap can start it again; else None."""
    pub = latest_game(session)
    pad = read_pad(session, pub) if pub else None
    return _line_of(pad) if pad and pad.finished and pad.begun else None


def read_sheet(session: Session, pub: str) -> FinalSheet:
    """Return a game’s sheet; raise GameNotFoundError."""
    # The state first: everybody in it is on a pad that is read later.
    state = ledger.read_game(session, pub)
    pad = read_pad(session, pub)
    left = read_left(state)
    places = rank(pad, left)
    names = {seat.player_id: seat.name for seat in pad.seats}
    return FinalSheet(
        pad=pad,
        chart=pad.chart,
        standing=places,
        margin_says=say_margin(pad, places),
        left=left,
        facts=tuple(find_facts(pad, state)) if pad.finished else (),
        saved=pad.undo if pad.finished and _is_new(state) else None,
        result_says=say_result(pad, places) if pad.finished else "",
        options=tuple(say_house_rules(pad.variant)),
        disputes=tuple(list_decisions(state, names)),
        evening=link_to(session, pub),
    )


def _is_new(state: GameState) -> bool:
    """Return whether the latest entry of a game was made a moment ago."""
    return utcnow() - state.entered[-1].at < NEWS


def _line_of(pad: Pad) -> GameLine:
    asks = next((row.label for row in pad.rows if row.number == pad.round_number), "")
    leads = ""
    if pad.leaders and not pad.finished:
        leads = say("pad.leads", n=len(pad.leaders), names=joined(pad.leaders))
    return GameLine(
        pub=pad.pub,
        variant_name=pad.variant.name,
        has_rules=not pad.variant.points_only,
        small=pad.small,
        started_at=pad.started_at,
        players=tuple(
            LinePlayer(
                tuple(each.name for each in seat.players),
                seat.total,
                seat.wins,
                seat.token,
                won_says=seat.won_says,
                leads=bool(seat.standing),
                deals=seat.deals,
                ranked=seat.place is not None,
            )
            for seat in pad.columns
        ),
        round=pad.round_says,
        asks=asks,
        state=tuple(filter(None, (asks, leads))),
        next_round=pad.round_number or 0,
        counts_it=pad.counts_it,
        finished=pad.finished,
        key=pad.key,
    )
