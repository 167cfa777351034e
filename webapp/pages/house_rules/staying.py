"""What a change of house rules can’t count again.

Named cards, a limit, and what is counted by kind follow the new rules. A number that somebody added
up stays as it is, even if its cards would count differently; and anything that the old rules didn’t
ask for isn’t known. The page lists those hands, before anybody continues.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from referee import Card, Counts, Variant
from referee.scorepad import close_choices
from webapp.game.replay import GameState
from webapp.game.state import Cell, deal_of
from webapp.language import say
from webapp.text.formatting import joined

_MOST: Final = 6
"""The most hands that are listed."""


def say_what_stays(state: GameState, after: GameState, names: Mapping[int, str]) -> str:
    """Return whose hands stay as entered, and whose lack what the new rules count; or empty."""
    change = _Change(state, after)
    stays, lacks = (_listed(change.hands(which), names) for which in (change.stays, change.lacks))
    says = (
        say("amending.stays", hands=stays) if stays else "",
        say("amending.lacks", hands=lacks) if lacks else "",
        say("amending.made") if change.leaves_made else "",
    )
    return " ".join(filter(None, says))


def _listed(hands: Iterable[tuple[int, int]], names: Mapping[int, str]) -> str:
    """Return some hands in words, each a round and a player; empty if there are none."""
    told = [say("amending.hand", name=names[who], number=number) for number, who in hands]
    more = len(told) - _MOST
    if not told:
        return ""
    return joined([*told[:_MOST], say("amending.more", n=more)] if more > 0 else told)


class _Change:
    """A game under its current rules (`state`) and under new ones (`after`), to compare."""

    def __init__(self, state: GameState, after: GameState) -> None:
        self.state, self.after = state, after
        self.old, self.new = state.variant, after.variant

    def hands(self, which: Callable[[int, Cell], bool]) -> Iterator[tuple[int, int]]:
        """Yield the hands for which a condition is true, by round and player."""
        for number, hands in enumerate((*self.state.rounds, self.state.counting), 1):
            for who, cell in hands.items():
                if which(number, cell):
                    yield number, who

    def stays(self, number: int, cell: Cell) -> bool:
        """Return whether a number was entered for a hand whose cards could count differently."""
        one, asks_table = cell.hand, self.new.pad.asks_table
        return (
            self._left_stays(number, cell)
            or (bool(one.table_points) and asks_table and self._scores_otherwise(number))
            or (bool(one.aside) and self._aside_differs)
            or (any(one.bonus.values()) and self._bonuses_differ)
        )

    def _left_stays(self, number: int, cell: Cell) -> bool:
        one, old, new = cell.hand, self.old, self.new
        if one.cards or (one.out and not one.points) or (one.out and one.shown):
            return False
        if Counts.NONE in {old.pad.counts, new.pad.counts}:
            return False
        if old.pad.is_fixed(one.points) and (old.pad.fixed, old.cap) != (new.pad.fixed, new.cap):
            # It could be a score instead of a count, or a count with the same result.
            return True
        # A player with the most that was possible may have had more.
        if old.cap is not None and old.cap != new.cap and cell.left == old.cap:
            return new.cap is None or new.cap > old.cap
        return self._costs_differ(number) or self._arranges_otherwise(number)

    def _costs_differ(self, number: int) -> bool:
        """Return whether any card counts differently in a round."""
        return _costs(self._dealt(self.old, number), number) != _costs(
            self._dealt(self.new, number), number
        )

    def _dealt(self, variant: Variant, number: int) -> Variant:
        return deal_of(variant, self.state.upcards.get(number, ""))

    def _arranges_otherwise(self, number: int) -> bool:
        """Return whether the same hand could have other melds by the new rules in a round."""
        old, new = self.old.close, self.new.close
        if not (self.old.names_cards or self.new.names_cards):
            return False
        if old is None or new is None or self.old.names_cards != self.new.names_cards:
            return True
        was, now = (
            (close.needs, close.protected, game.lay_offs, *_melds(game, number))
            for close, game in ((old, self.old), (new, self.new))
        )
        return was != now

    def _scores_otherwise(self, number: int) -> bool:
        """Return whether cards on the table could score differently in a round."""
        wild = self.old.wilds_at(number).cards != self.new.wilds_at(number).cards
        return wild or self.old.worth != self.new.worth

    @property
    def _aside_differs(self) -> bool:
        both = self.old.aside, self.new.aside
        return both[1] is not None and (both[0] is None or both[0].cards != both[1].cards)

    @property
    def _bonuses_differ(self) -> bool:
        """Return whether a meld could have a bonus of another kind now.

        It gets the first that fits.
        """
        kinds = (
            [replace(kind, points=0) for kind in game.bonuses] for game in (self.old, self.new)
        )
        old, new = kinds
        return bool(new) and old != new

    def lacks(self, number: int, cell: Cell) -> bool:
        """Return whether the new rules count something about a hand that nobody was asked for."""
        one, old, new = cell.hand, self.old.pad, self.new.pad
        asked = {choice.key for choice in close_choices(self.old)}
        ways = {choice.key for choice in close_choices(self.new)} - asked
        return (
            (old.counts is Counts.NONE is not new.counts and not one.out)
            or (new.asks_table and not one.table)
            or (bool(one.table_points) and not any(one.bonus.values()) and self._bonuses_differ)
            or (self._aside_differs and not one.aside and bool(one.table_points))
            or (self._counts_reserve and not one.reserve)
            or (one.out and not one.shown and bool(ways))
            or (self._lacks_upcard(number, cell))
            or (self.new.climbs_alone and not self.old.climbs_alone and not one.out)
        )

    @property
    def _counts_reserve(self) -> bool:
        return self.old.reserve is None is not self.new.reserve

    def _lacks_upcard(self, number: int, cell: Cell) -> bool:
        """Return whether a hand’s points depend on a card turned up that nobody entered."""
        rule, one = self.new.turning, cell.hand
        if rule is None or rule == self.old.turning or self.state.upcards.get(number):
            return False
        return (rule.twice is not None and one.out) or (
            rule.rank_wild and bool(one.cards or one.shown)
        )

    @property
    def leaves_made(self) -> bool:
        """Return whether it was entered who made contracts that are different now."""
        if not self.new.climbs_alone or self.old.contracts == self.new.contracts:
            return False
        return any(cell.hand.made for cells in self.state.rounds for cell in cells.values())


def _melds(variant: Variant, number: int) -> tuple[object, ...]:
    """Return what makes a meld in a round."""
    return variant.sets, variant.runs, variant.flush, variant.wilds_at(number)


def _costs(variant: Variant, number: int) -> Mapping[Card, int]:
    return {card: each.points for each in variant.value_classes(number) for card in each.cards}
