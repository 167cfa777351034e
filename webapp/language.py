"""The language of the current request, and `say`, which makes sentences in it.

Everything that a person reads on a page has its sentence in `webapp/words/`, one file for each
language. Nothing here knows about requests: modules below the pages make sentences too, and the
terminal gets English.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Self

from markupsafe import Markup, escape

from referee import Variant
from referee.saying import ENGLISH, Catalogue, Said

WORDS: Final = Path(__file__).parent / "words"

_LANGUAGE: Final = ContextVar("language", default=ENGLISH)
_REGION: Final = ContextVar("region", default="")


@cache
def offered() -> tuple[str, ...]:
    """Return the languages that have a sentence for each key, English first."""
    others = sorted({file.stem for file in WORDS.glob("*.toml")} - {ENGLISH})
    return (ENGLISH, *(other for other in others if _keys(ENGLISH) <= _keys(other)))


def _keys(language: str) -> set[tuple[str, str]]:
    tables = Catalogue.read(language, WORDS).tables
    return {(section, key) for section, table in tables.items() for key in table}


def names() -> list[tuple[str, str]]:
    """Return the available languages, each with its own name for itself."""
    return [(each, Catalogue.read(each, WORDS).say("base.language")) for each in offered()]


def speak(language: str, region: str = "") -> None:
    """Set the language of this thread, and the region for times and dates: "GB", "MX"."""
    _LANGUAGE.set(language)
    _REGION.set(region)


def language() -> str:
    """Return the language of this thread."""
    return _LANGUAGE.get()


def region() -> str:
    """Return the region of this thread, as in `speak`: "GB"; empty if it isn’t known."""
    return _REGION.get()


def spoken() -> Catalogue:
    """Return the sentences of the language of this thread."""
    return Catalogue.read(_LANGUAGE.get(), WORDS)


def say(
    key: str, *hows: str, n: int | None = None, variant: Variant | None = None, **values: object
) -> str:
    """Return the sentence of a key, as text, with its values filled in.

    `hows` choose among its variants, and `n` its singular or plural, as in `Catalogue.template`.
    With `variant`, the sentence has the words of that game.
    """
    if variant is not None:
        hows, values = (*hows, variant.pack.kind), {**nouns(variant), **values}
    return spoken().say(key, *hows, n=n, **values)


def write(
    key: str, *hows: str, n: int | None = None, variant: Variant | None = None, **values: object
) -> Markup:
    """Return the sentence of a key for a page: it can have tags, and its values are escaped."""
    if variant is not None:
        return escape(say(key, *hows, n=n, variant=variant, **values))
    template = spoken().template(key, *hows, n=n)
    if n is None and not values:
        return _written(template)
    escaped = {name: escape(value) for name, value in values.items()}
    return Markup(template.format(n=n, **escaped))  # noqa: S704 - see above


class Later(str):
    """A sentence that is made when it’s shown, in the reader’s language; as a str it’s English.

    It’s for problems that are found without a reader: by the scheduler, in another process, for the
    log.
    """

    __slots__ = ("asked",)

    asked: tuple[str, tuple[str, ...], dict[str, Any]]

    def __new__(cls, key: str, hows: tuple[str, ...], values: dict[str, Any]) -> Self:
        """Make the sentence of a key, with its branches and values."""
        later = super().__new__(cls, Catalogue.read(ENGLISH, WORDS).say(key, *hows, **values))
        later.asked = key, hows, values
        return later

    def __str__(self) -> str:
        """Return the sentence in the current language."""
        key, hows, values = self.asked
        return spoken().say(key, *hows, **values)

    def __format__(self, spec: str) -> str:
        """Return the sentence for use within another one."""
        return format(str(self), spec)

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Return how to make it again in another process."""
        return type(self), self.asked


def later(key: str, *hows: str, **values: object) -> Later:
    """Return a sentence that is made when it’s shown."""
    return Later(key, hows, values)


@lru_cache(maxsize=64)
def nouns(variant: Variant) -> Mapping[str, Said]:
    """Return a game’s own words, with their forms."""
    speaker, words = variant.speaker, variant.words
    own = {
        "lay-down": Said(words.lay_down),
        "lay-off": Said(words.lay_off),
        "close": Said(words.close),
    }
    return {**speaker.nouns, "wild": variant.wilds.said(speaker), **own}


@cache
def _written(template: str) -> Markup:
    """Return a sentence without values; most of a page is made of these, so each is made once."""
    return Markup(template.format())  # noqa: S704 - out of a catalogue
