"""How fast this machine is at plain Python, now.

A limit in milliseconds fails where the machine is slow or busy, though nothing is wrong. Limits in
the tests are therefore so many yardsticks: a fixed piece of work, measured right beside. And they
are three times what is promised, for tests are there to catch work without a bound.
"""

import time
from typing import Final

MILLISECONDS: Final = 10
"""What a yardstick took on the machine that the limits were set on, with nothing else to do."""

SLACK: Final = 3
"""How far a test lets a busy machine go beyond a limit."""


def yardstick() -> float:
    """Measure it; answers seconds of processor time, of the middle one of three runs."""
    return sorted(_work() for _ in range(3))[1]


def milliseconds(limit: float) -> float:
    """Answer how many seconds a test allows here for a limit in milliseconds of that machine's."""
    return SLACK * limit / MILLISECONDS * yardstick()


def _work() -> float:
    """Count, look up and sort, as the solvers do, in 63,000 small steps."""
    started = time.process_time()
    counts: dict[tuple[int, int], int] = {}
    for number in range(63_000):
        key = number * 7919 % 1009, number % 13
        counts[key] = counts.get(key, 0) + number
    sorted(counts.items(), key=lambda pair: -pair[1])
    return time.process_time() - started
