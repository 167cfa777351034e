"""Near misses: the single cards that would make a contract possible, and how many are unseen."""

from collections import Counter
from collections.abc import Iterator, Sequence

from referee import Card, Variant
from referee.advice import Miss
from webapp.language import say
from webapp.text.cards import Drawing


def name_misses(
    variant: Variant, misses: Sequence[Miss], seen: Counter[Card], players: int | None = None
) -> tuple[tuple[str, str], ...]:
    """Return the missing cards by name ("any 6", "7♥"), with how many of each are unseen.

    A card that would do in every suit is named by its rank, and a wild by its game’s word. The
    names with the most unseen copies come first. `seen` counts the cards in the hand and on the
    table.
    `players` is the number of players, which decides the number of packs; None if it isn’t known.
    """
    pack = variant.pack
    packs = {variant.pack_for(number) for number in ([players] if players else variant.players)}
    how = "most" if len(packs) > 1 else ""
    there = packs.pop() if len(packs) == 1 else pack
    out = (pack.copies - there.copies) * (len(pack.suits) if pack.by_rank else 1)
    jokers = pack.jokers - there.jokers
    unseen = {miss.card: miss.unseen - (out if miss.card.rank else jokers) for miss in misses}
    left = {card: number for card, number in unseen.items() if number > 0}
    groups = sorted(_groups(variant, left, seen), key=lambda group: -group[1])
    return tuple((name, say("advice.unseen", how, n=number)) for name, number in groups)


def _groups(
    variant: Variant, left: dict[Card, int], seen: Counter[Card]
) -> Iterator[tuple[str, int]]:
    """Yield the cards that share one name; a card is left out if all copies have been seen."""
    speaker, drawing = variant.speaker, Drawing(variant)
    gone = {card for card in variant.pack.cards if seen[card] >= variant.pack.copies}
    wilds = variant.wilds.cards
    if wilds & left.keys() and wilds <= left.keys() | gone:
        yield (
            say("advice.any", card=variant.wilds.said(speaker)),
            sum(left.pop(card, 0) for card in wilds),
        )
    for rank in sorted({card.rank for card in left}):
        alike = [card for card in left if card.rank == rank]
        every = {card for card in variant.pack.cards if card.rank == rank}
        if every <= {*alike, *gone}:
            name = say("advice.any", card=speaker.card(alike[0]).rank)
            yield name, sum(left[card] for card in alike)
            continue
        for card in alike:
            name = drawing.card(card)
            yield name if card.suit else say("advice.any", card=name.rank), left[card]
