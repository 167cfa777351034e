"""After a knock the best lay-off of the other hand is found, whatever else could be done."""

from itertools import chain, combinations
from random import Random

from referee import variants
from referee.cards import parse_cards
from referee.describing import build
from referee.melds.deadwood import arrange
from referee.scorepad import keep_score
from referee.scorepad.hands import HandRecord, least_left
from referee.scorepad.laying_off import lay_off_best, lay_offs
from tests import described
from tests.examples import examples

GIN = variants.get("gin-rummy")
MELDS = {
    "2C 3C 4C": ("run", "C", 2, 4),
    "9D 9H 9S": ("set", 9, "DHS"),
    "KC KH KD": ("set", 13, "CHD"),
}
SHOWN = arrange(parse_cards("2C 3C 4C 9D 9H 9S KC KH KD"), GIN.melds_at(None), GIN.values).melds
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
        found = lay_off_best(GIN, SHOWN, hand)

        assert found.kept.points == least_by_trying_everything(hand, [*MELDS.values()]), hand
        laid_off += bool(found.cards)
    assert laid_off > examples(60)


def layouts(cards, least):
    """Every way to put ten cards into melds so that no more than the least is left over."""
    sizes = (combinations(cards, size) for size in range(3, len(cards) + 1))
    melds = [set(some) for some in chain.from_iterable(sizes) if is_meld(some)]
    some_melds = [laid for n in range(4) for laid in combinations(melds, n)]
    for laid in some_melds:
        left = set(cards).difference(*laid)
        apart = len(cards) - len(left) == sum(map(len, laid))
        if apart and GIN.values.count(tuple(left), frozenset()) == least:
            yield [as_written(meld) for meld in laid]


def is_meld(cards):
    ranks, suits = sorted(card.rank for card in cards), {card.suit for card in cards}
    in_a_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(set(ranks)) == 1 or (len(suits) == 1 and in_a_row)


def as_written(meld):
    ranks = sorted(card.rank for card in meld)
    suits = "".join(card.suit.letter for card in meld)
    return (
        ("set", ranks[0], suits)
        if ranks[0] == ranks[-1]
        else ("run", suits[0], ranks[0], ranks[-1])
    )


def test_the_knocker_lays_out_the_melds_that_let_the_others_lay_off_least():
    random = Random(3)
    matters = 0
    for _ in range(examples(150)):
        shown, hand = knock_with_a_choice(random)
        least = least_left(GIN, shown).points
        by_layout = {least_by_trying_everything(hand, laid) for laid in layouts(shown, least)}
        records = [HandRecord(out=True, left=shown), HandRecord(left=hand)]
        laid_off = lay_offs(GIN, dict(enumerate(records)), (1, 1))

        kept = laid_off[1].kept if laid_off else least_left(GIN, hand)
        assert kept.points == max(by_layout), (shown, hand)
        matters += len(by_layout) > 1
    assert matters, "it never mattered how the melds were laid out"


def knock_with_a_choice(random):
    """Deal a hand that can knock, with a card that a run and a set both want, and another hand."""
    while True:
        rank, suit = random.randrange(4, 10), random.choice(GIN.pack.suits)
        same = [card for card in GIN.pack.cards if card.rank == rank]
        row = [c for c in GIN.pack.cards if c.suit is suit and abs(c.rank - rank) < 4]
        small = [c for c in GIN.pack.cards if c.rank < 4 and c not in row]
        begun = {*same, *random.sample(row, 5)}
        shown = tuple(begun) + tuple(random.sample(small, max(0, 10 - len(begun))))
        near = [c for c in GIN.pack.cards if c.suit is suit and c not in shown]
        far = [c for c in GIN.pack.cards if c not in near and c not in shown]
        hand = tuple(random.sample(near, min(5, len(near))))
        hand += tuple(random.sample(far, 10 - len(hand)))
        if len(set(shown)) == 10 and 0 < least_left(GIN, shown).points <= 10:
            return shown, hand


def test_a_card_stays_in_a_meld_of_your_own_if_that_leaves_less():
    hand = parse_cards("5C 5H 5D 6C 8S 8D 2H JS QD 4H")

    found = lay_off_best(GIN, SHOWN, hand)

    assert found.cards == ()
    assert found.kept.points == 48


HAND = parse_cards("5C 6C 9C 8H 8D QS QD JH 2D KS")


def points(game, left):
    return keep_score(game, 2, [[KNOCK, HandRecord(left=left)]], 0).points[0]


def test_the_pad_lays_off_what_it_can_if_both_hands_are_named():
    assert points(GIN, HAND) == (41, 0)


def test_a_number_that_was_entered_is_not_changed():
    assert points(GIN, 60) == (53, 0)


def test_a_game_that_began_before_counts_as_it_did():
    spec = described.game("gin-rummy")
    del spec["layoff"]["counted"]

    assert points(build(spec), HAND) == (71, 0)
