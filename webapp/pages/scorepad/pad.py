"""The contents of the pad: a game round by round and player by player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Final, Literal

from referee import Contract, Variant
from webapp.game.money import Payment, Winnings
from webapp.language import say
from webapp.pages.scorepad.chart import Chart
from webapp.players.tokens import Token
from webapp.text.formatting import capital, joined, say_points, short_title

MOST_ABREAST: Final = 4
"""The most players side by side on a phone."""

MOST_SIGNS: Final = 12
"""The most characters in a row of totals: the longest’s length times the number of players."""

MOST_TOKENS: Final = 8
"""The most columns on a phone if each is headed by a token alone."""

MOST_SIGNS_OF_HAND: Final = 4
"""The most characters of a hand’s points in a column that is headed by a token alone."""


_RINGS: Final = frozenset({4, 6})
"""The numbers of players for which a ring shows how teams sit round the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadCell:
    """The score of one player in one round; blank until somebody has counted it."""

    player_id: int
    seq: int = 0
    """The number of its entry; 0 while the cell is blank."""
    points: int | None = None
    """The points; None while the cell is blank, which is never shown as 0."""
    typed: str = ""
    """The count as it was typed ("20+10+5", "5H KC"), empty if it was only a number."""
    left: int | None = None
    """The points left in hand, if they differ from what the round scored; else None."""
    table: int | None = None
    """The points on the table, if the game asks; else None."""
    close: str = ""
    """How this player closed the round ("Colour"); else empty."""
    times: str = ""
    """How often the others pay for this way to close ("×3"), or its name if it adds points ("Big
    gin"); else empty."""
    below: str
    """The note below the points ("45 left", "60 − 15"), or below a blank ("60 down")."""
    opens: bool
    """Whether a tap on it opens a form, to correct or to count it."""
    reason: str = ""
    """Why the table saved it in spite of a doubt; empty if no reason was given."""
    out: bool = False
    made: bool | None = None
    corrected: bool = False
    away: bool = False
    """Whether the player wasn’t in this round: joined later, left before, sat out, or out of the
    game. Such a cell has points if the round counts the average of the others."""

    @property
    def note(self) -> str:
        """The only note on paper: why the hand was saved, how often others paid, or `below`."""
        return self.reason or self.times or self.below


@dataclass(frozen=True, slots=True, kw_only=True)
class PadRow:
    """One round across the pad, column by column."""

    number: int
    label: str
    """The round’s contract in brief ("2 runs"), or the cards dealt, if they differ between rounds;
    empty if every player has their own ladder."""
    brief: str
    """The contract without any 1, for a narrow column ("2 sets, run")."""
    cells: tuple[PadCell, ...]
    """The cells, one for each column."""
    complete: bool
    notes: tuple[str, ...]
    """What was laid off after a knock, and the table’s notes about this round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatColumn:
    """A column of the pad: a player or a team, with their standing after the complete rounds."""

    player_id: int
    """The player; the first player of a team."""
    name: str
    """The name; for a team all its names: "Ann and Ben"."""
    token: Token
    total: int
    leads: bool
    place: int | None
    """The place in the standings, from 1: winners first, and players who tie share one. None for a
    player who left and isn’t ranked."""
    deals: bool
    starts: bool
    wins: bool
    step: int | None
    """The phase that this player is on; None if all are on the round’s step."""
    step_says: str
    """The player’s phase with its contract ("Phase 3: 1 run of 7"); empty if all are on the round’s
    step."""
    step_named: str
    """The player’s phase in brief: "phase 4"."""
    laid_down: bool
    """Whether a lay-down was recorded for this player in the round being played."""
    games_won: int | None
    """The rounds won, if the standings go by them; else None."""
    plays: bool
    """Whether the player is in the round being played: hasn’t left and isn’t out of the game."""
    left: bool
    """Whether the player has left the table."""
    since: int
    """The first round that they played."""
    carries: Mapping[int, int]
    """The points that they got for rounds they missed, by the round in which they then joined."""
    takes: int
    """The May I’s in the round being played."""
    above: str
    """The word above the name: "deals", "left", "is out", or nothing."""
    standing: str
    """The word next to the total: "wins", "leads", or nothing."""
    opens_with: int | None = None
    """The points that the first melds need in the next round; None if that isn’t shown."""
    partners: tuple[SeatColumn, ...] = ()
    """The players of a team, each as a column of their own; none for a single player."""

    @property
    def players(self) -> tuple[SeatColumn, ...]:
        """The players of the column, one or a team."""
        return self.partners or (self,)

    def totals(self, cells: Iterable[PadCell], first: int) -> list[int]:
        """Return the running total after each round, from the round `first` on."""
        points = (
            (cell.points or 0) + self.carries.get(number, 0)
            for number, cell in enumerate(cells, first)
        )
        return list(accumulate(points))

    @property
    def won_says(self) -> str:
        """The rounds won, below the total: "1 win"; empty if the standings don’t go by them."""
        return "" if self.games_won is None else say("pad.won", n=self.games_won)


@dataclass(frozen=True, slots=True)
class PadLine:
    """A row of the pad for a player or a team, if the pad has one for each."""

    seat: SeatColumn
    cells: tuple[tuple[PadRow, PadCell], ...]
    """The cells, each with its round, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """An entry that a tap undoes or redoes."""

    seq: int
    """The number of the entry that the tap voids; the form sends it as `seq`."""
    says: str
    """The entry in words: "Ben 65 in round 2"."""

    round: int | None
    """The number of the round, if the tap undoes or redoes all its hands; else None."""

    @property
    def starts(self) -> str:
        """The entry in words, at the start of a sentence: "Round 3"."""
        return capital(self.says)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndAsk:
    """The question whether to end a game of points alone."""

    reasons: tuple[str, ...]
    """Why the page asks: "Rosa has passed 100."."""
    result: str
    """How the game would end now: "Tom wins with 23 if you finish now."."""
    finish: str
    """The label of the button that ends it: "Finish: Tom wins"."""
    play_on: str
    """The label of the button that counts another round: "Play round 4"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """A game as the scorepad shows it."""

    pub: str
    variant: Variant
    small: str
    """What kind of game it is ("just points"), if its name doesn’t say so; else empty."""
    version: str
    """A text that changes whenever anything shown changes: "seq.revision"."""
    key: str
    """The form key of every one-tap form on the pad: undo, redo, finish, reopen, rematch."""
    rows: tuple[PadRow, ...]
    seats: tuple[SeatColumn, ...]
    """The players, in the order of play."""
    by_team: bool
    """Whether the game is counted by team, so that columns say what their points came from."""
    columns: tuple[SeatColumn, ...]
    """The columns of the table: the teams, or the players in a game without teams."""
    round_number: int | None
    """The round to be counted next; None once the game is finished or over by the rules."""
    rounds: int | None
    """The number of rounds that the game has, if it’s fixed."""
    title: str
    """The contract of this round ("2 runs of 4"), empty if there isn’t one; the game’s result once
    it’s over."""
    contract: Contract | None
    """The melds that everybody has to lay down in this round; None if there is no contract."""
    next_title: str
    """The contract of the next round ("Three sets"); empty on the last one, or without one."""
    note: str
    """A special rule of this round ("Black 2s are wild and cost 20."), or empty.

    When a game is over, why the player with the best total doesn’t win.
    """
    ladder: str
    """The list of contracts that is played ("Eleven phases, reconstructed");
    empty if the game has none."""
    dealer: str
    leaders: tuple[str, ...]
    """The names of the leaders, with partners together."""
    over: bool
    """Whether the game is over by the rules."""
    finished: bool
    """Whether the pad is closed: read-only until it is reopened."""
    on_paper: bool
    """Whether the game was kept on paper, so that only its totals are known."""
    winners: tuple[str, ...]
    """The names of the winners, with partners together."""
    decider: tuple[str, ...]
    """The names of the players who can play a decider: those who share the win, once the game is
    finished."""
    undo: Undo | None
    redo: Undo | None
    changed: str
    """The latest correction of a past round and its consequences; empty if there was none."""
    problems: tuple[str, ...]
    """Scores that can’t be true, each with the round and the player."""
    moves: tuple[str, ...]
    """The players who joined late or left, in sentences."""
    bonus: str
    """What the end of the game added, in a sentence; empty if that is nothing."""
    margin: int | None
    """The points that the game was won by; None if points don’t decide it."""
    winnings: Winnings | None
    """Everybody’s winnings so far; None if nobody plays for money."""
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
    asks_end: EndAsk | None
    """The question whether to end the game; None if nothing asks for it, or once a hand of another
    round is in."""
    in_says: str
    """Whose hands of this round are counted already, and how many aren’t; empty until one is."""
    missing: str
    """The names of the players whose hands of this round aren’t counted yet; empty until one is.

    If the game ends now, the round won’t count.
    """

    @property
    def tells_of_advice(self) -> bool:
        """Whether the More sheet says that there is no advice, because nobody could turn it on."""
        return self.by_team and self.lacks_advice

    @property
    def in_teams(self) -> bool:
        """Whether the players form teams, so that nobody can join or leave."""
        return any(seat.token.team for seat in self.seats)

    @property
    def stake_says(self) -> str:
        """The value of a point ("0.05 € a point"); empty if nobody plays for money."""
        stake = self.winnings.stake if self.winnings else None
        return say("pad.per-point", amount=stake.says(stake.units)) if stake else ""

    @property
    def layout(self) -> Literal["columns", "tokens", "across"]:
        """The widest table that fits on a phone.

        In "columns", names and totals are above their columns. In "tokens", only tokens are, with
        names and totals two by two above them. In "across", players have rows.
        """
        signs = max(len(str(seat.total)) for seat in self.columns)
        seats = len(self.columns)
        if seats <= MOST_ABREAST and seats * signs <= MOST_SIGNS:
            return "columns"
        hands = (len(str(cell.points)) for row in self.rows for cell in row.cells)
        narrow = max(hands, default=0) <= MOST_SIGNS_OF_HAND
        return "tokens" if MOST_ABREAST < seats <= MOST_TOKENS and narrow else "across"

    @property
    def has_ring(self) -> bool:
        """Whether the pad shows how the teams sit round the table."""
        return len(self.seats) in _RINGS and len(self.columns) < len(self.seats)

    @property
    def opens(self) -> bool:
        """Whether the head shows the points that each column’s first melds need."""
        return any(column.opens_with for column in self.columns)

    @property
    def seq(self) -> int:
        """The number of the last entry that it shows."""
        return int(self.version.partition(".")[0])

    @property
    def played(self) -> tuple[PadRow, ...]:
        """The rounds that were reached, complete or being played."""
        last = self.round_number or self.rows[-1].number
        # While it’s asked whether to end, the next round may never be played.
        last -= bool(self.round_number and self.asks_end)
        return tuple(row for row in self.rows if row.number <= last)

    @property
    def latest_first(self) -> tuple[PadRow, ...]:
        """The rounds that were reached, the latest first."""
        return self.played[::-1]

    @property
    def lines(self) -> tuple[PadLine, ...]:
        """The columns, turned into rows."""
        return tuple(
            PadLine(seat, tuple((row, row.cells[place]) for row in self.latest_first))
            for place, seat in enumerate(self.columns)
        )

    @property
    def takes(self) -> int:
        """The May I’s in the round being played."""
        return sum(seat.takes for seat in self.seats)

    @property
    def begun(self) -> bool:
        """Whether a round is complete, so that somebody can lead."""
        return self.rows[0].complete

    @property
    def ended_says(self) -> str:
        """How long the game was, or would be if it ended now: "2 rounds"."""
        return say("counts.rounds", n=sum(row.complete for row in self.rows))

    @property
    def round_says(self) -> str:
        """The current round ("Round 3 of 6"), or the number of rounds played ("6 rounds")."""
        if self.on_paper:
            return say("pad.from-paper")
        if self.round_number is None:
            return self.ended_says
        how = "of" if self.rounds else ""
        return say("pad.round-of", how, number=self.round_number, rounds=self.rounds)

    @property
    def counts_it(self) -> str:
        """The label of the button that counts the round: "Score round 4"; empty if none is left."""
        if self.round_number is None:
            return ""
        how = "points" if self.variant.points_only else ""
        return say("pad.count", how, number=self.round_number)

    @property
    def _names_the_round(self) -> bool:
        """Whether the heading is the round itself, because it has no contract."""
        alone = self.variant.own_phases and self.round_number is not None
        # The points that each team needs to go down are in its column.
        return alone or not self.title or (self.opens and not self.contract)

    @property
    def heading(self) -> str:
        """The heading of the page: the contract, or the round; the game while it asks to end."""
        if self.asks_end:
            return self.variant.name
        if self._names_the_round:
            return self.round_says
        short = self.contract and short_title(self.contract, self.variant.speaker)
        return short or self.title

    @property
    def overline(self) -> str:
        """The line above the heading: the game, after the round unless the heading says it.

        If the line is too long, the name of the game is cut, never the round.
        """
        name, edition = self.variant.name, self.variant.edition
        name = f"{name}, {edition.title}" if edition else name
        if self.variant.points_only and not self.finished:
            name = self.ended_says if self.asks_end else name
            return say("count.wins", self.variant.pad.lead.value.split()[0], game=name)
        pad = self.variant.pad
        if self.by_team and pad.target:
            name = f"{name} · {say('count.to', points=say_points(pad.target))}"
        return name if self._names_the_round else f"{self.round_says} · {name}"

    @property
    def lead_says(self) -> str:
        """The leader, and the lead if it goes by points: "Ana leads by 20"."""
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
        if not margin:
            # Something else put them first, such as a phase.
            return say("pad.leads", n=players, names=first.name)
        return say("pad.leads-by", n=players, name=first.name, points=say_points(margin))

    @property
    def state(self) -> Iterator[str]:
        """The state of the game, line by line: what to mind and who is down, or how it ended."""
        if self.finished and not (self.over or self.variant.endless or self.on_paper):
            yield say("pad.ended-early")
        if self.note:
            yield self.note
        if self.finished:
            return
        down = [seat.name for seat in self.seats if seat.laid_down]
        if down:
            yield say("pad.have-laid-down", n=len(down), names=joined(down))
        if self.advice_off and not (self.variant.points_only or self.tells_of_advice):
            yield self.advice_off
