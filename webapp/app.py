"""The factory: puts the application together from its parts."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Flask
from jinja2 import StrictUndefined
from werkzeug.routing import BaseConverter

from webapp.backups.scheduler import Scheduler
from webapp.config import Config
from webapp.db import Database
from webapp.houses.claims import Claims
from webapp.houses.houses import Houses
from webapp.houses.routing import route
from webapp.network import names, proxies
from webapp.pages.advice import routes as advice
from webapp.pages.asking import routes as asking
from webapp.pages.clock import routes as clock
from webapp.pages.counting import routes as counting
from webapp.pages.deleting import routes as deleting
from webapp.pages.desk import routes as desk
from webapp.pages.door import routes as door
from webapp.pages.evening import routes as evening
from webapp.pages.exchange import routes as exchange
from webapp.pages.exchange import upload
from webapp.pages.games import routes as games
from webapp.pages.history import routes as history
from webapp.pages.home import routes as home
from webapp.pages.house_rules import routes as house_rules
from webapp.pages.keeping import routes as keeping
from webapp.pages.notes import routes as notes
from webapp.pages.own import routes as own
from webapp.pages.phones import routes as phones
from webapp.pages.printing import routes as printing
from webapp.pages.roster import routes as roster
from webapp.pages.rulebook import routes as rulebook
from webapp.pages.rules import routes as rules
from webapp.pages.scorepad import routes as scorepad
from webapp.pages.seats import routes as seats
from webapp.pages.share import routes as share
from webapp.pages.standings import routes as standings
from webapp.web import assets, device, entrance, errors, filters, headers, origin, preferences
from webapp.web.fields import PUB
from webapp.workers.jobs import directly
from webapp.workers.queue import OneByOne, Queue

TEMPLATES: Final = Path(__file__).resolve().parent.parent / "templates"

LARGEST_BODY: Final = 64 * 1024
"""The most bytes of a request; Flask has no limit by default, and its form limits don’t apply to
url-encoded bodies."""

BLUEPRINTS: Final[Iterable[Blueprint]] = (
    home.bp,
    games.bp,
    own.bp,
    scorepad.bp,
    counting.bp,
    seats.bp,
    share.bp,
    house_rules.bp,
    rulebook.bp,
    notes.bp,
    phones.bp,
    clock.bp,
    asking.bp,
    desk.bp,
    advice.bp,
    rules.bp,
    printing.bp,
    history.bp,
    evening.bp,
    keeping.bp,
    exchange.bp,
    deleting.bp,
    standings.bp,
    roster.bp,
)


class App(Flask):
    """Flask without coroutines, so that it needn’t inspect every function that it calls."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as it is."""
        return func


class PubConverter(BaseConverter):
    """The converter for a game’s public id in an address: other texts are a 404."""

    regex = PUB.pattern


class NumberConverter(BaseConverter):
    """The converter for a number from 1 in an address, small enough for a database; else a 404."""

    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        """Return the digits as a number."""
        return int(value)


def create_app(config: Config | None = None, houses: Houses | None = None) -> Flask:
    """Make the application; settings that aren’t given are read from the environment.

    With `houses` it serves all of them, and nothing else. Raises SettingError if one of the
    settings can’t be used.
    """
    config = config or Config.from_environment()
    app = App(__name__.rpartition(".")[0], template_folder=str(TEMPLATES), static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["LARGER_BODIES"] = {"exchange.upload": upload.LARGEST_FILE}
    app.logger.setLevel(logging.INFO)
    app.jinja_env.undefined = StrictUndefined
    app.url_map.converters["pub"] = PubConverter
    app.url_map.converters["number"] = NumberConverter
    app.extensions["config"] = config
    app.extensions |= {"questions": Queue(), "changes": OneByOne(), "exports": OneByOne()}
    # The server can replace it by workers.
    app.extensions["solver"] = directly
    for part in (preferences, filters, assets, errors, headers):
        part.register(app)
    origin.register(app, names.own_names(config))
    if houses:
        entrance.register(app, houses)
    else:
        database = Database(config.database_url, patience=config.patience)
        scheduler = Scheduler(database, config, directly)
        app.extensions |= {"database": database, "scheduler": scheduler, "claims": Claims()}
    device.register(app)
    for blueprint in (*BLUEPRINTS, *([door.bp] if houses else [])):
        app.register_blueprint(blueprint)
    routed = route(app.wsgi_app, houses) if houses else app.wsgi_app
    # Flask allows this, but its types don’t.
    app.wsgi_app = proxies.trust_proxies(routed, config.proxies)  # type: ignore[assignment,method-assign]
    return app
