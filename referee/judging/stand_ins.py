"""Special cards that are the wild of the deal: a false joker is the tile that the okey would be.

Two cards then are called alike, one wild and one not. So the referee is asked about the same play
with a joker for each wild, and the wild's own card for each that stands in for it; and what it
answers is put back into the cards that were laid.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

from referee.cards import JOKER, Card, write_cards
from referee.plays import Close, Moment, Play, ShowMeld, cards_of
from referee.rulings import Finding, Reading, Ruling
from referee.variant import Variant

_LAID: Final = frozenset({"this", "these", "left", "given", "taken", "discard"})
"""The values of a finding that are cards as they were laid, not what they stand for."""
_Cards: TypeAlias = Mapping[Card, Card]


def stands_in(play: Play, variant: Variant, moment: Moment) -> bool:
    """Whether a card of a play is the wild of the deal, and it is known which that is."""
    special = variant.stand_in
    dealt = variant.dealt(moment.upcard)
    if special is None or dealt.upcard is None or len(dealt.wilds.cards) != 1:
        return False
    return special in cards_of(play)


def with_stand_ins(
    play: Play, variant: Variant, moment: Moment, rule: Callable[[Play, Variant, Moment], Ruling]
) -> Ruling:
    """Rule on a play with cards that are the wild of the deal (`stands_in`)."""
    special, dealt = variant.stand_in, variant.dealt(moment.upcard)
    assert special is not None, "a card of the play stands in"
    (wild,) = dealt.wilds.cards
    ruling = rule(_put(play, {wild: JOKER, special: wild}), _other(dealt), Moment(moment.step))
    back = {JOKER: wild, wild: special}
    names = {write_cards((one,)): write_cards((other,)) for one, other in back.items()}
    return replace(
        ruling,
        findings=tuple(_finding(each, back, wild) for each in ruling.findings),
        readings=tuple(_reading(each, back) for each in ruling.readings),
        hint=tuple(" ".join(names.get(w, w) for w in order.split()) for order in ruling.hint),
    )


@lru_cache(maxsize=64)
def _other(dealt: Variant) -> Variant:
    """The game of a deal with jokers for its wild."""
    (wild,) = dealt.wilds.cards
    return replace(
        dealt,
        wilds=replace(dealt.wilds, cards=frozenset({JOKER})),
        pack=replace(dealt.pack, jokers=dealt.pack.copies),
        values=replace(dealt.values, wild=dealt.values.by_rank[wild.rank]),
        stand_in=None,
    )


def _finding(finding: Finding, back: _Cards, wild: Card) -> Finding:
    values = {
        name: _put(value, back if name in _LAID else {JOKER: wild})
        for name, value in finding.values.items()
    }
    return finding._replace(cards=_put(finding.cards, back), values=values)


def _reading(reading: Reading, back: _Cards) -> Reading:
    return replace(reading, cards=_put(reading.cards, back))


def _put(value: Any, cards: _Cards) -> Any:  # noqa: ANN401 - a card, or whatever has cards
    """The same with other cards for some."""
    if isinstance(value, Card):
        return cards.get(value, value)
    if isinstance(value, tuple):
        return tuple(_put(part, cards) for part in value)
    if isinstance(value, ShowMeld | Close):
        parts = {field.name: _put(getattr(value, field.name), cards) for field in fields(value)}
        return replace(value, **parts)
    return value
