"""After a knock the best lay-off of the other hand is found, whatever else could be done."""

from itertools import chain, combinations
from random import Random

from referee import variants
from referee.cards import parse_cards
from referee.describing import build
from referee.melds.deadwood import arrange, every_way
from referee.scorepad import keep_score
from referee.scorepad.hands import HandRecord, least_left
from referee.scorepad.laying_off import _laid_off, lay_off_best, lay_offs
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


def layouts(cards):
    """Every way to put ten cards into melds so that ten points or fewer are left, and those."""
    sizes = (combinations(cards, size) for size in range(3, len(cards) + 1))
    melds = [set(some) for some in chain.from_iterable(sizes) if is_meld(some)]
    some_melds = [laid for n in range(4) for laid in combinations(melds, n)]
    for laid in some_melds:
        left = set(cards).difference(*laid)
        apart = len(cards) - len(left) == sum(map(len, laid))
        points = GIN.values.count(tuple(left), frozenset())
        if apart and points <= 10:
            yield [as_written(meld) for meld in laid], points


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


def test_the_knocker_lays_out_the_melds_that_make_the_greatest_difference():
    random = Random(3)
    matters = 0
    for _ in range(examples(150)):
        shown, hand = knock_with_a_choice(random)
        worth = {least_by_trying_everything(hand, laid) - own for laid, own in layouts(shown)}

        theirs, own = after_lay_offs(shown, hand)
        assert theirs - own == max(worth), (shown, hand)
        matters += len(worth) > 1
    assert matters, "it never mattered how the melds were laid out"


def after_lay_offs(shown, hand, laid=()):
    """What the other player and the one who knocked have left over."""
    knock = HandRecord(out=True, shown=shown, laid=laid)
    laid_off = lay_offs(GIN, {0: knock, 1: HandRecord(left=hand)}, (1, 1))
    theirs = laid_off[1].kept.points if 1 in laid_off else least_left(GIN, hand).points
    return theirs, laid_off[0].kept.points if 0 in laid_off else least_left(GIN, shown).points


KEPT = parse_cards("8C 4S 8D 6S AD 7S 8H 2C 2H 5S")
AGAINST = parse_cards("AH 9C 2S 9D 6H 3S 5D 4D AC KC")


def test_a_knocker_may_keep_a_card_so_that_nothing_is_laid_off():
    theirs, own = after_lay_offs(KEPT, AGAINST)

    assert theirs - own == 41


def test_melds_that_were_said_are_the_ones_that_were_laid():
    run, eights = parse_cards("4S 5S 6S 7S"), parse_cards("8C 8D 8H")

    theirs, own = after_lay_offs(KEPT, AGAINST, (run, eights))

    assert (theirs, own) == (45, 5)


def test_with_as_little_over_as_can_be_the_knocker_is_worth_less(monkeypatch):
    """The broken twin: a referee that only looks at what leaves the knocker least."""
    least = least_left(GIN, KEPT).points
    monkeypatch.setattr(
        "referee.scorepad.laying_off.every_way",
        lambda *of: (way for way in every_way(*of) if way.points == least),
    )
    _laid_off.cache_clear()

    theirs, own = after_lay_offs(KEPT, AGAINST)
    _laid_off.cache_clear()

    assert theirs - own == 40


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
