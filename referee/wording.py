"""Words that many sentences are made of."""

from typing import Final

_NUMBERS: Final = "no one two three four five six seven eight nine ten eleven twelve".split()


def number_word(number: int) -> str:
    """Say a small number in a word, a larger one in digits, as sentences want it."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def say_points(number: int) -> str:
    """Say points in digits, with a true minus sign."""
    return str(number).replace("-", "−")
