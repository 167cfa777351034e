"""Sets and runs at once: the cards that lie at a crossing of the two go to one of them.

Branch and bound: a card that is taken twice is settled, and each of the two ways is looked at, the
more promising first. In hard hands cards that are taken twice are charged (Lagrangian relaxation
with subgradient steps). A card that must be laid is charged less than nothing, so that no play is
worth having without it. A look is a few sums of rows, 10 to 30 µs.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.advice.lays.gains import NEVER, both, most_of, share_out, total_of
from referee.advice.lays.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.gains import Gains, Total
    from referee.advice.lays.parts import RunsLaid, RunsPart, SetsLaid, SetsPart
    from referee.advice.lays.runs import Charges

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
"""What cards are charged."""


class LayPlan(NamedTuple):
    """A play: what it gains, its runs by suit, its sets by rank, and the wilds that are alone."""

    gain: int
    runs: tuple[RunsLaid, ...]
    sets: tuple[SetsLaid, ...]
    alone: int

    @property
    def naturals(self) -> set[Crossing]:
        """The naturals that are laid."""
        in_runs = [(laid.suit, at) for laid in self.runs for run in laid.runs for at in run.places]
        in_sets = [Crossing(suit, laid.place) for laid in self.sets for suit in laid.suits]
        return {Crossing(suit, at) for suit, at in in_runs if at is not None}.union(in_sets)


class _Branch(NamedTuple):
    """Which cards may still go where, and what they gain there."""

    promise: int
    """No play of this branch gains more."""
    charged: int
    """All charges, each once."""
    runs: tuple[Part, ...]
    sets: tuple[Part, ...]
    in_runs: Total
    in_sets: Total
    """With the wilds that are alone as the last part."""


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
        must: CardCharges,
        wild_must: bool,
        most: int,
        unit: int,
    ) -> None:
        self._must = must
        """What cards that must be laid are charged: less than nothing."""
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
        self._nothing: Gains = (0, *(NEVER,) * (len(alone) - 1))
        self._alone = alone
        self._found: LayPlan | None = None
        self.cut = False
        """Whether there may be a better play than the one found."""

    def best(self, floor: int, budget: Budget, overdraft: int) -> LayPlan | None:
        """The best play that gains more than `floor`; None where there is none.

        Where the budget is spent and there is no play yet, `overdraft` more is spent to find one.
        """
        self._budget, self._overdraft, self._floor = budget, overdraft, floor
        charges: CardCharges = {}
        way, looks = self._start(charges), PLAIN
        while way.promise > self._floor and not self._searched(way, looks):
            if self._ran_out:
                self.cut = True
                break
            charges, way = self._charge(charges, way)
            looks *= TIMES
        return self._found

    @property
    def _ran_out(self) -> bool:
        return self._budget.left <= (0 if self._found else -self._overdraft)

    def _start(self, charges: Mapping[Crossing, int]) -> _Branch:
        """The way where all cards may go anywhere, and some are charged."""
        by_suit: dict[int, Charges] = {}
        by_rank: dict[int, Charges] = {}
        for card in sorted({*charges, *self._must}):
            charge = charges.get(card, 0) + self._must.get(card, 0)
            if charge:
                by_suit[card.suit] = (*by_suit.get(card.suit, ()), (card.place, charge))
                by_rank[card.place] = (*by_rank.get(card.place, ()), (card.suit, charge))
        runs = tuple([Part(suit.cards, by_suit.get(suit.suit, ())) for suit in self._suits])
        sets = tuple([Part(rank.cards, by_rank.get(rank.place, ())) for rank in self._ranks])
        of_runs = [suit.gains(part) for suit, part in zip(self._suits, runs, strict=True)]
        of_sets = [rank.gains(part) for rank, part in zip(self._ranks, sets, strict=True)]
        in_runs = total_of(of_runs, self._nothing)
        in_sets = total_of([*of_sets, self._alone], self._nothing)
        charged = sum(charges.values()) + sum(self._must.values())
        return self._look(_Branch(0, charged, runs, sets, in_runs, in_sets))

    def _look(self, way: _Branch) -> _Branch:
        """A branch with what it promises."""
        self._budget.left -= 1
        rows = way.in_runs.gains, way.in_sets.gains
        gain = max(both(*rows)[1:]) if self._wild_must else most_of(*rows)
        promise = (gain + way.charged) // self._unit * self._unit
        return way._replace(promise=min(promise, self._most))

    def _searched(self, way: _Branch, most: int) -> bool:
        """Search from a way on with so many looks; whether that was enough."""
        stop = self._budget.left - most
        ways = [way]
        while ways:
            way = ways.pop()
            if way.promise <= self._floor:
                continue
            if self._ran_out or self._budget.left < stop:
                return False
            doubts = self._see(way)
            for card in (doubts.twice or doubts.idle)[:1]:
                ways += sorted(self._settled(way, card), key=attrgetter("promise"))
        return True

    def _settled(self, way: _Branch, card: Crossing) -> Iterator[_Branch]:
        """The two ways where a card is kept out of runs, or out of sets: it is charged no more."""
        at, index = self._at[card.suit], self._rank_at[card.place]
        left = self._must.get(card, 0)
        charged = way.charged + left - dict(way.runs[at].charges).get(card.place, 0)
        runs = way.runs[at].charged(card.place, left)
        sets = way.sets[index].charged(card.suit, left)
        no_run = runs._replace(cards=runs.cards & ~(1 << card.place))
        no_set = sets._replace(cards=sets.cards & ~(1 << card.suit))
        for of_suit, of_rank in ((runs, no_set), (no_run, sets)):
            settled = way._replace(
                charged=charged,
                runs=(*way.runs[:at], of_suit, *way.runs[at + 1 :]),
                sets=(*way.sets[:index], of_rank, *way.sets[index + 1 :]),
                in_runs=way.in_runs.replaced(at, self._suits[at].gains(of_suit)),
                in_sets=way.in_sets.replaced(index, self._ranks[index].gains(of_rank)),
            )
            yield self._look(settled)

    def _charge(self, charges: CardCharges, way: _Branch) -> tuple[CardCharges, _Branch]:
        """Change charges until little is promised: the best charges, and the way with them."""
        best, failed = (charges, way), 0
        for at in range(ROUNDS):
            self._budget.left -= ROUND
            if at:
                way = self._start(charges)
            if way.promise < best[1].promise:
                best = charges, way
            else:
                failed += 1
            if way.promise <= self._floor or self._ran_out:
                break
            doubts = self._see(way)
            wrong = len(doubts.twice) + len(doubts.idle)
            if not wrong:
                break
            change = max(1, (way.promise - self._floor) // wrong >> failed // STUBBORN)
            charges = dict(charges)
            for card in doubts.twice:
                charges[card] = charges.get(card, 0) + change
            for card in doubts.idle:
                charges[card] = max(0, charges[card] - change)
        return best

    def _see(self, way: _Branch) -> _Doubts:
        """Share out what a way promises; a play that is better than the best so far is kept."""
        rows = way.in_runs.gains, way.in_sets.gains
        row = both(*rows)
        gain = max(row[self._wild_must :])
        of_runs, of_sets = share_out(*rows, row.index(gain, self._wild_must), gain)
        gain += way.charged
        in_runs = [0] * self._number_of_suits
        runs_laid = []
        for suit, own, wilds in zip(
            self._suits, way.runs, way.in_runs.shares(of_runs), strict=True
        ):
            runs = suit.laid(own, wilds)
            in_runs[suit.suit] = runs.cards
            runs_laid.append(runs)
        *shares, alone = way.in_sets.shares(of_sets)
        twice: list[Crossing] = []
        idle: list[Crossing] = []
        sets_laid = []
        for rank, own, wilds in zip(self._ranks, way.sets, shares, strict=True):
            laid, place = rank.laid(own, wilds, in_runs), rank.place
            if laid is not None:
                sets_laid.append(laid)
                twice += [Crossing(one, place) for one in laid.suits if in_runs[one] >> place & 1]
            for one, charge in own.charges:
                card, in_set = Crossing(one, place), laid is not None and one in laid.suits
                extra = charge - self._must.get(card, 0)
                if extra and not in_set and not in_runs[one] >> place & 1:
                    idle.append(card)
                    gain -= extra
        twice.sort(key=lambda card: (-self._ranks[self._rank_at[card.place]].best, card.suit))
        if not twice and gain > self._floor:
            self._floor = gain
            self._found = LayPlan(gain, tuple(runs_laid), tuple(sets_laid), alone)
        return _Doubts(twice, idle)
