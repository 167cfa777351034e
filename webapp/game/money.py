"""Money: the value of a point, and who pays whom when the evening is over."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee import Variant, differences, settle_up
from webapp.game.replay import GameState
from webapp.language import say
from webapp.refusal import Refusal
from webapp.text.formatting import MINUS

LONGEST_CURRENCY: Final = 12
"""The most characters of a currency."""

_STAKE: Final = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,4}))?", re.ASCII)


class UnreadableStakeError(Refusal, ValueError):
    """The text typed for the value of a point isn’t a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """The value of a point as a whole number of units: 0.05 € is 5 units with 2 decimals."""

    units: int
    places: int
    """The number of decimals of an amount: a unit is 0.01 of the currency if it’s 2."""
    currency: str

    def says(self, units: int) -> str:
        """Return an amount as text: "3.40 €", "−12 pesos"."""
        whole, rest = divmod(abs(units), 10**self.places)
        number = f"{whole}.{rest:0{self.places}d}" if self.places else str(whole)
        return f"{MINUS if units < 0 else ''}{number} {self.currency}".rstrip()


@dataclass(frozen=True, slots=True)
class Winnings:
    """The winnings in a game that is played for money."""

    stake: Stake
    units: Mapping[int, int]
    """The amount that each player has won, by player id, negative if they lost, in the unit of the
    stake. Empty if the amounts don’t add up to 0 and so can’t be paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """One payment when the game is settled in money."""

    payer: str
    payee: str
    amount: str
    """The amount as text: "3.40 €"."""

    @property
    def says(self) -> str:
        """The payment in words: "Ana pays Ben 3.40 €"."""
        return say("evening.pays-amount", payer=self.payer, payee=self.payee, amount=self.amount)


def clean_stake(text: str) -> str:
    """Return a typed stake in its stored spelling: "0.05"; empty if nobody plays for money.

    Raises UnreadableStakeError if the text can’t be a stake.
    """
    plain = "".join(unicodedata.normalize("NFKC", text[:40]).split())
    if not plain:
        return ""
    found = _STAKE.fullmatch(plain)
    if not found:
        raise UnreadableStakeError
    whole, rest = int(found[1]), (found[2] or "").rstrip("0")
    if not whole and not rest:
        return ""
    # Cents are written in full: 0.5 of a euro is 0.50.
    return f"{whole}.{rest:0<2}" if rest else str(whole)


def stake_of(text: str, currency: str) -> Stake | None:
    """Return a stake from its stored text; None if nobody plays for money."""
    if not text:
        return None
    whole, _, rest = text.partition(".")
    return Stake(units=int(whole + rest), places=len(rest), currency=currency)


def is_payable(variant: Variant, players: int) -> bool:
    """Return whether points can be paid: the players’ points add up to 0, or teams win."""
    return variant.pad.zero_sum or variant.in_teams(players)


def winnings_of(state: GameState) -> Winnings | None:
    """Return everybody’s winnings in a game; None if nobody plays for money."""
    stake = stake_of(state.start.stake, state.start.currency)
    if stake is None:
        return None
    points = _points(state)
    units = {who: won * stake.units for who, won in points.items()}
    return Winnings(stake, {} if sum(units.values()) else units)


def _points(state: GameState) -> dict[int, int]:
    """Return the points each player has won: as paid, or by how far the other teams are behind.

    While the game is going on, the leaders count as winners.
    """
    score, pad = state.score, state.variant.pad
    if not pad.zero_sum and state.in_teams:
        won = state.winners or score.leaders
        first = next((at for at, team in enumerate(state.teams) if team[0] in won), 0)
        totals = [score.results[team[0]] for team in state.teams]
        players = [[state.seats[place] for place in team] for team in state.teams]
        return differences(totals, players, first)
    # Points from paper were won; those for joining late were not.
    before = state.carried_on.totals if state.carried_on else {}
    return {
        who: total - seat.carried + before.get(who, 0)
        for who, total, seat in zip(state.seats, score.results, state.seating.seats, strict=True)
    }


def settle(winnings: Winnings | None, names: Mapping[int, str]) -> tuple[Payment, ...]:
    """Return who pays whom, with the fewest payments; none if nobody plays for money."""
    if winnings is None:
        return ()
    return tuple(
        Payment(
            payer=names[each.payer],
            payee=names[each.payee],
            amount=winnings.stake.says(each.amount),
        )
        for each in settle_up(winnings.units)
    )
