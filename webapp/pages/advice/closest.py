"""How far a hand is from laying down, as the page shows it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee import Card, Cards, Contract, Taken, Variant
from referee.advice import Closest, Gapped, Miss
from webapp.language import say
from webapp.pages.advice.forms import in_hand, in_order, own_swaps
from webapp.pages.desk.card_fields import LaidCards
from webapp.text.formatting import capital

NEAR: Final = 3
"""The most missing cards that are worth naming."""
MOST_NAMED: Final = 8
"""The most missing cards that are named; the page only counts the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlace:
    """A card of a meld that isn’t complete."""

    card: Card
    stands: Card | None
    """The card that it stands for, if it’s a wild; else None."""
    is_missing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMeld:
    """A meld as far as its cards are there."""

    label: str
    lacks: int
    """How many of its cards are missing."""
    places: tuple[ShownPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClosest:
    """How far a hand is from laying down, as the page shows it."""

    short: int
    """The number of cards that the hand needs before it can lay down."""
    swaps: tuple[tuple[Taken, str], ...]
    """The wilds to take from the table for these melds, each with its meld’s owner, if known."""
    melds: tuple[ShownMeld, ...]
    """The closest arrangement; empty if too much is missing."""
    other: tuple[ShownMeld, ...]
    """The incomplete melds of another arrangement that is as close."""
    look_for: Cards
    """The cards that help and are named; one without a suit is any of its rank."""
    others: int
    """How many more cards would help."""
    leaves_says: str
    """A sentence on what drawing one of the cards in `look_for` achieves."""
    helps_says: str
    """A sentence on how many of the unseen cards help."""
    let_go: Cards
    """The cards to discard, best first: at most three."""
    let_go_says: str
    """Why the first card in `let_go` is the best to discard."""
    rest: Cards
    """The other cards of the hand: in no meld shown, and not the first in `let_go`."""
    decided: bool


def show_closest(
    laid: LaidCards, found: Closest, owners: Mapping[str, str], *, opens: bool
) -> ShownClosest:
    """Return how far a hand is from laying down, or with `opens` from opening."""
    variant, contract = laid.variant, laid.variant.contract_at(laid.question.step)
    near = found.short <= NEAR
    first, *more = (
        [_show_melds(variant, melds, contract) for melds in found.arrangements] if near else [()]
    )
    seen = laid.count("")
    wilds = variant.wilds_at(laid.question.step).cards
    look_for = tuple(name_misses(variant, wilds, found.helps, seen)) if near else ()
    let_go = tuple(each.card for each in found.let_go[:3])
    left = Counter(laid.row("hand")) - Counter(let_go[:1])
    swaps = own_swaps(found.swaps, owners) if near else ()
    left -= Counter(swap.give for swap, _ in swaps)
    left -= Counter(place.card for meld in first for place in meld.places if not place.is_missing)
    return ShownClosest(
        short=found.short,
        swaps=swaps,
        melds=first,
        other=tuple(meld for meld in (more[0] if more else ()) if meld.lacks and meld not in first),
        look_for=look_for[:MOST_NAMED],
        others=len(look_for[MOST_NAMED:]),
        leaves_says=_say_leaves(variant, found.short, opens=opens),
        helps_says=_say_helps(variant, found.helps, seen) if near else "",
        let_go=let_go,
        let_go_says=_say_let_go(laid, found),
        rest=tuple(card for card in laid.row("hand") if _takes(left, card)),
        decided=found.decided,
    )


def _takes(left: Counter[Card], card: Card) -> bool:
    """Take one card from those that are left; return whether it was there."""
    left[card] -= 1
    return left[card] >= 0


def _show_melds(
    variant: Variant, melds: Sequence[Gapped], contract: Contract | None
) -> tuple[ShownMeld, ...]:
    gaps: Mapping[int, Gapped] = {id(gapped.meld): gapped for gapped in melds}
    needs = contract.needs if contract else ()
    shown = []
    for at, meld in enumerate(in_order([gapped.meld for gapped in melds], contract)):
        missing = gaps[id(meld)].missing
        speaker = variant.speaker
        label = needs[at].said(speaker) if at < len(needs) else speaker.nouns[meld.kind.value]
        places = tuple(
            ShownPlace(
                card=card,
                stands=meld.stands_for.get(place),
                is_missing=place in missing,
            )
            for place, card in enumerate(meld.cards)
        )
        shown.append(ShownMeld(label=capital(label), lacks=len(missing), places=places))
    return tuple(shown)


def _say_leaves(variant: Variant, short: int, *, opens: bool) -> str:
    how = "open" if opens else ""
    if short == 1:
        return say("advice.one-of-these", how, variant=variant)
    if short == 2:  # noqa: PLR2004 - two of them are a pair, three aren’t said
        return say("advice.leaves-one", how, variant=variant)
    return say("advice.leaves-more", n=short - 1, variant=variant)


def _say_helps(variant: Variant, helps: Sequence[Miss], seen: Counter[Card]) -> str:
    n, pack = sum(miss.unseen for miss in helps), variant.pack
    if not _knows_packs(variant):
        return say("advice.may-help", n=n, variant=variant)
    special = sum(count for _, count in pack.specials)
    unseen = len(pack.cards) * pack.copies + pack.jokers + special - seen.total()
    return say("advice.help", n=n, unseen=unseen, variant=variant)


def _knows_packs(variant: Variant) -> bool:
    """Return whether it’s known how many packs there are: it can depend on the players."""
    packs = {variant.pack_for(number) for number in variant.players}
    return variant.seats is not None or len(packs) == 1


def _say_let_go(laid: LaidCards, found: Closest) -> str:
    if not found.let_go:
        return ""
    variant, best = laid.variant, found.let_go[0]
    wilds = variant.wilds_at(laid.question.step).cards
    points = variant.values.points(best.card, wilds)
    how = "idle" if best.is_idle and found.decided else ""
    return say("advice.let-go-why", how, points=points, variant=variant)


def name_misses(
    variant: Variant, wilds: Collection[Card], misses: Sequence[Miss], seen: Counter[Card]
) -> Iterator[Card]:
    """Yield the cards that help: those with most unseen copies first, and wilds at the end.

    One that would do in every suit is a card without its suit. `wilds` are those of the step, and
    `seen` counts the cards in the hand and on the table.
    """
    left = {miss.card: miss.unseen for miss in misses}
    gone = {card for card in variant.pack.cards if seen[card] >= variant.pack.copies}
    named: list[tuple[bool, int, Card]] = []
    for card in [*left]:
        alike = [other for other in left if other.rank == card.rank]
        every = {other for other in variant.pack.cards if other.rank == card.rank}
        # Everybody knows that wilds help.
        is_last = card in wilds
        if card in left and card.suit and every <= {*alike, *gone}:
            named.append((is_last, sum(left.pop(other) for other in alike), Card(card.rank)))
        elif card in left:
            named.append((is_last, left.pop(card), card))
    named.sort(key=lambda each: (each[0], -each[1], in_hand(each[2])))
    yield from (card for _, _, card in named)
