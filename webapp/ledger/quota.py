"""The quota: how many entries a game has room for.

A game is read whole at every save, so it can’t grow forever. One limit holds for every phone and
every kind of entry. Beyond it, the table can still undo everything that one phone entered, and
finish the game. So a game that somebody has filled with nonsense ends with the right scores.
"""

from collections.abc import Iterable
from typing import Final

from webapp.game.facts import CarriedOn, Fact, Finished, Reopened, Started, Totalled, Undone
from webapp.language import say
from webapp.refusal import Refusal

MOST_ENTRIES: Final = 3_000
"""Entries in a game: 100 rounds of 12 players fit in, each hand saved alone and corrected once."""

MORE_TO_END: Final = 400
"""Entries beyond that, only to undo all of a phone, to finish and to reopen.

Finishing is always possible, whatever they were used for: there is one more finish than there are
times to reopen, so that this has an end too.
"""


class GameFullError(Refusal, ValueError):
    """A game has as many entries as it can have."""


def require_quota(there: int, facts: Iterable[Fact]) -> None:
    """Raise GameFullError if a game that has `there` entries has no room for these facts."""
    for count, fact in enumerate(facts, there + 1):
        most = MOST_ENTRIES + (MORE_TO_END if _helps_to_end(fact) else 0)
        if count > most and not isinstance(fact, Finished):
            raise GameFullError(say("quota.full"))


def require_quota_of(facts: Iterable[Fact]) -> None:
    """Raise GameFullError if a game from elsewhere has more entries than any game has room for."""
    # The last one can be a finish.
    if sum(1 for _ in facts) > MOST_ENTRIES + MORE_TO_END + 1:
        raise GameFullError(say("quota.more"))


def _helps_to_end(fact: Fact) -> bool:
    """Return whether a fact helps to end a game that is full, so that it needs no room."""
    match fact:
        case Started() | Totalled() | CarriedOn() | Finished() | Reopened():
            return True
        case Undone(phone=phone):
            return bool(phone)
        case _:
            return False
