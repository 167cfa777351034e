"""A solver by others plays, and the referee must agree: `python -m tests.solver 1000`.

Whatever rummikub-solver proposes is a legal turn wherever jokers may be taken freely and go
anywhere, for these are the rules that it solves under. The other way round is not asked: it is
known to miss plays (it leaves out sets with a joker too many, and its runs end at five tiles), and
its engine now and then calls a position impossible although its table lies before it.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rummikub_solver import Colour, GameState, Joker, Number, RuleSet, SolverMode, Tile

from referee import variants
from referee.bench import rule_on
from referee.cards import Notation, parse_cards, write_cards
from referee.plays import Rearrange

RACK = 14
TABLES = (0, 20, 40, 60, 80)
"""How many tiles lie on the table, at most."""

COLOURS = {Colour.BLACK: "K", Colour.BLUE: "B", Colour.ORANGE: "O", Colour.RED: "R"}
SOLVED_UNDER = {"joker-retrieval": "free", "joker-reuse": "anywhere"}

LETTERS = "KBOR"
TILES = [f"{letter}{number}" for letter in LETTERS for number in range(1, 14)]
JOKER = "JK"


@dataclass(frozen=True, slots=True)
class Position:
    """The sets on the table and the tiles on a rack, as they are written."""

    table: tuple[tuple[str, ...], ...]
    rack: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """What came of many positions."""

    accepted: int = 0
    nothing: int = 0
    """Nothing on the rack fits, says the solver."""
    infeasible: int = 0
    """The solver calls the position impossible, which no table of sets is."""
    refused: list[str] = field(default_factory=list)


def positions(count: int, seed: int = 0) -> list[Position]:
    """Deal positions: tables of 0 to 80 tiles and 0 to 2 jokers, in turn."""
    chance = random.Random(seed)
    return [_deal(chance, TABLES[turn % 5], turn // 5 % 3) for turn in range(count)]


def _deal(chance: random.Random, most: int, jokers: int) -> Position:
    left = Counter(TILES * 2)
    table: list[list[str]] = []
    for _ in range(200):
        tiles = _set(chance)
        if sum(map(len, table)) + len(tiles) <= most and not Counter(tiles) - left:
            left -= Counter(tiles)
            table.append(tiles)
    on_rack = []
    for _ in range(jokers):
        tiles = chance.choice(table) if table else []
        places = [at for at, tile in enumerate(tiles) if tile != JOKER]
        # One joker a set at the most, so that what the solver lays is not called a set of jokers.
        if len(places) == len(tiles) > 0 and chance.random() < 0.7:
            at = chance.choice(places)
            left[tiles[at]] += 1
            tiles[at] = JOKER
        else:
            on_rack.append(JOKER)
    pool = sorted(left.elements())
    rack = on_rack + chance.sample(pool, RACK - len(on_rack))
    return Position(tuple(map(tuple, table)), tuple(rack))


def _set(chance: random.Random) -> list[str]:
    if chance.random() < 0.5:
        number = chance.randint(1, 13)
        return [f"{letter}{number}" for letter in chance.sample(LETTERS, chance.choice((3, 3, 4)))]
    length = chance.choice((3, 3, 4, 5, 6))
    start, letter = chance.randint(1, 14 - length), chance.choice(LETTERS)
    return [f"{letter}{number}" for number in range(start, start + length)]


def compare(dealt: Sequence[Position]) -> Tally:
    """Put every play that the solver proposes to the referee."""
    rules = RuleSet()
    written = {_write(tile): tile for tile in rules.tiles}
    variant = variants.get("rummikub").with_options(SOLVED_UNDER)
    tally = Tally()
    for position in dealt:
        state: GameState = rules.new_game()
        state.initial = False
        state.add_table(*(written[tile] for tiles in position.table for tile in tiles))
        state.add_rack(*(written[tile] for tile in position.rack))
        proposed = rules.solve(state, SolverMode.TILE_COUNT)
        if proposed is None:
            lost = bool(position.table) and rules.arrange_table(state) is None
            tally.infeasible += lost
            tally.nothing += not lost
            continue
        after = [" ".join(map(_write, tiles)) for tiles in proposed.sets]
        play = Rearrange(
            before=tuple(parse_cards(" ".join(tiles), Notation.TILES) for tiles in position.table),
            after=tuple(parse_cards(tiles, Notation.TILES) for tiles in after),
            rack=parse_cards(" ".join(position.rack), Notation.TILES),
            # The solver lists the tiles of a set in no order.
            as_laid=False,
        )
        ruling = rule_on(play, variant)
        played = Counter(map(str, ruling.played or ()))
        if ruling.is_legal and played == Counter(map(_write, proposed.tiles)):
            tally.accepted += 1
        else:
            why = [finding.says for finding in ruling.findings if finding.against]
            tally.refused.append(f"{position} → {after}: {why}, {write_cards(ruling.played or ())}")
    return tally


def _write(tile: Tile) -> str:
    if isinstance(tile, Joker):
        return JOKER
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
