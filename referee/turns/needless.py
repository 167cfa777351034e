"""Find wilds that a player took from others’ melds without needing them to lay down.

A player can only take a wild if it makes laying down possible. It wasn’t needed if the melds also
meet the contract without it, or with the card given for it. If the whole hand is known, it wasn’t
needed if other melds from the hand would have met the contract.
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
"""The most choices of fewer swaps to try; with up to 4 swaps, that is all of them."""


def cards_leaving_hand(play: LayDown) -> Counter[Card]:
    """Return how many of each card leave the hand: laid down, laid off, or given for wilds."""
    laid = Counter(chain.from_iterable(play.melds))
    if play.layoffs:
        laid.update(chain.from_iterable([lay.cards for lay in play.layoffs]))
    laid.update(swap.give for swap in play.swaps)
    return laid


def needless_swaps(
    play: LayDown, contract: Contract, rule: ContractRule, rules: MeldRules
) -> Iterator[Finding]:
    """Yield a finding for each wild taken that wasn’t needed to meet the contract.

    A wild for which this isn’t found within the bounds of the search counts as needed.
    """
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
    # If the whole hand is known, other melds from it could have met the contract without the wild.
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
    """Yield each swap that wasn’t needed, with melds from the hand that meet the contract without.

    Yield nothing if the hand isn’t known. Choices of several swaps are tried together, because it
    can be that one isn’t needed only if another isn’t made either.
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
    """Return how many of each card the hand had before the play; None if that isn’t known."""
    if play.hand is not None:
        return Counter(play.hand)
    if play.kept is None:
        return None
    before = cards_leaving_hand(play) + Counter(play.kept)
    before.subtract(swap.take for swap in play.swaps)
    return +before


def _fewer(swaps: Sequence[Taken]) -> Iterator[tuple[Taken, ...]]:
    """Yield all choices of swaps that leave out at least one, the smallest first."""
    sizes = (combinations(swaps, size) for size in range(len(swaps)))
    return chain.from_iterable(sizes)


def _without(swap: Taken, melds: Sequence[Cards]) -> Iterator[tuple[tuple[Cards, ...], bool]]:
    """Yield the melds without a wild that was taken, and with the given card in its place.

    Each comes with whether the given card is in it.
    """
    if not any(swap.take in cards for cards in melds):
        yield tuple(melds), False
    for index, cards in enumerate(melds):
        if swap.take in cards:
            at = cards.index(swap.take)
            for instead in ((), (swap.give,)):
                fewer = (*cards[:at], *instead, *cards[at + 1 :])
                yield (*melds[:index], fewer, *melds[index + 1 :]), bool(instead)
