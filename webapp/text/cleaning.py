"""Cleans text that people write, before it’s stored and shown."""

import unicodedata
from typing import Final, Literal

LONGEST_NOTE: Final = 280
"""The most characters of a note."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible characters that Unicode doesn’t count as spaces."""


MOST_MARKS: Final = 30
"""The most accents on one letter, as in Unicode’s stream-safe format; no language has 6."""


def clean_text(text: str) -> str:
    """Return a text composed, and without control, zero-width and direction characters.

    Half a character (a lone surrogate) is dropped as well: no database could store it.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    shown = []
    for letter in compose(text):
        kind = unicodedata.category(letter)
        if kind[0] == "Z" or letter in _BLANK or letter.isspace():
            shown.append(" ")
        elif kind[0] != "C":
            shown.append(letter)
    return " ".join("".join(shown).split())


def compose(text: str, form: Literal["NFC", "NFD", "NFKC"] = "NFC") -> str:
    """Return a text with its accents in the standard form; more than `MOST_MARKS` are dropped.

    The time for sorting accents grows with the square of how many there are in a row: 60,000 of
    them, which a link of 400 letters can contain, took 3.5 s.
    """
    marks = 0
    kept = []
    for letter in text:
        # A single letter can be made of one with accents, but of no more than 4.
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return unicodedata.normalize(form, "".join(kept))


def without_accents(text: str) -> str:
    """Return letters without their accents, as people type them in a search."""
    return "".join(letter for letter in compose(text, "NFD") if not unicodedata.combining(letter))


def clean_note(text: str) -> str:
    """Return a cleaned note, cut at the length that pages allow."""
    return clean_text(text[: 4 * LONGEST_NOTE])[:LONGEST_NOTE]
