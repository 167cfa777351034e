"""The card turned up at the deal, where it decides something: what is wild, who may knock."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.cards import ACE, JOKER_RANK, Card, Pack
from referee.suits import Suit


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcardRule:
    """What the card turned up at the deal decides; a joker counts as the lowest rank."""

    rank_wild: bool = False
    """Whether it decides what is wild in that deal: the cards of its rank, or the one after it."""
    next_of_suit: bool = False
    """Whether that is the card after it in its suit; after the highest comes the lowest."""
    knock: Mapping[int, int] = field(default_factory=dict)
    """The most points that a player who knocks may have left, by its rank; empty if it does not
    decide that."""

    twice: Suit | None = None
    """The suit of which it doubles all that a hand scores; None if none does."""

    def wild(self, upcard: Card, pack: Pack) -> frozenset[Card]:
        """The cards that are wild because of it."""
        if not self.rank_wild:
            return frozenset()
        if self.next_of_suit:
            ranks = pack.ranks
            if upcard.rank not in ranks:
                return frozenset()
            follows = ranks[(ranks.index(upcard.rank) + 1) % len(ranks)]
            return frozenset({Card(follows, upcard.suit)})
        return frozenset(card for card in pack.cards if card.rank == _rank(upcard))

    def times(self, upcard: Card) -> int:
        """How often a hand counts because of it."""
        return 2 if self.twice is not None and upcard.suit is self.twice else 1

    def may_knock(self, upcard: Card) -> int | None:
        """The most points that a player who knocks may have left; None if not decided."""
        return self.knock.get(_rank(upcard)) if self.knock else None


def _rank(upcard: Card) -> int:
    return ACE if upcard.rank == JOKER_RANK else upcard.rank
