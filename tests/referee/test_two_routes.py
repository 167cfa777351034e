"""Two descriptions of one game rule alike: the pack, the house rule, the way it is written."""

from random import Random

from referee import variants
from referee.advice import advise
from referee.cards import CARD_SUITS, TILE_COLOURS, Card
from referee.judging import rule_on
from referee.melds.deadwood import arrange
from referee.plays import Moment, Rearrange, ShowMeld
from tests import described, positions
from tests.examples import examples

TO_CARDS = dict(zip(TILE_COLOURS, CARD_SUITS, strict=True))


def codes(ruling):
    return ruling.is_legal, {finding.code for finding in ruling.findings}


def as_cards(melds):
    return tuple(tuple(Card(tile.rank, TO_CARDS[tile.suit]) for tile in meld) for meld in melds)


def turns(random, table, rack):
    """A turn as advised, and others like it that are spoilt."""
    advice = advise(variants.get("rummikub"), Moment(), rack, table=table)
    after = advice.turn.after if advice.turn else table
    yield after
    for _ in range(4):
        melds = [list(meld) for meld in after]
        if melds:
            meld = random.choice(melds)
            meld[random.randrange(len(meld))] = random.choice(rack)
        yield tuple(map(tuple, melds))


def test_rummikub_with_cards_is_manipulation_rummy():
    tiles = variants.get("rummikub")
    cards = variants.get("manipulation-rummy").with_options({"ace": "low"})
    random, legal = Random(7), 0
    for held in positions.lay(30, 0, examples(60), seed=3):
        table, rack = held.held.table, held.held.hand
        for after in turns(random, table, rack):
            one = Rearrange(before=table, after=after, rack=rack)
            other = Rearrange(
                before=as_cards(table), after=as_cards(after), rack=as_cards([rack])[0]
            )
            first, second = rule_on(one, tiles), rule_on(other, cards)
            assert codes(first) == codes(second), one
            legal += first.is_legal
    assert legal > examples(20)


def test_three_thirteen_with_jokers_is_five_crowns_with_four_suits():
    values = {"3-10": "face", "J-K": 10, "JK": 50}
    shared = {"score.hand": values | {"A-2": "face"}, "score.wild": 20, "options": {}}
    wild = {"cards": ["dealt", "JK"], "naturals": 0}
    one = described.changed("three-thirteen", {**shared, "wild": wild, "pack.jokers": 6})
    pack = {"kind": "french", "copies": 2, "jokers": 6}
    other = described.changed("five-crowns", {**shared, "pack": pack, "run.ace": "low"})
    random, legal = Random(13), 0
    there = positions.packs(one)
    for _ in range(examples(600)):
        step, low = random.randint(1, 11), random.randint(1, 10)
        near = [card for card in there if not card.rank or low <= card.rank < low + 4]
        hand = tuple(random.sample(near, random.randint(3, 7)))
        first, second = (rule_on(ShowMeld(hand[:4]), game, Moment(step)) for game in (one, other))
        assert codes(first) == codes(second), (step, hand)
        legal += first.is_legal
        least = [arrange(hand, game.melds_at(step), game.values).points for game in (one, other)]
        assert least[0] == least[1], (step, hand)
    assert legal > examples(40)


def test_a_game_without_its_pack_of_five_suits_is_told_apart():
    game = variants.get("five-crowns")

    assert game.pack.cards != variants.get("three-thirteen").pack.cards
    assert not rule_on(ShowMeld(game.pack.parse("QX KX 3X")), game, Moment(5)).is_legal
    assert game.runs.starts(11) == range(1, 2)
