"""Make sets of cards from what a sweep decided: runs in rising order, groups by color."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from referee.advice.tables.colours import LARGEST, NATURAL, WHOLE, ColourStep, Runs
from referee.advice.tables.groups import Colours
from referee.advice.tables.terms import Terms
from referee.cards import ACE, JOKER, KING, Card, Cards, Suit
from referee.melds.rules import MeldRules


@dataclass(frozen=True, slots=True)
class Decided:
    """What a sweep decided at one number."""

    rank: int
    steps: tuple[ColourStep, ...]
    """The step of each color."""
    groups: tuple[Colours, ...]
    """The groups of this number."""


def lay(
    suits: Sequence[Suit],
    decided: Sequence[Decided],
    carried: Sequence[Runs],
    last: Sequence[Runs],
    top: int,
) -> Iterator[Cards]:
    """Yield the sets that follow from the decisions, which are in the order of the sweep.

    `carried` has the runs of each color that are open before the first number, for runs around the
    corner, and `last` has those that are open at the end. `top` is the highest number.
    """
    rows = _tiles(tuple(suits))
    for one in decided:
        for group in one.groups:
            yield tuple([rows[at][one.rank] if at >= 0 else JOKER for at in group])
    for colour, tiles in enumerate(rows):
        threads: list[list[Card]] = [[] for _ in carried[colour]]
        first, done = list(threads), []
        for one in decided:
            moves = one.steps[colour].moves
            if not moves and not threads:
                continue
            tile, old, threads = tiles[one.rank], threads, []
            for source, kind in moves:
                thread = old[source] if source >= 0 else []
                thread.append(tile if kind == NATURAL else JOKER)
                threads.append(thread)
            going = {source for source, _ in moves}
            done += [thread for which, thread in enumerate(old) if which not in going]
        for run in _join(first, carried[colour], threads, last[colour], done):
            yield from _pieces(run, top)


@lru_cache(maxsize=8)
def _tiles(suits: tuple[Suit, ...]) -> tuple[Cards, ...]:
    """Return the tiles of each color, at the index of their number; index 0 isn’t used."""
    return tuple(tuple(Card(rank, suit) for rank in range(KING + 1)) for suit in suits)


def _join(
    first: list[list[Card]],
    carried: Runs,
    threads: list[list[Card]],
    runs: Runs,
    done: list[list[Card]],
) -> Iterator[Cards]:
    """Yield the runs of one color; those around the corner are joined into one of any length.

    A *thread* has the tiles of a run so far. `first` has the threads of the `carried` runs,
    `threads` those of the `runs` open at the end, and `done` those that ended before.
    """
    left = list(zip(runs, threads, strict=True))
    before: list[list[Card]] = []
    for run in carried:
        at = next(at for at, (one, _) in enumerate(left) if one == run)
        before.append(left.pop(at)[1])
    ends = done + [thread for _, thread in left]
    index = {id(thread): at for at, thread in enumerate(first)}
    seen: set[int] = set()

    def whole(thread: list[Card]) -> list[Card]:
        at = index.get(id(thread))
        if at is None or at in seen:
            return thread if at is None else []
        seen.add(at)
        return whole(before[at]) + thread

    for thread in ends:
        yield tuple(whole(thread))
    for at, thread in enumerate(first):
        if at not in seen:
            yield tuple(whole(thread))


def _pieces(run: Cards, top: int) -> Iterator[Cards]:
    """Split a run until no piece has more tiles than there are numbers, plus 1."""
    part = max(WHOLE, top - WHOLE)
    while len(run) > top + 1:
        yield run[:part]
        run = run[part:]
    yield run


def add_jokers(
    sets: tuple[Cards, ...], free: int, fresh: int, rules: MeldRules, terms: Terms
) -> tuple[Cards, ...] | None:
    """Return the sets with more jokers added, first the fresh ones; None if there is no room.

    Fresh jokers aren’t added to sets that contain an item of `terms.apart` or `terms.goes_on`.
    """
    laid, cap = list(sets), rules.wilds.max_in_meld
    for index in range(fresh + free):
        kept_from = (*terms.apart, *terms.goes_on) if index < fresh else ()
        grown = (
            (at, _with_joker(cards, rules.runs.top))
            for at, cards in enumerate(laid)
            if (cap is None or cards.count(JOKER) < cap)
            and not any(set(part) <= set(cards) for part in kept_from)
        )
        found = next(((at, cards) for at, cards in grown if cards), None)
        if found is None:
            return None
        laid[found[0]] = found[1]
    return tuple(laid)


def _with_joker(cards: Cards, top: int) -> Cards:
    """Return a set with a joker added; empty if there is no room for it."""
    naturals = [(at, card.rank) for at, card in enumerate(cards) if card is not JOKER]
    if len({rank for _, rank in naturals}) == 1:
        return (*cards, JOKER) if len(cards) < LARGEST else ()
    at, rank = naturals[0]
    if rank - at + len(cards) - 1 < top:
        return (*cards, JOKER)
    return (JOKER, *cards) if rank - at > ACE else ()
