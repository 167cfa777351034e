"""Swaps that a hand could make: wilds of the table taken for the cards they stand for.

Which of these exchanges are worth while is found by advising on the hand that they make.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.rules import MeldRules
from referee.melds.standing import standing
from referee.plays import Taken
from referee.rulings import MeldKind
from referee.turns.swaps import standing_for

_MOST: Final = 64
"""How many exchanges are looked at; four wilds on the table make 15."""


class Exchange(NamedTuple):
    """Swaps made together, and what they make of a hand and a table."""

    hand: Cards
    table: tuple[Cards, ...]
    swaps: tuple[Taken, ...] = ()
    """In the order in which they are made: the second takes from what the first left."""
    lacks: Cards = ()
    """The cards to give that the hand does not hold."""

    @property
    def names(self) -> Counter[object]:
        """What is given for what."""
        return Counter([(swap.give, swap.take) for swap in self.swaps])


def exchanges(  # noqa: PLR0913 - whose melds, and what may lack
    hand: Cards,
    table: Sequence[Cards],
    rules: MeldRules,
    *,
    own: Sequence[Cards] = (),
    lacking: int = 0,
    runs_only: bool = False,
) -> tuple[list[Exchange], bool]:
    """The exchanges that a hand could make at a table, those of fewest swaps first.

    Nothing is taken out of `own` melds. With `lacking` the hand may lack so many of the cards that
    are given. The second answer is whether these are all there are.
    """
    # Equal melds can’t be distinguished: as many of them as are the player's own are passed over.
    left, theirs = Counter(own), []
    for at, meld in enumerate(table):
        left[meld] -= 1
        if left[meld] < 0 and not rules.wilds.cards.isdisjoint(meld):
            theirs.append(at)
    found, known = [Exchange(hand, tuple(table))], set()
    for one in found:
        for at in theirs:
            for swap, meld in _swaps(one.table[at], rules, runs_only=runs_only):
                lying = (*one.table[:at], meld, *one.table[at + 1 :])
                more = _made(hand, lying, (*one.swaps, swap))
                key = frozenset(more.names.items()), tuple(sorted(lying, key=str))
                if len(more.lacks) <= lacking and key not in known:
                    if len(found) > _MOST:
                        return found[1:], False
                    known.add(key)
                    found.append(more)
    return found[1:], True


def _swaps(meld: Cards, rules: MeldRules, *, runs_only: bool) -> Iterator[tuple[Taken, Cards]]:
    """The swaps of one wild that a meld allows, whoever holds the card, and the meld after each."""
    for reading in standing(meld, rules):
        there = reading.arranged
        for at, take in enumerate(there.cards):
            if there.wild[at] and (there.kind is MeldKind.RUN or not runs_only):
                for give in standing_for(there, at, rules):
                    yield Taken(give, take, meld), (*there.cards[:at], give, *there.cards[at + 1 :])


def _made(hand: Cards, table: tuple[Cards, ...], swaps: tuple[Taken, ...]) -> Exchange:
    held, given = Counter(hand), Counter([swap.give for swap in swaps])
    after = (held - given) + Counter([swap.take for swap in swaps])
    return Exchange(tuple(after.elements()), table, swaps, tuple((given - held).elements()))
