"""Games with a round counted, for pages to be measured with: written without a tap."""

from tests.webapp.table import Table
from webapp.db import Database


def counted(
    database: Database, names: tuple[str, ...], slug: str, left: str = "65", close: str = ""
) -> str:
    """Start a game and count a round in which the first goes out; answers the game's path."""
    table = Table(database, names, slug)
    first, *others = table.ids
    hands = {first: "out", **dict.fromkeys(others, left)}
    table.save(1, table.typed(1, sure=True, close=close, **hands))
    return f"/g/{table.pub}"
