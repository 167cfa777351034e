"""The least that a hand can be left with under a contract: every way to lay it, tried one by one.

Obviously right, and slow. Each part of the hand is asked after by itself: is it a meld, may it be
laid off on that meld of the table? What is left to find is parts that have no card in common; the
cheapest way that the referee allows is the answer.
"""

from functools import cache
from itertools import combinations, product

from referee.advice import advise
from referee.cards import Card, write_cards
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.melds.standing import standing
from referee.plays import LayDown, LayOff, Taken
from referee.rulings import Code
from referee.turns.swaps import check_taken


class EveryWay:
    """A game at one moment, with what is known of parts of hands."""

    def __init__(self, variant, moment):
        self.variant, self.moment = variant, moment
        self.rules = variant.melds_at(moment.step)
        self.contract = variant.contract_at(moment.step)
        self.is_meld = cache(self._is_meld)
        self.joins = cache(self._joins)
        self.given = cache(self._given)

    def advised(self, hand, table=(), *, down=False):
        """Advice on a hand; if it is decided, it leaves what the cheapest legal way leaves."""
        found = advise(self.variant, self.moment, hand, table=table, down=down)
        if found.decided:
            lying = " / ".join(map(write_cards, table))
            told = f"{self.moment}: {write_cards(hand)} on {lying}, down {down}"
            least = self.least(hand, table, down=down)
            assert (found.points if found.possible else None) == least, (self.variant.chosen, told)
        return found

    def _is_meld(self, cards):
        return bool(legal_readings(cards, self.rules, as_laid=False))

    def _joins(self, cards, onto):
        return rule_on(LayOff(cards, onto), self.variant, self.moment).is_legal

    def least(self, hand, table=(), *, down=False):
        """What the cheapest legal way leaves, None where there is none.

        Swaps are made where nothing else helps: each of them must be one without which nothing
        could be laid. Who is down may make any that are allowed.
        """
        found = self._least(hand, table, down=down)
        if self.variant.swaps is None or self.contract.no_discard:
            return found
        if found is not None and not down:
            return found
        costs, possible = [found], set()
        for swaps, held, lying in self._swapped(hand, table):
            key = _names(swaps)
            if self._least(held, lying, down=down) is not None:
                possible.add(key)
            if down or not any(key[:at] + key[at + 1 :] in possible for at in range(len(key))):
                costs.append(self._least(held, lying, down=down, swaps=swaps, before=hand))
        return min((cost for cost in costs if cost is not None), default=None)

    def _swapped(self, hand, table):
        """Every way to make swaps, those of fewest first: the swaps, the hand, the table then."""
        ways = [((), tuple(hand), tuple(table))]
        seen = set()
        for swaps, held, lying in ways:
            for at, meld in enumerate(lying):
                for give, take in product(set(held), set(meld) & self.rules.wilds.cards):
                    swap = Taken(give, take, meld)
                    for after in self.given(swap):
                        new = (*swaps, swap), (*lying[:at], after, *lying[at + 1 :])
                        key = _names(new[0]), tuple(sorted(map(str, new[1])))
                        if key not in seen:
                            seen.add(key)
                            left = list(held)
                            left[left.index(give)] = take
                            ways.append((new[0], tuple(left), new[1]))
        return ways[1:]

    def _given(self, swap):
        """The melds that a swap may leave: the card that is given lies where the wild lay."""
        codes = {finding.code for finding in check_taken((swap,), self.variant.swaps, self.rules)}
        melds = [reading.arranged for reading in standing(swap.meld, self.rules)]
        return {
            (*meld.cards[:at], swap.give, *meld.cards[at + 1 :])
            for meld in melds
            for at, (card, stands) in enumerate(zip(meld.cards, meld.stands, strict=True))
            if codes == {Code.SWAP_GOOD} and (card, stands) == (swap.take, swap.give)
        }

    def _least(self, hand, table, *, down, swaps=(), before=None):
        """What the cheapest legal way leaves after some swaps, None where there is none."""
        if self.variant.pack.by_rank:
            hand = (Card(card.rank) for card in hand)
        hand = sorted(hand, key=str)
        if self.contract.no_discard or not (down or self.variant.lay_offs.in_same_turn):
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
        before = None if before is None else tuple(before)
        legal = (way[0] for way in costs if self._is_legal(*way[1:], swaps, before, down=down))
        return next(legal, None)

    def _cost(self, hand, used, melds, layoffs):
        kept = tuple(card for at, card in enumerate(hand) if not used >> at & 1)
        return self.variant.values.count(kept, self.rules.wilds.cards), melds, layoffs, kept

    def _lay_downs(self, parts, *, down):
        """Give the cards used, the melds, and nothing laid off yet, for so many melds as may be."""
        least = 0 if down else len(self.contract.needs)
        most = 9 if self.variant.way.extra_melds else least
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

    def _is_legal(self, melds, layoffs, kept, swaps, hand, *, down):
        if not melds and not layoffs:
            return False
        if down and not melds and not swaps:
            return all(rule_on(layoff, self.variant, self.moment).is_legal for layoff in layoffs)
        play = LayDown(
            melds=melds,
            kept=kept,
            layoffs=layoffs,
            swaps=swaps,
            down=down,
            hand=hand,
            as_laid=False,
        )
        return rule_on(play, self.variant, self.moment).is_legal


def _names(swaps):
    return tuple(sorted((str(swap.give), str(swap.take)) for swap in swaps))
