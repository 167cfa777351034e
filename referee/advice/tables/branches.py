"""Branches of the search for what becomes of the jokers of a table, and what each asks of the sets.

A branch says of each set with a joker what becomes of that (`outcomes`), and more and more of what
the referee asks then. It is a pool with `terms`: each turn in which all that is so is an
arrangement of the pool that keeps the terms. Its best arrangement bounds all turns of the branch
from below. If the referee refuses that, something is open that the branch doesn't say, and it is
parted into branches that say it in every way there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, product
from typing import Final

from referee.advice.tables.colours import WHOLE
from referee.advice.tables.outcomes import JokerOutcome, has_gap, is_long, outcomes, parts, staying
from referee.advice.tables.pools import Pool
from referee.advice.tables.terms import NO_TERMS, Terms
from referee.advice.tables.trials import Case, count
from referee.cards import JOKER, Card, Cards
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind
from referee.turns.jokers import JokerRule, Retrieval

_BROKEN: Final = WHOLE + 1
"""Of a run that is longer a part may be with a joker in the midst, and be no set."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """One way in which jokers of a set were replaced, as the referee sees it."""

    racked: Cards = ()
    """Tiles of the rack that are played for it."""
    wild: Cards = ()
    """What jokers of the rack stand for that are."""
    stood: Cards = ()
    """What jokers stand for that were taken before."""
    changed: tuple[Cards, ...] = ()
    """Sets of the table that are arranged differently."""
    used: tuple[tuple[Card, int], ...] = ()
    """The tiles of the table that did it, each with the set it lay in."""

    def __add__(self, other: Replaced) -> Replaced:
        return Replaced(
            self.racked + other.racked,
            self.wild + other.wild,
            self.stood + other.stood,
            self.changed + other.changed,
            self.used + other.used,
        )


_NOTHING: Final = Replaced()


@dataclass(frozen=True, slots=True)
class Branch:
    """What has been decided about the jokers so far."""

    outcomes: tuple[JokerOutcome, ...]
    replaced: tuple[Replaced | None, ...]
    """What replaced the jokers of each set; None if that isn't decided yet."""
    new: bool = False
    """Whether jokers that are taken make new sets."""
    kind: MeldKind | None = None
    """The kind of set that a joker which replaces another is in, if that is decided."""
    also: Replaced = _NOTHING
    """What is arranged differently besides."""
    told: tuple[Cards, ...] = ()
    """Naturals of the sets whose outcome is decided."""
    terms: Terms = NO_TERMS
    """What is asked for these."""

    @property
    def taken(self) -> int:
        """How many jokers are taken."""
        return sum(outcome.taken for outcome in self.outcomes)

    @property
    def all_replaced(self) -> Replaced:
        """Everything decided about what was replaced."""
        return sum(filter(None, self.replaced), self.also)


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches that the jokers of one table may have under its rule."""

    table: tuple[Cards, ...]
    rack: Cards
    rules: MeldRules
    rule: JokerRule

    @property
    def plain(self) -> list[Cards]:
        """The sets without a joker."""
        return [cards for cards in self.table if JOKER not in cards]

    def staying(self) -> Branch:
        """That all jokers stay what they are, which is always allowed where none is locked."""
        chosen = staying(self.table, self.rules)
        return Branch(chosen, (_NOTHING,) * len(chosen))

    def beginnings(self) -> Iterator[Branch]:
        """Every choice of outcomes, those that take fewest jokers first."""
        locked = self.rule.retrieval is Retrieval.LOCKED
        for chosen in outcomes(self.table, self.rules, self.rule):
            asked = [
                outcome.taken > 0 and self.rule.retrieval is Retrieval.REPLACE for outcome in chosen
            ]
            whole = tuple(outcome.loose for outcome in chosen) if locked else ()
            replaced = tuple(None if one else _NOTHING for one in asked)
            branch = Branch(chosen, replaced, terms=Terms(goes_on=whole))
            if all(any(self._every_way(branch, at)) for at, one in enumerate(asked) if one):
                yield branch

    def case(self, branch: Branch) -> Case | None:
        """A branch as a pool, None if there are not the tiles for it."""
        how = branch.all_replaced
        instead = how.wild + (how.stood if branch.kind is None else ())
        must, may = count(self.plain), Counter(self.rack)
        for outcome in branch.outcomes:
            must.update(outcome.loose)
        spare = may.pop(JOKER, 0) - len(how.wild)
        may.subtract(how.racked)
        must.update((*how.racked, *instead))
        if spare < 0 or any(number < 0 for number in may.values()):
            return None
        taken = branch.taken + len(how.wild) - len(instead)
        free, fresh = (0, taken) if branch.new else (taken, 0)
        pool = Pool(+must, +may, jokers=free, fresh=fresh, spare=spare)
        homes = [
            outcome.loose for outcome in branch.outcomes if outcome.staying and not outcome.taken
        ]
        case = Case(
            pool,
            staying=(
                *chain.from_iterable(outcome.staying for outcome in branch.outcomes),
                *instead,
            ),
            homes=(*self.plain, *homes),
        )
        return replace(case, pool=replace(pool, terms=self._terms(branch, case)))

    def _terms(self, branch: Branch, case: Case) -> Terms:
        how, terms = branch.all_replaced, branch.terms
        lying = [Counter(cards) for cards in case.homes]
        changed = [(cards, lying.count(Counter(cards))) for cards in dict.fromkeys(how.changed)]
        apart, jokers = terms.apart, terms.jokers
        if branch.new:
            plainly = (one for one in self._origins(branch) if self._is_plain(one, branch, case))
            apart += tuple(chain.from_iterable(map(parts, plainly)))
        if branch.kind is not None:
            jokers += tuple((tile, branch.kind) for tile in how.stood)
        most = tuple((cards, (), max(0, times - 1)) for cards, times in changed)
        return Terms(apart, terms.goes_on, terms.most + most, jokers)

    def parted(
        self, branch: Branch, case: Case, sets: tuple[Cards, ...]
    ) -> Iterator[Branch | None]:
        """The parts of a branch of which `sets` were refused; None for what can't be parted."""
        open_ones = [
            (at, [*self._every_way(branch, at)])
            for at, how in enumerate(branch.replaced)
            if how is None
        ]
        open_ones.sort(key=lambda one: len(one[1]))
        unproven = [one for one in open_ones if not self._is_shown(one[1], sets)]
        as_before = self._as_before(branch, case, sets)
        gone_on = self._gone_on(branch, case, sets)
        if unproven:
            yield from self._proven(branch, *unproven[0])
        elif as_before is not None:
            yield from self._not_as_before(branch, *as_before)
        elif self.rule.new_set and branch.taken and not branch.new:
            yield replace(branch, new=True)
        elif gone_on is not None:
            yield from self._parted(branch, case, gone_on)
        elif open_ones:
            yield from self._proven(branch, *open_ones[0])
        elif branch.new and branch.kind is None and branch.all_replaced.stood:
            yield from (replace(branch, kind=kind) for kind in (MeldKind.RUN, MeldKind.SET))
        else:
            yield None

    def _proven(self, branch: Branch, at: int, every: Iterable[Replaced]) -> Iterator[Branch]:
        """A branch with what replaced the jokers of a set, in each of some ways."""
        known = branch.all_replaced
        for how in every:
            # Where two jokers were each replaced by the other, neither would be the first.
            if set(known.used).isdisjoint(how.used) and not (known.stood and how.stood):
                replaced = (*branch.replaced[:at], how, *branch.replaced[at + 1 :])
                yield replace(branch, replaced=replaced)

    def _is_shown(self, every: Iterable[Replaced], sets: Sequence[Cards]) -> bool:
        """Whether sets show one of the ways that jokers were replaced, jokers of the rack aside."""
        played = count(sets) - count(self.table)
        laid, lay = (list(map(Counter, some)) for some in (sets, self.table))
        return any(
            Counter(how.racked) <= played
            and all(laid.count(Counter(one)) < lay.count(Counter(one)) for one in how.changed)
            for how in every
            if not how.wild and not how.stood
        )

    def _every_way(self, branch: Branch, at: int) -> Iterator[Replaced]:
        """Every way in which the jokers of a set that are taken may have been replaced."""
        outcome = branch.outcomes[at]
        others = [one for one in branch.outcomes if one is not outcome]
        for tiles in outcome.replacing:
            for each in product(*([*self._ways_for(tile, outcome, others)] for tile in tiles)):
                how = sum(each, _NOTHING)
                if len(set(how.used)) == len(how.used):
                    yield how

    def _ways_for(
        self, tile: Card, outcome: JokerOutcome, others: Sequence[JokerOutcome]
    ) -> Iterator[Replaced]:
        """Where a tile may come from that replaces a joker."""
        if tile in self.rack:
            yield Replaced(racked=(tile,))
        if outcome.by_joker and JOKER in self.rack:
            yield Replaced(wild=(tile,))
        if self.rule.from_rack:
            return
        for at, cards in enumerate(self.table):
            if tile in cards and JOKER not in cards:
                yield Replaced(changed=(cards,), used=((tile, at),))
        for other in others:
            how = Replaced(used=((tile, other.home),))
            if tile in self.table[other.home] or (outcome.by_joker and tile in other.staying):
                if other.taken:
                    yield how
                else:
                    ways = self._lies_differently(other.loose, other.staying)
                    yield from (how + way for way in ways)
            if outcome.by_joker and other.taken:
                yield Replaced(stood=(tile,))

    def _lies_differently(self, cards: Cards, wild: Cards) -> Iterator[Replaced]:
        """How a set may be arranged differently in which jokers stay, as the tiles that are `wild`.

        The tiles may be there without one, where the joker stands for its tile elsewhere.
        """
        yield Replaced(changed=(cards,))
        for tile in wild:
            if tile in self.rack:
                yield Replaced(racked=(tile,))
            if any(tile in one for one in self.table):
                yield _NOTHING

    def _as_before(
        self, branch: Branch, case: Case, sets: Sequence[Cards]
    ) -> tuple[Cards, JokerOutcome, Card] | None:
        """A set that is as before by another joker, its outcome, and what that joker stands for.

        To the referee it was left alone.
        """
        laid = [Counter(cards) for cards in sets]
        for outcome in branch.outcomes:
            own = self.table[outcome.home]
            for tile in (JOKER, *case.staying):
                cards = tuple(tile if card is JOKER else card for card in own)
                mine = tile in outcome.staying or Counter(outcome.loose) in laid
                if not mine and cards not in branch.told and Counter(cards) in laid:
                    return cards, outcome, tile
        return None

    def _not_as_before(
        self, branch: Branch, cards: Cards, outcome: JokerOutcome, tile: Card
    ) -> Iterator[Branch]:
        """A branch in which no set is as before by another joker."""
        branch = replace(branch, told=(*branch.told, cards))
        if tile is not JOKER:
            for how in self._lies_differently(cards, (tile,)):
                yield replace(branch, also=branch.also + how)
            return
        (lay,) = (one for one in self.staying().outcomes if one.home == outcome.home)
        most = (*branch.terms.most, (lay.loose, lay.staying, 0))
        yield replace(branch, terms=replace(branch.terms, most=most))

    def _origins(self, branch: Branch) -> list[Cards]:
        return [*self.plain, *(outcome.loose for outcome in branch.outcomes if outcome.loose)]

    def _elsewhere(self, origin: Cards, branch: Branch, case: Case) -> list[tuple[Cards, ...]]:
        """The parts with which a set may go on elsewhere, where one has a fresh joker with it.

        A set that is there twice must do so twice.
        """
        there, own = case.pool.must + case.pool.may, parts(origin)
        alike = [Counter(one) for one in self._origins(branch)].count(Counter(origin))
        return [
            some
            for some in combinations_with_replacement(own, alike)
            if any(count((part, *some)) <= there for part in own)
        ]

    def _is_plain(self, origin: Cards, branch: Branch, case: Case) -> bool:
        """Whether no part of a set may have a fresh joker with it in any case."""
        broken, wild = is_long(origin, _BROKEN), _is_wild(origin, case)
        return not (broken or wild or self._elsewhere(origin, branch, case))

    def _gone_on(self, branch: Branch, case: Case, sets: Sequence[Cards]) -> Cards | None:
        """The tiles of a set that goes on with a fresh joker, if it is not told why it may."""
        wild = [set(cards) for cards in sets if JOKER in cards]
        for origin in self._origins(branch) if branch.new else ():
            if origin not in branch.told and not self._is_plain(origin, branch, case):
                own = map(set, parts(origin))
                if any(part <= cards for part, cards in product(own, wild)):
                    return origin
        return None

    def _parted(self, branch: Branch, case: Case, origin: Cards) -> Iterator[Branch | None]:
        """Tell of a set what becomes of it that went on with a fresh joker.

        It does not; or it goes on in another set as well; or another joker is in the midst of
        what is left of it, so that it is no set.
        """
        terms, told = branch.terms, (*branch.told, origin)
        ways = [replace(terms, apart=(*terms.apart, *parts(origin)))]
        ways += [
            replace(terms, goes_on=(*terms.goes_on, *some))
            for some in self._elsewhere(origin, branch, case)
        ]
        if is_long(origin, _BROKEN):
            midst = sorted(origin, key=lambda tile: tile.rank)[1:-1]
            ways += [replace(terms, jokers=(*terms.jokers, (tile, MeldKind.RUN))) for tile in midst]
        yield from (replace(branch, told=told, terms=way) for way in ways)
        if has_gap(origin) or _is_wild(origin, case):
            yield None


def _is_wild(origin: Cards, case: Case) -> bool:
    """Whether a joker that stays may be with a set in the place of one of its naturals.

    A pool does not tell the two apart.
    """
    there = case.pool.must + case.pool.may
    return any(tile in origin and there[tile] > 1 for tile in case.staying)
