"""Every hand of three and four cards where wilds go into sets too, counted against arithmetic."""

from collections import Counter
from itertools import combinations_with_replacement
from math import comb

import pytest

from referee import variants
from referee.cards import JOKER
from referee.melds.grounds import legal_readings
from referee.rulings import MeldKind

pytestmark = pytest.mark.slow
SIZES = pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.release)])

FIVE_HUNDRED = variants.get("rummy-500")
REMIGIO = variants.get("remigio")

# Rummy 500: twelve ranks of four suits; wild are four 2s and two jokers that are alike.
ONE_WILD = 5
TWO_WILDS = comb(5, 2) + 1
THREE_WILDS = comb(4, 3) + comb(4, 2) + 4
FOUR_WILDS = 1 + 4 + comb(4, 2)
# Sets by their wilds: none, one, two, and so on to a set of nothing else.
FIVE_HUNDRED_SETS = {
    3: 12 * (4 + 6 * ONE_WILD + 4 * TWO_WILDS) + THREE_WILDS,
    4: 12 * (1 + 4 * ONE_WILD + 6 * TWO_WILDS + 4 * THREE_WILDS) + FOUR_WILDS,
}
# Runs lie in twelve places, 3 to ace. Two naturals are next to each other (11 ways) or leave one
# place (10) or two (9) between; three follow (10), or leave one place free of four (2 * 9).
FIVE_HUNDRED_RUNS = {
    3: 4 * (10 + (11 + 10) * ONE_WILD + 12 * TWO_WILDS),
    4: 4 * (9 + (10 + 18) * ONE_WILD + (11 + 10 + 9) * TWO_WILDS + 12 * THREE_WILDS),
}

# Remigio: thirteen ranks of four suits, three of each card, jokers all alike. Of a rank there are
# comb(3 + size, size) hands, less four where one card would be there four times.
REMIGIO_SETS = {
    3: 13 * (comb(6, 3) + comb(5, 2) + 4),
    4: 13 * (comb(7, 4) - 4 + comb(6, 3) + comb(5, 2) + 4),
}
# Runs lie in fourteen places: 13, 12 and 11 ways to put two naturals within two, three and four;
# 12 for three that follow, 2 * 11 for three out of four.
REMIGIO_RUNS = {
    3: 4 * (12 + (13 + 12) + 13),
    4: 4 * (11 + (12 + 22) + (13 + 12 + 11) + 13),
}


def census(game, size, copies, jokers):
    rules = game.melds_at(None)
    found = Counter()
    for hand in combinations_with_replacement((*game.pack.cards, JOKER), size):
        often = Counter(hand)
        if often.pop(JOKER, 0) <= jokers and max(often.values(), default=0) <= copies:
            found.update({reading.kind for reading in legal_readings(hand, rules, as_laid=False)})
    return found[MeldKind.SET], found[MeldKind.RUN]


@SIZES
def test_rummy_500(size):
    assert census(FIVE_HUNDRED, size, 1, 2) == (FIVE_HUNDRED_SETS[size], FIVE_HUNDRED_RUNS[size])


@SIZES
def test_remigio(size):
    assert census(REMIGIO, size, 3, 6) == (REMIGIO_SETS[size], REMIGIO_RUNS[size])


def test_a_referee_that_lets_the_ace_be_low_is_caught():
    broken = FIVE_HUNDRED.with_options({"natural-twos": True})

    assert census(broken, 3, 1, 2) != (FIVE_HUNDRED_SETS[3], FIVE_HUNDRED_RUNS[3])
