"""Advice for the games with contracts: legal always, and never dearer than brute force."""

from collections import Counter
from random import Random

import pytest

from referee import ForTheTableError, variants
from referee.advice import advise
from referee.cards import Notation, parse_cards, write_cards
from referee.judging import MomentError, rule_on
from referee.plays import LayDown, LayOff, Moment
from tests.examples import examples
from tests.referee.plays import MEXICAN, PHASES


def likely_hand(random, variant, size, *, runs=False):
    """A hand with a good chance of a contract: a few ranks, or a few suits, of the packs."""
    if runs:
        low, suits = random.randint(3, 8), variant.pack.suits[1:3]
        pack = [card for card in variant.pack.cards * 2 if card.suit in suits]
        pack = [card for card in pack if low <= card.rank < low + 6 or card.rank == 2]
        pack += sorted(variant.wilds.cards, key=str) * 2
    else:
        ranks = [*random.sample(range(1, 14), 5), 2, 3]
        pack = [card for card in variant.pack.cards * 2 if card.rank in ranks]
    return tuple(random.sample(pack, size))


def test_everything_advised_is_legal_and_uses_the_hand_once():
    random = Random(7)
    table = (parse_cards("KS KH KD"), parse_cards("5H 6H 7H 8H"))
    for step in range(1, 7):
        for _ in range(examples(15)):
            hand = likely_hand(random, MEXICAN, 11)
            found = advise(MEXICAN, Moment(step), hand, table=table)
            melds = tuple(meld.cards for meld in found.melds)
            used = Counter(card for cards in melds for card in cards)
            used.update(card for layoff in found.layoffs for card in layoff.cards)
            assert used + Counter(found.kept) == Counter(hand)
            if found.possible:
                play = LayDown(melds=melds, kept=found.kept, layoffs=found.layoffs, hand=hand)
                assert rule_on(play, MEXICAN, Moment(step)).is_legal


def test_a_player_who_is_down_only_lays_off():
    hand = parse_cards("9H 10H KC 4D")
    table = (parse_cards("KS KH KD"), parse_cards("5H 6H 7H 8H"))

    found = advise(MEXICAN, Moment(2), hand, table=table, down=True)

    assert found.possible
    assert write_cards(found.kept) == "4D"
    assert all(isinstance(layoff, LayOff) for layoff in found.layoffs)


def test_nothing_to_lay_off_is_not_a_play():
    assert not advise(MEXICAN, Moment(2), parse_cards("4D"), table=(), down=True).possible


def test_suits_that_were_named_come_back():
    hand = parse_cards("5H 5D 5C 7S 7 7 K", Notation.RANKS)

    found = advise(PHASES, Moment(1), hand)

    assert Counter(card for m in found.melds for card in m.cards) == Counter(hand[:-1])


def test_without_a_round_there_is_no_contract_to_advise_on():
    with pytest.raises(MomentError):
        advise(MEXICAN, Moment(), parse_cards("4D"))


def test_no_advice_on_a_hand_with_a_card_that_is_for_the_table():
    game = variants.get("okey")
    moment = Moment(None, *game.pack.parse("O4"))

    assert advise(game, moment, game.pack.parse("R7 B7 K7")).possible is False
    with pytest.raises(ForTheTableError):
        advise(game, moment, game.pack.parse("R7 B7 FJ"))
