"""The parts of a play: what it is made of, and what each may use and gains."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from referee.advice.lays.gains import Gains
    from referee.cards import Card


class Laid(NamedTuple):
    """Cards that are laid together."""

    cards: tuple[Card | None, ...]
    """None stands for any wild."""
    onto: int = -1
    """Which meld of the table they join; less than 0 where they are a new one."""


Charges: TypeAlias = tuple[tuple[int, int], ...]
"""Which cards gain less than they are worth, by their bits, rising, and how much less."""


class Share(NamedTuple):
    """The natural cards that a part may use, as a mask."""

    may: int
    charges: Charges = ()

    def charged(self, bit: int, charge: int) -> Share:
        """The same where a card is charged so much, and not what it was before."""
        others = [one for one in self.charges if one[0] != bit]
        return Share(self.may, tuple(sorted([*others, (bit, charge)] if charge else others)))


class Part(Protocol):
    """The runs of a suit, the sets of a rank, or the wilds that lie alone."""

    @property
    def bits(self) -> Mapping[Card, int]:
        """The natural cards that it may use, each with its bit in the mask of a share."""

    def gains(self, share: Share) -> Gains:
        """The most that it gains, for each number of wilds."""

    def laid(self, share: Share, wilds: int, taken: AbstractSet[Card]) -> Sequence[Laid]:
        """What gains that with so many wilds; best without cards that are `taken` elsewhere."""
