"""How many examples a property is tried with: fewer in a run that many wait for."""

from collections.abc import Sequence
from typing import Any, Final

import pytest
from hypothesis import settings

QUICK: Final = "quick"
FULL: Final = "full"
MANY: Final = "many"
"""The names of the profiles: plain `pytest`, `python3 -m tests`, and the same with `--many`."""

SHARES: Final = {QUICK: 20, FULL: 10, MANY: 1}
"""Which part of the examples each tries: of so many, one."""

WHERE_NONE_IS_SAID: Final = 100
"""How many Hypothesis tries of itself."""

OTHERWISE: Final = 10
"""Which part is tried under any other profile: one that ends with the first failure."""

# What a shared machine takes for one example says nothing about the example.
for name, share in SHARES.items():
    settings.register_profile(name, deadline=None, max_examples=WHERE_NONE_IS_SAID // share)


def examples(most: int, *, least: int = 1) -> int:
    """How many examples this run tries where one with `--many` tries so many.

    `least` is how many it takes until there are some of every kind that the test wants to see.
    """
    return max(least, most // SHARES.get(settings.get_current_profile_name(), OTHERWISE))


def in_turn(values: Sequence[Any], *, quick: int = 1, each: int = 5) -> list[Any]:
    """Parameters of a test that takes long: a release tries all, any other run one of so many.

    Of those, plain `pytest` tries the first few.
    """

    def marks(number: int) -> list[pytest.MarkDecorator]:
        turn, rest = divmod(number, each)
        return (
            [pytest.mark.slow, pytest.mark.release]
            if rest
            else [pytest.mark.slow] * (turn >= quick)
        )

    return [pytest.param(value, marks=marks(number)) for number, value in enumerate(values)]
