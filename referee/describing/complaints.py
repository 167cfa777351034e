"""What is wrong with a description: a sentence for each field, with what would do."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from referee.saying import ENGLISH, ShownError, Told, wrong

_MOST_TOLD: Final = 8
_FEW: Final = 16
"""So many words are still read as a list."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a field, by its path ("run.ace", "steps, line 2"), or with the whole.

    >>> from referee.describing import problems
    >>> complaint = problems({"schema": 1})[-1]
    >>> complaint.path, complaint.says
    ('score', '[score] is missing.')
    """

    path: str
    told: Told

    @property
    def says(self) -> str:
        """The sentence in English."""
        return self.told.shown()

    def said(self, language: str) -> str:
        """The sentence in a language."""
        return self.told.shown(language)

    def shown(self, language: str = ENGLISH) -> str:
        """The complaint as it is shown: "run.ace: It’s one of both, low, high."."""
        says = self.said(language)
        return f"{self.path}: {says}" if self.path else says

    def __str__(self) -> str:
        """The complaint as it is shown in English."""
        return self.shown()


def complaint(path: str, key: str, *hows: str, pack: str = "", **values: object) -> Complaint:
    """Return a complaint from the catalogues; `pack` is a kind of pack, whose nouns it uses.

    >>> from referee.describing import complaint
    >>> print(complaint("deal", "missing-table", part="deal"))
    deal: [deal] is missing.
    """
    return Complaint(path, wrong(key, *hows, pack=pack, **values))


class Refused(ShownError):  # noqa: N818 - a description is refused, which is no fault of the code
    """Raised for a description that isn’t a game; `complaints` says why, in up to 8 sentences.

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
        """Go from one process to another as the complaints, not as their sentences."""
        return type(self), (self.complaints,)

    def shown(self, language: str = ENGLISH) -> str:
        """All complaints in a language, a line each."""
        return "\n".join(each.shown(language) for each in self.complaints)


def near(word: str, words: Iterable[str]) -> Told | str:
    """What else could have been meant: the nearest word, or all if they are few; else empty."""
    known = sorted(words)
    close = get_close_matches(word[:80], known, 1)
    if close:
        return wrong("near", word=close[0])
    return wrong("there-are", words=", ".join(known)) if len(known) < _FEW else ""


def shown(value: object) -> str:
    """A value that was given, cut to what a sentence can hold."""
    return str(value)[:30]
