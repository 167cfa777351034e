"""Deadwood: arrange a hand in melds so that the cards left over count the least.

All melds of the hand are listed, each with the number of wilds it needs and the number of further
wilds it can take (`referee.melds.listing`). The search then tries the lowest card in each of its
melds, and also leaves it over, and continues with the cards that remain. With 4♦ 5♦ 6♦ 6♣ 6♥, it
melds the run and leaves the two other 6s (12 points), or leaves the 4♦ and 5♦ and melds the 6s (9
points). It keeps the choice that leaves the fewest points, and if these are equal, the fewest
cards. The result for the same remaining cards is remembered. This is a search for an exact cover,
lowest card first (Knuth, “Dancing Links”, 2000), in which cards can also be left over.

During the search wilds are only counted: a chosen meld *owes* the wilds that it needs, and has
*room* for those that it can also take. In the end the wilds that count the most are used first, and
spare ones join melds with room. Only the chosen melds are read card by card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import mul, or_
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.grounds import legal_readings
from referee.melds.listing import FIELD, Listed, Listing, in_fields, lowest
from referee.melds.needs import HandNeeds
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind, Reading
from referee.values import CardValues

MOST_ARRANGED: Final = 14
"""A search of a hand with up to this many cards, the longest run, is expected to be complete."""
MOST_TRIED: Final = 60
"""The most cards that a hand can have to be arranged at all."""
MOST_WORK: Final = 250_000
"""The units of work after which a search stops with its best result; a meld that doesn’t fit is
1."""
_STEP: Final = 16
"""The units of work for trying a meld, or for leaving a card over."""
_LOOKED: Final = 24
"""The units of work for each choice of naturals that was looked at for the list."""
_ALL: Final = (1 << FIELD) - 1
"""All bits of the lowest field."""
_POINT: Final = 128
"""The value of one point; larger than any hand, so that points come before cards."""


class Arrangement(NamedTuple):
    """A hand arranged in melds, with the cards left over and their points.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import least_left
    >>> hand = parse_cards("4D 5D 6D 7C 7D 7H KS KC KD 2H")
    >>> found = least_left(variants.get("gin-rummy"), hand)
    >>> len(found.melds), found.left, found.points, found.decided
    (3, (2H,), 2, True)
    """

    melds: tuple[Reading, ...]
    left: Cards
    """The cards in no meld."""
    points: int
    """The points of the cards left over."""
    decided: bool = True
    """Whether no arrangement can count less; False if the search stopped before it was sure."""


def arrange(hand: Cards, rules: MeldRules, values: CardValues) -> Arrangement:
    """Return the melds of a hand that leave the fewest points, and among these the fewest cards.

    If the search stops early, the result is the best one found and `decided` is false. Raise
    AssertionError if the hand has more than `MOST_TRIED` (60) cards.

    >>> from referee import parse_cards, variants
    >>> game = variants.get("remigio")
    >>> cards = parse_cards("5H 5S 5D 6D 7D KC QH 9S 2C AH")
    >>> arrange(cards, game.melds_at(None), game.values).points
    42
    """
    assert len(hand) <= MOST_TRIED, "more cards than are searched"
    search = _Search(hand, rules, values, pure=0)
    found = search.find(runs=0)
    assert found is not None, "nothing is asked of the melds"
    return search.laid_out([*found.options])


def arrange_needing(
    hand: Cards, rules: MeldRules, values: CardValues, needs: HandNeeds
) -> Arrangement | None:
    """Return the melds of a hand that include the runs it needs and leave the fewest points.

    Return None if the hand can’t have these runs. If the search stops before it finds them, the
    result has no melds and `decided` is false.
    """
    search = _Search(hand, rules, values, needs.pure)
    found = search.find(needs.runs)
    if found is not None:
        return search.laid_out([*found.options])
    if search.is_decided:
        return None
    return Arrangement((), hand, values.count(hand, rules.wilds.cards), decided=False)


def every_way(hand: Cards, rules: MeldRules, values: CardValues) -> Iterator[Arrangement]:
    """Yield arrangements of a hand, fewest points left over first.

    If the hand has wilds, yield only the result of `arrange`. Otherwise there can be very many,
    because any card can also be left over: take only as many as you need.
    """
    search = _Search(hand, rules, values, pure=0)
    if search.wilds:
        yield arrange(hand, rules, values)
        return
    for saved in range(search.most_saved, -1, -1):
        yield from (search.laid_out(options) for options in search.every_saving(search.left, saved))


class _Found(NamedTuple):
    """The best melds of some cards, as a linked list: the first meld, then the others."""

    worth: int
    """The value of all melds in the list together (see `_Search`)."""
    option: Listed | None = None
    """The first meld; None if the naturals make no meld."""
    rest: _Found | None = None

    @property
    def options(self) -> Iterator[Listed]:
        """All of the melds, without their wilds; the one with the lowest card comes first."""
        found: _Found | None = self
        while found is not None and found.option is not None:
            yield found.option
            found = found.rest


class _Search:
    """A search for the best choice of melds in a hand.

    The value of a choice is one number: each melded card is worth `_POINT` times its points, plus
    1. The state of the search is:

    - the naturals that remain, counted in fields;
    - the wilds not used as naturals, in fields by their points, the most points lowest;
    - how many wilds are owed to melds, and how many more have room in them;
    - how many runs are still needed, and how many pure ones.
    """

    def __init__(self, hand: Cards, rules: MeldRules, values: CardValues, pure: int) -> None:
        self.hand, self.rules, self.values, self.pure = hand, rules, values, pure
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
        """For each kind, what one of its cards adds to the wilds that remain; 0 if not wild."""
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
        """All bits of the field of each kind of card that is the lowest of some run."""
        ats = [at for at in range(len(listing.kinds)) if used >> FIELD * at & _ALL]
        self.left = in_fields((at, listing.counts[at]) for at in ats)
        self.pool = sum(units[worth[card]] for card in self.wilds)
        self.pool -= sum(self.units[at] * listing.counts[at] for at in ats)
        self.known: dict[tuple[int, ...], tuple[_Found | None, int]] = {}
        self.work = MOST_WORK - _LOOKED * listing.looked

    @property
    def is_decided(self) -> bool:
        """Whether all melds were listed, and every choice that could be better was tried."""
        return self.work >= 0 and self.listing.is_whole

    def find(self, runs: int) -> _Found | None:
        """Return the best melds that include this many runs; None if none were found."""
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
        """Return the best melds of what remains; None if none are worth more than `floor`.

        `left` to `pure` are the state of the search (see the class), in that order. `loose` is the
        number of wilds that are in no meld and not owed to one. No choice is worth more than
        `most`.
        """
        if most <= floor or (runs and not left & self.run_lows):
            return None
        # The wilds that count the most are used first: any wild will do for any meld.
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
            # One subtraction for all kinds: a kind with too few cards borrows its guard bit.
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
                # A pure run is also a run, so at least as many runs as pure ones are still needed.
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
        # A card that can be wild goes to the pool, where a meld can still use it.
        if not self.units[at]:
            most -= count * self.worth[at]
        best = self._weigh(left, pool, owed, room, runs, pure, loose, most, highest) or best
        # None only means that nothing is above this floor. So the floor is remembered with it, and
        # the state is searched again if it comes up with a lower one.
        self.known[key] = best, floor
        return best

    @staticmethod
    def _count(fields: int, worth: Sequence[int]) -> int:
        """Return the sum of the counts in fields, each times its worth."""
        return sum(map(mul, fields.to_bytes(len(worth), "little"), worth))

    def _paid(self, left: int, pool: int, owed: int, room: int) -> int:
        """Return what wilds are worth in the end: those owed, those with room, and melds of wilds.

        `left` are naturals that are in no meld, which are also used if they can be wild.
        """
        # Naturals without a meld are spare wilds, if they can be wild.
        pool += self._count(left, self.units)
        counts = pool.to_bytes(len(self.classes), "little")
        taken = owed + sum(self._spared(sum(counts) - owed, room))
        worth = 0
        for count, each in zip(counts, self.classes, strict=True):
            worth += min(count, taken) * each
            taken -= min(count, taken)
        return worth

    def _spared(self, spare: int, room: int) -> tuple[int, int]:
        """Return how many spare wilds form melds of their own, and how many join others."""
        ways = [(0, min(spare, room))]
        ways += [(n, min(spare - n, room)) for n in range(1, spare + 1) if self.alone[n]]
        return max(ways, key=sum)

    @property
    def most_saved(self) -> int:
        """The most points that melds can use up; only for a hand without wilds."""
        return self._points(self.left)

    def every_saving(self, left: int, points: int) -> Iterator[list[Listed]]:
        """Yield each choice of melds that uses up exactly these points, in a hand without wilds."""
        if not points:
            yield []
            return
        if self._points(left) < points:
            return
        at, guards = lowest(left), self.guards
        for worth, option in self.options[at]:
            rest, saved = (left | guards) - option.naturals, worth // _POINT
            if rest & guards == guards and saved <= points:
                more = self.every_saving(rest ^ guards, points - saved)
                yield from ([option, *others] for others in more)
        yield from self.every_saving(left & ~(_ALL << FIELD * at), points)

    def _points(self, left: int) -> int:
        """Return the most points of these naturals that melds without wilds can use up."""
        most = self._count(left, self.worth)
        found = self._weigh(left, 0, 0, 0, 0, 0, 0, most, -1)
        assert found is not None, "nothing is asked of the melds"
        return found.worth // _POINT

    def laid_out(self, options: Sequence[Listed]) -> Arrangement:
        """Return the hand arranged in these melds, with wilds added to them."""
        held = [[*same] for same in self.listing.kinds]
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
        points = self.values.count(left, self.rules.wilds.cards)
        return Arrangement(tuple(melds), tuple(left), points, self.is_decided or not left)

    def _read(self, option: Listed, cards: Cards) -> Reading:
        """Read a chosen meld, in rising order; wilds at an end of a run go above if they can."""
        kind = MeldKind.RUN if option.is_run else MeldKind.SET
        readings = [
            reading
            for reading in legal_readings(cards, self.rules, as_laid=False)
            if reading.kind is kind and (not option.is_pure or reading.naturals == len(cards))
        ]
        return max(readings, key=lambda reading: min(reading.places, default=0)).arranged
