"""What may become of the jokers of a set on a table, under the rule of that table.

A joker *stays*, standing for the same tile wherever it is, or it is *taken*. The naturals of its
set are loose in any case, for a set goes on as it likes once its joker is out; where a joker has to
be replaced, what is asked for is a tile that could have taken its place
(`referee.turns.replacements`). At a table where jokers are locked all of them stay, each with the
whole set it is in.
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
"""Tiles that together could have taken the place of the jokers of one set, which are taken."""


@dataclass(frozen=True, slots=True)
class JokerOutcome:
    """What becomes of the jokers of one set."""

    home: int
    """Where the set is on the table."""
    loose: Cards = ()
    """Its tiles that may be anywhere afterwards, jokers that stay as what they stand for."""
    staying: Cards = ()
    """The tiles among these that are jokers."""
    taken: int = 0
    """How many jokers are taken."""
    replacing: tuple[Replacing, ...] = ((),)
    """What may replace them."""
    by_joker: bool = True
    """Whether a joker may do so that stands for such a tile."""


def staying(table: Sequence[Cards], rules: MeldRules) -> tuple[JokerOutcome, ...]:
    """The outcomes that all jokers stay what they are, each set seen in the first way."""
    each = [_ways(at, cards, rules)[0] for at, cards in enumerate(table) if JOKER in cards]
    return tuple(map(_staying, each))


def outcomes(
    table: Sequence[Cards], rules: MeldRules, rule: JokerRule
) -> Iterator[tuple[JokerOutcome, ...]]:
    """What may become of all the jokers of a table; those that take fewest first."""
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
    """Each choice of jokers that leave a set, and what may replace them."""
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
    """Every choice of tiles that could have taken the place of jokers of a set."""
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
    """The parts of what lay in one set with which it goes on: any three that are a set.

    Where its jokers have left a gap or too few, that is all of it.
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
    """Whether tiles lay in one run, and are more than so many."""
    return len(tiles) > than and tiles[0].rank != tiles[1].rank


def has_gap(tiles: Cards) -> bool:
    """Whether naturals that were in one run are no run without what was between them."""
    ranks = {tile.rank for tile in tiles}
    return 0 < len(ranks) - 1 < max(ranks) - min(ranks)
