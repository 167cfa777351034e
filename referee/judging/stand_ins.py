"""Special cards that replace the wild of the deal: a false joker is the tile that the okey shows.

Two cards then count as the same tile, but only one of them is wild. So the referee rules on the
same play with a joker for each wild, and with the wild’s tile as a natural for each special card.
Then the cards in the ruling are changed back to those that were laid.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

from referee.cards import JOKER, Card, write_cards
from referee.plays import Close, LayDown, LayOff, Moment, PickUp, Play, ShowMeld, Swap, cards_of
from referee.rulings import Finding, Reading, Ruling
from referee.variant import Variant

_LAID: Final = frozenset({"this", "these", "left", "given", "taken", "discard"})
"""The names of values in findings that are cards as they were laid, not what they stand for."""
_Cards: TypeAlias = Mapping[Card, Card]


def stands_in(play: Play, variant: Variant, moment: Moment) -> bool:
    """Return whether a play has a special card that replaces the wild, and the wild is known."""
    special = variant.stand_in
    dealt = variant.dealt(moment.upcard)
    if special is None or dealt.upcard is None or len(dealt.wilds.cards) != 1:
        return False
    return special in cards_of(play)


def with_stand_ins(
    play: Play, variant: Variant, moment: Moment, rule: Callable[[Play, Variant, Moment], Ruling]
) -> Ruling:
    """Rule on a play for which `stands_in` is true; `rule` rules on it after cards are changed."""
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
    """Return the game with jokers in place of the wild of the deal."""
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
    """Return a copy of a value in which each card that is a key in `cards` is replaced."""
    if isinstance(value, Card):
        return cards.get(value, value)
    if isinstance(value, tuple):
        parts = [_put(part, cards) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, ShowMeld | Close | LayDown | LayOff | Swap | PickUp):
        put = {field.name: _put(getattr(value, field.name), cards) for field in fields(value)}
        return replace(value, **put)
    return value
