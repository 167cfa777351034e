"""What a hand needs among its melds, held against every way to put it into melds."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from referee import variants
from referee.cards import JOKER, Card, parse_cards, write_cards
from referee.melds.deadwood import arrange_needing
from referee.melds.grounds import legal_readings
from referee.melds.needs import HandNeeds
from referee.rulings import MeldKind
from tests.described import changed
from tests.examples import examples
from tests.referee.hands import chosen

GAME = variants.get("indian-rummy")
RUNS = HandNeeds(runs=2, pure=1)


def purity(cards, rules):
    """0 for a set, 1 for a run, 2 for a run without a wild; None for no meld. The most it is."""
    runs = [
        1 + (reading.naturals == len(cards)) if reading.kind is MeldKind.RUN else 0
        for reading in legal_readings(cards, rules, as_laid=False)
    ]
    return max(runs, default=None)


def cheapest_of_all(cards, game, runs, pure):
    """Try every division into melds, with so many runs and so many pure ones; and a rest."""
    rules, full = game.melds_at(None), (1 << len(cards)) - 1
    parts = (some for some in range(1, full + 1) if some.bit_count() > 2)
    melds = [(some, purity(chosen(cards, some), rules)) for some in parts]

    @cache
    def least(left, runs, pure):
        costs = [] if runs > 0 or pure > 0 else [(*cost(left), left != 0)]
        for meld, kind in melds:
            if kind is not None and meld & left == meld:
                rest = least(left & ~meld, max(0, runs - (kind > 0)), max(0, pure - (kind > 1)))
                costs += [] if rest is None else [rest]
        return min(costs, default=None)

    def cost(left):
        return (game.values.count(chosen(cards, left), rules.wilds.cards),)

    return least(full, runs, pure)


def hand_of(random, upcard):
    """Deal a hand of near cards, some of them wild by the card turned up, and some jokers."""
    suits = random.sample(GAME.pack.suits, random.randint(1, 3))
    low = random.randint(1, 9)
    top = low + random.randint(3, 6)
    near = [c for c in GAME.pack.cards if c.suit in suits and low <= c.rank < top] * 2
    near += [c for c in GAME.pack.cards if c.suit is suits[0] and c.rank in {1, 2, 12, 13}]
    near += [c for c in GAME.pack.cards if c.rank == upcard.rank][: random.randint(0, 4)]
    jokers = random.choice([0, 0, 1, 2])
    return (
        tuple(random.sample(near, min(len(near), random.randint(6, 8) - jokers)))
        + (JOKER,) * jokers
    )


@pytest.mark.parametrize("options", [{}, {"set": None}], ids=str)
def test_no_arrangement_with_what_is_needed_is_cheaper(options):
    random = Random(str(options))
    met = 0
    for _ in range(examples(150)):
        upcard = Card(random.randint(1, 13), random.choice(GAME.pack.suits))
        game = GAME.with_options(options).dealt(upcard)
        hand, rules, needs = hand_of(random, upcard), game.melds_at(None), game.close.needs
        best = cheapest_of_all(hand, game, needs.runs, needs.pure)
        found = arrange_needing(hand, rules, game.values, needs)
        shown = (str(upcard), write_cards(hand))

        assert (found is None) == (best is None), shown
        if found is None:
            continue
        met += 1
        assert found.decided
        assert (found.points, found.left != ()) == best, shown
        assert needs.are_met(found.melds), shown
        there = Counter(card for meld in found.melds for card in meld.cards)
        assert there + Counter(found.left) == Counter(hand), shown
        assert all(meld in legal_readings(meld.cards, rules) for meld in found.melds), shown
    assert met > examples(20)


def test_a_wild_in_its_own_place_leaves_a_run_pure():
    game = GAME.dealt(Card(5, GAME.pack.suits[0]))
    hand = parse_cards("4D 5D 6D 8H 9H 5C")
    found = arrange_needing(hand, game.melds_at(None), game.values, game.close.needs)

    assert found is not None
    assert found.left == ()


def test_a_wild_goes_to_its_own_place_if_that_leaves_less_in_hand():
    game = GAME.dealt(Card(2, GAME.pack.suits[1]))
    assert game.wilds.cards >= set(parse_cards("2D 2S"))
    hand = parse_cards("AS KS 2D 2D 4D 3S 3D 2S")
    found = arrange_needing(hand, game.melds_at(None), game.values, game.close.needs)

    assert found is not None
    assert (write_cards(found.left), found.points) == ("3S", 3)


def test_no_wild_joins_the_run_that_must_stay_pure():
    game = GAME.dealt(Card(5, GAME.pack.suits[0]))
    hand = parse_cards("7D 8D 9D 8H 9H 10H JK JK")
    found = arrange_needing(hand, game.melds_at(None), game.values, game.close.needs)

    assert found is not None
    assert sorted(len(meld.cards) for meld in found.melds) == [3, 5]


def test_a_hand_without_a_pure_run_is_not_arranged():
    game = GAME.dealt(Card(5, GAME.pack.suits[0]))
    hand = parse_cards("7D 8D JK 8H 9H JK KC KH KD KS")

    assert arrange_needing(hand, game.melds_at(None), game.values, game.close.needs) is None


def test_six_in_a_row_are_two_runs():
    game = GAME.dealt(Card(13, GAME.pack.suits[0]))
    hand = parse_cards("4D 5D 6D 7D 8D 9D")
    found = arrange_needing(hand, game.melds_at(None), game.values, game.close.needs)

    assert found is not None
    assert len(found.melds) == 2


@pytest.mark.parametrize(
    ("hand", "arranged"),
    [
        ("4D 5D 6D 8H 9H 10H QS KS JK", True),
        ("4D 5D 6D 8H 9H JK QS KS JK", False),
        ("4S 5S 6S 8H 9H JK QD KD JK", False),
        ("4D 5D 6D 8H 9H 10H QS QH QD", False),
    ],
)
def test_of_three_runs_two_are_pure_if_the_rulebook_asks_for_that(hand, arranged):
    game = GAME.dealt(Card(2, GAME.pack.suits[0]))
    needs = HandNeeds(runs=3, pure=2)
    found = arrange_needing(parse_cards(hand), game.melds_at(None), game.values, needs)

    assert (found is not None) is arranged


def test_a_wild_in_its_own_place_is_there_once():
    game = GAME.dealt(Card(5, GAME.pack.suits[0]))

    def found(hand):
        return arrange_needing(parse_cards(hand), game.melds_at(None), game.values, RUNS)

    assert found("4D 5D 6D 4D 5D 6D") is not None
    assert found("4D 5D 6D 4D 6D 10C") is None


@pytest.mark.parametrize(
    ("melds", "met"),
    [
        (("4D 5D 6D", "8H 9H JK"), True),
        (("4D 5D 6D", "8H 9H 10H"), True),
        (("4D 5D 6D", "8H 8D 8S"), False),
        (("4D 5D JK", "8H 9H JK"), False),
        (("8H 8D 8S", "9H 9D 9S"), False),
    ],
)
def test_what_a_hand_needs_is_compared_with_its_melds(melds, met):
    rules = GAME.dealt(Card(2, GAME.pack.suits[0])).melds_at(None)
    readings = [legal_readings(parse_cards(meld), rules)[0] for meld in melds]

    assert RUNS.are_met(readings) is met


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("4D 5D 6D 8H 9H JK", ""),
        ("4D 5D 6D 8H 9H JK KS", "KS"),
        ("4D 5D JK 8H 9H JK", None),
    ],
)
def test_a_hand_has_its_runs_even_if_a_meld_can_have_only_one_wild(hand, left):
    game = changed("indian-rummy", {"wild.most": 1}).dealt(Card(2, GAME.pack.suits[0]))
    found = arrange_needing(parse_cards(hand), game.melds_at(None), game.values, RUNS)

    assert (None if found is None else write_cards(found.left)) == left
