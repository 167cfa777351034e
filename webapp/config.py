"""The settings, which are read from the environment once at the start."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final
from urllib.parse import quote

from platformdirs import user_data_path

from referee.saying import ENGLISH
from webapp.language import offered

ROOT: Final = Path(__file__).resolve().parent.parent

KINDS: Final = ("sqlite", "sqlite+pysqlite", "postgres", "postgresql", "postgresql+psycopg")
"""All schemes that the address of a database can have; what follows a "+" is its driver."""

PLAIN: Final = "/\\: "
"""The characters that a path can have unchanged in the address of a database."""

SHOWN: Final = ("DATABASE_URL", "LAYDOWN_BACKUPS", "LAYDOWN_ADDRESS", "LAYDOWN_HOSTS")
"""The settings that pages or the database show as they were typed, so they must be in UTF-8."""

FILE: Final = "laydown.db"
"""The name of the database’s file in the data folder."""


class SettingError(ValueError):
    """A setting from the environment can’t be used; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything about an app that is not in its database."""

    database_url: str
    """ "sqlite:///…" or "postgresql://…"; "postgres://…" works as well."""
    instance: Path
    """The folder of this machine's data: the SQLite database and its backups."""
    second_backups: Path | None = None
    """A folder, best on another disk, for a second copy of each backup."""
    auto_backup: bool = True
    """Whether a running server takes backups automatically."""
    hosts: tuple[str, ...] = ()
    """The host names that are allowed in addition to private addresses and local names."""
    address: str = ""
    """The address for phones if it’s set ("https://score.example"); it’s preferred to any other."""
    found: str = ""
    """The likeliest address of this machine on its network; empty if phones can’t connect there."""
    proxies: int = 0
    """The number of trusted proxies in front of the app, one behind the other."""
    houses: Path | None = None
    """The folder of many houses, each with scores of its own; None to serve one."""
    hsts: int = 0
    """The seconds for which a browser that came by https has to keep using it."""
    language: str = ENGLISH
    """The language for browsers that ask for none of the available ones."""
    patience: float = 5.0
    """The seconds that a write waits for a busy database before it gives up."""

    @property
    def backups(self) -> Path:
        """The folder of the backups."""
        return self.instance / "backups"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Return the settings, as in docs/settings.md; raise SettingError if one can’t be used."""
        instance = Path(environment.get("LAYDOWN_INSTANCE") or usual_instance()).absolute()
        for text in (str(instance), *map(environment.get, SHOWN)):
            _require_shown(text or "")
        url = environment.get("DATABASE_URL") or f"sqlite:///{quote(str(instance / FILE), PLAIN)}"
        _require_usable(url)
        second = environment.get("LAYDOWN_BACKUPS")
        houses = environment.get("LAYDOWN_HOUSES")
        names = environment.get("LAYDOWN_HOSTS", "").lower().split(",")
        language = environment.get("LAYDOWN_LANGUAGE") or ENGLISH
        if language not in offered():
            spoken = ", ".join(offered())
            raise SettingError(f"LAYDOWN_LANGUAGE is {language!r}, and must be one of: {spoken}.")
        return cls(
            database_url=url,
            instance=instance,
            second_backups=Path(second).absolute() if second else None,
            auto_backup=_number(environment, "LAYDOWN_AUTO_BACKUP", 1, usual="1") == 1,
            address=environment.get("LAYDOWN_ADDRESS", "").rstrip("/"),
            hosts=tuple(name for name in map(str.strip, names) if name),
            houses=Path(houses).absolute() if houses else None,
            language=language,
            proxies=_number(environment, "LAYDOWN_PROXIES", 9),
            hsts=_number(environment, "LAYDOWN_HSTS", 10**9),
        )


def this_version() -> str:
    """Return the version of this Laydown."""
    if is_checkout(ROOT):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return str(project["version"])
    return version("laydown")


def usual_instance() -> Path:
    """Return the default data folder: that of a checkout, or else the user’s.

    An installed package is deleted when it’s updated, and so is everything next to it.
    """
    if is_checkout(ROOT):
        return ROOT / "instance"
    return user_data_path("laydown", appauthor=False)


def is_checkout(folder: Path) -> bool:
    """Return whether the app is a developer’s checkout, rather than installed."""
    return (folder / "pyproject.toml").is_file() and (folder / "webapp" / "cli.py").is_file()


def _require_shown(text: str) -> None:
    """Raise SettingError if pages couldn't show a text, because it has bytes that aren't UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise SettingError(f"Laydown can't use {text!r}: it isn't written in UTF-8.") from error


def _require_usable(url: str) -> None:
    """Raise SettingError unless this is the address of a database that can keep scores."""
    kind, _, place = url.partition("://")
    if kind not in KINDS or not place:
        message = "DATABASE_URL must begin with sqlite:/// or postgresql://, and name no driver"
        raise SettingError(f"{message} but pysqlite or psycopg.")
    if not kind.startswith("sqlite"):
        return
    if not place.startswith("/") or place.strip("/") in {"", ":memory:"}:
        raise SettingError("DATABASE_URL names no file: sqlite:////home/ana/laydown.db would.")
    if "?" in place:
        raise SettingError(f"There is a “?” in {place[1:]}; the database must be in another place.")


def _number(environment: Mapping[str, str], name: str, most: int, usual: str = "0") -> int:
    """Return a setting that is a whole number, or `usual` if it isn’t set.

    Raises SettingError if it isn’t a number from 0 to `most`.
    """
    text = environment.get(name) or usual
    if not (text.isascii() and text.isdecimal() and int(text[:10]) <= most):
        raise SettingError(f"{name} is {text!r}, and must be a number from 0 to {most}.")
    return int(text)
