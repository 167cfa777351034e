"""A turn at a table of tiles as a person makes it: where each tile comes from, and what moves.

Equal tiles can’t be distinguished, and a set that was moved is called another one; so of several
tellings of the same turn the one is taken in which most tiles stay together.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from referee.advice.advised import Turn
from referee.cards import JOKER, Card, Cards


@dataclass(frozen=True, slots=True)
class Move:
    """Tiles that are added to a meld.

    >>> from referee import Moment, variants
    >>> from referee.advice import advise, moves
    >>> game = variants.get("rummikub")
    >>> sevens, rack = game.pack.parse("B7 R7 O7"), game.pack.parse("K7 R1 R2")
    >>> moves(advise(game, Moment(), rack, table=(sevens,)).turn)
    (Move(tiles=(K7,), source=None, target=0),)
    """

    tiles: Cards
    source: int | None
    """The meld of the table before that they come from, by its index; None for the rack."""
    target: int
    """The meld of the table afterwards, by its index."""


def laid_out(before: Sequence[Cards], after: Sequence[Cards], played: Cards, value: int) -> Turn:
    """Tell how a table becomes another one.

    Melds that nobody touches are as they were and in their old order, the changed ones follow
    those. `played` are the tiles from the rack, `value` what they would have cost in hand.
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
    """The melds that nobody touches, by where they lay, and the others of the new table."""
    untouched: set[int] = set()
    others = list(range(len(after)))
    # Most are where they were, tile by tile, which is quick to see.
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
    """Find where the tiles of melds come from; the greatest common part of two melds first."""
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
    """Let tiles of a meld come from one place, as many as there are."""
    for at, card in enumerate(cards):
        if at not in spots and there.get(card):
            there[card] -= 1
            spots[at] = source


def _oldest(spots: dict[int, int | None]) -> tuple[bool, int]:
    """Order changed melds by the meld most of whose tiles they have; new ones come last."""
    sources = Counter(source for source in spots.values() if source is not None)
    return (False, sources.most_common(1)[0][0]) if sources else (True, 0)


def moves(turn: Turn) -> tuple[Move, ...]:
    """Return the moves of a turn, in an order in which they can be made and read.

    Each tile that leaves its meld or the rack is moved once. A meld goes on where most of its tiles
    are already: they do not move; the others are added to it. What the table gives comes first, so
    that the rack ends the turn.

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
    """For each old meld the new one that it goes on in; a new meld goes on from one alone."""
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
    """Tell melds apart: by their cards, and with a joker by their order, which says what it is."""
    return cards if JOKER in cards else (len(cards), frozenset(cards))
