"""Advice where a contract says more of wilds: they may stand in sets, or a run must be pure."""

import time
from collections import Counter
from random import Random

import pytest

from referee.advice import advise
from referee.cards import JOKER, parse_cards, write_cards
from referee.describing import build
from referee.judging import rule_on
from referee.plays import LayDown, Moment
from referee.rulings import Code
from tests import described
from tests.examples import examples
from tests.positions import packs
from tests.referee.every_way import EveryWay
from tests.referee.likely import MEXICAN, TWOS, likely_hand, likely_table
from tests.yardstick import milliseconds

pytestmark = pytest.mark.slow

IN_SETS = {"wild.in": ["set", "run"], "wild.when": "always"}
WILDS_IN_SETS = described.changed("mexican-rummy", IN_SETS)
JOKERS = described.changed(
    "mexican-rummy",
    {**IN_SETS, "pack.jokers": 4, "wild.cards": ["JK"], "wild.natural": "never"},
)


def with_jokers(random, hand):
    """A hand with a few jokers for some of its cards."""
    jokers = random.choice([0, 1, 1, 2, 3])
    return (*(JOKER,) * jokers, *[card for card in hand if card not in TWOS][jokers:])


@pytest.mark.parametrize("game", [WILDS_IN_SETS, JOKERS], ids=["black 2s", "jokers"])
def test_advice_with_wilds_in_sets_equals_every_way_tried(game):
    random, possible = Random(12), 0
    for turn in range(examples(300)):
        house = {"max-wilds": random.choice([1, 2]), "min-naturals": random.choice([1, 2])}
        changed = game.with_options(house if turn % 3 == 0 else {})
        step = random.choice([1, 1, 2, 3, 4, 6])
        hand = likely_hand(random, changed, random.randint(6, 9))
        if game is JOKERS:
            hand = with_jokers(random, hand)
        table = tuple(meld for meld in likely_table(random, changed, step) if TWOS[0] not in meld)
        table = () if game is JOKERS and set(TWOS) & {c for m in table for c in m} else table[:1]
        found = EveryWay(changed, Moment(step)).advised(hand, table)
        assert found.decided, (changed.chosen, step, hand, table)
        possible += found.possible
    assert possible >= examples(20)


PURE = described.changed(
    "mexican-rummy",
    {
        "steps": [
            "1 set of 3 + 1 pure run of 4",
            "1 pure run of 3 + 1 run of 3",
            "1 run of 3 + 1 pure run of 4",
            {"contract": "2 pure runs of 3", "discard": "never"},
        ],
        "wild.when": "always",
    },
)


@pytest.mark.parametrize(
    ("step", "melds", "code"),
    [
        (1, ("8C 8D 8H", "3D 4D 5D 6D"), None),
        (1, ("8C 8D 8H", "3D 4D 2S 6D"), Code.CONTRACT_NOT_MET),
        (1, ("8C 8D 8H", "2S 3S 4S 5S"), None),  # a black 2 in its own place is natural
        (2, ("3D 2S 5D", "9S 10S JS"), None),
        (2, ("3D 2S 5D", "9S 2C JS"), Code.CONTRACT_NOT_MET),
        (3, ("3D 4D 5D 6D", "9S 10S JS"), None),
        (3, ("3D 4D 2S 6D", "9S 10S JS"), Code.CONTRACT_NOT_MET),
        (3, ("3D 4D 2S 6D", "9S 10S JS QS"), None),
    ],
)
def test_a_pure_run_has_no_wild(step, melds, code):
    ruling = rule_on(LayDown(melds=tuple(map(parse_cards, melds))), PURE, Moment(step))

    assert ruling.broken == ({code} if code else set())


def test_a_contract_says_which_runs_are_pure():
    assert PURE.contracts[2].says == "1 run of 3 + 1 pure run of 4"
    assert PURE.contracts[3].title(PURE.speaker) == "2 pure runs of 3"
    assert PURE.contracts[0].needs[1].said(PURE.speaker) == "pure run of 4"


@pytest.mark.parametrize("game", [WILDS_IN_SETS, JOKERS], ids=["black 2s", "jokers"])
def test_misses_with_wilds_in_sets_are_the_cards_with_which_it_is_possible(game):
    random, helped = Random(21), 0
    for turn in range(examples(24, least=6)):
        house = {"max-wilds": random.choice([1, 2]), "min-naturals": random.choice([1, 2])}
        changed = game.with_options(house if turn % 3 == 0 else {})
        step = random.choice([1, 1, 2, 3, 4])
        hand = likely_hand(random, changed, random.randint(6, 9))
        hand = with_jokers(random, hand) if game is JOKERS else hand
        found = advise(changed, Moment(step), hand)
        if not found.possible:
            left = Counter(packs(changed)) - Counter(hand)
            asked = {card: advise(changed, Moment(step), (*hand, card)) for card in left}
            helps = {card for card, advice in asked.items() if advice.possible}
            told = f"{changed.chosen} {step}: {write_cards(hand)}"
            assert found.misses_decided, told
            assert {miss.card for miss in found.misses} == helps, told
            helped += bool(helps)
    assert helped >= examples(4)


def near_hand(random, size):
    """A hand of few ranks of two suits, which makes runs, with a wild or two."""
    low, suits = random.randint(3, 8), random.sample(MEXICAN.pack.suits, 2)
    near = [c for c in MEXICAN.pack.cards * 2 if c.suit in suits and low <= c.rank < low + 5]
    wilds = random.sample(TWOS, random.choice([0, 1, 1, 2]))
    return (*wilds, *random.sample(near, size - len(wilds)))


@pytest.mark.parametrize(
    "options",
    [{}, {"max-wilds": 1}, {"extra-melds": True}, {"duplicates-in-set": False}],
    ids=str,
)
def test_advice_with_pure_runs_equals_every_way_tried(options):
    random, possible = Random(str(options)), 0
    game = PURE.with_options(options)
    for _ in range(examples(160, least=16)):
        step = random.randint(1, len(PURE.contracts))
        hand, table = near_hand(random, random.randint(7, 10)), ()
        if step < len(PURE.contracts):
            table = likely_table(random, game, step)[:1]
        found = EveryWay(game, Moment(step)).advised(hand, table)
        assert found.decided, (step, hand, table)
        possible += found.possible
    assert possible >= examples(15)


def test_a_hand_of_many_wilds_of_many_prices_stops_at_its_budget():
    """The worst game of your own that a random search of half an hour found: it took minutes."""
    spec = described.costly_game()
    spec["wild"]["cards"] = ["9", "3", "A", "7", "6", "10", "5", "2", "K"]
    hand = parse_cards(
        "3S 9D AD 7D 4D 9S 9H 3S 8C 9C 10D QD 3C 5H 5S 8S 6C 5S KH AS AS KH 5H 6S 6S 3C "
        "2S 2H 7S 7H JK JK"
    )
    began = time.process_time()

    advise(build(spec), Moment(1), hand, table=(parse_cards("7D 9D JC"),))

    assert time.process_time() - began < milliseconds(1000)


def test_lay_offs_on_melds_of_many_readings_stop_at_their_budget():
    """A meld of wilds can be read in dozens of ways; fourteen cards onto three once took 3 s."""
    spec = described.costly_game()
    spec["set"] |= {"min": 4}
    spec["run"]["ace"] = "high"
    spec["wild"]["naturals"] = 2
    hand = parse_cards("3D 3H 5S 10C QD 8C 5S QD QS 3D QH JC 8H QD")
    table = [parse_cards(meld) for meld in ("4C 6S KS KS", "JH 9D 7S", "4C 2H KD")]
    began = time.process_time()

    advise(build(spec), Moment(2), hand, table=table)

    assert time.process_time() - began < milliseconds(300)
