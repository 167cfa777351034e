"""Contracts: the melds that a player needs to lay down, and whether given melds meet them."""

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
"""Words that people use in a contract, and its notation for them: "a pair of aces" is "1 set of 2
aces"."""
_OF_A_SUIT: Final = re.compile(r".+ of (?:spades|hearts|diamonds|clubs)", re.ASCII)
RANKS: Final = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
"""The words for ranks in a contract, from "ace" to "king"."""
_SMALLEST: Final = 2
"""The fewest cards that a meld can have in any contract, house rules included."""
_LONGEST: Final = 200
_MOST_MELDS: Final = 6


class ContractError(UnfitError):
    """Raised if a text isn’t a contract; the message tells you what to write instead."""


class Need(NamedTuple):
    """One meld that a contract asks for: its kind and the fewest cards it can have.

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
    """Whether it can’t have wilds when it is laid down."""
    rank: int | None = None
    """The rank of the set, from 1 (ace) to 13 (king); None if any rank will do."""

    def written(self, count: int) -> str:
        """Return `count` melds like this in the notation of contracts: "2 pure runs of 4"."""
        plural = self.kind.value if count == 1 else self.kind.plural
        ranks = f" {RANKS[self.rank - 1]}s" if self.rank else ""
        return f"{count} {'pure ' * self.pure}{plural} of {self.size}{ranks}"

    def named(self, count: int, speaker: Speaker) -> str:
        """Return the translated noun for `count` melds like this: "runs", "pure runs"."""
        melds = _named(self.kind, count, speaker)
        return speaker.put("values.pure", melds=melds) if self.pure else melds

    def said(self, speaker: Speaker, count: int | None = None) -> Said:
        """Return the translated words for this meld, "set of 3", or for `count`, "2 sets of 3"."""
        melds, size = _named(self.kind, count or 1, speaker), str(self.size)
        if self.rank:
            size = say_ranks(speaker.catalogue, self.size, RANKS[self.rank - 1])
        how = "" if self.rank else self.kind.value
        says = speaker.put("values.of-size", how, melds=melds, size=size, n=count or 1)
        says = speaker.put("values.pure", melds=says) if self.pure else says
        return Said(says if count is None else f"{count} {says}")

    def is_met_by(self, reading: Reading) -> bool:
        """Return whether a meld has the kind, size, purity and rank that this need asks for."""
        return (
            reading.kind is self.kind
            and len(reading.cards) >= self.size
            and not (self.pure and any(reading.wild))
            and self.rank in {None, reading.rank}
        )


@dataclass(frozen=True, slots=True)
class Contract:
    """The melds a player needs to lay down in a round or phase; each can have more cards.

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
        """Return the contract that a text describes, such as "1 set of 3 + 1 pure run of 4".

        Game descriptions and house rules are both read here.

        Raise ContractError if the text can’t be read or has more than 200 characters, if a meld
        has fewer than 2 cards, or if there are more than 6 melds.

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
        """The number of cards if every meld is as small as the contract allows."""
        return sum(need.size for need in self.needs)

    @property
    def says(self) -> str:
        """The contract in its notation, which `parse` reads: "1 set of 3 + 1 run of 4"."""
        return _written(self.needs)

    def said(self, speaker: Speaker) -> Said:
        """Return the contract, translated, for a sentence: "1 set of 3 + 1 run of 4"."""
        return Said(" + ".join(need.said(speaker, count) for need, count in self._parts))

    def title(self, speaker: Speaker) -> str:
        """Return the contract, translated, for a heading: "1 set of 3 and 1 run of 4"."""
        parts = (need.said(speaker, count) for need, count in self._parts)
        return speaker.catalogue.joined(parts)

    def brief(self, speaker: Speaker) -> str:
        """Return the contract, translated, without sizes: "1 set + 1 run"."""
        return " + ".join(melds.said(speaker) for melds in self.melds)

    @property
    def melds(self) -> tuple[Melds, ...]:
        """The number of melds of each kind, as one `Melds` for each kind."""
        counts = Counter(need.kind for need in self.needs)
        return tuple(Melds(kind, count) for kind, count in counts.items())

    @property
    def _parts(self) -> tuple[tuple[Need, int], ...]:
        return tuple(Counter(self.needs).items())


def say_ranks(catalogue: Catalogue, size: int | str, rank: str) -> str:
    """Return the translated words for `size` cards of a rank from `RANKS`: "3 aces"."""
    key = rank if rank.isdigit() else rank[0].upper()
    says = catalogue.tables["ranks"].get(key, {"one": key})["one"]
    return catalogue.find("values.of-rank", [key, "other"]).format(n=size, rank=says)


@lru_cache(maxsize=64)
def _written(needs: tuple[Need, ...]) -> str:
    """Write needs in the notation; cached, because every ruling on a lay-down uses it."""
    return " + ".join(need.written(count) for need, count in Counter(needs).items())


def _named(kind: MeldKind, count: int, speaker: Speaker) -> str:
    noun = speaker.nouns[kind.value]
    return noun if count == 1 else str(noun.many)


@dataclass(frozen=True, slots=True)
class Melds:
    """A number of melds of one kind."""

    kind: MeldKind
    count: int

    def said(self, speaker: Speaker) -> Said:
        """Return these melds, translated, for a sentence: "2 runs"."""
        return Said(f"{self.count} {_named(self.kind, self.count, speaker)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRule:
    """How melds laid down have to match a contract: `Variant.way` of a game with contracts.

    >>> from referee import ContractRule, variants
    >>> rule = variants.get("mexican-rummy").way
    >>> isinstance(rule, ContractRule), rule.extra_melds, rule.same_rank_sets
    (True, False, True)
    """

    name: str = "contract"
    """The game’s word for a contract."""
    extra_melds: bool
    """Whether a player can lay down more melds than the contract asks for."""
    same_rank_sets: bool
    """Whether two sets of one contract can be of the same rank."""
    split_runs: bool
    """Whether one run can start where another ends, so that together they could be one run."""
    different_suits: bool = False
    """Whether the runs of one contract need different suits."""


def meet(
    contract: Contract,
    choices: Sequence[Sequence[Reading]],
    rule: ContractRule,
    rules: MeldRules,
) -> tuple[tuple[Reading, ...], tuple[Finding, ...]]:
    """Compare melds with a contract, and choose how to read each of them.

    `choices` has the possible readings of each meld, at least one for each. Return the chosen
    reading of each meld, and the findings for and against. The first combination of readings with
    nothing against it is chosen; if there isn’t one, the one with the fewest findings against it,
    then the fewest unmet needs. Only the first 64 combinations are tried, so a later one that
    meets the contract is missed.
    """
    apart = any(map(_is_choosy, contract.needs))
    apart = apart or not rule.split_runs or rule.different_suits
    ways = product(*[readings if apart else _one_of_a_kind(readings) for readings in choices])
    broken: list[tuple[tuple[int, int], tuple[Reading, ...], tuple[Finding, ...]]] = []
    # The best reading depends on the other melds: cards that are a set and a run can be either.
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
    """Return the melds that meet a contract, without extra ones; all melds if none meet it.

    Rules between the melds of one contract, such as different suits, don’t apply to extra melds.
    """
    number = len(contract.needs)
    for some in combinations(readings, number) if rule.extra_melds else ():
        broken = any(finding.against for finding in _look_across(some, rule, rules))
        if not broken and not unmet(contract, some):
            return some
    return readings


def _one_of_a_kind(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Return the first reading of each kind of meld.

    These are enough to try if no rule looks at wilds, or at the places of runs.
    """
    return tuple({reading.kind: reading for reading in reversed(readings)}.values())


def _match(
    contract: Contract, readings: tuple[Reading, ...], rule: ContractRule
) -> Iterator[Finding]:
    """Yield findings on whether every need has its own meld, and whether there are extra melds."""
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
    """Yield a finding against a play that uses a meld of another player, who can’t have one yet.

    If a contract needs the whole hand without a discard, a player who lays down has no cards left,
    and the round is over. So nobody else can have melds on the table. `cards` is that meld.
    """
    if contract is not None and contract.no_discard:
        yield found(Code.NOBODY_ELSE_DOWN, "nobody-else", cards)


def compare_kinds(
    contract: Contract, laid: Sequence[Collection[MeldKind]], rule: ContractRule
) -> Iterator[Finding]:
    """Compare melds with a contract by kind alone, for when some of them aren’t legal.

    `laid` has the kinds that each meld is, or was meant as. Yield a finding if kinds are missing,
    and one if there are too many melds.
    """
    missing = Counter(need.kind for need in contract.needs)
    # Melds of one kind come first, so that those that could be either fill what is still missing.
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
    """Return the finding that names the melds that are too short, and those that are missing."""
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
    """Return the needs that no meld meets, each with the size of a meld that is too short for it.

    The size is 0 if no meld of that kind is left, and always if the need is pure or names a rank.
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
    """Return whether a need asks for more than a kind and a size."""
    return need.pure or need.rank is not None


def _but_choosy(
    contract: Contract, readings: tuple[Reading, ...], unmet: list[tuple[Need, int]]
) -> tuple[Contract, tuple[Reading, ...]]:
    """Return the needs that ask only for kind and size, and the melds left for them.

    Every other need takes the smallest meld that meets it, and leaves the larger ones for the rest.
    Those that no meld meets are added to `unmet`.
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
    """Yield findings from rules that compare melds: ranks of sets, and suits and ends of runs."""
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
