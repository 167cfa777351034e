"""The games: each is described in its own file in `games/`, and built on first use.

A file that isn’t a game, or has the slug of another, is left out; the other games still work.

>>> from referee import variants
>>> game = variants.get("gin-rummy")
>>> game.name, game.players
('Gin Rummy', range(2, 3))
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from referee.describing import (
    BY_PATH,
    GAMES,
    Complaint,
    Description,
    Refused,
    build,
    canonical,
    complaint,
    full_form,
    rebuilt,
    upgraded,
    value_at,
)
from referee.faq import UNTOLD
from referee.saying import ENGLISH, LANGUAGES, UnfitError, wrong
from referee.variant import OptionError, Variant

_REMEMBERED: Final = 256
"""How many games in other languages are cached."""
_PACKS: Final = "packs"
_BEFORE: Final = "before"
"""The folder of games as they were before rules were stored with a game in progress."""
_NAMES: Final = frozenset(
    {"name", "title", "sign", "tagline", "source", "words", "titles", "nouns"}
)
_READING: Final = Lock()
"""Locked while the games are read: two threads at once would each get copies of their own."""
_SLUG: Final = re.compile("[a-z0-9-]{1,60}", re.ASCII)


class UnknownVariantError(UnfitError, LookupError):
    """Raised if no game has that slug; `games` has all slugs.

    >>> from referee import variants
    >>> try:
    ...     variants.get("bridge")
    ... except variants.UnknownVariantError as error:
    ...     print(error, "gin-rummy" in error.games)
    There’s no game “bridge” here. True
    """

    def __init__(self, slug: str) -> None:
        super().__init__(wrong("no-such-game", name=slug[:40]))
        self.slug = slug[:40]
        self.games = tuple(_by_slug())


class UnknownLanguageError(UnfitError, LookupError):
    """Raised if there are no rules in that language.

    >>> from referee import variants
    >>> variants.get("gin-rummy", "xx")
    Traceback (most recent call last):
        ...
    referee.variants.UnknownLanguageError: The rules aren’t told in “xx”. Languages: en, es.
    """

    def __init__(self, language: str) -> None:
        known = ", ".join(LANGUAGES)
        super().__init__(wrong("no-such-language", name=language[:20], known=known))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that isn’t a game, and everything that is wrong with it.

    >>> from referee import variants
    >>> from referee.describing import complaint
    >>> variants.LeftOut("mine.toml", (complaint("deal", "missing-table", part="deal"),)).shown()
    'mine.toml: deal: [deal] is missing.'
    """

    file: str
    complaints: tuple[Complaint, ...]

    def shown(self, language: str = ENGLISH) -> str:
        """Return the file name with its complaints, in a language."""
        return " ".join([f"{self.file}:", *(each.shown(language) for each in self.complaints)])


@dataclass(frozen=True, slots=True)
class GameFolder:
    """The games of a folder, sorted by name, and the files that aren’t games.

    >>> from referee import variants
    >>> folder = variants.catalogue()
    >>> folder.games[0].name, folder.left_out
    ('101 Okey', ())
    """

    games: tuple[Variant, ...]
    left_out: tuple[LeftOut, ...]


def read_catalogue(folder: Path) -> GameFolder:
    """Return all games of a folder of descriptions (`*.toml`), and the files that aren’t games.

    No problem in a file raises an error.

    >>> from tempfile import TemporaryDirectory
    >>> from referee import variants
    >>> with TemporaryDirectory() as name:
    ...     _ = (Path(name) / "mine.toml").write_text("schema = 1")
    ...     folder = variants.read_catalogue(Path(name))
    >>> folder.games, folder.left_out[0].file
    ((), 'mine.toml')
    """
    games: dict[str, Variant] = {}
    left_out: list[LeftOut] = []
    for file in sorted(folder.glob("*.toml")):
        if "." in file.stem or file.stem == _PACKS:
            continue
        try:
            game = build(_read(file))
            if game.slug in games:
                taken = complaint("slug", "slug-taken", slug=game.slug)
                left_out.append(LeftOut(file.name, (taken,)))
            else:
                games[game.slug] = game
        except Refused as refused:
            left_out.append(LeftOut(file.name, refused.complaints))
        except (OSError, ValueError, RecursionError) as error:
            unreadable = complaint("", "unreadable", why=str(error))
            left_out.append(LeftOut(file.name, (unreadable,)))
    by_name = sorted(games.values(), key=lambda game: game.name)
    return GameFolder(tuple(by_name), tuple(left_out))


def _read(file: Path, language: str = ENGLISH) -> dict[str, Any]:
    """Return a description, with its prose in a language if there is any."""
    spec = upgraded(tomllib.loads(file.read_text(encoding="utf-8")))
    prose = _prose_of(file)
    if prose:
        other = {} if language == ENGLISH else _prose_of(file, language)
        spec["text"] = _in_other_words(prose, other) if other else prose
    return spec


def _prose_of(file: Path, language: str = ENGLISH) -> dict[str, Any]:
    """Return the prose of a game in a language; empty if there isn’t one."""
    prose = file.with_name(f"{file.stem}.{language}.toml")
    written = tomllib.loads(prose.read_text(encoding="utf-8")) if prose.exists() else {}
    return {name: part for name, part in written.items() if name not in UNTOLD}


def _in_other_words(text: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the English prose with all that another language has in its place.

    The other language has its clauses by id. It has those of a house rule with that house rule: a
    sentence, or sentences by value.
    """
    house = {name: dict(option) for name, option in said.get("options", {}).items()}
    rules = {name: option.pop("says", {}) for name, option in house.items()}
    clauses = []
    for line in text.get("clauses", ()):
        if "option" in line:
            name, says = line["option"], rules.get(line["option"], {})
            says = says if isinstance(says, str) else says.get(line.get("value", "other"))
            titled = house.get(name, {}).get("title")
            own = {"says": says, "title": titled} if says and titled else {}
        else:
            own = said.get("clauses", {}).get(line["id"], {})
        clauses.append({**line, **own})
    options = text.get("options", {})
    return {
        **text,
        **said,
        "words": {**text.get("words", {}), **said.get("words", {})},
        "clauses": clauses,
        "options": {name: {**option, **house.get(name, {})} for name, option in options.items()},
    }


def description_of(slug: str, language: str = ENGLISH) -> dict[str, Any]:
    """Return the description of a game that comes with the referee, with its prose in a language.

    It’s a new copy, which you can change. Raise UnknownVariantError if there is no such game, and
    UnknownLanguageError if there are no rules in that language.

    >>> from referee import variants
    >>> spec = variants.description_of("gin-rummy")
    >>> spec["players"], spec["text"]["name"]
    ([2, 2], 'Gin Rummy')
    """
    get(slug, language)
    described: dict[str, Any] = json.loads(_described(slug, language))
    return described


@cache
def _described(slug: str, language: str = ENGLISH) -> str:
    """Return what `description_of` does as JSON, which is 50 times as fast to read again."""
    return json.dumps(_read(GAMES / f"{slug}.toml", language))


@cache
def usual(path: str) -> tuple[object, ...]:
    """Return the different values that games and their house rules have in the field at a path.

    Raise KeyError if no field has that path.

    >>> from referee import variants
    >>> variants.usual("run.min")
    (3, 4)
    """
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


def catalogue() -> GameFolder:
    """Return the games that come with the referee; they are read once, even with several threads.

    >>> from referee import variants
    >>> variants.catalogue() is variants.catalogue()
    True
    """
    with _READING:
        return _read_once()


@cache
def _read_once() -> GameFolder:
    return read_catalogue(GAMES)


@cache
def _by_slug() -> dict[str, Variant]:
    return {game.slug: game for game in catalogue().games}


def all(language: str = ENGLISH) -> tuple[Variant, ...]:  # noqa: A001 - read as variants.all()
    """Return every game that the referee knows rules for, sorted by English name.

    Raise UnknownLanguageError if there are no rules in that language.

    >>> from referee import variants
    >>> [game.slug for game in variants.all()][:3]
    ['101-okey', '500-rum', 'biriba']
    """
    return tuple(
        in_language(game, language) for game in _by_slug().values() if not game.points_only
    )


def points_only(language: str = ENGLISH) -> tuple[Variant, ...]:
    """Return the games for which only scores are kept, sorted by English name.

    Raise UnknownLanguageError if there are no rules in that language.

    >>> from referee import variants
    >>> [game.slug for game in variants.points_only()]
    ['just-points']
    """
    return tuple(in_language(game, language) for game in _by_slug().values() if game.points_only)


def left_out() -> tuple[LeftOut, ...]:
    """Return the files among the referee’s games that aren’t games, with what is wrong with them.

    >>> from referee import variants
    >>> variants.left_out()
    ()
    """
    return catalogue().left_out


def in_language(game: Variant, language: str) -> Variant:
    """Return the same game with its rules and words in a language.

    A game that doesn’t come with the referee keeps the words of its author. Raise
    UnknownLanguageError if there are no rules in that language.

    >>> from referee import variants
    >>> game = variants.in_language(variants.get("gin-rummy"), "es")
    >>> game.rulebook.cited("run").says
    'Una escalera son 3 o más cartas seguidas del mismo palo.'
    """
    if game.language == language:
        return game
    if language not in LANGUAGES:
        raise UnknownLanguageError(language)
    return _in_language(game, language)


@lru_cache(maxsize=_REMEMBERED)
def _in_language(game: Variant, language: str) -> Variant:
    if game.slug not in _by_slug():
        names: dict[str, Any] = dict(game.names)
        told = replace(rebuilt(json.loads(game.form), names, language), chosen=game.chosen)
        return (told if game.seats is None else told.seated(game.seats)).dealt(game.upcard)
    other = _built_in(game.slug, language)
    try:
        told = other.with_options(dict(game.chosen))
    except OptionError:
        told = other
    # A stored game keeps its rules, even if those of the same house rules are different today.
    if told.form != game.form:
        words = _words_of(game.slug, language)
        told = replace(rebuilt(json.loads(game.form), words, language), chosen=game.chosen)
    if game.name != _built_in(game.slug, game.language).name:
        told = told.called(game.name)
    return (told if game.seats is None else told.seated(game.seats)).dealt(game.upcard)


@cache
def _built_in(slug: str, language: str) -> Variant:
    if language == ENGLISH:
        return _by_slug()[slug]
    return build(_read(GAMES / f"{slug}.toml", language), language)


def kept(game: Variant) -> str:
    """Return the rules of a game with all defaults, as JSON, to store when a game starts.

    If the game doesn’t come with the referee, or has another name, its name and words are stored
    also, as they can’t be found again later.

    >>> from referee import variants
    >>> game = variants.get("gin-rummy")
    >>> variants.kept_with("gin-rummy", {}, variants.kept(game)) is game
    True
    """
    today = _by_slug().get(game.slug)
    if not game.names or (
        today is not None and in_language(today, game.language).name == game.name
    ):
        return game.form
    return canonical({**json.loads(game.form), "text": dict(game.names)})


def kept_with(slug: str, chosen: Mapping[str, object], form: str) -> Variant:
    """Return the game that was started, by the rules that were stored with it.

    `chosen` has the house rules in force, by name. `form` is what `kept` returned; if it is empty,
    the game started before rules were stored, and the rules of that time are used. If the stored
    rules are still those of the game, you get the game itself, under its stored name. Otherwise its
    clauses are made from the stored rules, with only names and words from its prose.

    Raise UnknownVariantError if nothing is stored and there is no such game, and Refused or
    OptionError if the rules can’t be used.

    >>> from referee import variants
    >>> game = variants.get("gin-rummy").with_options({"gin": 20})
    >>> variants.kept_with("gin-rummy", {"gin": 20}, variants.kept(game)).chosen
    (('gin', 20),)
    """
    if not form:
        form = (_before(slug) or get(slug)).with_options(chosen).form
    today = _by_slug().get(slug)
    rules = upgraded(json.loads(form))
    names: Any = rules.pop("text", {})
    if today is not None:
        try:
            game = today.with_options(chosen)
        except OptionError:
            game = today
        # Fields that were added since have their defaults.
        if form == game.form or canonical(full_form(rules)) == game.form:
            return game.called(names["name"]) if names else game
        names = names or _words_of(slug)
    return replace(rebuilt(rules, names), chosen=tuple(chosen.items()))


@cache
def _before(slug: str) -> Variant | None:
    """Return a game as it was before rules were stored with games; None if it is newer."""
    file = GAMES / _BEFORE / f"{slug}.json"
    known = _SLUG.fullmatch(slug) is not None and file.exists()
    return build(upgraded(json.loads(file.read_text(encoding="utf-8")))) if known else None


@cache
def _words_of(slug: str, language: str = ENGLISH) -> dict[str, Any]:
    """Return the name and the words of a game that comes with the referee, without its clauses."""
    text = _read(GAMES / f"{slug}.toml", language).get("text", {})
    return {name: part for name, part in text.items() if name in _NAMES}


def get(slug: str, language: str = ENGLISH) -> Variant:
    """Return the game with this slug, in a language.

    Raise UnknownVariantError if there isn’t one, and UnknownLanguageError if there are no rules in
    that language.

    >>> from referee import variants
    >>> variants.get("mexican-rummy").name
    'Mexican Rummy'
    """
    game = _by_slug().get(slug)
    if game is None:
        raise UnknownVariantError(slug)
    return in_language(game, language)
