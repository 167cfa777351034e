"""What the current request works with: a database, settings, backups, and the games.

On a server of many houses it’s what the house in the address has, else what the app has.
"""

from typing import TypeVar, cast

from flask import current_app

from referee import Variant, variants
from webapp.backups.scheduler import Scheduler
from webapp.config import Config
from webapp.db import Database
from webapp.houses.claims import Claims
from webapp.language import language
from webapp.own_games import catalog as catalogue
from webapp.web.house import current_house

T = TypeVar("T")


def get_database() -> Database:
    """Return the database; raise DatabaseError if it’s a house’s and can’t be opened."""
    house = current_house()
    if house:
        return house.database
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
    """Return the settings."""
    house = current_house()
    if house:
        return house.config
    return cast("Config", current_app.extensions["config"])


def get_scheduler() -> Scheduler:
    """Return the scheduler that takes the backups."""
    house = current_house()
    if house:
        return house.scheduler
    return cast("Scheduler", current_app.extensions["scheduler"])


def get_claims() -> Claims:
    """Return what phones have last said about whose they are."""
    house = current_house()
    if house:
        return house.claims
    return cast("Claims", current_app.extensions["claims"])
