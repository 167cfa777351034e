"""The lines of the count page: one hand each, or a column for each team."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee import Arrangement
from webapp.game.hand import Hand
from webapp.players.tokens import Token

_NEW_TOTAL: Final = re.compile(r"(.*[=→·] )(−?\d[^ ]*)")
"""A sum and the new total at its end, which is set in bold; static/js/keypad.js does the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of the two hands that two phones have entered for one line."""

    says: str
    """The hand in brief: "45", "out", "60 down, 15"."""
    value: str
    """The hand as the value of the field `hand`, from `write_choice`."""
    whose: str
    """Where the hand comes from: "pad" if another phone saved it, "you" if it’s this phone’s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The line of a player or a team on the count page."""

    player_id: int
    """The id of the player that the fields are named for: the first of a team."""
    hand: Hand
    """The hand, as typed so far or as on the pad."""
    name: str
    token: Token
    total: int
    """The total before this round."""
    points: int | None
    """The points left in hand, added up; None while blank or unreadable."""
    arrangement: Arrangement | None
    """The melds and the cards left over, if the cards in hand were named; else None."""
    table_points: int | None
    """The points scored on the table, added up; None while blank, named by cards or unreadable."""
    problem: str
    """Why this line can’t be saved, shown next to the field; or empty."""
    choices: tuple[Choice, ...]
    """The two hands from two phones to choose from; else none."""
    sum_says: str
    """How the round changes the total: "65 + 45 = 110", "60 so far", "Phase 2 · 10"."""
    saved: bool
    """Whether it’s saved already, while other hands of the round are missing."""
    told: tuple[str, ...]
    """Short notes about the hand: whether the desk recorded what was laid down, and the cards taken
    by May I’s in addition to the deal."""
    step: str = ""
    """The step of a player who climbs alone: "Phase 2"; empty in other games."""
    step_made: str = ""
    """The text for `step` once they make it: "Phase 2 → 3"."""

    @property
    def sum_parts(self) -> tuple[str, str]:
        """The text in `sum_says` up to the new total, and the total; empty if it names none."""
        found = _NEW_TOTAL.fullmatch(self.sum_says)
        return (found[1], found[2]) if found else (self.sum_says, "")

    @property
    def points_sum(self) -> int | None:
        """The points left in hand, if they were typed as a sum or card by card; else None."""
        return self.points if "+" in self.hand.left or self.arrangement else None

    @property
    def table_sum(self) -> int | None:
        """The points on the table, if they were typed as a sum; else None."""
        return self.table_points if "+" in self.hand.table else None


class TeamPlayer(NamedTuple):
    """A player of a team, as the page shows them."""

    player_id: int
    name: str
    token: Token
    deals: bool = False


class TeamSums(NamedTuple):
    """The points of a team’s hand, and the total with them, as far as they are typed."""

    hand: str
    total: str
    says: str
    """A note about the total: "needs 90" for the next first meld, or "so far"."""
    table: str = ""
    """The points of melds named by their cards: "?" if they can’t be read, empty if none are."""
    bonus: Mapping[str, int] | None = None
    """The number of melds with each bonus, if melds are named by their cards; else None."""


class BonusKind(NamedTuple):
    """One kind of meld with a bonus, as a row of the page."""

    name: str
    title: str
    points: int


@dataclass(frozen=True, slots=True)
class CountFields:
    """The fields that the count page has for each team, with points that house rules can change."""

    bonuses: tuple[BonusKind, ...]
    aside: str
    """The cards that are laid open ("Red 3s"); empty if there are none."""
    aside_each: int
    aside_all: int | None
    most_aside: int
    """How many of the cards that are laid open the packs have."""
    aside_needs: str
    """What keeps such cards from counting against a team: "down", or the number of melds with a
    bonus that it needs, as digits."""
    out: int
    """The points for going out; 0 if there are none."""
    at_once: str
    """The name for going out with all cards at once; empty if that scores nothing more."""
    once: int
    """The points for going out with all cards at once; 0 if there are none."""
    reserve: str
    """The name of the second hand; empty if the page doesn’t ask whether it was taken."""
    untaken: int
    each_reserve: bool
    """Whether each player has a second hand."""
    adds: bool
    """Whether everything is simply added, so that a phone can do the sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamColumn:
    """The column of a team on the count page, with what was typed so far."""

    line: Line
    """The line of its first player, for whom the fields are named."""
    index: int
    """The number of the team, from 0."""
    name: str
    """The names of its players together: "Ann and Ben"."""
    token: Token
    players: tuple[TeamPlayer, ...]
    laid: Hand
    """The team’s hand with its bonus melds and open cards, as far as they can be read."""
    out: int
    """The id of its player who went out; 0 if none did."""
    untaken: frozenset[int]
    sums: TeamSums
    """The points and the total so far."""
    wrong: Mapping[str, str]
    """Why a row can’t be read, by row: "table" or "left"."""

    deals: bool = False
    """Always false: this page doesn’t mark dealers, but the template of a token reads it."""

    @property
    def partners(self) -> tuple[TeamPlayer, ...]:
        """Its players, if there are several; else none."""
        return self.players[1:] and self.players

    @property
    def first(self) -> int:
        """The id of the player that the fields are named for."""
        return self.line.player_id
