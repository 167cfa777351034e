"""The stored maps of imported games, from player numbers in their entries to the players here."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Joined
from webapp.game.player_ids import SAME, PlayerIds
from webapp.ledger.records import Numbered
from webapp.models import Game, table_of

_NUMBER: Final = table_of(Numbered)
_GAMES: Final = table_of(Game)
_NUMBERED: Final = (
    select(_NUMBER.c.game_id, _NUMBER.c.theirs, _NUMBER.c.player_id, _GAMES.c.variant)
    .join(_GAMES, _GAMES.c.id == _NUMBER.c.game_id)
    .where(_NUMBER.c.game_id.between(bindparam("first"), bindparam("last")))
)
"""The query for the maps of games by id, from `first` to `last`; every save executes it."""


def read_player_ids(session: Session, game_id: int) -> PlayerIds:
    """Return the map from the player numbers in a game’s entries to the players here."""
    return read_all_player_ids(session, game_id, game_id).get(game_id, SAME)


def read_all_player_ids(session: Session, first: int, last: int) -> dict[int, PlayerIds]:
    """Return the maps of the imported games with database ids from `first` to `last`, by id."""
    players: dict[int, dict[int, int]] = {}
    variants: dict[int, str] = {}
    for row in session.execute(_NUMBERED, {"first": first, "last": last}):
        players.setdefault(row.game_id, {})[row.theirs] = row.player_id
        variants[row.game_id] = row.variant
    return {number: PlayerIds(found, variants[number]) for number, found in players.items()}


def number_all(
    session: Session, game_id: int, player_ids: PlayerIds, facts: Iterable[Fact]
) -> PlayerIds:
    """Give players whom `facts` seat in an imported game a number in its entries; return its map.

    A game that was started here has no map, and keeps none.
    """
    if not player_ids.players:
        return player_ids
    players = dict(player_ids.players)
    for fact in facts:
        if isinstance(fact, Joined) and fact.player not in players.values():
            number = max(players) + 1
            players[number] = fact.player
            row = {"game_id": game_id, "theirs": number, "player_id": fact.player}
            session.execute(insert(Numbered), [row])
    return replace(player_ids, players=players)
