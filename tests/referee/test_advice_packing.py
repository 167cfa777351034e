"""Advice on laying freely where melds do not score: the best of every way there is."""

import time
from functools import cache
from random import Random

import pytest

from referee import variants
from referee.advice import advise, laying, no_advice
from referee.cards import parse_cards, write_cards
from referee.describing import build
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.plays import LayDown, LayOff, Moment
from tests.examples import examples, in_turn
from tests.referee.own_games import RULES
from tests.yardstick import milliseconds

OWN = {
    "runs of any suits": RULES,
    "melds that score, an opening, jokers that may not touch": {
        **RULES,
        "pack": {"jokers": 2},
        "run": {},
        "wild": {"cards": ["JK"], "adjacent": False},
        "opening": {"points": 20},
        "score": {
            "hand": {"A-K": 5, "JK": 15},
            "table": {"A-K": 5, "JK": 0},
            "settle": "table-less-hand",
        },
        "end": {"total": 500, "leads": "highest"},
    },
    "suits ignored, the last card discarded": {
        **RULES,
        "pack": {"copies": 2, "ignore-suits": True},
        "set": {},
        "run": {"around": True},
        "out": {"discard": "must"},
    },
    "forty cards, round the corner": {
        **RULES,
        "pack": {"kind": "spanish"},
        "run": {"around": True},
        "score": {"hand": {"1-12": 5}},
    },
    "nothing is laid off in the turn of going down": {
        **RULES,
        "run": {},
        "layoff": {"when": "later"},
        "opening": {"points": 15},
    },
}
GAMES = ["rummy", "tonk", "conquian", "kaluki", "romme", "scala-40", "500-rum", *OWN]


@cache
def game(name):
    return build(OWN[name]) if name in OWN else variants.get(name)


@cache
def melds_of(name):
    """Some melds that may lie on the table."""
    rules, chance, found = game(name).melds_at(None), Random(name), []
    while len(found) < 40:
        low = chance.randint(1, 10)
        near = [card for card in rules.pack.cards if low <= card.rank <= low + 2]
        cards = tuple(chance.sample(near, 3))
        ways = legal_readings(cards, rules, as_laid=False)
        if ways:
            found.append(ways[0].arranged.cards)
    return found


def positions(name, count):
    """Hands of seven with a meld or two on the table, some of them your own, down or not."""
    rules, chance = game(name).melds_at(None), Random(name)
    wilds = sorted(rules.wilds.cards, key=str)
    for _ in range(count):
        table = tuple(chance.sample(melds_of(name), chance.randint(0, 2)))
        low = min((card.rank for meld in table for card in meld if card.rank), default=9)
        low = max(1, min(low, 9) - chance.randint(0, 2))
        near = [card for card in rules.pack.cards if low <= card.rank < low + 5]
        hand = chance.sample(near, 6) + chance.choices([*wilds, *near], k=1)
        yield tuple(hand), table, table[: chance.randint(0, 2)], chance.random() < 0.5


class EveryPlay:
    """Every way to part a hand into melds, lay-offs and what is kept."""

    def __init__(self, variant, hand, table, own, *, down):
        self.variant, self.hand, self.table, self.own = variant, hand, table, own
        self.down, self.rules = down, variant.melds_at(None)
        self.scores = variant.pad.asks_table
        self.is_meld = cache(self._is_meld)

    def _is_meld(self, some):
        readings = legal_readings(self._cards(some), self.rules, as_laid=False)
        worth = self.variant.worth or (lambda _: (0,))
        best = max(readings, key=lambda reading: sum(worth(reading)), default=None)
        return best and best.arranged.cards

    def _cards(self, some):
        return tuple(card for at, card in enumerate(self.hand) if some >> at & 1)

    def ways(self, left, free):
        """The parts: melds, and cards by the meld of the table that they are put to."""
        if not left:
            yield (), ()
            return
        lowest, some = left & -left, left
        while some:
            if some & lowest:
                if self.is_meld(some):
                    for melds, onto in self.ways(left & ~some, free):
                        yield (some, *melds), onto
                for at in free:
                    for melds, onto in self.ways(left & ~some, free - {at}):
                        yield melds, ((at, some), *onto)
            some = (some - 1) & left
        yield from self.ways(left & ~lowest, free)

    def best(self):
        """What the best legal play comes to, as advice counts it; None where there is none."""
        found = []
        for melds, onto in self.ways((1 << len(self.hand)) - 1, frozenset(range(len(self.table)))):
            laid = sum(melds) + sum(some for _, some in onto)
            kept = self._cards((1 << len(self.hand)) - 1 & ~laid)
            if laid:
                found.append((self.variant.values.count(kept, self.rules.wilds.cards), melds, onto))
        found.sort(key=lambda way: way[0])
        best = None
        for cost, melds, onto in found:
            if not self.scores and best is not None:
                break
            ruling = rule_on(self._play(melds, onto), self.variant)
            if ruling.is_legal:
                value = ruling.points - cost if self.scores else -cost
                best = value if best is None else max(best, value)
        return best if self.scores or best is None else -best

    def _play(self, melds, onto):
        laid = sum(melds) + sum(some for _, some in onto)
        return LayDown(
            melds=tuple(map(self.is_meld, melds)),
            layoffs=tuple(
                LayOff(
                    self._cards(some),
                    self.table[at],
                    own=self.table[at] in self.own,
                    same_turn=not self.down,
                )
                for at, some in onto
            ),
            kept=self._cards((1 << len(self.hand)) - 1 & ~laid),
            hand=self.hand,
            down=self.down,
            first=not self.down,
        )


@pytest.mark.parametrize("name", in_turn(GAMES, quick=0, each=3))
def test_no_play_is_better_than_what_is_advised(name):
    seen = set()
    for hand, table, own, down in positions(name, examples(16, least=4)):
        advice = advise(game(name), Moment(), hand, table=table, own=own, first=not down)
        best = EveryPlay(game(name), hand, table, own, down=down).best()

        told = write_cards(hand), [*map(write_cards, table)], down
        assert advice.possible is (best is not None), told
        if advice.possible:
            assert advice.points == best, told
            laid = sum(len(meld.cards) for meld in advice.melds)
            laid += sum(len(layoff.cards) for layoff in advice.layoffs)
            assert laid + len(advice.kept) == len(hand), told
        seen.add((advice.possible, bool(advice.layoffs)))
    assert len(seen) > 1


def test_a_joker_is_taken_for_the_card_it_stands_for_if_that_saves_more():
    table = (parse_cards("4H JK 6H"),)
    hand = parse_cards("5H 9C 9D KS 2C 3D 8S")

    found = advise(game("romme"), Moment(), hand, table=table, first=False)
    without = advise(game("romme"), Moment(), hand[1:], table=table, first=False)

    assert [(str(swap.give), str(swap.take)) for swap in found.swaps] == [("5H", "JK")]
    assert [write_cards(meld.cards) for meld in found.melds] == ["9C 9D JK"]
    assert (found.points, found.decided) == (23, True)
    assert (without.possible, without.decided) == (False, True)


@pytest.mark.parametrize("pack", [{"copies": 2}, {"copies": 1}], ids=["two packs", "one pack"])
def test_a_card_is_wild_in_the_round_in_which_so_many_are_dealt(pack):
    rules = {
        **RULES,
        "pack": {**pack, "jokers": 2},
        "run": {"ace": "high"},
        "wild": {"cards": ["JK", "dealt"]},
        "score": {"hand": {"A-K": 5, "JK": 20}},
        "steps": [3, 4, 5],
        "end": {},
    }
    hand = parse_cards("5H 9C 9S 2H 4S KD")
    found = [advise(build(rules), Moment(step), hand) for step in (1, 3)]

    assert [advice.possible for advice in found] == [False, True]
    assert all(advice.decided for advice in found)
    assert len(found[1].kept) == 3


def test_a_table_where_the_number_dealt_is_wild_is_not_advised_on():
    rules = {
        **RULES,
        "pack": {"kind": "tiles", "copies": 2, "jokers": 2},
        "run": {},
        "rearrange": {},
        "draw": {"pile": "none"},
        "score": {"hand": {"1-13": "face", "JK": 30}, "settle": "to-lowest"},
        "out": {"dry": True, "discard": "never"},
        "end": {"open": True, "leads": "wins"},
    }
    rules = {key: part for key, part in rules.items() if key != "layoff"}

    assert not no_advice(build({**rules, "wild": {"cards": ["JK"]}}))
    assert no_advice(build({**rules, "wild": {"cards": ["JK", "dealt"]}, "steps": [3, 4]}))


def test_if_work_runs_out_what_was_found_is_legal_and_not_sure(monkeypatch):
    monkeypatch.setattr(laying, "MOST_WORK", 600)
    hand = parse_cards("4H 5H 6H 7H 9C 9D 9S KC KD KH")
    found = advise(game("rummy"), Moment(), hand)

    assert found.possible
    assert not found.decided


@pytest.mark.timed
def test_a_hand_of_fifteen_with_jokers_is_looked_through_in_time():
    hand = parse_cards("3H 4H 5H 7H 8H 9C 9D 9S 10S JS QS KC KD JK JK")
    table = tuple(map(parse_cards, ("4C 5C 6C", "7S 7C 7D", "JD QD KD", "2H 2S 2C")))
    took = []
    for _ in range(3):
        started = time.process_time()
        assert advise(game("kaluki"), Moment(), hand, table=table).decided
        took.append(time.process_time() - started)

    assert min(took) <= milliseconds(60)
