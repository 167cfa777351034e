"""The name that a table gives a game of points alone, such as Skyjo.

It’s stored after the name of the scorepad ("Just points · Skyjo"). Pages show it alone, and
standings count the game under it: as a kind of its own ("just-points · Skyjo").
"""

from functools import lru_cache
from typing import Final

from referee import Variant, variants
from referee.saying import LANGUAGES

LONGEST_NAME: Final = 24
"""The most characters of the name."""
_CALLED: Final = " · "
_LONGEST_KIND: Final = 40
"""The most characters of a kind, as wide as its columns."""


def own_name(game: Variant) -> str:
    """Return the name that a table gave a game, as stored or as shown; empty if it has none.

    Only a scorepad that comes with the referee can be given one: your own games have names.
    """
    if not game.points_only or all(game.slug != one.slug for one in variants.points_only()):
        return ""
    name = game.name.partition(_CALLED)[2] or game.name
    usual = {variants.get(game.slug, language).name for language in LANGUAGES}
    return "" if name in usual else name


def give_name(game: Variant, name: str) -> Variant:
    """Return a scorepad under the name that a table gave it, to be stored; as it is without one."""
    return game.called(full_name(game.name, name)) if name else game


def full_name(usual: str, name: str) -> str:
    """Return both names of a game: "Just points · Skyjo"; only its own without one of a table."""
    return f"{usual}{_CALLED}{name}" if name else usual


@lru_cache(maxsize=256)
def shown_by_name(game: Variant) -> Variant:
    """Return a game as pages show it: under the name that its table gave it, if it has one."""
    name = own_name(game)
    return game.called(name) if name else game


def named_kind(slug: str, name: str) -> str:
    """Return the kind of a game: its slug, with the name that its table gave it."""
    return full_name(slug, name)[:_LONGEST_KIND].strip()


def split_kind(kind: str) -> tuple[str, str]:
    """Return the slug of a kind of game, and the name that its table gave it; empty for none."""
    slug, _, name = kind.partition(_CALLED)
    return slug, name
