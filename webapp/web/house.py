"""The house that a request is for; None at home."""

from typing import cast

from flask import g, request

from webapp.houses.door import Device, Role
from webapp.houses.house import HOUSE, ROOT, House


def current_house() -> House | None:
    """Return the house whose path was requested; None at home, and outside of all houses."""
    return cast("House | None", request.environ.get(HOUSE))


def is_hosted() -> bool:
    """Return whether this is a server of many houses, which lets in invited phones only."""
    return HOUSE in request.environ


def root() -> str:
    """Return the path in front of /static/: all houses of a server share those files."""
    return cast("str", request.environ.get(ROOT, request.script_root))


def current_device() -> Device | None:
    """Return the device that sent this request; None if this house hasn’t let it in."""
    return cast("Device | None", g.get("device"))


def current_role() -> Role:
    """Return what the current phone may do; at home, everything."""
    if not is_hosted():
        return Role.KEEP
    device = current_device()
    return device.role if device else Role.NOBODY
