"""What advice is asked on in tests and measurements can be held and can lie at a table."""

from collections import Counter

import pytest

from referee import variants
from referee.cards import JOKER
from referee.melds.grounds import legal_readings
from tests import positions

RUMMIKUB = variants.get("rummikub")
CARDS = [game for game in variants.all() if game.rearrangement is None]


@pytest.mark.parametrize("game", CARDS, ids=lambda game: game.slug)
def test_a_hand_comes_from_the_packs_of_the_game(game):
    whole = Counter(positions.packs(game))
    steps = set(range(1, game.steps + 1))
    held = positions.deal(game, 11, 60)

    assert all(len(one.hand) == 11 and not Counter(one.hand) - whole for one in held)
    assert {one.moment.step for one in held} == (steps or {None})
    assert held == positions.deal(game, 11, 60) != positions.deal(game, 11, 60, seed=1)


@pytest.mark.parametrize("game", CARDS, ids=lambda game: game.slug)
def test_the_melds_beside_a_hand_are_melds_and_of_the_same_packs(game):
    whole = Counter(positions.packs(game))
    for held in positions.beside(game, 11, 6, 60):
        assert not Counter(card for cards in (held.hand, *held.table) for card in cards) - whole
        assert all(legal_readings(cards, game.melds_at(held.moment.step)) for cards in held.table)


def test_every_round_meets_every_number_of_wilds():
    game = variants.get("mexican-rummy")
    held = positions.deal(game, 11, 30, wilds=range(5))
    seen = Counter(
        (one.moment.step, sum(card in game.wilds.cards for card in one.hand)) for one in held
    )

    assert seen == Counter((step, wilds) for step in range(1, 7) for wilds in range(5))


@pytest.mark.parametrize("jokers", range(3))
@pytest.mark.parametrize("tiles", positions.TABLES)
def test_a_table_of_tiles_is_made_of_sets_and_of_one_box(tiles, jokers):
    rules = RUMMIKUB.melds_at(None)
    whole = Counter(positions.packs(RUMMIKUB))
    for laid in positions.lay(tiles, jokers, 20):
        held = laid.held
        every = Counter(card for cards in (held.hand, *held.table) for card in cards)
        assert tiles - 3 < sum(map(len, held.table)) <= tiles or tiles == 0
        assert len(held.hand) == positions.RACK
        assert every[JOKER] == jokers
        assert not every - whole
        assert all(legal_readings(cards, rules) for cards in held.table)


@pytest.mark.parametrize("game", variants.all(), ids=lambda game: game.slug)
def test_the_hardest_hands_hold_every_wild(game):
    for held in positions.adversarial(game, 60, 15):
        wilds = game.wilds_at(held.moment.step).cards
        wild = [
            *[card for card in game.pack.cards if card in wilds] * game.pack.copies,
            *[JOKER] * game.pack.jokers,
        ]
        assert len(held.hand) <= len(wild) or not Counter(wild) - Counter(held.hand)
