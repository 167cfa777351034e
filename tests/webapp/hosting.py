"""A server of two houses in this process, and phones that are in as something, or in nowhere."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webapp.table import Table
from webapp.app import create_app
from webapp.config import FILE, Config
from webapp.houses import door
from webapp.houses.door import Door, Role
from webapp.houses.house import House
from webapp.houses.houses import Houses
from webapp.workers.jobs import directly

BASE = "https://score.example"
HTMX = {"HX-Request": "true"}


class Hosted:
    """The app of a folder with houses, by their titles; `empty` is a database to copy."""

    def __init__(self, folder: Path, empty: Path, *titles: str, most: int = 160) -> None:
        self.config = Config(
            database_url="sqlite:////nowhere/x.db",
            instance=folder,
            houses=folder / "houses",
            hosts=("score.example",),
            patience=1.0,
        )
        self.folder = folder / "houses"
        self.names = {title: furnish(self.folder, title, empty).name for title in titles}
        self.houses = Houses(self.config, directly, most)
        self.app: Flask = create_app(self.config, self.houses)

    @contextmanager
    def house(self, title: str) -> Iterator[House]:
        with self.houses.entered(self.names[title]) as house:
            yield house

    def table(self, title: str, **more: Any) -> Table:
        """A game in a house."""
        with self.house(title) as house:
            return Table(house.database, **more)

    def phone(self, title: str, role: Role = Role.NOBODY) -> "HousePhone":
        """A phone that a house has let in as this, unless it’s nobody."""
        phone = HousePhone(self.app.test_client(), self.names[title])
        if role:
            with self.house(title) as house:
                secret = house.door.invite(role)
            assert phone.join(secret).status_code == 303
        return phone


def furnish(folder: Path, title: str, empty: Path) -> Path:
    """Make a house as `make_house` does, without the second that its migrations take."""
    house = folder / f"{title.lower().replace(' ', '-')}-{token_hex(3)}"
    house.mkdir(parents=True)
    shutil.copy(empty, house / FILE)
    Door(house / door.FILE, title).close()
    return house


class HousePhone:
    """A phone at the pages of a house, over https."""

    def __init__(self, client: FlaskClient, name: str) -> None:
        self.client = client
        self.name = name

    @property
    def token(self) -> str:
        cookie = self.client.get_cookie(f"__Host-{self.name}", "score.example")
        return cookie.value if cookie else ""

    def join(self, secret: str, **more: str) -> TestResponse:
        return self.post("/join", {"code": secret, **more})

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, data: Any = None, **headers: str) -> TestResponse:
        return self.ask("POST", path, data or {}, headers)

    def ask(
        self, method: str, path: str, data: Any = None, headers: dict[str, str] | None = None
    ) -> TestResponse:
        own = {"Origin": BASE, **(headers or {})}
        return self.client.open(
            f"/h/{self.name}{path}",
            method=method,
            base_url=BASE,
            data=data,
            headers=own,
            buffered=True,
        )
