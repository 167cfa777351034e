"""How many examples a property is tried with: in a quick run a quarter of them."""

from typing import Final

from hypothesis import settings

QUICK: Final = "quick"
FULL: Final = "full"
"""The names of the profiles."""

SHARE: Final = 4
"""How many times as many examples a full run tries."""

# What a shared machine takes for one example says nothing about the example.
settings.register_profile(FULL, deadline=None)
settings.register_profile(QUICK, deadline=None, max_examples=100 // SHARE)


def examples(most: int) -> int:
    """How many examples this run tries where a full one tries so many."""
    return most if settings.get_current_profile_name() == FULL else max(1, most // SHARE)
