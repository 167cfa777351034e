"""What can happen to the jokers of a set on the table, under the rules of a game.

A joker *stays* if it stands for the same tile afterwards, wherever it is; otherwise it is *taken*.
For red 3 JK 5 there are two outcomes. If the joker stays, there are red 3, 4 and 5 to arrange, and
the 4 is really the joker. If it is taken, there are red 3 and 5 and a joker; in games that ask for
a replacement, a red 4 needs to have been put in its place first.

The naturals of its set can go anywhere in any case, because a set can be rearranged once its joker
is out. If a joker needs to be replaced, only a tile that could have been put in its place is needed
(`referee.turns.replacements`). If jokers are locked, all of them stay, each with its whole set.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TypeAlias

from referee.advice.tables.colours import WHOLE
from referee.cards import JOKER, Card, Cards
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.turns.joker_readings import Seen, TableSet, ways
from referee.turns.jokers import JokerRule, Retrieval
from referee.turns.replacements import SetTest

Replacing: TypeAlias = tuple[Card, ...]
"""Tiles that together could have replaced the taken jokers of one set."""


@dataclass(frozen=True, slots=True)
class JokerOutcome:
    """What happens to the jokers of one set."""

    home: int
    """The index of the set on the table."""
    loose: Cards = ()
    """The tiles of the set: without jokers that are taken, and with the tiles that the other jokers
    stand for."""
    staying: Cards = ()
    """Those of the tiles in `loose` that are really jokers."""
    taken: int = 0
    """How many jokers are taken."""
    replacing: tuple[Replacing, ...] = ((),)
    """The choices of tiles that can have replaced the taken jokers; one empty choice if they don’t
    need to be replaced."""
    by_joker: bool = True
    """Whether another joker that stands for such a tile can also replace them."""


def staying(table: Sequence[Cards], rules: MeldRules) -> tuple[JokerOutcome, ...]:
    """Return an outcome for each set with a joker: all stay, as in the first reading found."""
    each = [_ways(at, cards, rules)[0] for at, cards in enumerate(table) if JOKER in cards]
    return tuple(map(_staying, each))


def outcomes(
    table: Sequence[Cards], rules: MeldRules, rule: JokerRule
) -> Iterator[tuple[JokerOutcome, ...]]:
    """Yield every combination of outcomes for the sets with a joker, the fewest taken first.

    Each combination has one outcome for every set with a joker.
    """
    each, is_set = [], SetTest(rules)
    for at, cards in enumerate(table):
        if JOKER in cards:
            seen = _ways(at, cards, rules)
            if rule.retrieval is Retrieval.LOCKED:
                each.append([_staying(one) for one in seen])
            else:
                each.append([*_loose(seen, rule, is_set)])
    yield from sorted(product(*each), key=lambda chosen: sum(outcome.taken for outcome in chosen))


def _staying(seen: Seen) -> JokerOutcome:
    return JokerOutcome(seen.place, seen.reading.stands, seen.jokers)


def _ways(at: int, cards: Cards, rules: MeldRules) -> list[Seen]:
    readings = legal_readings(cards, rules) or legal_readings(cards, rules, as_laid=False)
    return [*ways(at, TableSet(cards, readings), rules.pack.suits)]


def _loose(every: Sequence[Seen], rule: JokerRule, is_set: SetTest) -> Iterator[JokerOutcome]:
    """Yield an outcome for each choice of jokers taken from a set, with what can replace them."""
    found: dict[tuple[Cards, Cards], set[Replacing]] = {}
    for seen in every:
        naturals = tuple(card for card in seen.cards if card is not JOKER)
        for size in range(len(seen.jokers) + 1):
            for taken in combinations(seen.jokers, size):
                stays = tuple((Counter(seen.jokers) - Counter(taken)).elements())
                loose = naturals + stays if taken else seen.reading.stands
                some = found.setdefault((loose, stays), set())
                some |= _replacing(seen, loose, taken, rule, is_set)
    for (loose, stays), some in found.items():
        seen = every[0]
        by_joker = not (rule.exact or (rule.both_colours and seen.is_group_of_three))
        gone = seen.cards.count(JOKER) - len(stays)
        yield JokerOutcome(seen.place, loose, stays, gone, tuple(sorted(some, key=str)), by_joker)


def _replacing(
    seen: Seen, loose: Cards, taken: Cards, rule: JokerRule, is_set: SetTest
) -> set[Replacing]:
    """Return every choice of tiles that can have replaced the taken jokers of a set."""
    if rule.retrieval is not Retrieval.REPLACE or not taken:
        return {()}
    if rule.both_colours and seen.is_group_of_three:
        return {is_set.colours_lacking(loose)}
    if rule.exact:
        return {taken}
    found: set[Replacing] = set()
    for order in permutations(taken):
        grown: list[tuple[Cards, Cards]] = [(loose + order, ())]
        for tile in order:
            grown = [
                ((*rest, other), (*used, other))
                for tiles, used in grown
                for rest in [_without(tiles, tile)]
                for other in is_set.fitting(rest)
            ]
        found.update(tuple(sorted(used, key=str)) for _, used in grown)
    return found


def _without(tiles: Cards, tile: Card) -> Cards:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


def parts(tiles: Cards) -> tuple[Cards, ...]:
    """Return the parts of an old set’s tiles: if one of them is together in a set, it continues.

    Each 3 of the tiles that are a set are a part: (3, 4, 5) and (4, 5, 6) of the run 3 4 5 6. If
    there are only up to 3 tiles, or if they are a run with a gap, all of them together are a part.
    """
    if len(tiles) <= WHOLE:
        return (tiles,)
    if not is_long(tiles, WHOLE):
        return tuple(combinations(tiles, WHOLE))
    there = sorted(tiles, key=lambda tile: tile.rank)
    rows = zip(there, there[1:], there[2:], strict=False)
    found = (row for row in rows if row[-1].rank - row[0].rank == WHOLE - 1)
    return (*((tiles,) if has_gap(tiles) else ()), *found)


def is_long(tiles: Cards, than: int) -> bool:
    """Return whether the tiles, which are from one set, are a run with more tiles than this."""
    return len(tiles) > than and tiles[0].rank != tiles[1].rank


def has_gap(tiles: Cards) -> bool:
    """Return whether tiles from one run have a gap between their numbers."""
    ranks = {tile.rank for tile in tiles}
    return 0 < len(ranks) - 1 < max(ranks) - min(ranks)
