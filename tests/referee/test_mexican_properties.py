"""What must hold of every ruling of Mexican Rummy, whatever the cards."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.cards import CARD_SUITS, Card, Suit
from referee.judging import rule_on
from referee.plays import LayDown, LayOff, Moment, ShowMeld
from referee.rulings import MeldKind
from tests.referee.plays import MEXICAN

quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

cards = st.builds(Card, st.integers(1, 13), st.sampled_from(CARD_SUITS))
loose = st.lists(cards, min_size=1, max_size=7).map(tuple)


@st.composite
def near_melds(draw):
    """Cards that are a meld or nearly one: a set or a run with a card changed or moved."""
    suit = draw(st.sampled_from(CARD_SUITS))
    if draw(st.booleans()):
        rank = draw(st.integers(1, 13))
        meld = [
            Card(rank, draw(st.sampled_from(CARD_SUITS))) for _ in range(draw(st.integers(2, 5)))
        ]
    else:
        low = draw(st.integers(1, 11))
        size = draw(st.integers(3, 7))
        meld = [Card((low + step - 1) % 13 + 1, suit) for step in range(size)]
    for _ in range(draw(st.integers(0, 2))):
        wild = Card(2, draw(st.sampled_from([Suit.SPADES, Suit.CLUBS])))
        meld[draw(st.integers(0, len(meld) - 1))] = wild
    if draw(st.booleans()):
        meld.reverse()
    if draw(st.booleans()):
        meld[draw(st.integers(0, len(meld) - 1))] = draw(cards)
    return tuple(meld)


melds = st.one_of(loose, near_melds())
steps = st.integers(1, 6)


def is_legal(meld, step, variant=MEXICAN, **options):
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return rule_on(ShowMeld(meld), variant.with_options(chosen), Moment(step)).is_legal


@quick
@given(melds, st.sampled_from([2, 3, 5, 6]))
def test_a_wild_joins_every_legal_run_that_has_room(meld, step):
    ruling = rule_on(ShowMeld(meld), MEXICAN, Moment(step))
    if not ruling.is_legal or ruling.readings[0].kind is MeldKind.SET or len(meld) > 13:
        return

    joined = rule_on(LayOff((Card(2, Suit.SPADES),), meld, own=True), MEXICAN, Moment(step))

    assert joined.is_legal


@quick
@given(melds, steps)
def test_a_stricter_house_rule_never_allows_more(meld, step):
    for stricter in ({"adjacent_wilds": False}, {"duplicates_in_set": False}, {"max_wilds": 1}):
        if is_legal(meld, step, **stricter):
            assert is_legal(meld, step)


@quick
@given(melds, steps)
def test_a_looser_house_rule_never_forbids_more(meld, step):
    if is_legal(meld, step):
        assert is_legal(meld, step, wrap=True)
        assert is_legal(meld, step, min_naturals=0)


@quick
@given(st.lists(melds, max_size=4), steps, st.booleans())
def test_a_lay_down_is_ruled_alike_in_whatever_order_its_melds_are_named(laid, step, down):
    def rule(order):
        play = LayDown(melds=tuple(order), kept=(), down=down)
        return rule_on(play, MEXICAN, Moment(step))

    assert rule(laid).is_legal is rule(laid[::-1]).is_legal
    assert bool(rule(laid).broken) is not rule(laid).is_legal
