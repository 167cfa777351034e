"""The language that is spoken to whoever asks, and `say`, which makes its sentences.

Everything that a person reads on a page has its sentence in `webapp/words/`, one file a language.
Nothing here knows of a request: services make sentences too, and the terminal hears English.
"""

from contextvars import ContextVar
from pathlib import Path
from typing import Final

from markupsafe import Markup, escape

from referee.saying import ENGLISH, Catalogue

WORDS: Final = Path(__file__).parent / "words"

_LANGUAGE: Final = ContextVar("language", default=ENGLISH)


def spoken() -> Catalogue:
    """The sentences of the language that is spoken now."""
    return Catalogue.read(_LANGUAGE.get(), WORDS)


def say(key: str, *hows: str, n: int | None = None, **values: object) -> str:
    """Make the sentence of a key, as text."""
    return spoken().say(key, *hows, n=n, **values)


def write(key: str, *hows: str, n: int | None = None, **values: object) -> Markup:
    """Make the sentence of a key for a page: it may have tags, and its values are escaped."""
    template = spoken().template(key, *hows, n=n)
    escaped = {name: escape(value) for name, value in values.items()}
    return Markup(template.format(n=n, **escaped))  # noqa: S704 - see above
