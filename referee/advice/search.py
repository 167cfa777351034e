"""Find the best combination of choices: an exact search with a bound and a budget.

The lowest card is tried in each of its choices, or stays in hand with its copies, and the same is
done with the cards that remain. With 4♦ 5♦ 6♦ 6♣ 6♥, the 4♦ is tried in its only meld, which leaves
the two 6s, and in hand, which leaves the set of 6s. The best result for the remaining cards is
remembered: this is set packing by dynamic programming. What a contract or an opening still needs is
counted down in the same way as cards.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from referee.advice.budget import Budget
from referee.advice.choices import Choices, Item, Token
from referee.melds.listing import FIELD, lowest

_REMEMBERED: Final = 30
"""The units of work for each remembered result, which bounds the memory that a search can use."""
_ALL: Final = (1 << FIELD) - 1


class _Laid(NamedTuple):
    """The best choices for some cards of a hand, as a linked list: the first, then the others."""

    gain: int = 0
    """The gain of all choices in the list together."""
    choice: Item | None = None
    """The first choice; None if all the cards stay in hand."""
    rest: "_Laid | None" = None

    @property
    def choices(self) -> Iterator[Item]:
        """All choices, the first one first."""
        found: _Laid | None = self
        while found is not None and found.choice is not None:
            yield found.choice
            found = found.rest


class Search:
    """A search for the best combination of choices from one hand."""

    def __init__(
        self,
        choices: Choices,
        budget: Budget,
        *,
        need: int = 0,
        must: Mapping[int, int] | None = None,
        lays_all: bool = False,
    ) -> None:
        """Prepare a search for choices that meet these needs.

        Together they bring at least `need` (see `Item.brings`) and use at least the number of cards
        in `must` of each field, or with `lays_all` the whole hand.
        """
        self.choices, self.budget, self.need = choices, budget, need
        self.fields = len(choices.sizes)
        # If too much of a field is used, the subtraction borrows from its highest bit, the guard.
        self.guards = sum(1 << (FIELD * at + FIELD - 1) for at in range(self.fields))
        self.by_lowest: list[list[Item]] = [[] for _ in range(self.fields)]
        for choice in choices.all:
            self.by_lowest[lowest(choice.uses)].append(choice)
        for some in self.by_lowest:
            some.sort(key=lambda choice: -choice.gain)
        self.most = choices.most
        self.asked = [need.size for need in choices.needs]
        # How many of each field can be left over. Wilds as naturals are counted in their pools.
        self.spare = [*choices.sizes[: choices.need_at], *[0] * len(self.asked)]
        for at in range(choices.hand.end) if lays_all else ():
            if not choices.hand.is_own(at):
                self.spare[at] = 0
        for at, number in (must or {}).items():
            self.spare[at] -= number
        self.known: dict[tuple[int, int, frozenset[Token]], _Laid | None] = {}

    @property
    def is_decided(self) -> bool:
        """Whether the search was complete, so that nothing better exists among the choices."""
        return self.choices.is_whole and not self.budget.spent

    def best(self, *, keep: int | None = None) -> list[Item] | None:
        """Return the choices that gain the most; None if none that meet the needs were found.

        With `keep`, one card of that field stays in hand.
        """
        whole, spare = self.choices.whole, self.spare
        if keep is not None:
            whole -= 1 << FIELD * keep
            self.spare = [*spare]
            self.spare[keep] = max(0, spare[keep] - 1)
        most = sum(n * each for n, each in zip(self._sizes(whole), self.most, strict=True))
        found = self._best(whole, self.need, frozenset(), most)
        # Another card to keep changes what can be left over, so remembered results would be wrong;
        # this also frees the memory.
        self.known.clear()
        self.spare = spare
        return None if found is None else [*found.choices]

    def _sizes(self, left: int) -> bytes:
        return left.to_bytes(self.fields, "little")

    def _best(self, left: int, need: int, has: frozenset[Token], most: int) -> _Laid | None:
        """Return the best choices for what is `left` of each field; None if there are none.

        They still need to bring `need`, and can’t exclude what is in `has`, the properties of the
        melds chosen so far. `most` is an upper bound for their gain.
        """
        at = lowest(left) if left else self.fields
        while at < self.fields and not self.by_lowest[at]:
            count = left >> FIELD * at & _ALL
            if count > self.spare[at]:
                return None
            left ^= count << FIELD * at
            most -= count * self.most[at]
            at = lowest(left) if left else self.fields
        if at == self.fields:
            return None if need > 0 else _Laid()
        # If too few cards are left for the contract, give up now instead of trying them all.
        if self.asked and self._is_short(left):
            return None
        key = left, need, has
        if key not in self.known:
            best = self._best_choice(at, left, need, has, most)
            self.known[key] = self._or_kept(best, key, at, most)
        return self.known[key]

    def _best_choice(
        self, at: int, left: int, need: int, has: frozenset[Token], most: int
    ) -> _Laid | None:
        """Return what `_best` does, but only choices that lay a card of `at`, the lowest field."""
        best: _Laid | None = None
        guarded, options = left | self.guards, self.by_lowest[at]
        self.budget.left -= _REMEMBERED + len(options)
        for choice in options:
            rest_left = guarded - choice.uses
            if rest_left & self.guards != self.guards or not has.isdisjoint(choice.bars):
                continue
            if self.budget.spent:
                break
            rest_most = most - choice.most
            # Branch and bound: the rest can’t gain more than `rest_most`, so this can’t be better.
            if best is not None and choice.gain + rest_most <= best.gain:
                continue
            rest = self._best(
                rest_left ^ self.guards,
                max(need - choice.brings, 0),
                has | choice.has if choice.has else has,
                rest_most,
            )
            if rest is not None and (best is None or rest.gain + choice.gain > best.gain):
                best = _Laid(rest.gain + choice.gain, choice, rest)
                # This is as good as the bound, so nothing can be better.
                if best.gain == most:
                    break
        return best

    def _or_kept(
        self, best: _Laid | None, rest_of: tuple[int, int, frozenset[Token]], at: int, most: int
    ) -> _Laid | None:
        """Return `best`, or the best choices without the cards of the lowest field if better."""
        left, need, has = rest_of
        count = left >> FIELD * at & _ALL
        most -= count * self.most[at]
        if count > self.spare[at] or (best is not None and best.gain >= most):
            return best
        rest = self._best(left ^ (count << FIELD * at), need, has, most)
        return rest if best is None or (rest is not None and rest.gain > best.gain) else best

    def _is_short(self, left: int) -> bool:
        """Return whether fewer cards are left than the contract still needs."""
        sizes, hand = self._sizes(left), self.choices.hand
        asked = zip(sizes[self.choices.need_at :], self.asked, strict=True)
        there = sum(sizes[: hand.own_at]) + sum(sizes[hand.pool_at : hand.end])
        return sum(n * size for n, size in asked) > there
