"""Groups of one number: which tiles of the 4 colors can make groups, and with how many jokers.

This only depends on how many tiles there are, so results are cached.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from referee.advice.tables.colours import LARGEST, WHOLE

Colours: TypeAlias = tuple[int, ...]
"""The colors of some tiles with one number, as indexes from 0 in rising order."""
_FREE_JOKER: Final = -1
_FRESH_JOKER: Final = -2


class GroupTerms(NamedTuple):
    """What the groups of one number need to meet because jokers were taken."""

    parts: frozenset[Colours] = frozenset()
    """Parts of old sets that can’t be in a group with a fresh joker."""
    most: frozenset[tuple[Colours, int, int]] = frozenset()
    """The naturals of a group, its number of jokers, and the most such groups there can be."""
    goes_on: frozenset[Colours] = frozenset()
    """Colors that need to be together in a group without a fresh joker."""
    jokers: frozenset[int] = frozenset()
    """Colors that a joker needs to stand for."""

    def allow(self, groups: tuple[Colours, ...]) -> bool:
        """Return whether groups meet these terms; in a group, jokers are negative numbers."""
        return (
            all(
                [(_naturals(group), len(group)) for group in groups].count((one, len(one) + wild))
                <= most
                for one, wild, most in self.most
            )
            and all(
                any(_FRESH_JOKER not in group and set(part) <= set(group) for group in groups)
                for part in self.goes_on
            )
            and all(
                any(min(group) < 0 and colour not in group for group in groups)
                for colour in self.jokers
            )
            and not any(
                _FRESH_JOKER in group and set(part) <= set(group)
                for group in groups
                for part in self.parts
            )
        )


NO_GROUP_TERMS: Final = GroupTerms()


def _naturals(group: Colours) -> Colours:
    return tuple(colour for colour in group if colour >= 0)


def _every_grouping(
    counts: Colours, free: int, fresh: int, cap: int | None
) -> Iterator[tuple[Colours, ...]]:
    """Yield every way to make groups that use all of these tiles, by color, and all jokers."""
    colours = [colour for colour, count in enumerate(counts) if count]
    if not colours:
        if not (free or fresh):
            yield ()
        return
    first, *others = colours
    for naturals in range(len(others) + 1):
        for more in combinations(others, naturals):
            left = tuple(
                count - (colour == first or colour in more) for colour, count in enumerate(counts)
            )
            for used, new in product(range(free + 1), range(fresh + 1)):
                size, wilds = naturals + 1 + used + new, used + new
                if WHOLE <= size <= LARGEST and (cap is None or wilds <= cap):
                    group = (first, *more, *(_FREE_JOKER,) * used, *(_FRESH_JOKER,) * new)
                    for rest in _every_grouping(left, free - used, fresh - new, cap):
                        yield (group, *rest)


@lru_cache(maxsize=20_000)
def make_groups(
    counts: Colours, free: int, fresh: int, cap: int | None, terms: GroupTerms
) -> tuple[Colours, ...] | None:
    """Return groups of one number that use all of these tiles, by color, and all jokers.

    In a group, jokers are negative numbers. `cap` is the most jokers in a group, or None. Return
    None if there are no such groups.
    """
    every = _every_grouping(counts, free, fresh, cap)
    return next((groups for groups in every if terms.allow(groups)), None)


def _can_be(counts: Colours, free: int, fresh: int, cap: int | None, terms: GroupTerms) -> bool:
    if terms != NO_GROUP_TERMS:
        return make_groups(counts, free, fresh, cap, terms) is not None
    naturals, wilds = sum(counts), free + fresh
    many = naturals + wilds
    # No group has a color twice, and each has a natural. Is there a number of groups that fits?
    least = max(*counts, -(-many // LARGEST), -(-wilds // cap) if cap else 0)
    return least <= min(many // WHOLE, naturals)


class Grouping(NamedTuple):
    """Tiles of one number that can be groups, all together."""

    left: tuple[int, int]
    """How many tiles there are of each of the first two colors."""
    right: tuple[int, int]
    """How many tiles there are of each of the other two colors."""
    free: int
    """How many jokers there are that can be in any set."""
    fresh: int
    """How many jokers there are that need to be in new sets."""


@lru_cache(maxsize=50_000)
def groupings(  # noqa: PLR0913 - what is known is known of all of it
    masks: tuple[int, int, int, int],
    free: int,
    fresh: int,
    cap: int | None,
    terms: GroupTerms,
    *,
    thrifty: bool,
) -> tuple[Grouping, ...]:
    """Return every choice of tiles that can be groups, with up to this many jokers.

    Each mask is for one color: bit n is set if n tiles are possible. If `thrifty`, leave out
    choices that only add jokers to another one.
    """
    each = [[count for count in range(mask.bit_length()) if mask >> count & 1] for mask in masks]
    found = []
    for one, two, three, four in product(*each):
        few: list[tuple[int, int]] = []
        for used, new in product(range(free + 1), range(fresh + 1)):
            if thrifty and any(less <= used and other <= new for less, other in few):
                continue
            if _can_be((one, two, three, four), used, new, cap, terms):
                found.append(Grouping((one, two), (three, four), used, new))
                few.append((used, new))
    return tuple(found)


@lru_cache(maxsize=50_000)
def in_order(every: tuple[Grouping, ...], lay: Colours) -> tuple[Grouping, ...]:
    """Return the groupings, first those that take the fewest tiles out of old groups.

    `lay` has the number of tiles of each color that were in groups.
    """

    def astray(one: Grouping) -> int:
        return sum([max(0, old - new) for old, new in zip(lay, one.left + one.right, strict=True)])

    return tuple(sorted(every, key=astray))
