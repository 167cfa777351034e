"""What must hold of every game whatever the cards: order, suits, wilds, and the ruling itself."""

from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from referee import variants
from referee.cards import JOKER, Card, Suit
from referee.judging import rule_on
from referee.plays import Call, Close, LayDown, LayOff, Moment, PickUp, Rearrange, ShowMeld
from referee.rulings import Code, MeldKind
from referee.variant import ForTheTableError
from tests.examples import examples
from tests.referee.plays import clauses

EVERY = pytest.mark.parametrize("game", variants.all(), ids=lambda game: game.slug)
WITH_WILDS_IN_SETS = pytest.mark.parametrize(
    "game",
    [game for game in variants.all() if game.wilds.cards and game.wilds.in_sets],
    ids=lambda game: game.slug,
)
FEW = settings(max_examples=examples(40), deadline=None)
NAMED_LIMITS = {Code.TOO_MANY_IN_MELD, Code.TOO_MANY_WILDS}


def cards_of(game, least=1, most=8):
    return _cards_of(game.slug, least, most)


@cache
def _cards_of(slug, least, most):
    """Cards near each other, as at a table: a few ranks, a few suits, wilds among them."""
    game = variants.get(slug)
    wild = sorted(game.wilds.cards, key=str)
    pack = [*game.pack.cards, *([JOKER] if game.pack.jokers else []), *wild]
    ranks = st.integers(1, 13).flatmap(
        lambda low: st.sampled_from(
            [card for card in pack if card in wild or (card.rank - low) % 13 < 5] or pack
        )
    )
    of_one_suit = st.sampled_from(game.pack.suits).flatmap(
        lambda suit: st.lists(
            st.sampled_from([card for card in pack if card.suit is suit or card in wild]),
            min_size=least,
            max_size=most,
        )
    )
    return st.one_of(st.lists(ranks, min_size=least, max_size=most), of_one_suit).map(tuple)


def verdict(game, cards):
    return rule_on(ShowMeld(cards), game).is_legal


@EVERY
@FEW
@given(data=st.data())
def test_a_run_may_be_laid_from_either_end(game, data):
    cards = data.draw(cards_of(game))

    assert verdict(game, cards) == verdict(game, cards[::-1])


def alike(game):
    """Give the suits that may change places: for black wilds, only those of one color."""
    if game.wilds.cards & set(game.pack.cards) == game.wilds.cards and game.wilds.cards:
        suits = {card.suit for card in game.wilds.cards}
        return [some for some in ((Suit.SPADES, Suit.CLUBS),) if set(some) == suits]
    return list(permutations(game.pack.suits, 2))


@EVERY
@FEW
@given(data=st.data())
def test_suits_that_are_alike_may_change_places(game, data):
    cards = data.draw(cards_of(game))
    for one, other in alike(game):
        swapped = {one: other, other: one}
        turned = tuple(
            Card(card.rank, swapped.get(card.suit, card.suit) if card.suit else None)
            for card in cards
        )
        assert verdict(game, cards) == verdict(game, turned)


@WITH_WILDS_IN_SETS
@FEW
@given(data=st.data())
def test_a_wild_more_spoils_a_set_only_by_a_named_limit(game, data):
    natural = game.wilds.natural_in_place
    none = game.sets.without | (frozenset() if natural else game.wilds.cards)
    ranks = set(range(1, 14)) - {card.rank for card in none}
    rank = data.draw(st.sampled_from(sorted(ranks)))
    cards = tuple(Card(rank, suit) for suit in game.pack.suits[: data.draw(st.integers(3, 4))])
    wild = data.draw(st.sampled_from(sorted(game.wilds.cards, key=str)))
    assert verdict(game, cards)
    ruling = rule_on(ShowMeld((*cards, wild)), game)

    assert ruling.is_legal or ruling.broken <= NAMED_LIMITS


@EVERY
@FEW
@given(data=st.data())
def test_order_only_matters_if_there_is_a_hint(game, data):
    cards = data.draw(cards_of(game))
    laid = rule_on(ShowMeld(cards), game)
    free = rule_on(ShowMeld(cards, as_laid=False), game)

    assert free.is_legal == (laid.is_legal or bool(laid.hint))
    for order in laid.hint:
        assert verdict(game, game.pack.parse(order))


@cache
def plays_of(slug):
    game = variants.get(slug)
    cards, some = cards_of(game), cards_of(game, 0)
    melds = st.lists(cards, max_size=3).map(tuple)
    one = cards.map(lambda drawn: drawn[0])
    layoffs = st.lists(st.builds(LayOff, cards, cards, own=st.booleans()), max_size=2).map(tuple)
    laying = {"melds": melds, "layoffs": layoffs, "first": st.booleans()}
    pile = cards.flatmap(
        lambda pile: st.builds(
            PickUp, pile=st.just(pile), take=st.sampled_from(pile), melds=melds, layoffs=layoffs
        )
    )
    return st.one_of(
        st.builds(ShowMeld, some, as_laid=st.booleans()),
        st.builds(LayDown, **laying, down=st.booleans(), kept=st.none() | some),
        st.builds(LayOff, some, cards, own=st.booleans(), down=st.booleans()),
        st.builds(Close, cards=cards_of(game, 9, 11), says=st.sampled_from([None, "colour"])),
        st.builds(Call, discard=one, table=melds, ended=st.booleans(), drawn=st.booleans()),
        st.builds(Rearrange, before=melds, after=melds, opened=st.booleans()),
        pile,
    )


@EVERY
@settings(max_examples=examples(120), deadline=None)
@given(data=st.data())
def test_a_ruling_never_says_two_things_and_always_says_why(game, data):
    play = data.draw(plays_of(game.slug))
    step = data.draw(st.integers(1, len(game.contracts))) if game.contracts else None
    try:
        ruling = rule_on(play, game, Moment(step))
    except ForTheTableError:
        # The referee says that it does not rule on that.
        reject()

    assert ruling.findings
    assert ruling.is_legal != any(finding.against for finding in ruling.findings)
    assert all(game.say(finding) for finding in ruling.findings)
    assert set(clauses(ruling, game)) <= set(game.rulebook.clauses)
    if ruling.is_legal:
        assert not ruling.hint
        assert ruling.multiplier is None or ruling.closes_as is not None
    for reading in ruling.readings:
        assert len(reading.cards) == len(reading.stands)
        assert reading.kind is MeldKind.RUN or not reading.places
