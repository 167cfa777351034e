"""Which house a request is for: the one in its path, `/h/NAME/…`."""

import re
from collections.abc import Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.wsgi import ClosingIterator

from webapp.houses.house import HOUSE, ROOT
from webapp.houses.houses import Houses

_PATH: Final = re.compile(r"(/h/([a-z0-9-]{1,40}))(/.*)?", re.ASCII | re.DOTALL)


def route(app: WSGIApplication, houses: Houses) -> WSGIApplication:
    """Return `app` wrapped so that each request below `/h/NAME` has that house in its environment.

    The request counts as the house’s guest until its answer was sent. An address outside of all
    houses has None instead, and so has a house that doesn’t exist: that is answered like a closed
    door, so nobody can find out which houses there are.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        root = environ.get("SCRIPT_NAME", "")
        match = _PATH.fullmatch(environ.get("PATH_INFO", ""))
        environ |= {ROOT: root, HOUSE: None}
        if match is None:
            return app(environ, start_response)
        below, name, rest = match.groups()
        environ |= {"SCRIPT_NAME": f"{root}{below}", "PATH_INFO": rest or "/"}
        house = houses.enter(name)
        if house is None:
            return app(environ, start_response)
        environ[HOUSE] = house
        try:
            answered = app(environ, start_response)
        except BaseException:
            houses.leave(house)
            raise
        return ClosingIterator(answered, [lambda: houses.leave(house)])

    return answer
