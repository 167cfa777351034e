"""Advice where there are flushes: no dearer than every way tried, and quick for whole hands."""

from random import Random

from referee import variants
from referee.advice import advise
from referee.cards import JOKER, Card
from referee.melds.grounds import legal_readings
from referee.plays import Moment
from tests.examples import examples
from tests.referee.every_way import EveryWay

TEN = variants.get("phase-10")
OWN = TEN.with_options(
    {
        "phases": (
            "1 flush of 4",
            "2 sets of 2",
            "1 set of 2 + 1 run of 4",
            "1 flush of 3 + 1 set of 2",
            "1 run of 5",
            "2 flushes of 3",
        )
    }
)
SKIP = OWN.pack.specials[0][0]


def likely_hand(random):
    """A hand mostly of two colors, now and then with a wild or a skip."""
    suits = random.sample(OWN.pack.suits, 2)
    pool = [card for card in OWN.pack.cards if card.suit in suits or random.random() < 0.3]
    last = random.choice([JOKER, SKIP, pool[0]])
    return (*random.sample(pool * 2, random.randint(4, 7)), last)


def likely_table(random, step):
    """Up to two melds: flushes, runs of any colors, sets."""
    table = []
    for _ in range(random.choice([0, 0, 1, 2])):
        low, suit = random.randint(1, 7), random.choice(OWN.pack.suits)
        cards = [Card(low + at, random.choice(OWN.pack.suits)) for at in range(4)]
        kind = random.random()
        if kind < 0.4:
            cards = [Card(rank, suit) for rank in random.sample(range(1, 13), 4)]
        elif kind < 0.6:
            cards = [Card(low, suit)] * 2 + [Card(low, OWN.pack.suits[0])]
        if legal_readings(tuple(cards), OWN.melds_at(step)):
            table.append(tuple(cards))
    return tuple(table)


def test_advice_with_flushes_equals_every_way_tried():
    random, possible = Random(1), 0
    ways = {step: EveryWay(OWN, Moment(step)) for step in range(1, 7)}
    for _ in range(examples(200)):
        step = random.randint(1, 6)
        hand, table = likely_hand(random), likely_table(random, step)
        found = ways[step].advised(hand, table, down=random.random() < 0.3)
        assert found.decided, (step, hand, table)
        possible += found.possible

    assert possible > examples(50)


def test_a_skip_is_kept_and_costs_what_it_costs():
    hand = TEN.pack.parse("G1 G3 G4 G7 G9 G10 G12 SK")

    found = advise(TEN, Moment(8), hand)

    assert found.possible
    assert found.kept == (SKIP,)
    assert found.points == 15
