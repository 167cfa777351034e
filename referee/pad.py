"""What the scorepad knows of a round and asks of it, and how long a turn lasts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, NamedTuple

from referee.cards import Card
from referee.scoring import EndBonus, Lead


class Counts(Enum):
    """Whose cards are counted when a round has ended."""

    ALL = "all"
    """What everybody has left counts."""
    NONE = "none"
    """Nothing left counts: only who went out matters."""
    WHERE_COMPARED = "where compared"
    """Hands are counted only if nobody went out, as then the lowest hand wins."""
    POINTS = "points"
    """Nothing is counted: what each player scored is entered, and nobody goes out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadRule:
    """What the scorepad knows of a round and asks of it, beyond what cards count.

    >>> from referee import variants
    >>> pad = variants.get("gin-rummy").pad
    >>> pad.target, pad.lead.value, pad.counts.value
    (100, 'highest total', 'all')
    """

    overtaken: bool = False
    """Whether somebody can win at the end while another has the better total."""
    bonus: EndBonus | None = None
    """What is added to the totals when the game is over; None for nothing."""
    may_grow: bool = False
    """Whether a hand can hold more than the deal when a round ends."""
    grows_by: int = 0
    """How many cards a player takes out of turn on asking for the discard; 0 if none asks."""
    dry: str = ""
    """What it is called when a round ends with nobody out; empty if somebody must be."""
    asks_table: bool = False
    """Whether what a player laid on the table scores."""
    table_note: str = ""
    """How cards score there, if not as they count in hand."""
    counts: Counts = Counts.ALL
    """Whose cards are counted."""
    fixed: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Scores that are written down in place of a count, by word: what each is called, and points.

    A player who drops out of a round takes one.
    """
    outright: int = 1
    """How many times the others pay a player who went out in a way that counts more."""
    at_once: int | None = None
    """What a player who did so scores; None if it’s what going out scores."""
    outright_title: str = ""
    """What that is called."""
    zero_sum: bool = False
    """Whether what some win in a round the others lose."""
    negative: bool = False
    """Whether a round can score less than 0."""
    lead: Lead = Lead.LOWEST
    """What the standings go by."""
    rounds: int | None = None
    """How many rounds a game without contracts has; None if that is open."""
    target: int | None = None
    """The total at which the game ends; None if it ends another way."""
    says_gin: bool = False
    """Whether it counts differently if a player who knocks has nothing left over: gin."""
    out_at: int | None = None
    """The total at which a player is out of the game: there or beyond, on the losing side."""
    decider: Mapping[str, object] | None = None
    """The house rules of a game that players who tie can play for the win."""

    asks_at: int | None = None
    """The total at which the pad asks whether to end the game; None if it never does."""
    deals: bool = True
    """Whether the pad says who deals."""

    def is_out(self, total: int) -> bool:
        """Whether a player with such a total is out of the game."""
        if self.out_at is None:
            return False
        return total >= self.out_at if self.lead is Lead.LOWEST else total <= self.out_at

    @property
    def fixed_note(self) -> str:
        """What those scores are, for the page: "Dropped: 20. Declared wrongly: 80."."""
        return " ".join(f"{title}: {points}." for title, points in self.fixed.values())

    def at_target(self, totals: Sequence[int]) -> tuple[int, ...]:
        """The seats that have reached the target; none if there is no target."""
        if self.asks_at is None:
            return ()
        return tuple(seat for seat, total in enumerate(totals) if total >= self.asks_at)

    def is_fixed(self, left: object) -> bool:
        """Whether what was written down of a hand is one of those scores."""
        return type(left) is int and any(left == points for _, points in self.fixed.values())

    @property
    def must_say_how(self) -> bool:
        """Whether you have to say how a player went out: no way is the usual one."""
        return self.outright > 1 and self.counts is Counts.WHERE_COMPARED

    @property
    def must_out(self) -> bool:
        """Whether a round ends in no other way than by somebody going out."""
        return not self.dry and self.counts is not Counts.POINTS

    @property
    def counts_wins(self) -> bool:
        """Whether the standings go by rounds won."""
        return self.lead is Lead.GAMES


class AsideRule(NamedTuple):
    """Cards that are laid open as soon as they come and replaced, and what they score."""

    cards: frozenset[Card]
    called: str
    """What they are in a sentence: "red 3s"."""
    each: int
    all: int | None = None
    """What as many as there are score together; None if that is no more than each."""
    minus: Literal["never", "not-down", "needs"] = "never"
    """When they count against a team: "never", if it is "not-down", or without what "needs" say."""

    def points(self, number: int, there: int) -> int:
        """What so many of them score, of as many as the packs have."""
        return self.all if self.all is not None and number >= there > 0 else self.each * number


class ReserveRule(NamedTuple):
    """A second hand, played after the first."""

    cards: int
    per_team: bool = False
    """Whether a team has one together; else each player has one."""
    untaken: int = 0
    """What it costs never to have taken it."""


class ClockRule(NamedTuple):
    """How long a turn lasts, and what it costs to take longer."""

    seconds: int
    penalties: tuple[tuple[str, int], ...]
    """How many tiles are drawn when the time is up, by how the turn stood."""
