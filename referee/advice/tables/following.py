"""Following the jokers of a table: every fate that they may have, against what is the best so far.

Each choice of fates is a pool of its own, and its best arrangement is put to the referee. Where
that is refused, though it is better than all before, nothing took the place of a joker that was
taken. So every tile is tried that could have done so: played from the rack, or lying in another set
of the table, which then has to lie differently: every set is tried that the tile may come to.

A joker that was taken makes a new set, so no part of a set of the table may lie with it. That is
too strict where such a set goes on in two, so where it may, it is tried without first; if it is
that which was refused, nobody knows what was missed, and the advice is not decided.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, product
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.tables.colours import WHOLE
from referee.advice.tables.fates import fates, parts, sets_with, staying
from referee.advice.tables.pools import Pool
from referee.advice.tables.trials import Case, count
from referee.cards import JOKER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.tables.fates import Fate
    from referee.advice.tables.trials import Trials
    from referee.cards import Card, Cards
    from referee.turns.jokers import JokerRule

_FATES: Final = 24_000
"""How many ways more are looked at, where jokers on the table have fates to follow."""
_SEVERAL: Final = 2
"""With more pools than these, one that is never worse is tried before."""


class _Source(Enum):
    """Where a tile comes from that replaces a joker."""

    RACK = "the rack"
    JOKER = "a joker of the rack, which stands for it"
    TAKEN = "a joker that was taken before, which stands for it"
    TABLE = "another set of the table"


_Sources: TypeAlias = "tuple[tuple[_Source, Card], ...]"
"""The tiles that replace the jokers that are taken, each with where it comes from."""


@dataclass(frozen=True, slots=True)
class Follower:
    """Follows the jokers of one table under its rule."""

    trials: Trials
    rule: JokerRule

    def least(self, bound: int) -> int | None:
        """Try every fate; give what is left in hand at the least, None where that is not known.

        It is no less than `bound`, what is left where jokers lie loose.
        """
        trials, sweeper = self.trials, self.trials.sweeper
        missed: list[int] = []
        sweeper.budget.left += _FATES
        for chosen in fates(trials.table, trials.rack.count(JOKER), sweeper.rules, self.rule):
            if trials.below == bound or sweeper.budget.spent:
                break
            missed += self._weigh(chosen)
        if trials.below == bound:
            return bound
        return None if sweeper.budget.spent else min([trials.below, *missed])

    def stay(self) -> None:
        """Let all jokers stay what they are, where they need not lie in their sets."""
        case = self._case(staying(self.trials.table, self.trials.sweeper.rules))
        if case is not None:
            self.trials.try_out(case)

    def _case(self, chosen: Sequence[Fate], sources: _Sources = ()) -> Case | None:
        """Put the fates of all jokers together, None where there are not the tiles for them."""
        plain = [cards for cards in self.trials.table if JOKER not in cards]
        instead = [tile for source, tile in sources if source in {_Source.JOKER, _Source.TAKEN}]
        racked = [tile for source, tile in sources if source is _Source.RACK]
        again = sum(source is _Source.TAKEN for source, _ in sources)
        must, may = count(plain), Counter(self.trials.rack)
        for fate in chosen:
            must.update(fate.loose)
        taken = sum(fate.taken for fate in chosen) - again
        spare = may.pop(JOKER, 0) - (len(instead) - again)
        for card in chain.from_iterable(fate.added for fate in chosen):
            if card is JOKER:
                spare -= 1
            elif must[card] > 0:
                must[card] -= 1
            else:
                may[card] -= 1
        may.subtract(racked)
        must.update((*racked, *instead))
        if min(spare, taken, *may.values()) < 0:
            return None
        origins = (*plain, *(fate.loose for fate in chosen if fate.loose))
        homes = tuple(fate.loose for fate in chosen if fate.staying and not fate.taken)
        stay = len(homes) == len(chosen)
        new = self.rule.new_set and taken > 0
        pool = Pool(
            +must,
            +may,
            jokers=0 if new else taken,
            fresh=taken if new else 0,
            spare=spare,
            lying=(*plain, *homes) if stay else (),
            parts=tuple(part for tiles in origins for part in parts(tiles)) if new else (),
        )
        wild = (*chain.from_iterable(fate.staying for fate in chosen), *instead)
        fixed = tuple(fate.holder for fate in chosen if fate.holder)
        return Case(pool, fixed, wild, homes, origins)

    def _weigh(self, chosen: Sequence[Fate]) -> Iterator[int]:
        """Try fates; give what may have been missed by it, in what would be left in hand."""
        cases = [(each, self._case(chosen, each)) for each in self._replacements(chosen)]
        there = [(sources, case) for sources, case in cases if case is not None]
        if len({case.pool.key for _, case in there}) > _SEVERAL:
            # One that asks for less may be no better already.
            case = self._case(chosen)
            if case is not None and self._settle(case) is None:
                return
        for sources, case in there:
            missed = self._settle(case)
            if missed is not None and not self._elsewhere(chosen, sources, missed):
                yield missed

    def _settle(self, case: Case) -> int | None:
        """Try a case; give what may have been missed by it, None where nothing was."""
        pool, missed = case.pool, None
        if pool.fresh:
            loose = replace(pool, jokers=pool.jokers + pool.fresh, fresh=0, parts=())
            found = self.trials.try_once(replace(case, pool=loose))
            if found is None or self.trials.below <= found.cost:
                return None
        for some in dict.fromkeys((self._strict(pool), pool.parts)):
            found = self.trials.try_once(replace(case, pool=replace(pool, parts=some)))
            if found is None:
                return missed
            if self.trials.below <= found.cost:
                return None
            missed = found.cost if missed is None else missed
            wild = [set(cards) for cards in (*found.sets, *case.fixed) if JOKER in cards]
            if not any(cards.issuperset(part) for part in pool.parts for cards in wild):
                return missed
        return None if missed is None or self._split(case, missed) else missed

    def _split(self, case: Case, least: int) -> bool:
        """Try to have sets go on beside the one with the joker; say whether nothing was missed."""
        pool, whole = case.pool, True
        strict = self._strict(pool)
        for tiles in case.origins:
            own = set(parts(tiles))
            if own.issubset(strict):
                continue
            others = tuple(part for part in pool.parts if part not in own)
            if self.trials.try_once(replace(case, pool=replace(pool, parts=others))) is None:
                continue
            for part in own:
                for laid in sets_with(part[0], pool, self.trials.sweeper.rules):
                    if not set(part) <= set(laid):
                        continue
                    for rest in pool.without(laid):
                        if rest.fresh < pool.fresh:
                            continue
                        fixed = (*case.fixed, laid)
                        left = replace(rest, parts=others)
                        missed = self._settle(replace(case, pool=left, fixed=fixed))
                        if self.trials.below <= least:
                            return True
                        whole = whole and missed is None
        return whole

    def _strict(self, pool: Pool) -> tuple[Cards, ...]:
        """The parts with which no fresh joker may lie in any case.

        A set may go on beside the one with the joker if it is a long run, which may be split, or
        if each tile of the part is there twice, and not because the set lay there twice.
        """
        there = pool.must + pool.may
        return tuple(
            part
            for part in pool.parts
            if not self._is_split(part)
            and not (all(there[tile] > 1 for tile in part) and not self._lies_twice(part))
        )

    def _is_split(self, part: Cards) -> bool:
        """Whether the set of a part is long enough to be two."""
        homes = (cards for cards in self.trials.table if len(cards) >= 2 * WHOLE)
        return any(set(part) <= set(cards) for cards in homes)

    def _lies_twice(self, part: Cards) -> bool:
        """Whether a part is there twice because its set is."""
        homes = [Counter(cards) for cards in self.trials.table if set(part) <= set(cards)]
        return any(homes.count(home) > 1 for home in homes)

    def _replacements(self, chosen: Sequence[Fate]) -> list[_Sources]:
        """Every choice of tiles that replace the jokers that are taken."""
        found: dict[frozenset[tuple[tuple[_Source, Card], int]], _Sources] = {}
        for tiles in product(*(fate.replacing for fate in chosen)):
            each = zip(chosen, tiles, strict=True)
            there = [self._sources(tile, fate, chosen) for fate, some in each for tile in some]
            for sources in product(*there):
                # Where each was replaced by the other, neither would be the first.
                if sum(source is _Source.TAKEN for source, _ in sources) <= 1:
                    found.setdefault(frozenset(Counter(sources).items()), sources)
        return [*found.values()]

    def _sources(
        self, tile: Card, fate: Fate, chosen: Sequence[Fate]
    ) -> list[tuple[_Source, Card]]:
        """Where a tile may come from that replaces a joker."""
        rule, rack, others = self.rule, self.trials.rack, [one for one in chosen if one is not fate]
        there = [one.loose for one in others]
        there += [cards for cards in self.trials.table if JOKER not in cards]
        found = [(_Source.RACK, tile)] if tile in rack else []
        if not rule.from_rack and any(tile in cards for cards in there):
            found.append((_Source.TABLE, tile))
        if fate.by_joker and JOKER in rack:
            found.append((_Source.JOKER, tile))
        if fate.by_joker and not rule.from_rack and any(one.taken for one in others):
            found.append((_Source.TAKEN, tile))
        return found

    def _elsewhere(self, chosen: Sequence[Fate], sources: _Sources, least: int) -> bool:
        """Try every set that tiles may come to which replace a joker and are not played.

        Says whether nothing was missed.
        """
        lying = tuple(one for one in sources if one[0] in {_Source.TABLE, _Source.TAKEN})
        case = self._case(chosen, tuple(one for one in sources if one[0] is not _Source.TAKEN))
        return case is None or self._disturb(case, lying, least)

    def _disturb(self, case: Case, lying: _Sources, least: int) -> bool:
        """Try to have tiles lie in other sets than before; say whether nothing was missed."""
        if not lying:
            return False
        ((source, tile), *others), pool, whole = lying, case.pool, True
        there = [Counter(cards) for cards in (*self.trials.table, *case.homes)]
        by_joker = source is _Source.TAKEN
        for laid in sets_with(tile, pool, self.trials.sweeper.rules, by_joker=by_joker):
            # A set that lies there again lies there as before, unless it does so twice.
            twice = all(pool.must[one] + pool.may[one] > 1 for one in laid if one is not JOKER)
            if Counter(laid) in there and not twice:
                continue
            left = tuple(one for one in others if one[1] not in laid)
            old = any(set(laid).issuperset(part) for part in self._strict(pool))
            for rest in pool.without(laid):
                if old and rest.fresh < pool.fresh:
                    continue
                changed = replace(case, pool=rest, fixed=(*case.fixed, laid))
                missed = self._settle(changed)
                if self.trials.below <= least:
                    return True
                if missed is not None:
                    whole = self._disturb(changed, left, least) and whole
        return whole
