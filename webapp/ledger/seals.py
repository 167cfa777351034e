"""Seals: each is a hash over an entry and the seal before it.

Whoever changes a past entry would have to change every seal after it, the one on the printed sheet
among them.
"""

import hashlib
from base64 import b32encode
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from webapp.game.facts import canonical

NO_SEAL: Final = "0" * 64
"""What stands before the first entry of a game."""


def seal(before: str, entry: Mapping[str, object]) -> str:
    """The seal of an entry, 64 hexadecimal digits; `before` is the one of the entry before it.

    `entry` is its row: seq, kind, payload, key where it has one, device, at.
    """
    told = [entry[name] for name in ("seq", "kind", "payload", "key", "device") if name in entry]
    at = entry["at"]
    if isinstance(at, datetime):
        told.append(at.isoformat(timespec="microseconds"))
    return hashlib.sha256(f"{before}{canonical(told)}".encode()).hexdigest()


def readable(whole: str) -> str:
    """A seal as people compare it: its first twelve characters in base 32."""
    return b32encode(bytes.fromhex(whole))[:12].decode().lower()
