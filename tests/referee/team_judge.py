"""Canasta, Samba, Burraco, and Hand and Foot judged from their clauses: obviously right, and slow.

It is a second referee. What a meld is, what joins one and when a team can go down or out is said
here once more, clause by clause, by trying everything; nothing of it is taken from the referee.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

from referee.cards import CARD_SUITS, Card

ACE, TWO, KING = 1, 2, 13
SET, RUN = "set", "run"
MOST_LAST = 4


class Way(NamedTuple):
    """One way to read cards as a meld."""

    kind: str
    wilds: int
    unbroken: int
    """The naturals in a row; in a set, all."""


class Lay(NamedTuple):
    """What one of a team puts on the table, and what the team had there before."""

    melds: tuple
    layoffs: tuple
    """Cards, and the meld that they go to: one that the team had, or one of these melds."""
    own: tuple
    kept: tuple | None
    total: int = 0
    step: int = 1
    reserve: bool = True


def is_wild(card):
    """Whether a card may be wild: jokers and 2s, in all three games (C5, B6, H5)."""
    return card.rank in {0, TWO}


@dataclass(eq=False)
class Judge:
    """What the three games share; what differs is said by those below."""

    points: dict
    """What the ranks count (C3, B3, H3)."""
    largest: int = 1000
    """The most cards of a set."""

    def count(self, cards):
        """What cards count on the table: a wild its own points."""
        return sum(self.points[card.rank] for card in cards)

    def ways(self, cards, *, out=False, as_laid=True):
        """All ways to read cards as a meld; `out` where their player goes out with it."""
        return _ways(self, tuple(cards), out, as_laid)

    def is_meld(self, cards, *, out=False, as_laid=True):
        """Whether cards are a meld."""
        return bool(self.ways(cards, out=out, as_laid=as_laid))

    def bonus(self, cards, *, as_laid=True):
        """The name of the bonus that a meld earns, the dearest there is."""
        names = {self.bonus_of(len(cards), way) for way in self.ways(cards, as_laid=as_laid)}
        return min(names - {None}, key=self.dearest.index, default=None)

    def joins(self, cards, meld):
        """Whether cards can be laid off on a meld of the team."""
        kinds = {way.kind for way in self.ways(meld, as_laid=False)}
        return any(way.kind in kinds for way in self.ways(meld + cards, as_laid=False))

    def allows(self, lay):
        """Whether a player can lay this down."""
        out = lay.kept is not None and len(lay.kept) <= 1 and self.no_more_hands(lay)
        if not all(self.is_meld(cards, out=out) for cards in lay.melds):
            return False
        worth = sum(map(self.count, lay.melds))
        if not lay.own and (worth < self.first(lay) or not lay.melds):
            return False
        plays = [(cards, None) for cards in lay.melds] + list(lay.layoffs)
        tables = {self.table_after(order, lay.own) for order in permutations(plays)} - {None}
        return any(not out or self.goes_out(lay, table) for table in tables)

    def table_after(self, plays, own):
        """The melds of the team after plays in this order; None if one of them can't be made."""
        table = [(meld, meld) for meld in own]
        for cards, onto in plays:
            if onto is None:
                if self.is_second(cards, [meld for _, meld in table]):
                    return None
                table.append((cards, cards))
                continue
            at = next((at for at, (first, _) in enumerate(table) if first == onto), None)
            if at is None or not self.joins(cards, table[at][1]):
                return None
            table[at] = (onto, table[at][1] + cards)
        return tuple(sorted((meld for _, meld in table), key=str))

    def is_second(self, cards, table):
        """Whether a set is begun of a rank of which there is one that can grow (C4, B5, H4)."""
        rank = self.rank_of(cards)
        ranks = {self.rank_of(meld) for meld in table if len(meld) < self.largest}
        return rank is not None and rank in ranks

    def rank_of(self, meld):
        """The rank of a set; None for a run."""
        naturals = {card.rank for card in meld if not is_wild(card)}
        is_set = any(way.kind == SET for way in self.ways(meld, out=True, as_laid=False))
        return naturals.pop() if is_set else None

    def bonuses_on(self, table):
        """The bonuses of the melds of a team."""
        return [name for name in (self.bonus(meld, as_laid=False) for meld in table) if name]


@lru_cache(maxsize=20_000)
def _ways(judge, cards, out, as_laid):
    return list(judge.find_ways(cards, out, as_laid))


class CanastaJudge(Judge):
    """Canasta."""

    dearest = ("natural", "mixed")

    def find_ways(self, cards, out, _as_laid):
        """C4, C5: at least 3 of a rank, 4 to ace, at least 2 natural, at most 3 wild; C8."""
        naturals = [card for card in cards if not is_wild(card)]
        wilds = len(cards) - len(naturals)
        if len(cards) < 3 or len({card.rank for card in naturals}) != 1:
            return []
        if naturals[0].rank == 3:
            black = all(card.suit.letter in "SC" for card in naturals)
            last = out and black and not wilds and len(cards) <= MOST_LAST
            return [Way(SET, 0, len(cards))] if last else []
        good = len(naturals) >= 2 and wilds <= 3
        return [Way(SET, wilds, len(naturals))] if good else []

    def bonus_of(self, size, way):
        """C6."""
        return None if size < 7 else "mixed" if way.wilds else "natural"

    def first(self, lay):
        """C9."""
        if lay.total < 0:
            return 15
        return 50 if lay.total < 1500 else 90 if lay.total < 3000 else 120

    def no_more_hands(self, _lay):
        """There is no second hand."""
        return True

    def goes_out(self, _lay, table):
        """C15."""
        return bool(self.bonuses_on(table))


class SambaJudge(CanastaJudge):
    """Samba: Canasta with runs, at most 2 wilds, and as many sets of a rank as you like."""

    dearest = ("samba", "natural", "mixed")

    def find_ways(self, cards, out, as_laid):
        """S2, S3."""
        sets = super().find_ways(cards, out, as_laid)
        high = sorted(card.rank if card.rank != ACE else KING + 1 for card in cards)
        of_a_suit = len({card.suit for card in cards}) == 1 and not any(map(is_wild, cards))
        is_run = of_a_suit and 3 <= len(cards) <= 7 and high[0] >= 4
        is_run = is_run and high == list(range(high[0], high[0] + len(high)))
        runs = [Way(RUN, 0, len(cards))] if is_run else []
        return [way for way in sets if way.wilds <= 2] + runs

    def bonus_of(self, size, way):
        """S2, C6."""
        name = super().bonus_of(size, way)
        return "samba" if name and way.kind == RUN else name

    def first(self, lay):
        """S5."""
        return 150 if lay.total >= 7000 else super().first(lay)

    def is_second(self, _cards, _table):
        """S3."""
        return False

    def goes_out(self, _lay, table):
        """S6."""
        return len(self.bonuses_on(table)) >= 2


class FootJudge(Judge):
    """Hand and Foot."""

    dearest = ("clean", "dirty")

    def find_ways(self, cards, _out, _as_laid):
        """H4, H5, H7: 3 to 7 of a rank, no 3s; at most 3 wilds, no more of them than naturals."""
        naturals = [card for card in cards if not is_wild(card)]
        wilds = len(cards) - len(naturals)
        if not 3 <= len(cards) <= 7 or len({card.rank for card in naturals}) != 1:
            return []
        good = naturals[0].rank != 3 and len(naturals) >= 2 and wilds <= min(3, len(naturals))
        return [Way(SET, wilds, len(naturals))] if good else []

    def bonus_of(self, size, way):
        """H6."""
        return None if size < 7 else "dirty" if way.wilds else "clean"

    def first(self, lay):
        """H8."""
        return (50, 90, 120, 150)[lay.step - 1]

    def no_more_hands(self, lay):
        """H11: whoever plays out the first hand picks up the foot."""
        return lay.reserve

    def goes_out(self, _lay, table):
        """H12."""
        return {"clean", "dirty"} <= set(self.bonuses_on(table))


class BurracoJudge(Judge):
    """Burraco."""

    dearest = ("clean", "semi", "dirty")

    def find_ways(self, cards, _out, as_laid):
        """B4 to B7."""
        return [*self.as_set(cards), *self.as_run(cards, as_laid=as_laid)]

    def as_set(self, cards):
        """B5, B6: 3 to 9 of a rank, no 2s, at most one wild."""
        naturals = [card for card in cards if not is_wild(card)]
        wilds = len(cards) - len(naturals)
        if 3 <= len(cards) <= 9 and wilds <= 1 and len({card.rank for card in naturals}) == 1:
            yield Way(SET, wilds, len(naturals))

    def as_run(self, cards, *, as_laid):
        """B4, B6, B7: 3 or more of a suit in a row, one ace, at most one card that is wild."""
        size = len(cards)
        if not 3 <= size <= 14:
            return
        rows = list(self.rows(cards)) if as_laid else []
        for start, suit in product(range(1, 16 - size), CARD_SUITS):
            places = range(start, start + size)
            own = [Card((place - 1) % KING + 1, suit) for place in places]
            for row in rows or [None]:
                yield from self.in_places(cards, own if row != -1 else own[::-1], row)

    def rows(self, cards):
        """The directions in which the naturals rise (1) or fall (-1), where that says something."""
        naturals = [card.rank for card in cards if not is_wild(card)]
        if len(naturals) < 2 or len(naturals) == len(cards):
            return
        for direction in (1, -1):
            values = [(1, 14) if rank == ACE else (rank,) for rank in naturals[::direction]]
            if any(list(one) == sorted(set(one)) for one in product(*values)):
                yield direction

    def in_places(self, cards, own, row):
        """The ways in which cards fill places with these cards of their own, in order or not."""
        size = len(cards)
        # None is wild, or one of them is: each is tried at each place.
        tries = [(None, None)]
        tries += [(at, place) for at in range(size) if is_wild(cards[at]) for place in range(size)]
        for at, place in tries:
            laid = [card for other, card in enumerate(cards) if other != at]
            wanted = [card for other, card in enumerate(own) if other != place]
            if row is None:
                fits = Counter(laid) == Counter(wanted)
            else:
                fits = laid == wanted and at == place
            aces = sum(card.rank == ACE for card in laid)
            if fits and len(laid) >= 2 and aces <= 1:
                before = size if place is None else place
                yield Way(RUN, int(at is not None), max(before, size - 1 - before))

    def bonus_of(self, size, way):
        """B8."""
        if size < 7:
            return None
        return "clean" if not way.wilds else "semi" if way.unbroken >= 7 else "dirty"

    def first(self, _lay):
        """B9."""
        return 0

    def no_more_hands(self, lay):
        """B13: the first of a team to have no cards takes its second hand."""
        return lay.reserve

    def goes_out(self, lay, table):
        """B14: the last card is discarded, and it isn’t wild."""
        return len(lay.kept) == 1 and not is_wild(lay.kept[0]) and bool(self.bonuses_on(table))


_SHARED = dict.fromkeys(range(3, 8), 5) | dict.fromkeys(range(8, KING + 1), 10)
CANASTA = CanastaJudge(_SHARED | {ACE: 20, TWO: 20, 0: 50})
SAMBA = SambaJudge(CANASTA.points)
HAND_AND_FOOT = FootJudge(_SHARED | {ACE: 20, TWO: 20, 0: 50}, largest=7)
BURRACO = BurracoJudge(_SHARED | {ACE: 15, TWO: 20, 0: 30}, largest=9)
JUDGES = {
    "canasta": CANASTA,
    "burraco": BURRACO,
    "hand-and-foot": HAND_AND_FOOT,
    "samba": SAMBA,
}
"""The second referee of each game, by its slug."""
