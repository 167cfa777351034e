"""Branches of the search for where the jokers of a table go, and what each asks of the sets.

A branch decides what happens to the jokers of each set (`outcomes`), and step by step more of what
the referee asks about them. It becomes a pool with `terms`: every turn that follows the branch is
an arrangement of the pool that meets the terms. So no turn of the branch leaves less in hand than
the best arrangement of the pool. If the referee rejects that arrangement, the branch left something
undecided. It is then split into branches that decide it in every possible way.

Say red 3 JK 5 is on the table. In one of the first branches, the joker is taken. If the best
arrangement is rejected because nothing replaced the joker, the branch is split: in one part, a red
4 from the rack did, in another a red 4 from a certain set of the table, which then needs to change.
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
"""A run with more tiles than this can have another joker in its middle, so that a part of what is
left of it isn’t a set."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """One way in which the taken jokers of a set can have been replaced, and what that needs."""

    racked: Cards = ()
    """Tiles that need to be played from the rack."""
    wild: Cards = ()
    """Tiles that jokers played from the rack need to stand for, as these jokers replaced those
    taken."""
    stood: Cards = ()
    """Tiles that jokers taken from other sets need to stand for, as these replaced those taken
    here."""
    changed: tuple[Cards, ...] = ()
    """Sets of the table that need to be changed in the turn."""
    used: tuple[tuple[Card, int], ...] = ()
    """Tiles from the table that replaced jokers, each with the index of its old set."""

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
    """What has been decided about the jokers of a table so far."""

    outcomes: tuple[JokerOutcome, ...]
    """What happens to the jokers of each set that has any."""
    replaced: tuple[Replaced | None, ...]
    """How the taken jokers of each item of `outcomes` were replaced; None if not decided yet."""
    new: bool = False
    """Whether taken jokers are fresh: they need to be in new sets. If not, that isn’t decided."""
    kind: MeldKind | None = None
    """The kind of set in which the jokers of `Replaced.stood` are; None if not decided."""
    also: Replaced = _NOTHING
    """What else a turn needs, so that no set has its old tiles with another joker in place of the
    one taken: to the referee, that set would be unchanged."""
    split_by: tuple[Cards, ...] = ()
    """The tiles of sets that the branch was already split by."""
    terms: Terms = NO_TERMS
    """What was decided about sets of the table, as terms for the pool."""

    @property
    def taken(self) -> int:
        """How many jokers are taken from their sets."""
        return sum(outcome.taken for outcome in self.outcomes)

    @property
    def all_replaced(self) -> Replaced:
        """Everything decided about replacements, added up."""
        return sum(filter(None, self.replaced), self.also)


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches for the jokers of one table, under the rules of one game."""

    table: tuple[Cards, ...]
    rack: Cards
    rules: MeldRules
    rule: JokerRule

    @property
    def plain(self) -> list[Cards]:
        """The sets of the table without a joker."""
        return [cards for cards in self.table if JOKER not in cards]

    def staying(self) -> Branch:
        """Return the branch in which every joker stands for the same tile as before.

        It is always allowed, unless jokers are locked in their sets.
        """
        chosen = staying(self.table, self.rules)
        return Branch(chosen, (_NOTHING,) * len(chosen))

    def beginnings(self) -> Iterator[Branch]:
        """Yield a branch for every choice of outcomes, those that take the fewest jokers first."""
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
        """Return a branch as a pool to arrange; None if the rack lacks tiles that it needs."""
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
        """Return the terms of a branch, those that follow from its other fields included."""
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

    def split(self, branch: Branch, case: Case, sets: tuple[Cards, ...]) -> Iterator[Branch | None]:
        """Yield the parts of a branch whose best arrangement, `sets`, the referee rejected.

        Yield None for a part that can’t be made into a branch; turns in it may be missed.
        """
        open_ones = [
            (at, [*self._every_way(branch, at)])
            for at, how in enumerate(branch.replaced)
            if how is None
        ]
        open_ones.sort(key=lambda one: len(one[1]))
        unproven = [one for one in open_ones if not self._is_shown(one[1], sets)]
        as_before = self._as_before(branch, case, sets)
        continued = self._continued(branch, case, sets)
        if unproven:
            yield from self._with_replaced(branch, *unproven[0])
        elif as_before is not None:
            yield from self._not_as_before(branch, *as_before)
        elif self.rule.new_set and branch.taken and not branch.new:
            yield replace(branch, new=True)
        elif continued is not None:
            yield from self._split_by(branch, case, continued)
        elif open_ones:
            yield from self._with_replaced(branch, *open_ones[0])
        elif branch.new and branch.kind is None and branch.all_replaced.stood:
            yield from (replace(branch, kind=kind) for kind in (MeldKind.RUN, MeldKind.SET))
        else:
            yield None

    def _with_replaced(
        self, branch: Branch, at: int, every: Iterable[Replaced]
    ) -> Iterator[Branch]:
        """Yield the branch with the jokers of outcome `at` replaced in each of these ways."""
        known = branch.all_replaced
        for how in every:
            # Two jokers can’t replace each other, because one has to be replaced first.
            if set(known.used).isdisjoint(how.used) and not (known.stood and how.stood):
                replaced = (*branch.replaced[:at], how, *branch.replaced[at + 1 :])
                yield replace(branch, replaced=replaced)

    def _is_shown(self, every: Iterable[Replaced], sets: Sequence[Cards]) -> bool:
        """Return whether the sets of an arrangement already meet one of these ways.

        Ways in which a joker replaced another aren’t recognized.
        """
        played = count(sets) - count(self.table)
        laid, lay = (list(map(Counter, some)) for some in (sets, self.table))
        return any(
            Counter(how.racked) <= played
            and all(laid.count(Counter(one)) < lay.count(Counter(one)) for one in how.changed)
            for how in every
            if not how.wild and not how.stood
        )

    def _every_way(self, branch: Branch, at: int) -> Iterator[Replaced]:
        """Yield every way in which the taken jokers of outcome `at` can have been replaced."""
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
        """Yield the ways in which `tile` can have replaced a joker taken from a set.

        It comes from the rack, from a set without jokers, or from one of the `others`; a joker that
        stands for it can have come from the rack or from one of the others.
        """
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
        """Yield the ways in which a set can be changed although its jokers stay what they are.

        `cards` are its tiles, and `wild` are those of them that are really jokers. The same tiles
        can still be together, with a natural where the joker was, if the joker stands for its tile
        in another set.
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
        """Return a set whose joker moved but that looks as before, with another joker in it.

        To the referee, it was left alone. Return it as its tiles, its outcome, and the tile that
        the other joker stands for; None if there is no such set.
        """
        laid = [Counter(cards) for cards in sets]
        for outcome in branch.outcomes:
            own = self.table[outcome.home]
            for tile in (JOKER, *case.staying):
                cards = tuple(tile if card is JOKER else card for card in own)
                mine = tile in outcome.staying or Counter(outcome.loose) in laid
                if not mine and cards not in branch.split_by and Counter(cards) in laid:
                    return cards, outcome, tile
        return None

    def _not_as_before(
        self, branch: Branch, cards: Cards, outcome: JokerOutcome, tile: Card
    ) -> Iterator[Branch]:
        """Yield the branches in which a set that `_as_before` found doesn’t look as before."""
        branch = replace(branch, split_by=(*branch.split_by, cards))
        if tile is not JOKER:
            for how in self._lies_differently(cards, (tile,)):
                yield replace(branch, also=branch.also + how)
            return
        (lay,) = (one for one in self.staying().outcomes if one.home == outcome.home)
        most = (*branch.terms.most, (lay.loose, lay.staying, 0))
        yield replace(branch, terms=replace(branch.terms, most=most))

    def _origins(self, branch: Branch) -> list[Cards]:
        """Return the tiles of each old set, without the jokers taken from it."""
        return [*self.plain, *(outcome.loose for outcome in branch.outcomes if outcome.loose)]

    def _elsewhere(self, origin: Cards, branch: Branch, case: Case) -> list[tuple[Cards, ...]]:
        """Return the parts with which an old set can continue, besides one with a fresh joker.

        `origin` has the tiles of the old set. A set isn’t new if it has a part of an old one,
        unless the old one continues elsewhere, with another part, for which there need to be enough
        equal tiles. If there are several equal old sets, each needs a part: an item has one for
        each of them.
        """
        there, own = case.pool.must + case.pool.may, parts(origin)
        alike = [Counter(one) for one in self._origins(branch)].count(Counter(origin))
        return [
            some
            for some in combinations_with_replacement(own, alike)
            if any(count((part, *some)) <= there for part in own)
        ]

    def _is_plain(self, origin: Cards, branch: Branch, case: Case) -> bool:
        """Return whether no part of an old set can ever be in a set with a fresh joker."""
        broken, wild = is_long(origin, _BROKEN), _is_wild(origin, case)
        return not (broken or wild or self._elsewhere(origin, branch, case))

    def _continued(self, branch: Branch, case: Case, sets: Sequence[Cards]) -> Cards | None:
        """Return the tiles of an old set that continues in a set with a joker, or None.

        Old sets that the branch was already split by are left out.
        """
        wild = [set(cards) for cards in sets if JOKER in cards]
        for origin in self._origins(branch) if branch.new else ():
            if origin not in branch.split_by and not self._is_plain(origin, branch, case):
                own = map(set, parts(origin))
                if any(part <= cards for part, cards in product(own, wild)):
                    return origin
        return None

    def _split_by(self, branch: Branch, case: Case, origin: Cards) -> Iterator[Branch | None]:
        """Yield the branches that decide about an old set which continued with a fresh joker.

        Either it doesn’t, or it also continues in another set, or another joker is in the middle of
        what is left of it, so that this isn’t a set. Yield None if there are other possibilities,
        which can’t be made into branches.
        """
        terms, split_by = branch.terms, (*branch.split_by, origin)
        ways = [replace(terms, apart=(*terms.apart, *parts(origin)))]
        ways += [
            replace(terms, goes_on=(*terms.goes_on, *some))
            for some in self._elsewhere(origin, branch, case)
        ]
        if is_long(origin, _BROKEN):
            midst = sorted(origin, key=lambda tile: tile.rank)[1:-1]
            ways += [replace(terms, jokers=(*terms.jokers, (tile, MeldKind.RUN))) for tile in midst]
        yield from (replace(branch, split_by=split_by, terms=way) for way in ways)
        if has_gap(origin) or _is_wild(origin, case):
            yield None


def _is_wild(origin: Cards, case: Case) -> bool:
    """Return whether an equal joker can be in the place of one of an old set’s naturals.

    A pool counts a joker that stays as the tile it stands for, so it can’t tell the two apart.
    """
    there = case.pool.must + case.pool.may
    return any(tile in origin and there[tile] > 1 for tile in case.staying)
