"""Advice on the discard pile: as good as the best of all depths, and always legal."""

import json
import time
from random import Random

import pytest

from referee.advice import advise
from referee.cards import JOKER, parse_cards, write_cards
from referee.judging import rule_on
from referee.plays import Moment, PickUp
from referee.protocol import answer_line
from tests.examples import examples, in_turn
from tests.referee.every_lay import GAME, OPTIONS, best_of_all, dealt
from tests.yardstick import milliseconds


def best_depth(game, hand, pile, table, own, *, first):
    """Try every depth; None where nothing may be taken."""
    wild = game.wilds.cards
    found = []
    for number in range(1, len(pile) + 1):
        held = hand + pile[-number:]
        free = number == 1 and game.pile.top_can_be_kept
        must = None if free else pile[-number]
        found.append(best_of_all(game, held, table, own, first, must=must))
        if free:
            found.append(-game.values.count(held, wild))
    return max((one for one in found if one is not None), default=None)


def put_to_the_referee(game, hand, pile, found, *, own, first):
    """Check that what is advised is legal, uses each card once, and gains what it says."""
    play = PickUp(
        pile=pile,
        take=found.take,
        melds=tuple(meld.cards for meld in found.melds),
        layoffs=found.layoffs,
        first=first,
    )
    ruling = rule_on(play, game)
    assert ruling.is_legal, (write_cards(hand), write_cards(pile), play, ruling.findings)
    assert found.cards == pile[len(pile) - len(found.cards) :]
    assert found.take is found.cards[0]
    laid = [card for meld in found.melds for card in meld.cards]
    laid += [card for layoff in found.layoffs for card in layoff.cards]
    assert sorted(map(str, (*laid, *found.kept))) == sorted(map(str, hand + found.cards))
    assert all(layoff.own is (layoff.onto in own) for layoff in found.layoffs)
    assert found.points == ruling.points - game.values.count(found.kept, game.wilds.cards)


@pytest.mark.slow
@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_pick_up_equals_brute_force(options, free):
    assert compare(
        GAME.with_options(options | {"top-discard-free": free}), examples(40, least=10)
    ) > examples(8)


def compare(game, number_of_hands):
    """Compare advice with brute force; answers how often something is best taken."""
    random = Random(str(game.chosen))
    taken = 0
    for _ in range(number_of_hands):
        cards, table = dealt(random, game, random.randint(4, 6))
        cards = random.sample(cards, len(cards))
        own = tuple(meld for meld in table if random.random() < 0.5)
        first = random.random() < 0.6
        number = random.randint(1, 3)
        hand, pile = tuple(cards[number:]), tuple(cards[:number])

        found = advise(game, Moment(), hand, table=table, own=own, first=first, pile=pile)

        best = best_depth(game, hand, pile, table, own, first=first)
        case = (write_cards(hand), write_cards(pile), [*map(write_cards, table)], own, first)
        assert (found.pickup and found.pickup.points) == best, case
        if found.pickup:
            taken += 1
            alone = found.points if found.possible else -found.points
            assert found.pickup.decided
            assert found.pickup.gain == found.pickup.points - alone
            put_to_the_referee(game, hand, pile, found.pickup, own=own, first=first)
    return taken


def ask(variant="rummy-500", **fields):
    question = {"id": 1, "variant": variant, "ask": "advise"} | fields
    return answer_line(json.dumps(question))


def test_the_smaller_of_two_equal_pick_ups_is_advised():
    taken = ask(hand="7C 7H", pile="7D 5S 7S")["pickup"]

    assert (taken["take"], taken["points"], taken["kept"]) == ("7S", 15, "")


def test_a_joker_below_another_is_named_by_what_is_taken():
    hand, pile = parse_cards("7C 8C KD"), (JOKER, *parse_cards("QH 3S"), JOKER)

    found = advise(GAME, Moment(), hand, pile=pile).pickup

    assert found.take is JOKER
    assert found.cards == (JOKER,)
    put_to_the_referee(GAME, hand, pile, found, own=(), first=True)


def test_a_game_without_a_pile_to_take_says_nothing_of_it():
    assert "pickup" not in ask("remigio", hand="7C 7H 7D", pile="4D")
    assert "pickup" not in ask(hand="7C 7H 7D")


def test_the_cards_of_the_pile_are_in_play():
    assert ask(hand="7C", pile="7C")["error"]["code"] == "too-many-cards"


def test_an_empty_pile_offers_nothing():
    assert ask(hand="7C", pile="")["pickup"] is None


@pytest.mark.timed
@pytest.mark.parametrize("sizes", in_turn([(25, 25), (12, 25), (12, 30)], quick=0), ids=str)
def test_a_hand_and_a_pile_together_are_bounded(sizes):
    held, piled = sizes
    pack = [*GAME.pack.cards, JOKER, JOKER]
    Random(5).shuffle(pack)
    hand, pile = tuple(pack[:held]), tuple(pack[held : held + piled])
    begun = time.process_time()

    found = advise(GAME, Moment(), hand, pile=pile).pickup

    # The hand is advised on by itself, too.
    assert time.process_time() - begun < milliseconds(250)
    put_to_the_referee(GAME, hand, pile, found, own=(), first=True)
