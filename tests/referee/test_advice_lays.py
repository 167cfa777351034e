"""Advice on laying down freely: as good as the best of all plays, and always legal."""

import json
import time
from dataclasses import replace
from random import Random

import pytest

from referee.advice import advise, laying
from referee.cards import parse_cards, write_cards
from referee.plays import Moment
from referee.protocol import answer_line
from tests.examples import examples, in_turn
from tests.referee.every_lay import GAME, OPTIONS, best_of_all, dealt, put_to_the_referee
from tests.yardstick import milliseconds


def check(game, random, size):
    hand, table = dealt(random, game, size)
    own = tuple(meld for meld in table if random.random() < 0.5)
    first = random.random() < 0.6
    found = advise(game, Moment(), hand, table=table, own=own, first=first)
    best = best_of_all(game, hand, table, own, first)
    case = (write_cards(hand), [*map(write_cards, table)], [*map(write_cards, own)], first)
    assert found.decided
    assert (found.points if found.possible else None) == best, (case, found)
    if found.possible:
        put_to_the_referee(game, hand, found, own=own, first=first)
    else:
        assert found.points == game.values.count(hand, game.wilds.cards)
    return found.possible


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_advice_equals_brute_force(options):
    game = GAME.with_options(options)
    random = Random(str(options))
    possible = sum(
        check(game, random, random.choice([3, 3, 4, 4, 5, 6])) for _ in range(examples(290))
    )
    assert examples(80) < possible < examples(270)


@pytest.mark.parametrize("naturals", [1, 3, 4])
def test_a_first_lay_of_other_numbers_of_naturals_equals_brute_force(naturals):
    game = replace(GAME, way=replace(GAME.way, first_naturals=naturals))
    random = Random(naturals)
    assert sum(check(game, random, random.choice([4, 5, 6])) for _ in range(examples(80))) > 0


@pytest.mark.parametrize("options", in_turn(OPTIONS, quick=0), ids=str)
def test_advice_on_larger_hands_equals_brute_force(options):
    game = GAME.with_options(options)
    random = Random(f"larger {options}")
    assert sum(check(game, random, random.randint(7, 9)) for _ in range(30)) > 10


def ask(**fields):
    return answer_line(json.dumps({"id": 1, "variant": "rummy-500", "ask": "advise"} | fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"own": ["4S 5S 6S"]},
        {"own": "4S 5S 6S", "table": ["4S 5S 6S"]},
        {"aim": "points"},
        {"first": 1},
    ],
    ids=str,
)
def test_what_cannot_be_so_is_a_bad_field(fields):
    assert ask(hand="7S", **fields)["error"]["code"] == "bad-field"


def test_the_cards_of_the_table_are_in_play():
    assert ask(hand="7S", table=["7S 8S 9S"])["error"]["code"] == "too-many-cards"


@pytest.mark.timed
@pytest.mark.parametrize("options", [{}, {"natural-twos": True, "set-max": None}], ids=str)
@pytest.mark.parametrize("size", in_turn([54, 25, 40], quick=0))
def test_a_hand_with_all_the_wilds_is_bounded(size, options):
    game = GAME.with_options(options)
    pack = [card for card in game.pack.cards if card.rank != 2]
    Random(size).shuffle(pack)
    hand = (*parse_cards("2S 2H 2D 2C JK JK"), *pack[: size - 6])
    begun = time.process_time()

    found = advise(game, Moment(), hand)

    assert time.process_time() - begun < milliseconds(150)
    assert found.possible
    put_to_the_referee(game, hand, found, own=(), first=True)


@pytest.mark.slow
def test_the_whole_pack_is_laid():
    found = advise(GAME, Moment(), (*GAME.pack.cards, *parse_cards("JK JK")))

    assert found.possible
    assert not found.kept


def test_if_too_much_is_to_be_looked_at_the_best_so_far_is_legal(monkeypatch):
    hand = tuple(Random(27).sample(GAME.pack.cards, 25))
    whole = advise(GAME, Moment(), hand)

    monkeypatch.setattr(laying, "MOST_WORK", 6_000)
    cut = advise(GAME, Moment(), hand)

    assert whole.decided
    assert not cut.decided
    assert cut.possible
    assert cut.points <= whole.points
    put_to_the_referee(GAME, hand, cut, own=(), first=True)


def test_if_nothing_is_found_in_time_it_is_not_called_impossible(monkeypatch):
    monkeypatch.setattr(laying, "MOST_WORK", 0)

    found = advise(GAME, Moment(), parse_cards("7C 7H 7D"))

    assert not found.possible
    assert not found.decided
