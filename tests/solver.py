"""A solver by others plays, and the referee must agree: `python -m tests.solver 1000`.

Whatever rummikub-solver proposes is a legal turn wherever jokers may be taken freely and go
anywhere, for these are the rules that it solves under. The other way round is not asked: it is
known to miss plays (it leaves out sets with a joker too many, and its runs end at five tiles), and
its engine now and then calls a position impossible although its table lies before it.

`differences` asks which of the two plays more, and where that is not the same number of tiles, a
second exact computation decides: den Hertog and Hulshof's integer program over the full list of
sets, jokers that are not needed among them, with the presolve of the engine turned off.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from rummikub_solver import Colour, GameState, Joker, Number, RuleSet, SolverMode, Tile

from referee import variants
from referee.cards import write_cards
from referee.judging import rule_on
from referee.plays import Rearrange
from tests.positions import LETTERS, RUMMIKUB, TABLES, TILE_JOKER, TILES, Laid, lay_one

COLOURS = {Colour.BLACK: "K", Colour.BLUE: "B", Colour.ORANGE: "O", Colour.RED: "R"}
SOLVED_UNDER = {"joker-retrieval": "free", "joker-reuse": "anywhere"}

RUN_PIECES = range(3, 6)
"""How long runs are; longer ones are several."""


@dataclass(slots=True)
class Tally:
    """What came of many positions."""

    accepted: int = 0
    nothing: int = 0
    """Nothing on the rack fits, says the solver."""
    infeasible: int = 0
    """The solver calls the position impossible, which no table of sets is."""
    refused: list[str] = field(default_factory=list)


def positions(count: int, seed: int = 0) -> list[Laid]:
    """Deal positions: tables of 0 to 80 tiles and 0 to 2 jokers, in turn."""
    chance = random.Random(seed)
    return [lay_one(chance, TABLES[turn % 5], turn // 5 % 3) for turn in range(count)]


def compare(dealt: Sequence[Laid]) -> Tally:
    """Put every play that the solver proposes to the referee."""
    rules = RuleSet()
    written = {_write(tile): tile for tile in rules.tiles}
    variant = variants.get("rummikub").with_options(SOLVED_UNDER)
    tally = Tally()
    for position in dealt:
        state = _state(position, rules, written)
        proposed = rules.solve(state, SolverMode.TILE_COUNT)
        if proposed is None:
            lost = bool(position.table) and rules.arrange_table(state) is None
            tally.infeasible += lost
            tally.nothing += not lost
            continue
        after = [" ".join(map(_write, tiles)) for tiles in proposed.sets]
        play = Rearrange(
            before=tuple(RUMMIKUB.pack.parse(" ".join(tiles)) for tiles in position.table),
            after=tuple(RUMMIKUB.pack.parse(tiles) for tiles in after),
            rack=RUMMIKUB.pack.parse(" ".join(position.rack)),
            # The solver lists the tiles of a set in no order.
            as_laid=False,
        )
        ruling = rule_on(play, variant)
        played = Counter(map(str, ruling.played or ()))
        if ruling.is_legal and played == Counter(map(_write, proposed.tiles)):
            tally.accepted += 1
        else:
            why = [variant.say(finding) for finding in ruling.findings if finding.against]
            tally.refused.append(f"{position} → {after}: {why}, {write_cards(ruling.played or ())}")
    return tally


def _state(position: Laid, rules: RuleSet, written: dict[str, Tile]) -> GameState:
    """Put a position as the solver has it."""
    state: GameState = rules.new_game()
    state.initial = False
    state.add_table(*(written[tile] for tiles in position.table for tile in tiles))
    state.add_rack(*(written[tile] for tile in position.rack))
    return state


@dataclass(frozen=True, slots=True)
class Difference:
    """A position of which two say different things."""

    position: Laid
    ours: int
    """How many tiles `advise` plays, how many the solver, and how many can be played."""
    theirs: int
    truth: int


def differences(dealt: Sequence[Laid]) -> list[Difference]:
    """Give the positions in which the solver plays another number of tiles than `advise`."""
    rules = RuleSet()
    written = {_write(tile): tile for tile in rules.tiles}
    variant = variants.get("rummikub").with_options(SOLVED_UNDER)
    found = []
    for position in dealt:
        turn = position.held.ask(variant).turn
        ours = len(turn.played) if turn else 0
        proposed = rules.solve(_state(position, rules, written), SolverMode.TILE_COUNT)
        theirs = len(proposed.tiles) if proposed else 0
        if ours != theirs:
            found.append(Difference(position, ours, theirs, most_tiles(position)))
    return found


def most_tiles(position: Laid) -> int:
    """Compute how many tiles of a rack can be played at the most, by an integer program.

    One number for each set there can be, how often it lies; every tile of the table lies, and none
    more often than it is there.
    """
    # Half a second, which who only wants the sets need not wait for.
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


def _write(tile: Tile) -> str:
    if isinstance(tile, Joker):
        return TILE_JOKER
    assert isinstance(tile, Number)
    return f"{COLOURS[tile.colour]}{tile.value}"


def main() -> int:
    """Say what came of it; the exit status is 1 where the two disagree."""
    parser = argparse.ArgumentParser(prog="python -m tests.solver", description=__doc__)
    parser.add_argument("positions", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    started = time.monotonic()
    tally = compare(positions(asked.positions, asked.seed))
    print(
        f"{asked.positions} positions in {time.monotonic() - started:.0f} s: "
        f"{tally.accepted} plays accepted, {len(tally.refused)} refused, "
        f"{tally.nothing} without a play, "
        f"{tally.infeasible} that the solver calls impossible"
    )
    for refused in tally.refused:
        print(f"- {refused}")
    return 1 if tally.refused else 0


if __name__ == "__main__":
    sys.exit(main())
