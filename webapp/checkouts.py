"""The scores of a checkout, beside which an installed Laydown starts with none.

An installed Laydown keeps its scores in the user’s own folder. If it was installed from a checkout
with games, or is started in one, people look for those: the start names the command that brings
them.
"""

import json
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from webapp.config import FILE, ROOT, is_checkout
from webapp.db.copies import count_games


def find_scores(file: Path) -> Path | None:
    """Return a checkout’s database with games, if the database `file` of this app has no games.

    None if `file` has games, if no checkout has any, or if this app itself runs from a checkout.
    """
    if is_checkout(ROOT) or count_games(file):
        return None
    for folder in _checkouts():
        scores = folder / "instance" / FILE
        if is_checkout(folder) and count_games(scores):
            return scores
    return None


def _checkouts() -> Iterator[Path]:
    """Yield the folders that may be a checkout: the one that pip installed from, and this one."""
    try:
        noted = json.loads(distribution("laydown").read_text("direct_url.json") or "{}")
        yield Path(url2pathname(urlsplit(noted.get("url", "")).path))
    except (PackageNotFoundError, ValueError):
        pass
    yield Path.cwd()
