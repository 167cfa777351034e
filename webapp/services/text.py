"""What people write, made fit to be kept and shown."""

import unicodedata
from typing import Final

LONGEST_NOTE: Final = 280
"""Characters."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing, though Unicode does not call them spaces."""


def clean_text(text: str) -> str:
    """Compose a text, and drop what cannot be seen: control, zero-width and turning characters.

    Half a character (a lone surrogate) is dropped too, which no database could keep.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    shown = []
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        if kind[0] == "Z" or letter in _BLANK or letter.isspace():
            shown.append(" ")
        elif kind[0] != "C":
            shown.append(letter)
    return " ".join("".join(shown).split())


def clean_note(text: str) -> str:
    """Clean a note, and cut it where it is longer than the pages let one write."""
    return clean_text(text[: 4 * LONGEST_NOTE])[:LONGEST_NOTE]
