"""Tokens: descriptions as letters that an address can have, for links and older addresses."""

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any, Final

from webapp.language import say
from webapp.own_games.patches import DraftRefusedError, read_draft, write_draft

_LONGEST_TOKEN: Final = 12_000
_MOST_INFLATED: Final = 128_000
"""The most bytes that a token can decompress to."""


def write_token(spec: Mapping[str, Any]) -> str:
    """Return a description as a token: compressed, in letters that an address can have."""
    packed = zlib.compress(write_draft(spec).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def read_token(token: str) -> dict[str, Any]:
    """Return the description in a token from `write_token`.

    Raises DraftRefusedError if the token is damaged or too long, or has no description.
    """
    says = say("own.broken-link")
    if len(token) > _LONGEST_TOKEN or not token.isascii():
        raise DraftRefusedError(says)
    try:
        packed = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        inflate = zlib.decompressobj()
        text = inflate.decompress(packed, _MOST_INFLATED)
        if inflate.unconsumed_tail or not inflate.eof:
            raise DraftRefusedError(says)
        return read_draft(text.decode())
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise DraftRefusedError(says) from None
