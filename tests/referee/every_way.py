"""The least that a hand can be left with under a contract: every way to lay it, tried one by one.

Obviously right, and slow. Each part of the hand is asked after by itself: is it a meld, may it be
laid off on that meld of the table? What is left to find is parts that have no card in common; the
cheapest way that the referee allows is the answer.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from referee.bench import rule_on
from referee.cards import Card
from referee.grounds import legal_readings
from referee.plays import LayDown, LayOff


class EveryWay:
    """A game at one moment, with what is known of parts of hands."""

    def __init__(self, variant, moment):
        self.variant, self.moment = variant, moment
        self.rules = variant.melds_at(moment.step)
        self.contract = variant.contract_at(moment.step)
        self.is_meld = cache(self._is_meld)
        self.joins = cache(self._joins)

    def _is_meld(self, cards):
        return bool(legal_readings(cards, self.rules, as_laid=False))

    def _joins(self, cards, onto):
        return rule_on(LayOff(cards, onto), self.variant, self.moment).is_legal

    def least(self, hand, table=(), *, down=False):
        """What the cheapest legal way leaves, None where there is none."""
        if self.variant.pack.by_rank:
            hand = (Card(card.rank) for card in hand)
        hand = sorted(hand, key=str)
        if not down and not self.variant.lay_offs.in_same_turn:
            table = ()
        parts = {}
        for size in range(1, len(hand) + 1):
            for at in combinations(range(len(hand)), size):
                mask = sum(1 << index for index in at)
                parts.setdefault(tuple(hand[index] for index in at), []).append(mask)
        ways = self._lay_downs(parts, down=down)
        for onto in table:
            joining = [
                (mask, LayOff(cards, onto, same_turn=not down))
                for cards, masks in parts.items()
                if self.joins(cards, onto)
                for mask in masks
            ]
            more = {}
            for used, melds, layoffs in ways:
                for mask, layoff in joining:
                    if not used & mask:
                        more[(*melds, *layoffs, layoff)] = used | mask, melds, (*layoffs, layoff)
            ways += more.values()
        costs = [self._cost(hand, *way) for way in ways]
        costs.sort(key=lambda way: way[0])
        return next((way[0] for way in costs if self._is_legal(*way[1:], down=down)), None)

    def _cost(self, hand, used, melds, layoffs):
        kept = tuple(card for at, card in enumerate(hand) if not used >> at & 1)
        return self.variant.values.count(kept, self.rules.wilds.cards), melds, layoffs, kept

    def _lay_downs(self, parts, *, down):
        """Give the cards used, the melds, and nothing laid off yet, for so many melds as may be."""
        least = 0 if down else len(self.contract.needs)
        most = 9 if self.variant.contract_rule.extra_melds else least
        melds = [
            (m, cards)
            for cards, masks in parts.items()
            if most and self.is_meld(cards)
            for m in masks
        ]
        melds.sort()
        ways = [(0, (), -1)]
        for used, laid, last in ways:
            if len(laid) < most:
                for at in range(last + 1, len(melds)):
                    if not used & melds[at][0]:
                        ways.append((used | melds[at][0], (*laid, melds[at][1]), at))  # noqa: PERF401 - the list grows as it is read
        found = {
            tuple(sorted(laid, key=str)): (used, laid, ())
            for used, laid, _ in ways
            if len(laid) >= least
        }
        return list(found.values())

    def _is_legal(self, melds, layoffs, kept, *, down):
        if not melds and not layoffs:
            return False
        if down and not melds:
            return all(rule_on(layoff, self.variant, self.moment).is_legal for layoff in layoffs)
        play = LayDown(melds=melds, kept=kept, layoffs=layoffs, down=down, as_laid=False)
        return rule_on(play, self.variant, self.moment).is_legal
