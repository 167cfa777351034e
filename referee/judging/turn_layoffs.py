"""All lay-offs of one turn, each on its meld as it is after the lay-offs before.

A player can lay off 8♦ and 9♦ on 5♦ 6♦ 7♦ and name them in either order: the 9♦ fits once the 8♦ is
there. So lay-offs are tried in different orders, meld by meld, until a way works.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, TypeAlias

from referee.cards import Card, Cards
from referee.melds.rules import MeldRules
from referee.plays import LayDown, LayOff
from referee.rulings import Code, MeldKind, found
from referee.turns.layoffs import JoinedMeld, LayOffRule, ways_on, with_reasons
from referee.variant import Variant

_Name: TypeAlias = tuple[str, ...]
"""The cards of a meld, sorted so that their order doesn’t matter."""
_Melds: TypeAlias = tuple[Cards, ...]
_Left: TypeAlias = tuple[int, ...]
"""The indexes, in the play, of lay-offs that still need to be made."""
_Way: TypeAlias = "tuple[tuple[int, int], tuple[int, JoinedMeld, _Way] | None]"
"""A way to make lay-offs: how good it is (minus the number of findings against it, and the points,
to be compared as a tuple), and its next lay-off as (index, result, the way after that)."""

MOST_TRIED: Final = 2_000
"""The most ways to try; after that, each lay-off is made in the best way for it alone."""

_FEW: Final = 4
"""Up to this many lay-offs on one meld are tried in every order, to find the fewest findings."""


def laid_off(
    play: LayDown, variant: Variant, rules: MeldRules, *, naturals: int = 0
) -> tuple[JoinedMeld, ...]:
    """Rule on the lay-offs of a turn; the results are in the order in which the play names them.

    Lay-offs are made in any order that works. A wild goes where the other cards also find a place.
    If several ways work, the one that scores the most counts, if possible one that lays off at
    least `naturals` naturals. If the packs have several copies of the cards of a meld, there can be
    another meld like it for cards that no longer fit the first one.

    Up to `MOST_TRIED` ways are tried. If there are more and none of those tried works, the first
    lay-off has the finding `Code.NOT_DECIDED`, and there are no other findings.
    """
    if variant.lay_offs is None or not play.layoffs:
        return ()
    return _LayOffs(play, variant, rules, variant.lay_offs).best(naturals)


def named_once(known: Iterable[Cards], layoffs: Sequence[tuple[Cards, Cards]]) -> Iterator[Cards]:
    """Yield each meld that cards are laid off on, once, except those in `known`.

    `layoffs` has pairs of cards and meld. A meld can be named as it was, or as it is after some or
    all of the lay-offs; these are the same meld.
    """
    melds = list(known)
    for meld in first_named(melds, layoffs):
        if not any(meld is other for other in melds):
            yield meld
            melds.append(meld)


def first_named(known: Iterable[Cards], layoffs: Sequence[tuple[Cards, Cards]]) -> list[Cards]:
    """Return the meld of each lay-off as it is in `known`, or as named with the fewest cards.

    `layoffs` has pairs of cards and meld.
    """
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
    """Return the cards in an order that doesn’t depend on the order given, to compare them."""
    return tuple(sorted(cards, key=id))


def naturals_laid_off(joined: JoinedMeld, layoff: LayOff) -> int:
    """Return how many of the cards in one lay-off are naturals in the meld they joined."""
    if joined.reading is None or joined.reading.rankless:
        return 0
    added = joined.reading.wild[-len(layoff.cards) :]
    return len(added) - sum(added)


def _name(cards: Cards) -> _Name:
    return tuple(sorted(map(str, cards)))


class _LayOffs:
    """The lay-offs of one turn, meld by meld: what joins one meld doesn’t affect another."""

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
        """The indexes of the lay-offs by the meld they go to, melds in the order of the play."""
        no_wilds = not rules.runs.exists or rules.wilds.of(MeldKind.RUN).max_in_meld == 0
        self.in_any_order = rules.wilds.moves_freely or no_wilds
        """Whether the cards that join a meld don’t depend on how it was read before."""
        self.most = MOST_TRIED // 8 if self.in_any_order else MOST_TRIED
        """The most ways to try; if order matters less, fewer are enough to find one that works."""
        self.tried = 0
        self._known: dict[tuple[int, _Left, int, _Melds, Cards], _Way] = {}
        self._joined: dict[tuple[bool, Cards, Cards], tuple[JoinedMeld, ...]] = {}
        self.as_they_fit = tuple(map(self._go_as_they_fit, self.groups))
        """For each group, whether making a lay-off that fits never prevents another one."""

    def _onto_one(self) -> Iterator[LayOff]:
        """Yield the lay-offs, each with its meld as it was first named, unless it can be another.

        It can be another meld if the packs have enough cards for both.
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
        """Return whether the packs have these cards in addition to all those in the play."""
        return self.variant.pack.excess(self.there + Counter(more)) is None

    def best(self, naturals: int) -> tuple[JoinedMeld, ...]:
        """Return the best way to make all lay-offs, if possible with this many naturals."""
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
                with_reasons(joined, self._now(layoff), self.rule, self.rules)
                for joined, layoff in zip(laid, layoffs, strict=True)
            ]
        )

    def _undecided(self, at: int, joined: JoinedMeld) -> JoinedMeld:
        """Return a lay-off of a turn for which not every way was tried; the first reports that."""
        if at:
            return joined._replace(findings=())
        cards = self.play.layoffs[at].cards
        return joined._replace(findings=(found(Code.NOT_DECIDED, "fits", cards, "lay-offs"),))

    def _now(self, layoff: LayOff) -> LayOff:
        return replace(layoff, down=True, same_turn=not self.play.down)

    def _from(self, group: int, left: _Left, naturals: int, grown: _Melds, others: Cards) -> _Way:
        """Return the best way to make the lay-offs left of a group, and then those of later groups.

        `naturals` is how many naturals are still wanted; having fewer is as bad as a finding.
        `grown` has the meld of the group as it is now, and any equal melds that got lay-offs.
        `others` has the cards of melds that are assumed because an equal meld is named.
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
        """Return a way in which the lay-offs left of a group don’t fit, and later groups follow."""
        way = self._from(group, (), naturals, grown, others)
        for at in reversed(left):
            layoff = self.play.layoffs[at]
            onto = grown[0] if grown else layoff.onto
            way = _after(at, self._ways(layoff, onto)[0], way)
        return way

    def _next(
        self, left: _Left, grown: _Melds, others: Cards
    ) -> Iterator[tuple[int, int, JoinedMeld, Cards]]:
        """Yield each way to make one of the lay-offs that are left, if it fits.

        A way is the index of the lay-off, the index in `grown` of the meld that it goes to (one
        past the end for a new equal meld), the result, and the new `others` (as in `_from`). If
        naturals fit in only one way, that is the only one returned: anything else in their place
        would keep them out.
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
        """Return whether each lay-off of a group can be made as soon as it fits.

        It can on a set, if naturals go first. It can if single cards go on a run whose wild moves
        freely: the next card is always one beside the run, or the one that its wild stands for. It
        is also done if the cards of many lay-offs together don’t fit, because then no order works.
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
        """Return whether the team can have a second meld with the same cards as `layoff.onto`."""
        if self.play.own or not self.play.down:
            return self.laid[_name(layoff.onto)] > 1
        return self.rules.runs.exists or not self.rules.sets.once

    def _fitting(
        self, left: _Left, grown: _Melds, others: Cards
    ) -> Iterator[tuple[int, int, JoinedMeld, Cards]]:
        """Yield the way to make the next lay-off, if each can be made as soon as it fits."""
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
        """Return the ways to make one lay-off on a meld as it is now."""
        key = layoff.own, layoff.cards, onto
        found = self._joined.get(key)
        if found is None:
            now = replace(self._now(layoff), onto=onto)
            found = ways_on(now, self.rule, self.rules, self.variant.worth, self.variant.bonuses)
            self.tried += len(found)
            # If wilds move freely, the meld can be rearranged later, so one way is as good as any.
            found = found[:1] if self.rules.wilds.moves_freely else found
            self._joined[key] = found
        return found

    def _settled(self, way: _Way) -> bool:
        """Return whether to stop looking for a better way."""
        (against, _), _ = way
        same = self.variant.worth is None or self.rules.wilds.counts_own
        return self.tried > self.most or (not against and same)

    def _fresh(self, layoff: LayOff, grown: _Melds, others: Cards) -> Cards | None:
        """Return `others` with the meld as named; None if there can’t be such a meld."""
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
        """All cards in the play, with each meld once."""
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
    """Return a way with one more lay-off before it, by its number in the play."""
    (against, points), _ = way
    against -= sum([finding.against for finding in joined.findings])
    return (against, points + joined.points), (at, joined, way)
