"""What the app that is asked has at hand: its database, its settings, the games."""

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
    """The database of the app that is asked."""
    return cast("Database", current_app.extensions["database"])


def find_game(slug: str) -> Variant:
    """A game by its slug, your own too, in the language of the page.

    Raises UnknownVariantError and GameLeftOutError.

    The database is asked for your own alone: rules, desk and advice are there without it.
    """
    if catalogue.id_of(slug) is None:
        return variants.get(slug, language())
    return get_database().read(catalogue.find_game, slug)


def get_config() -> Config:
    """The settings of the app that is asked."""
    return cast("Config", current_app.extensions["config"])


def get_scheduler() -> Scheduler:
    """Whoever keeps the backups of the app that is asked."""
    return cast("Scheduler", current_app.extensions["scheduler"])
