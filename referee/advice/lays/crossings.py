"""Sets and runs at once: the cards that lie at a crossing of the two go to one of them.

Branch and bound: where every part of a play takes what it likes, and only wilds are shared out, the
parts gain no less together than any play. A card that two of them take is settled, and both ways
are followed, what promises more first. In hard hands such cards are charged in both places
(Lagrangian relaxation with subgradient steps). A card that must be laid is charged less than
nothing, so that no play is worth having without it. A look is a few sums of rows, 10 to 30 µs.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.advice.lays.gains import total_of
from referee.advice.lays.parts import Share
from referee.advice.lays.prices import BONUS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.gains import Total
    from referee.advice.lays.parts import Laid, Part
    from referee.advice.lays.prices import Prices
    from referee.cards import Card

MOST_WORK: Final = 4_000
"""How many looks are taken for one piece of advice before the best play so far must do."""
PLAIN: Final = 120
"""How many looks are taken before cards are charged; after that each time `_TIMES` as many."""
_TIMES: Final = 4
_ROUNDS: Final = 20
"""How often charges are changed before the search goes on."""
_ROUND: Final = 10
"""How many looks that is worth each time."""
_STUBBORN: Final = 4
"""After how many rounds without a lower promise the changes are made half as large."""

_CardCharges: TypeAlias = "dict[Card, int]"


class LayPlan(NamedTuple):
    """A play, and what it gains."""

    gain: int
    laid: list[Laid]


class _Branch(NamedTuple):
    """Which cards each part may still use, and what they gain there."""

    promise: int
    """No play of this branch gains more."""
    charges: _CardCharges
    """What cards are charged that may still lie in two places."""
    must: int
    """How many cards must be laid."""
    shares: tuple[Share, ...]
    total: Total


class _Seen(NamedTuple):
    """What every part of a branch likes best."""

    naturals: set[Card]
    twice: list[Card]
    """The cards that are taken twice, those first that gain most."""
    idle: list[Card]
    """The cards that are charged for nothing: they are not taken at all."""


class Crossings:
    """The search for the play of one hand that gains most."""

    def __init__(  # noqa: PLR0913 - what is there, and what is asked
        self,
        prices: Prices,
        parts: Iterable[Part],
        cards: Sequence[Card],
        wilds: int,
        *,
        must: Collection[Card] = (),
        wild_must: bool = False,
    ) -> None:
        self._prices = prices
        self._cards = cards
        """The natural cards of the hand."""
        self._must = must
        self._wild_must = wild_must
        """Whether at least one wild must be laid."""
        self._parts = [part for part in parts if max(part.gains(_whole(part))) > 0]
        self._users: dict[Card, list[tuple[int, int]]] = {}
        """The parts that may use a card, by their indexes, each with its bit; the last first."""
        for at, part in reversed([*enumerate(self._parts)]):
            for card, bit in part.bits.items():
                self._users.setdefault(card, []).append((at, bit))
        self._most = sum(map(prices.most, cards)) + wilds * prices.wild_most
        """What the hand gains at the most, if all is laid where it gains most."""
        self._found: LayPlan | None = None
        self.cut = False
        """Whether there may be a better play than the one found."""

    def best(self, naturals: int, floor: int, budget: Budget) -> LayPlan | None:
        """The best play that gains more than `floor`; None where there is none.

        At least so many naturals are laid.
        """
        if not self._parts:
            return None
        self._naturals, self._floor, self._budget = naturals, floor, budget
        way, looks = self._start({}), PLAIN
        while way.promise > self._floor and not self._searched(way, looks):
            if budget.spent:
                self.cut = True
                break
            way = self._charge(way)
            looks *= _TIMES
        return self._found

    def _start(self, charges: _CardCharges) -> _Branch:
        """The branch where all cards may go anywhere, and some are charged."""
        shares = [*map(_whole, self._parts)]
        for card in {*charges, *self._must}:
            charge = charges.get(card, 0) - BONUS * (card in self._must)
            for at, bit in self._users.get(card, ()):
                shares[at] = shares[at].charged(bit, charge)
        rows = [part.gains(share) for part, share in zip(self._parts, shares, strict=True)]
        return self._look(charges, len(self._must), tuple(shares), total_of(rows))

    def _look(
        self, charges: _CardCharges, must: int, shares: tuple[Share, ...], total: Total
    ) -> _Branch:
        """A branch with what it promises."""
        self._budget.left -= 1
        gain = max(total.gains[self._wild_must :], default=0)
        promise = gain + sum(charges.values()) - must * BONUS
        promise -= promise % self._prices.unit
        return _Branch(min(promise, self._most), charges, must, shares, total)

    def _searched(self, way: _Branch, most: int) -> bool:
        """Search from a branch on with so many looks; whether that was enough."""
        stop = max(0, self._budget.left - most)
        ways = [way]
        while ways:
            way = ways.pop()
            if way.promise <= self._floor:
                continue
            if self._budget.left <= stop:
                return False
            seen = self._see(way)
            doubtful = seen.twice or seen.idle
            if doubtful:
                further = self._settled(way, doubtful[0])
            elif len(seen.naturals) < self._naturals:
                further = self._with_more(way, seen.naturals)
            else:
                continue
            ways += sorted(further, key=attrgetter("promise"))
        return True

    def _see(self, way: _Branch) -> _Seen:
        """Share out what a branch promises; a play that is better than the best so far is kept."""
        row = way.total.gains
        gain = max(row[self._wild_must :])
        shares = way.total.shares(row.index(gain, self._wild_must))
        laid: list[Laid] = []
        naturals: set[Card] = set()
        twice: list[Card] = []
        for part, share, wilds in zip(self._parts, way.shares, shares, strict=True):
            some = part.laid(share, wilds, naturals)
            cards = [card for one in some for card in one.cards if card]
            twice += [card for card in cards if card in naturals]
            naturals.update(cards)
            laid += some
        idle = [card for card in way.charges if card not in naturals]
        gain += sum([way.charges[card] for card in way.charges if card in naturals])
        gain -= way.must * BONUS
        if not twice and gain > self._floor and len(naturals) >= self._naturals:
            self._found, self._floor = LayPlan(gain, laid), gain
        twice.sort(key=lambda card: (-self._prices.most(card), self._cards.index(card)))
        return _Seen(naturals, twice, idle)

    def _charge(self, way: _Branch) -> _Branch:
        """Change charges until little is promised: the start with the best."""
        best, failed = way, 0
        for _ in range(_ROUNDS):
            self._budget.left -= _ROUND
            failed += way.promise >= best.promise
            if way.promise <= best.promise:
                best = way
            if way.promise <= self._floor or self._budget.spent:
                break
            seen = self._see(way)
            wrong = len(seen.twice) + len(seen.idle)
            if not wrong:
                break
            change = max(1, (way.promise - self._floor) // wrong >> failed // _STUBBORN)
            charges = dict(way.charges)
            for card in seen.twice:
                charges[card] = charges.get(card, 0) + change
            for card in seen.idle:
                charges[card] = max(0, charges[card] - change)
            way = self._start({card: charge for card, charge in charges.items() if charge})
        return best

    def _settled(self, way: _Branch, card: Card) -> Iterator[_Branch]:
        """The ways where a card is kept out of one of the two parts that may use it."""
        charges = {one: charge for one, charge in way.charges.items() if one is not card}
        for out, _ in self._users[card]:
            changes = {}
            for at, bit in self._users[card]:
                share = way.shares[at]
                charge = dict(share.charges).get(bit, 0) - way.charges.get(card, 0)
                may = share.may & ~bit if at == out else share.may
                changes[at] = Share(may, share.charged(bit, charge if at != out else 0).charges)
            yield self._changed(way, charges, changes, way.must)

    def _with_more(self, way: _Branch, naturals: Collection[Card]) -> Iterator[_Branch]:
        """The ways where one more card must be laid; those asked for before are not laid then."""
        for card in self._cards:
            if card in self._users and card not in naturals:
                asked, without = {}, {}
                for at, bit in self._users[card]:
                    share = way.shares[at]
                    asked[at] = share.charged(bit, -BONUS)
                    without[at] = Share(share.may & ~bit, share.charges)
                yield self._changed(way, way.charges, asked, way.must + 1)
                way = self._changed(way, way.charges, without, way.must)
                if way.promise <= self._floor:
                    return

    def _changed(
        self, way: _Branch, charges: _CardCharges, changes: Mapping[int, Share], must: int
    ) -> _Branch:
        """The branch where some parts, by their indexes, have other shares."""
        shares, total = list(way.shares), way.total
        for at, share in changes.items():
            shares[at] = share
            total = total.replaced(at, self._parts[at].gains(share))
        return self._look(charges, must, tuple(shares), total)


def _whole(part: Part) -> Share:
    """All that a part may use."""
    return Share(sum(part.bits.values()))
