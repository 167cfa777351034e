"""A wild taken out of another player's meld for the card it stands for."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.cards import Card, Cards
from referee.melds.rules import MeldRules
from referee.melds.standing import no_meld_there, standing
from referee.plays import Taken
from referee.rulings import Code, Finding, MeldKind, Reading, found, ground


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapRule:
    """When a wild may be taken out of another player's meld for the card it stands for."""

    allowed: bool
    before_down: bool
    """Whether a player who is not down may do it, to lay down with the wild."""
    when_down: bool
    same_turn: bool = False
    """Whether a player who is down may on the turn of going down."""
    runs_only: bool = False
    """Whether it may be taken out of runs only."""
    may_keep: bool = False
    """Whether it may stay in the hand; else it is used in the same turn."""


def check_taken(swaps: Sequence[Taken], rule: SwapRule, rules: MeldRules) -> Iterator[Finding]:
    """Say whether each wild may be taken for the card that is given for it."""
    for swap in swaps:
        melds = standing(swap.meld, rules)
        if rule.runs_only and melds and all(meld.kind is not MeldKind.RUN for meld in melds):
            yield found(Code.NO_SWAPS, "swap-from", (swap.take,), "run", wild=rules.wilds)
            continue
        # If the meld can be read in several ways, the card given chooses the one that was meant.
        stood_for = {
            stand
            for meld in melds
            for index, card in enumerate(meld.cards)
            if card is swap.take and meld.wild[index]
            for stand in standing_for(meld, index, rules)
        }
        if not melds:
            yield from no_meld_there(swap.meld, rules)
        elif not stood_for:
            yield _not_wild(swap, rules)
        elif swap.give not in stood_for:
            # Where suits say nothing the rank alone is named.
            named = [card for card in stood_for if card.suit is rules.pack.unsuited] or stood_for
            wild, given = rules.wilds, swap.give
            stands = sorted(named, key=lambda card: card.name)
            odd = (given,)
            yield found(
                Code.WRONG_CARD_GIVEN, "exact-card", odd, wild=wild, stands=stands, given=given
            )
        else:
            wild, given = rules.wilds, swap.give
            yield ground(Code.SWAP_GOOD, "exact-card", (given,), given=given, wild=wild)


def standing_for(meld: Reading, index: int, rules: MeldRules) -> Iterator[Card]:
    """What a wild of a meld may stand for: in a set any card of its rank that may join it.

    In a run whose suits say nothing any card of the rank that stands at its place.
    """
    stand = meld.stands[index]
    if meld.kind is MeldKind.RUN and not rules.runs.one_suit:
        yield from (Card(stand.rank, suit) for suit in (rules.pack.unsuited, *rules.pack.suits))
        return
    if meld.kind is not MeldKind.SET or meld.rankless:
        yield stand
        return
    naturals = [card for card, wild in zip(meld.cards, meld.wild, strict=True) if not wild]
    for suit in rules.pack.suits:
        card = Card(meld.rank, suit)
        if not rules.sets.distinct_suits or card not in naturals:
            yield card


def after_swap(swap: Taken, rules: MeldRules) -> Cards:
    """Return the meld once the card given has taken the place of the wild, in order.

    If the swap isn’t legal, the card given is where the first such wild was. Raises ValueError if
    the wild isn’t in the meld.

    >>> from referee import Taken, after_swap, parse_cards, variants
    >>> six, wild = parse_cards("6D 2S")
    >>> swap = Taken(give=six, take=wild, meld=parse_cards("4D 5D 2S 7D"))
    >>> after_swap(swap, variants.get("mexican-rummy").melds_at(2))
    (4D, 5D, 6D, 7D)
    """
    at, cards = swap.meld.index(swap.take), swap.meld
    for meld in standing(swap.meld, rules):
        pairs = [*zip(meld.arranged.cards, meld.arranged.stands, strict=True)]
        if (swap.take, swap.give) in pairs:
            at, cards = pairs.index((swap.take, swap.give)), meld.arranged.cards
            break
    return (*cards[:at], swap.give, *cards[at + 1 :])


def _not_wild(swap: Taken, rules: MeldRules) -> Finding:
    taken = swap.take
    if taken not in swap.meld:
        return found(Code.NOT_A_WILD, "swap", (taken,), "absent", this=taken)
    if taken in rules.wilds.cards:
        return found(Code.NOT_A_WILD, "natural", (taken,), "natural", this=taken)
    return found(Code.NOT_A_WILD, "swap", (taken,), this=taken, wild=rules.wilds)


def unused(swaps: Sequence[Taken], used: Sequence[Cards], rules: MeldRules) -> Iterator[Finding]:
    """Say which of the wilds taken are not put to use in the same turn."""
    there = Counter(card for cards in used for card in cards)
    wanted = Counter(swap.take for swap in swaps if swap.take in rules.wilds.cards)
    missing = tuple((wanted - there).elements())
    if missing:
        yield found(Code.WILD_NOT_USED, "swap-use", missing, wild=rules.wilds)
