"""Engines by others that do a part of what the referee's advice does, to measure it against.

Each is asked through its own front door, with what it wants to be asked made beforehand. None of
them says which of the seed's games it plays: rummikub-solver knows one rule about jokers, the other
two know one pack without wilds.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial

import pyspiel
from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters
from rlcard.games.gin_rummy.utils.utils import card_from_card_id
from rummikub_solver import Colour, Joker, RuleSet, SolverMode

from referee.cards import Card, Suit
from tests.positions import TILE_JOKER, Held, Laid

COLOURS = {"K": Colour.BLACK, "B": Colour.BLUE, "O": Colour.ORANGE, "R": Colour.RED}


@cache
def _rules() -> RuleSet:
    return RuleSet()


def most_tiles(laid: Laid) -> Callable[[], object]:
    """rummikub-solver: the most tiles that can be played.

    Only the number of tiles is asked for: what it calls the greatest value is none.
    """
    rules = _rules()
    tiles = {
        TILE_JOKER if isinstance(tile, Joker) else (tile.colour, tile.value): tile  # type: ignore[attr-defined]  # all others are numbers
        for tile in rules.tiles
    }

    def made(text: str) -> object:
        return tiles[TILE_JOKER if text == TILE_JOKER else (COLOURS[text[0]], int(text[1:]))]

    state = rules.new_game()
    state.initial = False
    state.add_table(*(made(tile) for tiles in laid.table for tile in tiles))  # type: ignore[arg-type]  # all are tiles
    state.add_rack(*(made(tile) for tile in laid.rack))  # type: ignore[arg-type]  # as above
    return partial(rules.solve, state, SolverMode.TILE_COUNT)


def meld_clusters(held: Held, suits: Sequence[Suit]) -> Callable[[], object]:
    """RLCard: the melds that leave the least; exactly ten cards of one pack, no wilds."""
    return partial(get_best_meld_clusters, [card_from_card_id(at) for at in _places(held, suits)])


def min_deadwood(held: Held, suits: Sequence[Suit]) -> Callable[[], object]:
    """OpenSpiel, which is C++: the least deadwood; one pack, no wilds."""
    return partial(_gin(len(held.hand)).min_deadwood, _places(held, suits))


@cache
def _gin(size: int) -> pyspiel.gin_rummy.GinRummyUtils:
    return pyspiel.gin_rummy.GinRummyUtils(13, 4, size)


def _places(held: Held, suits: Sequence[Suit]) -> list[int]:
    """Answer where the cards stand in a new pack; both engines count suit by suit, the ace low."""
    return [_place(card, suits) for card in held.hand]


def _place(card: Card, suits: Sequence[Suit]) -> int:
    assert card.suit is not None
    return suits.index(card.suit) * 13 + card.rank - 1
