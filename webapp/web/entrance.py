"""The check before each request to a server of many houses: was this phone let in, may it do this?

A phone that wasn’t let in gets a 401, also from a house that doesn’t exist: saves that it couldn’t
send stay on it until it’s let in. A phone whose role doesn’t allow the request gets a 403, and
doesn’t send it again.
"""

from flask import Flask, g, request

from webapp.houses.door import Role
from webapp.houses.houses import Houses
from webapp.houses.roles import OUTSIDE, may
from webapp.refusal import Refusal
from webapp.web.house import current_house, current_role, root
from webapp.web.origin import device_token


class NotInError(Refusal, PermissionError):
    """The phone wasn’t let into this house, or was sent away."""

    status = 401


class NotYoursError(Refusal, PermissionError):
    """The phone’s role in this house doesn’t allow the request."""

    status = 403


def register(app: Flask, houses: Houses) -> None:
    """Check every request, and give pages the phone’s `role` and the `title` of the house."""
    app.extensions["houses"] = houses

    def is_inside() -> bool:
        # Also in a house that isn’t there.
        return request.script_root != root()

    def check() -> None:
        endpoint = request.endpoint or ""
        if endpoint == "static_file":
            return
        house = current_house()
        device = g.device = house.door.device(device_token()) if house else None
        role = device.role if device else Role.NOBODY
        if device:
            # A page that isn’t there is a 404 for whoever is in.
            if endpoint and not may(role, endpoint):
                raise NotYoursError
        elif not (may(role, endpoint) if is_inside() else endpoint in OUTSIDE):
            raise NotInError

    def of_house() -> dict[str, object]:
        house, role = current_house(), current_role()
        return {"role": role.word, "title": house.door.title if house and role else ""}

    app.before_request(check)
    app.context_processor(of_house)
