"""Groups of one number: which tiles of the 4 colors can make groups, and with how many jokers.

Colors are indexes from 0 to 3, so red, blue and orange 6 with a free joker could be the group
(0, 1, 2, -1). All results depend only on how many tiles of each color there are, not on the number,
so they are cached.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from referee.advice.tables.colours import LARGEST, WHOLE

Colours: TypeAlias = tuple[int, ...]
"""The colors of some tiles with one number, each once, in rising order. In a group, jokers follow:
`_FREE_JOKER` or `_FRESH_JOKER` for each."""
Counts: TypeAlias = tuple[int, ...]
"""How many tiles with one number there are of each of the 4 colors."""
_FREE_JOKER: Final = -1
_FRESH_JOKER: Final = -2


class GroupTerms(NamedTuple):
    """What `Terms` ask of the groups of one number; the fields are as in `Terms`."""

    parts: frozenset[Colours] = frozenset()
    """Each is a part of an old set: no group with a fresh joker can have all these colors."""
    most: frozenset[tuple[Colours, int, int]] = frozenset()
    """Each is the naturals of a group, its number of jokers, and the most groups like it that there
    can be."""
    goes_on: frozenset[Colours] = frozenset()
    """For each, some group without a fresh joker needs to have all these colors."""
    jokers: frozenset[int] = frozenset()
    """For each color, some group needs to have a joker and no natural of that color."""

    def allow(self, groups: tuple[Colours, ...]) -> bool:
        """Return whether the groups of a number, all together, meet these terms."""
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
    counts: Counts, free: int, fresh: int, cap: int | None
) -> Iterator[tuple[Colours, ...]]:
    """Yield every way to make groups that use all of these tiles and all jokers."""
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
    counts: Counts, free: int, fresh: int, cap: int | None, terms: GroupTerms
) -> tuple[Colours, ...] | None:
    """Return groups of one number that use all of these tiles and all `free` and `fresh` jokers.

    `cap` is the most jokers in a group; None for no limit. Return None if there are no groups that
    meet the terms.
    """
    every = _every_grouping(counts, free, fresh, cap)
    return next((groups for groups in every if terms.allow(groups)), None)


def _can_be(counts: Counts, free: int, fresh: int, cap: int | None, terms: GroupTerms) -> bool:
    if terms != NO_GROUP_TERMS:
        return make_groups(counts, free, fresh, cap, terms) is not None
    naturals, wilds = sum(counts), free + fresh
    many = naturals + wilds
    # No group has a color twice, and each has a natural. Is there a number of groups that fits?
    least = max(*counts, -(-many // LARGEST), -(-wilds // cap) if cap else 0)
    return least <= min(many // WHOLE, naturals)


class Grouping(NamedTuple):
    """How many tiles of each color, and jokers, can be made into groups of one number.

    The colors are in two pairs because the sweep treats them so (`pools.Half`).
    """

    left: tuple[int, int]
    """How many tiles there are of each of the first two colors."""
    right: tuple[int, int]
    """How many tiles there are of each of the other two colors."""
    free: int
    """How many free jokers are in the groups."""
    fresh: int
    """How many fresh jokers are in the groups."""


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
    """Return every choice of tiles that can be made into groups, with up to this many jokers.

    Each mask is for one color: bit n is set if n tiles of it can go to groups. `cap` is the most
    jokers in a group, or None. If `thrifty`, leave out choices that only add jokers to another one.
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
def in_order(every: tuple[Grouping, ...], old_groups: Counts) -> tuple[Grouping, ...]:
    """Return the groupings, first those that take the fewest tiles out of old groups.

    `old_groups` counts the tiles that are in groups on the table.
    """

    def astray(one: Grouping) -> int:
        return sum(
            [max(0, old - new) for old, new in zip(old_groups, one.left + one.right, strict=True)]
        )

    return tuple(sorted(every, key=astray))
