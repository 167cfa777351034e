"""Advice says that it is decided only if nothing better can be laid; broken searches are caught."""

from random import Random

import pytest

from referee import variants
from referee.advice import advise, choices, laying
from referee.cards import parse_cards, write_cards
from referee.judging import rule_on
from referee.plays import LayDown, LayOff, Moment
from tests import described
from tests.examples import examples
from tests.positions import deal
from tests.referee.every_way import EveryWay

MEXICAN = variants.get("mexican-rummy")
SHANGHAI = variants.get("shanghai-rummy")
TWO_RUNS = described.changed("kalooki-jamaican", {"steps": ["2 runs of 4", "2 sets of 3"]})


def near_hand(random, game, size):
    """A hand of a few ranks of 2 suits, with a wild or 2."""
    low, suits = random.randint(3, 8), random.sample(game.pack.suits, 2)
    near = [c for c in game.pack.cards * 2 if c.suit in suits and low <= c.rank < low + 5]
    wilds = random.choices(sorted(game.wilds.cards, key=str), k=random.choice([0, 1, 1, 2]))
    return (*wilds, *random.sample(near, size - len(wilds)))


def wrong(game, steps, number, *, seed=1):
    """The decided answers that every way tried says are wrong, and how many could be laid."""
    random, possible, found_wrong = Random(seed), 0, []
    ways = {step: EveryWay(game, Moment(step)) for step in steps}
    for _ in range(number):
        step = random.choice(steps)
        hand = near_hand(random, game, random.randint(7, 9))
        found = advise(game, Moment(step), hand)
        least = ways[step].least(hand)
        possible += found.possible
        if found.decided and (found.points if found.possible else None) != least:
            found_wrong.append(f"{step}: {write_cards(hand)}: {found.points}, not {least}")
    return found_wrong, possible


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "steps"),
    [(SHANGHAI, (1, 2)), (TWO_RUNS, (1, 2)), (MEXICAN, (2, 3))],
    ids=["jokers may not outnumber", "runs of different suits", "wilds in their own place"],
)
def test_no_decided_answer_is_beaten_by_any_way_tried(game, steps):
    found_wrong, possible = wrong(game, steps, examples(80, least=40))

    assert found_wrong == []
    assert possible >= examples(10, least=5)


def test_a_search_whose_bound_is_too_low_is_caught(monkeypatch):
    hand = parse_cards("10S JS QS KS KH KD")
    best = advise(variants.get("rummy-500"), Moment(), hand).points
    monkeypatch.setattr(choices.Choices, "_most", lambda _self, _same: 0)
    found = advise(variants.get("rummy-500"), Moment(), hand)

    assert found.decided
    assert found.points < best == 60


def test_a_search_that_overlooks_runs_is_caught(monkeypatch):
    monkeypatch.setattr(choices.SortedHand, "_runs", lambda _self, _least: iter(()))

    assert wrong(TWO_RUNS, (1,), 60)[0]


def split_runs():
    """9D 10D 2S QD and 4D-7D may be laid, and 8D put to either: advice doesn't look for that."""
    house = MEXICAN.with_options({"split-runs": False, "max-wilds": 2})
    hand = parse_cards("8D 9D 10D 2S 4D 5D 6D 7D QD")
    melds = tuple(map(parse_cards, ("9D 10D 2S QD", "4D 5D 6D 7D")))
    layoff = LayOff(parse_cards("8D"), melds[1], same_turn=True)
    return house, hand, LayDown(melds=melds, layoffs=(layoff,), kept=(), hand=hand)


def test_two_runs_that_a_lay_off_could_bring_together_leave_it_undecided():
    house, hand, play = split_runs()

    assert rule_on(play, house, Moment(3)).is_legal
    assert not advise(house, Moment(3), hand).decided
    assert advise(house, Moment(3), hand[1:]).decided


def test_a_search_that_forgets_runs_which_meet_is_caught(monkeypatch):
    monkeypatch.setattr(laying, "_could_meet", lambda _search, _laid: False)
    house, hand, _ = split_runs()
    found = advise(house, Moment(3), hand)

    # It says that nothing is better than to keep 8D, which the play above doesn't keep.
    assert (found.decided, write_cards(found.kept)) == (True, "8D")


@pytest.mark.parametrize(
    ("slug", "size"), [("500-rum", 13), ("shanghai-rummy", 20), ("kalooki-jamaican", 20)]
)
def test_every_hand_is_advised_on_and_what_is_advised_is_legal(slug, size):
    game, possible = variants.get(slug), 0
    for held in deal(game, size, 40, wilds=range(3)):
        found = held.ask(game)
        assert found.decided
        possible += found.possible
        if found.possible:
            melds = tuple(meld.cards for meld in found.melds)
            play = LayDown(melds=melds, layoffs=found.layoffs, kept=found.kept, hand=held.hand)
            assert rule_on(play, game, held.moment).is_legal
    assert possible


def test_500_rum_advises_on_the_discard_pile():
    game = variants.get("500-rum")
    taken = advise(game, Moment(), parse_cards("7C 7H KD"), pile=parse_cards("4D 7D 9S")).pickup

    assert (write_cards(taken.cards), write_cards(taken.kept)) == ("7D 9S", "KD 9S")
    assert taken.decided


def test_jokers_never_outnumber_the_natural_cards_that_shanghai_advises_on():
    found = advise(SHANGHAI, Moment(1), parse_cards("8C 8H JK 9C JK JK 4D"))
    more = advise(SHANGHAI, Moment(1), parse_cards("8C 8H JK 9C 9D JK 4D"))

    assert (found.possible, found.decided) == (False, True)
    assert (more.possible, write_cards(more.kept)) == (True, "4D")


def test_jamaican_kalooki_advises_on_runs_of_different_suits_only():
    step, same = 3, "4C 4H 4D 5H 6H 7H 8H 10H JH QH KH"
    other = same.replace("10H JH QH KH", "10S JS QS KS")

    assert not advise(variants.get("kalooki-jamaican"), Moment(step), parse_cards(same)).possible
    assert advise(variants.get("kalooki-jamaican"), Moment(step), parse_cards(other)).kept == ()
