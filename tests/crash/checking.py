"""Hold what phones were told against what the database says; by SQL alone, not by our own code."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, NullPool, create_engine

from tests.crash.evening import Begun, Saved


def check(database_url: str, diary: Sequence[Begun | Saved]) -> list[str]:
    """Answer what was lost, doubled or torn, a sentence each; nothing when all is well.

    To be asked when every phone has had an answer to everything that it sent.
    """
    with create_engine(database_url, poolclass=NullPool).connect() as connection:
        return [
            *_torn(connection),
            *_games(connection, [told for told in diary if isinstance(told, Begun)]),
            *_hands(connection, [told for told in diary if isinstance(told, Saved)]),
        ]


def _torn(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for (said,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if said != "ok":
                yield f"The file is damaged: {said}"
    gaps = "SELECT game_id FROM entry GROUP BY game_id HAVING max(seq) != count(*) OR min(seq) != 1"
    for (game,) in connection.exec_driver_sql(gaps):
        yield f"The entries of game {game} have a gap."
    behind = (
        "SELECT game.pub FROM game LEFT JOIN entry ON entry.game_id = game.id "
        "GROUP BY game.id, game.pub, game.seq HAVING game.seq != coalesce(max(entry.seq), 0)"
    )
    for (pub,) in connection.exec_driver_sql(behind):
        yield f"Game {pub} does not know its latest entry."


def _games(connection: Connection, diary: Sequence[Begun]) -> Iterator[str]:
    kept = {pub for (pub,) in connection.exec_driver_sql("SELECT pub FROM game")}
    told = {begun.pub for begun in diary}
    yield from (f"Lost: game {pub}, which a phone had begun." for pub in sorted(told - kept))
    yield from (f"Doubled: game {pub}, which nobody began." for pub in sorted(kept - told))


def _hands(connection: Connection, diary: Sequence[Saved]) -> Iterator[str]:
    rows = connection.exec_driver_sql(
        "SELECT game.pub, entry.key, entry.payload FROM entry JOIN game ON game.id = entry.game_id "
        "WHERE entry.kind IN ('counted', 'corrected') ORDER BY game.id, entry.seq"
    ).fetchall()
    written = Counter((pub, key) for pub, key, _ in rows)
    said = {(saved.pub, saved.key) for saved in diary}
    for pub, key in sorted(said - written.keys()):
        yield f"Lost: entry {key} of game {pub}, which was said to be saved."
    for pub, key in sorted(written.keys() - said):
        yield f"Doubled: entry {key} of game {pub}, which nobody sent."
    for (pub, key), times in written.items():
        if times > 1:
            yield f"Doubled: entry {key} of game {pub} is there {times} times."
    last = {(saved.pub, saved.player, saved.round): saved.points for saved in diary}
    stands = {
        (pub, int(player), told["round"]): hand.get("left", 0)
        for pub, _, payload in rows
        for told in [json.loads(payload)]
        for player, hand in told["hands"].items()
    }
    for (pub, player, round_), points in last.items():
        if stands.get((pub, player, round_)) != points:
            yield f"Game {pub}, round {round_}, player {player}: {points} was saved last."
