"""The swaps that a player can make: wilds on the table taken for the cards they stand for.

Which of them are useful is found by searching for the best play from the hand after them.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from referee.advice.position import Position
from referee.cards import Cards
from referee.melds.rules import MeldRules
from referee.melds.standing import standing
from referee.plays import Taken
from referee.rulings import MeldKind
from referee.turns.swaps import standing_for

_MOST: Final = 64
"""The most exchanges to try; 4 wilds on the table make 15."""


class Exchange(NamedTuple):
    """Several swaps made on one turn, and the hand and the table after them."""

    hand: Cards
    table: tuple[Cards, ...]
    swaps: tuple[Taken, ...] = ()
    """The swaps in order; each names its meld as it is after those before."""
    lacks: Cards = ()
    """The cards to give that aren’t in the hand; empty for swaps that can be made now."""

    @property
    def names(self) -> Counter[object]:
        """How many times each card is given for each wild, with (card, wild) as the key."""
        return Counter([(swap.give, swap.take) for swap in self.swaps])


def exchanges(position: Position, *, lacking: int = 0) -> tuple[list[Exchange], bool]:
    """Return the exchanges that a player can make, fewest swaps first, and whether these are all.

    With `lacking`, the hand can be without up to that many of the cards to give.
    """
    rule, contract, rules = position.variant.swaps, position.contract, position.rules
    if rule is None or not rule.allowed or (contract is not None and contract.no_discard):
        return [], True
    if not (rule.when_down if position.down else rule.before_down):
        return [], True
    # Players don’t take from their own melds. Equal melds can’t be distinguished, so skip as many
    # of them as are the player’s own.
    left, theirs = Counter(position.own), []
    for at, meld in enumerate(position.table):
        left[meld] -= 1
        if left[meld] < 0 and not rules.wilds.cards.isdisjoint(meld):
            theirs.append(at)
    found, known = [Exchange(position.hand, position.table)], set()
    for one in found:
        for at in theirs:
            for swap, meld in _swaps(one.table[at], rules, runs_only=rule.runs_only):
                lying = (*one.table[:at], meld, *one.table[at + 1 :])
                more = _made(position.hand, lying, (*one.swaps, swap))
                key = frozenset(more.names.items()), tuple(sorted(lying, key=str))
                if len(more.lacks) <= lacking and key not in known:
                    if len(found) > _MOST:
                        return found[1:], False
                    known.add(key)
                    found.append(more)
    return found[1:], True


def _swaps(meld: Cards, rules: MeldRules, *, runs_only: bool) -> Iterator[tuple[Taken, Cards]]:
    """Yield the swaps of one wild that a meld allows, with any card, and the meld after each."""
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
