"""What people write, made fit to be kept and shown."""

import unicodedata
from typing import Final, Literal

LONGEST_NOTE: Final = 280
"""Characters."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing, though Unicode does not call them spaces."""


MOST_MARKS: Final = 30
"""Accents on one letter, as Unicode’s own stream-safe format has it; no language has six."""


def clean_text(text: str) -> str:
    """Compose a text, and drop what cannot be seen: control, zero-width and turning characters.

    Half a character (a lone surrogate) is dropped too, which no database could keep.
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
    """Write letters and their accents the one way; accents beyond `MOST_MARKS` are dropped.

    To put accents in order takes time by the square of how many there are in a row: 60,000 of them,
    which a link of 400 letters can hold, took 3.5 s.
    """
    marks = 0
    kept = []
    for letter in text:
        # A letter of its own may be made of one with accents, but of no more than four.
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return unicodedata.normalize(form, "".join(kept))


def without_accents(text: str) -> str:
    """Letters without their accents, as people type what they look for."""
    return "".join(letter for letter in compose(text, "NFD") if not unicodedata.combining(letter))


def clean_note(text: str) -> str:
    """Clean a note, and cut it where it is longer than the pages let one write."""
    return clean_text(text[: 4 * LONGEST_NOTE])[:LONGEST_NOTE]
