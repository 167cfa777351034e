"""The limits of a meld, whatever it is read as: how many cards, copies and wilds it may have."""

import itertools
from collections import Counter

from referee.cards import Cards
from referee.melds.rules import MeldRules
from referee.rulings import Code, Finding, MeldKind, Reading
from referee.wording import number_word


def limits(reading: Reading, rules: MeldRules) -> list[Finding]:
    """Say which limits a reading breaks: size, copies, wilds."""
    if reading.kind is MeldKind.SET:
        return _set_limits(reading, rules)
    if reading.kind is MeldKind.FLUSH:
        return _flush_limits(reading, rules)
    runs, wilds = rules.runs, rules.wilds.of(MeldKind.RUN)
    broken: list[Finding] = []
    if len(reading.cards) < runs.min_size:
        broken.append(too_few(reading.cards, MeldKind.RUN, rules))
    if runs.max_size is not None and len(reading.cards) > runs.max_size:
        says = f"A run has {at_most(runs.max_size, rules.pack.nouns.card)}."
        broken.append(Finding(Code.TOO_MANY_IN_MELD, says, "run-most", reading.cards))
    count = len(reading.cards) - reading.naturals
    broken += wild_limits(reading, count, rules)
    if not wilds.adjacent:
        # Side by side in the run, in whatever order the cards were laid.
        wild = reading.arranged.wild
        if any(one and other for one, other in itertools.pairwise(wild)):
            says = f"{wilds.names.capitalize()} may not lie side by side in a run."
            broken.append(
                Finding(Code.WILDS_ADJACENT, says, "touching", _wilds_of(reading)),
            )
    return broken


def _flush_limits(reading: Reading, rules: MeldRules) -> list[Finding]:
    broken: list[Finding] = []
    if rules.flush is not None and len(reading.cards) < rules.flush:
        broken.append(too_few(reading.cards, MeldKind.FLUSH, rules))
    return broken + wild_limits(reading, len(reading.cards) - reading.naturals, rules)


def wild_limits(reading: Reading, count: int, rules: MeldRules) -> list[Finding]:
    """Say whether there are too few naturals or too many wilds among the cards of a meld."""
    wilds = rules.wilds.of(reading.kind)
    # With so few naturals it is often a matter of taste whether cards are a set or a run.
    one = wilds.in_sets and wilds.apart is None and wilds is rules.wilds
    meld = "meld" if one else reading.kind.value
    broken: list[Finding] = []
    if len(reading.cards) - count < wilds.min_naturals:
        need = _at_least(wilds.min_naturals, rules.pack.nouns.natural)
        says = f"A {meld} needs {need}."
        broken.append(Finding(Code.TOO_FEW_NATURALS, says, "naturals", reading.cards))
    if wilds.max_in_meld is not None and count > wilds.max_in_meld:
        says = f"A {meld} may have {at_most(wilds.max_in_meld, wilds.name)}."
        broken.append(Finding(Code.TOO_MANY_WILDS, says, "wilds-most", _wilds_of(reading)))
    if not wilds.may_outnumber and 2 * count > len(reading.cards):
        says = f"A {meld} has no more {wilds.names} than {rules.pack.nouns.natural}s."
        broken.append(Finding(Code.TOO_MANY_WILDS, says, "wilds-share", _wilds_of(reading)))
    return broken


def _set_limits(reading: Reading, rules: MeldRules) -> list[Finding]:
    sets = rules.sets
    size = len(reading.cards)
    broken: list[Finding] = []
    if size < sets.min_size:
        broken.append(too_few(reading.cards, MeldKind.SET, rules))
    # Only wilds: the limits on wilds would leave nothing of such a set.
    if reading.rankless:
        return broken
    if sets.max_size is not None and size > sets.max_size:
        says = f"A set has {at_most(sets.max_size, rules.pack.nouns.card)}."
        broken.append(Finding(Code.TOO_MANY_IN_MELD, says, "set-most", reading.cards))
    naturals = reading.cards
    if rules.wild_in_sets:
        if reading.stands is not reading.cards:
            pairs = zip(reading.cards, reading.wild, strict=True)
            naturals = tuple([card for card, wild in pairs if not wild])
        broken += wild_limits(reading, size - len(naturals), rules)
    if sets.distinct_suits and len(set(naturals)) < len(naturals):
        says = f"The same {rules.pack.nouns.card} may not stand in a set twice."
        twice = repeated_cards(naturals)
        broken.append(Finding(Code.SET_REPEATS_CARD, says, "same-card", twice))
    return broken


def repeated_cards(cards: Cards) -> Cards:
    """The cards that stand among these more than once, each once."""
    return tuple(card for card, count in Counter(cards).items() if count > 1)


def too_few(cards: Cards, kind: MeldKind, rules: MeldRules) -> Finding:
    """Say that cards are too few for a meld of a kind."""
    noun = rules.pack.nouns.card
    if len(cards) == 1:
        says = f"One {noun} alone is no set and no run."
        return Finding(Code.TOO_FEW_CARDS, says, "set", cards)
    sizes = {MeldKind.SET: rules.sets.min_size, MeldKind.RUN: rules.runs.min_size}
    says = f"A {kind.value} has {_at_least(sizes.get(kind, rules.flush or 0), noun)}."
    return Finding(Code.TOO_FEW_CARDS, says, kind.value, cards)


def _wilds_of(reading: Reading) -> Cards:
    pairs = zip(reading.cards, reading.wild, strict=True)
    return tuple(card for card, wild in pairs if wild)


def _at_least(number: int, noun: str) -> str:
    return f"at least {number_word(number)} {noun if number == 1 else noun + 's'}"


def at_most(number: int, noun: str) -> str:
    """Say how many there may be: "at most two jokers"."""
    if not number:
        return f"no {noun}s"
    return f"at most {number_word(number)} {noun if number == 1 else noun + 's'}"
