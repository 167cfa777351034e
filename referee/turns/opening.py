"""The opening: first melds that need to be worth a number of points, in games without contracts.

The first melds come from the hand alone. Their points are counted in the order in which they were
laid. If melds have several readings, the ones that meet the other needs of the opening and are
worth the most count. If another order would be worth enough, it is the hint.
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
from referee.rulings import Code, Finding, MeldKind, Reading, TableWorth, found, ground

_MOST_TRIED: Final = 10_000
"""The most combinations of melds to try in a search for an opening."""
_LONGEST_RUN: Final = 5
"""The longest run to try: longer ones can be split into runs of 3 to 5 cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningRule:
    """The rules for first melds: the points that they need together, and which melds."""

    points: int
    """The points needed if neither `by_step` nor `by_total` has others."""
    then_table: bool
    """Whether the melds on the table can be rearranged on the turn of the opening."""
    needs: Contract
    """The melds that need to be among the first ones."""
    wilds: bool
    """Whether the first melds can have wilds."""
    at_once: bool = False
    """Whether a player who melds the whole hand at once needs neither points nor certain melds."""
    by_total: tuple[tuple[int, int], ...] = ()
    """Pairs of a total and the points needed from that total on, the lowest total first."""
    by_step: Mapping[int, int] = field(default_factory=dict)
    """The points needed by step (from 1), for steps with their own; these come before totals."""
    pairs: int | None = None
    """How many pairs open instead of points; None if pairs aren’t melds."""

    def at(self, total: int, step: int | None = None) -> OpeningRule:
        """Return these rules with the points that a team with this total needs in a step."""
        asked = self.asked(total, step)
        return self if asked == self.points else replace(self, points=asked)

    def asked(self, total: int, step: int | None = None) -> int:
        """Return the points that the first melds of a team with this total need in a step."""
        by_step = self.by_step.get(step or 0)
        if by_step is not None:
            return by_step
        reached = [points for least, points in self.by_total if total >= least]
        return reached[-1] if reached else self.points


class Opened(NamedTuple):
    """The points of first melds, and whether they are enough."""

    readings: tuple[Reading, ...]
    """The reading of each legal meld; illegal ones are left out."""
    findings: tuple[Finding, ...]
    points: int
    hint: tuple[str, ...] = ()
    """Melds written in an order that would be worth enough; empty if there isn’t one."""


def open_with(
    verdicts: Sequence[Verdict], rule: OpeningRule, worth: TableWorth, rules: MeldRules
) -> Opened:
    """Count the points of first melds, and return whether they meet the rules of the opening.

    Melds that aren’t legal count 0, and if there are any, other needs aren’t checked. If these
    melds would be worth enough in another order, the result has that order as a hint and no finding
    about the points.
    """
    readings = _meant([verdict.readings for verdict in verdicts if verdict.readings], rule, worth)
    if rule.pairs is not None and any(map(_meant_as_pair, verdicts)):
        points = _sum(worth)(readings)
        return Opened(readings, tuple(_in_pairs(verdicts, readings, rule.pairs)), points)
    opened = _counted(readings, verdicts, rule, worth, rules)
    if len(readings) < len(verdicts):
        return opened
    return opened._replace(findings=(*_against(readings, rule, rules), *opened.findings))


def _meant_as_pair(verdict: Verdict) -> bool:
    kinds = {reading.kind for reading in verdict.readings} or {*verdict.meant}
    return MeldKind.PAIR in kinds


def _in_pairs(
    verdicts: Sequence[Verdict], readings: Sequence[Reading], need: int
) -> Iterator[Finding]:
    """Yield whether first melds with a pair among them are only pairs, and enough of them."""
    pairs = [reading for reading in readings if reading.kind is MeldKind.PAIR]
    if not all(map(_meant_as_pair, verdicts)):
        cards = tuple(card for reading in pairs for card in reading.cards)
        yield found(Code.PAIRS_MIXED, "opening-pairs", cards, n=need)
    elif len(pairs) < need:
        yield found(Code.OPENING_TOO_LOW, "opening-pairs", (), "pairs", need=need, n=len(pairs))
    else:
        yield ground(Code.OPENING_MET, "opening-pairs", (), "pairs", need=need, n=len(pairs))


def check_kinds(readings: Sequence[Reading], *, opened_in_pairs: bool) -> Iterator[Finding]:
    """Yield a finding if a player who has opened with pairs lays anything else, or the reverse."""
    odd = [reading for reading in readings if (reading.kind is MeldKind.PAIR) != opened_in_pairs]
    if odd:
        cards = tuple(card for reading in odd for card in reading.cards)
        how = "only" if opened_in_pairs else "none"
        yield found(Code.PAIRS_MIXED, "opening-pairs", cards, how)


def _meant(
    choices: Sequence[Sequence[Reading]], rule: OpeningRule, worth: TableWorth
) -> tuple[Reading, ...]:
    """Return the reading of each meld with which all are worth the most.

    `choices` has the readings of each meld. If possible, the melds needed are among them.
    """
    best = tuple(_best(readings, worth) for readings in choices)
    if not unmet(rule.needs, best):
        return best
    ways = islice(product(*choices), _MOST_TRIED)
    return max((way for way in ways if not unmet(rule.needs, way)), key=_sum(worth), default=best)


def _sum(worth: TableWorth) -> Callable[[Sequence[Reading]], int]:
    return lambda readings: sum(sum(worth(reading)) for reading in readings)


def _against(readings: Sequence[Reading], rule: OpeningRule, rules: MeldRules) -> Iterator[Finding]:
    """Yield findings if first melds lack a meld that is needed, or have wilds against the rules."""
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
    """Compare the points of first melds with the points needed."""
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
    """Return the finding that the first melds are worth enough."""
    if rule.at_once and not rule.points:
        return ground(Code.OPENING_MET, "opening-at-once", (), "at-once", points=points)
    return ground(Code.OPENING_MET, "opening", points=points, need=rule.points)


def too_low(points: int, rule: OpeningRule, rules: MeldRules, whole: int) -> Finding:
    """Return the finding that the first melds aren’t worth enough.

    `whole` is what they would be worth if each wild counted as the card it stands for. If that
    would be enough, the finding explains what wilds count.
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
    """Yield other orders of melds that add the missing points; none if they can’t.

    Those that add the most come first, and only as many as needed.
    """
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
    """Return the reading that is worth the most, the first one if several are."""
    return max(readings, key=lambda reading: sum(worth(reading)))


def opening_within(cards: Cards, rule: OpeningRule, worth: TableWorth, rules: MeldRules) -> int:
    """Return the points of melds among these cards that are worth enough for the opening.

    If none are found, return the most points found. The order of the cards doesn’t matter, and
    wilds are only used if it isn’t enough without them.

    The melds worth the most are tried first, up to 10,000 choices for each number of wilds. So the
    result can be too low if nearly all of many cards are needed, for example 30 tiles.
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
    """Yield the cards of possible melds, long runs only in parts; they may not be legal."""
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
    """Yield every choice of `size` cards with at least one natural, the fewest wilds first."""
    for number in range(size):
        if number <= len(wilds):
            for some in combinations(naturals, size - number):
                yield (*some, *wilds[:number])


class _Candidate(NamedTuple):
    """A possible meld: each of its cards with the number of copies, and its points."""

    cards: tuple[tuple[Card, int], ...]
    worth: int


class _OpeningSearch:
    """A search for the melds worth the most that stops once they are worth enough."""

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
    """How melds are laid down in a game without contracts: `Variant.way` of such a game.

    >>> from referee import LayRule, variants
    >>> rule = variants.get("rummy-500").way
    >>> isinstance(rule, LayRule), rule.first_naturals
    (True, 2)
    """

    first_naturals: int
    """The fewest naturals that a player needs in the first melds of a round, all together."""
