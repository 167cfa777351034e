"""Sets and runs at once: the cards that lie at a crossing of the two go to one of them.

The runs of each suit and the sets of each rank know what they gain from the cards they are given
and so many wilds (`parts`). If every suit and every rank may take what it likes, and only the wilds
are shared out, the gain is at least as great as that of any play. Where no card is then taken
twice, it is the best play. Else one card that is taken twice is settled: it is kept out of the
runs, or out of the sets, and each of the two is looked at in the same manner, the more promising
first. What promises no more than the best play so far is left (branch and bound).

Where many cards cross, that promises too much for too long. Then cards that are taken twice are
charged: each of the two uses gains less by the charge, and the charge is added once. As no play
uses a card twice, none comes to less by that, so the promise stays true. Charges are raised where
cards are taken twice and lowered where they are not taken at all, until the promise is low
(Lagrangian relaxation with subgradient steps); the search goes on from there.

A look is a few sums of rows, 10 to 30 µs. Hands of 15 cards need some ten, of 25 a hundred.
"""

from __future__ import annotations

from itertools import accumulate
from operator import add, itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.advice.lays.gains import (
    NEVER,
    Share,
    both,
    nothing,
    share_out,
    splits,
    top_row,
    total_of,
)
from referee.advice.lays.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.gains import Gains, Stack, Total
    from referee.advice.lays.parts import RunsLaid, RunsPart, SetsLaid, SetsPart

MOST_WORK: Final = 4_000
"""How many looks are taken for one piece of advice before the best play so far must do."""
OVERDRAFT: Final = 200
"""How many more are taken where there is no play yet."""
PLAIN: Final = 120
"""How many looks are taken before cards are charged; after that each time `TIMES` as many."""
TIMES: Final = 4
ROUNDS: Final = 20
"""How often charges are changed before the search goes on."""
ROUND: Final = 10
"""How many looks that is worth each time."""
STUBBORN: Final = 4
"""After how many rounds without a lower promise the changes are made half as large."""


class Crossing(NamedTuple):
    """A card that may lie in a run and in a set."""

    suit: int
    place: int


CardCharges: TypeAlias = dict[Crossing, int]
"""What cards are charged; what was found for one hand is a good start for one much like it."""


class LayPlan(NamedTuple):
    """A play: what it gains, its runs by suit, its sets by rank, and the wilds that are alone."""

    gain: int
    runs: tuple[RunsLaid, ...]
    sets: tuple[SetsLaid, ...]
    alone: int


class _Branch(NamedTuple):
    """Which cards may still go where, and what they gain there."""

    runs: tuple[Part, ...]
    sets: tuple[Part, ...]
    in_runs: Total
    in_sets: Total
    """With the wilds that are alone as the last part."""
    charged: int
    """All charges, each once."""


class _Doubts(NamedTuple):
    """What is wrong with a way where every suit and rank takes what it likes."""

    twice: list[Crossing]
    """The cards that are taken twice, those first that gain most."""
    idle: list[Crossing]
    """The cards that are charged for nothing: they are not taken at all."""


class Crossings:
    """One hand: the cards of each suit, the ranks that may have sets, the wilds."""

    def __init__(  # noqa: PLR0913 - the parts of a hand
        self,
        suits: Sequence[RunsPart],
        ranks: Sequence[SetsPart],
        alone: Gains,
        *,
        need: int,
        wild_must: bool,
        most: int,
        unit: int,
    ) -> None:
        self._need = need
        """How many naturals must be laid."""
        self._cost = 2 if need else 1
        """What a look costs: most sums are made for each number of naturals."""
        self._wild_must = wild_must
        """Whether at least one wild must be laid."""
        self._most = most
        """What the hand gains at the most, if all is laid where it gains most."""
        self._unit = unit
        """What the gain of every play is a multiple of."""
        self._number_of_suits = len(suits)
        self._suits = [suit for suit in suits if suit.can_gain()]
        self._at = {suit.suit: at for at, suit in enumerate(self._suits)}
        self._ranks = ranks
        self._rank_at = {rank.place: at for at, rank in enumerate(ranks)}
        self._nothing = nothing(len(alone) - 1, need)
        self._alone: Stack = (alone, *self._nothing[1:])
        self._floor = 0
        self._found: LayPlan | None = None
        self.cut = False
        """Whether there may be a better play than the one found."""

    def best(
        self, floor: int, budget: Budget, overdraft: int, charges: CardCharges
    ) -> LayPlan | None:
        """The best play that gains more than `floor`; None where there is none.

        Where the budget is spent and there is no play yet, `overdraft` more is spent to find one.
        `charges` are those of a hand much like this one; they become those of this one.
        """
        self._budget, self._overdraft = budget, overdraft
        self._floor, self._found, self.cut = floor, None, False
        best = {card: charge for card, charge in charges.items() if self._may_cross(card)}
        way, looks = self._start(best), PLAIN
        promise = self._look(way)
        if best and promise > floor:
            promise, best = self._charge(promise, best)
            way = self._start(best)
        while promise > self._floor and not self._searched(promise, way, looks):
            if self._ran_out:
                self.cut = True
                break
            promise, best = self._charge(promise, best)
            way, looks = self._start(best), TIMES * looks
        charges |= best
        return self._found

    def _may_cross(self, card: Crossing) -> bool:
        """Whether there is such a card in the hand that may lie in a run and in a set."""
        at, index = self._at.get(card.suit), self._rank_at.get(card.place)
        if at is None or index is None:
            return False
        return bool(self._ranks[index].cards >> card.suit & 1)

    @property
    def _ran_out(self) -> bool:
        return self._budget.left <= (0 if self._found else -self._overdraft)

    def _start(self, charges: Mapping[Crossing, int]) -> _Branch:
        """The way where all cards may go anywhere, and some are charged."""
        by_suit: list[list[tuple[int, int]]] = [[] for _ in self._suits]
        by_rank: list[list[tuple[int, int]]] = [[] for _ in self._ranks]
        for card, charge in sorted(charges.items()):
            if charge:
                by_suit[self._at[card.suit]].append((card.place, charge))
                by_rank[self._rank_at[card.place]].append((card.suit, charge))
        runs = tuple(map(_part, self._suits, by_suit))
        sets = tuple(map(_part, self._ranks, by_rank))
        of_runs = [suit.stack(part) for suit, part in zip(self._suits, runs, strict=True)]
        of_sets = [rank.stack(part) for rank, part in zip(self._ranks, sets, strict=True)]
        return _Branch(
            runs,
            sets,
            total_of(of_runs, self._nothing),
            total_of([*of_sets, self._alone], self._nothing),
            sum(charges.values()),
        )

    def _searched(self, promise: int, way: _Branch, most: int) -> bool:
        """Search from a way on with so many looks; whether that was enough."""
        stop = self._budget.left - most * self._cost
        ways = [(promise, way)]
        while ways:
            promise, way = ways.pop()
            if promise <= self._floor:
                continue
            if self._ran_out or self._budget.left < stop:
                return False
            doubts = self._see(way)
            for card in (doubts.twice or doubts.idle)[:1]:
                settled = [(self._look(other), other) for other in self._settled(way, card)]
                ways += sorted(settled, key=itemgetter(0))
        return True

    def _settled(self, way: _Branch, card: Crossing) -> Iterator[_Branch]:
        """The two ways where a card is kept out of runs, or out of sets: it is charged no more."""
        at, index = self._at[card.suit], self._rank_at[card.place]
        runs, sets = way.runs[at], way.sets[index]
        run_charges = tuple([charge for charge in runs.charges if charge[0] != card.place])
        set_charges = tuple([charge for charge in sets.charges if charge[0] != card.suit])
        charged = way.charged - dict(runs.charges).get(card.place, 0)
        free = Part(runs.cards, run_charges), Part(sets.cards, set_charges)
        out = (
            Part(runs.cards & ~(1 << card.place), run_charges),
            Part(sets.cards & ~(1 << card.suit), set_charges),
        )
        for of_suit, of_rank in ((free[0], out[1]), (out[0], free[1])):
            in_runs = way.in_runs.replaced(at, self._suits[at].stack(of_suit))
            in_sets = way.in_sets.replaced(index, self._ranks[index].stack(of_rank))
            yield _Branch(
                (*way.runs[:at], of_suit, *way.runs[at + 1 :]),
                (*way.sets[:index], of_rank, *way.sets[index + 1 :]),
                in_runs,
                in_sets,
                charged,
            )

    def _charge(self, promise: int, charges: CardCharges) -> tuple[int, CardCharges]:
        """Change charges until little is promised: the least, and the charges for it."""
        best = promise, charges
        failed = 0
        for _ in range(ROUNDS):
            way = self._start(charges)
            self._budget.left -= ROUND * self._cost
            promise = self._look(way)
            if promise < best[0]:
                best = promise, charges
            else:
                failed += 1
            if promise <= self._floor or self._ran_out:
                break
            doubts = self._see(way)
            wrong = len(doubts.twice) + len(doubts.idle)
            if not wrong:
                break
            change = max(1, (promise - self._floor) // wrong >> failed // STUBBORN)
            charges = dict(charges)
            for card in doubts.twice:
                charges[card] = charges.get(card, 0) + change
            for card in doubts.idle:
                charges[card] = max(0, charges[card] - change)
        return best

    def _look(self, way: _Branch) -> int:
        """What a way promises: no play of it gains more."""
        self._budget.left -= self._cost
        best = NEVER
        for level, more in splits(self._need):
            row, others = way.in_runs.stack[level], way.in_sets.stack[more]
            if self._wild_must:
                best = max(best, *both(row, others)[1:])
            else:
                up_to = list(accumulate(others, max))
                best = max(best, *map(add, row, reversed(up_to)))
        return min((best + way.charged) // self._unit * self._unit, self._most)

    def _see(self, way: _Branch) -> _Doubts:
        """Share out what a way promises; a play that is better than the best so far is kept."""
        row = top_row(way.in_runs.stack, way.in_sets.stack)
        gain = max(row[self._wild_must :])
        whole = Share(self._need, row.index(gain, self._wild_must))
        of_runs, of_sets = share_out(way.in_runs.stack, way.in_sets.stack, whole, gain)
        gain += way.charged
        in_runs = [0] * self._number_of_suits
        runs_laid = []
        for suit, own, share in zip(
            self._suits, way.runs, way.in_runs.shares(of_runs), strict=True
        ):
            runs = suit.laid(own, share)
            in_runs[suit.suit] = runs.cards
            runs_laid.append(runs)
        *shares, alone = way.in_sets.shares(of_sets)
        twice: list[Crossing] = []
        idle: list[Crossing] = []
        sets_laid = []
        for rank, own, share in zip(self._ranks, way.sets, shares, strict=True):
            laid, place = rank.laid(own, share, in_runs), rank.place
            if laid is not None:
                sets_laid.append(laid)
                twice += [Crossing(one, place) for one in laid.suits if in_runs[one] >> place & 1]
            for one, charge in own.charges:
                in_set = laid is not None and one in laid.suits
                if not in_set and not in_runs[one] >> place & 1:
                    idle.append(Crossing(one, place))
                    gain -= charge
        twice.sort(key=lambda card: (-self._ranks[self._rank_at[card.place]].best, card.suit))
        if not twice and gain > self._floor:
            self._floor = gain
            self._found = LayPlan(gain, tuple(runs_laid), tuple(sets_laid), alone.wilds)
        return _Doubts(twice, idle)


def _part(of: RunsPart | SetsPart, charges: Sequence[tuple[int, int]]) -> Part:
    return Part(of.cards, tuple(charges))
