"""Complaints: what is wrong with a field of a description, and what would be allowed."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from referee.saying import ENGLISH, ShownError, Told, wrong

_MOST_TOLD: Final = 8
_FEW: Final = 16
"""From this many words on, a message doesn’t list them all."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a field, by its path: "run.ace", "steps, line 2".

    The path is empty if it’s about the whole description.

    >>> from referee.describing import problems
    >>> complaint = problems({"schema": 1})[-1]
    >>> complaint.path, complaint.says
    ('score', '[score] is missing.')
    """

    path: str
    told: Told

    @property
    def says(self) -> str:
        """The message in English."""
        return self.told.shown()

    def said(self, language: str) -> str:
        """Return the message in a language, without the path."""
        return self.told.shown(language)

    def shown(self, language: str = ENGLISH) -> str:
        """Return the message ("run.ace: It’s one of both, low, high.") in a language."""
        says = self.said(language)
        return f"{self.path}: {says}" if self.path else says

    def __str__(self) -> str:
        """Return the message in English, after the path."""
        return self.shown()


def complaint(path: str, key: str, *hows: str, pack: str = "", **values: object) -> Complaint:
    """Return the complaint with this key in the catalogues.

    `hows` are the message variants to prefer, `pack` is the kind of pack whose nouns it uses, and
    `values` are for the placeholders.

    >>> from referee.describing import complaint
    >>> print(complaint("deal", "missing-table", part="deal"))
    deal: [deal] is missing.
    """
    return Complaint(path, wrong(key, *hows, pack=pack, **values))


class Refused(ShownError):  # noqa: N818 - a description is refused, which is no fault of the code
    """Raised for a description that isn’t a game; `complaints` has up to 8 reasons.

    >>> from referee import variants
    >>> from referee.describing import Refused, changed
    >>> try:
    ...     changed(variants.description_of("gin-rummy"), {"run.mim": 4})
    ... except Refused as refused:
    ...     print(refused)
    run.mim: There’s no field “run.mim”. Did you mean “run.min”?
    """

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints = tuple(dict.fromkeys(complaints))[:_MOST_TOLD]
        super().__init__("\n".join(map(str, self.complaints)))

    def __reduce__(self) -> tuple[type["Refused"], tuple[tuple[Complaint, ...]]]:
        """Pickle the complaints, not their sentences."""
        return type(self), (self.complaints,)

    def shown(self, language: str = ENGLISH) -> str:
        """Return all complaints in a language, one per line."""
        return "\n".join(each.shown(language) for each in self.complaints)


def near(word: str, words: Iterable[str]) -> Told | str:
    """Return a hint at what could have been meant: the most similar word, or all if they are few.

    It’s empty if no word is similar and there are many.
    """
    known = sorted(words)
    close = get_close_matches(word[:80], known, 1)
    if close:
        return wrong("near", word=close[0])
    return wrong("there-are", words=", ".join(known)) if len(known) < _FEW else ""


def shown(value: object) -> str:
    """Return a value as text, cut to 30 characters for a message."""
    return str(value)[:30]
