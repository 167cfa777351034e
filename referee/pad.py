"""What the scorepad needs to know and to ask about a round, and how long a turn lasts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, NamedTuple

from referee.cards import Card
from referee.scoring import EndBonus, Lead


class Counts(Enum):
    """The players whose cards are counted when a round has ended."""

    ALL = "all"
    """Everybody’s cards left in hand count."""
    NONE = "none"
    """No cards count: only who went out matters."""
    WHERE_COMPARED = "where compared"
    """Hands are counted if they need to be compared: nobody went out, or a player dropped."""
    POINTS = "points"
    """No cards count and nobody goes out: each player’s score is entered as points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadRule:
    """What the scorepad needs to know and to ask about a round, apart from the points of cards.

    >>> from referee import variants
    >>> pad = variants.get("gin-rummy").pad
    >>> pad.target, pad.lead.value, pad.counts.value
    (100, 'highest total', 'all')
    """

    overtaken: bool = False
    """Whether somebody can win the game although another player has the better total."""
    bonus: EndBonus | None = None
    """What is added to the totals when the game is over; None if nothing is."""
    may_grow: bool = False
    """Whether a hand can have more cards at the end of a round than were dealt."""
    cards_per_buy: int = 0
    """How many cards a player takes when they buy a discard out of turn; 0 if nobody can."""
    dry: str = ""
    """The name for the end of a round in which nobody goes out; empty if somebody has to."""
    asks_table: bool = False
    """Whether the cards that a player laid on the table score."""
    table_note: str = ""
    """A note on how cards score on the table, if not as in hand; else empty."""
    counts: Counts = Counts.ALL
    """The players whose cards are counted."""
    fixed: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Scores that are entered instead of a count, by word, each as (title, points).

    A player who drops out of a round, for example, takes one of them.
    """
    outright: int = 1
    """How many times the others pay if a player goes out in the way that counts more."""
    at_once: int | None = None
    """The points for going out in the way that counts more; None if they are the usual ones."""
    outright_title: str = ""
    """The name for going out in the way that counts more."""
    ways: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Ways of going out that count more often, by word, each as (title, how often)."""
    pairs: int = 1
    """How often the cards left count if their player opened with pairs."""
    penalty: int | None = None
    """The points of one penalty; None if the pad doesn’t ask for penalties."""
    spares_partners: bool = False
    """Whether nothing counts that is left with partners of the player who went out."""
    hand_by_hand: bool = False
    """Whether the hands of partners are entered one by one."""
    zero_sum: bool = False
    """Whether the points of a round add up to 0: some win what the others lose."""
    negative: bool = False
    """Whether a round can score less than 0."""
    lead: Lead = Lead.LOWEST
    """What decides who is ahead in the standings."""
    rounds: int | None = None
    """How many rounds a game has, if its description sets that; else None."""
    target: int | None = None
    """The total at which the game ends; None if it ends another way."""
    has_gin: bool = False
    """Whether it counts as gin if the player who knocks has no deadwood."""
    out_at: int | None = None
    """The total that puts a player out of the game; None if nobody is eliminated.

    If the lowest total leads, players are out at this total or more; else at this total or less.
    """
    decider: Mapping[str, object] | None = None
    """The house rules, as for `Variant.with_options`, of an extra game that players who tie can
    play; None if they share the win."""

    asks_at: int | None = None
    """The total at which the pad asks whether to end the game; None if it asks at no total."""
    asks_after: int | None = None
    """The round after which the pad asks whether to end the game; None if it asks after no
    round."""
    deals: bool = True
    """Whether the pad shows who deals."""

    def is_out(self, total: int) -> bool:
        """Return whether a player with this total is out of the game."""
        if self.out_at is None:
            return False
        return total >= self.out_at if self.lead is Lead.LOWEST else total <= self.out_at

    @property
    def fixed_note(self) -> str:
        """The fixed scores as a line ("Dropped: 20. Declared wrongly: 80.") for the page."""
        return " ".join(f"{title}: {points}." for title, points in self.fixed.values())

    def seats_at_ask(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Return the seats with a total of `asks_at` or more; empty if `asks_at` is None."""
        if self.asks_at is None:
            return ()
        return tuple(seat for seat, total in enumerate(totals) if total >= self.asks_at)

    def is_fixed(self, left: object) -> bool:
        """Return whether `left`, as entered for a hand, is the points of a fixed score."""
        return type(left) is int and any(left == points for _, points in self.fixed.values())

    @property
    def must_say_how(self) -> bool:
        """Whether you have to say how a player went out, because no way is the usual one."""
        return self.outright > 1 and self.counts is Counts.WHERE_COMPARED

    @property
    def must_out(self) -> bool:
        """Whether a round can end only by somebody going out."""
        return not self.dry and self.counts is not Counts.POINTS

    @property
    def counts_wins(self) -> bool:
        """Whether the standings go by rounds won."""
        return self.lead is Lead.GAMES


class AsideRule(NamedTuple):
    """Cards that players place face up and replace as soon as they get them, and their points."""

    cards: frozenset[Card]
    called: str
    """The cards’ name in a sentence: "red 3s"."""
    each: int
    """The points for each of these cards."""
    all: int | None = None
    """The points for a team that has all of these cards; None if each still counts `each`."""
    minus: Literal["never", "not-down", "needs"] = "never"
    """When these cards count against a team instead of for it.

    With "not-down", if the team has melded nothing; with "needs", if it lacks the melds with a
    bonus that it needs to go out.
    """

    def points(self, number: int, there: int) -> int:
        """Return the points for `number` of these cards; `there` is how many the packs have."""
        return self.all if self.all is not None and number >= there > 0 else self.each * number


class ReserveRule(NamedTuple):
    """A second hand, played after the first."""

    cards: int
    """How many cards a second hand has."""
    per_team: bool = False
    """Whether a team has one second hand together; if not, each player has their own."""
    untaken: int = 0
    """The points that a second hand costs if nobody has taken it."""


class ClockRule(NamedTuple):
    """How long a turn lasts, and the penalty for taking longer."""

    seconds: int
    penalties: tuple[tuple[str, int], ...]
    """The number of tiles to draw when time is up, by what the player had done, in words."""
