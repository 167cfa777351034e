"""Counting melds by their cards: their points, and which of them have a bonus."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from referee import MOST_ARRANGED, Cards, Finding, Moment, ShowMeld, Variant, rule_on
from referee.scorepad import knocks, meld_ruling
from webapp.game.hand import Hand, read_cards, read_count

_NAMED: Final = re.compile(r"[^-−–0-9+\s]")
_MOST_CARDS: Final = 30
"""The most cards of one meld, including wilds."""


@dataclass(frozen=True, slots=True)
class CountedMelds:
    """Melds on the table, counted."""

    points: tuple[int, ...]
    """The points of each meld, without its bonus."""
    bonus: tuple[tuple[str, int], ...]
    """The number of melds with each bonus, by its name."""
    against: tuple[Finding, ...] = ()
    """The findings of the rules against any of the melds."""


def names_melds(text: str) -> bool:
    """Return whether melds are named by their cards, as in "7S 7H 7D, KS KH KD", not as points."""
    return _NAMED.search(text) is not None


@lru_cache(maxsize=500)
def count_melds(variant: Variant, text: str) -> CountedMelds:
    """Count melds named by their cards, as in "7S 7H 7D, KS KH KD".

    Cards that aren’t a meld add their value in hand, because the table may allow them; the reason
    is in `against`. Raises UnreadableCountError if something isn’t a card.
    """
    points: list[int] = []
    bonus: Counter[str] = Counter()
    against: list[Finding] = []
    for meld in filter(str.strip, text.split(",")):
        cards = variant.pack.parse(read_cards(meld, variant.pack, _MOST_CARDS))
        ruling = meld_ruling(variant, cards)
        wrong = next((finding for finding in ruling.findings if finding.against), None)
        if ruling.is_legal or wrong is None:
            points.append(ruling.points or 0)
        else:
            against.append(wrong)
            points.append(variant.values.count(cards, variant.wilds.cards))
        bonus.update([ruling.bonus] if ruling.bonus else [])
    return CountedMelds(tuple(points), tuple(sorted(bonus.items())), tuple(against))


def read_laid_down(variant: Variant, hand: Hand) -> Hand:
    """Return a team’s hand with its melds as points, and with bonuses if cards were named.

    Raises UnreadableCountError.
    """
    if not names_melds(hand.table):
        return replace(hand, table=read_count(hand.table))
    melds = count_melds(variant, hand.table)
    points = "+".join(map(str, melds.points)) or "0"
    return replace(hand, table=points, bonus=dict(melds.bonus))


def read_shown_melds(variant: Variant, text: str, step: int) -> tuple[str, ...]:
    """Return the melds that a player who knocked showed: "2C 3C 4C, 9D 9H 9S, 7S".

    Cards between two commas that aren’t a meld are left over. Without a comma no melds were named,
    and the best ones are found later. Raises UnreadableCountError.
    """
    if "," not in text or not knocks(variant):
        return ()
    groups = (read_cards(group, variant.pack, MOST_ARRANGED) for group in text.split(","))
    return tuple(group for group in groups if _is_meld(variant, variant.pack.parse(group), step))


def _is_meld(variant: Variant, cards: Cards, step: int) -> bool:
    play = ShowMeld(cards, as_laid=False)
    return bool(cards) and rule_on(play, variant, Moment(step)).is_legal
