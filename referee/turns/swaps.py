"""Swaps: take a wild from another player’s meld for the card it stands for."""

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
    """The rules for taking a wild from another player’s meld."""

    allowed: bool
    before_down: bool
    """Whether a player who isn’t down yet can take a wild to lay down with it."""
    when_down: bool
    same_turn: bool = False
    """Whether a player can take a wild on the turn of going down, if their melds without it would
    be enough to go down."""
    runs_only: bool = False
    """Whether wilds can only be taken from runs."""
    may_keep: bool = False
    """Whether a wild can stay in the hand; if false, it needs to be used on the same turn."""


def check_taken(swaps: Sequence[Taken], rule: SwapRule, rules: MeldRules) -> Iterator[Finding]:
    """Yield findings on whether each wild can be taken for the card given for it."""
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
            # If suits don’t matter, only name the rank.
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
    """Yield the cards that a wild in a meld can stand for; `index` is its position there.

    In a set, these are all cards of its rank that can join it; in a run, the card at the wild’s
    place, in every suit if runs don’t need one suit.
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
    """Return the meld with the card given in place of the wild.

    The cards are in rising order if the wild is read as exactly the card given. Otherwise they keep
    their order, and the card given replaces the first such wild. Raise ValueError if the wild isn’t
    in the meld.

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
    """Yield a finding if wilds taken aren’t among the cards `used` in melds on the same turn."""
    there = Counter(card for cards in used for card in cards)
    wanted = Counter(swap.take for swap in swaps if swap.take in rules.wilds.cards)
    missing = tuple((wanted - there).elements())
    if missing:
        yield found(Code.WILD_NOT_USED, "swap-use", missing, wild=rules.wilds)
