"""What is laid off in a turn, each time onto the meld as it has grown by then."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, TypeAlias

from referee.cards import Card, Cards
from referee.melds.rules import MeldRules
from referee.plays import LayDown, LayOff
from referee.rulings import Code, MeldKind, found
from referee.turns.layoffs import JoinedMeld, LayOffRule, ways_on, with_grounds
from referee.variant import Variant

_Name: TypeAlias = tuple[str, ...]
"""The cards by which a meld is named, in whatever order."""
_Melds: TypeAlias = tuple[Cards, ...]
_Left: TypeAlias = tuple[int, ...]
"""The lay-offs that are still to be made, by their numbers in the play."""
_Way: TypeAlias = "tuple[tuple[int, int], tuple[int, JoinedMeld, _Way] | None]"
"""How well a turn goes on (the findings against it, less than 0, and the points), and how."""

MOST_TRIED: Final = 2_000
"""After so many ways each lay-off that fits is made in the best way there is for it alone."""

_FEW: Final = 4
"""Of so many lay-offs onto one meld all orders are looked at, for the fewest findings."""


def laid_off(
    play: LayDown, variant: Variant, rules: MeldRules, *, naturals: int = 0
) -> tuple[JoinedMeld, ...]:
    """Rule on what is laid off in the same turn; each finds its place in the order of the play.

    They are made in any order that works, whatever order they are named in. A wild goes where the
    others find their place too; of several such ways the one that scores most counts, of those
    with so many `naturals` if there are any. Where the packs hold the cards of a meld more than
    once there may be another just like it, to which cards can be put that do not fit the grown
    one. All ways are looked at, up to `MOST_TRIED` of them; if none of these will do, the lay-offs
    are not refused but undecided.
    """
    if variant.lay_offs is None or not play.layoffs:
        return ()
    return _LayOffs(play, variant, rules, variant.lay_offs).best(naturals)


def named_once(known: Iterable[Cards], layoffs: Sequence[tuple[Cards, Cards]]) -> Iterator[Cards]:
    """Each meld that is laid off onto (cards, meld) once, unless it is known already.

    A meld may be named as it was, or as it has grown by some of the lay-offs or by all of them.
    """
    melds = list(known)
    for meld in first_named(melds, layoffs):
        if not any(meld is other for other in melds):
            yield meld
            melds.append(meld)


def first_named(known: Iterable[Cards], layoffs: Sequence[tuple[Cards, Cards]]) -> list[Cards]:
    """The meld of each lay-off as it was named with the fewest cards, or as it is known."""
    melds = [(cards, [in_any_order(cards)]) for cards in known]
    found: dict[int, Cards] = {}
    for at in sorted(range(len(layoffs)), key=lambda at: len(layoffs[at][1])):
        cards, onto = layoffs[at]
        there = in_any_order(onto)
        meld = next((meld for meld in melds if there in meld[1]), None)
        if meld is None:
            meld = onto, [there]
            melds.append(meld)
        found[at], states = meld
        states += [in_any_order(some + cards) for some in (there, max(states, key=len))]
    return [found[at] for at in range(len(layoffs))]


def in_any_order(cards: Cards) -> Cards:
    """Cards in an order that is the same in whatever order they were; it says nothing else."""
    return tuple(sorted(cards, key=id))


def naturals_laid_off(joined: JoinedMeld, layoff: LayOff) -> int:
    """Count the natural cards among those of one lay-off."""
    if joined.reading is None or joined.reading.rankless:
        return 0
    added = joined.reading.wild[-len(layoff.cards) :]
    return len(added) - sum(added)


def _name(cards: Cards) -> _Name:
    return tuple(sorted(map(str, cards)))


class _LayOffs:
    """The lay-offs of one turn, taken meld by meld: what joins one meld says nothing of another."""

    def __init__(self, play: LayDown, variant: Variant, rules: MeldRules, rule: LayOffRule) -> None:
        self.variant = variant
        self.rules = rules
        self.rule = rule
        self.play = play
        self._laid: Counter[_Name] | None = None
        self._there: Counter[Card] | None = None
        self.play = replace(play, layoffs=tuple(self._onto_one()))
        groups: dict[tuple[bool, _Name], list[int]] = {}
        for at, layoff in enumerate(self.play.layoffs):
            groups.setdefault((layoff.own, _name(layoff.onto)), []).append(at)
        self.groups: tuple[_Left, ...] = tuple(map(tuple, groups.values()))
        """The lay-offs by the meld they go to, that which is named first before the others."""
        no_wilds = not rules.runs.exists or rules.wilds.of(MeldKind.RUN).max_in_meld == 0
        self.in_any_order = rules.wilds.moves_freely or no_wilds
        """Whether what joins a meld doesn’t go by the way in which it was read before."""
        self.most = MOST_TRIED // 8 if self.in_any_order else MOST_TRIED
        """Where the order says less, fewer ways tell whether one works."""
        self.tried = 0
        self._known: dict[tuple[int, _Left, int, _Melds, Cards], _Way] = {}
        self._joined: dict[tuple[bool, Cards, Cards], tuple[JoinedMeld, ...]] = {}
        self.as_they_fit = tuple(map(self._go_as_they_fit, self.groups))
        """Whether no lay-off of a group that fits keeps out another."""

    def _onto_one(self) -> Iterator[LayOff]:
        """The lay-offs, each onto its meld as that was first named where there can be no other.

        Where the packs hold the cards of the grown meld once more, it may be another.
        """
        layoffs = self.play.layoffs
        known = (*self.play.own, *self.play.melds)
        first = first_named(known, [(each.cards, each.onto) for each in layoffs])
        for layoff, onto in zip(layoffs, first, strict=True):
            named_first = _name(layoff.onto) == _name(onto)
            all_named = layoff.own and self.play.own
            if named_first or (not all_named and self._may_be_there(layoff.onto)):
                yield layoff
            else:
                yield replace(layoff, onto=onto)

    def _may_be_there(self, more: Cards) -> bool:
        """Whether the packs hold these cards beside all that the play names."""
        return self.variant.pack.excess(self.there + Counter(more)) is None

    def best(self, naturals: int) -> tuple[JoinedMeld, ...]:
        """The best way to lay all off, with so many naturals if it can be."""
        _, link = self._from(0, self.groups[0], naturals, (), ())
        found: dict[int, JoinedMeld] = {}
        while link is not None:
            at, joined, (_, after) = link
            found[at] = joined
            link = after
        laid = [found[at] for at in range(len(found))]
        if self.tried > self.most and any(joined.findings for joined in laid):
            return tuple([self._undecided(at, joined) for at, joined in enumerate(laid)])
        layoffs = self.play.layoffs
        return tuple(
            [
                with_grounds(joined, self._now(layoff), self.rule, self.rules)
                for joined, layoff in zip(laid, layoffs, strict=True)
            ]
        )

    def _undecided(self, at: int, joined: JoinedMeld) -> JoinedMeld:
        """A lay-off of a turn that wasn’t looked at in every way; the first one reports it."""
        if at:
            return joined._replace(findings=())
        cards = self.play.layoffs[at].cards
        return joined._replace(findings=(found(Code.NOT_DECIDED, "fits", cards, "lay-offs"),))

    def _now(self, layoff: LayOff) -> LayOff:
        return replace(layoff, down=True, same_turn=not self.play.down)

    def _from(self, group: int, left: _Left, naturals: int, grown: _Melds, others: Cards) -> _Way:
        """The best way to go on with what is left of a group, and then with the groups after.

        So many `naturals` are still wanted; to lay fewer is as bad as a finding. `grown` is what
        the meld of the group has become, and those just like it that were laid off on; `others`
        are the cards of melds that are there only because one just like them is named.
        """
        if not left:
            if group + 1 == len(self.groups):
                return (-(naturals > 0), 0), None
            group, grown = group + 1, ()
            left = self.groups[group]
        same = tuple(map(in_any_order, grown)) if self.in_any_order else grown
        key = group, left, naturals, same, others
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._best_from(group, left, naturals, grown, others)
        return found

    def _best_from(
        self, group: int, left: _Left, naturals: int, grown: _Melds, others: Cards
    ) -> _Way:
        best: _Way | None = None
        ways = self._fitting if self.as_they_fit[group] else self._next
        for at, onto, joined, more in ways(left, grown, others):
            self.tried += 1
            melds = (*grown[:onto], _grown(joined), *grown[onto + 1 :])
            want = max(0, naturals - naturals_laid_off(joined, self.play.layoffs[at]))
            rest = tuple([other for other in left if other != at])
            way = _after(at, joined, self._from(group, rest, want, melds, more))
            if best is None or way[0] > best[0]:
                best = way
            if self._settled(best):
                break
        return self._misfits(group, left, naturals, grown, others) if best is None else best

    def _misfits(
        self, group: int, left: _Left, naturals: int, grown: _Melds, others: Cards
    ) -> _Way:
        """Say of all that is left of a group that it does not fit, and go on with the next."""
        way = self._from(group, (), naturals, grown, others)
        for at in reversed(left):
            layoff = self.play.layoffs[at]
            onto = grown[0] if grown else layoff.onto
            way = _after(at, self._ways(layoff, onto)[0], way)
        return way

    def _next(
        self, left: _Left, grown: _Melds, others: Cards
    ) -> Iterator[tuple[int, int, JoinedMeld, Cards]]:
        """Each way to make one of the lay-offs that are left, where it fits.

        Natural cards that fit in one way alone are put there first: nothing else can have their
        place without keeping them out.
        """
        ways: list[tuple[int, int, JoinedMeld, Cards]] = []
        told: set[Cards] = set()
        fresh = self._fresh(self.play.layoffs[left[0]], grown, others)
        for at in left:
            layoff = self.play.layoffs[at]
            if layoff.cards in told:
                continue
            told.add(layoff.cards)
            melds = [(onto, others) for onto in grown]
            if fresh is not None:
                melds.append((layoff.onto, fresh))
            fitting = [
                (at, meld, joined, more)
                for meld, (onto, more) in enumerate(melds)
                for joined in self._ways(layoff, onto)
                if joined.reading is not None
            ]
            if len(fitting) == 1 and self.rules.wilds.cards.isdisjoint(layoff.cards):
                return iter(fitting)
            ways += fitting
        return iter(ways)

    def _go_as_they_fit(self, group: _Left) -> bool:
        """Whether each lay-off of a group can be made as soon as it fits.

        It can on a set that takes its naturals first, and of single cards on a run whose wild moves
        freely: the next card is always one beside the run, or the one that its wild stands for. Nor
        is one of many orders worth a search where all cards together make no meld of that.
        """
        layoffs = [self.play.layoffs[at] for at in group]
        alone = layoffs[0].own and not self._has_twin(layoffs[0])
        ranks = [card.rank for card in layoffs[0].onto if card not in self.rules.wilds.cards]
        one_rank = len(ranks) > 1 and len(set(ranks)) == 1
        single = all(len(each.cards) == 1 for each in layoffs)
        few = len(group) <= _FEW or not self.rules.wilds.moves_freely
        if not self.in_any_order or not alone or one_rank or single or few:
            return self.in_any_order and alone and (one_rank or single)
        every = tuple(chain(*[each.cards for each in layoffs]))
        whole = self._ways(replace(layoffs[0], cards=every), layoffs[0].onto)[0]
        return whole.reading is None or bool(whole.findings)

    def _has_twin(self, layoff: LayOff) -> bool:
        """Whether there may be another meld of the team with the same cards as one."""
        if self.play.own or not self.play.down:
            return self.laid[_name(layoff.onto)] > 1
        return self.rules.runs.exists or not self.rules.sets.once

    def _fitting(
        self, left: _Left, grown: _Melds, others: Cards
    ) -> Iterator[tuple[int, int, JoinedMeld, Cards]]:
        """The lay-off that is made next where each can be made as soon as it fits."""
        wild = self.rules.wilds.cards
        layoffs = [(at, self.play.layoffs[at]) for at in left]
        layoffs.sort(key=lambda one: sum(1 if card in wild else -1 for card in one[1].cards))
        against: list[tuple[int, JoinedMeld]] = []
        for at, layoff in layoffs:
            joined = self._ways(layoff, grown[0] if grown else layoff.onto)[0]
            if joined.reading is not None and not joined.findings:
                yield at, 0, joined, others
                return
            if joined.reading is not None:
                against.append((at, joined))
        for at, joined in against[:1]:
            yield at, 0, joined, others

    def _ways(self, layoff: LayOff, onto: Cards) -> tuple[JoinedMeld, ...]:
        """Rule on one lay-off onto a meld as it now is."""
        key = layoff.own, layoff.cards, onto
        found = self._joined.get(key)
        if found is None:
            now = replace(self._now(layoff), onto=onto)
            found = ways_on(now, self.rule, self.rules, self.variant.worth, self.variant.bonuses)
            self.tried += len(found)
            # Where a meld is read afresh each time, it is as good in one way as in another.
            found = found[:1] if self.rules.wilds.moves_freely else found
            self._joined[key] = found
        return found

    def _settled(self, way: _Way) -> bool:
        """Whether no better way is looked for."""
        (against, _), _ = way
        same = self.variant.worth is None or self.rules.wilds.counts_own
        return self.tried > self.most or (not against and same)

    def _fresh(self, layoff: LayOff, grown: _Melds, others: Cards) -> Cards | None:
        """Say what `others` are with a meld as it was named; None if there is no such meld."""
        if not grown or (layoff.own and len(grown) < self.laid[_name(layoff.onto)]):
            return others
        if layoff.own and (self.play.own or not self.play.down):
            return None  # who goes down in this turn has no melds but those
        more = others + layoff.onto
        return more if self._may_be_there(more) else None

    @property
    def laid(self) -> Counter[_Name]:
        if self._laid is None:
            self._laid = Counter(map(_name, (*self.play.own, *self.play.melds)))
        return self._laid

    @property
    def there(self) -> Counter[Card]:
        """All cards that the play names; each meld once, as it was or as it has grown."""
        if self._there is None:
            play = self.play
            used = Counter(chain(*play.melds, *[layoff.cards for layoff in play.layoffs]))
            self._there = (used + Counter(play.kept)) | Counter(play.hand)
            pairs = [(layoff.cards, layoff.onto) for layoff in play.layoffs]
            for onto in named_once(play.melds, pairs):
                self._there += Counter(onto)
        return self._there


def _grown(joined: JoinedMeld) -> Cards:
    assert joined.reading is not None, "what fits is read"
    return joined.reading.arranged.cards


def _after(at: int, joined: JoinedMeld, way: _Way) -> _Way:
    """A way that begins with one lay-off more, by its number."""
    (against, points), _ = way
    against -= sum([finding.against for finding in joined.findings])
    return (against, points + joined.points), (at, joined, way)
