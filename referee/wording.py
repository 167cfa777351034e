"""Words that many sentences are made of."""

from collections.abc import Iterable
from typing import Final

_NUMBERS: Final = "no one two three four five six seven eight nine ten eleven twelve".split()


def number_word(number: int) -> str:
    """Say a small number in a word, a larger one in digits, as sentences want it."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def joined(parts: Iterable[str]) -> str:
    """Parts as a list in a sentence; empty for none.

    >>> joined(["Ana", "Ben", "Cleo"])
    'Ana, Ben and Cleo'
    """
    *most, last = [*parts] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def say_points(number: int) -> str:
    """Say points in digits, with a true minus sign."""
    return str(number).replace("-", "−")
