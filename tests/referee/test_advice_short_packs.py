"""Advice in packs with other than thirteen ranks: no better than every way tried, and no worse."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from referee.advice import NoAdviceError, advise, no_advice
from referee.advice.tables import best_turn
from referee.cards import JOKER, write_cards
from referee.describing import build
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.plays import LayDown, Moment
from tests import described
from tests.examples import examples
from tests.referee.every_lay import best_of_all, put_to_the_referee, table_of
from tests.referee.every_turn import check_exact
from tests.referee.every_way import EveryWay
from tests.referee.short_packs import (
    EVERY_WAY,
    PACKS,
    WILD,
    divisions,
    hand,
    near,
)
from tests.referee.short_packs import described as short

pytestmark = pytest.mark.slow

STEPS = [
    "1 set of 3 + 1 run of 3",
    "2 runs of 3",
    "1 run of 5",
    {"contract": "1 run of 4", "discard": "never", "deal": 6},
]


@cache
def contracts(pack, way, **rule):
    sections = {"contract": rule, "layoff": {}, "wild": WILD, "end": {}, "steps": STEPS}
    return build(short(pack, way, **sections))


def lying(chance, game, step):
    """Up to two melds on the table."""
    table = []
    for _ in range(chance.choice([0, 1, 2])):
        for _ in range(20):
            cards = near(chance, game, chance.choice([3, 3, 4]))
            readings = legal_readings(cards, game.melds_at(step), as_laid=False)
            if readings:
                table.append(chance.choice(readings).arranged.cards)
                break
    return tuple(table)


@pytest.mark.parametrize("rule", [{}, {"extra-melds": True}, {"split-runs": False}], ids=str)
@pytest.mark.parametrize("pack", ["Spanish 40", "eight to ace", "three to king", "ace to five"])
@EVERY_WAY
def test_under_a_contract_no_way_leaves_less(pack, way, rule):
    game, chance = contracts(pack, way, **rule), Random(f"{pack} {way} {rule}")
    assert no_advice(game) == ""
    ways = {step: EveryWay(game, Moment(step)) for step in range(1, len(STEPS) + 1)}
    for _ in range(examples(40)):
        step = chance.choice([*ways])
        cards, table = near(chance, game, 6), lying(chance, game, step)
        ways[step].advised(cards, table, down=chance.random() < 0.3)


@pytest.mark.parametrize("pack", ["Spanish 40", "eight to ace", "numbered to 12"])
@EVERY_WAY
def test_a_hand_is_shown_and_discarded_from_so_that_least_is_left(pack, way):
    game, chance = hand(pack, way), Random(f"{pack} {way}")
    for _ in range(examples(30)):
        cards = near(chance, game, 8)
        found = advise(game, Moment(), cards)
        without = [cards[:at] + cards[at + 1 :] for at in range(len(cards))]
        least = min(
            game.values.count(rest, game.wilds.cards)
            for some in (without if len(cards) == 8 else [cards])
            for rest in divisions(some, pack, way)
        )
        thrown = () if found.discard is None else (found.discard,)
        assert found.decided
        assert found.points - game.values.count(thrown, game.wilds.cards) == least


def scored(pack, way, **rest):
    """Melds that score, out of one pack, with the discard pile to take from."""
    cards, costs = PACKS[pack]
    sections = {
        "pack": {**cards, "copies": 1},
        "score": {"hand": costs, "table": costs, "settle": "table-less-hand"},
        "end": {"total": 500, "leads": "highest"},
        "set": {"suits": "different", "max": 4},
        "free": {},
        "layoff": {},
        "wild": WILD,
        **rest,
    }
    return build(short(pack, way, **sections))


@EVERY_WAY
@pytest.mark.parametrize(
    "pack", ["Spanish 40", "eight to ace", "three to king", "tiles without 4 and 9"]
)
def test_no_other_play_gains_more_than_the_advised_one(pack, way):
    game, chance = scored(pack, way), Random(f"{pack} {way} laid")
    assert no_advice(game) == ""
    for _ in range(examples(60)):
        cards = tuple(dict.fromkeys(near(chance, game, 6)))
        rest = [card for card in game.pack.cards if card not in cards]
        table = table_of(chance, game, rest) if chance.random() < 0.6 else ()
        found = advise(game, Moment(), cards, table=table, first=True)
        best = best_of_all(game, cards, table, (), True)
        assert found.decided
        assert (found.points if found.possible else None) == best, write_cards(cards)
        if found.possible:
            put_to_the_referee(game, cards, found, own=(), first=True)


@cache
def table_to(last, **rest):
    """Rummikub without the numbers above one of them."""
    gone = {"pack.remove": [f"{last + 1}-13"], "options": {}}
    costs = {"score.hand": {f"1-{last}": "face", "JK": 30}}
    return described.changed("rummikub", {"deal.cards": 8, **gone, **costs, **rest})


def on_a_table(chance, game, largest, held):
    """Tiles near the corner on a table and on a rack."""
    top = game.pack.ranks[-1]
    pack = [c for c in game.pack.cards if c.rank > top - 3 or c.rank <= 2]
    left = Counter(pack * 2)
    left[JOKER] = chance.choice([0, 1, 2])
    table, size = [], 0
    for _ in range(40):
        some = tuple(chance.sample(sorted(left.elements(), key=str), 3))
        readings = legal_readings(some, game.melds_at(None), as_laid=False)
        if readings and size + 3 <= largest:
            left -= Counter(some)
            size += 3
            table.append(readings[0].arranged.cards)
    return tuple(table), tuple(chance.sample(sorted(left.elements(), key=str), held))


LOOSE = {"rearrange.retrieval": "free", "rearrange.goes": "anywhere"}


@pytest.mark.parametrize("jokers", [{}, LOOSE], ids=["replaced", "loose"])
@pytest.mark.parametrize("last", [5, 10, 12])
@pytest.mark.parametrize("run", [{"ace": "low"}, {"ace": "both"}, {"around": True}], ids=str)
def test_no_turn_at_a_table_of_fewer_numbers_is_better(last, run, jokers):
    fields = {f"run.{name}": value for name, value in run.items()}
    game, chance = table_to(last, **fields, **jokers), Random(f"{last} {run}")
    decided = [
        check_exact(game, on_a_table(chance, game, 6, 4), opened=True, by_value=turn % 2 == 0)
        for turn in range(examples(20))
    ]
    assert sum(decided) >= len(decided) - 1


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"set.suits": "any"}, "sets that can’t repeat a color"),
        ({"set.min": 2}, "at least 3 tiles"),
        ({"run.min": 2}, "at least 3 tiles"),
        ({"wild.cards": ["JK", "2"]}, "jokers as the only wilds"),
        ({"pack.kind": "five-suits", "score.hand": {"3-K": 5, "JK": 30}}, "exactly 4 suits"),
    ],
    ids=str,
)
def test_if_a_table_is_not_as_the_search_knows_it_nothing_is_advised(fields, why):
    game = described.changed("rummikub", {"options": {}, **fields})

    assert why in no_advice(game)
    with pytest.raises(NoAdviceError, match=why):
        advise(game, Moment(), game.pack.cards[:5])


def test_a_run_round_the_corner_of_ten_numbers_is_played():
    game = table_to(10, **{"run.around": True})
    rack = game.pack.parse("R9 R10 R1 R2")
    advice = best_turn(game, (), rack, opened=True)

    assert advice.decided
    assert advice.kept == ()


def test_what_is_advised_round_the_corner_of_a_spanish_pack_is_legal():
    game = contracts("Spanish 40", "round")
    cards = game.pack.parse("11O 12O 1O 2O 3O 7C 7E 7B")
    found = advise(game, Moment(1), cards)
    play = LayDown(melds=tuple(meld.cards for meld in found.melds), kept=found.kept)

    assert (found.kept, found.decided) == ((), True)
    assert rule_on(play, game, Moment(1)).is_legal
