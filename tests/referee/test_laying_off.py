"""After a knock the best lay-off of the other hand is found, whatever else could be done."""

from random import Random

from referee import variants
from referee.cards import parse_cards
from referee.describing import build
from referee.scorepad import keep_score
from referee.scorepad.hands import HandRecord, least_left
from referee.scorepad.laying_off import lay_off_best
from tests import described
from tests.examples import examples

GIN = variants.get("gin-rummy")
MELDS = {
    "2C 3C 4C": ("run", "C", 2, 4),
    "9D 9H 9S": ("set", 9, "DHS"),
    "KC KH KD": ("set", 13, "CHD"),
}
KNOCK = HandRecord(out=True, shown=parse_cards("2C 3C 4C 9D 9H 9S KC KH KD 7S"))


def least_by_trying_everything(hand, melds):
    """The fewest points that any lay-off leaves, found without the referee’s melds."""
    best = least_left(GIN, hand).points
    for card in set(hand):
        rest = list(hand)
        rest.remove(card)
        for meld in melds:
            others = [other for other in melds if other is not meld]
            for grown in grow(meld, card):
                best = min(best, least_by_trying_everything(tuple(rest), [*others, grown]))
    return best


def grow(meld, card):
    if meld[0] == "set":
        _, rank, suits = meld
        if card.rank == rank and card.suit.letter not in suits:
            yield "set", rank, suits + card.suit.letter
        return
    _, suit, low, high = meld
    if card.suit.letter == suit and card.rank == low - 1:
        yield "run", suit, low - 1, high
    if card.suit.letter == suit and card.rank == high + 1:
        yield "run", suit, low, high + 1


def test_no_other_lay_off_leaves_less():
    random = Random(24)
    pack = [card for card in GIN.pack.cards if card not in KNOCK.shown]
    near = [card for card in pack if card.suit.letter == "C" or card.rank in {9, 13}]
    laid_off = 0
    for _ in range(examples(120)):
        hand = tuple(random.sample(near, 5) + random.sample([c for c in pack if c not in near], 5))
        found = lay_off_best(GIN, KNOCK, hand)

        assert found.kept.points == least_by_trying_everything(hand, [*MELDS.values()]), hand
        laid_off += bool(found.cards)
    assert laid_off > examples(60)


def test_a_card_stays_in_a_meld_of_your_own_if_that_leaves_less():
    hand = parse_cards("5C 5H 5D 6C 8S 8D 2H JS QD 4H")

    found = lay_off_best(GIN, KNOCK, hand)

    assert found.cards == ()
    assert found.kept.points == 48


HAND = parse_cards("5C 6C 9C 8H 8D QS QD JH 2D KS")


def points(game, left):
    return keep_score(game, 2, [[KNOCK, HandRecord(left=left)]], 0).points[0]


def test_the_pad_lays_off_what_it_can_where_both_hands_are_named():
    assert points(GIN, HAND) == (41, 0)


def test_a_number_that_was_entered_is_not_changed():
    assert points(GIN, 60) == (53, 0)


def test_a_game_that_began_before_counts_as_it_did():
    spec = described.game("gin-rummy")
    del spec["layoff"]["counted"]

    assert points(build(spec), HAND) == (71, 0)
