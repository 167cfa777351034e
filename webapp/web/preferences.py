"""A phone’s preferences (colors, language, the side of the thumb, buzzing), in a cookie of its own.

There is no account and no table: a phone without the cookie gets what everybody gets.
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
"""The most characters read of a browser’s languages; the preferred ones come first."""
_REMEMBERED: Final = 256
"""The most cookies and headers that are cached as read."""

CHOICES: Final = {
    "theme": ("system", "light", "dark", "contrast"),
    "suits": ("four", "two"),
    "hand": ("right", "left"),
    "touch": ("still", "buzz"),
    "sound": ("off", "on"),
    "awake": ("awake", "sleeps"),
}
"""The values of each preference, by name; the first of each is the default."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of a phone, each a value from `CHOICES`."""

    theme: str = "system"
    """The colors: "system" (as the phone chooses), "light", "dark" or "contrast"."""
    suits: str = "four"
    """The number of suit colors: "four" or "two"."""
    hand: str = "right"
    """The hand that taps, so the side of the keys used most: "right" or "left"."""
    touch: str = "still"
    """Whether keys buzz when they are tapped ("buzz") or not ("still")."""
    sound: str = "off"
    """Whether the turn timer makes a sound ("on") or not ("off"), unless its page changes that."""
    awake: str = "awake"
    """Whether the screen stays on while a game is played ("awake") or not ("sleeps")."""
    language: str = ""
    """The code of the language ("en"); empty for the one that the browser asks for."""

    @property
    def text(self) -> str:
        """The values that aren’t the default, as the cookie has them."""
        return ".".join([*(value for _, value in self.marks), *filter(None, [self.language])])

    @property
    def marks(self) -> Iterator[tuple[str, str]]:
        """The names and values that aren’t the default, as attributes for style and scripts.

        The language isn’t among them.
        """
        for name, words in CHOICES.items():
            value = getattr(self, name)
            if value != words[0]:
                yield name, value

    @property
    def style(self) -> str:
        """The name of the style with the chosen colors, which every page loads first."""
        return "css/laydown.css" if self.theme == "system" else f"css/laydown-{self.theme}.css"


def choose(wanted: Mapping[str, str]) -> Preferences:
    """Return preferences with the known values of `wanted`, and the default for the rest."""
    choices = {**CHOICES, "language": offered()}
    known = {
        each.name: wanted.get(each.name, "")
        for each in fields(Preferences)
        if wanted.get(each.name) in choices[each.name]
    }
    return Preferences(**known)


def read_preferences() -> Preferences:
    """Return the preferences of the current phone."""
    return _read(cookie(COOKIE)[:80], offered())


# Every phone asks every 2 seconds, and few send anything different.
@lru_cache(maxsize=_REMEMBERED)
def _read(cookie: str, languages: tuple[str, ...]) -> Preferences:
    choices = {**CHOICES, "language": languages}
    words = cookie.split(".")
    return choose({name: word for name, some in choices.items() for word in words if word in some})


def choose_language() -> None:
    """Set the language of this request: as chosen, as the browser asks, or the server’s setting."""
    environ, usual = request.environ, current_app.extensions["config"].language
    accepted = environ.get("HTTP_ACCEPT_LANGUAGE", "")[:_LONGEST]
    language = _language_of(offered(), environ.get("HTTP_COOKIE", ""), accepted, usual)
    speak(language, _region_of(language, accepted))


# Every phone asks every 2 seconds, and sends the same each time.
@lru_cache(maxsize=_REMEMBERED)
def _language_of(languages: tuple[str, ...], cookies: str, accepted: str, usual: str) -> str:
    """Return the language for a phone’s headers; the `usual` one if they name none."""
    chosen = _read(read_cookies(cookies).get(COOKIE, "")[:80], languages).language
    wanted = parse_accept_header(accepted, LanguageAccept)
    return chosen or wanted.best_match(languages, usual) or usual


@lru_cache(maxsize=_REMEMBERED)
def _region_of(language: str, accepted: str) -> str:
    """Return the region of a phone, "GB" for en-GB: as it names it with the language, or at all."""
    tags = [tag.replace("_", "-").split("-") for tag, _ in parse_accept_header(accepted)]
    named = [(tag[0] == language, tag[-1].upper()) for tag in tags if len(tag) > 1]
    return max(named, key=lambda each: each[0], default=(False, ""))[1]


def keep_preferences(response: Response, preferences: Preferences) -> None:
    """Set the cookie with a phone’s preferences, or delete it if they are the default."""
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
    """Give every page the phone’s preferences, as `preferences`, and its language."""
    app.before_request(choose_language)
    app.context_processor(lambda: {"preferences": read_preferences()})
