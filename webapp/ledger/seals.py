"""Seals: each is a hash of an entry and of the seal before it.

Anyone who changed a past entry would have to change every seal after it, including the one on the
printed sheet.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from webapp.game.facts import canonical

NO_SEAL: Final = "0" * 64
"""The seal before the first entry of a game."""


def seal(before: str, entry: Mapping[str, object]) -> str:
    """Return the seal of an entry, 64 hexadecimal digits; `before` is the previous entry’s seal.

    `entry` is its row: seq, kind, payload, key if it has one, device, at.
    """
    # The digest of the form isn’t sealed: it only recognizes a form that is sent again, and says
    # nothing about the game.
    # An entry of the roster has no key. The number of the game isn’t sealed: it’s another one in
    # every database that the game is imported into, and the seals stay.
    told = [entry[name] for name in ("seq", "kind", "payload", "key", "device") if name in entry]
    at = entry["at"]
    # Always with 6 decimals: without `timespec`, a time on the full second would have none.
    if isinstance(at, datetime):
        told.append(at.isoformat(timespec="microseconds"))
    return hashlib.sha256(f"{before}{canonical(told)}".encode()).hexdigest()
