"""The games: each described in a file of its own, found by looking, built when first asked for.

A file that is no game, or takes the name of another, is left out, and all others are there.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from referee.describing import (
    BY_PATH,
    GAMES,
    Description,
    Refused,
    build,
    canonical,
    rebuilt,
    upgraded,
    value_at,
)
from referee.variant import OptionError, Variant

_PROSE: Final = ".en.toml"
"""What follows the name of a game in the name of the file with its prose."""
_PACKS: Final = "packs"
_BEFORE: Final = "before"
"""Where the games are as they were when games began to be kept with their rules."""
_NAMES: Final = frozenset({"name", "title", "sign", "tagline", "source", "words"})
_READING: Final = Lock()
"""Two threads that read at once would each have games of their own, no one of them the other's."""
_SLUG: Final = re.compile("[a-z0-9-]{1,60}", re.ASCII)


class UnknownVariantError(LookupError):
    """There is no game of that name; `games` are those there are, by slug."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There’s no game “{slug[:40]}” here.")
        self.games = tuple(_by_slug())


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is no game, and why: a sentence for each thing that is wrong with it."""

    file: str
    says: tuple[str, ...]

    def __str__(self) -> str:
        """The file with all that is wrong with it."""
        return f"{self.file}: {' '.join(self.says)}"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The games of a folder, by name, and the files that aren't games."""

    games: tuple[Variant, ...]
    left_out: tuple[LeftOut, ...]


def read_catalogue(folder: Path) -> Catalogue:
    """Read all games of a folder; never raises for what is wrong with one of them."""
    games: dict[str, Variant] = {}
    left_out: list[LeftOut] = []
    for file in sorted(folder.glob("*.toml")):
        if "." in file.stem or file.stem == _PACKS:
            continue
        try:
            game = build(_read(file))
            if game.slug in games:
                left_out.append(LeftOut(file.name, (f"slug: “{game.slug}” is taken.",)))
            else:
                games[game.slug] = game
        except Refused as refused:
            left_out.append(LeftOut(file.name, tuple(map(str, refused.complaints))))
        except (OSError, ValueError, RecursionError) as error:
            left_out.append(LeftOut(file.name, (f"It cannot be read: {error}.",)))
    by_name = sorted(games.values(), key=lambda game: game.name)
    return Catalogue(tuple(by_name), tuple(left_out))


def _read(file: Path) -> dict[str, Any]:
    """A description, with its prose where there is some."""
    spec = upgraded(tomllib.loads(file.read_text(encoding="utf-8")))
    prose = file.with_name(f"{file.stem}{_PROSE}")
    if prose.exists():
        spec["text"] = tomllib.loads(prose.read_text(encoding="utf-8"))
    return spec


def description_of(slug: str) -> dict[str, Any]:
    """The description of a game that comes with the referee; raises UnknownVariantError.

    It is the caller's own, to be changed.
    """
    get(slug)
    described: dict[str, Any] = json.loads(_described(slug))
    return described


@cache
def _described(slug: str) -> str:
    """The same as JSON, which is read again in a fiftieth of the time."""
    return json.dumps(_read(GAMES / f"{slug}.toml"))


@cache
def usual(path: str) -> tuple[object, ...]:
    """The values that the games and their house rules have in a field, each once."""
    found: list[object] = []
    for game in all():
        spec = json.loads(_described(game.slug))
        if Description(spec).has(BY_PATH[path].section):
            found.append(value_at(spec, path))
        for option in spec.get("options", {}).values():
            if option.get("path") == path:
                found += option.get("values", ())
            found += (p[path] for p in option.get("choices", {}).values() if path in p)
    return tuple({canonical(value): value for value in found}.values())


def catalogue() -> Catalogue:
    """The games that come with the referee: read once, however many threads ask first."""
    with _READING:
        return _read_once()


@cache
def _read_once() -> Catalogue:
    return read_catalogue(GAMES)


@cache
def _by_slug() -> dict[str, Variant]:
    return {game.slug: game for game in catalogue().games}


def all() -> tuple[Variant, ...]:  # noqa: A001 - read as variants.all()
    """Every game of which the referee knows more than scores, by name."""
    return tuple(game for game in _by_slug().values() if not game.points_only)


def points_only() -> tuple[Variant, ...]:
    """The games of which only scores are kept, by name."""
    return tuple(game for game in _by_slug().values() if game.points_only)


def left_out() -> tuple[LeftOut, ...]:
    """The files that should be games and are none."""
    return catalogue().left_out


def kept(game: Variant) -> str:
    """What is kept with a table that begins a game: its rules, whole, as JSON.

    A game that does not come with the referee has nothing else to be called by later: what it is
    called, and what it calls things, goes with them.
    """
    today = _by_slug().get(game.slug)
    if not game.names or (today is not None and today.name == game.name):
        return game.form
    return canonical({**json.loads(game.form), "text": dict(game.names)})


def kept_with(slug: str, chosen: Mapping[str, object], form: str) -> Variant:
    """The game that a table began: by the rules that were kept with it, whatever they are today.

    `form` is what `kept` gave then; empty for a game from before rules were kept, which goes
    by the game as it was when that began. Where the rules are those of today it is the game of
    today; else its clauses are told from its rules, and of its prose only names and words are used.
    Raises UnknownVariantError, and Refused or OptionError where the rules cannot be read.
    """
    if not form:
        form = (_before(slug) or get(slug)).with_options(chosen).form
    today = _by_slug().get(slug)
    if today is not None:
        try:
            game = today.with_options(chosen)
        except OptionError:
            game = today
        if game.form == form:
            return game
    rules = upgraded(json.loads(form))
    names: Any = rules.pop("text", {} if today is None else _words_of(slug))
    return replace(rebuilt(rules, names), chosen=tuple(chosen.items()))


@cache
def _before(slug: str) -> Variant | None:
    """A game as it was when games began to be kept with their rules; None where it is newer."""
    file = GAMES / _BEFORE / f"{slug}.json"
    known = _SLUG.fullmatch(slug) is not None and file.exists()
    return build(upgraded(json.loads(file.read_text(encoding="utf-8")))) if known else None


@cache
def _words_of(slug: str) -> dict[str, Any]:
    """What a game of today is called, and what it calls things: no clause of it."""
    file = GAMES / f"{slug}{_PROSE}"
    text = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {name: part for name, part in text.items() if name in _NAMES}


def get(slug: str) -> Variant:
    """Find a game by its slug ("mexican-rummy"); raises UnknownVariantError."""
    try:
        return _by_slug()[slug]
    except KeyError:
        raise UnknownVariantError(slug) from None
