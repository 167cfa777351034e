"""Mexican Rummy, rule by rule."""

import time

import pytest

from referee.rulings import Code
from tests.referee.plays import lay_down, lay_off, rule, swap
from tests.yardstick import milliseconds

KINGS, SPADES = "KS KH KD", "9S 10S 2S QS"
THEIR_RUN = "4D 5D 2S 7D"


@pytest.mark.timed
def test_melds_without_cards_could_be_anything_and_are_looked_at_in_time():
    """A hundred of them could be sets and runs in more ways than can be gone through."""
    begun = time.process_time()
    ruling = rule(lay_down("8C 8D 8H", *[""] * 100), 2)

    assert time.process_time() - begun < milliseconds(50)
    assert ruling.broken == {Code.NO_CARDS, Code.TOO_MANY_MELDS}


def test_a_meld_grows_from_one_lay_off_to_the_next():
    first, second = lay_off("9C", "5C 6C 7C 8C"), lay_off("10C", "5C 6C 7C 8C")
    play = lay_down("8S 8H 8D", "3D 4D 5D 6D", layoffs=(first, second))

    assert rule(play, 2).is_legal


def test_each_of_two_equal_melds_can_grow():
    run = "5C 6C 7C 8C"
    one, other = lay_off("9C", run), lay_off("9C", run)
    more = lay_off("10C", run)
    play = lay_down("8S 8H 8D", "3D 4D 5D 6D", layoffs=(one, more, other))

    assert rule(play, 2).is_legal


def test_two_melds_cannot_be_alike_if_the_packs_do_not_have_their_cards():
    twice = (lay_off("9C", "5C 6C 7C 8C"),) * 2
    play = lay_down("8S 8H 8D", "7C 8C 9C 10C", layoffs=twice)

    assert rule(play, 2).broken == {Code.DOES_NOT_FIT}


def test_a_player_who_is_down_takes_no_black_two():
    layoffs = (lay_off("2S", "9S 10S JS QS"),)
    play = swap("6D", "2S", THEIR_RUN, down=True, layoffs=layoffs)

    assert rule(play, 2).broken == {Code.SWAP_WHEN_DOWN}
    assert rule(play, 2, swap="when-down-too").is_legal
    assert Code.NO_SWAPS in rule(play, 2, swap="never").broken


def test_only_a_player_who_lays_further_melds_reads_that_they_are_allowed():
    further = lay_down("8C 8D 8H", down=True)
    only_off = lay_down(down=True, layoffs=(lay_off("8C", "4C 5C 6C 7C"),))

    for play, told in [(further, True), (only_off, False)]:
        ruling = rule(play, 2, extra_melds=True)
        assert ruling.is_legal
        assert (Code.EXTRA_MELD in {finding.code for finding in ruling.findings}) is told
