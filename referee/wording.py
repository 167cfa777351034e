"""Numbers as words, for sentences."""

from typing import Final

_NUMBERS: Final = "no one two three four five six seven eight nine ten eleven twelve".split()


def number_word(number: int) -> str:
    """Return a number from 0 to 12 as an English word ("no" for 0), any other in digits."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def say_points(number: int) -> str:
    """Return points in digits, with a true minus sign."""
    return str(number).replace("-", "−")
