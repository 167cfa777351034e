"""Groups of one number: which tiles of the four colors make some, and with how many jokers.

What can be made depends on the counts alone, so it is worked out once and kept.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from referee.advice.tables.colours import LARGEST, WHOLE

Colours: TypeAlias = tuple[int, ...]
"""Colours of one number, from 0, rising."""
_FREE_JOKER: Final = -1
_FRESH_JOKER: Final = -2


class GroupTerms(NamedTuple):
    """What is asked of the groups of one number, for jokers that were taken."""

    parts: frozenset[Colours] = frozenset()
    """With which sets of the table go on: no fresh joker is with them."""
    most: frozenset[tuple[Colours, int, int]] = frozenset()
    """Groups, and how many jokers they have, that may be there so often at most."""
    goes_on: frozenset[Colours] = frozenset()
    """What is together in a group without a fresh joker."""
    jokers: frozenset[int] = frozenset()
    """The colors that a joker stands for."""

    def allow(self, groups: tuple[Colours, ...]) -> bool:
        """Whether groups are as they are asked for; jokers are negative."""
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
    """Every way to make groups out of so many tiles of each color and all of the jokers."""
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
    """Groups of one number out of so many tiles of each color and all of the jokers.

    They are given by their colors, jokers are negative. None if that cannot be done.
    """
    every = _every_grouping(counts, free, fresh, cap)
    return next((groups for groups in every if terms.allow(groups)), None)


def _can_be(counts: Colours, free: int, fresh: int, cap: int | None, terms: GroupTerms) -> bool:
    if terms != NO_GROUP_TERMS:
        return make_groups(counts, free, fresh, cap, terms) is not None
    naturals, wilds = sum(counts), free + fresh
    many = naturals + wilds
    # No group has a color twice, and each has a natural: how many groups it takes, and can be.
    least = max(*counts, -(-many // LARGEST), -(-wilds // cap) if cap else 0)
    return least <= min(many // WHOLE, naturals)


class Grouping(NamedTuple):
    """Tiles of one number that are groups together."""

    left: tuple[int, int]
    """How many there are of the first two colors, and of the others."""
    right: tuple[int, int]
    free: int
    """How many free jokers there are with them, and how many fresh ones."""
    fresh: int


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
    """All that may be groups, with so many jokers at most.

    A mask says by its bits how many tiles of a color there may be. Thrift takes as few jokers as
    will do.
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
    """Groupings, those first that leave fewest tiles in no group that `lay` in one."""

    def astray(one: Grouping) -> int:
        return sum([max(0, old - new) for old, new in zip(lay, one.left + one.right, strict=True)])

    return tuple(sorted(every, key=astray))
