"""The results of advice: the best play from a hand, in any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from referee.cards import Card, Cards
from referee.plays import LayOff, Taken
from referee.rulings import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn that rearranges the melds on a table of tiles.

    >>> from referee import Moment, variants
    >>> from referee.advice import advise
    >>> game = variants.get("rummikub")
    >>> sevens, rack = game.pack.parse("B7 R7 O7"), game.pack.parse("K7 R1 R2")
    >>> turn = advise(game, Moment(), rack, table=(sevens,)).turn
    >>> turn.played, turn.value, len(turn.after[0])
    ((K7,), 7, 4)
    """

    after: tuple[Cards, ...]
    """All melds on the table afterwards."""
    played: Cards
    """The tiles played from the rack."""
    value: int
    """What the tiles played would have counted in hand."""
    origins: tuple[tuple[int | None, ...], ...] = ()
    """For each tile of each meld in `after`, the index (from 0) of the meld that it was in before
    the turn; None if it comes from the rack."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A single card that would make the contract possible.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("9C 9D 4D 5D 6D 7D JS KC QD 3H")
    >>> advice = advise(variants.get("mexican-rummy"), Moment(2), hand)
    >>> [(miss.card, miss.unseen) for miss in advice.misses]
    [(9S, 2), (9H, 2), (9D, 1), (9C, 1)]
    """

    card: Card
    """The card, by its rank alone if the game ignores suits."""
    unseen: int
    """How many copies of it are neither in the hand nor on the table."""


@dataclass(frozen=True, slots=True)
class Misses:
    """The single cards that would each make it possible to lay down a contract."""

    cards: tuple[Miss, ...] = ()
    """The cards, most unseen copies first; cards without an unseen copy are left out."""
    decided: bool = True
    """Whether these are all such cards; false if the search stopped before it was sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickUpAdvice:
    """What to take from the discard pile, and the play to make with it.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand, pile = parse_cards("4C 4H 9S KH QD 2C 7S"), parse_cards("9C 4D KS")
    >>> pickup = advise(variants.get("rummy-500"), Moment(), hand, pile=pile).pickup
    >>> pickup.take, pickup.points, pickup.gain
    (4D, 25, 40)
    """

    take: Card
    """The lowest card taken."""
    cards: Cards
    """All cards taken, bottom to top."""
    melds: tuple[Reading, ...] = ()
    layoffs: tuple[LayOff, ...] = ()
    kept: Cards = ()
    points: int
    """What the play scores, minus what the cards kept count."""
    gain: int
    """How much better this is than the best play from the hand alone, without drawing a card; below
    0 if taking from the pile is worse."""
    decided: bool = True
    """Whether nothing better can exist; False if the search stopped early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The best play found: the result of `advise`.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("7C 7S 7H 4D 5D 2S 7D KC KD 3H")
    >>> advice = advise(variants.get("mexican-rummy"), Moment(2), hand)
    >>> advice.possible, advice.kept, advice.points
    (True, (KC, KD, 3H), 25)
    """

    possible: bool
    """Whether a legal play was found; if not and `decided` is true, no legal play exists."""
    melds: tuple[Reading, ...] = ()
    """The new melds to lay down or show; if no hand closes, those that leave the least."""
    layoffs: tuple[LayOff, ...] = ()
    """The cards to lay off on melds on the table."""
    swaps: tuple[Taken, ...] = ()
    """The wilds to take from melds on the table before laying down, in this order. If several come
    from one meld, each swap names the meld as it is after the one before."""
    kept: Cards = ()
    """The cards still in hand after the play, including the discard."""
    discard: Card | None = None
    """The card to discard if a hand is shown without it; None in other games."""
    closes_as: str | None = None
    """The word for what the hand closes as; None if it doesn’t close."""
    multiplier: int | None = None
    """How many times the others pay for it; None if it doesn’t close."""
    turn: Turn | None = None
    """The turn at a table that can be rearranged; None in other games or if none was found."""
    points: int
    """What the cards kept count. If melds score and a play was found, what it scores minus that."""
    look_for_misses: Callable[[], Misses] = field(default=Misses, repr=False, compare=False)
    """Returns the misses; only the first call takes long, because it searches for them."""
    pickup: PickUpAdvice | None = None
    """What to take from the discard pile; None if no pile was given or nothing can be taken."""
    decided: bool = True
    """Whether nothing better can exist; False if the search stopped early."""

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The cards that would each make the contract possible; empty if it is, or if unsure."""
        return self.look_for_misses().cards

    @property
    def misses_decided(self) -> bool:
        """Whether `misses` has all such cards."""
        return self.look_for_misses().decided

    def worked_out(self) -> Advice:
        """Return the same advice with its misses found, so that it can be pickled."""
        misses = self.look_for_misses()
        return replace(self, look_for_misses=partial(Misses, misses.cards, misses.decided))
