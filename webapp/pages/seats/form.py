"""Reads the form for joining late."""

from flask import request

from webapp.pages.seats.view import Joining
from webapp.web.fields import read_number


def read_joining() -> Joining:
    """Return the form of somebody who joins late."""
    form = request.form
    return Joining(
        player=form.get("player", ""),
        name=form.get("name", ""),
        after=0 if form.get("after") == "0" else read_number(form, "after"),
        carry=form.get("carry", ""),
        carried=form.get("carried", ""),
        step=read_number(form, "step"),
    )
