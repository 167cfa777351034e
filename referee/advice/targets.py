"""Targets: the melds that a hand could lay with a few more cards, grouped by what they use.

Each place of a target is filled with a card from the hand, a wild, or a card that is missing. With
7♥ and 8♥ in hand, 6♥ 7♥ 8♥ and 7♥ 8♥ 9♥ are targets. Both use the 7♥ and 8♥ and lack one card, so
they are one `Group`, and the search looks at the group instead of each target. Wilds aren’t counted
against the hand here: how many there are matters only once melds are put together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

from referee.advice.budget import Budget
from referee.advice.choices import Token, across
from referee.advice.position import Position
from referee.cards import JOKER_RANK, SPECIAL_RANK, Card, Cards
from referee.melds.contracts import ContractRule, Need
from referee.melds.limits import limits
from referee.melds.listing import FIELD, in_fields
from referee.melds.rules import rank_at
from referee.rulings import MeldKind, Reading

_TARGET: Final = 10
"""The units of work for listing a target; looking at a group in a search is 1."""


class Target(NamedTuple):
    """A meld that a hand could lay, as it would be with its missing cards."""

    reading: Reading
    """The meld; a missing card that can be of any suit has none here."""
    missing: tuple[int, ...]
    """The positions of the missing cards in `reading`, from 0."""
    others: tuple[Cards, ...]
    """For each missing card, in the order of `missing`, the unseen cards that it can be."""
    has: frozenset[Token]
    """As in `choices.Item`."""
    bars: frozenset[Token]
    """As in `choices.Item`."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Targets that use the same cards of a hand and lack the same number of cards."""

    uses: int
    """How many cards of each kind (`HeldCards.kinds`) the targets use, as one integer with 8 bits
    for each kind."""
    own: int
    """How many of the cards in `uses` are wilds in their own place."""
    in_sets: int
    """How many wilds each target uses in a set."""
    wilds: int
    """How many wilds each target uses in all, without wilds in their own place."""
    lacks: int
    """How many cards are missing."""
    size: int
    """How many cards the meld has, with those missing."""
    worth: int
    """The points of the meld towards an opening; 0 if points don’t matter."""
    meets: tuple[bool, ...]
    """For each need of an opening, whether the meld meets it; empty without an opening."""
    targets: list[Target] = field(default_factory=list, compare=False)

    @property
    def strange(self) -> int:
        """How many cards of the meld aren’t naturals from the hand."""
        return self.lacks + self.wilds

    @cached_property
    def wanted(self) -> frozenset[Card]:
        """The cards that are missing in any of the targets."""
        return frozenset(card for one in self.targets for some in one.others for card in some)

    @cached_property
    def is_choosy(self) -> bool:
        """Whether a target could exclude another meld of the contract."""
        return any(target.bars for target in self.targets)


class HeldCards:
    """A hand sorted for a search of targets, and the unseen cards, which could still come.

    `kinds` has each different card that can be natural, `at` the index of each of them, and `count`
    how many copies of each card the hand has. `pool` is the number of wilds, and `set_pool` the
    number of those that can be used in sets. Cards are as `plain` returns them.
    """

    def __init__(self, position: Position, hand: Cards, seen: Cards, budget: Budget) -> None:
        """Sort a hand. `seen` has all cards that can’t come, those of the hand included."""
        self.position, self.rules, self.budget = position, position.rules, budget
        rules, pack = position.rules, position.variant.pack
        self.contract = position.variant.way
        kinds = {need.kind for need in position.needs}
        self.by_rank = pack.by_rank or (rules.by_rank and MeldKind.FLUSH not in kinds)
        self.unseen: Counter[Card] = Counter()
        for card in pack.cards:
            self.unseen[self.plain(card)] += pack.copies
        if pack.jokers:
            self.unseen[Card(JOKER_RANK)] = pack.jokers
        self.unseen.subtract(map(self.plain, seen))
        wild = {self.plain(card) for card in rules.wilds.cards}
        self.set_wilds = {self.plain(card) for card in rules.wild_in_sets}
        self.wild = wild
        self.count = Counter(map(self.plain, hand))
        own = rules.wilds.natural_in_place
        self.kinds = [
            card
            for card in self.count
            if card.rank not in {JOKER_RANK, SPECIAL_RANK} and (own or card not in wild)
        ]
        self.kinds.sort(key=lambda card: (card.rank, str(card)))
        self.at = {card: at for at, card in enumerate(self.kinds)}
        self.pool = sum(self.count[card] for card in wild)
        self.set_pool = sum(self.count[card] for card in self.set_wilds)
        self.whole = in_fields((at, self.count[card]) for card, at in self.at.items())
        self.fitting: dict[Card, Cards] = {}
        self.runs = len(position.needs)
        # Nothing is lost if a run always takes a natural, unless wilds are of no use for a set.
        self.takes_naturals = position.contract is not None and (
            self.runs == 1 or self.set_wilds == wild
        )
        self.guards = sum(1 << (FIELD * at + FIELD - 1) for at in range(len(self.kinds)))

    def plain(self, card: Card) -> Card:
        """Return a card as it is compared: without its suit if suits don’t matter."""
        return Card(card.rank) if self.by_rank and card.rank != SPECIAL_RANK else card

    def short_of_wilds(
        self, own: int, in_sets: int, wilds: int, *, without: Card | None = None
    ) -> int:
        """Return how many more wilds some melds need than the hand has.

        The numbers are those of `Group`, added up over the melds. `without` is a wild of the hand
        that isn’t to be used.
        """
        pool = self.pool - own - (without is not None)
        set_pool = self.set_pool - (without in self.set_wilds)
        return max(0, in_sets - set_pool, wilds - pool)

    def groups(self, needs: Sequence[Need], sizes: range | None = None) -> list[Group]:
        """Return the targets for any of some needs, in groups.

        Groups in which the fewest cards aren’t naturals of the hand come first.
        `sizes` are the numbers of cards that a meld can have; by default as many as its need asks.
        """
        found: dict[Group, Group] = {}
        for need in needs:
            for size in sizes or (need.size,):
                for slots, reading, missing, others in self._targets(need, size):
                    self.budget.left -= _TARGET
                    if self.budget.spent:
                        return self._grouped(found)
                    self._add(found, need, slots, reading, missing, others)
        return self._grouped(found)

    def _add(  # noqa: PLR0913, PLR0917 - a target is all of these
        self,
        found: dict[Group, Group],
        need: Need,
        slots: Sequence[int],
        reading: Reading,
        missing: tuple[int, ...],
        others: tuple[Cards, ...],
    ) -> None:
        variant, opening = self.position.variant, None
        if self.position.contract is None and not self.position.down:
            opening = variant.opening
        if limits(reading, self.rules) or not need.is_met_by(reading):
            return
        wilds = sum(reading.wild)
        if opening is not None and wilds and not opening.wilds:
            return
        worth = sum(variant.worth(reading)) if opening is not None and variant.worth else 0
        meets = tuple(each.is_met_by(reading) for each in opening.needs.needs) if opening else ()
        rule = self.contract if isinstance(self.contract, ContractRule) else None
        has, bars = across(reading, rule, self.rules)
        group = Group(
            uses=in_fields((at, 1) for at in slots),
            own=sum(self.kinds[at] in self.wild for at in slots),
            in_sets=wilds if reading.kind is MeldKind.SET else 0,
            wilds=wilds,
            lacks=len(missing),
            size=len(reading.cards),
            worth=worth,
            meets=meets,
        )
        targets = found.setdefault(group, group).targets
        targets.append(Target(reading, missing, others, has, bars))

    @staticmethod
    def _grouped(found: Iterable[Group]) -> list[Group]:
        groups = [*found]
        groups.sort(key=lambda group: (group.strange, group.lacks, -group.worth))
        return groups

    def _targets(
        self, need: Need, size: int
    ) -> Iterator[tuple[list[int], Reading, tuple[int, ...], tuple[Cards, ...]]]:
        """Yield targets for a need as (kinds of the cards used, `reading`, `missing`, `others`)."""
        if need.kind is MeldKind.RUN:
            yield from self._runs(size, pure=need.pure)
        else:
            yield from self._alike(need, size)

    def _most_wilds(self, kind: MeldKind, *, pure: bool) -> int:
        """Return the most wilds to try in a meld: those of the hand, and one that may come."""
        wilds = self.rules.wilds
        there = self.set_pool if kind is MeldKind.SET else self.pool
        if pure or (kind is MeldKind.FLUSH and not wilds.in_flushes):
            return 0
        cards = self.set_wilds if kind is MeldKind.SET else self.wild
        there += any(self.unseen[card] > 0 for card in cards)
        most = wilds.of(kind).max_in_meld
        return there if most is None else min(there, most)

    def _runs(
        self, size: int, *, pure: bool
    ) -> Iterator[tuple[list[int], Reading, tuple[int, ...], tuple[Cards, ...]]]:
        runs, most = self.rules.runs, self._most_wilds(MeldKind.RUN, pure=pure)
        for suit in self.rules.pack.suits if runs.one_suit and not self.by_rank else (None,):
            for low in runs.starts(size):
                places = tuple(range(low, low + size))
                stands = [Card(rank_at(place, runs.top), suit) for place in places]
                fits = [self._of(stand) for stand in stands]
                for filled in _filled([self._fillers(stand) for stand in stands], most):
                    slots = [at for at in filled if at is not None and at >= 0]
                    if any(slots.count(at) > self.count[self.kinds[at]] for at in slots):
                        continue
                    missing = tuple(at for at, one in enumerate(filled) if one == _LACKS)
                    reading = self._read(MeldKind.RUN, filled, stands, places)
                    yield slots, reading, missing, tuple(fits[at] for at in missing)

    def _fillers(self, stand: Card) -> list[int | None]:
        """Return what can be at a place of a run: kinds of the hand, None (a wild) or `_LACKS`."""
        held = [at for card, at in self.at.items() if _fits(card, stand)]
        there = sum(self.count[self.kinds[at]] for at in held)
        own = any(self.kinds[at] in self.wild for at in held)
        if self.takes_naturals and not own and there >= self.runs:
            return [*held]
        return [*held, None, *([_LACKS] if self._of(stand) else [])]

    def _of(self, stand: Card) -> Cards:
        """Return the unseen cards that are natural at a place, for `Target.others`."""
        if stand not in self.fitting:
            self.fitting[stand] = tuple(
                card
                for card, count in self.unseen.items()
                if count > 0 and _fits(card, stand) and self._is_natural(card)
            )
        return self.fitting[stand]

    def _is_natural(self, card: Card) -> bool:
        return card not in self.wild or self.rules.wilds.natural_in_place

    def _alike(
        self, need: Need, size: int
    ) -> Iterator[tuple[list[int], Reading, tuple[int, ...], tuple[Cards, ...]]]:
        """Yield targets that are sets of each rank, or flushes of each suit, as `_targets` does."""
        sets, kind = self.rules.sets, need.kind
        is_set = kind is MeldKind.SET
        apart = is_set and (sets.distinct_suits or sets.suits is not None)
        ranks = self.rules.pack.ranks if need.rank is None else (need.rank,)
        stands = (
            [Card(rank) for rank in ranks]
            if is_set
            else [Card(0, s) for s in self.rules.pack.suits]
        )
        most = self._most_wilds(kind, pure=need.pure)
        for stand in stands:
            members = [at for card, at in self.at.items() if _fits(card, stand)]
            every = self._of(stand)
            for slots in self._taken(members, size, once=apart, whole=not is_set):
                cards = tuple(self.kinds[at] for at in slots)
                suits = {card.suit for card in cards}
                free = tuple(c for c in every if not apart or c.suit not in suits)
                there = len(free) if apart else sum(self.unseen[card] for card in free)
                for wilds in range(min(most, size - len(slots)) + 1):
                    lacks = size - len(slots) - wilds
                    if lacks > there:
                        continue
                    filled = [*slots, *[None] * wilds, *[_LACKS] * lacks]
                    places = [*cards, *[stand] * wilds]
                    places += free[:lacks] if apart else [stand] * lacks
                    missing = tuple(range(size - lacks, size))
                    yield slots, self._read(kind, filled, places), missing, (free,) * lacks

    def _taken(
        self, members: Sequence[int], size: int, *, once: bool, whole: bool
    ) -> Iterator[list[int]]:
        """Yield the ways to take up to `size` cards of some kinds; with `whole`, only the most."""
        counts = [1 if once else self.count[self.kinds[at]] for at in members]
        if whole and len(self.position.needs) == 1 and sum(counts) <= size:
            yield [at for at, count in zip(members, counts, strict=True) for _ in range(count)]
            return
        for taken in product(*[range(count + 1) for count in counts]):
            if sum(taken) <= size:
                yield [at for at, count in zip(members, taken, strict=True) for _ in range(count)]

    def _read(
        self,
        kind: MeldKind,
        filled: Iterable[int | None],
        stands: Sequence[Card],
        places: tuple[int, ...] = (),
    ) -> Reading:
        """Return a meld as it is read once the missing cards are there."""
        cards, home = [], []
        for at, (one, stand) in enumerate(zip(filled, stands, strict=True)):
            card = stand
            if one is None:
                card = min(self.wild, key=lambda wild: (wild is stand, str(wild)))
                if card is stand:
                    home.append(at)
            elif one >= 0:
                card = self.kinds[one]
            cards.append(card)
        means = [
            stand if one is None else card
            for one, stand, card in zip(filled, stands, cards, strict=True)
        ]
        return Reading(kind, tuple(cards), tuple(means), places, at_home=tuple(home))


_LACKS: Final = -1
"""Marks a place whose card is missing."""


def _filled(places: Sequence[Sequence[int | None]], wilds: int) -> Iterator[tuple[int | None, ...]]:
    """Yield every choice of a filler for each place, with at most this many wilds."""
    if not places:
        yield ()
        return
    first, *others = places
    for one in first:
        if one is not None or wilds:
            yield from ((one, *rest) for rest in _filled(others, wilds - (one is None)))


def _fits(card: Card, stand: Card) -> bool:
    """Return whether a card has the rank and suit of `stand`; no rank or no suit fits any."""
    if not card.rank or card.rank == SPECIAL_RANK:
        return False
    return stand.rank in {0, card.rank} and (stand.suit is None or stand.suit is card.suit)
