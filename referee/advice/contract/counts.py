"""Counts of several things at once, packed into one whole number.

What a run uses of a suit, how many wilds it takes and which need of a contract it meets are counts
of a few things each. With eight bits for each of them two counts are put together by one addition,
and one subtraction tells whether there is enough of everything: each byte of what there is gets its
top bit set, and loses it only where more is taken away (Lamport, "Multiple byte processing with
full-word instructions", CACM 18, 1975).
"""

from __future__ import annotations

from typing import Final

BITS: Final = 8
MOST: Final = 60
"""The most there is counted of one thing, so that the sum of two stays within its bits."""
WILDS: Final = 0
"""Where wilds are counted; the ranks 1 to 13 follow."""
NEEDS: Final = 14
"""Where the runs for each need of a contract are counted."""
SETS: Final = 22
"""Where it is counted what runs use of the ranks of sets."""
BYTE: Final = (1 << BITS) - 1
_ONES: Final = sum(1 << BITS * at for at in range(SETS + 60))
_TOPS: Final = 0x80 * _ONES


def one(at: int) -> int:
    """Count one of a thing."""
    return 1 << BITS * at


def many(at: int, number: int) -> int:
    """Count so many of a thing, as far as it is counted."""
    return min(number, MOST) << BITS * at


def get(counts: int, at: int) -> int:
    """How many there are of one thing."""
    return counts >> BITS * at & BYTE


def holds(there: int, wanted: int) -> bool:
    """Whether there is enough of everything."""
    return (there | _TOPS) - wanted & _TOPS == _TOPS


def short(there: int, wanted: int) -> int:
    """The top bit of everything of which there is too little."""
    return _TOPS & ~((there | _TOPS) - wanted)


def top(counts: int) -> int:
    """The top bits of everything of which one is counted."""
    return counts << BITS - 1


def everything_of(wanted: int) -> int:
    """A mask of all that is wanted at all.

    >>> hex(everything_of(one(1) + many(3, 2)))
    '0xff00ff00'
    """
    return ((wanted | _TOPS) - _ONES & _TOPS) // (1 << BITS - 1) * BYTE
