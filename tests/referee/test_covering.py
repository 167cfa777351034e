"""Hands where wilds are not free or suits say nothing: every meld as it is read, and no other."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from referee.cards import JOKER, parse_cards, write_cards
from referee.describing import build
from referee.judging import rule_on
from referee.melds import deadwood
from referee.melds.deadwood import arrange, arrange_needing
from referee.melds.grounds import legal_readings
from referee.melds.needs import HandNeeds
from referee.plays import Close, ShowMeld
from referee.protocol.answers import write_arrangement
from referee.rulings import Code
from referee.scorepad import HandRecord
from referee.scorepad.checks import check_round
from tests.examples import examples
from tests.referee.own_games import GAMES, HAND, JOKERS

EVERY = pytest.mark.parametrize("name", GAMES)


@cache
def game(name):
    return build({**HAND, **GAMES[name]})


def hands(name, count):
    """Hands whose cards are near each other, with a wild or two where there are any."""
    rules = game(name).melds_at(None)
    chance = Random(name)
    wilds = [*rules.wilds.cards] or [card for card in parse_cards("JK") if rules.pack.jokers]
    for _ in range(count):
        low = chance.randint(1, 9)
        near = [card for card in rules.pack.cards if low <= card.rank < low + 5]
        near += [card for card in near if card.rank < low + 2]
        some = sorted(wilds, key=str) * 2
        yield tuple(chance.sample([*near, *chance.sample(some, min(3, len(some)))], 7))


def melds_of(cards, rules):
    """What some of the cards are, by their bits: each way a run or none, and pure or not."""
    found = {}
    for some in range(1, 1 << len(cards)):
        held = tuple(card for at, card in enumerate(cards) if some >> at & 1)
        ways = legal_readings(held, rules, as_laid=False)
        if ways:
            runs = [way for way in ways if way.places]
            found[some] = {(True, way.naturals == len(held)) for way in runs} or {(False, False)}
    return found


def divisions(cards, rules, *, runs=0, pure=0):
    """The cards left over by every division into melds that has so many runs, so many pure."""
    melds = melds_of(cards, rules)

    def leave(left, runs, pure):
        if not left:
            yield from [()] * (runs <= 0 and pure <= 0)
            return
        lowest = left & -left
        for some, ways in melds.items():
            if some & lowest and some & left == some:
                for is_run, is_pure in ways:
                    yield from leave(left & ~some, runs - is_run, pure - is_pure)
        card = cards[lowest.bit_length() - 1]
        yield from ((*rest, card) for rest in leave(left & ~lowest, runs, pure))

    return leave((1 << len(cards)) - 1, runs, pure)


@EVERY
def test_no_arrangement_leaves_less(name):
    rules, values = game(name).melds_at(None), game(name).values
    for hand in hands(name, examples(40)):
        left = [values.count(rest, rules.wilds.cards) for rest in divisions(hand, rules)]

        assert arrange(hand, rules, values).points == min(left), write_cards(hand)


@EVERY
def test_a_hand_closes_if_some_division_leaves_nothing(name):
    rules = game(name).melds_at(None)
    for hand in hands(name, examples(40)):
        ruling = rule_on(Close(cards=hand), game(name))

        assert ruling.is_legal is (() in divisions(hand, rules)), write_cards(hand)


@pytest.mark.parametrize(
    "name", ["one joker a meld", "jokers in runs only", "most cards may be wild"]
)
def test_a_hand_has_the_runs_that_it_needs_if_some_division_has_them(name):
    rules, values = game(name).melds_at(None), game(name).values
    for hand in hands(name, examples(40)):
        found = arrange_needing(hand, rules, values, HandNeeds(runs=2, pure=1))
        costs = [
            values.count(rest, rules.wilds.cards) for rest in divisions(hand, rules, runs=2, pure=1)
        ]

        assert (None if found is None else found.points) == min(costs, default=None)


def full_of_wilds(name, size, count):
    """Hands of so many cards, up to half of them wild, the others near each other."""
    rules = game(name).melds_at(None)
    chance = Random(name)
    wilds = sorted(rules.wilds.cards, key=str) * 4 or [JOKER] * rules.pack.jokers
    for _ in range(count):
        low = chance.randint(1, 7)
        near = [card for card in rules.pack.cards if low <= card.rank < low + 7] * 2
        some = chance.randint(0, min(size // 2, len(wilds)))
        yield tuple(chance.sample(wilds, some) + chance.sample(near, size - some))


@EVERY
@pytest.mark.parametrize("size", [14, 20])
def test_the_least_is_found_of_large_hands_full_of_wilds(name, size):
    rules, values = game(name).melds_at(None), game(name).values
    for hand in full_of_wilds(name, size, examples(10)):
        found = arrange(hand, rules, values)

        assert found.decided, write_cards(hand)
        assert Counter(hand) == Counter(found.left) + Counter(
            card for meld in found.melds for card in meld.cards
        )


@EVERY
def test_a_meld_that_is_read_is_listed_or_made_of_such_as_are(name):
    rules, values = game(name).melds_at(None), game(name).values
    for hand in hands(name, examples(5)):
        for some in melds_of(hand, rules):
            cards = tuple(card for at, card in enumerate(hand) if some >> at & 1)

            assert arrange(cards, rules, values).left == (), write_cards(cards)


def test_each_meld_keeps_to_its_one_joker():
    left = arrange(
        parse_cards("9S 9H 4C 5C JK JK KD"),
        game("one joker a meld").melds_at(None),
        game("one joker a meld").values,
    )

    assert left.points == 10


def test_if_suits_are_ignored_a_hand_closes_with_a_run_of_all_suits():
    ruling = rule_on(
        Close(cards=parse_cards("7S 8D 9D 10H KS KH KD")),
        game("suits ignored, round the corner"),
    )

    assert ruling.is_legal


def close(cards, name, **fields):
    return rule_on(Close(cards=parse_cards(cards)), build({**HAND, **GAMES[name], **fields}))


@pytest.fixture
def no_time(monkeypatch):
    """A search that ends before it has weighed anything."""
    monkeypatch.setattr(deadwood, "MOST_WORK", 0)


@pytest.mark.usefixtures("no_time")
def test_a_hand_that_was_not_searched_to_the_end_is_not_said_to_be_no_close():
    ruling = close("9S 9H 9C 4C 5C 6C JK", "one joker a meld")

    assert not ruling.is_legal
    assert ruling.broken == {Code.NOT_DECIDED}


@pytest.mark.usefixtures("no_time")
def test_needs_that_were_not_searched_to_the_end_are_not_said_to_be_missing():
    needs = {"hand": {"needs": {"run": 2, "pure run": 1}}}
    ruling = close("4S 5S 6S 7C 8C 9C JK", "one joker a meld", **needs)

    assert ruling.broken == {Code.NOT_DECIDED}


@pytest.mark.usefixtures("no_time")
def test_a_knock_without_a_complete_search_is_marked():
    knock = {
        "hand": {"knock": 100},
        "score": {**JOKERS["score"], "settle": "own-hand"},
    }
    ruling = close("9S 9H 9C 4C 5C 6C JK", "one joker a meld", **knock)

    assert ruling.is_legal
    assert Code.NOT_DECIDED in {finding.code for finding in ruling.findings}


@pytest.mark.usefixtures("no_time")
def test_a_hand_counted_without_a_complete_search_is_marked():
    hand = parse_cards("9S 9H 9C 4C 5C 6C JK")
    found = arrange(hand, game("one joker a meld").melds_at(None), game("one joker a meld").values)

    assert write_arrangement(found)["decided"] is False


@pytest.mark.usefixtures("no_time")
def test_the_scorepad_only_doubts_a_close_that_was_not_searched_to_the_end():
    shown = HandRecord(out=True, shown=parse_cards("9S 9H 9C 4C 5C 6C JK"))
    problems = check_round(game("one joker a meld"), (1, 1), [shown, HandRecord(left=10)])

    assert [(each.code, each.certain) for each in problems] == [(Code.HAND_DOES_NOT_CLOSE, False)]


def test_a_joker_that_is_not_wild_is_left_over():
    left = arrange(
        parse_cards("AH 4S 4D JK 4C JK JK"),
        game("jokers that are not wild").melds_at(None),
        game("jokers that are not wild").values,
    )

    assert left.points == 61


def test_a_joker_that_is_not_wild_cannot_be_in_a_run_beside_wilds():
    threes = build(
        {
            **HAND,
            **GAMES["jokers that are not wild"],
            "run": {"around": True},
            "wild": {"cards": ["3"]},
        }
    )

    assert not rule_on(ShowMeld(parse_cards("3S JK 3H")), threes).is_legal
