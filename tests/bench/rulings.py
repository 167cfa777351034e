"""How long a ruling takes: `python -m tests.bench.rulings`.

Microseconds mean little on a shared machine, so a ruling on a meld is held against what a rules
library for chess needs to tell whether a move is legal, in interleaved bursts of one run. The cards
are read beforehand, as the moves are.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import chess

from referee import variants
from referee.cards import Cards, parse_cards
from referee.judging import rule_on
from referee.plays import LayDown, Moment, Rearrange, ShowMeld

RUMMIKUB = variants.get("rummikub")
BURST = 10
"""Calls that are timed together; one alone would be lost in the clock's grain."""

MELD = 15
"""How many moves of chess a ruling on a meld may cost."""

LAY_DOWN = 4
"""How many melds a ruling on a lay-down of three may cost."""

TABLE = 0.005
"""How many seconds a ruling on a full table may take."""

LOW = tuple(range(1, 11))

Call = Callable[[], object]


@dataclass(slots=True)
class Asked:
    """A kind of question, asked about many things in turn."""

    name: str
    calls: list[Call]
    burst: int = BURST
    times: list[float] = field(default_factory=list)

    def run(self, turn: int) -> None:
        """Time one burst, of the calls whose turn it is."""
        calls = [self.calls[(turn * self.burst + at) % len(self.calls)] for at in range(self.burst)]
        started = time.perf_counter()
        for call in calls:
            call()
        self.times.append((time.perf_counter() - started) / self.burst)

    @property
    def median(self) -> float:
        """Seconds a call."""
        return statistics.median(self.times)


def measure(turns: int) -> tuple[Asked, Asked, Asked, Asked]:
    """Time a move of chess, a meld, a lay-down and a full table, burst by burst."""
    asked = (
        Asked("chess: is_legal", _moves()),
        Asked("meld", _melds()),
        Asked("laydown, three melds", _lay_downs()),
        Asked("rearrange, 80 tiles", _tables(), burst=1),
    )
    for turn in range(turns):
        for one in asked:
            one.run(turn)
    return asked


def _moves() -> list[Call]:
    """Moves in positions of random games, a legal one and one of the position before each time."""
    chance = random.Random(1)
    calls: list[Call] = []
    for _ in range(20):
        board = chess.Board()
        for _ in range(chance.randint(10, 60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
        moves = list(board.legal_moves)
        chosen = chance.sample(moves, min(5, len(moves)))
        calls += [partial(board.is_legal, move) for move in chosen]
        if board.move_stack:
            calls.append(partial(board.is_legal, board.peek()))
    chance.shuffle(calls)
    return calls


def _melds() -> list[Call]:
    """Melds of the six-round game as they are shown: sets and runs, some with a wild, some bad."""
    variant = variants.get("mexican-rummy")
    written = (
        *("7C 7D 7H", "KS KH KD", "4D 5D 6D 7D", "9S 10S JS QS", "4D 5D 2S 7D", "2C 8H 9H 10H"),
        *("10H JH QH KH", "AS 2S 3S 4S", "QD KD AD 2C", "5C 5S 5C", "7C 7D 8H", "4D 5D 7D 8D"),
        *("KS AS 2S 3S", "JH QH KH AH", "3C 3D 3S 3H", "6S 7S 8S 9S 10S"),
    )
    plays = [ShowMeld(parse_cards(cards)) for cards in written]
    return [partial(rule_on, play, variant, Moment(2)) for play in plays]


def _lay_downs() -> list[Call]:
    """Lay-downs of three melds in the rounds that ask for three."""
    variant = variants.get("mexican-rummy")
    written = (
        (4, "7C 7D 7H / KS KH KD / 4D 4C 4H"),
        (4, "9C 9D 9H / AS AH AD / 6D 6C 6S"),
        (5, "7C 7D 7H / KS KH KD / 4D 5D 6D 7D"),
        (5, "QC QD QH / 3S 3H 3D / 9S 10S 2C QS"),
        (6, "5H 6H 7H 8H / 9C 10C JC QC / 4D 4C 4H"),
        (6, "5H 6H 2S 8H / 9C 10C JC QC / 4D 4C 4H"),
    )
    plays = [
        (LayDown(melds=tuple(map(parse_cards, cards.split("/")))), Moment(step))
        for step, cards in written
    ]
    return [partial(rule_on, play, variant, moment) for play, moment in plays]


def _tables() -> list[Call]:
    """Turns at a table of 80 tiles and two jokers: 20 groups are laid again as 16 runs."""
    chance = random.Random(1)
    variant = variants.get("rummikub").with_options(
        {"joker-retrieval": "free", "joker-reuse": "anywhere"}
    )
    plays = [_table(chance) for _ in range(20)]
    return [partial(rule_on, play, variant) for play in plays]


def _table(chance: random.Random) -> Rearrange:
    places = [(copy, colour, number) for copy in "12" for colour in "RBKO" for number in LOW]
    jokers = chance.sample(places, 2)

    def lay(sets: list[list[tuple[str, str, int]]], more: str) -> tuple[Cards, ...]:
        chance.shuffle(sets)
        written = [
            " ".join("JK" if place in jokers else f"{place[1]}{place[2]}" for place in places)
            for places in sets
        ]
        return tuple(RUMMIKUB.pack.parse(cards) for cards in (*written, *more.split("/")))

    groups = [[(copy, colour, at) for colour in "RBKO"] for copy in "12" for at in LOW]
    runs = [
        [(copy, colour, at) for at in half]
        for copy in "12"
        for colour in "RBKO"
        for half in (LOW[:5], LOW[5:])
    ]
    laid = lay(groups, "")[:-1]
    return Rearrange(before=laid, after=lay(runs, "R13 B13 K13"), as_laid=True)


def main() -> int:
    """Print the figures; the exit status is 1 where a ruling costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rulings", description=__doc__)
    parser.add_argument("turns", type=int, nargs="?", default=1000, help="bursts of each (1000)")
    asked = parser.parse_args()
    move, meld, lay_down, table = measure(asked.turns)
    print(f"{move.name:22} {move.median * 1e6:8.1f} µs")
    print(f"{meld.name:22} {meld.median * 1e6:8.1f} µs  {_say(meld, move, MELD)}")
    print(f"{lay_down.name:22} {lay_down.median * 1e6:8.1f} µs  {_say(lay_down, meld, LAY_DOWN)}")
    print(f"{table.name:22} {table.median * 1e6:8.1f} µs  (at most {TABLE * 1e6:.0f})")
    return int(
        meld.median > MELD * move.median
        or lay_down.median > LAY_DOWN * meld.median
        or table.median > TABLE
    )


def _say(one: Asked, other: Asked, most: float) -> str:
    return f"×{one.median / other.median:5.2f} of {other.name}  (at most {most:g})"


if __name__ == "__main__":
    sys.exit(main())
