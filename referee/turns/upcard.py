"""The upcard: the card turned up at the deal, if it decides what is wild or when to knock."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.cards import ACE, JOKER_RANK, Card, Pack
from referee.suits import Suit


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcardRule:
    """What the card turned up at the deal (the upcard) decides."""

    rank_wild: bool = False
    """Whether the upcard makes cards wild: those of its rank, or as `next_of_suit` says."""
    next_of_suit: bool = False
    """Whether only the next card in the upcard’s suit is wild; the lowest follows the highest."""
    knock: Mapping[int, int] = field(default_factory=dict)
    """The most points that a player can knock with, by the rank of the upcard; empty if the upcard
    doesn’t decide that."""

    twice: Suit | None = None
    """The suit of the upcard that doubles the score of a hand; None if no suit does."""

    def wild(self, upcard: Card, pack: Pack) -> frozenset[Card]:
        """Return the cards that this upcard makes wild.

        If the upcard is a joker, these are the aces, or none with `next_of_suit`.
        """
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
        """Return 2 if this upcard doubles the score of a hand; otherwise 1."""
        return 2 if self.twice is not None and upcard.suit is self.twice else 1

    def knock_limit(self, upcard: Card) -> int | None:
        """Return the most points that a player can knock with; None if not decided.

        A joker counts as an ace.
        """
        return self.knock.get(_rank(upcard)) if self.knock else None


def _rank(upcard: Card) -> int:
    return ACE if upcard.rank == JOKER_RANK else upcard.rank
