"""What can be seen and pressed: reads the fields, calls one service, picks the template."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from webapp.config import Config
    from webapp.db import Database


def get_database() -> Database:
    """The database of the app that is asked."""
    return cast("Database", current_app.extensions["database"])


def get_config() -> Config:
    """The settings of the app that is asked."""
    return cast("Config", current_app.extensions["config"])
