"""What a phone would rather have: colors, a language, which thumb, a buzz; in a cookie of its own.

No account and no table: a phone that forgets its cookie shows what everybody is shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

from flask import Flask, current_app, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response

from webapp.language import offered, speak
from webapp.web.cookies import cookie, read_cookies
from webapp.web.origin import COOKIE_AGE

COOKIE: Final = "look"
_LONGEST: Final = 400
"""Letters of what a browser says of its languages; the ones it wants most come first."""
_REMEMBERED: Final = 256
"""Cookies and headers whose meaning is remembered."""

CHOICES: Final = {
    "theme": ("system", "light", "dark", "contrast"),
    "suits": ("four", "two"),
    "hand": ("right", "left"),
    "touch": ("still", "buzz"),
    "sound": ("off", "on"),
    "awake": ("awake", "sleeps"),
}
"""What can be chosen, by name; the first of each is what everybody is shown."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What one phone is shown, each a word of `CHOICES`."""

    theme: str = "system"
    """Which colors: as the phone itself has them, by day, by night, or strong ones."""
    suits: str = "four"
    """In how many colors suits are drawn."""
    hand: str = "right"
    """At which side the keys are that a thumb uses most."""
    touch: str = "still"
    """Whether a key answers with a buzz."""
    sound: str = "off"
    """Whether the turn timer makes a sound unless it’s switched off."""
    awake: str = "awake"
    """Whether the screen stays on over plain http while a game is played."""
    language: str = ""
    """Which language; empty for the one that its browser asks for."""

    @property
    def text(self) -> str:
        """The words that differ from what everybody is shown, as the cookie holds them."""
        return ".".join([*(value for _, value in self.marks), *filter(None, [self.language])])

    @property
    def marks(self) -> Iterator[tuple[str, str]]:
        """The same, each with its name: what the page is marked with, for style and scripts."""
        for name, words in CHOICES.items():
            value = getattr(self, name)
            if value != words[0]:
                yield name, value

    @property
    def style(self) -> str:
        """The style that every page begins with, in the colors that were chosen."""
        return "css/laydown.css" if self.theme == "system" else f"css/laydown-{self.theme}.css"


def choose(wanted: Mapping[str, str]) -> Preferences:
    """Take what is known of some words by name, and leave the rest as everybody has it."""
    choices = {**CHOICES, "language": offered()}
    known = {
        each.name: wanted.get(each.name, "")
        for each in fields(Preferences)
        if wanted.get(each.name) in choices[each.name]
    }
    return Preferences(**known)


def read_preferences() -> Preferences:
    """The preferences of the phone that asks."""
    return _read(cookie(COOKIE)[:80], offered())


# Every phone asks every 2 seconds, and few ask differently from one another.
@lru_cache(maxsize=_REMEMBERED)
def _read(cookie: str, languages: tuple[str, ...]) -> Preferences:
    choices = {**CHOICES, "language": languages}
    words = cookie.split(".")
    return choose({name: word for name, some in choices.items() for word in words if word in some})


def choose_language() -> None:
    """Speak as whoever asks wants it: as was chosen, as their browser says, or else as set here."""
    environ, usual = request.environ, current_app.extensions["config"].language
    accepted = environ.get("HTTP_ACCEPT_LANGUAGE", "")[:_LONGEST]
    speak(_language_of(offered(), environ.get("HTTP_COOKIE", ""), accepted, usual))


# Every phone asks every 2 seconds, and says the same each time.
@lru_cache(maxsize=_REMEMBERED)
def _language_of(languages: tuple[str, ...], cookies: str, accepted: str, usual: str) -> str:
    """The language of a phone that sends these headers; the `usual` one if they name none."""
    chosen = _read(read_cookies(cookies).get(COOKIE, "")[:80], languages).language
    wanted = parse_accept_header(accepted, LanguageAccept)
    return chosen or wanted.best_match(languages, usual) or usual


def keep_preferences(response: Response, preferences: Preferences) -> None:
    """Let the phone keep its preferences; where they are everybody's, it forgets them."""
    if not preferences.text:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(
        COOKIE,
        preferences.text,
        max_age=COOKIE_AGE,
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def register(app: Flask) -> None:
    """Tell every page the preferences of the phone that asks, `preferences`, in its language."""
    app.before_request(choose_language)
    app.context_processor(lambda: {"preferences": read_preferences()})
