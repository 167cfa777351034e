"""Taking the pile, held against a second referee on random positions."""

from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest

from referee.cards import CARD_SUITS, Card
from referee.judging import pickups, rule_on
from referee.plays import LayOff, Moment, PickUp
from tests.examples import examples
from tests.referee.pile_judge import PILES, Pick
from tests.referee.team_judge import ACE, KING
from tests.referee.test_team_judge import Positions, has_twins

SLUGS = sorted(PILES)
FEW = 150
MANY = {"burraco": 500, "canasta": 5_000, "hand-and-foot": 5_000, "samba": 5_000}
"""The runs of Burraco take their judge long."""


class Piles(Positions):
    """Random piles, and lays out of them and a hand, of no more cards than 8 packs have."""

    def __init__(self, slug, seed):
        super().__init__(slug, seed)
        self.variant = self.variant.with_options({"/pack.copies": 8, "/pack.jokers": 16})

    def pick(self):
        """A pile that is taken, or nearly so."""
        while True:
            pick = self.any_pick()
            lay = pick.lay
            laid = Counter(chain(*lay.melds, *(cards for cards, _ in lay.layoffs)))
            there = Counter((*pick.pile, *pick.hand)) | laid
            if self.variant.pack.excess(there + Counter(chain(*lay.own))) is None:
                return pick

    def any_pick(self):
        """The same of any cards."""
        pick, lay = self.random, self.lay()
        if pick.random() < 0.05:
            lay = lay._replace(melds=(), layoffs=())
        elif pick.random() < 0.5:
            lay = lay._replace(melds=(*lay.melds[:1], self.alike()), layoffs=())
        parts = (*lay.melds, *(cards for cards, _ in lay.layoffs))
        laid = [card for cards in parts for card in cards]
        top = pick.choice(laid) if laid and pick.random() < 0.9 else self.any_card()
        hand, lower = [], []
        for card in laid:
            where = pick.random()
            hand += [card] if where < 0.75 else []
            lower += [card] if 0.65 < where < 0.98 else []
        if top in hand and pick.random() < 0.7:
            hand.remove(top)
        lower += [self.any_card() for _ in range(pick.randint(0, 8))]
        lower += [self.wild()] if pick.random() < 0.2 else []
        pick.shuffle(lower)
        hand += [self.any_card() for _ in range(pick.choice([0, 0, 0, 1, 1, 3, 5]))]
        return Pick(pile=(*lower, top), lay=lay, hand=tuple(hand))

    def alike(self):
        """A set such as takes a pile, now and then with a wild."""
        rank = self.random.choice([4, 7, 9, 12, KING, ACE])
        cards = tuple(Card(rank, self.random.choice(CARD_SUITS)) for _ in range(3))
        return (*cards[:2], self.wild()) if self.random.random() < 0.3 else cards


def ruled(pick, variant):
    lay = pick.lay
    offs = tuple(LayOff(cards, onto, own=True, same_turn=True) for cards, onto in lay.layoffs)
    play = PickUp(
        pile=pick.pile,
        melds=lay.melds,
        layoffs=offs,
        own=lay.own,
        hand=pick.hand,
        total=lay.total,
        reserve=lay.reserve,
    )
    return rule_on(play, variant, Moment(lay.step))


def check(position, variant=None):
    pick = position.pick()
    if has_twins(pick.lay):
        return
    ruling = ruled(pick, variant or position.variant)
    codes = sorted(code.value for code in ruling.broken)

    assert ruling.is_legal == PILES[position.variant.slug].allows(pick), (pick, codes)


def check_many(position, count, variant=None):
    for _ in range(count):
        check(position, variant)


@pytest.mark.parametrize("slug", SLUGS)
def test_both_referees_agree_on_random_piles(slug):
    # The runs of Burraco take its judge long.
    check_many(Piles(slug, 1), FEW // 4 if slug == "burraco" else FEW)


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("slug", SLUGS)
def test_both_referees_agree_on_many_piles(slug):
    check_many(Piles(slug, 2), examples(MANY[slug]))


@pytest.mark.parametrize(
    ("slug", "broken"),
    [
        ("canasta", {"frozen": frozenset()}),
        ("canasta", {"frozen": frozenset({"wild", "not-down"})}),
        # A pile under a wild card is frozen as well, and a black 3 is seldom melded.
        ("canasta", {"blocked": frozenset(), "frozen": frozenset()}),
        ("canasta", {"top": frozenset({"any"})}),
        ("canasta", {"top": frozenset({"pair", "wild"})}),
        ("hand-and-foot", {"depth": None}),
        ("hand-and-foot", {"top": frozenset({"pair", "own"})}),
        ("burraco", {"top": frozenset({"any"})}),
        ("samba", {"top": frozenset({"pair", "own"})}),
        # Such a pile seldom comes.
        pytest.param("samba", {"top": frozenset({"pair"})}, marks=pytest.mark.slow),
    ],
)
def test_a_referee_of_another_pile_is_caught(slug, broken):
    position = Piles(slug, 3)
    game = replace(position.variant, pile=replace(position.variant.pile, **broken))

    with pytest.raises(AssertionError):
        check_many(position, 10 * FEW, game)


def test_a_referee_that_counts_the_whole_pile_for_the_opening_is_caught(monkeypatch):
    monkeypatch.setattr(pickups, "counting", lambda melds, *_: frozenset(range(len(melds))))
    position = Piles("canasta", 3)

    with pytest.raises(AssertionError):
        check_many(position, 10 * FEW)
