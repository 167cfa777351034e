"""What the current house has, or the app at home: its database, its settings, and the games."""

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
    """Return the seats that phones say are theirs."""
    house = current_house()
    if house:
        return house.claims
    return cast("Claims", current_app.extensions["claims"])
