"""Settings: what the surroundings decide, read once at the start."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent


class SettingError(ValueError):
    """A setting from the environment cannot be used; the sentence says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything about an app that is not in its database."""

    database_url: str
    """ "sqlite:///…" or "postgresql://…"; "postgres://…" is understood too. """
    instance: Path
    """The folder of this machine's data: the SQLite database and its backups."""
    hosts: tuple[str, ...] = ()
    """Names under which the app may be reached, beside private addresses and names of the house."""
    address: str = ""
    """Where phones reach the app ("http://192.168.1.20:5000"), if that is known beforehand."""
    patience: float = 5.0
    """For how many seconds a write waits for a busy database before it says so."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read DATABASE_URL, LAYDOWN_INSTANCE, LAYDOWN_ADDRESS and LAYDOWN_HOSTS (names, commas).

        Raises SettingError.
        """
        instance = Path(environment.get("LAYDOWN_INSTANCE") or ROOT / "instance").absolute()
        url = environment.get("DATABASE_URL") or f"sqlite:///{instance / 'laydown.db'}"
        if not url.startswith(("sqlite:///", "postgres://", "postgresql")):
            raise SettingError("DATABASE_URL must begin with sqlite:/// or postgresql://.")
        names = environment.get("LAYDOWN_HOSTS", "").lower().split(",")
        return cls(
            database_url=url,
            instance=instance,
            address=environment.get("LAYDOWN_ADDRESS", "").rstrip("/"),
            hosts=tuple(name for name in map(str.strip, names) if name),
        )
