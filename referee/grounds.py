"""Grounds for and against reading cards as a meld: the nearest miss explained.

What is wrong is said as a rule of the game ("A run is all in one suit."), never as a failure.
All of it is said, the most telling first.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.cards import ACE, RANKS, rank_word, write_cards
from referee.melds import ACE_HIGH, Ace, rank_at, read_runs, read_set, repeated_cards
from referee.rulings import Code, Finding, MeldKind, number_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.cards import Card, Cards
    from referee.melds import MeldRules, RunRule
    from referee.rulings import Reading


@dataclass(frozen=True, slots=True)
class Verdict:
    """How cards are read as a meld: every legal reading, else why there is none."""

    readings: tuple[Reading, ...]
    """Every legal way; sets first, then runs by the place they begin at."""
    findings: tuple[Finding, ...] = ()
    """What is against it where there is no legal way."""
    hint: str = ""
    """Another order of the same cards that would be legal, where the order is at fault."""


def judge(cards: Cards, rules: MeldRules, *, as_laid: bool = True) -> Verdict:
    """Read cards as a meld, or say why they are none."""
    if not cards:
        says = "There are no cards in this meld."
        return Verdict((), (Finding(Code.NO_CARDS, says, rules.sets.cite),))
    readings = legal_readings(cards, rules, as_laid=as_laid)
    if readings:
        return Verdict(readings)
    hint = ""
    if as_laid:
        arranged = legal_readings(cards, rules, as_laid=False)
        hint = write_cards(arranged[0].arranged.cards) if arranged else ""
    if _was_meant_as_set(cards, rules):
        return Verdict((), tuple(_against_set(cards, rules)), hint)
    return Verdict((), tuple(_against_run(cards, rules, as_laid=as_laid)), hint)


def legal_readings(cards: Cards, rules: MeldRules, *, as_laid: bool = True) -> tuple[Reading, ...]:
    """Give every legal way to read cards as a meld."""
    found: list[Reading] = []
    reading = read_set(cards, rules.wilds)
    if reading is not None and not any(True for _ in limits(reading, rules)):
        found.append(reading)
    if len(cards) >= rules.runs.min_size:
        runs = read_runs(cards, rules.runs, rules.wilds, as_laid=as_laid)
        found += [run for run in runs if not any(True for _ in limits(run, rules))]
    return tuple(found)


def limits(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    """Say which limits a reading breaks: size, copies, wilds."""
    if reading.kind is MeldKind.SET:
        yield from _set_limits(reading, rules)
        return
    runs, wilds = rules.runs, rules.wilds
    count = sum(reading.wild)
    if len(reading.cards) < runs.min_size:
        yield _too_few(reading.cards, MeldKind.RUN, rules)
    if len(reading.cards) - count < wilds.min_naturals:
        says = f"A run needs {_at_least(wilds.min_naturals, 'natural card')}."
        yield Finding(Code.TOO_FEW_NATURALS, says, wilds.naturals, reading.cards)
    if wilds.max_in_run is not None and count > wilds.max_in_run:
        says = f"A run may have {_at_most(wilds.max_in_run, 'wild')}."
        yield Finding(Code.TOO_MANY_WILDS, says, wilds.most, _wilds_of(reading))
    if not wilds.adjacent and count > 1:
        wild = reading.arranged.wild
        if any(one and other for one, other in itertools.pairwise(wild)):
            says = "Wilds may not lie side by side in a run."
            yield Finding(Code.WILDS_ADJACENT, says, wilds.touching, _wilds_of(reading))


def _set_limits(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    sets = rules.sets
    size = len(reading.cards)
    if size < sets.min_size:
        yield _too_few(reading.cards, MeldKind.SET, rules)
    if sets.max_size is not None and size > sets.max_size:
        says = f"A set has {_at_most(sets.max_size, 'card')}."
        yield Finding(Code.TOO_MANY_IN_MELD, says, sets.cite, reading.cards)
    if sets.distinct_suits and len(set(reading.stands)) < size:
        twice = repeated_cards(reading.stands)
        if twice:
            says = "The same card may not stand in a set twice."
            yield Finding(Code.SET_REPEATS_CARD, says, sets.repeats, twice)


def in_favour(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    """Give the grounds of a legal reading: what it is, and what each card is there."""
    if reading.kind is MeldKind.SET:
        rank = rank_word(reading.stands[0].rank)
        says = f"{number_word(len(reading.cards)).capitalize()} cards of one rank: a set ({rank})."
        yield _ground(Code.SET, says, rules.sets.cite, reading.cards)
        twice = repeated_cards(reading.stands)
        if twice and twice[0].suit is not None and not rules.sets.distinct_suits:
            says = "The same card may stand in a set twice, once from each pack."
            yield _ground(Code.SAME_CARD_TWICE, says, rules.sets.repeats, twice)
    else:
        yield from _run_in_favour(reading, rules)
    wilds = rules.wilds
    for card, stand in zip(reading.cards, reading.stands, strict=True):
        if card is not stand:
            says = f"The {wilds.name} stands for the {stand.name}."
            yield _ground(Code.WILD_STANDS_FOR, says, wilds.cite, (card,))
        elif card in wilds.cards:
            says = f"The {card.name} is a natural card here: it stands in its own place."
            yield _ground(Code.NATURAL_IN_PLACE, says, wilds.natural, (card,))


def _run_in_favour(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    runs = rules.runs
    arranged = reading.arranged
    first, last = arranged.stands[0], arranged.stands[-1]
    suit = f" of {first.suit.word}" if runs.one_suit and first.suit is not None else ""
    says = (
        f"{number_word(len(reading.cards)).capitalize()} cards in a row{suit}: "
        f"a run from {rank_word(first.rank)} to {rank_word(last.rank)}."
    )
    yield _ground(Code.RUN, says, runs.cite, reading.cards)
    if arranged.places[-1] > ACE_HIGH or (arranged.places[-1] == ACE_HIGH and last.rank != ACE):
        says = "Runs may go round the corner at this table."
        yield _ground(Code.AROUND_THE_CORNER, says, runs.ends, reading.cards)
    if arranged.places[0] == ACE and arranged.places[-1] == ACE_HIGH:
        says = "An ace may stand at each end of a run."
        yield _ground(Code.TWO_ACES, says, runs.both_aces, (first, last))
    if reading.places not in {arranged.places, arranged.places[::-1]}:
        says = "The cards were laid in no order, so the referee arranged them."
        yield _ground(Code.ORDER_NOT_MEANT, says, runs.order, reading.cards)


def _was_meant_as_set(cards: Cards, rules: MeldRules) -> bool:
    """Guess whether cards that are no meld were meant as a set rather than a run."""
    of_a_rank = max(Counter(card.rank for card in cards).values())
    naturals = [card for card in cards if card not in rules.wilds.cards]
    suits: dict[object, set[int]] = {}
    for card in naturals:
        suits.setdefault(card.suit if rules.runs.one_suit else None, set()).add(card.rank)
    in_a_suit = max((len(ranks) for ranks in suits.values()), default=0)
    return of_a_rank > 1 and of_a_rank >= in_a_suit + len(cards) - len(naturals)


def _against_set(cards: Cards, rules: MeldRules) -> Iterator[Finding]:
    reading = read_set(cards, rules.wilds)
    if reading is not None:
        yield from limits(reading, rules)
        return
    ranks = Counter(card.rank for card in cards)
    rank = ranks.most_common(1)[0][0]
    others = tuple(card for card in cards if card.rank != rank)
    wild = tuple(card for card in others if card in rules.wilds.cards)
    if wild and rules.wilds.in_sets is not None:
        says = f"A {rules.wilds.name} is never wild in a set."
        yield Finding(Code.WILD_IN_SET, says, rules.wilds.in_sets, wild)
    if len(wild) < len(others):
        says = "The cards of a set are all of one rank."
        yield Finding(Code.SET_OF_TWO_RANKS, says, rules.sets.cite, others)
    if len(cards) < rules.sets.min_size:
        yield _too_few(cards, MeldKind.SET, rules)


def _against_run(cards: Cards, rules: MeldRules, *, as_laid: bool) -> Iterator[Finding]:
    runs, wilds = rules.runs, rules.wilds
    readings = list(read_runs(cards, runs, wilds, as_laid=as_laid))
    if readings:
        yield from min((tuple(limits(reading, rules)) for reading in readings), key=len)
        return
    naturals = tuple(card for card in cards if card not in wilds.cards)
    suits = Counter(card.suit for card in naturals)
    if runs.one_suit and len(suits) > 1:
        common = suits.most_common(1)[0][0]
        odd = tuple(card for card in naturals if card.suit is not common)
        yield Finding(Code.RUN_OF_TWO_SUITS, "A run is all in one suit.", runs.cite, odd)
    twice = _ranks_too_often(naturals, runs)
    if twice:
        says = f"No rank stands in a run twice; here the {rank_word(twice[0])} does."
        odd = tuple(card for card in naturals if card.rank in twice)
        yield Finding(Code.RUN_REPEATS_RANK, says, runs.cite, odd)
    elif as_laid and next(read_runs(cards, runs, wilds, as_laid=False), None) is not None:
        says = (
            f"As it lies, the {wilds.name} has no place in this run; "
            "in another order the cards may be one."
        )
        odd = tuple(card for card in cards if card in wilds.cards)
        yield Finding(Code.WILD_OUT_OF_PLACE, says, runs.order, odd)
    else:
        yield from _against_ranks(naturals, len(cards), runs)
    if len(cards) < runs.min_size:
        yield _too_few(cards, MeldKind.RUN, rules)


def _ranks_too_often(naturals: Cards, runs: RunRule) -> list[int]:
    """Give the ranks that stand among these more often than a run has places for them."""
    often = Counter(card.rank for card in naturals)
    both_aces = runs.wrap or runs.ace is Ace.EITHER
    return [rank for rank, count in often.items() if count > 1 + (rank == ACE and both_aces)]


def _against_ranks(naturals: Cards, size: int, runs: RunRule) -> Iterator[Finding]:
    """Say why ranks that all differ are not in a row: the ace, the corner, or a gap."""
    ranks = {card.rank for card in naturals}
    aces = tuple(card for card in naturals if card.rank == ACE)
    if len(naturals) > len(ranks):
        says = "An ace stands in a run twice only where it has both ends of it."
        yield Finding(Code.RUN_REPEATS_RANK, says, runs.both_aces, aces)
    elif _in_a_row(ranks, size, runs.starts(size)):
        return
    elif Ace.LOW not in runs.ace and _in_a_row(ranks, size, range(ACE, ACE + 1)):
        yield Finding(Code.ACE_NOT_LOW, "The ace is high only.", runs.ends, aces)
    elif Ace.HIGH not in runs.ace and _in_a_row(
        ranks, size, range(ACE_HIGH - size + 1, ACE_HIGH - size + 2)
    ):
        yield Finding(Code.ACE_NOT_HIGH, "The ace is low only.", runs.ends, aces)
    elif not runs.wrap and aces and _in_a_row(ranks, size, RANKS):
        says = "A run does not go round the corner past the ace."
        yield Finding(Code.RUN_AROUND_THE_CORNER, says, runs.ends, aces)
    elif size > ACE_HIGH:
        says = f"A run has {_at_most(ACE_HIGH, 'card')}."
        yield Finding(Code.TOO_MANY_IN_MELD, says, runs.both_aces, naturals)
    else:
        says = "The cards of a run follow one another without a gap."
        yield Finding(Code.RUN_GAP, says, runs.cite, naturals)


def _in_a_row(ranks: set[int], size: int, starts: range) -> bool:
    """Whether ranks can all stand among so many places in a row, begun at one of the starts."""
    return any(
        ranks <= {rank_at(place) for place in range(start, start + size)} for start in starts
    )


def _too_few(cards: Cards, kind: MeldKind, rules: MeldRules) -> Finding:
    rule = rules.sets if kind is MeldKind.SET else rules.runs
    says = f"A {kind.value} has {_at_least(rule.min_size, 'card')}."
    return Finding(Code.TOO_FEW_CARDS, says, rule.cite, cards)


def _wilds_of(reading: Reading) -> Cards:
    pairs = zip(reading.cards, reading.wild, strict=True)
    return tuple(card for card, wild in pairs if wild)


def _ground(code: Code, says: str, clause: object, cards: tuple[Card, ...]) -> Finding:
    return Finding(code, says, clause, cards, against=False)  # type: ignore[arg-type]


def _at_least(number: int, noun: str) -> str:
    return f"at least {number_word(number)} {noun if number == 1 else noun + 's'}"


def _at_most(number: int, noun: str) -> str:
    return f"at most {number_word(number)} {noun if number == 1 else noun + 's'}"
