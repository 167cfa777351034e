"""Reads the new game form, from a form or an address."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from flask import request
from werkzeug.datastructures import MultiDict

from webapp.pages.games.page import NewGameChoices
from webapp.pages.games.so_far import PaperSeat
from webapp.web.fields import is_key, read_form_key

_OPTION: Final = "option-"


def read_choices() -> NewGameChoices:
    """Return the new game form from the query, or as it was posted.

    Raises BadFormError if a posted form has no form key.
    """
    posted = request.method == "POST"
    fields = request.form if posted else request.args
    key = read_form_key().key if posted else fields.get("key", "")
    draft = fields.get("leaflet", fields.get("d", ""))
    # Choices for one game mean nothing for another.
    switched = fields.get("instead") not in {None, fields.get("variant")}
    return NewGameChoices(
        variant=fields.get("instead") or fields.get("variant", ""),
        find=fields.get("find", ""),
        seats=tuple(fields.getlist("seat")),
        name=fields.get("name", ""),
        add=fields.get("add", ""),
        drop=fields.get("drop", ""),
        up=fields.get("up", ""),
        pick=fields.get("pick", ""),
        tap=fields.get("tap", ""),
        held=fields.get("held", ""),
        dealer=fields.get("dealer", ""),
        options={} if switched else _read_options(fields),
        ends="" if switched else fields.get("ends", ""),
        draft=draft if not switched and is_key(draft) else "",
        called="" if switched else fields.get("called", ""),
        stake=fields.get("stake", ""),
        currency=fields.get("currency", ""),
        clock=fields.get("clock"),
        advice=fields.get("advice", ""),
        so_far=tuple(_read_so_far(fields)),
        next_round=fields.get("next-round", ""),
        key=key if is_key(key) else "",
    )


def _read_so_far(fields: MultiDict[str, str]) -> Iterator[PaperSeat]:
    """Yield what was typed for each seat of a game that was started on paper."""
    named = (fields.getlist(name) for name in ("total", "so-far-step", "so-far-won"))
    yield from (PaperSeat(*each) for each in zip_longest(*named, fillvalue=""))


def _read_options(fields: MultiDict[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(_OPTION): text
        for name, text in fields.items()
        if name.startswith(_OPTION)
    }
