"""Every hand of three and four cards out of the packs, counted against arithmetic.

What perft is to chess: if one hand were read wrongly, the number would be another.
"""

from collections import Counter
from itertools import combinations_with_replacement
from math import comb

import pytest

from referee.cards import Card
from referee.melds.grounds import legal_readings
from referee.rulings import MeldKind
from tests.referee.plays import MEXICAN, PHASES

pytestmark = pytest.mark.slow

# Three of a rank out of two packs: three suits, or one card twice and another. Four of a rank:
# four suits, one card twice and two others, or two cards twice.
SETS_OF_THREE = 13 * (comb(4, 3) + 4 * 3)
SETS_OF_FOUR = 13 * (comb(4, 4) + 4 * comb(3, 2) + comb(4, 2))

# Without wilds: eleven places to begin at, ace low to jack, in four suits.
RUNS_WITHOUT_WILDS = 11 * 4

# With wilds. Places go from 1 to 14. No black 2: all eleven in the red suits, nine in the black
# ones, where the two lowest need the 2. One of two black 2s and three naturals within four places:
# of the 12 + 11 * 2 ways five need the 2. Two black 2s (three kinds of pair) and two naturals: of
# the 13 + 12 + 11 ways four need the 2. Three black 2s (two kinds) and any of the 50 other cards.
# Four: one of them stands in its own place.
RUNS_WITH_WILDS = (11 + 9) * 2 + 2 * (34 + 29) * 2 + 3 * (36 + 32) * 2 + 2 * 50 + 1


def hands(cards, size, copies):
    for hand in combinations_with_replacement(cards, size):
        if size <= copies or max(Counter(hand).values()) <= copies:
            yield hand


def census(variant, step, size, cards, copies):
    rules = variant.melds_at(step)
    found = Counter()
    for hand in hands(cards, size, copies):
        kinds = {reading.kind for reading in legal_readings(hand, rules, as_laid=False)}
        found.update(kinds)
    return found[MeldKind.SET], found[MeldKind.RUN]


@pytest.mark.parametrize("step", [1, 2])
def test_three_cards_of_two_packs(step):
    assert census(MEXICAN, step, 3, MEXICAN.pack.cards, 2) == (SETS_OF_THREE, 0)


@pytest.mark.parametrize(
    ("step", "runs"),
    [pytest.param(1, RUNS_WITHOUT_WILDS, marks=pytest.mark.release), (2, RUNS_WITH_WILDS)],
)
def test_four_cards_of_two_packs(step, runs):
    assert census(MEXICAN, step, 4, MEXICAN.pack.cards, 2) == (SETS_OF_FOUR, runs)


def test_four_cards_if_suits_are_ignored():
    ranks = [Card(rank) for rank in range(1, 14)]

    assert census(PHASES, 1, 3, ranks, 20) == (13, 0)
    assert census(PHASES, 1, 4, ranks, 20) == (13, 11)


def test_a_referee_that_reads_round_the_corner_is_caught():
    broken = PHASES.with_options({"wrap": True})
    ranks = [Card(rank) for rank in range(1, 14)]

    assert census(broken, 1, 4, ranks, 20) != (13, 11)
