"""The web app: the scorepad, the desk and the history, on top of the referee.

`create_app` makes the application and imports what it needs only when it’s called: `python3 -m
webapp` imports this package on a machine that has nothing but Python yet, and maybe an old one.
Every way into the app goes through here first.
"""

import sys
from typing import TYPE_CHECKING

if sys.version_info < (3, 7):  # noqa: UP036 - told before anything that it cannot read
    message = "Laydown needs Python 3.11 or newer, and this is {}.{}. Install a newer one."
    sys.exit(message.format(*sys.version_info))

if TYPE_CHECKING:
    from flask import Flask

    from webapp.config import Config


def create_app(config: "Config | None" = None) -> "Flask":
    """Make the application; settings that aren’t given are read from the environment.

    It opens no database: before the first request, `webapp.migrations.migrate` must have brought
    the database up to date.
    """
    from webapp.app import create_app  # noqa: PLC0415 - see above

    return create_app(config)
