"""The limits of a meld: how many cards, copies and wilds it can have."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Final

from referee.cards import ACE, Card, Cards
from referee.melds.rules import MeldRules, RunRule
from referee.rulings import Code, Finding, MeldKind, Reading, found

_MOST_LAST: Final = 4
"""The most cards in a set that only a player who goes out can meld."""


def limits(reading: Reading, rules: MeldRules) -> list[Finding]:
    """Return a finding for each limit that a reading breaks; none if the reading is legal.

    Limits are on size, copies, suits and wilds, and on cards that can’t be melded.
    """
    if reading.kind is MeldKind.SET:
        return _set_limits(reading, rules)
    if reading.kind is MeldKind.FLUSH:
        return _flush_limits(reading, rules)
    runs, wilds = rules.runs, rules.wilds.of(MeldKind.RUN)
    broken: list[Finding] = []
    if len(reading.cards) < runs.min_size:
        broken.append(too_few(reading.cards, MeldKind.RUN, rules))
    if runs.max_size is not None and len(reading.cards) > runs.max_size:
        broken.append(too_many(reading.cards, "run-most", MeldKind.RUN, runs.max_size))
    count = len(reading.cards) - reading.naturals
    broken += wild_limits(reading, count, rules)
    if runs.without or runs.one_ace:
        broken += _barred_from_run(reading, runs)
    if not wilds.adjacent:
        # Wilds can be side by side in the run even if the cards were laid in another order.
        wild = reading.arranged.wild
        if any(one and other for one, other in itertools.pairwise(wild)):
            broken.append(found(Code.WILDS_ADJACENT, "touching", _wilds_of(reading), wild=wilds))
    return broken


def _flush_limits(reading: Reading, rules: MeldRules) -> list[Finding]:
    broken: list[Finding] = []
    if rules.flush is not None and len(reading.cards) < rules.flush:
        broken.append(too_few(reading.cards, MeldKind.FLUSH, rules))
    return broken + wild_limits(reading, len(reading.cards) - reading.naturals, rules)


def wild_limits(reading: Reading, count: int, rules: MeldRules) -> list[Finding]:
    """Return findings if a meld with `count` wilds has too many wilds or too few naturals."""
    wilds = rules.wilds.of(reading.kind)
    # With so few naturals it is often unclear which kind was meant, so don’t name it if the limit
    # is the same for all.
    one = wilds.in_sets and wilds.apart is None and wilds is rules.wilds
    kind = "meld" if one else reading.kind
    broken: list[Finding] = []
    if len(reading.cards) - count < wilds.min_naturals:
        n = wilds.min_naturals
        broken.append(found(Code.TOO_FEW_NATURALS, "naturals", reading.cards, kind=kind, n=n))
    if wilds.max_in_meld is not None and count > wilds.max_in_meld:
        n, how = wilds.max_in_meld, "" if wilds.max_in_meld else "none"
        odd = _wilds_of(reading)
        broken.append(
            found(Code.TOO_MANY_WILDS, "wilds-most", odd, how, kind=kind, n=n, wild=wilds)
        )
    if not wilds.may_outnumber and 2 * count > len(reading.cards):
        odd = _wilds_of(reading)
        broken.append(
            found(Code.TOO_MANY_WILDS, "wilds-share", odd, "share", kind=kind, wild=wilds)
        )
    return broken


def _set_limits(reading: Reading, rules: MeldRules) -> list[Finding]:
    sets = rules.sets
    size = len(reading.cards)
    broken: list[Finding] = []
    if size < sets.min_size:
        broken.append(too_few(reading.cards, MeldKind.SET, rules))
    # No set of only wilds could keep the limits on wilds, so they don’t apply to it.
    if reading.rankless:
        return broken
    if sets.max_size is not None and size > sets.max_size:
        broken.append(too_many(reading.cards, "set-most", MeldKind.SET, sets.max_size))
    naturals = reading.cards
    if rules.wild_in_sets:
        if reading.stands is not reading.cards:
            pairs = zip(reading.cards, reading.wild, strict=True)
            naturals = tuple([card for card, wild in pairs if not wild])
        broken += wild_limits(reading, size - len(naturals), rules)
    if sets.without or sets.last:
        broken += _barred(naturals, size, rules)
    if sets.distinct_suits and len(set(naturals)) < len(naturals):
        broken.append(found(Code.SET_REPEATS_CARD, "same-card", repeated_cards(naturals)))
    there = len({card.suit for card in naturals})
    if sets.suits is not None and not there <= sets.suits <= there + size - len(naturals):
        broken.append(found(Code.SET_OF_OTHER_SUITS, "same-card", reading.cards, n=sets.suits))
    return broken


def _barred_from_run(reading: Reading, runs: RunRule) -> Iterator[Finding]:
    """Yield findings for cards that can’t be in a run, and for a second ace if one is the limit."""
    barred = tuple([card for card in reading.stands if card in runs.without])
    if barred:
        yield found(Code.SPECIAL_CARD, "run-without", barred, "run", this=barred[0])
    pairs = zip(reading.cards, reading.wild, strict=True)
    aces = tuple([card for card, wild in pairs if card.rank == ACE and not wild])
    if runs.one_ace and len(aces) > 1:
        yield found(Code.RUN_REPEATS_RANK, "run-ends", aces, twice=Card(ACE))


def _barred(naturals: Cards, size: int, rules: MeldRules) -> Iterator[Finding]:
    """Yield findings for cards that can’t be in a set, or only if the player goes out with it."""
    sets, wilds = rules.sets, rules.wilds
    barred = tuple([card for card in naturals if card in sets.without])
    if not naturals or not sets.last.issuperset(naturals):
        if barred:
            yield found(Code.SPECIAL_CARD, "set-without", barred, "set", this=barred[0])
        return
    if barred:
        yield found(Code.ONLY_GOING_OUT, "set-last", barred, this=barred[0])
    if len(naturals) < size:
        yield found(Code.TOO_MANY_WILDS, "set-last", naturals, "last", wild=wilds)
    if size > _MOST_LAST:
        yield found(Code.TOO_MANY_IN_MELD, "set-last", naturals, kind=MeldKind.SET, n=_MOST_LAST)


def repeated_cards(cards: Cards) -> Cards:
    """Return the cards that occur more than once, each of them once."""
    return tuple(card for card, count in Counter(cards).items() if count > 1)


def too_few(cards: Cards, kind: MeldKind, rules: MeldRules) -> Finding:
    """Return the finding that these are too few cards for a meld of this kind."""
    if len(cards) == 1:
        return found(Code.TOO_FEW_CARDS, "set", cards, "alone")
    sizes = {MeldKind.SET: rules.sets.min_size, MeldKind.RUN: rules.runs.min_size}
    n = sizes.get(kind, rules.flush or 0)
    return found(Code.TOO_FEW_CARDS, kind.value, cards, kind=kind, n=n)


def too_many(cards: Cards, cites: str, kind: MeldKind, most: int) -> Finding:
    """Return the finding that a meld of this kind can have at most `most` cards.

    `cites` is the name of the clause that says so.
    """
    return found(Code.TOO_MANY_IN_MELD, cites, cards, kind=kind, n=most)


def _wilds_of(reading: Reading) -> Cards:
    pairs = zip(reading.cards, reading.wild, strict=True)
    return tuple(card for card, wild in pairs if wild)
