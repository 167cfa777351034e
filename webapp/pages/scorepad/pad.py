"""What the pad shows: a game as it stands, round by round and player by player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee import Contract, Variant
from webapp.game.money import Payment, Winnings
from webapp.language import say
from webapp.pages.scorepad.chart import Chart
from webapp.players.tokens import Token
from webapp.text.formatting import capital, grouped, joined, short_title, uncapital

MOST_ABREAST: Final = 4
"""Players who stand side by side on a phone."""

MOST_SIGNS: Final = 12
"""Figures and signs of the longest total, times the players, that do."""


_RINGS: Final = frozenset({4, 6})
"""Players in teams whose places round the table are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadCell:
    """What one player scored in one round; blank until somebody has counted it."""

    player_id: int
    seq: int = 0
    """The entry this stands on; 0 while the cell is blank."""
    points: int | None = None
    """None while the cell is blank, which is never shown as 0."""
    typed: str = ""
    """The count as it was typed ("20+10+5", "5H KC"), empty if it was only a number."""
    left: int | None = None
    """What was left in hand, where that is not what the round scored; else None."""
    table: int | None = None
    """What was scored on the table, where the game asks; else None."""
    close: str = ""
    """How the round was closed ("Colour"), for the closer; else empty."""
    times: str = ""
    """How often the others pay for that ("×3"), or what adds to it ("Big gin")."""
    below: str
    """What stands under the points ("45 left", "60 − 15"), or under a blank ("60 down")."""
    opens: bool
    """Whether a tap on it leads to a form: to correct what stands there, or to count it."""
    reason: str = ""
    """Why the table saved it in spite of a doubt; empty if it gave no reason."""
    out: bool = False
    made: bool | None = None
    corrected: bool = False
    away: bool = False
    """Whether the player was not in this round: joined later, left before, or out of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadRow:
    """One round across the pad, column by column."""

    number: int
    label: str
    """The round's contract in brief ("2 runs"); empty if everybody has a ladder of their own."""
    brief: str
    """The same without ones, for a narrow column ("2 sets, run")."""
    cells: tuple[PadCell, ...]
    """One for each column."""
    complete: bool
    notes: tuple[str, ...]
    """What was laid off after a knock, and what the table wrote about this round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatColumn:
    """One player or one team down the pad: who it is, and how they stand after complete rounds."""

    player_id: int
    """The player; the first of a team."""
    name: str
    """What they are called; of a team its names together: "Ann and Ben"."""
    token: Token
    total: int
    leads: bool
    place: int | None
    """The place in the standings, from 1: winners first, and players who tie share one. None for a
    player who has left and isn't ranked."""
    deals: bool
    starts: bool
    wins: bool
    step: int | None
    """The phase this player is on; None if the step is the round's."""
    step_says: str
    """That phase and what it asks for ("Phase 3: 1 run of 7"); empty if the step is the
    round's."""
    laid_down: bool
    """Whether a lay-down was recorded for this player in the round being played."""
    games_won: int | None
    """Rounds won, where the standings go by them; else None."""
    plays: bool
    """Whether the player is in the round being played: not left, and not out of the game."""
    left: bool
    """Whether the player has left the table."""
    carried: int
    """The points they were given on joining late."""
    takes: int
    """May I's in the round being played."""
    above: str
    """What is above the name: "deals", "left", "is out", or nothing."""
    standing: str
    """What is beside the total: "wins", "leads", or nothing."""
    opens_with: int | None = None
    """What the first melds need to total in the next round; None if that isn’t shown."""
    partners: tuple[SeatColumn, ...] = ()
    """The players of a team, each as if alone; none if it is one player."""

    @property
    def players(self) -> tuple[SeatColumn, ...]:
        """The players, one or a team."""
        return self.partners or (self,)

    @property
    def won_says(self) -> str:
        """The rounds won, below the total: "1 win"; empty if the standings don't go by them."""
        return "" if self.games_won is None else say("pad.won", n=self.games_won)


@dataclass(frozen=True, slots=True)
class PadLine:
    """One player or team across the pad, where each has a row."""

    seat: SeatColumn
    cells: tuple[tuple[PadRow, PadCell], ...]
    """The cells, each with its round; the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """One entry that a tap takes back, or brings back."""

    seq: int
    """The entry that the tap voids; the form posts it as ``seq``."""
    says: str
    """What it was: "Ben 65 in round 2"."""

    round: int | None
    """The round, if it was a whole one."""

    @property
    def starts(self) -> str:
        """What it was, at the start of a sentence: "Round 3"."""
        return capital(self.says)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """A game as it stands."""

    pub: str
    variant: Variant
    version: str
    """Changes whenever anything shown changes: "seq.revision"."""
    key: str
    """The form key of every one-tap form on the pad: undo, redo, finish, reopen, rematch."""
    rows: tuple[PadRow, ...]
    seats: tuple[SeatColumn, ...]
    """The players, in the order of play."""
    by_team: bool
    """Whether it is counted by team: a column says what its points came of."""
    columns: tuple[SeatColumn, ...]
    """What the table has a column for: a team each, or a player where everybody plays alone."""
    round_number: int | None
    """The round to be counted next; None once the game is finished or over by the rules."""
    rounds: int | None
    """How many rounds the game has, where that is fixed."""
    title: str
    """What this round asks for ("2 runs of 4"), empty if the game asks for nothing; the
    game's result once it is over."""
    contract: Contract | None
    """What all must lay down in this round; None if there is no such thing."""
    next_title: str
    """What the next round asks for ("Three sets"); empty on the last, or where nothing is asked."""
    note: str
    """What to mind in this round ("Black 2s are wild and cost 20."), or empty.

    Of a game that is over, why somebody with the better total does not win it.
    """
    ladder: str
    """Which list of contracts is played ("Eleven phases, reconstructed"), or empty."""
    dealer: str
    leaders: tuple[str, ...]
    """The players who lead, partners together."""
    over: bool
    """Whether the rules say that the game has ended."""
    finished: bool
    """Whether the pad is closed: read-only until it is reopened."""
    on_paper: bool
    """Whether the game was kept on paper: its totals are known, and no round."""
    winners: tuple[str, ...]
    """The players who won, partners together."""
    decider: tuple[str, ...]
    """Players who can play a decider: those who share the win, once the game is finished."""
    undo: Undo | None
    redo: Undo | None
    changed: str
    """The latest correction of a past round and what follows from it; empty if there was none."""
    problems: tuple[str, ...]
    """What cannot be true of the scores as they stand, with the round and whom it is about."""
    moves: tuple[str, ...]
    """Players joining late and leaving, in sentences."""
    bonus: str
    """What the end of the game added, in a sentence; empty if that is nothing."""
    margin: int | None
    """By how many points it was won; None if points don't say so."""
    winnings: Winnings | None
    """What everybody has won so far; None if nothing is played for."""
    payments: tuple[Payment, ...]
    """The payments if the game ended now."""
    clock: int
    """Seconds for a turn; 0 if turns are not timed."""
    started_at: datetime
    advice_off: str
    """Why phones can’t ask for advice in this game; empty if they can."""
    lacks_advice: bool
    """Whether this game has no advice at all."""
    chart: Chart | None
    """The running totals; None while no round is complete."""
    asks_end: str
    """The players who reached the target, with the question whether to end the game; or empty."""
    in_says: str
    """Whose hands of the open round are in, and how many are missing; empty if none is."""
    missing: str
    """Whose hands are missing there: the round doesn't count if the game ends now."""

    @property
    def tells_of_advice(self) -> bool:
        """Whether More says that the game has no advice, because nobody could turn it on."""
        return self.by_team and self.lacks_advice

    @property
    def in_teams(self) -> bool:
        """Whether some play together, so that nobody can join or leave."""
        return any(seat.token.team for seat in self.seats)

    @property
    def stake_says(self) -> str:
        """What a point is worth ("0.05 € a point"), or empty."""
        stake = self.winnings.stake if self.winnings else None
        return say("pad.per-point", amount=stake.says(stake.units)) if stake else ""

    @property
    def across(self) -> bool:
        """Whether each column is a row: side by side they, or their totals, would not fit."""
        signs = max(len(str(seat.total)) for seat in self.columns)
        seats = len(self.columns)
        return seats > MOST_ABREAST or seats * signs > MOST_SIGNS

    @property
    def has_ring(self) -> bool:
        """Whether the pad shows how the teams sit round the table."""
        return len(self.seats) in _RINGS and len(self.columns) < len(self.seats)

    @property
    def opens(self) -> bool:
        """Whether the head says what each column’s first melds need to total."""
        return any(column.opens_with for column in self.columns)

    @property
    def played(self) -> tuple[PadRow, ...]:
        """The rounds that were reached: complete, or being played."""
        last = self.round_number or len(self.rows)
        return self.rows[:last]

    @property
    def latest_first(self) -> tuple[PadRow, ...]:
        """The rounds that were reached, the latest first."""
        return self.played[::-1]

    @property
    def lines(self) -> tuple[PadLine, ...]:
        """The columns, each as a row."""
        return tuple(
            PadLine(seat, tuple((row, row.cells[place]) for row in self.latest_first))
            for place, seat in enumerate(self.columns)
        )

    @property
    def takes(self) -> int:
        """May I's in the round being played."""
        return sum(seat.takes for seat in self.seats)

    @property
    def begun(self) -> bool:
        """Whether a round is complete, so that somebody can lead."""
        return self.rows[0].complete

    @property
    def ended_says(self) -> str:
        """After what the game has ended, or would end now: "2 rounds"."""
        return say("counts.rounds", n=sum(row.complete for row in self.rows))

    @property
    def round_says(self) -> str:
        """Which round it is ("Round 3 of 6"), or how many were played ("6 rounds")."""
        if self.on_paper:
            return say("pad.from-paper")
        if self.round_number is None:
            return self.ended_says
        how = "of" if self.rounds else ""
        return say("pad.round-of", how, number=self.round_number, rounds=self.rounds)

    @property
    def _names_the_round(self) -> bool:
        """Whether the heading is the round itself: there is nothing that all must lay down."""
        alone = self.variant.own_ladder and self.round_number is not None
        # What each team needs to go down is in its column.
        return alone or not self.title or (self.opens and not self.contract)

    @property
    def heading(self) -> str:
        """The heading of the page: what the round asks for, or which one it is."""
        if self._names_the_round:
            return self.round_says
        short = self.contract and short_title(self.contract, self.variant.speaker)
        return short or self.title

    @property
    def overline(self) -> str:
        """The line over the heading: the game, and the round where the heading does not say it."""
        name, edition = self.variant.name, self.variant.edition
        name = f"{name}, {edition.title}" if edition else name
        pad = self.variant.pad
        if self.by_team and pad.target:
            name = f"{name} · {say('count.to', points=grouped(pad.target))}"
        return name if self._names_the_round else f"{name} · {uncapital(self.round_says)}"

    @property
    def lead_says(self) -> str:
        """The leader, and the lead if points count: "Ana leads by 20"."""
        if self.finished or not self.begun or not self.leaders:
            return ""
        first, *more = (seat for seat in self.columns if seat.leads)
        if more:
            return say("pad.leads-together", names=joined(self.leaders))
        players = len(first.players)
        others = [seat for seat in self.columns if seat.place and not seat.leads]
        if not others or first.games_won is not None:
            if first.won_says:
                return say("pad.leads-with", n=players, names=first.name, won=first.won_says)
            return say("pad.leads", n=players, names=first.name)
        margin = min(abs(first.total - seat.total) for seat in others)
        return say("pad.leads-by", n=players, name=first.name, points=margin)

    @property
    def state(self) -> Iterator[str]:
        """The counts so far and what to mind, a sentence each; or how it ended."""
        if self.on_paper:
            yield say("pad.no-rounds")
        elif self.finished:
            whole = self.over or self.variant.endless
            yield say("pad.ended", "" if whole else "early")
        if self.note:
            yield self.note
        if self.finished:
            return
        down = [seat.name for seat in self.seats if seat.laid_down]
        if down:
            yield say("pad.have-laid-down", n=len(down), names=joined(down))
        if self.advice_off and not (self.variant.points_only or self.tells_of_advice):
            yield self.advice_off
