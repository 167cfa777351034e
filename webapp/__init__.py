"""The scorepad, the desk and the book: the referee's first customer.

`create_app` makes the application. What it needs is imported when it is called: `python3 -m webapp`
imports this package on a machine that has nothing but Python yet, and maybe an old one. Whichever
way somebody comes in, they come through here first.
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
    """Make the application; settings not given are read from the environment.

    Opens no database: `webapp.migrations.migrate` must have brought it up to date before that.
    """
    from webapp.app import create_app  # noqa: PLC0415 - see above

    return create_app(config)
