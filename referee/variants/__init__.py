"""The games: one file each, found by looking."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.variant import Variant


class UnknownVariantError(LookupError):
    """There is no game of that name."""

    def __init__(self, slug: str) -> None:
        """Keep the name, and say which there are."""
        super().__init__(f"There is no game “{slug[:40]}”. There are: {', '.join(_by_slug())}.")


@cache
def _by_slug() -> dict[str, Variant]:
    modules = sorted(module.name for module in iter_modules(__path__))
    found = (import_module(f"{__name__}.{name}").VARIANT for name in modules)
    games: list[Variant] = sorted(found, key=lambda variant: variant.name)
    return {variant.slug: variant for variant in games}


def all() -> tuple[Variant, ...]:  # noqa: A001 - read as variants.all()
    """Every game, by name."""
    return tuple(_by_slug().values())


def get(slug: str) -> Variant:
    """Find a game by its slug ("mexican-rummy"); raises UnknownVariantError."""
    try:
        return _by_slug()[slug]
    except KeyError:
        raise UnknownVariantError(slug) from None
