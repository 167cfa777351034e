"""Fields of a request: read strictly here, and judged elsewhere."""

import re
from typing import Final

from flask import request
from werkzeug.datastructures import MultiDict

from webapp.ledger.ledger import FormKey
from webapp.web.errors import BadFormError
from webapp.web.origin import phone

_KEY: Final = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
PUB: Final = re.compile(r"[a-z2-7]{10}", re.ASCII)
"""A game’s public id: 10 base32 characters."""
NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
"""A number in a form, in plain digits and small enough for a database."""


def read_number(fields: MultiDict[str, str], name: str) -> int | None:
    """Return a whole number from 1; None if the field is missing or isn’t one."""
    text = fields.get(name, "")
    return int(text) or None if NUMBER.fullmatch(text) else None


def read_seen(fields: MultiDict[str, str]) -> int:
    """Return the field `seen`, the number of what the phone showed, from 0.

    Raises BadFormError if it’s missing or isn’t a number.
    """
    text = fields.get("seen", "")
    if not NUMBER.fullmatch(text):
        raise BadFormError
    return int(text)


def is_pub(text: str) -> bool:
    """Return whether a text can be a game’s public id."""
    return PUB.fullmatch(text) is not None


def is_key(text: str) -> bool:
    """Return whether a text is a form key."""
    return _KEY.fullmatch(text) is not None


def read_form_key() -> FormKey:
    """Return the form key with the phone it came from; raise BadFormError if it isn’t a key."""
    key = request.form.get("key", "")
    if not is_key(key):
        raise BadFormError
    return FormKey(key=key, device=phone())
