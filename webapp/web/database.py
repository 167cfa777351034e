"""What the current app has: its database, its settings, and the games."""

from typing import TypeVar, cast

from flask import current_app

from referee import Variant, variants
from webapp.backups.scheduler import Scheduler
from webapp.config import Config
from webapp.db import Database
from webapp.language import language
from webapp.own_games import catalog as catalogue

T = TypeVar("T")


def get_database() -> Database:
    """Return the database of the current app."""
    return cast("Database", current_app.extensions["database"])


def find_game(slug: str) -> Variant:
    """Return a game by its slug, which can be your own, in the language of the page.

    Raises UnknownVariantError or GameLeftOutError.

    Only your own games need the database: rules, desk and advice work without it.
    """
    if catalogue.id_of(slug) is None:
        return variants.get(slug, language())
    return get_database().read(catalogue.find_game, slug)


def get_config() -> Config:
    """Return the settings of the current app."""
    return cast("Config", current_app.extensions["config"])


def get_scheduler() -> Scheduler:
    """Return the scheduler that takes the backups of the current app."""
    return cast("Scheduler", current_app.extensions["scheduler"])
