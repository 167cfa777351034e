"""The position to give advice on."""

from typing import NamedTuple

from referee.cards import Cards
from referee.melds.contracts import Contract, Need
from referee.melds.rules import MeldRules
from referee.plays import Moment
from referee.variant import Variant


class Position(NamedTuple):
    """What a player sees and has done so far in a round."""

    variant: Variant
    moment: Moment
    rules: MeldRules
    hand: Cards
    table: tuple[Cards, ...] = ()
    own: tuple[Cards, ...] = ()
    """Those of the melds in `table` that are the player’s."""
    down: bool = False
    """Whether the player has laid down in this round before."""
    contract: Contract | None = None
    """The contract of this step, met or not; None in a game without contracts."""

    def count(self, cards: Cards) -> int:
        """Return what these cards count in hand, in points."""
        return self.variant.values.count(cards, self.rules.wilds.cards)

    @property
    def scores(self) -> bool:
        """Whether melds on the table score."""
        return self.variant.pad.asks_table

    @property
    def needs(self) -> tuple[Need, ...]:
        """The melds that the player still needs to lay down, for a contract or an opening."""
        opening = self.variant.opening
        asked = opening.needs if self.contract is None and opening else self.contract
        return () if asked is None or self.down else asked.needs

    @property
    def lays_all(self) -> bool:
        """Whether the player needs to lay the whole hand at once, without a discard."""
        return bool(self.needs) and self.contract is not None and self.contract.no_discard
