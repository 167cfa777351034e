"""What may become of the jokers of a set on a table, under the rule of that table.

A joker *stays*, standing for the same tile wherever it lies, or it is *taken*. The naturals of its
set lie loose in any case, for a set goes on as it likes once its joker is out; where a joker has to
be replaced, what is asked for is a tile that could have taken its place
(`referee.turns.replacements`). At a table where jokers are locked a set with one is only added to:
it lies in a *holder*.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.tables.colours import WHOLE
from referee.cards import JOKER, Card
from referee.melds.grounds import legal_readings
from referee.melds.rules import rank_at
from referee.rulings import MeldKind
from referee.turns.joker_readings import TableSet, ways
from referee.turns.jokers import Retrieval
from referee.turns.replacements import SetTest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.tables.pools import Pool
    from referee.cards import Cards
    from referee.melds.rules import MeldRules
    from referee.rulings import Reading
    from referee.turns.joker_readings import Seen
    from referee.turns.jokers import JokerRule

_BEYOND: Final = 2
"""How many tiles are put to each end of a locked run at the most: three are a run by themselves."""


Replacing: TypeAlias = tuple[Card, ...]
"""Tiles that together could have taken the place of the jokers of one set, which are taken."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of the jokers of one set."""

    home: int
    """Where the set lies on the table."""
    loose: Cards = ()
    """Its tiles that may lie anywhere afterwards, jokers that stay as what they stand for."""
    staying: Cards = ()
    """The tiles among these that are jokers."""
    taken: int = 0
    """How many jokers are taken."""
    replacing: tuple[Replacing, ...] = ((),)
    """What may replace them."""
    by_joker: bool = True
    """Whether a joker may do so that stands for such a tile."""
    holder: Cards = ()
    """The set that it lies in, where it is locked."""
    added: Cards = ()
    """What is put to it there."""


def staying(table: Sequence[Cards], rules: MeldRules) -> tuple[Fate, ...]:
    """The fates that all jokers stay what they are, each set seen in the first way."""
    each = [_ways(at, cards, rules)[0] for at, cards in enumerate(table) if JOKER in cards]
    return tuple(Fate(seen.place, seen.reading.stands, seen.jokers) for seen in each)


def fates(
    table: Sequence[Cards], spare: int, rules: MeldRules, rule: JokerRule
) -> Iterator[tuple[Fate, ...]]:
    """What may become of all the jokers of a table; those that take fewest first.

    `spare` is how many jokers there are on the rack.
    """
    each, is_set = [], SetTest(rules)
    for at, cards in enumerate(table):
        if JOKER in cards:
            seen = _ways(at, cards, rules)
            if rule.retrieval is Retrieval.LOCKED:
                found = (fate for one in seen for fate in _holders(one, spare, rules))
                each.append([*dict.fromkeys(found)])
            else:
                each.append([*_loose(seen, rule, is_set)])
    yield from sorted(product(*each), key=lambda chosen: sum(fate.taken for fate in chosen))


def _ways(at: int, cards: Cards, rules: MeldRules) -> list[Seen]:
    """Every way to see a set."""
    readings = legal_readings(cards, rules) or legal_readings(cards, rules, as_laid=False)
    return [*ways(at, TableSet(cards, readings), rules.pack.suits)]


def _loose(every: Sequence[Seen], rule: JokerRule, is_set: SetTest) -> Iterator[Fate]:
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
        yield Fate(seen.place, loose, stays, gone, tuple(sorted(some, key=str)), by_joker)


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


def parts(tiles: Cards) -> Iterator[Cards]:
    """The parts of what lay in one set with which it goes on: any three that are a set.

    Of a set that its jokers have left with fewer that is all of it.
    """
    if len(tiles) <= WHOLE:
        yield tiles
    elif tiles[0].rank == tiles[1].rank:
        yield from combinations(tiles, WHOLE)
    else:
        there = sorted(tiles, key=lambda tile: tile.rank)
        rows = zip(there, there[1:], there[2:], strict=False)
        yield from (row for row in rows if row[-1].rank - row[0].rank == WHOLE - 1)


def sets_with(
    tile: Card, pool: Pool, rules: MeldRules, *, by_joker: bool = False
) -> Iterator[Cards]:
    """The sets that a tile may lie in, or a joker for it, of what there is in a pool."""
    there = pool.must + pool.may
    wilds = pool.jokers + pool.fresh + pool.spare
    wanted = [
        [tile, *(Card(tile.rank, suit) for suit in some)]
        for size in range(WHOLE - 1, len(rules.pack.suits))
        for some in combinations([suit for suit in rules.pack.suits if suit is not tile.suit], size)
    ]
    for size in range(WHOLE, 2 * WHOLE + 2):
        for start in rules.runs.starts(size):
            run = [Card(rank_at(at), tile.suit) for at in range(start, start + size)]
            if tile in run:
                wanted.append(run)
    for cards in wanted:
        each = [
            ((card,) if there[card] and not (by_joker and card is tile) else ())
            + ((JOKER,) if wilds and (by_joker or card is not tile) else ())
            for card in cards
        ]
        for laid in product(*each):
            if laid.count(JOKER) <= wilds:
                yield laid


def _holders(seen: Seen, spare: int, rules: MeldRules) -> Iterator[Fate]:
    """The sets that a locked set may have grown to, and what was added."""
    if seen.reading.kind is MeldKind.SET:
        there = {tile.suit for tile in seen.reading.stands}
        rank = seen.reading.stands[0].rank
        ends: list[tuple[Cards, Cards]] = [
            ((), (Card(rank, suit),)) for suit in rules.pack.suits if suit not in there
        ]
        grown = [((), ()), *ends]
    else:
        grown = list(_longer(seen.reading.arranged, rules))
    for lower, upper in grown:
        for wild in product((False, True), repeat=len(lower + upper)):
            if sum(wild) <= spare:
                added = tuple(
                    JOKER if is_joker else tile
                    for tile, is_joker in zip(lower + upper, wild, strict=True)
                )
                laid = added[: len(lower)] + seen.reading.arranged.cards + added[len(lower) :]
                yield Fate(seen.place, holder=laid, added=added)


def _longer(run: Reading, rules: MeldRules) -> Iterator[tuple[Cards, Cards]]:
    """What may be put below and above a run."""
    low, high, suit = min(run.places), max(run.places), run.stands[0].suit
    for below, above in product(range(_BEYOND + 1), repeat=2):
        start = rank_at(low - below) if rules.runs.wrap else low - below
        if start in rules.runs.starts(below + len(run.places) + above):
            yield (
                tuple(Card(rank_at(at), suit) for at in range(low - below, low)),
                tuple(Card(rank_at(at), suit) for at in range(high + 1, high + 1 + above)),
            )
