"""The results of advice: the best play from a hand, in any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from referee.cards import Card, Cards
from referee.plays import LayOff, Taken
from referee.rulings import Reading

T = TypeVar("T")


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
    """How many copies of the card are neither in the hand nor on the table."""


@dataclass(frozen=True, slots=True)
class Gapped:
    """A meld that a hand could lay down, and which of its cards are missing.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("9C 9D 4D 5D 6D 7D JS KC QD 3H")
    >>> closest = advise(variants.get("mexican-rummy"), Moment(2), hand).closest
    >>> [(gapped.meld.cards, sorted(gapped.missing)) for gapped in closest.arrangements[0]]
    [((4D, 5D, 6D, 7D), []), ((9C, 9D, 9), [2])]
    """

    meld: Reading
    """The meld once it is complete. A missing card has no suit here if it can be of several."""
    missing: frozenset[int]
    """The positions in `meld` (from 0) of the cards that are missing."""


@dataclass(frozen=True, slots=True)
class LetGo:
    """A card that a player can discard without getting farther from laying down.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("9C 9D 4D 5D 6D 7D JS KC QD 3H")
    >>> best = advise(variants.get("mexican-rummy"), Moment(2), hand).closest.let_go[0]
    >>> best.card, best.helps, best.is_idle
    (KC, 6, True)
    """

    card: Card
    helps: int
    """How many unseen cards still help without this card."""
    is_idle: bool
    """Whether no way to lay down with this few cards missing uses this card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closest:
    """How far a hand is from laying down.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("4H 5H 6H 7H 9C QC AD KH 10S 6D 3S")
    >>> closest = advise(variants.get("mexican-rummy"), Moment(3), hand).closest
    >>> closest.short, [str(miss.card) for miss in closest.helps]
    (2, ['2S', '2C', '10C', 'JC'])
    >>> [str(each.card) for each in closest.let_go[:3]]
    ['AD', 'KH', '10S']
    """

    short: int
    """The fewest cards that are missing; 0 if nothing close was found in time."""
    arrangements: tuple[tuple[Gapped, ...], ...]
    """The melds to lay down with the fewest cards missing, and if there are others that lack as
    few, one more choice of melds."""
    swaps: tuple[Taken, ...] = ()
    """The wilds that the first arrangement takes from melds on the table."""
    helps: tuple[Miss, ...]
    """The cards that would each make one fewer missing, most unseen copies first."""
    let_go: tuple[LetGo, ...]
    """The cards to discard: first those that leave most cards useful, then the highest."""
    decided: bool = True
    """Whether no melds can lack fewer cards, and all that lack as few were found."""


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
    """How many times the other players pay for the hand; None if it doesn’t close."""
    turn: Turn | None = None
    """The turn at a table that can be rearranged; None in other games or if none was found."""
    points: int
    """The points of the cards kept. If melds score and a play was found, the points that the play
    scores, minus those of the cards kept."""
    look_for_closest: Callable[[], Closest | None] = field(
        default=lambda: None, repr=False, compare=False
    )
    """Returns how far the hand is from laying down; only the first call takes long."""
    pickup: PickUpAdvice | None = None
    """What to take from the discard pile; None if no pile was given or nothing can be taken."""
    decided: bool = True
    """Whether nothing better can exist; False if the search stopped early."""

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The single cards that would each be enough to lay down; empty if more are missing."""
        return self.closest.helps if self.closest and self.closest.short == 1 else ()

    @property
    def misses_decided(self) -> bool:
        """Whether `misses` has all such cards."""
        return self.closest is None or self.closest.decided

    @property
    def closest(self) -> Closest | None:
        """How far the hand is from laying down; None if something can be played."""
        return self.look_for_closest()

    def worked_out(self) -> Advice:
        """Return the same advice with `closest` already looked for, so that it can be pickled."""
        return replace(self, look_for_closest=partial(_known, self.closest))


def _known(found: T) -> T:
    return found
