"""A turn at a table of tiles plays as many as an integer program says, on tables of any size.

The program is den Hertog and Hulshof's, over the full list of sets, jokers that are not needed
among them.
"""

import random
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from referee import variants
from tests.examples import examples
from tests.positions import LETTERS, TABLES, TILE_JOKER, TILES, Laid, lay_one

pytestmark = [pytest.mark.slow, pytest.mark.release]

SOLVED_UNDER = {"joker-retrieval": "free", "joker-reuse": "anywhere"}

RUN_PIECES = range(3, 6)
"""How long runs are; longer ones are several."""


def positions(count: int, seed: int = 0) -> list[Laid]:
    """Deal positions: tables of 0 to 80 tiles and 0 to 2 jokers, in turn."""
    chance = random.Random(seed)
    return [lay_one(chance, TABLES[turn % 5], turn // 5 % 3) for turn in range(count)]


def most_tiles(position: Laid) -> int:
    """Compute how many tiles of a rack can be played at most, by an integer program.

    One number for each set there can be, how often it lies; every tile of the table lies, and none
    more often than it is there.
    """
    # Only a release has them installed.
    import numpy as np
    from scipy.optimize import (  # type: ignore[import-untyped]
        Bounds,
        LinearConstraint,
        milp,
    )

    table = Counter(tile for tiles in position.table for tile in tiles)
    there = table + Counter(position.rack)
    names = [*TILES, TILE_JOKER]
    sets = [some for some in every_set() if not some - there]
    if not sets:
        return 0
    matrix = np.array([[some[name] for some in sets] for name in names])
    lying = LinearConstraint(
        matrix, [table[name] for name in names], [there[name] for name in names]
    )
    solved = milp(
        -matrix.sum(axis=0),
        constraints=lying,
        integrality=np.ones(len(sets)),
        bounds=Bounds(0, 4),
        options={"presolve": False},
    )
    assert solved.success, "the table itself is one arrangement"
    return round(-float(solved.fun)) - table.total()


@cache
def every_set() -> tuple[Counter[str], ...]:
    """Give every set of three to five tiles, with no, one or two jokers in any place."""
    plain = [
        [f"{letter}{number}" for letter in letters]
        for number in range(1, 14)
        for size in (3, 4)
        for letters in combinations(LETTERS, size)
    ]
    plain += [
        [f"{letter}{number}" for number in range(start, start + size)]
        for letter in LETTERS
        for size in RUN_PIECES
        for start in range(1, 15 - size)
    ]
    found = {
        tuple(sorted([*some, *[TILE_JOKER] * (len(tiles) - len(some))]))
        for tiles in plain
        for jokers in range(3)
        for some in combinations(tiles, len(tiles) - jokers)
    }
    return tuple(Counter(some) for some in sorted(found))


def test_there_are_as_many_sets_as_others_have_counted():
    # 1173 with up to two jokers and up to five tiles: the test suite of gregorias/rummikubsolver
    # has the same number. Without jokers: 5 groups a number, runs of 3, 4 and 5 a color.
    assert len(every_set()) == 1173
    assert sum("JK" not in some for some in every_set()) == 13 * 5 + 4 * (11 + 10 + 9)


def test_as_many_tiles_are_played_as_an_integer_program_says():
    variant = variants.get("rummikub").with_options(SOLVED_UNDER)
    for position in positions(examples(60), seed=1):
        advice = position.held.ask(variant)
        assert advice.decided
        assert len(advice.turn.played if advice.turn else ()) == most_tiles(position)
