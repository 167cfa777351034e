"""Describe a turn at a table of tiles as a person makes it: where each tile comes from and goes.

Equal tiles can’t be distinguished, so the same turn can be described in several ways. The one in
which most tiles stay together is used.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from referee.advice.advised import Turn
from referee.cards import JOKER, Card, Cards


@dataclass(frozen=True, slots=True)
class Move:
    """Tiles that are moved together to one meld.

    >>> from referee import Moment, variants
    >>> from referee.advice import advise, moves
    >>> game = variants.get("rummikub")
    >>> sevens, rack = game.pack.parse("B7 R7 O7"), game.pack.parse("K7 R1 R2")
    >>> moves(advise(game, Moment(), rack, table=(sevens,)).turn)
    (Move(tiles=(K7,), source=None, target=0),)
    """

    tiles: Cards
    source: int | None
    """The index of the meld on the table before the turn that they come from; None for the rack."""
    target: int
    """The index of the meld in `Turn.after` that they go to."""


def laid_out(before: Sequence[Cards], after: Sequence[Cards], played: Cards, value: int) -> Turn:
    """Return the turn that changes one table into another, with where each tile comes from.

    Melds that don’t change come first, in their old order. `played` are the tiles from the rack,
    and `value` is what they would have counted in hand.
    """
    untouched, others = _untouched(before, after)
    changed = [after[to] for to in others]
    loose = {at: Counter(cards) for at, cards in enumerate(before) if at not in untouched}
    rack = Counter(played)
    placed: list[tuple[Cards, tuple[int | None, ...]]] = [
        (before[at], (at,) * len(before[at])) for at in untouched
    ]
    found: list[dict[int, int | None]] = [{} for _ in changed]
    _trace(changed, loose, rack, found)
    order = sorted(range(len(changed)), key=lambda at: _oldest(found[at]))
    placed += [
        (changed[at], tuple(found[at][spot] for spot in range(len(changed[at])))) for at in order
    ]
    return Turn(
        after=tuple(cards for cards, _ in placed),
        played=played,
        value=value,
        origins=tuple(sources for _, sources in placed),
    )


def _untouched(before: Sequence[Cards], after: Sequence[Cards]) -> tuple[list[int], list[int]]:
    """Return the old indexes of melds that don’t change, and the new indexes of the others."""
    untouched: set[int] = set()
    others = list(range(len(after)))
    # Most are exactly the same, tile by tile, which is faster to compare.
    for tell in (tuple, _key):
        places = defaultdict(list)
        for to in others:
            places[tell(after[to])].append(to)
        for at, cards in enumerate(before):
            if at not in untouched and (same := places.get(tell(cards))):
                same.pop()
                untouched.add(at)
        others = sorted(to for left in places.values() for to in left)
    return sorted(untouched), others


def _trace(
    changed: Sequence[Cards],
    loose: dict[int, Counter[Card]],
    rack: Counter[Card],
    found: list[dict[int, int | None]],
) -> None:
    """Fill `found` with where the tiles of each changed meld come from.

    `found` maps each position in a meld to the index of an old meld, or to None for the rack.
    `loose` has the tiles of the old melds that changed. Pairs of an old and a new meld that share
    the most tiles come first.
    """
    there = [(source, set(tiles)) for source, tiles in loose.items()]
    shared = sorted(
        (-len(tiles.intersection(cards)), source, to)
        for to, cards in enumerate(changed)
        for source, tiles in there
        if not tiles.isdisjoint(cards)
    )
    for _, source, to in shared:
        _take(changed[to], loose[source], found[to], source)
    for cards, spots in zip(changed, found, strict=True):
        _take(cards, rack, spots, None)


def _take(
    cards: Cards, there: Counter[Card], spots: dict[int, int | None], source: int | None
) -> None:
    """Mark tiles of a meld as coming from `source`, as many as `there` has, and take them out."""
    for at, card in enumerate(cards):
        if at not in spots and there.get(card):
            there[card] -= 1
            spots[at] = source


def _oldest(spots: dict[int, int | None]) -> tuple[bool, int]:
    """Return a sort key: the index of the old meld that shares the most tiles; new melds last."""
    sources = Counter(source for source in spots.values() if source is not None)
    return (False, sources.most_common(1)[0][0]) if sources else (True, 0)


def moves(turn: Turn) -> tuple[Move, ...]:
    """Return the moves of a turn, those of tiles on the table first, then those from the rack.

    Each tile that leaves its meld or the rack is moved once. A new meld is built on the tiles that
    it shares with one old meld, if possible the one it shares the most with: these don’t move, and
    the other tiles are added to them.

    >>> from referee import Moment, variants
    >>> from referee.advice import advise, moves
    >>> game = variants.get("rummikub")
    >>> sevens, rack = game.pack.parse("B7 R7 O7"), game.pack.parse("K7 R1 R2")
    >>> moves(advise(game, Moment(), rack, table=(sevens,)).turn)[0].tiles
    (K7,)
    """
    stays = _going_on(turn)
    made: list[Move] = []
    for target, (cards, sources) in enumerate(zip(turn.after, turn.origins, strict=True)):
        for source in dict.fromkeys(sources):
            if source is None or stays.get(source) != target:
                tiles = tuple(
                    card for card, one in zip(cards, sources, strict=True) if one == source
                )
                made.append(Move(tiles, source, target))
    return tuple(sorted(made, key=lambda move: (move.source is None, move.target)))


def _going_on(turn: Turn) -> dict[int, int]:
    """Return the new meld that each old meld continues as, both as indexes.

    An old meld continues as at most one new meld, and a new meld continues at most one old one;
    pairs that share the most tiles come first.
    """
    shared = Counter(
        (source, target)
        for target, sources in enumerate(turn.origins)
        for source in sources
        if source is not None
    )
    stays: dict[int, int] = {}
    for (source, target), _ in shared.most_common():
        if source not in stays and target not in stays.values():
            stays[source] = target
    return stays


def _key(cards: Cards) -> tuple[object, ...]:
    """Return a key for comparing melds: order only matters if there is a joker in them."""
    return cards if JOKER in cards else (len(cards), frozenset(cards))
