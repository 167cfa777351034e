"""Laying freely, and the opening: first melds of so many points, where a game asks for them.

Those come from the hand alone. What they are worth is counted as they are, of several readings the
one worth most that has what is asked for; where they would be worth enough in another order, that
order is the hint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from typing import Final, NamedTuple

from referee.cards import Card, Cards, write_cards
from referee.melds.contracts import Contract, unmet
from referee.melds.grounds import Verdict, legal_readings
from referee.melds.rules import MeldRules, rank_at
from referee.rulings import Code, Finding, Reading, TableWorth, found, ground

_MOST_TRIED: Final = 10_000
"""How many arrangements are tried at most when an opening is looked for."""
_LONGEST_RUN: Final = 5
"""Longer runs can be taken apart into runs of three to five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningRule:
    """How much the first melds must be worth, and what may be done besides."""

    points: int
    then_table: bool
    """Whether the table is open as soon as the points are there."""
    needs: Contract
    """The melds that must be among the first."""
    wilds: bool
    """Whether a card of the first melds may stand for another."""
    at_once: bool = False
    """Whether a player who lays the whole hand at once needs no points."""
    by_total: tuple[tuple[int, int], ...] = ()
    """What they must be worth from a total on, the lowest total first."""
    by_step: Mapping[int, int] = field(default_factory=dict)
    """What they must be worth in the steps, from 1, that say so."""

    def at(self, total: int, step: int | None = None) -> OpeningRule:
        """The opening of a team with this total in a step."""
        asked = self.asked(total, step)
        return self if asked == self.points else replace(self, points=asked)

    def asked(self, total: int, step: int | None = None) -> int:
        """What the first melds of a team with this total must be worth in a step."""
        by_step = self.by_step.get(step or 0)
        if by_step is not None:
            return by_step
        reached = [points for least, points in self.by_total if total >= least]
        return reached[-1] if reached else self.points


class Opened(NamedTuple):
    """What melds laid to open are worth, and whether that will do."""

    readings: tuple[Reading, ...]
    """How each meld is read that can be read."""
    findings: tuple[Finding, ...]
    points: int
    hint: tuple[str, ...] = ()
    """Other orders of melds in which they would be worth enough, where there are any."""


def open_with(
    verdicts: Sequence[Verdict], rule: OpeningRule, worth: TableWorth, rules: MeldRules
) -> Opened:
    """Count what melds are worth in the opening; those that are none count nothing.

    The points are left out if melds that aren’t legal would be worth enough in another order.
    """
    readings = _meant([verdict.readings for verdict in verdicts if verdict.readings], rule, worth)
    opened = _counted(readings, verdicts, rule, worth, rules)
    if len(readings) < len(verdicts):
        return opened
    return opened._replace(findings=(*_against(readings, rule, rules), *opened.findings))


def _meant(
    choices: Sequence[Sequence[Reading]], rule: OpeningRule, worth: TableWorth
) -> tuple[Reading, ...]:
    """The readings that a player means: those worth most, of such as have what the rule needs."""
    best = tuple(_best(readings, worth) for readings in choices)
    if not unmet(rule.needs, best):
        return best
    ways = islice(product(*choices), _MOST_TRIED)
    return max((way for way in ways if not unmet(rule.needs, way)), key=_sum(worth), default=best)


def _sum(worth: TableWorth) -> Callable[[Sequence[Reading]], int]:
    return lambda readings: sum(sum(worth(reading)) for reading in readings)


def _against(readings: Sequence[Reading], rule: OpeningRule, rules: MeldRules) -> Iterator[Finding]:
    """Say what first melds lack, and which wilds are in them though none can be."""
    if unmet(rule.needs, tuple(readings)):
        yield found(Code.NEEDS_MISSING, "opening-needs", (), "opening", needs=rule.needs)
    pairs = [pair for reading in readings for pair in zip(reading.cards, reading.wild, strict=True)]
    wild = tuple(card for card, is_wild in pairs if is_wild)
    if wild and not rule.wilds:
        yield found(Code.TOO_MANY_WILDS, "opening-wilds", wild, "opening", wild=rules.wilds)


def _counted(
    readings: tuple[Reading, ...],
    verdicts: Sequence[Verdict],
    rule: OpeningRule,
    worth: TableWorth,
    rules: MeldRules,
) -> Opened:
    """Hold what first melds are worth against what is asked for."""
    points = _sum(worth)(readings)
    if points >= rule.points:
        counted = () if rules.wilds.counts_own else tuple(_wilds_counted(readings, worth))
        return Opened(readings, (enough(points, rule), *counted), points)
    if len(readings) < len(verdicts):
        mended = [_best(verdict.otherwise, worth) for verdict in verdicts if verdict.otherwise]
        if points + sum(sum(worth(reading)) for reading in mended) >= rule.points:
            orders = tuple(write_cards(reading.arranged.cards) for reading in mended)
            return Opened(readings, (), points, orders)
        against = found(
            Code.OPENING_TOO_LOW, "opening", (), "legal", need=rule.points, points=points
        )
        return Opened(readings, (against,), points)
    hint = tuple(_better_orders(readings, worth, rules, rule.points - points))
    stands = (replace(reading, cards=reading.stands, at_home=()) for reading in readings)
    whole = sum(sum(worth(reading)) for reading in stands)
    return Opened(readings, (too_low(points, rule, rules, whole),), points, hint)


def enough(points: int, rule: OpeningRule) -> Finding:
    """The ground for an opening that is worth enough."""
    if rule.at_once and not rule.points:
        return ground(Code.OPENING_MET, "opening-at-once", (), "at-once", points=points)
    return ground(Code.OPENING_MET, "opening", points=points, need=rule.points)


def too_low(points: int, rule: OpeningRule, rules: MeldRules, whole: int) -> Finding:
    """Say that an opening is not worth enough.

    `whole` is what it would be worth with wilds at the cards they stand for; where that would do,
    what wilds count for is the ground.
    """
    need, wild = rule.points, rules.wilds
    if whole < need:
        return found(Code.OPENING_TOO_LOW, "opening", need=need, points=points)
    how = "wilds"
    return found(
        Code.OPENING_TOO_LOW, "opening-wilds", (), how, need=need, points=points, wild=wild
    )


def _wilds_counted(readings: Sequence[Reading], worth: TableWorth) -> Iterator[Finding]:
    for reading in readings:
        values = worth(reading)
        for index, stand in reading.stands_for.items():
            card = reading.cards[index]
            points = values[index]
            yield ground(
                Code.WILD_COUNTS, "opening-wilds", (card,), stand=stand, this=card, points=points
            )


def _better_orders(
    readings: Sequence[Reading], worth: TableWorth, rules: MeldRules, missing: int
) -> Iterator[str]:
    """Other orders of some of the melds that together are worth what is missing, or none."""
    gains: list[tuple[int, str]] = []
    for reading in readings:
        if not reading.stands_for:
            continue
        best = _best(legal_readings(reading.cards, rules, as_laid=False), worth)
        gain = sum(worth(best)) - sum(worth(reading))
        gains.append((gain, write_cards(best.arranged.cards)))
    if sum(gain for gain, _ in gains) < missing:
        return
    for gain, order in sorted(gains, key=lambda one: -one[0]):
        if missing > 0:
            yield order
        missing -= gain


def _best(readings: Sequence[Reading], worth: TableWorth) -> Reading:
    """The reading that is worth most, of these the first."""
    return max(readings, key=lambda reading: sum(worth(reading)))


def opening_within(cards: Cards, rule: OpeningRule, worth: TableWorth, rules: MeldRules) -> int:
    """Find melds among cards that are worth enough to open, and give what they are worth.

    Where there are none, what the best are worth that were found. Wilds are kept back as long as
    it goes without them. In what order the cards are named does not matter.

    The melds are tried worthiest first, `_MOST_TRIED` at most for each number of wilds: a turn
    of thirty tiles that asks for nearly all of them could be found too low.
    """
    wilds = tuple(card for card in cards if card in rules.wilds.cards)
    naturals = tuple(sorted((card for card in cards if card not in rules.wilds.cards), key=str))
    best = 0
    for used in range(len(wilds) + 1):
        candidates = [
            _Candidate(tuple(Counter(candidate).items()), sum(worth(_best(readings, worth))))
            for candidate in dict.fromkeys(_candidates(naturals, wilds[:used], rules))
            if (readings := legal_readings(candidate, rules, as_laid=False))
        ]
        candidates.sort(key=lambda candidate: -candidate.worth)
        search = _OpeningSearch(candidates, rule.points)
        best = max(best, search.most(Counter(naturals + wilds[:used])))
        if best >= rule.points:
            break
    return best


def _candidates(naturals: Cards, wilds: Cards, rules: MeldRules) -> Iterator[Cards]:
    """The melds that may be made of cards, long runs only in parts."""
    different = tuple(dict.fromkeys(naturals))
    for rank in {card.rank for card in different}:
        of_rank = tuple(card for card in different if card.rank == rank)
        for size in range(rules.sets.min_size, len(of_rank) + len(wilds) + 1):
            yield from _filled(of_rank, wilds, size)
    for suit in dict.fromkeys(card.suit for card in different):
        of_suit = tuple(card for card in different if card.suit is suit)
        for size in range(rules.runs.min_size, _LONGEST_RUN + 1):
            for start in rules.runs.starts(size):
                ranks = {rank_at(place, rules.runs.top) for place in range(start, start + size)}
                yield from _filled(tuple(c for c in of_suit if c.rank in ranks), wilds, size)


def _filled(naturals: Cards, wilds: Cards, size: int) -> Iterator[Cards]:
    """So many cards, as many natural ones as there are but for the wilds."""
    for number in range(size):
        if number <= len(wilds):
            for some in combinations(naturals, size - number):
                yield (*some, *wilds[:number])


class _Candidate(NamedTuple):
    cards: tuple[tuple[Card, int], ...]
    worth: int


class _OpeningSearch:
    """The worthiest melds out of a number of cards, found by trying; it stops at enough."""

    def __init__(self, candidates: Sequence[_Candidate], enough: int) -> None:
        self.candidates = candidates
        self.enough = enough
        self.tried = 0
        self.best = 0

    def most(self, cards: Counter[Card]) -> int:
        self._try(cards, 0, 0)
        return self.best

    def _try(self, cards: Counter[Card], first: int, points: int) -> None:
        self.best = max(self.best, points)
        for at in range(first, len(self.candidates)):
            if self.best >= self.enough or self.tried >= _MOST_TRIED:
                return
            self.tried += 1
            candidate = self.candidates[at]
            if all(cards[card] >= number for card, number in candidate.cards):
                cards.subtract(dict(candidate.cards))
                self._try(cards, at, points + candidate.worth)
                cards.update(dict(candidate.cards))


@dataclass(frozen=True, slots=True, kw_only=True)
class LayRule:
    """How melds are laid down in a game without contracts; `Variant.way` of such a game.

    >>> from referee import LayRule, variants
    >>> rule = variants.get("rummy-500").way
    >>> isinstance(rule, LayRule), rule.first_naturals
    (True, 2)
    """

    first_naturals: int
