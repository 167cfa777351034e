"""Covering: a hand put into melds where its wilds are not free, or where suits say nothing.

`referee.melds.partition` lets wilds go anywhere in any number, and gives each suit its own runs.
Where a game has limits on wilds, keeps them out of sets, wants several naturals of which a wild in
its own place is one, or ignores suits, that is not so, nor where melds can be full. Here each meld
is listed with the number of wilds that it needs, and the number that may join it besides
(`referee.melds.listing`).

Then the lowest card is put into each of its melds in turn, or left over, and of all choices the one
is taken that leaves least: fewest points, and of as many points fewest cards. Wilds that melds need
are owed until all naturals have their places; they are paid with the dearest, and those to spare
join where there is room. Only what is chosen is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import mul, or_
from typing import Final, NamedTuple

from referee.cards import JOKER, Cards
from referee.melds.grounds import legal_readings
from referee.melds.listing import FIELD, Listed, Listing, in_fields, lowest
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind, Reading
from referee.values import CardValues

MOST_WORK: Final = 250_000
"""How many melds are looked at before the search ends with the best that it has."""
_STEP: Final = 16
"""What a meld that is tried costs, or left out, in melds that are looked at and do not fit."""
_LOOKED: Final = 24
"""What a choice of naturals costs that was looked at for the list."""
_ALL: Final = (1 << FIELD) - 1
"""All bits of the lowest field."""
_POINT: Final = 128
"""More than there are cards in a hand: points go before cards."""


def are_tied(hand: Cards, rules: MeldRules, values: CardValues) -> bool:
    """Whether a hand is for this search: its wilds are not free, or cards are like no others."""
    wilds, sets, runs = rules.wilds, rules.sets, rules.runs
    of_sets, of_runs = (wilds.of(kind).min_naturals for kind in (MeldKind.SET, MeldKind.RUN))
    if not runs.one_suit or runs.max_size or of_sets > sets.min_size or of_runs > runs.min_size:
        return True
    if JOKER in hand and JOKER not in wilds.cards:
        return True
    costs = values.by_rank
    if any(costs[card.rank] <= 0 for card in hand if card not in wilds.cards):
        return True
    held = [card for card in hand if card in wilds.cards]
    if not held:
        return False
    limited = wilds.max_in_meld is not None or not wilds.adjacent or not wilds.may_outnumber
    placed = not wilds.in_sets or wilds.apart is not None or sets.only_wilds
    own = wilds.natural_in_place and any(card.rank for card in held)
    # What is full of naturals has no room for a wild, and is better taken apart.
    may_be_full = sets.max_size is not None or len(hand) > runs.longest
    return limited or placed or may_be_full or (own and wilds.min_naturals > 1)


class Cover(NamedTuple):
    """A hand in melds: which, what is left, and whether nothing better was passed over."""

    melds: tuple[Reading, ...]
    left: Cards
    decided: bool


def cover(
    hand: Cards, rules: MeldRules, values: CardValues, *, runs: int = 0, pure: int = 0
) -> Cover | None:
    """Put a hand into melds so that the least is left; None where the runs wanted are not there.

    Of the melds so many are runs, and so many of these without a wild. Where the work ran out
    before these were found there are no melds, and that is not decided.
    """
    search = _Search(hand, rules, values, pure)
    found = search.find(max(runs, pure))
    if found is None:
        return None if search.is_decided else Cover((), hand, decided=False)
    return search.laid_out(found)


class _Found(NamedTuple):
    """The best melds of what remains of a hand."""

    worth: int
    option: Listed | None = None
    rest: _Found | None = None

    @property
    def options(self) -> Iterator[Listed]:
        """The melds but for their wilds, the one with the lowest card first."""
        found: _Found | None = self
        while found is not None and found.option is not None:
            yield found.option
            found = found.rest


class _Search:
    """The best choice of the melds of a hand.

    What is saved is one number: a card is worth `_POINT` for each point that it costs, and 1 for
    itself. The state of the search is what remains of the naturals, in fields; the wilds that
    became no naturals, in fields by what they cost, the dearest lowest; how many of the wilds are
    owed to melds, and how many more have room in them; the runs wanted, and the pure ones.
    """

    def __init__(self, hand: Cards, rules: MeldRules, values: CardValues, pure: int) -> None:
        self.hand, self.rules, self.pure = hand, rules, pure
        self.listing = listing = Listing(hand, rules, pure=pure > 0)
        self.alone = listing.without_naturals()
        wild = rules.wilds.cards
        worth = {card: values.points(card, wild) * _POINT + 1 for card in hand}
        self.worth = [worth[same[0]] for same in listing.kinds]
        self.wilds = [card for card in hand if card in wild]
        self.wilds.sort(key=worth.__getitem__, reverse=True)
        self.classes = [*dict.fromkeys(worth[card] for card in self.wilds)]
        units = {each: 1 << FIELD * at for at, each in enumerate(self.classes)}
        pairs = zip(listing.own, self.worth, strict=True)
        self.units = [units[each] if own else 0 for own, each in pairs]
        """For each kind of card that may be wild elsewhere, one of it in the field of its cost."""
        self.guards = sum(1 << (FIELD * at + FIELD - 1) for at in range(len(listing.kinds)))
        self.options = [
            [(self._count(option.naturals, self.worth), option) for option in options]
            for options in listing.options
        ]
        used = reduce(or_, (option.naturals for each in self.options for _, option in each), 0)
        self.run_lows = in_fields(
            (at, _ALL)
            for at, each in enumerate(listing.options)
            if any(option.is_run for option in each)
        )
        """The kinds of card, all bits of their fields, that a run has as its lowest."""
        ats = [at for at in range(len(listing.kinds)) if used >> FIELD * at & _ALL]
        self.left = in_fields((at, listing.counts[at]) for at in ats)
        self.pool = sum(units[worth[card]] for card in self.wilds)
        self.pool -= sum(self.units[at] * listing.counts[at] for at in ats)
        self.known: dict[tuple[int, ...], tuple[_Found | None, int]] = {}
        self.work = MOST_WORK - _LOOKED * listing.looked

    @property
    def is_decided(self) -> bool:
        """Whether every meld was listed, and every choice of them weighed that might be better."""
        return self.work >= 0 and self.listing.is_whole

    def find(self, runs: int) -> _Found | None:
        """The best melds of the hand with so many runs among them; None where there are none."""
        most = self._count(self.left, self.worth) + self._count(self.pool, self.classes)
        return self._weigh(self.left, self.pool, 0, 0, runs, self.pure, len(self.wilds), most, -1)

    def _weigh(  # noqa: PLR0913, PLR0917 - the state, and what is known of it
        self,
        left: int,
        pool: int,
        owed: int,
        room: int,
        runs: int,
        pure: int,
        loose: int,
        most: int,
        floor: int,
    ) -> _Found | None:
        """The best melds of what remains; None where none are worth more than `floor`.

        So many wilds are `loose`, in no meld and not owed to one, and no choice is worth more than
        `most`.
        """
        if most <= floor or (runs and not left & self.run_lows):
            return None
        # The dearest wilds are paid first, whatever comes.
        paid = min(owed, pool & _ALL)
        if paid:
            worth = paid * self.classes[0]
            pool, owed, most, floor = pool - paid, owed - paid, most - worth, floor - worth
            rest = self._weigh(left, pool, owed, room, runs, pure, loose, most, floor)
            return rest and rest._replace(worth=rest.worth + worth)
        if not left or self.work < 0:
            worth = self._paid(left, pool, owed, room)
            return _Found(worth) if worth > floor and not runs else None
        key = left, pool, owed, room, runs, pure
        best, tried = self.known.get(key, (None, most))
        if best is not None or floor >= tried:
            return best if best is not None and best.worth > floor else None
        at = lowest(left)
        highest, guards = floor, self.guards
        guarded = left | guards
        self.work -= _STEP + len(self.options[at])
        for worth, option in self.options[at]:
            naturals, _, needed, more, own, is_run, is_pure = option
            # One subtraction for all kinds: a kind of which there are too few borrows its guard
            # bit.
            rest_left, spare = guarded - naturals, loose - own - needed
            if spare < 0 or rest_left & guards != guards:
                continue
            self.work -= _STEP
            purer = max(pure - is_pure, 0)
            rest = self._weigh(
                rest_left ^ guards,
                pool,
                owed + needed,
                # Room for more wilds than are loose makes no difference, and fewer states.
                min(room + more, spare),
                # A pure run is a run too, so no fewer runs than pure ones are wanted.
                max(runs - is_run, purer),
                purer,
                spare,
                most - worth,
                highest - worth,
            )
            if rest is not None:
                highest = rest.worth + worth
                best = _Found(highest, option, rest)
            if highest == most or self.work < 0:
                break
        count = left >> FIELD * at & _ALL
        left -= count << FIELD * at
        pool += count * self.units[at]
        # A card that can be wild goes to the pool, where it may still be worth something.
        if not self.units[at]:
            most -= count * self.worth[at]
        best = self._weigh(left, pool, owed, room, runs, pure, loose, most, highest) or best
        # What isn’t above the floor isn’t known to be best: the floor is kept with it, and a state
        # is weighed again if it comes up under a lower one.
        self.known[key] = best, floor
        return best

    @staticmethod
    def _count(fields: int, worth: Sequence[int]) -> int:
        """What cards in fields are worth, or amount to, together."""
        return sum(map(mul, fields.to_bytes(len(worth), "little"), worth))

    def _paid(self, left: int, pool: int, owed: int, room: int) -> int:
        """What the wilds are worth that are owed, join melds besides, or are melds alone."""
        # Naturals that have no meld any more are wilds to spare, if they can be wild.
        pool += self._count(left, self.units)
        counts = pool.to_bytes(len(self.classes), "little")
        taken = owed + sum(self._spared(sum(counts) - owed, room))
        worth = 0
        for count, each in zip(counts, self.classes, strict=True):
            worth += min(count, taken) * each
            taken -= min(count, taken)
        return worth

    def _spared(self, spare: int, room: int) -> tuple[int, int]:
        """How many of the wilds to spare are melds by themselves, and how many join others."""
        ways = [(0, min(spare, room))]
        ways += [(n, min(spare - n, room)) for n in range(1, spare + 1) if self.alone[n]]
        return max(ways, key=sum)

    def laid_out(self, found: _Found) -> Cover:
        """The hand as the melds that were found, read with their wilds."""
        options, held = [*found.options], [[*same] for same in self.listing.kinds]
        laid: list[Cards] = []
        wilds = [*self.wilds]
        for option in options:
            counts = option.naturals.to_bytes(len(held), "little")
            pairs = zip(held, counts, strict=True)
            laid.append(tuple(same.pop(0) for same, count in pairs for _ in range(count)))
            for card in laid[-1] if option.own else ():
                if card in wilds:
                    wilds.remove(card)
        spare = len(wilds) - sum(option.needed for option in options)
        alone, joining = self._spared(spare, sum(option.room for option in options))
        taken = iter(wilds)
        melds: list[Reading] = []
        for option, naturals in zip(options, laid, strict=True):
            more = min(joining, option.room)
            joining -= more
            melds.append(self._read(option, (*naturals, *islice(taken, option.needed + more))))
        while alone:
            cards = tuple(islice(taken, self.alone[alone]))
            alone -= len(cards)
            melds.append(legal_readings(cards, self.rules, as_laid=False)[0])
        left = [*self.hand]
        for meld in melds:
            for card in meld.cards:
                left.remove(card)
        return Cover(tuple(melds), tuple(left), self.is_decided or not left)

    def _read(self, option: Listed, cards: Cards) -> Reading:
        """A meld that was chosen as it is read, in its order."""
        readings = legal_readings(cards, self.rules, as_laid=False)
        return next(
            reading.arranged
            for reading in readings
            if (reading.kind is MeldKind.RUN) is option.is_run
            and (not option.is_pure or reading.naturals == len(cards))
        )
