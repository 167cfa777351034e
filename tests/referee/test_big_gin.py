"""Big gin: all the cards in melds with the one that was drawn, and nothing discarded."""

from random import Random

import pytest

from referee import variants
from referee.advice import advise
from referee.cards import parse_cards, write_cards
from referee.describing import Refused, build, rules_hash
from referee.describing.checking import check_rules
from referee.describing.sentences import sentences_of
from referee.judging import rule_on
from referee.plays import Close, Moment
from referee.rulings import Code
from referee.scorepad import close_choices, keep_score
from tests import described
from tests.examples import examples

PLAIN = variants.get("gin-rummy")
GAME = PLAIN.with_options({"big-gin": 31})
GIN = parse_cards("2C 3C 4C 9D 9H 9S KC KH KD KS")
BIG = (*GIN, *parse_cards("5C"))


def with_settle(slug="gin-rummy", **numbers):
    """Give a game that settles a knock by these numbers, and has no house rules."""
    rules = described.game(slug)
    settle = {"knock": {name.replace("_", "-"): number for name, number in numbers.items()}}
    score = rules["score"] | {"settle": settle}
    return rules | {"score": score, "options": {}, "examples": []}


def score(*rounds, game=GAME):
    """Give the points of each round, in each who is named first closes."""
    return keep_score(game, 2, rounds, first_dealer=1).points


def melded_hand(random):
    """Deal eleven cards of which most are in melds, and often all."""
    cards = list(PLAIN.pack.cards)
    random.shuffle(cards)
    hand = []
    for card in cards:
        run = [each for each in PLAIN.pack.cards if each.suit is card.suit]
        at, size = run.index(card), random.choice([3, 4, 5])
        same = [each for each in PLAIN.pack.cards if each.rank == card.rank]
        meld = random.choice([run[at : at + size], random.sample(same, random.choice([3, 4]))])
        if not set(meld) & set(hand):
            hand += meld
    return tuple(hand[:11])


def test_if_only_what_was_said_counts_eleven_cards_are_said_to_be_big_gin():
    strict = with_settle(big_gin=31) | {"hand": {"knock": 10, "announce": "strict"}}
    game = build(strict)

    assert rule_on(Close(cards=BIG, says="closed"), game).broken == {Code.NOT_WHAT_WAS_SAID}
    assert rule_on(Close(cards=GIN, says="big-gin"), game).broken >= {Code.NOT_WHAT_WAS_SAID}
    assert rule_on(Close(cards=BIG, says="big-gin"), game).is_legal
    assert rule_on(Close(cards=BIG), game).is_legal


def test_every_big_gin_is_advised_and_no_other():
    """Brute force: big gin where a ruling allows all eleven, else any discard that closes."""
    random = Random("big gin")
    found = {"big-gin": 0, "closed": 0, None: 0}
    for _ in range(examples(120, least=12)):
        hand = melded_hand(random)
        discards = dict.fromkeys(hand)
        shown = {card: tuple(each for each in hand if each is not card) for card in discards}
        big = rule_on(Close(cards=hand), GAME).is_legal
        closes = [
            card
            for card in discards
            if rule_on(Close(cards=shown[card], discard=card), GAME).is_legal
        ]
        advice = advise(GAME, Moment(), hand)
        wanted = "big-gin" if big else "closed" if closes else None
        assert advice.closes_as == wanted, write_cards(hand)
        assert advice.possible is (wanted is not None)
        found[wanted] += 1
        if big:
            assert (advice.kept, advice.discard, advice.points) == ((), None, 0)
        elif closes:
            assert advice.discard in closes
    assert min(found.values()) > 0


def test_the_pad_asks_for_big_gin_by_what_it_adds():
    choices = {choice.word: (choice.title, choice.counts) for choice in close_choices(GAME)}

    assert choices == {"closed": ("Knock or gin", ""), "big-gin": ("Big gin", "+31")}
    assert close_choices(PLAIN) == ()


def test_big_gin_that_adds_less_than_gin_is_refused():
    with pytest.raises(Refused) as refused:
        build(with_settle(gin=25, big_gin=20))
    assert [each.path for each in refused.value.complaints] == ["score.settle"]
    assert build(with_settle(gin=25, big_gin=25)).close.big_gin == 25


def test_big_gin_goes_with_no_hand_that_is_special():
    rules = with_settle(big_gin=31)
    special = {"colour": {"is": "one-suit", "times": 1, "title": "Colour"}}
    with pytest.raises(Refused):
        build(rules | {"hand": {"knock": 10, "special": special}})


def test_no_number_and_no_field_read_alike():
    told = [
        sentences_of(check_rules(with_settle(gin=25, undercut=25, **big)))
        for big in ({}, {"big_gin": 0}, {"big_gin": 31})
    ]

    assert told[0] == told[1]
    assert "big gin 31" in told[2]["settle"]
    assert "big-gin" in told[2]
    assert "big-gin" not in told[1]


def test_a_game_without_big_gin_has_the_rules_that_it_had_before_there_was_one():
    before = with_settle(gin=25, undercut=25)

    assert rules_hash(before) == rules_hash(with_settle(gin=25, undercut=25, big_gin=0))
    assert rules_hash(before) != rules_hash(with_settle(gin=25, undercut=25, big_gin=31))
    assert '"settle":{"knock":{"gin":25,"undercut":25}}' in PLAIN.form


def test_the_rulebook_has_big_gin_if_it_is_played():
    assert GAME.rulebook.cited("big-gin").basis.value == "house"
    assert "big gin" not in " ".join(clause.says for clause in PLAIN.rulebook.clauses)
