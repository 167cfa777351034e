"""Advice that takes wilds out of other players' melds: only where nothing else helps."""

from collections import Counter
from random import Random

import pytest

from referee import variants
from referee.advice import advise
from referee.cards import Card, Suit, parse_cards, write_cards
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.plays import LayDown, Moment
from tests.examples import examples, in_turn
from tests.referee.every_way import EveryWay

GAME = variants.get("mexican-rummy")
DOWN_TOO = GAME.with_options({"swap": "when-down-too"})
TWOS = [Card(2, Suit.SPADES), Card(2, Suit.CLUBS)] * 2
STEPS_WITH_RUNS = (2, 3, 5)
TURNS = {2: (120, 80), 3: (80, 20), 5: (40, 32)}
"""How many hands are tried at each step, and how many it takes to see two swaps in one."""


def ask(game, step, hand, *table, down=False, own=()):
    return advise(
        game,
        Moment(step),
        parse_cards(hand),
        table=tuple(map(parse_cards, table)),
        own=tuple(map(parse_cards, own)),
        down=down,
    )


def swapped(found):
    return [(str(swap.give), str(swap.take)) for swap in found.swaps]


def assert_legal(game, step, hand, found, *, down=False):
    """Say that the referee allows what is advised, and that it is made of the hand."""
    play = LayDown(
        melds=tuple(meld.cards for meld in found.melds),
        kept=found.kept,
        layoffs=found.layoffs,
        swaps=found.swaps,
        down=down,
        hand=hand,
    )
    assert rule_on(play, game, Moment(step)).is_legal, found
    taken = [swap.take for swap in found.swaps]
    given = [swap.give for swap in found.swaps]
    used = [card for cards in (*play.melds, *(lay.cards for lay in play.layoffs)) for card in cards]
    assert Counter([*hand, *taken]) == Counter([*given, *used, *found.kept])


@pytest.mark.parametrize(
    ("game", "step", "hand", "table"),
    [
        (GAME.with_options({"swap": "never"}), 2, "8C 8D 8H 9S 10S QS 6D", "4D 5D 2S 7D"),
        (GAME, 2, "8C 8D 8H 9S 10S QS 6H", "4D 5D 2S 7D"),
        (GAME, 2, "8C 8D 8H 9H 10H QH 3S", "2S 3S 4S 5S"),  # in its own place it is no wild
        (GAME, 1, "8C 8D 8H 2H 2D 6D", "4D 5D 2S 7D"),  # black 2s are plain 2s in this round
    ],
    ids=["never", "another card", "natural", "no run"],
)
def test_if_no_wild_may_be_taken_it_is_not_possible(game, step, hand, table):
    found = ask(game, step, hand, table)

    assert (found.possible, found.decided, found.swaps) == (False, True, ())


def test_a_player_who_is_down_takes_a_wild_only_if_the_house_allows_it():
    told = "6D", "4D 5D 2S 7D", "9S 10S JS QS"

    assert not ask(GAME, 2, *told, down=True).possible
    found = ask(DOWN_TOO, 2, *told, down=True)
    assert (found.possible, found.kept, swapped(found)) == (True, (), [("6D", "2S")])
    assert_legal(DOWN_TOO, 2, parse_cards("6D"), found, down=True)


def test_no_wild_is_taken_out_of_a_meld_of_your_own():
    told = "6D", "4D 5D 2S 7D", "9S 10S JS QS"

    assert not ask(DOWN_TOO, 2, *told, down=True, own=told[1:2]).possible


def test_in_the_round_without_a_discard_the_table_is_left_aside():
    # Nobody else can be down yet: who lays down has won the round.
    hand = "4C 4D 4H 2H 3H 4H 5H 9S 10S QS KS"

    assert not ask(GAME, 6, f"{hand} 6D", "4D 5D 2S 7D").possible
    assert not ask(GAME, 6, f"{hand} JS 8D", "4D 5D 6D 7D").possible


def test_a_card_helps_together_with_a_swap():
    found = ask(GAME, 3, "8C 9C 10C 9S 10S QS 6D", "4D 5D 2S 7D")

    missing = {str(miss.card) for miss in found.misses}
    assert missing == {"7C", "JC", "JS", "2S", "2C"}


def hand_that_wants(random, step, game):
    """A contract with cards missing, and melds with wilds for which the hand holds the card."""
    pack = [card for card in game.pack.cards * 2 if card not in TWOS]
    hand, table = [], []
    for need in game.contract_at(step).needs:
        suit, low = random.choice(game.pack.suits), random.randint(3, 11)
        if need.kind.value == "set":
            hand += random.sample([card for card in pack if card.rank == low], 3)
        else:
            hand += [Card(low + at if low + at < 14 else 1, suit) for at in range(4)]
    for _ in range(random.choice([1, 1, 1, 2, 2])):
        suit, low = random.choice(game.pack.suits), random.randint(1, 9)
        cards = [Card(low + at, suit) for at in range(random.choice([4, 4, 5]))]
        for at in random.sample(range(len(cards)), random.choice([1, 1, 2])):
            if random.random() < 0.7:
                hand.append(cards[at])
            cards[at] = random.choice(TWOS)
        if random.random() < 0.2:
            random.shuffle(cards)
        if legal_readings(tuple(cards), game.melds_at(step)):
            table += [tuple(cards)] * random.choice([1, 1, 1, 2])
    for _ in range(random.choice([0, 1, 1, 2])):
        hand.remove(random.choice(hand))
    hand += random.sample(TWOS, random.choice([0, 0, 0, 1]))
    random.shuffle(hand)
    return tuple(hand[: max(9, game.contract_at(step).cards)]), tuple(table[:2])


def swaps_agree(random, game, step, ways, *, down=False):
    """Compare one piece of advice with every way tried; give how many wilds were taken."""
    hand, table = hand_that_wants(random, step, game)
    found = ways.advised(hand, table, down=down)
    assert found.decided or len(set(table)) < len(table), (game.chosen, step, hand, table)
    if found.possible and (found.melds or found.swaps):
        assert_legal(game, step, hand, found, down=down)
    return len(found.swaps)


@pytest.mark.parametrize("step", in_turn(STEPS_WITH_RUNS, quick=0))
def test_advice_with_swaps_equals_every_way_tried(step):
    random, ways = Random(step), EveryWay(GAME, Moment(step))

    most, least = TURNS[step]
    turns = range(examples(most, least=least))
    taken = Counter(swaps_agree(random, GAME, step, ways) for _ in turns)

    assert taken[1] > 5
    assert taken[2] > 0


@pytest.mark.slow
def test_advice_with_swaps_of_a_player_who_is_down_equals_every_way_tried():
    random, ways = Random(9), EveryWay(DOWN_TOO, Moment(2))

    turns = range(examples(60, least=30))
    taken = Counter(swaps_agree(random, DOWN_TOO, 2, ways, down=True) for _ in turns)

    assert taken[1] > 5


@pytest.mark.slow
@pytest.mark.release
def test_misses_with_swaps_are_the_cards_with_which_it_is_possible():
    random, helped = Random(11), 0
    for _ in range(examples(40, least=20)):
        step = random.choice(STEPS_WITH_RUNS)
        hand, table = hand_that_wants(random, step, GAME)
        found = advise(GAME, Moment(step), hand, table=table)
        if found.possible:
            continue
        seen = Counter([*hand, *(card for cards in table for card in cards)])
        helps = {
            card: GAME.pack.copies - seen[card]
            for card in GAME.pack.cards
            if seen[card] < GAME.pack.copies
            and advise(GAME, Moment(step), (*hand, card), table=table).possible
        }
        told = f"{step}: {write_cards(hand)} on {' / '.join(map(write_cards, table))}"
        assert {miss.card: miss.unseen for miss in found.misses} == helps, told
        helped += bool(helps)
    assert helped > 2
