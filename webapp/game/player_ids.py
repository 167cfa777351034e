"""Player ids: an imported game names players by other numbers than this database does.

Its entries stay as they were sealed. A map beside the game translates them, and entries that are
added here are written with the same map, so that all its entries use the same numbers.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from webapp.game.facts import (
    Amended,
    CarriedOn,
    Counted,
    Disputed,
    Fact,
    Joined,
    LaidDown,
    Left,
    Reseated,
    SatOut,
    Started,
    Took,
    Totalled,
)

_DIGITS: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PlayerIds:
    """What an imported game’s player numbers and variant are in this database."""

    players: Mapping[int, int]
    """The player’s id in this database, by number in the entries; empty if each number is the
    id."""
    variant: str = ""

    def read(self, fact: Fact) -> Fact:
        """Return a fact from an entry, with the player numbers of this database."""
        if not self.players:
            return fact
        fact = _renumbered(fact, lambda who: self.players.get(who, who))
        if isinstance(fact, Started):
            fact = replace(fact, variant=self.variant)
        if isinstance(fact, Started | Amended) and "slug" in fact.game:
            fact = replace(fact, game={**fact.game, "slug": self.variant})
        return fact

    def write(self, fact: Fact) -> Fact:
        """Return a fact of this database with the player numbers that the game’s entries have.

        A player without a number there keeps the id here, which can be another player’s number in
        the entries. So call `webapp.ledger.player_ids.number_all` before.
        """
        if not self.players:
            return fact
        theirs = {ours: number for number, ours in self.players.items()}
        return _renumbered(fact, lambda who: theirs.get(who, who))


SAME: Final = PlayerIds({})
"""The map of a game that was started here: nothing changes."""


def _renumbered(fact: Fact, of: Callable[[int], int]) -> Fact:
    match fact:
        case Started():
            fact = replace(fact, seats=tuple(map(of, fact.seats)))
        case Counted():
            fact = replace(fact, hands={of(who): hand for who, hand in fact.hands.items()})
        case Totalled():
            totals = {of(who): total for who, total in fact.totals.items()}
            fact = replace(fact, totals=totals, winners=tuple(map(of, fact.winners)))
        case CarriedOn():
            by_player = (fact.totals, fact.steps, fact.won)
            totals, steps, won = ({of(who): n for who, n in each.items()} for each in by_player)
            fact = replace(fact, totals=totals, steps=steps, won=won)
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
        case Reseated():
            fact = replace(fact, seats=tuple(map(of, fact.seats)))
        case LaidDown() | Took() | Left() | SatOut():
            fact = replace(fact, player=of(fact.player))
        case _:
            pass
    return fact
