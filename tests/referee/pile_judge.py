"""Taking the pile in Canasta, Samba, Burraco, and Hand and Foot, judged from their clauses.

It is a second referee: obviously right, and slow. Which of the cards that are laid come out of the
hand is found by trying every way. What a meld is, and going out, is for `team_judge`.
"""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

from tests.referee.team_judge import JUDGES, TWO, Lay, is_wild

THREE = 3


class Pick(NamedTuple):
    """A pile that is taken, and what is laid with it."""

    pile: tuple
    lay: Lay
    hand: tuple


class PileJudge:
    """What the games share: the top card is used with two naturals of its rank out of the hand."""

    depth = None
    """The most cards that are taken."""
    barred = (0, TWO)
    """The ranks under which the pile is not taken."""
    is_free = False
    """Whether the top card needn't be used."""

    def __init__(self, slug):
        self.judge = JUDGES[slug]

    def allows(self, pick):
        """Whether the pile can be taken so."""
        taken = pick.pile[-self.depth :] if self.depth else pick.pile
        lay = self.played(pick, taken)
        if lay is None or self.is_blocked(pick.pile[-1]):
            return False
        if not lay.melds and not lay.layoffs:
            return self.is_free
        ways = [way for way in self.ways_out_of_hand(pick) if self.is_used(pick, way)]
        if self.is_free:
            ways.append((None, ()))
        opened = any(lay.own or self.opens(pick, pair) for _, pair in ways)
        return bool(opened and self.judge.allows(lay))

    def played(self, pick, taken):
        """What is laid, with what is kept; None if it isn't all in hand and pile."""
        laid = Counter(card for cards in self.groups(pick) for card in cards)
        there = Counter(pick.hand) + Counter(taken)
        return pick.lay._replace(kept=tuple((there - laid).elements())) if laid <= there else None

    def groups(self, pick):
        """The cards that are laid now, by the meld that they end up in."""
        groups = {meld: list(meld) for meld in pick.lay.melds}
        for cards, onto in pick.lay.layoffs:
            groups.setdefault(onto, []).extend(cards)
        return [tuple(cards) for cards in groups.values()]

    def ways_out_of_hand(self, pick):
        """For each group with the top card, each two others of it that the hand has."""
        top = pick.pile[-1]
        for onto, group in zip(self.targets(pick), self.groups(pick), strict=True):
            if top in group:
                others = list(group)
                others.remove(top)
                for pair in combinations(others, 2):
                    if Counter(pair) <= Counter(pick.hand):
                        yield onto, pair
                yield onto, ()

    def targets(self, pick):
        """The meld that each group joins; None if it is new."""
        old = [onto for _, onto in pick.lay.layoffs if onto not in pick.lay.melds]
        return [None] * len(pick.lay.melds) + list(dict.fromkeys(old))

    def is_used(self, pick, way):
        """Whether the top card is used in this way (C12, C13, H10)."""
        _, pair = way
        top = pick.pile[-1]
        return len(pair) == 2 and all(c.rank == top.rank and not is_wild(c) for c in pair)

    def opens(self, pick, pair):
        """Whether some melds, out of hand and top card alone, are worth enough (C12, H10).

        The pair that takes the pile is in the meld of the top card, and in no other.
        """
        there = Counter((*pick.hand, pick.pile[-1]))
        melds = pick.lay.melds
        spent = Counter((*pair, pick.pile[-1])) if pair else Counter()
        choices = (some for size in range(len(melds) + 1) for some in combinations(melds, size))
        return any(
            sum(map(self.judge.count, some)) >= self.judge.first(pick.lay)
            for some in choices
            if self.not_in_hand(some, spent, pick) <= there
        )

    def not_in_hand(self, melds, spent, pick):
        """The cards of some melds, with those that take the pile: they can be in one of these."""
        laid = Counter(card for meld in melds for card in meld)
        groups = zip(pick.lay.melds, map(Counter, self.groups(pick)), strict=False)
        for meld, group in groups:
            if meld in melds and spent <= group:
                return laid - Counter(meld) + (Counter(meld) | spent)
        return laid + spent

    def is_blocked(self, top):
        """Whether the pile is not taken under this card."""
        return top.rank in self.barred


class CanastaPile(PileJudge):
    """Canasta."""

    def is_blocked(self, top):
        """C14."""
        return super().is_blocked(top) or (top.rank == THREE and top.suit.letter in "SC")

    def is_used(self, pick, way):
        """C12, C13."""
        if super().is_used(pick, way):
            return True
        frozen = not pick.lay.own or any(map(self.freezes, pick.pile))
        onto, pair = way
        top = pick.pile[-1]
        alike = [c for c in pair if c.rank == top.rank and not is_wild(c)]
        mixed = len(alike) == 1 and any(map(is_wild, pair))
        return not frozen and (mixed or onto is not None)

    def freezes(self, card):
        """C13."""
        return is_wild(card) or (card.rank == THREE and card.suit.letter in "HD")


class SambaPile(CanastaPile):
    """Samba."""

    def is_used(self, pick, way):
        """S4, C13."""
        onto, _ = way
        frozen = not pick.lay.own or any(map(self.freezes, pick.pile))
        is_open = onto is not None and self.judge.bonus(onto) is None
        return PileJudge.is_used(self, pick, way) or (not frozen and is_open)


class FootPile(PileJudge):
    """Hand and Foot (H10)."""

    depth = 7
    barred = (0, TWO, THREE)


class BurracoPile(PileJudge):
    """Burraco: the pile is free (B12)."""

    barred = ()
    is_free = True


PILES = {
    "canasta": CanastaPile("canasta"),
    "hand-and-foot": FootPile("hand-and-foot"),
    "burraco": BurracoPile("burraco"),
    "samba": SambaPile("samba"),
}
"""The second referee of each game, by its slug."""
