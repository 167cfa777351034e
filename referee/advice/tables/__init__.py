"""Advice for a turn at a table that belongs to everybody: the most that can be played.

Where jokers lie loose all tiles are one pool, and `sweep` arranges it best. That arrangement is
also the bound for tables where jokers do not: there every fate of a joker on the table is tried
against it. It *stays* and is then a tile like any other; or it leaves its set, the rest of which is
completed first (its *holder*), and goes into a set that is new. The referee is asked about whatever
comes out of that, and the first arrangement as good as the bound is the best. On a full table all
jokers stay at first, for that is always allowed, and as a rule no loss.

Sets are left as they lie where that is no loss. How few are disturbed is not proven: another play
that is as good may disturb fewer, for no more is done for it than to put the tiles that are played
to the table as it lies (`inserting`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, product
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice
from referee.advice.tables.arranging import Sweeper
from referee.advice.tables.colours import WHOLE
from referee.advice.tables.fates import Fate, fates, parts, replacing, sets_with
from referee.advice.tables.moves import laid_out
from referee.advice.tables.pools import Pool
from referee.advice.tables.sweep import Found
from referee.advice.tables.tracks import Budget
from referee.bench import allows
from referee.cards import JOKER
from referee.grounds import legal_readings
from referee.jokers import Retrieval
from referee.plays import Rearrange
from referee.replacements import SetTest
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from referee.cards import Card, Cards
    from referee.jokers import JokerRule
    from referee.melds import MeldRules
    from referee.variant import Variant

BUDGET: Final = 16_000
"""How many ways are looked at before the best so far must do."""
_FATES: Final = 16_000
"""How many more, where jokers on the table have fates to follow."""
_FULL: Final = 3.5
"""How many times as many tiles lie on a table where no joker need be moved, as a rule."""
_RACK: Final = "rack"
_JOKER: Final = "joker"
_TABLE: Final = "table"
_FIRST: Final = 10_000
"""Outweighs what all the tiles of a game are worth."""


def best_turn(
    variant: Variant, table: Sequence[Cards], rack: Cards, *, opened: bool, by_value: bool = False
) -> Advice:
    """Find the turn that plays most from a rack: most tiles, or the most value.

    `opened` says that the player has opened in an earlier turn. The variant is one whose table may
    be rearranged.
    """
    rules = variant.melds_at(None)
    lying = []
    for cards in table:
        readings = legal_readings(cards, rules)
        lying.append(cards if readings else _arranged(cards, rules))
    search = _Search(variant, rack, tuple(table), tuple(lying), opened, by_value)
    if not all(lying):
        search.bound = search.below
    elif opened:
        search.rearrange()
    else:
        search.open()
    return search.advice()


def _arranged(cards: Cards, rules: MeldRules) -> Cards:
    """Give a set in an order in which it is one, nothing where there is none."""
    readings = legal_readings(cards, rules, as_laid=False)
    return readings[0].arranged.cards if readings else ()


@dataclass(frozen=True, slots=True)
class _Case:
    """A pool, with what lies fast: sets as they will lie, and naturals that are jokers."""

    pool: Pool
    fixed: tuple[Cards, ...] = ()
    staying: Cards = ()
    homes: tuple[Cards, ...] = ()
    """The sets that these lie in, as tiles."""


@dataclass(frozen=True, slots=True)
class _Best:
    """The best so far."""

    cost: int
    case: _Case
    after: tuple[Cards, ...]


@dataclass(slots=True)
class _Search:
    """One search, with what it has found."""

    variant: Variant
    rack: Cards
    given: tuple[Cards, ...]
    """The sets on the table as they were given."""
    table: tuple[Cards, ...]
    """The same in an order that is legal."""
    opened: bool
    by_value: bool
    cost: Callable[[Card], int] = field(init=False)
    """What it costs that a tile stays in hand."""
    sweeper: Sweeper = field(init=False)
    below: int = 0
    """What has to be bettered."""
    bound: int | None = None
    """What is left in hand at the least, as far as that is known."""
    best: _Best | None = None
    tried: dict[Hashable, Found | None] = field(default_factory=dict)
    """What came of pools; what cost too much then does so later, too."""

    def __post_init__(self) -> None:
        """Lay out what the sweeps go by."""
        # Nothing of these leads back here, so that no garbage is left for anybody to look for.
        self.cost = cache(partial(_cost, self.variant, self.by_value))
        self.sweeper = Sweeper(
            rules=self.variant.melds_at(None),
            cost=self.cost,
            budget=Budget(BUDGET),
            worth=partial(_worth, self.variant),
            free=self.variant.rearrangement is not None
            and self.variant.rearrangement.jokers.asks_nothing,
        )
        self.below = sum(map(self.cost, self.rack))

    def _points(self, cards: Cards) -> int:
        return self.variant.values.count(cards, self.sweeper.rules.wilds.cards)

    def advice(self) -> Advice:
        """Say what was found."""
        if self.best is None:
            decided = self.bound == self.below
            points = self._points(self.rack)
            return Advice(possible=False, kept=self.rack, points=points, decided=decided)
        played = _count(self.best.after) - _count(self.table)
        kept = tuple((Counter(self.rack) - played).elements())
        tiles = tuple(played.elements())
        return Advice(
            possible=True,
            kept=kept,
            turn=laid_out(self.given, self.best.after, tiles, self._points(tiles)),
            points=self._points(kept),
            decided=not kept or (self.bound is not None and self.best.cost <= self.bound),
        )

    def _pool(self, table: Sequence[Cards]) -> Pool:
        must, may = _count(table), Counter(self.rack)
        jokers, spare = must.pop(JOKER, 0), may.pop(JOKER, 0)
        return Pool(must, may, jokers=jokers, spare=spare, lying=tuple(table))

    def rearrange(self) -> None:
        """Look for the best turn at an open table."""
        loose = _Case(self._pool(self.table))
        free = self._rule is Retrieval.FREE or not loose.pool.jokers
        if not free and loose.pool.must.total() > _FULL * len(self.rack):
            self._stay()
            if self.below <= self.sweeper.least(loose.pool):
                self.bound = self.below
                return
        start = self.below
        found = self.sweeper.best(loose.pool, below=start)
        if found is None:
            self.bound = None if self.sweeper.budget.spent else start
        else:
            self.bound = found.cost
        if found is not None and not self._take(loose, found) and not free:
            self._follow()
        if self.best is None and self.sweeper.budget.spent:
            self._fall_back()

    @property
    def _jokers(self) -> JokerRule:
        assert self.variant.rearrangement is not None, "the table may be rearranged"
        return self.variant.rearrangement.jokers

    @property
    def _rule(self) -> Retrieval:
        return self._jokers.retrieval

    def _take(self, case: _Case, found: Found) -> bool:
        """Take an arrangement if it is better and the referee allows it."""
        after = _jokers_in(found.sets, case)
        if found.cost >= self.below or not self._legal(after):
            return False
        self.best = _Best(found.cost, case, after)
        self.below = found.cost
        return True

    def _legal(self, after: tuple[Cards, ...]) -> bool:
        play = Rearrange(before=self.given, after=after, rack=self.rack, opened=self.opened)
        return allows(play, self.variant)

    def _fall_back(self) -> None:
        """Where the budget ran out at once: leave the corner out, and then the table."""
        rules = self.sweeper.rules
        straight = replace(rules, runs=replace(rules.runs, wrap=False))
        self.sweeper = replace(self.sweeper, rules=straight)
        for case in (
            _Case(self._pool(()), fixed=self.table),
            _Case(self._pool(self.table)),
        ):
            self.sweeper.budget.left = BUDGET // 8
            self._try(case, hurry=True)

    def _try(self, case: _Case, *, hurry: bool = False) -> Found | None:
        found = self.sweeper.best(case.pool, below=self.below, hurry=hurry)
        if found is not None:
            self._take(case, found)
        return found

    def _follow(self) -> None:
        """Try every fate of the jokers on the table, those that stay first."""
        bound, self.bound = self.bound, None
        missed: list[int] = []
        self.sweeper.go_by_latest()
        self.sweeper.budget.left += _FATES
        spare = self.rack.count(JOKER)
        for chosen in fates(self.table, spare, self.sweeper.rules, self._jokers):
            if self.below == bound or self.sweeper.budget.spent:
                break
            missed += self._weigh(chosen)
        if self.below == bound:
            self.bound = bound
        elif not self.sweeper.budget.spent:
            self.bound = min([self.below, *missed])

    def _stay(self) -> None:
        """Let all jokers of the table stay what they are, where they need not lie in their sets."""
        if self._rule is Retrieval.LOCKED:
            return
        chosen = next(fates(self.table, 0, self.sweeper.rules, self._jokers), ())
        case = self._case(chosen)
        if case is not None:
            self.sweeper.budget.left += BUDGET // 2
            self._try(case)

    def _case(
        self, chosen: tuple[Fate, ...], racked: Cards = (), instead: Cards = ()
    ) -> _Case | None:
        """Put the fates of all jokers together, None where there are not the tiles for them.

        Some tiles are to be played from the rack, and jokers of the rack instead of others.
        """
        plain = [cards for cards in self.table if JOKER not in cards]
        must, may = _count(plain), Counter(self.rack)
        spare, taken = may.pop(JOKER, 0) - len(instead), 0
        for fate in chosen:
            must.update(fate.loose)
            taken += len(fate.taken)
        for card in chain.from_iterable(fate.added for fate in chosen):
            if card is JOKER:
                spare -= 1
            elif must[card] > 0:
                must[card] -= 1
            else:
                may[card] -= 1
        may.subtract(racked)
        must.update((*racked, *instead))
        if spare < 0 or min(may.values(), default=0) < 0:
            return None
        new = taken and self._jokers.new_set
        pool = Pool(
            +must,
            +may,
            jokers=0 if new else taken,
            fresh=taken if new else 0,
            spare=spare,
            lying=() if taken or any(fate.holder for fate in chosen) else (*plain, *homes(chosen)),
            parts=tuple(self._parts(chosen)) if new else (),
        )
        staying = (*chain.from_iterable(fate.staying for fate in chosen), *instead)
        fixed = tuple(fate.holder for fate in chosen if fate.holder)
        return _Case(pool, fixed, staying, homes(chosen))

    def _parts(self, chosen: tuple[Fate, ...]) -> Iterator[Cards]:
        """Give the tiles of a set on the table with which it goes on."""
        for cards in self.table:
            if JOKER not in cards:
                yield from parts(cards)
        for fate in chosen:
            yield from parts(fate.loose)

    def _weigh(self, chosen: tuple[Fate, ...]) -> list[int]:
        """Try fates; give what may have been missed by it, in what would be left in hand."""
        case = self._case(chosen)
        if case is None:
            return []
        missed = self._settle(case)
        if missed is None or self._replace(chosen, missed) or self.below <= missed:
            return []
        return [missed]

    def _settle(self, case: _Case) -> int | None:
        """Try a case; give what may have been missed by it, None where nothing was."""
        pool, missed = case.pool, None
        may = tuple(part for part in pool.parts if not self._may_go_on_elsewhere(part, pool))
        for some in dict.fromkeys((may, pool.parts)):
            found = self._try_once(replace(case, pool=replace(pool, parts=some)))
            if found is None or self.below <= found.cost:
                return missed if found is None else None
            missed = found.cost if missed is None else missed
            if not any(
                JOKER in cards and set(part) <= set(cards)
                for part in pool.parts
                for cards in found.sets
            ):
                break
        return missed

    def _may_go_on_elsewhere(self, part: Cards, pool: Pool) -> bool:
        """Whether the set of a part may go on in two sets, one of which has the joker.

        That is a long run, which may be split, or one of which each tile is there twice, unless it
        is so because the set lay there twice.
        """
        there = pool.must + pool.may
        homes = [Counter(cards) for cards in self.table if set(part) <= set(cards)]
        twice = all(there[tile] > 1 for tile in part)
        return (twice and all(homes.count(home) == 1 for home in homes)) or any(
            home.total() >= 2 * WHOLE for home in homes
        )

    def _replace(self, chosen: tuple[Fate, ...], least: int) -> bool:
        """Try everything that may replace the jokers that are taken; say whether that was all."""
        is_set, rule = SetTest(self.sweeper.rules), self._jokers
        every = [sorted(replacing(fate, rule, is_set), key=str) for fate in chosen]
        known, whole = set(), True
        for tiles in product(*every):
            there = [
                self._sources(tile, fate, chosen)
                for fate, some in zip(chosen, tiles, strict=True)
                for tile in some
            ]
            for sources in product(*there):
                racked = tuple(tile for tile, source in sources if source == _RACK)
                instead = tuple(tile for tile, source in sources if source == _JOKER)
                table = tuple(tile for tile, source in sources if source == _TABLE)
                key = tuple(sorted(map(str, racked))), tuple(sorted(map(str, instead))), table
                if key in known:
                    continue
                known.add(key)
                case = self._case(chosen, racked, instead)
                if case is None:
                    continue
                missed = self._settle(case)
                if self.below <= least:
                    return True
                if missed is None:
                    continue
                whole = (bool(table) and self._disturb(case, table, least)) and whole
        return whole

    def _sources(self, tile: Card, fate: Fate, chosen: tuple[Fate, ...]) -> list[tuple[Card, str]]:
        """Give where a tile may come from that replaces a joker."""
        rule = self._jokers
        found = [(tile, _RACK)] if tile in self.rack else []
        by_joker = not (rule.exact or (rule.both_colours and fate.group_of_three))
        if JOKER in self.rack and by_joker:
            found.append((tile, _JOKER))
        others = [other.loose for other in chosen if other is not fate]
        others += [cards for cards in self.table if JOKER not in cards]
        if not rule.from_rack and any(tile in cards for cards in others):
            found.append((tile, _TABLE))
        return found

    def _disturb(self, case: _Case, tiles: Cards, least: int) -> bool:
        """Try to have tiles lie in other sets than before; say whether all ways were tried."""
        pool, whole = case.pool, True
        there = [Counter(cards) for cards in (*self.table, *case.homes)]
        for laid in sets_with(tiles[0], pool, self.sweeper.rules):
            if Counter(laid) in there:
                continue
            others = tuple(tile for tile in tiles[1:] if tile not in laid)
            for rest in _without(laid, pool):
                changed = replace(case, pool=rest, fixed=(*case.fixed, laid))
                missed = self._settle(changed)
                if self.below <= least:
                    return True
                if missed is not None:
                    whole = bool(others) and self._disturb(changed, others, least) and whole
        return whole

    def _try_once(self, case: _Case) -> Found | None:
        """Try a case; the same pool is arranged once only, whatever lies fast beside it."""
        pool = case.pool
        tiles = frozenset(pool.must.items()), frozenset(pool.may.items())
        key = *tiles, pool.jokers, pool.fresh, pool.spare, pool.parts
        if key not in self.tried:
            self.tried[key] = self.sweeper.best(pool, below=self.below)
        found = self.tried[key]
        if found is not None:
            self._take(case, found)
        return found

    def open(self) -> None:
        """Look for the best opening."""
        opening = self.variant.opening
        assert opening is not None, "this game has an opening"
        case = _Case(self._pool(()), fixed=self.table)
        start = self.below
        found = self.sweeper.best(case.pool, below=start, points=opening.points)
        if found is not None:
            self._take(case, found)
        if not self.sweeper.budget.spent:
            self.bound = self.below
        elif found is None:
            self.sweeper.budget.left = BUDGET // 8
            found = self.sweeper.best(case.pool, points=opening.points, hurry=True)
            if found is not None:
                self._take(case, found)
        # Where nothing is asked for an opening, the table is open to who lays nothing of their own.
        if opening.then_table and (found is not None or opening.points <= 0):
            self._open_and_go_on(found.sets if found is not None else ())

    def _open_and_go_on(self, own: tuple[Cards, ...]) -> None:
        """Play on the table as well once there is an opening, of `own` sets."""
        advice = best_turn(self.variant, self.given, self.rack, opened=True, by_value=self.by_value)
        kept = sum(map(self.cost, advice.kept))
        self.bound = kept if advice.decided else None
        if advice.turn is not None:
            self._take(_Case(self._pool(self.table)), Found(kept, advice.turn.after))
        if self.bound is not None and self.below > self.bound:
            laid = _count(own)
            pool = self._pool(self.table)
            jokers = laid.pop(JOKER, 0)
            both = replace(
                pool,
                must=pool.must + laid,
                may=pool.may - laid,
                jokers=pool.jokers + jokers,
                spare=pool.spare - jokers,
            )
            self._try(_Case(both))


def _cost(variant: Variant, by_value: bool, card: Card) -> int:  # noqa: FBT001 - the aim
    """Weigh a tile that stays in hand."""
    points = variant.values.points(card, variant.wilds.cards)
    return _FIRST * points + 1 if by_value else _FIRST + points


def _worth(variant: Variant, rank: int) -> tuple[int, int]:
    """Count a natural and a joker at a number in the opening."""
    assert variant.worth is not None, "an opening is counted"
    tile = next(card for card in variant.pack.cards if card.rank == rank)
    one, wild = variant.worth(Reading(MeldKind.SET, (tile, JOKER), (tile, tile)))
    return one, wild


def _jokers_in(sets: tuple[Cards, ...], case: _Case) -> tuple[Cards, ...]:
    """Lay a case, with jokers that stay in the place of what they stand for."""
    laid = [*sets, *case.fixed]
    for tile in case.staying:
        holding = [at for at, cards in enumerate(laid) if tile in cards]
        at = min(
            holding,
            key=lambda at: (
                laid[at] not in case.homes,
                at >= len(sets),
                laid[at].count(JOKER),
                -len(laid[at]),
            ),
        )
        place = laid[at].index(tile)
        laid[at] = (*laid[at][:place], JOKER, *laid[at][place + 1 :])
    return tuple(laid)


def _without(laid: Cards, pool: Pool) -> Iterator[Pool]:
    """Give what is left of a pool without a set, for each choice of jokers to be in that."""
    natural = Counter(card for card in laid if card is not JOKER)
    must, may = pool.must - natural, pool.may - (natural - pool.must)
    wild = len(laid) - natural.total()
    for fresh in range(min(wild, pool.fresh) + 1):
        free = min(wild - fresh, pool.jokers)
        spare = pool.spare - (wild - fresh - free)
        if spare >= 0:
            yield Pool(
                must,
                may,
                jokers=pool.jokers - free,
                fresh=pool.fresh - fresh,
                spare=spare,
                parts=pool.parts,
            )


def homes(chosen: Sequence[Fate]) -> tuple[Cards, ...]:
    """Give the sets in which all jokers stay, as tiles."""
    return tuple(fate.loose for fate in chosen if fate.staying and not fate.taken)


def _count(melds: Sequence[Cards]) -> Counter[Card]:
    return Counter(chain.from_iterable(melds))
