"""A position to advise on: what a player sees and has done."""

from typing import NamedTuple

from referee.cards import Cards
from referee.melds.contracts import Contract, Need
from referee.melds.rules import MeldRules
from referee.plays import Moment
from referee.variant import Variant


class Position(NamedTuple):
    """What a player sees and has done."""

    variant: Variant
    moment: Moment
    rules: MeldRules
    hand: Cards
    table: tuple[Cards, ...] = ()
    own: tuple[Cards, ...] = ()
    """The melds of the table that are the player's."""
    down: bool = False
    """Whether the player has laid down in this round before."""
    contract: Contract | None = None
    """The melds to lay down, or that are down already; None in a game without contracts."""

    def count(self, cards: Cards) -> int:
        """What cards count in hand."""
        return self.variant.values.count(cards, self.rules.wilds.cards)

    @property
    def scores(self) -> bool:
        """Whether cards on the table score."""
        return self.variant.pad.asks_table

    @property
    def needs(self) -> tuple[Need, ...]:
        """The melds that still have to be laid, each as often as it is asked for."""
        opening = self.variant.opening
        asked = opening.needs if self.contract is None and opening else self.contract
        return () if asked is None or self.down else asked.needs

    @property
    def lays_all(self) -> bool:
        """Whether the whole hand has to go down at once."""
        return bool(self.needs) and self.contract is not None and self.contract.no_discard
