"""What is laid off in a turn, each time onto the meld as it has grown by then."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.table import ways_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.cards import Card, Cards
    from referee.melds import MeldRules
    from referee.plays import LayDown, LayOff
    from referee.table import Joined, LayOffRule
    from referee.variant import Variant

_Name: TypeAlias = "tuple[str, ...]"
"""The cards by which a meld is named, in whatever order."""
_Melds: TypeAlias = "tuple[Cards, ...]"
_Way: TypeAlias = "tuple[int, int, tuple[Joined, _Way] | None]"
"""How well a turn goes on (the findings against it, less than 0, and the points), and how."""

_MOST_TRIED: Final = 1_000
"""After so many steps each lay-off is made in the best way there is for it alone."""


def laid_off(
    play: LayDown, variant: Variant, rules: MeldRules, *, naturals: int = 0
) -> tuple[Joined, ...]:
    """Rule on what is laid off in the same turn, in the order of the play.

    A wild goes where the cards laid off after it find their place too; of several such ways the
    one that scores most counts, of those with so many `naturals` if there are any. Where the packs
    hold the cards of a meld more than once there may be another just like it, to which cards can
    be put that do not fit the grown one. All ways are looked at up to `_MOST_TRIED` steps, a step
    being one lay-off onto melds as they then are.
    """
    if variant.lay_offs is None or not play.layoffs:
        return ()
    return _Turn(play, variant, rules, variant.lay_offs).best(naturals)


def naturals_laid_off(joined: Joined, layoff: LayOff) -> int:
    """Count the natural cards among those of one lay-off."""
    if joined.reading is None or joined.reading.rankless:
        return 0
    added = joined.reading.wild[-len(layoff.cards) :]
    return len(added) - sum(added)


def _name(cards: Cards) -> _Name:
    return tuple(sorted(map(str, cards)))


class _Turn:
    """The lay-offs of one turn, taken meld by meld: what joins one meld says nothing of another."""

    def __init__(self, play: LayDown, variant: Variant, rules: MeldRules, rule: LayOffRule) -> None:
        self.play = play
        self.variant = variant
        self.rules = rules
        self.rule = rule
        self.ontos = [(layoff.own, _name(layoff.onto)) for layoff in play.layoffs]
        first: dict[tuple[bool, _Name], int] = {}
        for at, onto in enumerate(self.ontos):
            first.setdefault(onto, at)
        self.order = sorted(range(len(self.ontos)), key=lambda at: first[self.ontos[at]])
        """The lay-offs by the meld they go to, that which is named first before the others."""
        self.tried = 0
        self._laid: Counter[_Name] | None = None
        self._there: Counter[Card] | None = None
        self._known: dict[tuple[int, int, _Melds, Cards], _Way] = {}

    def best(self, naturals: int) -> tuple[Joined, ...]:
        """Give the best way to lay all off, with so many naturals if it can be."""
        *_, link = self._from(0, naturals, (), ())
        found: dict[int, Joined] = {}
        for at in self.order:
            assert link is not None, "there is one for each lay-off"
            found[at], (*_, link) = link
        return tuple([found[at] for at in range(len(self.order))])

    def _from(self, number: int, naturals: int, grown: _Melds, others: Cards) -> _Way:
        """Give the best way to go on from the lay-off of this number.

        So many `naturals` are still wanted; to lay fewer is as bad as a finding. `grown` is what
        its meld has become, and those just like it that were laid off on; `others` are the cards
        of melds that are there only because one just like them is named.
        """
        if number == len(self.order):
            return -(naturals > 0), 0, None
        at = self.order[number]
        if number and self.ontos[self.order[number - 1]] != self.ontos[at]:
            grown = ()
        key = number, naturals, grown, others
        found = self._known.get(key)
        if found is None:
            self.tried += 1
            found = self._known[key] = self._best_from(number, naturals, grown, others)
        return found

    def _best_from(self, number: int, naturals: int, grown: _Melds, others: Cards) -> _Way:
        best: _Way | None = None
        misfit: Joined | None = None
        layoff = self.play.layoffs[self.order[number]]
        for at, (onto, more) in enumerate(self._melds(layoff, grown, others)):
            now = replace(layoff, onto=onto, down=True, same_turn=not self.play.down)
            ways = ways_on(now, self.rule, self.rules, self.variant.worth)
            for joined in ways:
                if joined.reading is None:
                    misfit = misfit or joined
                elif best is None or not self._settled(best):
                    melds = (*grown[:at], joined.reading.arranged.cards, *grown[at + 1 :])
                    want = max(0, naturals - naturals_laid_off(joined, layoff))
                    way = _after(joined, self._from(number + 1, want, melds, more))
                    if best is None or way[:2] > best[:2]:
                        best = way
            if best is not None and self._settled(best):
                break
        if best is None:
            assert misfit is not None, "there is a meld to try"
            best = _after(misfit, self._from(number + 1, naturals, grown, others))
        return best

    def _settled(self, way: _Way) -> bool:
        """Whether no better way is looked for."""
        return self.tried > _MOST_TRIED or (not way[0] and self.variant.worth is None)

    def _melds(self, layoff: LayOff, grown: _Melds, others: Cards) -> Iterator[tuple[Cards, Cards]]:
        """Give the melds that a lay-off may mean, each with what `others` then are."""
        for onto in grown:
            yield onto, others
        if not grown or (layoff.own and len(grown) < self.laid[_name(layoff.onto)]):
            yield layoff.onto, others
            return
        if layoff.own and not self.play.down:
            return  # who goes down in this turn has no melds but those
        more = others + layoff.onto
        if self.variant.pack.excess(self.there + Counter(more)) is None:
            yield layoff.onto, more

    @property
    def laid(self) -> Counter[_Name]:
        """How often each meld is laid down in this turn."""
        if self._laid is None:
            self._laid = Counter(map(_name, self.play.melds))
        return self._laid

    @property
    def there(self) -> Counter[Card]:
        """All cards that the play names; each meld once, as it was or as it has grown."""
        if self._there is None:
            play = self.play
            used = Counter(chain(*play.melds, *[layoff.cards for layoff in play.layoffs]))
            self._there = (used + Counter(play.kept)) | Counter(play.hand)
            known = [Counter(cards) for cards in play.melds]
            for layoff in play.layoffs:
                onto = Counter(layoff.onto)
                if onto not in known:
                    self._there += onto
                known += [onto, onto + Counter(layoff.cards)]
        return self._there


def _after(joined: Joined, way: _Way) -> _Way:
    """Give a way that begins with one lay-off more."""
    against = sum([finding.against for finding in joined.findings])
    return way[0] - against, way[1] + joined.points, (joined, way)
