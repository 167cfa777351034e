"""The lines of the count page: a hand each, or a column for each team."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from referee import Arrangement
from webapp.game.hand import Hand
from webapp.players.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of two hands that two phones have for one line."""

    says: str
    """ "45", "out", "60 down, 15". """
    value: str
    """The same, as the field ``hand`` carries it."""
    whose: str
    """ "pad" or "you". """


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One player's line on the count page, or that of a team, with its hand and what it says."""

    player_id: int
    """The player whom the fields are named for: the first of a team."""
    hand: Hand
    """As typed so far, or as it is on the pad."""
    name: str
    token: Token
    total: int
    """The total before this round."""
    points: int | None
    """What is left, added up; None while blank or unreadable."""
    arrangement: Arrangement | None
    """Where cards were named: how they cost least, with what is left of them."""
    table_points: int | None
    """What was scored on the table, added up; None while it is unreadable."""
    problem: str
    """Why this line is refused, shown beside the field; or empty."""
    choices: tuple[Choice, ...]
    """Two hands from two phones, to choose from; else none."""
    sum_says: str
    """What the round makes of the total: "65 + 45 = 110", "60 so far"."""
    saved: bool
    """Whether it is in, in a round that others are still missing in: their Outs are their own."""
    told: tuple[str, ...]
    """What to know of the hand, a few words each: what this player alone had to lay down, whether
    it was recorded at the desk, the cards taken beyond the deal by May I's."""

    @property
    def points_sum(self) -> int | None:
        """What is left in hand, where it was typed as a sum or named card by card; else None."""
        return self.points if "+" in self.hand.left or self.arrangement else None

    @property
    def table_sum(self) -> int | None:
        """What was scored on the table, where it was typed as a sum; else None."""
        return self.table_points if "+" in self.hand.table else None


class TeamPlayer(NamedTuple):
    """Somebody of a team, as the page shows them."""

    player_id: int
    name: str
    token: Token
    deals: bool = False


class TeamRun(NamedTuple):
    """What a team’s hand and total come to, as far as it is typed."""

    hand: str
    total: str
    says: str
    """What to know of that total: "needs 90", "so far"."""
    table: str = ""
    """What its melds are worth, where they are named by their cards."""
    bonus: Mapping[str, int] | None = None
    """How many have each bonus then."""


class BonusKind(NamedTuple):
    """One kind of meld with a bonus, as a row of the page."""

    name: str
    title: str
    points: int


@dataclass(frozen=True, slots=True)
class Kinds:
    """What the page asks of each team, and the points that a table can change."""

    bonuses: tuple[BonusKind, ...]
    aside: str
    """What is laid open ("Red 3s"); empty if nothing is."""
    aside_each: int
    aside_all: int | None
    most_aside: int
    """How many of them the packs have."""
    aside_needs: str
    """What lets them count for a team: "down", or how many melds with a bonus ("0")."""
    out: int
    """What going out scores; 0 for nothing."""
    at_once: str
    """What it’s called to go out with all cards at once; empty if that scores nothing more."""
    once: int
    """What that scores."""
    reserve: str
    """What the second hand is called; empty if the page doesn’t ask whether it was taken."""
    untaken: int
    each_reserve: bool
    """Whether each player has a second hand."""
    adds: bool
    """Whether all of it is simply added, so that a phone can do the sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamColumn:
    """One team down the count page, with what was typed so far."""

    line: Line
    """The line of its first player, which the fields are named for."""
    index: int
    """From 0."""
    name: str
    """Its players together: "Ann and Ben"."""
    token: Token
    players: tuple[TeamPlayer, ...]
    laid: Hand
    """What it laid: its melds with a bonus and its cards laid open, as far as they can be read."""
    out: int
    """The player who went out, by number; 0 if nobody of this team did."""
    untaken: frozenset[int]
    runs: TeamRun
    """What its hand and total come to."""
    wrong: Mapping[str, str]
    """Why what was typed can’t be read, by its row: "table" or "left"."""

    deals: bool = False
    """Never so, on a page without dealers; a token asks."""

    @property
    def partners(self) -> tuple[TeamPlayer, ...]:
        """Its players, if there are several."""
        return self.players[1:] and self.players

    @property
    def first(self) -> int:
        """The player whom the fields are named for."""
        return self.line.player_id
