"""Stories of the jokers of a table: what is told of them, and what it asks of the sets.

A story says of each set with a joker what becomes of that (`fates`), and more and more of what the
referee asks then. As far as it is told it is a pool with `terms`: each turn of which the
story is true is an arrangement of the pool that keeps the terms. The best arrangement may leave
something open that the story does not tell; then it is told on, in every way there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations_with_replacement, product
from typing import Final

from referee.advice.tables.colours import WHOLE
from referee.advice.tables.fates import Fate, fates, has_gap, is_long, parts, staying
from referee.advice.tables.pools import Pool
from referee.advice.tables.terms import NO_TERMS, Terms
from referee.advice.tables.trials import Case, count
from referee.cards import JOKER, Card, Cards
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind
from referee.turns.jokers import JokerRule, Retrieval

_BROKEN: Final = WHOLE + 1
"""Of a run that is longer a part may lie with a joker in the midst, and be no set."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One way in which jokers of a set were replaced, as the referee sees it."""

    racked: Cards = ()
    """Tiles of the rack that are played for it."""
    wild: Cards = ()
    """What jokers of the rack stand for that are."""
    stood: Cards = ()
    """What jokers stand for that were taken before."""
    changed: tuple[Cards, ...] = ()
    """Sets of the table that lie differently."""
    used: tuple[tuple[Card, int], ...] = ()
    """The tiles of the table that did it, each with the set it lay in."""

    def __add__(self, other: Proof) -> Proof:
        return Proof(
            self.racked + other.racked,
            self.wild + other.wild,
            self.stood + other.stood,
            self.changed + other.changed,
            self.used + other.used,
        )


_NOTHING: Final = Proof()


@dataclass(frozen=True, slots=True)
class Story:
    """What becomes of the jokers, as far as it is told."""

    fates: tuple[Fate, ...]
    proofs: tuple[Proof | None, ...]
    """What replaced the jokers of each set, None where that is open."""
    new: bool = False
    """Whether jokers that are taken make new sets."""
    kind: MeldKind | None = None
    """In which kind of set a joker lies that replaces another, where that is told."""
    also: Proof = _NOTHING
    """What lies differently besides."""
    told: tuple[Cards, ...] = ()
    """Naturals of sets of which it is told what becomes of them."""
    terms: Terms = NO_TERMS
    """What is asked for these."""

    @property
    def taken(self) -> int:
        """How many jokers are taken."""
        return sum(fate.taken for fate in self.fates)

    @property
    def all_proofs(self) -> Proof:
        """All that is told of what was replaced."""
        return sum(filter(None, self.proofs), self.also)


@dataclass(frozen=True, slots=True)
class Stories:
    """The stories that the jokers of one table may have under its rule."""

    table: tuple[Cards, ...]
    rack: Cards
    rules: MeldRules
    rule: JokerRule
    plain: list[Cards] = field(init=False)
    """The sets without a joker."""

    def __post_init__(self) -> None:
        plain = [cards for cards in self.table if JOKER not in cards]
        object.__setattr__(self, "plain", plain)

    def staying(self) -> Story:
        """That all jokers stay what they are, which is always allowed where none is locked."""
        chosen = staying(self.table, self.rules)
        return Story(chosen, (_NOTHING,) * len(chosen))

    def beginnings(self) -> Iterator[Story]:
        """Every choice of fates, those that take fewest jokers first."""
        locked = self.rule.retrieval is Retrieval.LOCKED
        for chosen in fates(self.table, self.rules, self.rule):
            asked = [fate.taken > 0 and self.rule.retrieval is Retrieval.REPLACE for fate in chosen]
            whole = tuple(fate.loose for fate in chosen) if locked else ()
            proofs = tuple(None if one else _NOTHING for one in asked)
            story = Story(chosen, proofs, terms=Terms(goes_on=whole))
            if all(any(self._every_proof(story, at)) for at, one in enumerate(asked) if one):
                yield story

    def case(self, story: Story) -> Case | None:
        """A story as a pool, None where there are not the tiles for it."""
        proof = story.all_proofs
        instead = proof.wild + (proof.stood if story.kind is None else ())
        must, may = count(self.plain), Counter(self.rack)
        for fate in story.fates:
            must.update(fate.loose)
        spare = may.pop(JOKER, 0) - len(proof.wild)
        may.subtract(proof.racked)
        must.update((*proof.racked, *instead))
        if spare < 0 or any(number < 0 for number in may.values()):
            return None
        taken = story.taken + len(proof.wild) - len(instead)
        free, fresh = (0, taken) if story.new else (taken, 0)
        pool = Pool(+must, +may, jokers=free, fresh=fresh, spare=spare)
        homes = [fate.loose for fate in story.fates if fate.staying and not fate.taken]
        case = Case(
            pool,
            staying=(*chain.from_iterable(fate.staying for fate in story.fates), *instead),
            homes=(*self.plain, *homes),
        )
        return replace(case, pool=replace(pool, terms=self._terms(story, case)))

    def _terms(self, story: Story, case: Case) -> Terms:
        """What a story asks of the sets."""
        proof, terms = story.all_proofs, story.terms
        lying = [Counter(cards) for cards in case.homes]
        changed = [(cards, lying.count(Counter(cards))) for cards in dict.fromkeys(proof.changed)]
        apart, jokers = terms.apart, terms.jokers
        if story.new:
            plainly = (one for one in self._origins(story) if self._is_plain(one, story, case))
            apart += tuple(chain.from_iterable(map(parts, plainly)))
        if story.kind is not None:
            jokers += tuple((tile, story.kind) for tile in proof.stood)
        most = tuple((cards, (), max(0, times - 1)) for cards, times in changed)
        return Terms(apart, terms.goes_on, terms.most + most, jokers)

    def told_on(self, story: Story, case: Case, sets: tuple[Cards, ...]) -> Iterator[Story | None]:
        """Every way to tell on a story, where `sets` were refused; None for what cannot be told."""
        open_ones = [
            (at, [*self._every_proof(story, at)])
            for at, proof in enumerate(story.proofs)
            if proof is None
        ]
        open_ones.sort(key=lambda one: len(one[1]))
        unproven = [one for one in open_ones if not self._is_proven(one[1], sets)]
        as_before = self._as_before(story, case, sets)
        gone_on = self._gone_on(story, case, sets)
        if unproven:
            yield from self._proven(story, *unproven[0])
        elif as_before is not None:
            yield from self._not_as_before(story, *as_before)
        elif self.rule.new_set and story.taken and not story.new:
            yield replace(story, new=True)
        elif gone_on is not None:
            yield from self._parted(story, case, gone_on)
        elif open_ones:
            yield from self._proven(story, *open_ones[0])
        elif story.new and story.kind is None and story.all_proofs.stood:
            yield from (replace(story, kind=kind) for kind in (MeldKind.RUN, MeldKind.SET))
        else:
            yield None

    def _proven(self, story: Story, at: int, every: Iterable[Proof]) -> Iterator[Story]:
        """A story with what replaced the jokers of a set, in each of some ways."""
        known = story.all_proofs
        for proof in every:
            # Where two jokers were each replaced by the other, neither would be the first.
            if set(known.used).isdisjoint(proof.used) and not (known.stood and proof.stood):
                proofs = (*story.proofs[:at], proof, *story.proofs[at + 1 :])
                yield replace(story, proofs=proofs)

    def _is_proven(self, every: Iterable[Proof], sets: Sequence[Cards]) -> bool:
        """Whether sets show one of some proofs, jokers of the rack aside."""
        played = count(sets) - count(self.table)
        laid, lay = (list(map(Counter, some)) for some in (sets, self.table))
        return any(
            Counter(proof.racked) <= played
            and all(laid.count(Counter(one)) < lay.count(Counter(one)) for one in proof.changed)
            for proof in every
            if not proof.wild and not proof.stood
        )

    def _every_proof(self, story: Story, at: int) -> Iterator[Proof]:
        """Every way in which the jokers of a set that are taken may have been replaced."""
        fate = story.fates[at]
        others = [one for one in story.fates if one is not fate]
        for tiles in fate.replacing:
            for each in product(*([*self._proofs(tile, fate, others)] for tile in tiles)):
                proof = sum(each, _NOTHING)
                if len(set(proof.used)) == len(proof.used):
                    yield proof

    def _proofs(self, tile: Card, fate: Fate, others: Sequence[Fate]) -> Iterator[Proof]:
        """Where a tile may come from that replaces a joker."""
        if tile in self.rack:
            yield Proof(racked=(tile,))
        if fate.by_joker and JOKER in self.rack:
            yield Proof(wild=(tile,))
        if self.rule.from_rack:
            return
        for at, cards in enumerate(self.table):
            if tile in cards and JOKER not in cards:
                yield Proof(changed=(cards,), used=((tile, at),))
        for other in others:
            proof = Proof(used=((tile, other.home),))
            if tile in self.table[other.home] or (fate.by_joker and tile in other.staying):
                if other.taken:
                    yield proof
                else:
                    ways = self._lies_differently(other.loose, other.staying)
                    yield from (proof + way for way in ways)
            if fate.by_joker and other.taken:
                yield Proof(stood=(tile,))

    def _lies_differently(self, cards: Cards, wild: Cards) -> Iterator[Proof]:
        """How a set may lie differently in which jokers stay, as the tiles that are `wild`.

        The tiles may lie there without one, where the joker stands for its tile elsewhere.
        """
        yield Proof(changed=(cards,))
        for tile in wild:
            if tile in self.rack:
                yield Proof(racked=(tile,))
            if any(tile in one for one in self.table):
                yield _NOTHING

    def _as_before(
        self, story: Story, case: Case, sets: Sequence[Cards]
    ) -> tuple[Cards, Fate, Card] | None:
        """A set that lies as before by another joker, its fate, and what that joker stands for.

        To the referee it was left alone.
        """
        laid = [Counter(cards) for cards in sets]
        for fate in story.fates:
            own = self.table[fate.home]
            for tile in (JOKER, *case.staying):
                cards = tuple(tile if card is JOKER else card for card in own)
                mine = tile in fate.staying or Counter(fate.loose) in laid
                if not mine and cards not in story.told and Counter(cards) in laid:
                    return cards, fate, tile
        return None

    def _not_as_before(self, story: Story, cards: Cards, fate: Fate, tile: Card) -> Iterator[Story]:
        """A story in which no set lies as before by another joker."""
        story = replace(story, told=(*story.told, cards))
        if tile is not JOKER:
            for proof in self._lies_differently(cards, (tile,)):
                yield replace(story, also=story.also + proof)
            return
        (lay,) = (one for one in self.staying().fates if one.home == fate.home)
        most = (*story.terms.most, (lay.loose, lay.staying, 0))
        yield replace(story, terms=replace(story.terms, most=most))

    def _origins(self, story: Story) -> list[Cards]:
        return [*self.plain, *(fate.loose for fate in story.fates if fate.loose)]

    def _elsewhere(self, origin: Cards, story: Story, case: Case) -> list[tuple[Cards, ...]]:
        """The parts with which a set may go on elsewhere, where one has a fresh joker with it.

        A set that lies there twice must do so twice.
        """
        there, own = case.pool.must + case.pool.may, parts(origin)
        alike = [Counter(one) for one in self._origins(story)].count(Counter(origin))
        return [
            some
            for some in combinations_with_replacement(own, alike)
            if any(count((part, *some)) <= there for part in own)
        ]

    def _is_plain(self, origin: Cards, story: Story, case: Case) -> bool:
        """Whether no part of a set may have a fresh joker with it in any case."""
        broken, wild = is_long(origin, _BROKEN), _is_wild(origin, case)
        return not (broken or wild or self._elsewhere(origin, story, case))

    def _gone_on(self, story: Story, case: Case, sets: Sequence[Cards]) -> Cards | None:
        """The tiles of a set that goes on with a fresh joker, if it is not told why it may."""
        wild = [set(cards) for cards in sets if JOKER in cards]
        for origin in self._origins(story) if story.new else ():
            if origin not in story.told and not self._is_plain(origin, story, case):
                own = map(set, parts(origin))
                if any(part <= cards for part, cards in product(own, wild)):
                    return origin
        return None

    def _parted(self, story: Story, case: Case, origin: Cards) -> Iterator[Story | None]:
        """Tell of a set what becomes of it that went on with a fresh joker.

        It does not; or it goes on in another set as well; or another joker lies in the midst of
        what is left of it, so that it is no set.
        """
        terms, told = story.terms, (*story.told, origin)
        ways = [replace(terms, apart=(*terms.apart, *parts(origin)))]
        ways += [
            replace(terms, goes_on=(*terms.goes_on, *some))
            for some in self._elsewhere(origin, story, case)
        ]
        if is_long(origin, _BROKEN):
            midst = sorted(origin, key=lambda tile: tile.rank)[1:-1]
            ways += [replace(terms, jokers=(*terms.jokers, (tile, MeldKind.RUN))) for tile in midst]
        yield from (replace(story, told=told, terms=way) for way in ways)
        if has_gap(origin) or _is_wild(origin, case):
            yield None


def _is_wild(origin: Cards, case: Case) -> bool:
    """Whether a joker that stays may lie with a set in the place of one of its naturals.

    A pool does not tell the two apart.
    """
    there = case.pool.must + case.pool.may
    return any(tile in origin and there[tile] > 1 for tile in case.staying)
