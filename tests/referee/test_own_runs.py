"""Games of a table's own whose runs are of any suits, held against runs counted plainly."""

from itertools import pairwise
from random import Random

import pytest

from referee.cards import write_cards
from referee.describing import Refused, build
from referee.judging import rule_on
from referee.plays import LayOff, Moment, ShowMeld
from tests.examples import examples
from tests.referee.own_games import RULES

GAME = build(RULES)


def follow(cards):
    """Whether cards are three or more that follow one another, the ace at either end."""
    for ace in (1, 14):
        places = sorted(ace if card.rank == 1 else card.rank for card in cards)
        if len(places) > 2 and all(high - low == 1 for low, high in pairwise(places)):
            return True
    return False


def alike(cards):
    """Whether cards are three or more of one rank, each of another suit."""
    ranks, suits = ({card.rank for card in cards}, {card.suit for card in cards})
    return len(cards) > 2 and len(ranks) == 1 and len(suits) == len(cards)


def some(chance, size):
    low = chance.randint(0, 10)
    near = [card for card in GAME.pack.cards if low <= card.rank % 13 < low + 5]
    return tuple(chance.sample(near, size))


def test_what_follows_is_a_run_whatever_its_suits():
    chance = Random(1)
    seen = set()
    for _ in range(examples(1500, least=150)):
        cards = some(chance, chance.choice((2, 3, 3, 3, 4)))
        is_meld = follow(cards) or alike(cards)
        seen.add((is_meld, len({card.suit for card in cards}) > 1))

        assert rule_on(ShowMeld(cards), GAME, Moment()).is_legal is is_meld, write_cards(cards)
    assert len(seen) == 4


def test_a_card_of_any_suit_goes_on_with_a_run():
    chance = Random(2)
    seen = set()
    for _ in range(examples(2000)):
        *meld, card = some(chance, 4)
        if not (follow(meld) or alike(meld)):
            continue
        meld.sort(key=lambda one: one.rank)
        joins = follow([*meld, card]) or alike([*meld, card])
        seen.add(joins)

        ruling = rule_on(LayOff(cards=(card,), onto=tuple(meld), own=True), GAME, Moment())
        assert ruling.is_legal is joins, (write_cards(meld), write_cards((card,)))
    assert seen == {True, False}


@pytest.mark.parametrize("more", [{"rearrange": {}}, {"opening": {"points": 30}}])
def test_if_a_table_is_rearranged_or_opened_runs_are_of_one_suit(more):
    with pytest.raises(Refused) as refused:
        build({**RULES, **more})
    assert {each.path for each in refused.value.complaints} == {"run.one-suit"}
