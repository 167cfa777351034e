"""Melds, lay-offs and going down of teams, held against a second referee on random positions."""

import random
from collections import Counter

import pytest

from referee import variants
from referee.cards import CARD_SUITS, JOKER, Card, write_cards
from referee.judging import rule_on
from referee.plays import LayDown, LayOff, Moment, ShowMeld
from tests.examples import examples
from tests.referee.team_judge import JUDGES, KING, Lay

SLUGS = sorted(JUDGES)
FEW = 60
MANY = {"burraco": 1_500, "canasta": 3_000, "hand-and-foot": 3_000, "samba": 1_500}
"""The runs of Burraco and Samba take their judge long."""


class Positions:
    """Random cards that are melds, or nearly so."""

    def __init__(self, slug, seed):
        self.variant = variants.get(slug)
        self.judge = JUDGES[slug]
        self.random = random.Random(seed)
        self.runs = self.variant.runs.exists

    def wild(self):
        """A card that may be wild."""
        return self.random.choice([JOKER, *[Card(2, suit) for suit in CARD_SUITS]])

    def any_card(self):
        return Card(self.random.randint(1, KING), self.random.choice(CARD_SUITS))

    def a_set(self):
        rank = self.random.choice([1, 2, *range(3, KING + 1)])
        size = self.random.choice([2, 3, 3, 3, 4, 5, 6, 7, 8])
        wilds = self.random.choice([0, 0, 0, 1, 1, 2, 3, 4])
        naturals = [Card(rank, self.random.choice(CARD_SUITS)) for _ in range(size)]
        return [*naturals, *[self.wild() for _ in range(wilds)]]

    def a_run(self):
        suit = self.random.choice(CARD_SUITS)
        size = self.random.choice([3, 3, 4, 5, 6, 7, 8, 8, 9, 12, 13, 14])
        start = self.random.randint(1, max(1, 15 - size))
        cards = [Card((at - 1) % KING + 1, suit) for at in range(start, start + size)]
        for _ in range(self.random.choice([0, 0, 1, 1, 1, 2])):
            cards[self.random.randrange(size)] = self.wild()
        return cards[::-1] if self.random.random() < 0.2 else cards

    def meld(self):
        """Cards of a set or a run, now and then in another order or with a card more or less."""
        cards = self.a_run() if self.runs and self.random.random() < 0.6 else self.a_set()
        if self.random.random() < 0.2:
            cards[self.random.randrange(len(cards))] = self.any_card()
        if self.random.random() < 0.3:
            self.random.shuffle(cards)
        return tuple(cards)

    def good_meld(self):
        """A meld that is good in the order in which it is."""
        while True:
            cards = self.meld()
            if self.judge.is_meld(cards):
                return cards

    def added(self, meld):
        """Cards that may join a meld."""
        joining = []
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            near = self.random.choice(meld)
            rank = near.rank if not self.runs else near.rank + self.random.choice([-1, 0, 1, 2])
            if self.random.random() < 0.25:
                joining.append(self.wild())
            else:
                joining.append(Card((rank - 1) % KING + 1, near.suit or CARD_SUITS[0]))
        return tuple(joining)

    def lay(self):
        """What one of a team may lay down."""
        pick = self.random
        own = [] if pick.random() < 0.4 else [self.good_meld() for _ in range(pick.randint(1, 3))]
        melds = [
            self.good_meld() for _ in range(pick.choice([0, 1, 1, 2, 2, 3] if own else [1, 2, 3]))
        ]
        if pick.random() < 0.1 and melds:
            melds[0] = self.meld()
        if pick.random() < 0.15 and melds and not self.runs:
            melds[-1] = self.black_3s()
        there = [meld for meld in (*own, *melds) if self.judge.is_meld(meld)]
        onto = pick.choices(there, k=3) if there else []
        offs = [(self.added(meld), meld) for meld in onto]
        layoffs = [] if pick.random() < 0.4 and melds else offs[: pick.randint(1, 3)]
        kept = [None, (), (self.any_card(),), (self.wild(),), (self.any_card(), self.any_card())]
        return Lay(
            melds=tuple(melds),
            layoffs=tuple(layoffs),
            own=tuple(own),
            kept=pick.choice(kept),
            total=pick.choice([-5, 0, 0, 700, 1495, 1500, 2995, 3000, 4000]),
            step=pick.randint(1, 4),
            reserve=pick.random() < 0.7,
        )

    def black_3s(self):
        size = self.random.choice([3, 3, 4, 5])
        cards = [Card(3, self.random.choice(CARD_SUITS[::3])) for _ in range(size)]
        return (*cards, *[self.wild() for _ in range(self.random.choice([0, 0, 0, 1]))])


def shown(cards):
    return write_cards(cards)


def check_meld(position):
    cards = position.meld()
    ruling = rule_on(ShowMeld(cards), position.variant, Moment())
    judge = position.judge

    assert ruling.is_legal == judge.is_meld(cards), shown(cards)
    if ruling.is_legal:
        assert ruling.bonus == judge.bonus(cards), shown(cards)
        assert ruling.points == judge.count(cards), shown(cards)
    unordered = rule_on(ShowMeld(cards, as_laid=False), position.variant, Moment())
    assert unordered.is_legal == judge.is_meld(cards, as_laid=False), shown(cards)


def check_lay_off(position):
    meld = position.good_meld()
    cards = position.added(meld)
    ruling = rule_on(LayOff(cards, meld, own=True), position.variant, Moment())
    judge = position.judge

    assert ruling.is_legal == judge.joins(cards, meld), (shown(cards), shown(meld))
    if ruling.is_legal:
        assert ruling.bonus == judge.bonus(meld + cards, as_laid=False), (shown(cards), shown(meld))
        assert ruling.points == judge.count(cards)


def check_lay(position):
    lay = position.lay()
    if has_twins(lay):
        return
    offs = tuple(LayOff(cards, onto, own=True, same_turn=True) for cards, onto in lay.layoffs)
    play = LayDown(
        melds=lay.melds,
        layoffs=offs,
        own=lay.own,
        kept=lay.kept,
        total=lay.total,
        reserve=lay.reserve,
        down=bool(lay.own),
    )
    ruling = rule_on(play, position.variant, Moment(lay.step))
    codes = sorted(code.value for code in ruling.broken)

    assert ruling.is_legal == position.judge.allows(lay), (lay, codes)


def has_twins(lay):
    """Whether two melds are of the same cards: then it isn’t said which of them cards go to."""
    there = Counter(tuple(sorted(map(str, meld))) for meld in (*lay.own, *lay.melds))
    return max(there.values(), default=0) > 1


def check_many(check, position, count):
    for _ in range(count):
        check(position)


CHECKS = [check_meld, check_lay_off, check_lay]


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_both_referees_agree_on_random_positions(slug, check):
    position = Positions(slug, 1)

    check_many(check, position, FEW // 3 if slug == "burraco" else FEW)


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_both_referees_agree_on_many_positions(slug, check):
    position = Positions(slug, 2)

    check_many(check, position, examples(MANY[slug]))


@pytest.mark.parametrize(
    ("check", "slug", "rule"),
    [
        (check_meld, "canasta", {"/wild.naturals": 1}),
        (check_meld, "canasta", {"/wild.most": 4}),
        (check_meld, "hand-and-foot", {"/wild.outnumber": True}),
        (check_meld, "hand-and-foot", {"/set.max": 8}),
        (check_meld, "burraco", {"/run.ace": "both"}),
        (check_meld, "burraco", {"/run.max": 13}),
        (check_meld, "burraco", {"/set.without": []}),
        (check_meld, "burraco", {"half-clean": False}),
        (check_lay_off, "burraco", {"/wild.moves": False}),
        (check_lay, "canasta", {"/set.once": False}),
        (check_lay, "canasta", {"/opening.by-total": {"0": 50, "1500": 90}}),
        (check_lay, "canasta", {"/set.last": []}),
        (check_lay, "canasta", {"/out.needs": {}}),
        (check_lay, "burraco", {"/out.wild": True}),
    ],
)
def test_a_referee_of_other_rules_is_caught(check, slug, rule):
    position = Positions(slug, 3)
    position.variant = position.variant.with_options(rule)

    with pytest.raises(AssertionError):
        check_many(check, position, 25 * FEW)
