"""A turn at a table of tiles, move by move: it can be made, and leads where the advice says."""

from collections import Counter

import pytest

from referee.advice.advised import Turn
from referee.advice.tables import best_turn
from referee.advice.tables.moves import moves
from referee.cards import Card, Cards
from tests.positions import lay
from tests.referee.every_turn import LOOSE
from tests.referee.tiles import RUMMIKUB

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("tiles_there", [0, 20, 40, 60, 80])
def test_the_moves_of_a_turn_can_be_made(tiles_there, jokers):
    for laid in lay(tiles_there, jokers, 4, seed=11):
        held = laid.held
        for options in ({}, LOOSE):
            advice = best_turn(RUMMIKUB.with_options(options), held.table, held.hand, opened=True)
            if advice.turn is not None:
                check_moves(held.table, held.hand, advice.turn)


def check_moves(table: tuple[Cards, ...], rack: Cards, turn: Turn) -> None:
    """Make the moves of a turn, and see that what it says lies there then."""
    assert [len(one) for one in turn.origins] == [len(cards) for cards in turn.after]
    piles = [Counter(cards) for cards in table]
    hand = Counter(rack)
    laid: list[Counter[Card]] = [Counter() for _ in turn.after]
    rack_began = False
    for move in moves(turn):
        pile = hand if move.source is None else piles[move.source]
        assert Counter(move.tiles) <= pile, "a tile is moved once, from where it lies"
        pile -= Counter(move.tiles)
        laid[move.target] += Counter(move.tiles)
        assert not (rack_began and move.source is not None), "the rack comes last"
        rack_began = move.source is None
    for at, pile in enumerate(piles):
        if pile:
            here = (to for to, sources in enumerate(turn.origins) if at in sources)
            target = next(to for to in here if Counter(turn.after[to]) - laid[to] == pile)
            laid[target] += pile
    assert [+one for one in laid] == [Counter(cards) for cards in turn.after]
    untouched = [
        at
        for at, sources in enumerate(turn.origins)
        if len(set(sources)) == 1 and sources[0] is not None and turn.after[at] == table[sources[0]]
    ]
    assert untouched == list(range(len(untouched))), "what nobody touches comes first"
    sources = [turn.origins[at][0] for at in untouched]
    assert sources == sorted(sources), "and in its old order"
