"""Wilds taken from the melds of others that laying down did not need.

A wild may be taken only where it makes laying down possible. It did not where the melds laid meet
the contract without it, or with the card given for it; nor, where the whole hand is named, where
other melds of it would have done.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Final

from referee.cards import Card, Cards
from referee.melds.contracts import Contract, ContractRule, meet
from referee.melds.grounds import judge
from referee.melds.meeting import melds_that_meet
from referee.melds.rules import MeldRules
from referee.plays import LayDown, Taken
from referee.rulings import Code, Finding, found

_MOST_FEWER: Final = 16
"""How many choices of fewer swaps are looked at: all, where four wilds are taken."""


def gone(play: LayDown) -> Counter[Card]:
    """Count what leaves the hand: what is laid, and what is given for wilds."""
    laid = Counter(chain.from_iterable(play.melds))
    if play.layoffs:
        laid.update(chain.from_iterable([lay.cards for lay in play.layoffs]))
    laid.update(swap.give for swap in play.swaps)
    return laid


def needless(
    play: LayDown, contract: Contract, rule: ContractRule, rules: MeldRules
) -> Iterator[Finding]:
    """Say of each wild taken that it was not needed, where the contract would be met without it."""
    wild = rules.wilds
    unsure: list[Taken] = []
    for swap in play.swaps:
        ways, taken, given = _without(swap, play.melds), swap.take, swap.give
        back = next((back for melds, back in ways if _meet(melds, contract, rule, rules)), None)
        if back is None:
            unsure.append(swap)
            continue
        how = "given" if back else "without"
        yield found(
            Code.SWAP_NOT_NEEDED, "completes", (taken,), how, taken=taken, given=given, wild=wild
        )
    # With the whole hand named, other melds than those laid could have done without the wild.
    for swap, melds in _spared(play, unsure, contract, rule, rules):
        taken = swap.take
        yield found(
            Code.SWAP_NOT_NEEDED, "completes", (taken,), "hand", taken=taken, melds=melds, wild=wild
        )


def _meet(melds: Sequence[Cards], contract: Contract, rule: ContractRule, rules: MeldRules) -> bool:
    verdicts = [judge(cards, rules, as_laid=False) for cards in melds]
    if not all(verdict.readings for verdict in verdicts):
        return False
    _, findings = meet(contract, [verdict.readings for verdict in verdicts], rule, rules)
    return not any(finding.against for finding in findings)


def _spared(
    play: LayDown,
    swaps: Sequence[Taken],
    contract: Contract,
    rule: ContractRule,
    rules: MeldRules,
) -> Iterator[tuple[Taken, tuple[Cards, ...]]]:
    """The swaps that the hand, where it is named, did not need, and the melds instead.

    One swap may be spared only together with another, so all choices of fewer swaps are tried.
    """
    before = _before(play)
    left = list(swaps)
    if before is None:
        return
    for fewer in islice(_fewer(play.swaps), _MOST_FEWER):
        spared = [swap for swap in left if swap not in fewer]
        if not spared:
            continue
        held = Counter(before)
        held.update(swap.take for swap in fewer)
        held.subtract(swap.give for swap in fewer)
        melds = melds_that_meet(contract, tuple((+held).elements()), rule, rules)
        if melds is not None and min(held.values()) >= 0:
            for swap in spared:
                left.remove(swap)
                yield swap, melds


def _before(play: LayDown) -> Counter[Card] | None:
    """Count the hand before the play, None if it was not named whole."""
    if play.hand is not None:
        return Counter(play.hand)
    if play.kept is None:
        return None
    before = gone(play) + Counter(play.kept)
    before.subtract(swap.take for swap in play.swaps)
    return +before


def _fewer(swaps: Sequence[Taken]) -> Iterator[tuple[Taken, ...]]:
    """The swaps without some of them, the fewest first."""
    sizes = (combinations(swaps, size) for size in range(len(swaps)))
    return chain.from_iterable(sizes)


def _without(swap: Taken, melds: Sequence[Cards]) -> Iterator[tuple[tuple[Cards, ...], bool]]:
    """The melds without a wild that was taken, and with the card given for it in its place.

    Each with whether that card is in it.
    """
    if not any(swap.take in cards for cards in melds):
        yield tuple(melds), False
    for index, cards in enumerate(melds):
        if swap.take in cards:
            at = cards.index(swap.take)
            for instead in ((), (swap.give,)):
                fewer = (*cards[:at], *instead, *cards[at + 1 :])
                yield (*melds[:index], fewer, *melds[index + 1 :]), bool(instead)
