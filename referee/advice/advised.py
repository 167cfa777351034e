"""What is advised: the best play from a hand, in whatever game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from referee.cards import Card, Cards
from referee.plays import LayOff, Taken
from referee.rulings import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn makes of a table of tiles.

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
    """The tiles from the rack."""
    value: int
    """What those would have counted in hand."""
    origins: tuple[tuple[int | None, ...], ...] = ()
    """For each tile of each meld in `after` the meld of the table before that it comes from, by its
    index (from 0); None if it comes from the rack."""


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
    """The single cards with any of which a contract could be laid down."""

    cards: tuple[Miss, ...] = ()
    """Those of which most are unseen first; none of which all are seen."""
    decided: bool = True
    """Whether those are all; False if the search stopped before every card was tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickUpAdvice:
    """What to take off the discard pile, and the play it is for.

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
    """What the play scores, less what the cards that are then kept count."""
    gain: int
    """How much more that is than the best play from the hand alone, nothing drawn; less than 0
    if taking loses more than it brings."""
    decided: bool = True
    """Whether nothing better can exist; False if the search stopped early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The best play found; the answer of `advise`.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("7C 7S 7H 4D 5D 2S 7D KC KD 3H")
    >>> advice = advise(variants.get("mexican-rummy"), Moment(2), hand)
    >>> advice.possible, advice.kept, advice.points
    (True, (KC, KD, 3H), 25)
    """

    possible: bool
    """Whether there is a legal play."""
    melds: tuple[Reading, ...] = ()
    """The player’s own melds to lay down or show, each at its full length."""
    layoffs: tuple[LayOff, ...] = ()
    """What is laid off on melds of the table."""
    swaps: tuple[Taken, ...] = ()
    """The wilds that are taken out of melds of the table first, in this order, with the cards given
    for them; if several come out of one meld it is named as it then is."""
    kept: Cards = ()
    """The cards still in hand afterwards, before the discard."""
    discard: Card | None = None
    """The card to throw away, if the hand is shown without it."""
    closes_as: str | None = None
    """What the hand closes as, in the word for it."""
    multiplier: int | None = None
    """How many times the others pay for that."""
    turn: Turn | None = None
    """What becomes of the table, if it can be rearranged."""
    points: int
    """What the cards that are kept count; if melds score, what the play scores less that."""
    look_for_misses: Callable[[], Misses] = field(default=Misses, repr=False, compare=False)
    """Works out the misses, once: only a caller who asks waits for them."""
    pickup: PickUpAdvice | None = None
    """What to take off the discard pile, if one was shown and something can be taken."""
    decided: bool = True
    """Whether nothing better can exist; False if the search stopped early."""

    @property
    def misses(self) -> tuple[Miss, ...]:
        """If a contract can’t be laid down: the single cards with any of which it could be."""
        return self.look_for_misses().cards

    @property
    def misses_decided(self) -> bool:
        """Whether those are all."""
        return self.look_for_misses().decided

    def worked_out(self) -> Advice:
        """The same with its misses worked out, so that it can be sent to another process."""
        misses = self.look_for_misses()
        return replace(self, look_for_misses=partial(Misses, misses.cards, misses.decided))
