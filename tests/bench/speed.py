"""What is measured of the referee's advice, and the most that it may take (issue 4).

Processor time, with Python's garbage collector running as it does in the app. Each position is
asked once, so nothing is remembered from it; what all positions share is built before. The work is
interleaved with that of the other engines, so what slows one slows all.
"""

import gc
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from referee import variants
from referee.advice import no_advice
from referee.melds.deadwood import arrange
from referee.turns.closing import least_deadwood
from referee.variant import Variant
from tests import gin, positions
from tests.bench import fresh, peers
from tests.positions import TABLES, Held

Call = Callable[[], object]

TURNS = 20
"""So many times everything is measured in turn."""

WARM = 3
"""Positions that are asked before, so that tables are there."""

WHOLE = 460
"""Milliseconds for the referee with questions and every game: 60 and 400, as in `before`."""

MOST_DEALT = 14
"""Cards in hand: more are dealt in few games, and come up after a pile was taken."""

CLUSTERS = "RLCard, no wilds", 10


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that a figure may be: so many milliseconds, or so many times a peer's figure."""

    of: str
    """`median`, `p99` or `most`."""
    most: float
    peer: tuple[str, int] | None = None


@dataclass(slots=True, eq=False)
class Work:
    """Questions of one kind and size, each timed alone."""

    kind: str
    size: int
    """Cards in hand, or tiles on the table."""
    calls: list[Call]
    limits: tuple[Limit, ...] = ()
    cpu: list[float] = field(default_factory=list)
    """Milliseconds of processor time a question."""
    wall: list[float] = field(default_factory=list)
    undecided: int = 0
    """Answers that are the best found, not the best there is."""
    may_give_up: bool = False
    """Whether an answer says if it is that."""

    def warm(self) -> None:
        """Ask what is not measured."""
        for call in self.calls[:WARM]:
            call()
        del self.calls[:WARM]

    def run(self, turn: int) -> None:
        """Ask the questions whose turn it is."""
        for call in self.calls[turn::TURNS]:
            started, cpu = time.perf_counter(), time.process_time()
            answer = call()
            self.cpu.append((time.process_time() - cpu) * 1000)
            self.wall.append((time.perf_counter() - started) * 1000)
            decided = getattr(answer, "decided", None)
            self.may_give_up = decided is not None
            self.undecided += decided is False

    def figure(self, of: str) -> float:
        """Answer a figure in milliseconds of processor time."""
        return _figure(self.cpu, of)

    @property
    def wall_p99(self) -> float:
        """Milliseconds by the clock on the wall, which a busy machine makes longer."""
        return _figure(self.wall, "p99")


def _figure(times: list[float], of: str) -> float:
    if of == "median":
        return statistics.median(times)
    ordered = sorted(times)
    return ordered[-1] if of == "most" else ordered[math.ceil(0.99 * len(ordered)) - 1]


@dataclass(frozen=True, slots=True)
class Check:
    """One figure against its limit, both in the same unit."""

    name: str
    figure: float
    limit: float
    unit: str = "ms"
    beside_peer: bool = False
    """Whether the limit goes by what a peer took in the same run."""

    @property
    def met(self) -> bool:
        """Whether it is at most what it may be."""
        return self.figure <= self.limit

    def would_be_met(self, slower: float) -> bool:
        """Whether it would be met where plain Python takes so many times less."""
        return self.unit == "ms" and not self.beside_peer and self.figure <= self.limit * slower


def measure(works: Sequence[Work]) -> None:
    """Time everything, turn by turn."""
    for work in works:
        work.warm()
    # What was loaded and dealt is no garbage of a question, and is not looked through for any.
    gc.collect()
    gc.freeze()
    for turn in range(TURNS):
        for work in works:
            work.run(turn)


def checks(works: Sequence[Work]) -> list[list[Check]]:
    """Hold each work against its limits."""
    by_name = {(work.kind, work.size): work for work in works}
    return [
        [
            Check(
                limit.of,
                work.figure(limit.of),
                limit.most * (_peer(by_name[limit.peer], limit.of) if limit.peer else 1),
                beside_peer=limit.peer is not None,
            )
            for limit in work.limits
        ]
        for work in works
    ]


def _peer(work: Work, of: str) -> float:
    """Answer the figure of a peer, whichever clock is kinder to it: some work in two threads."""
    return min(_figure(work.cpu, of), _figure(work.wall, of))


def all_works(count: int, seed: int, only: str = "") -> list[Work]:
    """Make everything that is asked: so many positions of each kind and size.

    With `only`, what has that word in its kind, and the engines that it is held against.
    """
    works = [
        *_tables(count, seed),
        *_contracts(count, seed),
        *_lays(count, seed),
        # These take microseconds each, so many more of them can be asked.
        *_deadwood(5 * count, seed),
        *_adversarial(count, seed),
    ]
    chosen = [work for work in works if only.casefold() in work.kind.casefold()]
    peers_of = {limit.peer for work in chosen for limit in work.limits}
    return [work for work in works if work in chosen or (work.kind, work.size) in peers_of]


def _tables(count: int, seed: int) -> list[Work]:
    """Rummikub with the sets shown, by the rules that rummikub-solver plays and by the seed's."""
    default = variants.get("rummikub")
    free = default.with_options({"joker-retrieval": "free", "joker-reuse": "anywhere"})
    works = []
    for tiles in TABLES:
        for jokers in range(3):
            both = positions.lay(tiles, jokers, 2 * (count + WARM), seed=seed)
            # Each has positions of its own: what is remembered of a meld would serve the second.
            laid, others = both[: count + WARM], both[count + WARM :]
            said = _jokers(jokers)
            full, kind = tiles == TABLES[-1], f"rummikub-solver, {said}"
            for name, variant, times, asked in (
                ("free", free, 1, laid),
                ("default", default, 3, others),
            ):
                calls: list[Call] = [partial(one.held.ask, variant) for one in asked]
                limits = (
                    Limit("median", times / (40 if full else 10), (kind, tiles)),
                    Limit("p99", (8 if full else 40) * times),
                )
                works.append(Work(f"Rummikub {name}, {said}", tiles, calls, limits))
            # An answer takes up to a second, so fewer are asked.
            asked = laid[: WARM + count // 2]
            works.append(Work(kind, tiles, [peers.most_tiles(one) for one in asked]))
    return works


def _jokers(jokers: int) -> str:
    return "1 joker" if jokers == 1 else f"{jokers} jokers"


def _contracts(count: int, seed: int) -> list[Work]:
    """Lay down a contract, all rounds and phases in turn."""
    mexican, phases = variants.get("mexican-rummy"), variants.get("eleven-phases")
    works = []
    for size in (9, 11, 13, 15, 17, 20, 23, 27):
        works += [
            _hands("Mexican Rummy, as dealt", mexican, size, count, seed),
            _hands("Mexican Rummy, 0-4 black 2s", mexican, size, count, seed, range(5)),
            _hands("Eleven phases, as dealt", phases, size, count, seed),
        ]
    return works + [
        _beside(f"{name}, six melds lie there", variant, size, count, seed)
        for name, variant in (("Mexican Rummy", mexican), ("Eleven phases", phases))
        for size in (11, 15, 20, 27)
    ]


def _lays(count: int, seed: int) -> list[Work]:
    """Lay the melds that score most."""
    variant = variants.get("rummy-500")
    works = []
    for size in (7, 9, 11, 13, 15, 18, 21, 25):
        works += [
            _hands("Rummy 500, as dealt", variant, size, count, seed),
            _hands("Rummy 500, 0-6 wilds", variant, size, count, seed, range(7)),
        ]
    works += [
        _beside("Rummy 500, six melds lie there", variant, size, count, seed)
        for size in (7, 15, 25)
    ]
    for size in (7, 12):
        held = positions.fanned(variant, size, 15, count + WARM, seed=seed)
        kind = "Rummy 500, a pile of 15"
        works.append(Work(kind, size, [partial(one.ask, variant) for one in held]))
    return works


def _hands(  # noqa: PLR0917 - a row of a table
    kind: str,
    variant: Variant,
    size: int,
    count: int,
    seed: int,
    wilds: Sequence[int] | None = None,
) -> Work:
    held = positions.deal(variant, size, count + WARM, wilds=wilds, seed=seed)
    limits = (Limit("p99", 60),) if size <= MOST_DEALT else ()
    return Work(kind, size, [partial(one.ask, variant) for one in held], limits)


def _beside(kind: str, variant: Variant, size: int, count: int, seed: int) -> Work:
    """Lay off too: no limit is set for that, as melds on the table are no cards in hand."""
    held = positions.beside(variant, size, 6, count + WARM, seed=seed)
    return Work(kind, size, [partial(one.ask, variant) for one in held])


def _deadwood(count: int, seed: int) -> list[Work]:
    """Leave the least of a hand that somebody else has closed."""
    game = variants.get("remigio")
    rule, rules, values = game.close, game.melds_at(None), game.values
    assert rule is not None
    suits = game.pack.suits
    works = []
    for size in (9, 10, 11):
        held = positions.deal(game, size, count + WARM, seed=seed)
        limits = (Limit("median", 5, CLUSTERS), Limit("p99", 5, CLUSTERS)) if size == 10 else ()
        least = partial(least_deadwood, rule=rule, rules=rules, values=values, dealt=10)
        calls: list[Call] = [partial(least, one.hand) for one in held]
        works.append(Work("Remigio, least deadwood", size, calls, limits))
        works.append(
            Work("Remigio, advice", size, [partial(one.ask, game) for one in held]),
        )
    for size in (7, 10, 11, 13, 15, 20, 25):
        held = positions.plain(game, size, count + WARM, seed=seed)
        if size <= 13:
            limits = (Limit("median", 1, CLUSTERS), Limit("p99", 1, CLUSTERS)) if size == 10 else ()
            calls = [partial(arrange, one.hand, gin.RULES, gin.VALUES) for one in held]
            works.append(Work("Least deadwood, no wilds", size, calls, limits))
        if size == 10:
            calls = [peers.meld_clusters(one, suits) for one in held]
            works.append(Work(*CLUSTERS, calls))
        calls = [peers.min_deadwood(one, suits) for one in held]
        works.append(Work("OpenSpiel, no wilds", size, calls))
    return works


def _adversarial(count: int, seed: int) -> list[Work]:
    """Ask with all the wilds there are in hand, and as many cards as may be asked about."""
    return [
        _hard(variant, positions.adversarial(variant, 60, max(20, count // 10), seed=seed))
        for variant in variants.all()
        if not no_advice(variant)
    ]


def _hard(variant: Variant, held: list[Held]) -> Work:
    size = len(held[0].hand)
    calls: list[Call] = [partial(one.ask, variant) for one in held]
    return Work(f"{variant.name}, all wilds", size, calls, (Limit("most", 450),))


def fresh_checks() -> list[Check]:
    """Measure what a process that has just started pays."""
    seen = fresh.measure()
    return [
        Check("import referee", seen.imported, 60),
        Check("with questions and every game", seen.whole, WHOLE),
        *(Check(f"tables, {slug}", taken, 30) for slug, taken in seen.tables.items()),
        Check("memory that advice adds", seen.grown, 20, "MB"),
    ]
