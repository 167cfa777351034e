"""What is wrong with a description: a sentence for each field, with what would do."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from referee.saying import ENGLISH, WORDS, Catalogue

_MOST_TOLD: Final = 8
_FEW: Final = 16
"""So many words are still read as a list."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a field, by its path ("run.ace", "steps, line 2"), or with the whole."""

    path: str
    says: str
    """The sentence in English."""
    told: tuple[str, tuple[str, ...], str, tuple[tuple[str, object], ...]] | None = None
    """What the catalogues make it of: a key, branches, a kind of pack, values."""

    def said(self, language: str) -> str:
        """The sentence in a language, if the catalogues have it; else in English."""
        return _say(language, *self.told) if self.told else self.says

    def shown(self, language: str = ENGLISH) -> str:
        """The complaint as it is shown: "run.ace: It’s one of both, low, high."."""
        says = self.said(language)
        return f"{self.path}: {says}" if self.path else says

    def __str__(self) -> str:
        """The complaint as it is shown in English."""
        return self.shown()


def complaint(path: str, key: str, *hows: str, pack: str = "", **values: object) -> Complaint:
    """A complaint out of the catalogues; `pack` is a kind of pack, whose nouns it uses.

    A value that is a tuple becomes a list in words, and `kind` the noun for a kind of meld.
    """
    told = key, hows, pack, tuple(values.items())
    return Complaint(path, _say(ENGLISH, *told), told)


def _say(
    language: str,
    key: str,
    hows: tuple[str, ...],
    pack: str,
    values: tuple[tuple[str, object], ...],
) -> str:
    speech = Catalogue.read(language, WORDS)
    nouns = speech.nouns(pack)
    given = {
        name: speech.joined(value)
        if isinstance(value, tuple)
        else nouns[str(value)]
        if name == "kind"
        else value
        for name, value in values
    }
    says = speech.template(f"complaints.{key}", *hows).format_map({**nouns, **given})
    return f"{says[:1].upper()}{says[1:]}"


class Refused(ValueError):  # noqa: N818 - a description is refused, which is no fault of the code
    """A description isn’t a game; `complaints` says why, in up to eight sentences."""

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints = tuple(dict.fromkeys(complaints))[:_MOST_TOLD]
        super().__init__("\n".join(map(str, self.complaints)))


def near(word: str, words: Iterable[str]) -> str:
    """What else could have been meant: the nearest word, or all if they are few; else empty."""
    known = sorted(words)
    close = get_close_matches(word[:80], known, 1)
    if close:
        return f" Did you mean “{close[0]}”?"
    return f" There are: {', '.join(known)}." if len(known) < _FEW else ""


def shown(value: object) -> str:
    """A value that was given, cut to what a sentence can hold."""
    return str(value)[:30]
