"""What may become of the jokers of a set on a table, under the rule of that table.

A joker stays, standing for the same tile wherever it lies; or it is taken, and then the rest of its
set lies in a holder that has grown: one legal set. Longer holders than two tiles beyond what is
asked are not tried, for three tiles at the end of a run are a run by themselves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from referee.cards import JOKER, Card
from referee.grounds import legal_readings
from referee.jokers import Retrieval
from referee.melds import rank_at
from referee.sights import TableSet, ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Cards
    from referee.jokers import JokerRule
    from referee.melds import MeldRules
    from referee.sights import Seen

_BEYOND: Final = 2
"""How many tiles more are tried at each end of a run."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of the jokers of one set."""

    loose: Cards = ()
    """The set where it may lie anywhere afterwards, jokers that stay in it as their tiles."""
    staying: Cards = ()
    """The tiles among these that are jokers."""
    taken: Cards = ()
    """The tiles that jokers stood for which left the set."""
    holder: Cards = ()
    """The set in which its rest lies, if that is asked for."""
    added: Cards = ()
    """What was put to it, from the table or the rack."""
    racked: Cards = ()
    """What was put to it, from the rack."""


def fates(
    table: Sequence[Cards], rack: Cards, rules: MeldRules, rule: JokerRule
) -> Iterator[tuple[Fate, ...]]:
    """Give what may become of all the jokers of a table; those that leave fewest first."""
    there = Counter(card for cards in (*table, rack) for card in cards)
    held = [_seen(at, cards, rules) for at, cards in enumerate(table) if JOKER in cards]
    if rule.retrieval is not Retrieval.LOCKED:
        # These come first in any case, and will do as a rule; so the others wait.
        yield from product(*([*dict.fromkeys(map(_staying, some))] for some in held))
    stands = [{tile for seen in some for tile in seen.jokers} for some in held]
    each: list[list[Fate]] = []
    for at, some in enumerate(held):
        more = Counter(tile for other, tiles in enumerate(stands) if other != at for tile in tiles)
        fits = [] if rule.retrieval is Retrieval.LOCKED else [*map(_staying, some)]
        fits += [fate for seen in some for fate in _fates(seen, there + more, rules, rule)]
        each.append([fate for fate in dict.fromkeys(fits) if _in_rack(fate, rack)])
    chosen: list[tuple[Fate, ...]] = [*product(*each)]
    if len(held) > 1 and rule.retrieval is Retrieval.REPLACE:
        for one, other in combinations(range(len(held)), 2):
            others = [some for at, some in enumerate(each) if at not in {one, other}]
            both = dict.fromkeys(
                fate
                for pair in product(held[one], held[other])
                for fate in _merged(pair, there, rules)
            )
            chosen += product(both, *others)
    chosen.sort(key=lambda some: sum(len(fate.taken) for fate in some))
    yield from (some for some in chosen if not all(fate.staying for fate in some))


def _in_rack(fate: Fate, rack: Cards) -> bool:
    return not Counter(fate.racked) - Counter(rack)


def _seen(place: int, cards: Cards, rules: MeldRules) -> tuple[Seen, ...]:
    """Give every way to see a set."""
    readings = legal_readings(cards, rules) or legal_readings(cards, rules, as_laid=False)
    return tuple(ways(place, TableSet(cards, readings), rules.pack.suits))


def _naturals(seen: Seen) -> Cards:
    return tuple(card for card in seen.cards if card is not JOKER)


def _staying(seen: Seen) -> Fate:
    """Give the fate that all jokers of a set stay what they are, seen in one way."""
    return Fate(loose=seen.reading.stands, staying=seen.jokers)


def _fates(seen: Seen, there: Counter[Card], rules: MeldRules, rule: JokerRule) -> Iterator[Fate]:
    """Give the other fates of one set, seen in one way."""
    naturals = _naturals(seen)
    there = there - Counter(naturals)
    locked = rule.retrieval is Retrieval.LOCKED
    for size in (0,) if locked else range(1, len(seen.jokers) + 1):
        for taken in combinations(seen.jokers, size):
            stays = tuple((Counter(seen.jokers) - Counter(taken)).elements())
            rest = naturals + stays
            for laid, added in _holders(rest, there, len(seen.cards) - len(rest), rules):
                if not _allowed(seen, taken, added, rule):
                    continue
                holder = _with_jokers(laid, stays)
                for racked in _racked(seen, taken, added, rule):
                    left = tuple((Counter(added) - Counter(racked)).elements())
                    yield Fate(taken=taken, holder=holder, added=left, racked=racked)


def _merged(pair: tuple[Seen, Seen], there: Counter[Card], rules: MeldRules) -> Iterator[Fate]:
    """Give the fates of two sets the rests of which lie in one holder."""
    naturals = _naturals(pair[0]) + _naturals(pair[1])
    jokers = pair[0].jokers + pair[1].jokers
    for size in range(1, len(jokers) + 1):
        for taken in combinations(jokers, size):
            stays = tuple((Counter(jokers) - Counter(taken)).elements())
            for laid, added in _holders(naturals + stays, there - Counter(naturals), 0, rules):
                yield Fate(taken=taken, holder=_with_jokers(laid, stays), added=added)


def _allowed(seen: Seen, taken: Cards, added: Cards, rule: JokerRule) -> bool:
    """Whether what was put to a set frees these jokers of it."""
    naturals = [card for card in added if card is not JOKER]
    if rule.exact and Counter(taken) - Counter(naturals):
        return False
    both = rule.both_colours and seen.is_group_of_three
    return not (taken and both) or len(naturals) > len(taken)


def _racked(seen: Seen, taken: Cards, added: Cards, rule: JokerRule) -> Iterator[Cards]:
    """Give what may have to be from the rack of what was put to a set; none if nothing may be."""
    naturals = Counter(card for card in added if card is not JOKER)
    if not taken or not rule.from_rack:
        yield ()
    elif rule.both_colours and seen.is_group_of_three:
        yield tuple(naturals.elements())
    else:
        wild = ((),) if JOKER in added else ()
        options = [
            [(tile,)] if tile in naturals else [*((card,) for card in naturals), *wild]
            for tile in taken
        ]
        for chosen in product(*options):
            racked = tuple(card for cards in chosen for card in cards)
            if Counter(racked) <= naturals:
                yield racked


def _holders(
    rest: Cards, there: Counter[Card], least: int, rules: MeldRules
) -> Iterator[tuple[Cards, Cards]]:
    """Give legal sets that hold these tiles and so many more, and what was added."""
    suits = {card.suit for card in rest}
    ranks = {card.rank for card in rest}
    if len(ranks) == 1 and len(suits) == len(rest):
        others = [Card(rest[0].rank, suit) for suit in rules.pack.suits if suit not in suits]
        for size in range(max(least, rules.sets.min_size - len(rest)), len(others) + 1):
            for wanted in combinations(others, size):
                yield from _filled(rest, wanted, there)
    if len(suits) == 1 and len(ranks) == len(rest):
        for size in range(len(rest) + least, len(rest) + least + 2 * _BEYOND + 1):
            if size < rules.runs.min_size:
                continue
            for start in rules.runs.starts(size):
                run = [Card(rank_at(at), rest[0].suit) for at in range(start, start + size)]
                wanted = tuple((Counter(run) - Counter(rest)).elements())
                if len(wanted) == size - len(rest):
                    yield from _filled(rest, wanted, there, tuple(run))


def _filled(
    rest: Cards, wanted: Cards, there: Counter[Card], run: Cards = ()
) -> Iterator[tuple[Cards, Cards]]:
    """Give a set with what is wanted, jokers in the place of some of it."""
    most = there[JOKER]
    for fill in product(*[(card, JOKER) if there[card] else (JOKER,) for card in wanted]):
        if fill.count(JOKER) > most:
            continue
        if run:
            swap = dict(zip(wanted, fill, strict=True))
            laid = tuple(card if card in rest and card not in swap else swap[card] for card in run)
        else:
            laid = rest + fill
        yield laid, fill


def _with_jokers(laid: Cards, stays: Cards) -> Cards:
    """Put jokers that stay in their places."""
    cards = list(laid)
    for tile in stays:
        cards[cards.index(tile)] = JOKER
    return tuple(cards)
