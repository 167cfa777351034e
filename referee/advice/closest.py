"""How far a hand is from laying down, if it can’t: the fewest cards that would be enough.

`targets` lists the melds that could be laid with more cards, in groups. A *way* to lay down is one
group for each meld: for 1 set of 3 and 1 run of 4, say, the sets that use 9♣ 9♦ and lack a card,
and the run 4♦ 5♦ 6♦ 7♦. A search first finds how few cards can be missing in a way, then every way
to be that close. From these follows the rest. A card *helps* if it is missing in one of them, and a
card can be *let go* if one of them doesn’t use it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from referee.advice.advised import Closest, Gapped, LetGo
from referee.advice.budget import Budget
from referee.advice.position import Position
from referee.advice.swaps import Exchange, exchanges
from referee.advice.targets import Group, HeldCards, Target
from referee.advice.unseen import every_card, unseen
from referee.cards import Card, Cards
from referee.melds.contracts import Contract, Need, unmet
from referee.melds.listing import FIELD
from referee.rulings import MeldKind, Reading
from referee.turns.opening import LayRule

MOST_WORK: Final = 150_000
"""The most groups of targets to look at; after that, the closest that were found are the answer."""
_WAY: Final = 20
"""The units of work for a way to lay down; looking at a group is 1."""
_LONGER: Final = 3
"""How many more cards than the contract a hand can have that goes down at once."""
_FARTHEST: Final = 4
"""The most missing cards to look for in a game without contracts."""
_LONGEST_RUN: Final = 5
"""The longest run to try in an opening: a longer one can be split into runs of 3 to 5 cards."""


class _State(NamedTuple):
    """Groups chosen so far in a search for ways to lay down.

    `own` to `worth` are the numbers of `Group`, added up over the groups.
    """

    left: int
    """How many cards of each kind are left in the hand, in the same form as `Group.uses`."""
    groups: tuple[Group, ...] = ()
    own: int = 0
    in_sets: int = 0
    wilds: int = 0
    lacks: int = 0
    size: int = 0
    worth: int = 0

    def with_group(self, group: Group, left: int) -> "_State":
        """Return the state with one more group, after which `left` is left."""
        return _State(
            left,
            (*self.groups, group),
            self.own + group.own,
            self.in_sets + group.in_sets,
            self.wilds + group.wilds,
            self.lacks + group.lacks,
            self.size + group.size,
            self.worth + group.worth,
        )


@dataclass(frozen=True, eq=False)
class _Way:
    """Groups of targets that together are one way to lay down.

    `exchange` are the swaps that led to the hand `held`; None if there are none.
    """

    held: HeldCards
    state: _State
    exchange: Exchange | None

    @property
    def short_of_wilds(self) -> int:
        """How many more wilds it uses than the hand has."""
        return self.held.short_of_wilds(self.state.own, self.state.in_sets, self.state.wilds)

    @cached_property
    def helps(self) -> frozenset[Card]:
        """The unseen cards that would each leave one card fewer missing."""
        held, groups = self.held, self.state.groups
        found = {
            card
            for at, group in enumerate(groups)
            for card in (group.wanted if self._is_easy else self._wanted(at))
        }
        if self.short_of_wilds:
            found |= self._wilds_wanted()
        if self.exchange is not None:
            found |= {*map(held.plain, self.exchange.lacks)}
        return frozenset(card for card in found if held.unseen[card] > 0)

    def _wilds_wanted(self) -> set[Card]:
        """Return the wilds that would help: any, or only those that can be used in sets."""
        held, state = self.held, self.state
        short = self.short_of_wilds
        any_will_do = state.wilds - (held.pool - state.own) >= short
        return held.wild if any_will_do and state.in_sets <= held.set_pool else held.set_wilds

    @cached_property
    def _is_easy(self) -> bool:
        """Whether every target of a group can be laid with any targets of the other groups."""
        groups = self.state.groups
        if len(groups) > 1 and any(group.is_choosy for group in groups):
            return False
        wanted = Counter(card for group in groups for card in group.wanted)
        # Two melds can only be after the same copies if both want the card.
        return all(number == 1 for number in wanted.values())

    def _wanted(self, at: int) -> Iterator[Card]:
        """Yield the cards missing in those targets of group `at` that the other groups allow."""
        for target in self.state.groups[at].targets:
            if choose(self.held, self.state.groups, fixed=(at, target)) is not None:
                yield from (card for cards in target.others for card in cards)

    def used(self, card: Card) -> int:
        """Return how many copies of a card it uses as naturals; `card` is as `plain` returns it."""
        at = self.held.at.get(card)
        used = self.held.whole - self.state.left
        return 0 if at is None else used >> FIELD * at & (1 << FIELD) - 1

    def leaves(self, card: Card) -> bool:
        """Return whether a copy of this card of the hand isn’t used."""
        held, state = self.held, self.state
        if self.used(card) >= held.count[card]:
            return False
        if card not in held.wild:
            return True
        there = held.short_of_wilds(state.own, state.in_sets, state.wilds, without=card)
        return there == self.short_of_wilds

    def has_no_place_for(self, card: Card) -> bool:
        """Return whether it uses no copy of this card, neither in melds nor for a swap."""
        given = self.exchange.swaps if self.exchange else ()
        if any(self.held.plain(swap.give) is card for swap in given):
            return False
        return not (self.used(card) or (card in self.held.wild and self.state.wilds))

    def differs(self, other: "_Way") -> bool:
        """Return whether its melds with missing cards and the other’s each use a card of their own.

        If one only uses some of the other’s cards, as a shorter meld does, it isn’t different.
        """
        mine, theirs = (
            sum(group.uses for group in way.state.groups if group.lacks) for way in (self, other)
        )
        guards = self.held.guards
        return all(
            ((a | guards) - b) & guards != guards for a, b in ((mine, theirs), (theirs, mine))
        )

    def laid_out(self, hand: Cards) -> tuple[Gapped, ...]:
        """Return the melds with the cards of the hand in them, and what is missing."""
        held = self.held
        by_unseen = [_most_unseen(group, held) for group in self.state.groups]
        targets = choose(held, by_unseen)
        assert targets is not None, "only groups that go together are found"
        left = list(hand)
        # Naturals first: a wild that is one in its own place can’t be used as another.
        places = [(target, at) for target in targets for at in range(len(target.reading.cards))]
        places.sort(key=lambda place: place[0].reading.wild[place[1]])
        cards: dict[tuple[int, int], Card] = {}
        gaps: dict[int, set[int]] = {id(target): set(target.missing) for target in targets}
        for target, at in places:
            card = self._card_at(target, at, left)
            if card is None:
                gaps[id(target)].add(at)
                card = _missing(target, at)
            elif at not in target.missing:
                left.remove(card)
            cards[id(target), at] = card
        return tuple(
            Gapped(
                _as_laid(
                    target.reading,
                    [cards[id(target), at] for at in range(len(target.reading.cards))],
                ),
                frozenset(gaps[id(target)]),
            )
            for target in targets
        )

    def _card_at(self, target: Target, at: int, left: Sequence[Card]) -> Card | None:
        """Return the card for one place of a meld; None if a wild for it is missing."""
        if at in target.missing:
            return _missing(target, at)
        reading, held = target.reading, self.held
        if not reading.wild[at]:
            return next(card for card in left if held.plain(card) is reading.cards[at])
        fit = held.set_wilds if reading.kind is MeldKind.SET else held.wild
        some = [card for card in left if held.plain(card) in fit]
        # A run takes the wilds that are of no use in sets.
        return min(
            some, key=lambda card: (held.plain(card) in held.set_wilds, str(card)), default=None
        )


def _missing(target: Target, at: int) -> Card:
    """Return the card that is missing at a place, without its suit if it can be of several."""
    if at not in target.missing:
        return target.reading.cards[at]
    others = target.others[target.missing.index(at)]
    stand = target.reading.stands[at]
    return others[0] if len(others) == 1 else Card(stand.rank, None if stand.rank else stand.suit)


def _as_laid(reading: Reading, cards: Sequence[Card]) -> Reading:
    """Return a meld made of these cards instead, which are in the order of its own."""
    wild = reading.wild
    stands = tuple(
        stand if is_wild else card
        for stand, card, is_wild in zip(reading.stands, cards, wild, strict=True)
    )
    home = tuple(at for at, card in enumerate(cards) if wild[at] and card is stands[at])
    return Reading(reading.kind, tuple(cards), stands, reading.places, at_home=home)


def _most_unseen(group: Group, held: HeldCards) -> Group:
    """Return the group with its targets sorted: those that most unseen cards complete first."""

    def copies(target: Target) -> int:
        return sum(held.unseen[card] for card in {card for some in target.others for card in some})

    targets = sorted(group.targets, key=copies, reverse=True)
    return replace(group, targets=targets)


def choose(
    held: HeldCards, groups: Sequence[Group], *, fixed: tuple[int, Target] | None = None
) -> tuple[Target, ...] | None:
    """Return one target of each group so that all can be laid together; None if that can’t be.

    `fixed` is the index of a group and the target that it needs to have.
    """

    def add(chosen: tuple[Target, ...]) -> tuple[Target, ...] | None:
        at = len(chosen)
        if at == len(groups):
            return chosen if _can_come(held, chosen) else None
        targets = (fixed[1],) if fixed and fixed[0] == at else groups[at].targets
        for target in targets:
            if all(
                one.has.isdisjoint(target.bars) and target.has.isdisjoint(one.bars)
                for one in chosen
            ):
                found = add((*chosen, target))
                if found is not None:
                    return found
        return None

    return add(())


def _can_come(held: HeldCards, targets: Sequence[Target]) -> bool:
    """Return whether there are enough unseen cards for everything that these melds lack."""
    wanted = Counter(frozenset(cards) for target in targets for cards in target.others)
    for cards in wanted:
        needed = sum(number for some, number in wanted.items() if some <= cards)
        if needed > sum(held.unseen[card] for card in cards):
            return False
    return True


class _Search:
    """A search for the ways to lay down with the fewest cards missing, from one hand.

    `lists` has the groups to choose from: a list for each need of a contract, or one list for any
    melds in a game without contracts.
    """

    def __init__(self, held: HeldCards, exchange: Exchange | None) -> None:
        """Prepare a search from a hand; `exchange` are the swaps that led to it, if any."""
        self.held, self.exchange = held, exchange
        self.budget, self.position = held.budget, held.position
        self.base = len(exchange.lacks) if exchange else 0
        self.taken = len(exchange.swaps) if exchange else 0
        self.total = _all_at_once(self.position)
        self.points, self.opening = 0, Contract(())
        self.needs: list[Need] = []
        if self.position.contract is None:
            self.lists = [self._free()]
        else:
            self.needs = sorted(
                self.position.contract.needs, key=lambda need: (-need.size, str(need))
            )
            known = {need: held.groups((need,), self._sizes(need)) for need in {*self.needs}}
            self.lists = [known[need] for need in self.needs]
        least = [min((group.strange for group in some), default=0) for some in self.lists]
        self.rest = [sum(least[at:]) for at in range(len(least) + 1)]

    def _sizes(self, need: Need) -> range:
        """Return how many cards a meld for a need can have."""
        assert self.position.contract is not None
        more = self.total - self.position.contract.cards if self.total else 0
        limits = self.held.rules.wilds.of(need.kind)
        if need.kind is MeldKind.RUN and limits.min_naturals > 1 and self.held.pool > 1:
            # More of the wilds fit into a longer run.
            more = max(more, 2)
        return range(need.size, need.size + more + 1)

    def _free(self) -> list[Group]:
        """Return the groups of any melds, for an opening or to lay one of them."""
        position, rules = self.position, self.held.rules
        opening = None if position.down else position.variant.opening
        least = [(MeldKind.SET, rules.sets.min_size, len(rules.pack.suits))]
        if rules.runs.exists:
            least.append((MeldKind.RUN, rules.runs.min_size, _LONGEST_RUN))
        rule = position.variant.way
        naturals = 0 if position.down or not isinstance(rule, LayRule) else rule.first_naturals
        found: list[Group] = []
        for kind, size, most in least:
            # Enough naturals can take a longer meld, if it has wilds.
            longest = size + (self.held.pool + 1) * (naturals > 1)
            if opening is not None:
                longest = max(size, most)
            found += self.held.groups((Need(kind, size, pure=False),), range(size, longest + 1))
        if opening is not None:
            self.points, self.opening = opening.points, opening.needs
        found = [group for group in found if group.size - group.wilds >= naturals]
        found.sort(key=lambda group: (group.strange, group.lacks, -group.worth))
        return found

    def least_missing(self, most: int) -> int:
        """Return the fewest cards that can be missing; `most` + 1 if it is more than `most`."""
        if self.needs:
            best = most + 1

            def closer() -> int:
                return best - 1

            for state in self._contracts(closer):
                best = min(best, self._missing(state))
            return best
        found = (bound for bound in range(most + 1) if any(True for _ in self._openings(bound)))
        return next(found, most + 1)

    def could_be_closer(self, missing: int) -> bool:
        """Return whether `missing` more cards could be enough to meld the whole hand.

        Some games let a player open like that with too few points. The search doesn’t look for it,
        so the answer errs on the side of true.
        """
        opening = self.position.variant.opening
        if opening is None or not opening.at_once or self.position.down:
            return False
        # Each card takes a share of what its melds lack. All but the discards are melded.
        shares = [float(missing + self.held.pool + 1)] * len(self.held.kinds)
        for group in self.lists[0]:
            used = group.uses.to_bytes(len(shares) + 1, "little")
            share = group.strange / max(1, sum(used))
            shares = [min(one, share) if n else one for one, n in zip(shares, used, strict=False)]
        shares = [
            share
            for share, card in zip(shares, self.held.kinds, strict=True)
            for _ in range(self.held.count[card])
        ]
        shares.sort()
        return sum(shares[: max(0, len(shares) - missing - 1)]) <= missing + self.held.pool

    def ways(self, missing: int) -> Iterator[_Way]:
        """Yield the ways to lay down with exactly `missing` cards missing."""
        found = self._contracts(lambda: missing) if self.needs else self._openings(missing)
        for state in found:
            if self._missing(state) == missing:
                yield _Way(self.held, state, self.exchange)

    def _missing(self, state: _State) -> int:
        """Return how many cards are missing for a state: for melds, for wilds and for swaps."""
        short = self.held.short_of_wilds(state.own, state.in_sets, state.wilds)
        return self.base + state.lacks + short

    def _at_least(self, state: _State, strange: int) -> int:
        """Return a lower bound for the cards missing in the end.

        `strange` is how many cards of all melds, at least, aren’t naturals of the hand. Wilds can
        be in their places, as far as the hand has any.
        """
        return max(self._missing(state), self.base + strange - self.held.pool + state.own)

    def _extended(
        self,
        state: _State,
        groups: Sequence[Group],
        first: int,
        rest: int,
        bound: Callable[[], int],
    ) -> Iterator[tuple[int, _State]]:
        """Yield the state with one more of `groups`, with its index, if not too much is missing.

        Groups before the index `first` are left out. `rest` is how many cards of the melds still
        to choose, at least, aren’t naturals of the hand, and `bound` returns the most cards that
        can be missing.
        """
        guards = self.held.guards
        strange = state.lacks + state.wilds + rest
        for at in range(first, len(groups)):
            group = groups[at]
            self.budget.left -= 1
            if self.budget.spent:
                return
            if self.base + strange + group.strange - self.held.pool > bound():
                return
            left = (state.left | guards) - group.uses
            if left & guards != guards:
                continue
            after = state.with_group(group, left ^ guards)
            if self._at_least(after, strange + group.strange) <= bound():
                yield at, after

    def _contracts(self, bound: Callable[[], int]) -> Iterator[_State]:
        """Yield the ways to meet the contract with at most `bound` cards missing."""

        def add(at: int, first: int, state: _State) -> Iterator[_State]:
            if at == len(self.needs):
                if self._is_whole(state):
                    yield state
                return
            found = self._extended(state, self.lists[at], first, self.rest[at + 1], bound)
            for index, after in found:
                # Of two needs that are the same, the second takes no earlier group.
                same = at + 1 < len(self.needs) and self.needs[at + 1] == self.needs[at]
                yield from add(at + 1, index if same else 0, after)

        yield from add(0, 0, _State(self.held.whole))

    def _openings(self, most: int) -> Iterator[_State]:
        """Yield the ways to lay first melds that are enough, with up to `most` cards missing."""
        highest = max((group.worth // group.size for group in self.lists[0]), default=0) + 1

        def add(first: int, state: _State) -> Iterator[_State]:
            for index, after in self._extended(state, self.lists[0], first, 0, lambda: most):
                if after.worth >= self.points and self._is_whole(after):
                    yield after
                    continue
                still = sum(after.left.to_bytes(len(self.held.kinds) + 1, "little"))
                still += self.held.pool + most - after.lacks
                if after.worth + still * highest >= self.points:
                    yield from add(index, after)

        yield from add(0, _State(self.held.whole))

    def _is_whole(self, state: _State) -> bool:
        """Return whether the melds of a state can be laid together and meet everything needed."""
        if self.total and state.size != self.total:
            return False
        short = self.held.short_of_wilds(state.own, state.in_sets, state.wilds)
        if state.own + state.wilds - short < self.taken:
            return False
        self.budget.left -= _WAY
        targets = choose(self.held, state.groups)
        if targets is None:
            return False
        return not self.opening.needs or not unmet(
            self.opening, tuple(target.reading for target in targets)
        )


def _all_at_once(position: Position) -> int:
    """Return how many cards are laid if the whole hand goes down at once, else 0."""
    if not position.lays_all or position.contract is None:
        return 0
    dealt = position.variant.hand_at(position.moment.step)
    # A player who buys a card draws another one, so a hand that grew by an even number has yet to
    # draw.
    before_drawing = (len(position.hand) - dealt) % 2 == 0
    return max(dealt + 1, len(position.hand) + before_drawing, position.contract.cards)


def closest_of(position: Position, pile: Cards = (), *, sure: bool = True) -> Closest | None:
    """Return how far a hand that can’t lay down is from it.

    Return None if the player has met the contract. `pile` are cards seen in the discard pile.
    `sure` is whether it’s certain that nothing can be laid down.
    """
    if position.contract is not None and position.down:
        return None
    unknown = Closest(short=0, arrangements=(), helps=(), let_go=(), decided=False)
    if position.contract and _all_at_once(position) - position.contract.cards > _LONGER:
        return unknown
    seen = (*position.hand, *(card for meld in position.table for card in meld), *pile)
    budget, decided = Budget(MOST_WORK), sure
    searches = [_Search(HeldCards(position, position.hand, seen, budget), None)]
    possible, complete = exchanges(position, lacking=1)
    for exchange in possible:
        after = position._replace(hand=exchange.hand, table=exchange.table)
        searches.append(_Search(HeldCards(after, exchange.hand, seen, budget), exchange))
    short = _FARTHEST if position.contract is None else position.contract.cards
    for search in searches:
        short = min(short, search.least_missing(short))
    decided &= complete and not budget.spent
    decided &= not any(search.could_be_closer(short) for search in searches)
    # If the work was used up, this is only the closest that was found, but all of that is shown.
    budget.left = MOST_WORK
    ways = [way for search in searches for way in search.ways(short)]
    decided &= not budget.spent
    if not ways or not (short or sure):
        return unknown
    return _described(position, ways, short, seen, decided=decided)


def _described(
    position: Position, ways: Sequence[_Way], short: int, seen: Cards, *, decided: bool
) -> Closest:
    """Return the result that follows from all ways to be this close.

    `short` is how many cards they lack, and `seen` has the cards that can’t come.
    """
    held = ways[0].held
    best = sorted(ways, key=lambda way: _merit(way, position))
    laid = best[0].laid_out(best[0].held.position.hand)
    let_go = _let_go(position, ways, laid)
    if let_go and not best[0].leaves(held.plain(let_go[0].card)):
        # Many ways can be as close, and the best card to let go is one that few of them use. Show
        # a way without it: a plan that uses the card to discard contradicts itself.
        first = next(way for way in best if way.leaves(held.plain(let_go[0].card)))
        best = [first, *(way for way in best if way is not first)]
        laid = first.laid_out(first.held.position.hand)
        let_go = _let_go(position, ways, laid)
    arrangements = [laid]
    for way in best[1:]:
        if way.exchange is None and not way.short_of_wilds and way.differs(best[0]):
            arrangements.append(way.laid_out(position.hand))
            break
    helps = frozenset[Card]().union(*[way.helps for way in ways])
    if not short:
        # All is there but a card to discard, and any will do.
        short, helps = 1, frozenset(held.unseen)
    pack = position.variant.pack
    cards = {card for card in every_card(pack) if held.plain(card) in helps}
    return Closest(
        short=short,
        arrangements=tuple(arrangements),
        swaps=best[0].exchange.swaps if best[0].exchange else (),
        helps=unseen(pack, cards, seen),
        let_go=tuple(let_go),
        decided=decided,
    )


def _merit(way: _Way, position: Position) -> tuple[bool, bool, int, int, int]:
    """Return a sort key: ways that are the easiest to complete first, then those that save most."""
    held = way.held
    used = (held.whole - way.state.left).to_bytes(len(held.kinds) + 1, "little")
    cards = [card for card, count in zip(held.kinds, used, strict=False) for _ in range(count)]
    copies = sum(held.unseen[card] for card in way.helps)
    far = way.exchange is not None, way.short_of_wilds > 0
    return *far, -len(cards), -copies, -position.count(tuple(cards))


def _let_go(position: Position, ways: Sequence[_Way], laid: Sequence[Gapped]) -> list[LetGo]:
    """Return the cards that can be discarded, best first; empty if the table can be rearranged.

    Of several copies, it is one that isn’t in `laid`.
    """
    if position.variant.shares_table:
        return []
    held, wild = ways[0].held, position.rules.wilds.cards
    found: list[LetGo] = []
    spare = Counter(position.hand) - Counter(card for gapped in laid for card in gapped.meld.cards)
    for card in {held.plain(card): card for card in (*position.hand, *spare)}.values():
        plain = held.plain(card)
        left = [way for way in ways if way.leaves(plain)]
        if left:
            helps = frozenset[Card]().union(*[way.helps for way in left])
            copies = sum(held.unseen[each] for each in helps)
            found.append(LetGo(card, copies, all(way.has_no_place_for(plain) for way in ways)))
    # A wild that is of no use now can be later.
    found.sort(
        key=lambda each: (
            -each.helps,
            each.card in wild,
            -position.count((each.card,)),
            -each.card.rank,
        )
    )
    return found
