"""Numbering: a game from elsewhere names players by other numbers than this book does.

Its entries stay as they were sealed. They are read by a map beside the game, and what is added to
it here is written by the same map, so that all its entries speak of its players alike.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from webapp.ledger.facts import (
    Amended,
    Counted,
    Disputed,
    Fact,
    Joined,
    LaidDown,
    Left,
    Started,
    Took,
    Totalled,
)
from webapp.ledger.records import Numbered
from webapp.models import Game, table_of

_DIGITS: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Numbering:
    """The players of a game here, and what the game is called here."""

    players: Mapping[int, int]
    """By the number in the entries; empty if all are the same."""
    variant: str = ""

    def read(self, fact: Fact) -> Fact:
        """A fact in the numbers of this book."""
        if not self.players:
            return fact
        fact = _renumbered(fact, lambda who: self.players.get(who, who))
        if isinstance(fact, Started):
            fact = replace(fact, variant=self.variant)
        if isinstance(fact, Started | Amended) and "slug" in fact.game:
            fact = replace(fact, game={**fact.game, "slug": self.variant})
        return fact

    def write(self, fact: Fact) -> Fact:
        """A fact in the numbers of the entries; everybody in it has one there."""
        if not self.players:
            return fact
        theirs = {ours: number for number, ours in self.players.items()}
        return _renumbered(fact, lambda who: theirs.get(who, who))


_NUMBER: Final = table_of(Numbered)
_GAMES: Final = table_of(Game)
_NUMBERED: Final = (
    select(_NUMBER.c.game_id, _NUMBER.c.theirs, _NUMBER.c.player_id, _GAMES.c.variant)
    .join(_GAMES, _GAMES.c.id == _NUMBER.c.game_id)
    .where(_NUMBER.c.game_id.between(bindparam("first"), bindparam("last")))
)
"""Made once: every save asks it."""

SAME: Final = Numbering({})
"""The numbering of a game that was started here."""


def read_numbering(session: Session, game_id: int) -> Numbering:
    """The players here that a game’s entries name."""
    return read_numberings(session, game_id, game_id).get(game_id, SAME)


def read_numberings(session: Session, first: int, last: int) -> dict[int, Numbering]:
    """The numberings of the games from one number to another; none for those that need none."""
    players: dict[int, dict[int, int]] = {}
    variants: dict[int, str] = {}
    for row in session.execute(_NUMBERED, {"first": first, "last": last}):
        players.setdefault(row.game_id, {})[row.theirs] = row.player_id
        variants[row.game_id] = row.variant
    return {number: Numbering(found, variants[number]) for number, found in players.items()}


def number_all(
    session: Session, game_id: int, numbering: Numbering, facts: Iterable[Fact]
) -> Numbering:
    """Give everybody who joins a game a number in its entries, where its players have others."""
    if not numbering.players:
        return numbering
    players = dict(numbering.players)
    for fact in facts:
        if isinstance(fact, Joined) and fact.player not in players.values():
            number = max(players) + 1
            players[number] = fact.player
            row = {"game_id": game_id, "theirs": number, "player_id": fact.player}
            session.execute(insert(Numbered), [row])
    return replace(numbering, players=players)


def _renumbered(fact: Fact, of: Callable[[int], int]) -> Fact:
    match fact:
        case Started():
            fact = replace(fact, seats=tuple(map(of, fact.seats)))
        case Counted():
            fact = replace(fact, hands={of(who): hand for who, hand in fact.hands.items()})
        case Totalled():
            totals = {of(who): total for who, total in fact.totals.items()}
            fact = replace(fact, totals=totals, winners=tuple(map(of, fact.winners)))
        case Joined():
            fact = replace(fact, player=of(fact.player), after=of(fact.after) if fact.after else 0)
        case Disputed():
            asked = [
                (
                    name,
                    str(of(int(value))) if name == "player" and _DIGITS.fullmatch(value) else value,
                )
                for name, value in parse_qsl(fact.question, keep_blank_values=True)
            ]
            fact = replace(fact, player=of(fact.player), question=urlencode(asked))
        case LaidDown() | Took() | Left():
            fact = replace(fact, player=of(fact.player))
        case _:
            pass
    return fact
