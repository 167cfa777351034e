"""The games: each described in a file of its own, found by looking, built when first asked for.

A file that is no game, or takes the name of another, is left out, and all others are there.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from referee.describing import GAMES, Refused, build, upgraded

if TYPE_CHECKING:
    from pathlib import Path

    from referee.variant import Variant

_PROSE: Final = ".en.toml"
"""What follows the name of a game in the name of the file with its prose."""
_PACKS: Final = "packs"


class UnknownVariantError(LookupError):
    """There is no game of that name."""

    def __init__(self, slug: str) -> None:
        """Keep the name, and say which there are."""
        super().__init__(f"There is no game “{slug[:40]}”. There are: {', '.join(_by_slug())}.")


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
    """The games of a folder, by name, and the files that are none."""

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


@cache
def catalogue() -> Catalogue:
    """The games that come with the referee."""
    return read_catalogue(GAMES)


@cache
def _by_slug() -> dict[str, Variant]:
    return {game.slug: game for game in catalogue().games}


def all() -> tuple[Variant, ...]:  # noqa: A001 - read as variants.all()
    """Every game, by name."""
    return tuple(_by_slug().values())


def left_out() -> tuple[LeftOut, ...]:
    """The files that should be games and are none."""
    return catalogue().left_out


def get(slug: str) -> Variant:
    """Find a game by its slug ("mexican-rummy"); raises UnknownVariantError."""
    try:
        return _by_slug()[slug]
    except KeyError:
        raise UnknownVariantError(slug) from None
