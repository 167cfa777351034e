"""Jokers that come out step by step, held against a judge that tries everything."""

import random
from collections import Counter
from itertools import combinations

import pytest

from referee.cards import JOKER, Card
from referee.judging import rule_on
from referee.plays import Rearrange
from referee.rulings import Code
from tests.examples import examples
from tests.referee.joker_judge import Judge
from tests.referee.tiles import RUMMIKUB, sets, turn

HOUSE_RULES = {
    "joker-retrieval": ("replace", "replace", "replace", "replace", "free", "locked"),
    "joker-replacement": ("any", "any", "exact"),
    "joker-replacement-from": ("anywhere", "anywhere", "rack"),
    "joker-group-of-three": ("either", "either", "both"),
    "joker-reuse": ("new-set", "anywhere"),
    "jokers-per-set": (2, 2, 1),
    "one": ("low", "low", "high-too", "wrap"),
}


def every_set(numbers):
    """Every group, and every run of three to five, of so many numbers."""
    suits = RUMMIKUB.pack.suits
    for number in numbers:
        for size in (3, 4):
            for some in combinations(suits, size):
                yield tuple(Card(number, suit) for suit in some)
    for suit in suits:
        for size in (3, 4, 5):
            for low in range(numbers.start, numbers.stop - size + 1):
                yield tuple(Card(number, suit) for number in range(low, low + size))


def with_jokers(cards, count, chance):
    """Put jokers in the place of some tiles of a set."""
    laid = list(cards)
    for at in chance.sample(range(len(laid)), count):
        laid[at] = JOKER
    return tuple(laid)


class Turns:
    """Turns at small tables with twins and jokers, most of them tiles in other legal sets."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        low = self.chance.randint(1, 9)
        self.sets = list(every_set(range(low, low + 5)))

    def turn(self):
        """Deal a table before and after a turn, None where the tiles come to no other table."""
        chance, left = self.chance, Counter(dict.fromkeys(RUMMIKUB.pack.cards, 2))
        left[JOKER] = 2
        before = []
        for _ in range(chance.randint(1, 4)):
            laid = with_jokers(chance.choice(self.sets), chance.choice((0, 0, 1, 1, 2)), chance)
            if not Counter(laid) - left:
                before.append(laid)
                left -= Counter(laid)
        if JOKER not in (tile for cards in before for tile in cards):
            return None
        after = self._arranged(Counter(t for cards in before for t in cards), left)
        return None if after is None else (tuple(before), after)

    def _arranged(self, must, may):
        """Lay tiles that must lie, and some of the others, in sets at random."""
        self.tries = 60
        return self._lay(must, may, ())

    def _lay(self, must, may, laid):
        if not must:
            return laid
        self.tries -= 1
        if self.tries < 0:
            return None
        tile = self.chance.choice(sorted(must, key=str))
        fitting = [cards for cards in self.sets if tile in cards or tile is JOKER]
        self.chance.shuffle(fitting)
        for cards in fitting[:6]:
            for jokers in (0, 1, 1, 2):
                some = with_jokers(cards, jokers, self.chance)
                counted = Counter(some)
                if tile not in counted or counted - must - may:
                    continue
                if (counted - must).total() > 3:
                    continue
                rest = self._lay(must - counted, may - (counted - must), (*laid, some))
                if rest is not None:
                    return rest
        return None


def chosen_rules(chance):
    """House rules on jokers, each as the text has it or not."""
    return {name: chance.choice(values) for name, values in HOUSE_RULES.items()}


def differing(seed, count):
    """Turns on which the referee and a judge differ, and how many were legal and illegal."""
    found, tally = [], Counter()
    chance = random.Random(seed)
    while tally.total() < count:
        turns = Turns(chance.random())
        for before, after in filter(None, (turns.turn() for _ in range(10))):
            rules = chosen_rules(chance)
            variant = RUMMIKUB.with_options(rules)
            ruling = rule_on(Rearrange(before=before, after=after), variant)
            codes = {code.value for code in ruling.broken}
            if any(not code.startswith("joker-") for code in codes):
                continue
            tally[ruling.is_legal] += 1
            if ruling.is_legal is not Judge(before, after, variant).may_move():
                found.append((before, after, rules, codes))
    return found, tally


@pytest.mark.parametrize("seed", range(4))
def test_every_turn_is_ruled_as_by_a_judge_who_tries_everything(seed):
    found, tally = differing(seed, examples(200))

    assert found == []
    assert min(tally[True], tally[False]) >= examples(30)


ONE_FOR_TWO = (
    ["R3 JK R5", "B4 K4 JK"],
    ["R3 R4 R5", "B4 B5 B6", "K4 K5 K6", "JK O9 O10", "JK K12 K13"],
)
LEFT_ALONE = (["R3 JK R5", "R4 B4 K4"], ["R3 B3 K3", "R5 B5 K5", "JK B9 K9", "R4 B4 K4"])


@pytest.mark.parametrize(
    ("play", "forgets"), [(ONE_FOR_TWO, "one_each"), (LEFT_ALONE, "moved_only")]
)
def test_a_judge_who_forgets_a_part_of_the_rule_is_found_out(play, forgets):
    before, after = (sets(*table) for table in play)

    assert not turn(*play).is_legal
    assert not Judge(before, after, RUMMIKUB).may_move()
    assert Judge(before, after, RUMMIKUB, **{forgets: False}).may_move()


def test_a_table_with_more_jokers_than_there_are_is_refused_without_much_work():
    ruling = turn(["R1 JK JK", "B1 JK JK"], ["R1 JK JK B1", "K1 JK JK"], "K1")

    assert ruling.broken == {Code.NOT_IN_PACK}
