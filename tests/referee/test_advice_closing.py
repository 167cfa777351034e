"""Advice on hands that close: as cheap as any arrangement, and the discard that pays most."""

from collections import Counter
from random import Random
from time import process_time

import pytest

from referee import variants
from referee.advice import advise
from referee.cards import JOKER, parse_cards, write_cards
from referee.judging import rule_on
from referee.plays import Close, Moment, ShowMeld
from referee.turns.closing import least_deadwood
from tests.examples import examples
from tests.referee.hands import cheapest_of_all, crowded, hand_of
from tests.yardstick import milliseconds

GAME = variants.get("remigio")
OPTIONS = [
    {},
    {"wrap": True},
    {"announce": "strict"},
    {"min-naturals": 2},
    {"min-naturals": 0, "colour-protects-losers": False},
    {"multipliers": {"closed": 8, "colour": 2}},
]


def closing_hand(random, size):
    """Deal a hand that may well close: runs and sets with a card or two of no use."""
    suit, other = random.sample(GAME.pack.suits, 2)
    low = random.randint(1, 9)
    near = [c for c in GAME.pack.cards if c.suit is suit and low <= c.rank < low + 5]
    near += [c for c in GAME.pack.cards if c.rank == low or (c.suit is other and c.rank > 9)]
    jokers = random.choice([0, 1, 2, 4, 6])
    return tuple(random.sample(near * 3, size - jokers)) + (JOKER,) * jokers


def best_close(game, hand):
    """Give the most that a hand pays, with every card thrown away in turn; None where none."""
    thrown = list(dict.fromkeys(hand)) if len(hand) == 11 else [None]
    paid = []
    for discard in thrown:
        shown = list(hand)
        if discard is not None:
            shown.remove(discard)
        for says in ("closed", "colour", "straight-colour", "remigio"):
            ruling = rule_on(Close(cards=tuple(shown), discard=discard, says=says), game)
            if ruling.is_legal:
                paid.append(ruling.multiplier)
    return max(paid, default=None)


def assert_cheapest(found, hand, game):
    """Say that no arrangement and no discard leave less; all melds are legal."""
    if found.discard is None:
        assert found.points == left_of(hand, game), write_cards(hand)
    else:
        assert found.discard in found.kept
        thrown = game.values.points(found.discard, game.wilds.cards)
        assert found.points - thrown == left_after_any_discard(hand, game), write_cards(hand)
    for meld in found.melds:
        assert rule_on(ShowMeld(meld.cards), game).is_legal, write_cards(hand)


def left_of(hand, game):
    return least_deadwood(hand, game.close, game.melds_at(None), game.values, 10).points


def left_after_any_discard(hand, game):
    """Give the least deadwood that is left when a card is thrown away, whichever it is."""
    some = [hand[:at] + hand[at + 1 :] for at in range(len(hand))]
    return min(left_of(cards, game) for cards in some)


def shown_by(found, hand):
    return tuple((Counter(hand) - Counter(found.kept)).elements())


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("size", [9, 10, 11])
def test_the_close_that_pays_most_is_advised(size, options):
    game = GAME.with_options(options)
    random = Random(f"{size} {options}")
    closed = 0
    for _ in range(examples(60, least=15)):
        hand = closing_hand(random, size)
        found = advise(game, Moment(), hand)
        best = best_close(game, hand)
        assert found.possible is (best is not None), write_cards(hand)
        assert found.decided
        assert (found.discard is not None) is (size == 11)
        assert found.points == game.values.count(found.kept, game.wilds.cards)
        if found.possible:
            closed += 1
            shown = shown_by(found, hand)
            play = Close(cards=shown, discard=found.discard, says=found.closes_as)
            ruling = rule_on(play, game)
            assert ruling.is_legal, write_cards(hand)
            assert ruling.multiplier == found.multiplier == best
            assert ruling.closes_as == found.closes_as
            assert found.kept == (() if size == 10 else (found.discard,))
            assert size > 9
        else:
            assert_cheapest(found, hand, game)
    assert closed > examples(3) or size == 9


@pytest.mark.parametrize("options", [{}, {"wrap": True}], ids=str)
@pytest.mark.parametrize("size", [6, 8])
def test_no_arrangement_is_cheaper(size, options):
    game = GAME.with_options(options)
    random = Random(f"{size} {options}")
    for _ in range(examples(130 if size == 6 else 30)):
        hand = hand_of(random, size)
        found = advise(game, Moment(), hand)
        assert not found.possible
        assert found.points == cheapest_of_all(hand, game), write_cards(hand)
        there = Counter(card for meld in found.melds for card in meld.cards)
        assert there + Counter(found.kept) == Counter(hand)


def test_the_discard_is_part_of_the_minimum():
    # The queens and A 2 3 of hearts leave 16 with the king, and 6 without it. All eleven cards
    # leave 14 at least, with three queens and Q K A of hearts, but 8 whatever is thrown away.
    hand = parse_cards("KH AC QH QH 3S AH QC 2H QS 2S 3H")

    found = advise(GAME, Moment(), hand)

    assert (str(found.discard), found.points) == ("KH", 16)
    assert left_of(hand, GAME) < found.points


@pytest.mark.parametrize("options", [{}, {"wrap": True}, {"min-naturals": 2}], ids=str)
def test_no_discard_from_eleven_cards_leaves_less(options):
    game, random = GAME.with_options(options), Random(f"discards {options}")
    for _ in range(examples(150)):
        hand = closing_hand(random, 11) if random.random() < 0.5 else hand_of(random, 11)
        found = advise(game, Moment(), hand)
        if not found.possible:
            assert_cheapest(found, hand, game)


@pytest.mark.timed
@pytest.mark.parametrize("size", [20, 40, 60])
def test_advice_on_more_cards_than_a_hand_has_is_bounded_and_claims_nothing(size):
    random = Random(size)
    limit = milliseconds(150)
    for turn in range(8):
        hand = crowded(random, size, turn % 7)
        taken = []
        for _ in range(2):
            started = process_time()
            found = advise(GAME, Moment(), hand)
            taken.append(process_time() - started)
        assert min(taken) < limit, write_cards(hand)
        assert not found.possible
        assert found.decided or found.points
        there = Counter(card for meld in found.melds for card in meld.cards)
        assert there + Counter(found.kept) == Counter(hand)
