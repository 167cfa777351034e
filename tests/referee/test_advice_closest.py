"""How far a hand is from laying down: the same as if every card that can come was tried."""

from collections import Counter
from itertools import combinations_with_replacement
from random import Random

import pytest

from referee import variants
from referee.advice import advise
from referee.cards import JOKER, Card, parse_cards
from referee.judging import rule_on
from referee.plays import LayDown, Moment, Rearrange
from tests.examples import examples
from tests.referee.likely import MEXICAN, likely_hand, likely_table
from tests.referee.test_advice_contract import house_rules

PHASES = variants.get("eleven-phases")


class EveryDraw:
    """What is missing in a hand, found by drawing every card that could come."""

    def __init__(self, variant, step, seen, **situation):
        self.variant, self.step, self.situation = variant, step, situation
        pack = variant.pack
        by_rank = pack.by_rank
        self.left = Counter({Card(rank): 4 * pack.copies for rank in pack.ranks})
        if not by_rank:
            self.left = Counter(dict.fromkeys(pack.cards, pack.copies))
        if pack.jokers:
            self.left[JOKER] = pack.jokers
        self.left.subtract(Counter(Card(card.rank) if by_rank else card for card in seen))
        self.known = {}

    def can_lay(self, hand):
        key = tuple(sorted(map(str, hand)))
        if key not in self.known:
            found = advise(self.variant, Moment(self.step), tuple(hand), **self.situation)
            assert found.decided
            self.known[key] = found.possible
        return self.known[key]

    def short(self, hand, most):
        """The fewest cards with which it can be laid down; more than `most` if it is more."""
        for number in range(most + 1):
            for drawn in combinations_with_replacement(self.left, number):
                if not Counter(drawn) - +self.left and self.can_lay((*hand, *drawn)):
                    return number
        return most + 1

    def helps(self, hand, short):
        """The cards of which any leaves one fewer missing."""
        there = [card for card, count in self.left.items() if count > 0]
        found = set()
        for card in there:
            self.left[card] -= 1
            if self.short((*hand, card), short - 1) < short:
                found.add(card)
            self.left[card] += 1
        return found


def agree(variant, step, hand, most, **situation):
    """Compare what is missing with every card drawn; return how many cards are."""
    table = situation.get("table", ())
    seen = (*hand, *(card for cards in table for card in cards))
    every = EveryDraw(variant, step, seen, **situation)
    if every.can_lay(hand):
        return 0
    closest = advise(variant, Moment(step), hand, **situation).closest
    told = variant.chosen, step, hand, situation
    short = every.short(hand, most)
    if short > most:
        assert closest is None or closest.short > most, told
        return short
    assert closest is not None, told
    if not closest.decided:
        return -1
    assert closest.short == short, told
    assert {miss.card for miss in closest.helps} == every.helps(hand, short), told
    for miss in closest.helps:
        assert miss.unseen == every.left[miss.card], told
    without = {each.card: each for each in closest.let_go}
    for card in dict.fromkeys(hand) if closest.let_go else ():
        rest = list(hand)
        rest.remove(card)
        far = every.short(rest, short) > short
        assert far == (card not in without), (told, card)
        if not far:
            useful = sum(every.left[each] for each in every.helps(rest, short))
            assert without[card].helps == useful, (told, card)
    return short


@pytest.mark.slow
def test_phases_are_as_far_off_as_every_draw_says():
    random, found = Random(1), Counter()
    for turn in range(examples(40, least=12)):
        variant = house_rules(random, PHASES) if turn % 2 else PHASES
        step = random.randint(1, len(variant.contracts))
        if variant.contracts[step - 1].no_discard:
            continue
        size = variant.contracts[step - 1].cards + random.randint(1, 2)
        hand = tuple(Card(card.rank) for card in likely_hand(random, variant, size))
        found[agree(variant, step, hand, 2)] += 1
    assert found[1]
    assert found[2]


def near(random, variant, size):
    """A hand of cards that are near each other, with a wild now and then."""
    low, suits = random.randint(1, 8), random.sample(variant.pack.suits, 2)
    wild = [*variant.wilds.cards]
    cards = [
        card
        for card in variant.pack.cards * variant.pack.copies
        if card not in wild
        and ((card.suit in suits and low <= card.rank < low + 5) or card.rank == low + 2)
    ]
    held = random.sample(sorted(wild, key=str), min(len(wild), random.choice([0, 0, 1])))
    return (*held, *random.sample(cards, size - len(held)))


@pytest.mark.slow
def test_runs_sets_and_wilds_are_as_far_off_as_every_draw_says():
    random, found = Random(2), Counter()
    for turn in range(examples(60, least=8)):
        variant = house_rules(random, MEXICAN) if turn % 2 else MEXICAN
        step = random.choice([1, 2, 3])
        size = variant.contracts[step - 1].cards + 1
        found[agree(variant, step, likely_hand(random, variant, size), 1)] += 1
    assert found[1]
    assert found[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "size", "situation"),
    [
        ("rummy-500", 4, {}),
        ("rummy-500", 4, {"first": False}),
        ("rummy", 4, {}),
        ("kaluki", 7, {}),
        ("scala-40", 7, {}),
        ("rummikub", 7, {"opened": False}),
        ("manipulation-rummy", 5, {}),
    ],
)
def test_melds_that_are_laid_freely_are_as_far_off_as_every_draw_says(slug, size, situation):
    random, variant, found = Random(8), variants.get(slug), Counter()
    for _ in range(examples(60, least=8)):
        hand = near(random, variant, size)
        found[agree(variant, None, hand, 1, **situation)] += 1
    assert found[1] or found[2]


def with_wilds(random, step):
    """A table with a black 2 that could be swapped."""
    while True:
        table = likely_table(random, MEXICAN, step)
        if any(card in MEXICAN.wilds.cards for cards in table for card in cards):
            return table


@pytest.mark.slow
def test_swaps_are_as_near_as_every_draw_says():
    random, found = Random(6), Counter()
    for _ in range(examples(60, least=4)):
        step = random.choice([2, 3])
        table = with_wilds(random, step)
        size = MEXICAN.contracts[step - 1].cards + 1
        found[agree(MEXICAN, step, likely_hand(random, MEXICAN, size), 1, table=table)] += 1
    assert found[1] or found[2]


def test_a_hand_that_goes_down_at_once_lays_all_the_cards_it_has_then():
    hand = parse_cards("4H 5H 6H 7H 9C 10C JC KD 2H 8S 9S")

    closest = advise(MEXICAN, Moment(6), hand).closest

    # 9C is in the run or in a set with 9S. Three of the others are discarded for what is missing.
    assert closest.short == 3
    for arrangement in closest.arrangements:
        assert sum(len(gapped.meld.cards) for gapped in arrangement) == len(hand)
        assert sum(len(gapped.missing) for gapped in arrangement) == 3


def test_a_hand_that_only_lacks_a_discard_takes_any_card():
    shanghai = variants.get("shanghai-rummy").seated(4)

    closest = advise(shanghai, Moment(1), parse_cards("7C 7D 7H 8C 8D 8H")).closest

    assert closest.short == 1
    assert len(closest.helps) == 53
    assert closest.let_go == ()


@pytest.mark.parametrize("slug", ["mexican-rummy", "phase-10", "carioca", "kaluki", "rummikub"])
def test_the_closest_arrangement_is_legal_once_it_is_complete(slug):
    variant, random = variants.get(slug), Random(7)
    pack = [*variant.pack.cards * variant.pack.copies, *(JOKER,) * variant.pack.jokers]
    for turn in range(examples(100, least=5)):
        step = turn % variant.steps + 1 if variant.steps else None
        hand = tuple(random.sample(pack, variant.hand_at(step) + 1))
        opened = {"opened": False} if variant.shares_table else {}
        closest = advise(variant, Moment(step), hand, **opened).closest
        for arrangement in closest.arrangements if closest else ():
            left, drawn = Counter(pack) - Counter(hand), []
            melds = []
            for gapped in arrangement:
                cards = list(gapped.meld.cards)
                for at in gapped.missing:
                    fit = [card for card in left if left[card] and akin(cards[at], card)]
                    cards[at] = min(fit, key=cards.count)
                    left[cards[at]] -= 1
                    drawn.append(cards[at])
                melds.append(tuple(cards))
            kept = Counter((*hand, *drawn)) - Counter(card for cards in melds for card in cards)
            assert len(drawn) == closest.short
            contract = variant.contract_at(step)
            if contract is not None and contract.no_discard:
                kept.clear()
            play = LayDown(melds=tuple(melds), kept=tuple(kept.elements()), as_laid=False)
            if variant.shares_table:
                play = Rearrange(rack=(*hand, *drawn), before=(), after=tuple(melds), opened=False)
            assert rule_on(play, variant, Moment(step)).is_legal, (hand, arrangement)


@pytest.mark.parametrize("slug", ["rummy-500", "rummy", "mexican-rummy", "eleven-phases"])
def test_the_card_to_let_go_is_in_no_meld_that_is_shown_first(slug):
    random, variant, compared = Random(f"let go {slug}"), variants.get(slug), 0
    while compared < 25:
        hand = random.sample(variant.pack.cards, 8)
        step = random.randint(1, variant.steps) if variant.steps else None
        closest = advise(variant, Moment(step), tuple(hand)).closest
        if closest is None or not closest.let_go or not closest.arrangements:
            continue
        shown = closest.arrangements[0]
        laid = Counter(
            card
            for each in shown
            for at, card in enumerate(each.meld.cards)
            if at not in each.missing
        )
        kept = Counter(hand)
        kept[closest.let_go[0].card] -= 1

        assert not laid - kept, (slug, step, hand)
        compared += 1


def akin(wanted, card):
    """Whether a card can be the one that is missing: of its rank, or of its suit."""
    return card is wanted or (
        (wanted.suit is None and wanted.rank == card.rank)
        or (not wanted.rank and wanted.suit is card.suit is not None)
    )
