"""Contracts: the melds that must be shown to lay down, and whether melds meet one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, permutations, product
from operator import itemgetter
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.rules import MeldRules
from referee.rulings import Code, Finding, MeldKind, Reading, found, ground
from referee.saying import Catalogue, Said, Speaker, UnfitError, wrong

_PART: Final = re.compile(
    r"([1-9]) (pure )?(set|run|flush)(?:e?s)? of ([1-9][0-9]?)(?: ([a-z0-9]+)s)?", re.ASCII
)
_AS_SAID: Final = (
    (re.compile(r"^(?:an?|one) |^(?=pairs?\b|clean\b|pure\b|set\b|run\b|flush\b)"), "1 "),
    (re.compile(r"\bclean\b"), "pure"),
    (re.compile(r"\bpairs?(?: of (?=[a-z0-9]+s$)|$)"), f"{MeldKind.SET.value} of 2 "),
)
"""What people say in a contract, and how it is written: "a pair of aces" is "1 set of 2 aces"."""
_OF_A_SUIT: Final = re.compile(r".+ of (?:spades|hearts|diamonds|clubs)", re.ASCII)
RANKS: Final = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
"""What a contract calls the rank that a set is of, from the lowest."""
_SMALLEST: Final = 2
"""Fewer cards are no meld in any contract, whoever wrote it."""
_LONGEST: Final = 200
_MOST_MELDS: Final = 6


class ContractError(UnfitError):
    """Raised for a text that isn’t a contract; the sentence says what to write."""


class Need(NamedTuple):
    """One meld that a contract asks for: its kind and the least number of cards.

    >>> from referee import Contract, legal_readings, parse_cards, variants
    >>> _, run = Contract.parse("1 set of 3 + 1 run of 4").needs
    >>> run.size, run.pure, run.rank
    (4, False, None)
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> run.is_met_by(legal_readings(parse_cards("4D 5D 2S 7D"), rules)[0])
    True
    """

    kind: MeldKind
    size: int
    pure: bool
    """Whether no wild can stand for another card in it, as it is laid down."""
    rank: int | None = None
    """The rank of the set, if the contract names one."""

    def written(self, count: int) -> str:
        """So many such melds as a description writes them: "2 pure runs of 4"."""
        plural = self.kind.value if count == 1 else self.kind.plural
        ranks = f" {RANKS[self.rank - 1]}s" if self.rank else ""
        return f"{count} {'pure ' * self.pure}{plural} of {self.size}{ranks}"

    def named(self, count: int, speaker: Speaker) -> str:
        """So many such melds in words, without their number: "runs", "pure runs"."""
        melds = _named(self.kind, count, speaker)
        return speaker.put("values.pure", melds=melds) if self.pure else melds

    def said(self, speaker: Speaker, count: int | None = None) -> Said:
        """One such meld, or so many, in a sentence: "set of 3", "2 sets of 3"."""
        melds, size = _named(self.kind, count or 1, speaker), str(self.size)
        if self.rank:
            size = say_ranks(speaker.catalogue, self.size, RANKS[self.rank - 1])
        how = "" if self.rank else self.kind.value
        says = speaker.put("values.of-size", how, melds=melds, size=size, n=count or 1)
        says = speaker.put("values.pure", melds=says) if self.pure else says
        return Said(says if count is None else f"{count} {says}")

    def is_met_by(self, reading: Reading) -> bool:
        """Whether a meld is what is asked for."""
        return (
            reading.kind is self.kind
            and len(reading.cards) >= self.size
            and not (self.pure and any(reading.wild))
            and self.rank in {None, reading.rank}
        )


@dataclass(frozen=True, slots=True)
class Contract:
    """The melds asked for in one round or phase; each can be longer than it says.

    >>> from referee import Contract, variants
    >>> contract = Contract.parse("1 set of 3 + 1 run of 4")
    >>> contract.cards, contract.says
    (7, '1 set of 3 + 1 run of 4')
    >>> variants.get("mexican-rummy").contract_at(2) == contract
    True
    """

    needs: tuple[Need, ...]
    no_discard: bool = False
    """Whether you lay down your whole hand at once, with nothing left to discard."""

    @classmethod
    def parse(cls, text: str) -> Contract:
        """Return the contract of a text: "2 sets of 3", "1 set of 3 + 1 pure run of 4".

        The one place where contracts are read: descriptions of games and house rules come here.

        Raises ContractError if the text can’t be read, if a meld has fewer than 2 cards, or if
        there are more than 6 melds.

        >>> Contract.parse("a pair of aces + clean run of 4").says
        '1 set of 2 aces + 1 pure run of 4'
        >>> Contract.parse("1 set of 3 + 2 runs of 4").says
        '1 set of 3 + 2 runs of 4'
        """
        needs: list[Need] = []
        for part in text.split("+"):
            said = " ".join(part.split()).lower()[:_LONGEST]
            for pattern, written in _AS_SAID:
                said = pattern.sub(written, said).strip()
            match = _PART.fullmatch(said)
            named = match[5] if match else None
            odd = named is not None and (named not in RANKS or "set" not in said)
            if match is None or odd or len(text) > _LONGEST:
                shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
                how = "suit" if _OF_A_SUIT.fullmatch(said) else ""
                raise ContractError(wrong("unreadable-contract", how, text=shown))
            kind, size = MeldKind(match[3]), int(match[4])
            if size < _SMALLEST:
                raise ContractError(wrong("short-meld", kind=kind.value, least=_SMALLEST))
            rank = RANKS.index(match[5]) + 1 if match[5] else None
            needs += [Need(kind, size, bool(match[2]), rank)] * int(match[1])
        if len(needs) > _MOST_MELDS:
            raise ContractError(wrong("many-melds", most=_MOST_MELDS))
        return cls(tuple(needs))

    @property
    def cards(self) -> int:
        """The least number of cards that meet the contract."""
        return sum(need.size for need in self.needs)

    @property
    def says(self) -> str:
        """The contract as it is written: "1 set of 3 + 1 run of 4"."""
        return _written(self.needs)

    def said(self, speaker: Speaker) -> Said:
        """The contract in a sentence: "1 set of 3 + 1 run of 4"."""
        return Said(" + ".join(need.said(speaker, count) for need, count in self._parts))

    def title(self, speaker: Speaker) -> str:
        """The contract as a heading: "1 set of 3 and 1 run of 4"."""
        parts = (need.said(speaker, count) for need, count in self._parts)
        return speaker.catalogue.joined(parts)

    def brief(self, speaker: Speaker) -> str:
        """The contract for a narrow column, without sizes: "1 set + 1 run"."""
        return " + ".join(melds.said(speaker) for melds in self.melds)

    @property
    def melds(self) -> tuple[Melds, ...]:
        """How many melds of each kind it asks for."""
        counts = Counter(need.kind for need in self.needs)
        return tuple(Melds(kind, count) for kind, count in counts.items())

    @property
    def _parts(self) -> tuple[tuple[Need, int], ...]:
        return tuple(Counter(self.needs).items())


def say_ranks(catalogue: Catalogue, size: int | str, rank: str) -> str:
    """So many cards of a rank that a contract names: "3 aces"."""
    key = rank if rank.isdigit() else rank[0].upper()
    says = catalogue.tables["ranks"].get(key, {"one": key})["one"]
    return catalogue.find("values.of-rank", [key, "other"]).format(n=size, rank=says)


@lru_cache(maxsize=64)
def _written(needs: tuple[Need, ...]) -> str:
    """Write what is asked for; remembered, as each ruling on a lay-down says it."""
    return " + ".join(need.written(count) for need, count in Counter(needs).items())


def _named(kind: MeldKind, count: int, speaker: Speaker) -> str:
    noun = speaker.nouns[kind.value]
    return noun if count == 1 else str(noun.many)


@dataclass(frozen=True, slots=True)
class Melds:
    """So many melds of a kind."""

    kind: MeldKind
    count: int

    def said(self, speaker: Speaker) -> Said:
        """In a sentence: "2 runs"."""
        return Said(f"{self.count} {_named(self.kind, self.count, speaker)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRule:
    """How melds compare with a contract; `Variant.way` of a game with contracts.

    >>> from referee import ContractRule, variants
    >>> rule = variants.get("mexican-rummy").way
    >>> isinstance(rule, ContractRule), rule.extra_melds, rule.same_rank_sets
    (True, False, True)
    """

    name: str = "contract"
    """What one is called."""
    extra_melds: bool
    """Whether more melds than the contract asks for can be laid down with it."""
    same_rank_sets: bool
    """Whether two sets of one contract can be of the same rank."""
    split_runs: bool
    """Whether one run can follow on another, so that together they are one long run."""
    different_suits: bool = False
    """Whether the runs of one contract must differ in suit."""


def meet(
    contract: Contract,
    choices: Sequence[Sequence[Reading]],
    rule: ContractRule,
    rules: MeldRules,
) -> tuple[tuple[Reading, ...], tuple[Finding, ...]]:
    """Hold melds against a contract.

    `choices` gives the ways to read each meld, at least one. Returns the reading of each meld that
    serves best, with the findings for and against it; the assignment with the fewest findings
    against is taken, and of these the first that meets most of what is asked. Work is bounded: of
    the ways to read them together, `_MOST_COMBINATIONS` are tried.
    """
    apart = any(map(_is_choosy, contract.needs))
    apart = apart or not rule.split_runs or rule.different_suits
    ways = product(*[readings if apart else _one_of_a_kind(readings) for readings in choices])
    broken: list[tuple[tuple[int, int], tuple[Reading, ...], tuple[Finding, ...]]] = []
    # Which reading serves best depends on the others: a meld that is a set and a run can be either.
    for readings in islice(ways, _MOST_COMBINATIONS):
        asked = _asked_for(contract, readings, rule, rules)
        findings = (*_match(contract, readings, rule), *_look_across(asked, rule, rules))
        against = sum(finding.against for finding in findings)
        if not against:
            return readings, findings
        broken.append(((against, len(unmet(contract, readings))), readings, findings))
    return min(broken, key=itemgetter(0))[1:]


_MOST_COMBINATIONS: Final = 64


def _asked_for(
    contract: Contract, readings: tuple[Reading, ...], rule: ContractRule, rules: MeldRules
) -> tuple[Reading, ...]:
    """The melds that meet a contract, where further melds are laid down with it.

    What holds between the melds of one contract holds between these; all are given where none do.
    """
    number = len(contract.needs)
    for some in combinations(readings, number) if rule.extra_melds else ():
        broken = any(finding.against for finding in _look_across(some, rule, rules))
        if not broken and not unmet(contract, some):
            return some
    return readings


def _one_of_a_kind(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Leave one of each kind: enough where nothing asks where a run stands, or its wilds."""
    return tuple({reading.kind: reading for reading in reversed(readings)}.values())


def _match(
    contract: Contract, readings: tuple[Reading, ...], rule: ContractRule
) -> Iterator[Finding]:
    """Say whether each need has a meld of its own, and whether a meld is too many."""
    lacks = unmet(contract, readings)
    if lacks:
        yield _not_met(contract, lacks)
    extra = len(readings) > len(contract.needs)
    if extra and not rule.extra_melds:
        yield found(Code.TOO_MANY_MELDS, "exact", needs=contract)
    elif extra and not lacks:
        yield ground(Code.EXTRA_MELD, "exact")
    if not lacks:
        yield ground(Code.CONTRACT_MET, "contracts", needs=contract)


def against_others_melds(contract: Contract | None, cards: Cards) -> Iterator[Finding]:
    """Say that cards are put to, or taken from, another player's melds where there can be none.

    Where nothing is discarded whoever lays down has no card left, and the round is over.
    """
    if contract is not None and contract.no_discard:
        yield found(Code.NOBODY_ELSE_DOWN, "nobody-else", cards)


def compare_kinds(
    contract: Contract, laid: Sequence[Collection[MeldKind]], rule: ContractRule
) -> Iterator[Finding]:
    """Hold melds against a contract by their kinds alone, where some of them are none.

    `laid` gives the kinds that each meld is, or was meant as. Those of one kind serve first, then
    those that could be either, so that as little as can be is missing.
    """
    missing = Counter(need.kind for need in contract.needs)
    for kinds in sorted(laid, key=len):
        kind = next((kind for kind in MeldKind if kind in kinds and missing[kind]), None)
        if kind is not None:
            missing[kind] -= 1
    if missing.total():
        n, lacks = missing.total(), [Melds(one, count) for one, count in (+missing).items()]
        yield found(
            Code.CONTRACT_NOT_MET, "contracts", (), "kinds", needs=contract, n=n, kinds=lacks
        )
    if len(laid) > len(contract.needs) and not rule.extra_melds:
        yield found(Code.TOO_MANY_MELDS, "exact", needs=contract)


def _not_met(contract: Contract, unmet: Sequence[tuple[Need, int]]) -> Finding:
    """Say what is too short for the needs that are not met, and what is missing."""
    missing = Contract(tuple(need for need, size in unmet if not size))
    short = [(need.kind, size) for need, size in unmet if size]
    kind, size = short[0] if short else (MeldKind.SET, 0)
    how = ("both" if missing.needs else "short") if short else "missing"
    return found(
        Code.CONTRACT_NOT_MET,
        "contracts",
        (),
        how,
        needs=contract,
        missing=missing,
        kind=kind,
        size=size,
        n=len(short),
    )


def unmet(contract: Contract, readings: tuple[Reading, ...]) -> tuple[tuple[Need, int], ...]:
    """The needs that no meld is left for, the largest melds serving the largest needs.

    Each with the size of a meld of its kind that is too short for it, 0 if there is none.
    """
    lacks: list[tuple[Need, int]] = []
    if any(map(_is_choosy, contract.needs)):
        contract, readings = _but_choosy(contract, readings, lacks)
    for kind in MeldKind:
        sizes = sorted([len(reading.cards) for reading in readings if reading.kind is kind])
        needs = [need for need in contract.needs if need.kind is kind]
        needs.sort(key=lambda need: -need.size)
        # Largest to largest: if that leaves a need unmet, no other way to match them meets it.
        for need in needs:
            if sizes and sizes[-1] >= need.size:
                sizes.pop()
            else:
                lacks.append((need, sizes.pop() if sizes else 0))
    return tuple(lacks)


def _is_choosy(need: Need) -> bool:
    """Whether not every meld of its kind and size meets a need."""
    return need.pure or need.rank is not None


def _but_choosy(
    contract: Contract, readings: tuple[Reading, ...], unmet: list[tuple[Need, int]]
) -> tuple[Contract, tuple[Reading, ...]]:
    """The needs that any meld of their kind meets, and the melds that are left for them.

    Each other need takes the smallest meld that will do, as that could meet any need; those that
    nothing meets are put to `unmet`.
    """
    left = sorted(readings, key=lambda reading: len(reading.cards))
    for need in contract.needs:
        if _is_choosy(need):
            meld = next((reading for reading in left if need.is_met_by(reading)), None)
            if meld is None:
                unmet.append((need, 0))
            else:
                left.remove(meld)
    others = tuple(need for need in contract.needs if not _is_choosy(need))
    return Contract(others, contract.no_discard), tuple(left)


def _look_across(
    readings: tuple[Reading, ...], rule: ContractRule, rules: MeldRules
) -> Iterator[Finding]:
    """Say what holds between the melds: sets of one rank, runs that follow on each other."""
    wrap, top = rules.runs.wrap, rules.runs.top
    sets = [reading for reading in readings if reading.kind is MeldKind.SET]
    ranks = Counter([reading.rank for reading in sets])
    if len(ranks) < len(sets):
        cards = tuple(c for r in sets if ranks[r.rank] > 1 for c in r.cards)
        if rule.same_rank_sets:
            yield ground(Code.SAME_RANK, "same-rank", cards)
        else:
            yield found(Code.SETS_OF_ONE_RANK, "same-rank", cards)
    runs = [reading for reading in readings if reading.kind is MeldKind.RUN]
    one_suit = rules.runs.one_suit
    suits = Counter([reading.suit for reading in runs])
    if rule.different_suits and one_suit and len(suits) < len(runs):
        cards = tuple(c for r in runs if suits[r.suit] > 1 for c in r.cards)
        yield found(Code.RUNS_OF_ONE_SUIT, "run-suits", cards)
    for one, other in permutations(runs, 2):
        same_suit = one.suit is other.suit or not one_suit
        next_up, lowest = max(one.places) + 1, min(other.places)
        if same_suit and (next_up == lowest or (wrap and (next_up - lowest) % top == 0)):
            cards = one.cards + other.cards
            if rule.split_runs:
                yield ground(Code.RUNS_FOLLOW_ON, "split-run", cards)
            else:
                yield found(Code.RUN_SPLIT, "split-run", cards)
            break
