"""List everything that can be laid from a hand: each meld, and each group of cards to lay off.

Each of these is a *choice*, and a play is several choices that don’t need the same card. A choice
counts what it uses in one integer with 8 bits for each *field*. There are fields for the kinds and
pools of the hand (`melds`), for each meld on the table, because only one choice can add to it, and
for each need of a contract. So one subtraction shows whether a hand has enough of everything
(Lamport, “Multiple byte processing with full-word instructions”, CACM 18, 1975).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Final, NamedTuple, TypeAlias

from referee.advice.budget import Budget
from referee.advice.melds import Slots, SortedHand
from referee.advice.position import Position
from referee.cards import Card, Cards
from referee.melds.contracts import ContractRule
from referee.melds.limits import limits
from referee.melds.listing import FIELD, in_fields
from referee.melds.rules import MeldRules
from referee.melds.standing import standing
from referee.plays import LayOff
from referee.rulings import MeldKind, Reading
from referee.turns.layoffs import ways_on

_MELD: Final = 80
"""The units of work for listing a meld; looking at a choice in a search is 1."""
_LAY_OFF: Final = 4 * _MELD
"""The units of work for listing a lay-off."""
CARD: Final = 64
"""The gain for one point; larger than any hand, so that points come before the number of cards."""

Token: TypeAlias = tuple[object, ...]
"""A property that rules across the melds of a contract compare: a rank, a suit, or the end of a
run."""


class Item(NamedTuple):
    """One choice: a new meld, or the cards to lay off on one meld on the table."""

    uses: int
    """How much of each field it uses, 8 bits for each."""
    gain: int
    """The points it saves in hand and scores, times `CARD`, plus 1 for each card."""
    most: int
    """An upper bound for what its cards could gain in any choices."""
    brings: int
    """What it adds to the need of a first lay: points, naturals, or 1 for a meld."""
    cards: Cards
    """The cards in order; in place of a wild, any other wild of its pool will do."""
    slots: Slots
    """The index of the field that each card comes from."""
    onto: int = -1
    """The index in the table of the meld to lay off on; -1 for a new meld."""
    has: frozenset[Token] = frozenset()
    """If it is for a contract, its properties that other melds of the contract can exclude."""
    bars: frozenset[Token] = frozenset()
    """The properties that it excludes: no other meld of the contract can have them."""


class Choices:
    """Everything that can be laid from a hand in one position.

    `all` has the choices, `sizes` how much there is of each field, and `is_whole` is false if the
    budget ended the list early.
    """

    def __init__(
        self,
        position: Position,
        budget: Budget,
        *,
        melds: bool = True,
        naturals: bool = False,
        gains: bool = True,
    ) -> None:
        """List the choices, with up to half of the budget; the rest is for the search.

        Without `melds`, only lay-offs are listed. With `naturals`, `Item.brings` is the number of
        naturals. Without `gains`, all gains are 0, so that a search finds any way that meets the
        needs.
        """
        self.position, self.rules = position, position.rules
        self.gains, self.counts_naturals = gains, naturals
        self.hand = SortedHand(
            position.hand,
            self.rules,
            self._price,
            by_rank=self.rules.by_rank and not _wants_flush(position),
        )
        asked = Counter(position.needs)
        self.needs = list(asked)
        self.table_at = self.hand.end
        self.need_at = self.table_at + len(position.table)
        self.sizes = [
            *map(len, self.hand.fields),
            *[1] * len(position.table),
            *asked.values(),
        ]
        self.saved = [gains * (self._price(same[0]) * CARD + 1) for same in self.hand.fields]
        self.most = [*map(self._most, self.hand.fields)]
        for at in range(self.hand.own_at, self.hand.pool_at):
            # A wild that can be natural uses both its kind and its pool, so count it only there.
            self.most[at] = 0
        self.most += [0] * (len(self.sizes) - self.table_at)
        self.budget, self.least = budget, budget.left // 2
        self.is_whole = True
        self.all = [*self._melds(), *self._layoffs()] if melds else [*self._layoffs()]

    @property
    def whole(self) -> int:
        """`sizes` as one integer with 8 bits for each field, like `Item.uses`."""
        return in_fields(enumerate(self.sizes))

    def with_runs_that_meet(self) -> "Choices":
        """Return the same choices without the rule that a run can’t be split into two."""
        other = copy(self)
        other.all = [
            choice._replace(has=_not_ends(choice.has), bars=_not_ends(choice.bars))
            for choice in self.all
        ]
        return other

    def _price(self, card: Card) -> int:
        if not self.gains:
            return 0
        return self.position.variant.values.points(card, self.rules.wilds.cards)

    def _most(self, same: Sequence[Card]) -> int:
        """Return the most that a card of a field could gain: points in hand plus the best score.

        `same` are the cards of the field.
        """
        card, worth = same[0], self.position.variant.worth if self.position.scores else None
        if worth is None:
            return self.gains * (self._price(card) * CARD + 1)
        is_wild = card in self.rules.wilds.cards
        cards = tuple(map(Card, self.rules.pack.ranks)) if is_wild else (Card(card.rank),)
        readings = [
            Reading(MeldKind.SET, cards, cards),
            Reading(MeldKind.RUN, cards, cards, (0,) * len(cards)),
        ]
        if is_wild:
            readings.append(Reading(MeldKind.SET, (card,), (card,), rankless=True))
        best = max(points for reading in readings for points in worth(reading))
        return (self._price(card) + best) * CARD + 1

    def _melds(self) -> Iterator[Item]:
        """Yield each new meld, once for each need of the contract that it meets."""
        rule = self.position.variant.way
        contract = rule if isinstance(rule, ContractRule) else None
        # If a contract allows no extra melds, only list the kinds that it asks for.
        takes_any = contract is None or contract.extra_melds
        least = dict.fromkeys(MeldKind, 0) if takes_any else {}
        for need in () if takes_any else self.needs:
            least[need.kind] = min(need.size, least.get(need.kind, need.size))
        best: dict[tuple[object, ...], Item] = {}
        opening = None if self.position.down else self.position.variant.opening
        for reading, slots in self.hand.melds(least):
            if not self._has_work(_MELD):
                break
            # The list only has the right cards for a meld. Limits are checked by the referee’s own
            # function, so that they are in one place.
            if limits(reading, self.rules) or (opening and not opening.wilds and any(reading.wild)):
                continue
            plain = self._meld(reading, slots)
            for at, need in enumerate(self.needs, start=self.need_at):
                if need.is_met_by(reading):
                    has, bars = across(reading, contract, self.rules)
                    used = plain.uses + (1 << FIELD * at)
                    _keep(best, plain._replace(uses=used, has=has, bars=bars))
            if takes_any:
                _keep(best, plain)
        yield from best.values()

    def _meld(self, reading: Reading, slots: Slots) -> Item:
        variant, contract = self.position.variant, self.position.contract
        scored = sum(variant.worth(reading)) if variant.worth and contract is None else 0
        brings = 1
        if self.counts_naturals:
            brings = reading.naturals
        elif variant.opening is not None:
            brings = scored
        return self._choice(reading.cards, slots, scored, brings)

    def _choice(self, cards: Cards, slots: Slots, scored: int, brings: int) -> Item:
        # A wild in its own place counts in its pool.
        paid = [
            self.hand.pool_of[card] if self.hand.is_own(at) else at
            for at, card in zip(slots, cards, strict=True)
        ]
        return Item(
            self._uses(slots, cards),
            sum(self.saved[at] for at in slots) + scored * CARD * self.position.scores,
            sum(self.most[at] for at in paid),
            brings,
            cards,
            slots,
        )

    def _uses(self, slots: Slots, cards: Cards) -> int:
        hand = self.hand
        own = [card for at, card in zip(slots, cards, strict=True) if hand.is_own(at)]
        return in_fields((at, 1) for at in (*slots, *map(hand.pool_of.__getitem__, own)))

    def _layoffs(self) -> Iterator[Item]:
        position = self.position
        rule, contract = position.variant.lay_offs, position.contract
        if rule is None or (contract is not None and contract.no_discard):
            return
        if not position.down and rule.needs_down and not rule.in_same_turn:
            return
        mine = Counter(position.own)
        for at, onto in enumerate(position.table):
            own = mine[onto] > 0
            mine[onto] -= own
            for choice in self._laid_off_on(onto, own=own):
                uses = choice.uses + (1 << FIELD * (self.table_at + at))
                yield choice._replace(uses=uses, onto=at)

    def _laid_off_on(self, onto: Cards, *, own: bool) -> Iterator[Item]:
        """Yield what can be laid off on one meld, adding cards as long as they fit."""
        variant, rule = self.position.variant, self.position.variant.lay_offs
        assert rule is not None, "cards can be laid off"
        worth = variant.worth if self.position.scores else None
        alphabet = self._cards_apart()
        # Cards are tried with each reading of the meld: usually a few, but dozens with many wilds.
        work = _LAY_OFF * max(1, len(standing(onto, self.rules)) // 4)
        growing: list[tuple[Cards, Slots]] = [((), ())]
        seen = set[int]()
        while growing:
            laid, slots = growing.pop()
            for at, card in alphabet:
                cards, more = (*laid, card), (*slots, at)
                uses = self._uses(more, cards)
                if uses in seen or not self._has(uses):
                    continue
                seen.add(uses)
                if not self._has_work(work):
                    return
                play = LayOff(cards, onto, own=own, same_turn=not self.position.down)
                joined = ways_on(play, rule, self.rules, worth)[0]
                if joined.reading is None:
                    continue
                growing.append((cards, more))
                # Another card can make an illegal lay-off legal, so continue to add cards to it.
                if not any(finding.against for finding in joined.findings):
                    naturals = 0
                    if self.counts_naturals and not joined.reading.rankless:
                        naturals = joined.reading.wild[-len(cards) :].count(False)
                    yield self._choice(cards, more, joined.points, naturals)

    def _cards_apart(self) -> list[tuple[int, Card]]:
        """Return one card of each kind, and each different wild of the pools that is in no kind.

        Each comes with the index of its field. For lay-offs, it matters which wild it is.
        """
        cards = [(at, same[0]) for at, same in enumerate(self.hand.kinds)]
        for at, pool in enumerate(self.hand.pools, start=self.hand.pool_at):
            cards += [(at, card) for card in dict.fromkeys(pool) if card not in self.hand.kind_of]
        return cards

    def _has_work(self, work: int) -> bool:
        """Use some of the budget; return whether enough was left, else the list is incomplete."""
        self.budget.left -= work
        self.is_whole &= self.budget.left >= self.least
        return self.is_whole

    def _has(self, uses: int) -> bool:
        used = uses.to_bytes(len(self.sizes), "little")
        return all(n <= size for n, size in zip(used, self.sizes, strict=True))


def _wants_flush(position: Position) -> bool:
    """Return whether suits matter for a flush although sets and runs ignore them."""
    if position.rules.flush is None:
        return False
    lying = [reading for cards in position.table for reading in standing(cards, position.rules)]
    kinds = {need.kind for need in position.needs} | {reading.kind for reading in lying}
    return MeldKind.FLUSH in kinds


def _keep(best: dict[tuple[object, ...], Item], choice: Item) -> None:
    """Add a choice to `best`, unless a better one uses the same cards."""
    key = choice.uses, choice.has
    other = best.get(key)
    # Of choices that use the same cards, only the best can be in a best play. Melds with different
    # ends or ranks are kept, because they exclude different others.
    if other is None or (choice.gain, choice.brings) > (other.gain, other.brings):
        best[key] = choice


def across(
    reading: Reading, rule: ContractRule | None, rules: MeldRules
) -> tuple[frozenset[Token], frozenset[Token]]:
    """Return `Item.has` and `Item.bars` of a meld that is laid for a contract.

    If all sets of a contract need different ranks, a set of 7s has and bars ("set", 7). Both are
    empty without a rule for contracts.
    """
    if rule is None or reading.kind is MeldKind.FLUSH:
        return frozenset(), frozenset()
    if reading.kind is MeldKind.SET:
        rank = frozenset[Token]() if rule.same_rank_sets else frozenset({("set", reading.rank)})
        return rank, rank
    suit = reading.suit if rules.runs.one_suit else None
    has: list[Token] = [("run", suit)] if rule.different_suits and rules.runs.one_suit else []
    bars = [*has]
    if not rule.split_runs:
        # Two runs that meet are one run that was split, so the ends have to differ.
        top = rules.runs.top if rules.runs.wrap else 2 * rules.runs.above
        low, high = min(reading.places), max(reading.places)
        has += [("from", suit, low % top), ("to", suit, high % top)]
        bars += [("from", suit, (high + 1) % top), ("to", suit, (low - 1) % top)]
    return frozenset(has), frozenset(bars)


def _not_ends(tokens: frozenset[Token]) -> frozenset[Token]:
    return frozenset(token for token in tokens if token[0] not in {"from", "to"})
