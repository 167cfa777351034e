"""The least deadwood, held against every arrangement there is and against others' gin."""

from collections import Counter
from random import Random
from time import process_time

import pytest

from referee import variants
from referee.cards import JOKER, KING, Card, parse_cards, write_cards
from referee.melds import deadwood
from referee.melds.deadwood import MOST_ARRANGED, MOST_TRIED, arrange
from referee.melds.grounds import legal_readings
from referee.melds.rules import rank_at
from tests import gin
from tests.examples import examples
from tests.referee.hands import REMIGIO, cheapest_of_all, crowded, hand_of
from tests.yardstick import milliseconds

OPTIONS = [
    {},
    {"wrap": True},
    {"min-naturals": 0},
    {"min-naturals": 2},
    {"min-naturals": 2, "wrap": True},
    {"/set.without": ["3"]},
    {"/run.without": ["3", "black 7"], "wrap": True},
    {"/set.without": ["red 5"], "/run.without": ["J"], "min-naturals": 0},
]


def assert_laid_out(found, hand, game):
    """Say that the cards are all there, the melds legal as they lie, and the rest counted."""
    rules = game.melds_at(None)
    there = Counter(card for meld in found.melds for card in meld.cards)
    assert there + Counter(found.left) == Counter(hand), write_cards(hand)
    assert found.points == game.values.count(found.left, rules.wilds.cards), write_cards(hand)
    for meld in found.melds:
        assert meld in legal_readings(meld.cards, rules), (write_cards(hand), meld)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_arrangement_is_cheaper_and_the_one_given_is_legal(options):
    game = REMIGIO.with_options(options)
    random = Random(str(options))
    for _ in range(examples(420)):
        copies = random.choice([2, 3])
        size = random.choice([4, 5, 5, 6, 6, 7, 8])
        hand = hand_of(random, size, copies, (0, 0, 0, 1, 1, 2, 3, 4, 2 * copies))
        found = arrange(hand, game.melds_at(None), game.values)
        assert found.decided
        assert found.points == cheapest_of_all(hand, game), write_cards(hand)
        assert_laid_out(found, hand, game)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_arrangement_of_a_whole_hand_is_cheaper(options):
    game = REMIGIO.with_options(options)
    random = Random(f"whole {options}")
    for _ in range(examples(40)):
        hand = hand_of(random, random.randint(9, 11), random.choice([2, 3]), range(7))
        found = arrange(hand, game.melds_at(None), game.values)
        assert found.points == cheapest_of_all(hand, game), write_cards(hand)
        assert_laid_out(found, hand, game)


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("three-thirteen", {}),
        ("three-thirteen", {"ace": "both", "wild-value": 20}),
        ("five-crowns", {}),
        ("five-crowns", {"naturals": 1}),
    ],
    ids=str,
)
def test_no_arrangement_is_cheaper_if_the_number_dealt_is_wild(slug, options):
    game = variants.get(slug).with_options(options)
    random = Random(f"{slug} {options}")
    for _ in range(examples(100)):
        step, size, low = random.randint(1, 6), random.randint(3, 7), random.randint(1, 9)
        suits = random.sample(game.pack.suits, 2)
        near = [c for c in game.pack.cards if c.suit in suits and low <= c.rank < low + 6] * 2
        wild = [c for c in game.pack.cards if c in game.wilds_at(step).cards]
        wild += [JOKER] * (game.pack.jokers and 2)
        few = random.choice([0, 0, 1, 1, 2, 3])
        hand = (*random.sample(near, size - few), *random.choices(wild, k=few))
        found = arrange(hand, game.melds_at(step), game.values)
        assert found.points == cheapest_of_all(hand, game, step), (step, write_cards(hand))


@pytest.mark.slow
@pytest.mark.release
def test_gin_hands_cost_what_another_engine_says():
    from rlcard.games.gin_rummy.utils import utils as others
    from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters

    random = Random(4)
    pack = others.get_deck()
    melded = 0
    for turn in range(examples(2_000)):
        # Every second hand is of two suits or of near ranks, where melds are in each other's way.
        low = random.randint(0, 8)
        near = [card for card in pack if others.get_rank_id(card) in range(low, low + 5)]
        theirs = random.sample([near, pack, pack[:26], pack][turn % 4], 10)
        best = get_best_meld_clusters(theirs)
        said = others.get_deadwood_count(theirs, best[0] if best else [])
        hand = parse_cards(" ".join(map(str, map(as_card, theirs))))
        found = arrange(hand, gin.RULES, gin.VALUES)
        assert found.points == said, write_cards(hand)
        melded += bool(best)
    assert melded > examples(1_000)


def as_card(theirs):
    return parse_cards(theirs.rank + theirs.suit)[0]


def test_in_gin_an_ace_is_low_and_sets_have_four_cards_at_most():
    def left(cards):
        return arrange(parse_cards(cards), gin.RULES, gin.VALUES).points

    assert left("QS KS AS 9D") == 30
    assert left("AS 2S 3S 9D") == 9
    assert left("5S 5H 5D 5C 6C 7C") == 0
    assert left("5S 5H 5D 5C 9D KH") == 19


@pytest.mark.parametrize(
    ("cards", "melds"),
    [
        ("4S 5S 6S 7S 8S 9S", ["4S 5S 6S 7S 8S 9S"]),
        ("QH KH AH 2C", ["QH KH AH"]),
        ("KH AH JK 2C", ["JK KH AH"]),
        ("3H JK 5H JK 2C", ["3H JK 5H JK"]),
        ("JK JK KD", ["KD JK JK"]),
    ],
)
def test_melds_are_laid_with_wilds_if_a_card_is_missing_and_then_above(cards, melds):
    found = arrange(parse_cards(cards), REMIGIO.melds_at(None), REMIGIO.values)

    assert [write_cards(meld.cards) for meld in found.melds] == melds


def test_the_cards_that_are_left_keep_their_order():
    found = arrange(parse_cards("KC 4S 9D 5S 2H 6S"), REMIGIO.melds_at(None), REMIGIO.values)

    assert write_cards(found.left) == "KC 9D 2H"


@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[-1]], ids=str)
def test_a_hand_as_long_as_a_run_is_always_decided(options):
    game = REMIGIO.with_options(options)
    random = Random(14)
    for turn in range(examples(150)):
        hand = crowded(random, MOST_ARRANGED, turn % 7)
        assert arrange(hand, game.melds_at(None), game.values).decided, write_cards(hand)


@pytest.mark.timed
@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[-1]], ids=str)
def test_a_table_full_of_cards_is_bounded_and_laid_out_legally(options):
    game = REMIGIO.with_options(options)
    random = Random(60)
    limit = milliseconds(150)
    for turn in range(20):
        hand = crowded(random, MOST_TRIED, turn % 7)
        for _ in range(2):  # the better: between two a look for garbage may come
            started = process_time()
            found = arrange(hand, game.melds_at(None), game.values)
            taken = process_time() - started
            if taken < limit:
                break
        assert taken < limit, write_cards(hand)
        assert_laid_out(found, hand, game)
        assert found.decided or found.points


def test_all_wilds_are_bounded():
    hand = (JOKER,) * 6
    none_needed = REMIGIO.with_options({"min-naturals": 0})

    assert arrange(hand, REMIGIO.melds_at(None), REMIGIO.values).points == 120
    assert arrange(hand, none_needed.melds_at(None), REMIGIO.values).points == 0
    kings = tuple(Card(13, suit) for suit in REMIGIO.pack.suits) * 3
    assert arrange(hand + kings, REMIGIO.melds_at(None), REMIGIO.values).points == 0


def test_wilds_to_spare_find_room_beside_the_longest_run():
    run = tuple(Card(rank, REMIGIO.pack.suits[0]) for rank in range(1, 14))

    for jokers in range(7):
        hand = run + (JOKER,) * jokers
        found = arrange(hand, REMIGIO.melds_at(None), REMIGIO.values)
        assert found.points == 0
        assert_laid_out(found, hand, REMIGIO)


@pytest.mark.parametrize("jokers", [1, 2])
def test_a_run_reads_whole_if_the_jokers_just_find_room_at_it(jokers):
    rules = REMIGIO.melds_at(None)
    naturals = range(1, rules.runs.longest - jokers + 1)
    run = tuple(Card(rank_at(place, KING), REMIGIO.pack.suits[0]) for place in naturals)

    found = arrange(run + (JOKER,) * jokers, rules, REMIGIO.values)

    assert [len(meld.cards) for meld in found.melds] == [rules.runs.longest]


def test_if_the_work_runs_out_nothing_is_claimed(monkeypatch):
    random = Random(1)
    hands = [hand_of(random, 8) for _ in range(100)]
    truth = [arrange(hand, REMIGIO.melds_at(None), REMIGIO.values).points for hand in hands]
    monkeypatch.setattr(deadwood, "MOST_WORK", 1_500)

    found = [arrange(hand, REMIGIO.melds_at(None), REMIGIO.values) for hand in hands]

    for hand, one, least in zip(hands, found, truth, strict=True):
        assert_laid_out(one, hand, REMIGIO)
        assert one.points == least if one.decided else one.points >= least
    assert len({one.decided for one in found}) == 2


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_meld_of_an_arrangement_is_read_as_the_bench_reads_it(options):
    game, random = REMIGIO.with_options(options), Random(f"read {options}")
    rules, melded = game.melds_at(None), 0
    for _ in range(examples(60)):
        for meld in arrange(hand_of(random, random.randint(7, 12)), rules, game.values).melds:
            told = {(reading.kind, reading.stands) for reading in as_laid(meld, rules)}
            assert (meld.kind, meld.stands) in told, write_cards(meld.cards)
            if meld.places:
                starts = {min(r.places) for r in as_laid(meld, rules) if r.stands == meld.stands}
                assert min(meld.places) in starts, write_cards(meld.cards)
            melded += 1
    assert melded > examples(40)


def as_laid(meld, rules):
    return legal_readings(meld.cards, rules)
