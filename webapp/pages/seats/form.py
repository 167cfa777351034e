"""Reads the forms of a game’s players."""

from collections.abc import Mapping

from flask import request
from werkzeug.datastructures import MultiDict

from webapp.pages.seats.view import NUMBER, Joining
from webapp.web.fields import read_number

_MOST_SHOWN = 8
"""The most ways of counting missed rounds that a form can name."""


def read_joining(fields: MultiDict[str, str]) -> Joining:
    """Return the form of somebody who joins late, as far as it’s filled in."""
    other = fields.get("step") == "other"
    return Joining(
        player=fields.get("player", ""),
        name=fields.get("name", ""),
        after=0 if fields.get("after") == "0" else read_number(fields, "after"),
        carry=fields.get("carry", ""),
        carried=fields.get("carried", ""),
        step=read_number(fields, "other-step" if other else "step"),
        shown=tuple(fields.getlist("shown")[:_MOST_SHOWN]),
    )


def read_order() -> tuple[int, ...]:
    """Return the players’ ids in the order that was sent; what isn’t a number is left out."""
    return tuple(
        int(each) for each in request.form.get("order", "").split(",") if NUMBER.fullmatch(each)
    )


def read_move(fields: Mapping[str, str]) -> tuple[int, int] | None:
    """Return who moves, and by how many seats; None if the form doesn’t say."""
    for name, by in (("up", -1), ("down", 1)):
        if NUMBER.fullmatch(fields.get(name, "")):
            return int(fields[name]), by
    return None
