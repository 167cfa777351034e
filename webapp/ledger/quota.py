"""Quotas: how many entries of each kind a game has, in all and from one phone.

A game is read whole at every save, so it can’t grow forever. What is written beside the counts
stops first, then correcting and undoing. Counts have a quota of their own, and a game in progress
can always be finished. No phone can use up alone what all of them need. Nor can many phones that
one person makes up, as a phone is no more than a cookie: some of each quota is kept for the first
phones, enough to undo everything that any other phone has entered, and to continue.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from webapp.game.facts import (
    Amended,
    Corrected,
    Counted,
    Disputed,
    Fact,
    Finished,
    Joined,
    LaidDown,
    Left,
    Noted,
    Reopened,
    Started,
    Took,
    Totalled,
    Undone,
    Voided,
)
from webapp.game.state import LoggedFact
from webapp.language import say
from webapp.refusal import Refusal


class GameFullError(Refusal, ValueError):
    """A game has had its share of entries of a kind."""


class EntryKind(Enum):
    """What an entry counts towards."""

    BESIDE = "beside"
    """Notes, May I's, disputes, lay-downs, and who joins and leaves."""
    CHANGES = "changes"
    """Correcting, changing the house rules, taking back and reopening."""
    COUNTS = "counts"
    """Hands that nobody has counted yet."""
    RESCUES = "rescues"
    """Taking back all that one phone entered."""
    ENDS = "ends"
    """The start of a game and its end, and what a game on paper came to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """How many entries of a kind a game can have."""

    in_all: int
    of_a_phone: int
    kept: int
    """How many of them are kept for each of the first phones."""


FIRST: Final = 3
"""For how many phones some of a quota is kept: the first ones that entered something."""

MOST_PHONES: Final = 40
"""How many phones can enter something in one game; one can take back all of each of the others."""

QUOTAS: Final[Mapping[EntryKind, Quota]] = {
    EntryKind.BESIDE: Quota(in_all=600, of_a_phone=400, kept=50),
    EntryKind.CHANGES: Quota(in_all=600, of_a_phone=200, kept=100),
    EntryKind.COUNTS: Quota(in_all=1400, of_a_phone=800, kept=200),
    EntryKind.RESCUES: Quota(in_all=140, of_a_phone=MOST_PHONES, kept=MOST_PHONES),
}

MOST_ENDS: Final = 2 + QUOTAS[EntryKind.CHANGES].in_all
"""The start of a game, its end, and one after each reopening."""

OF_A_ROUND: Final[Mapping[type[Fact], tuple[int, str]]] = {
    Noted: (20, "notes"),
    Disputed: (20, "disputes"),
    Took: (60, "may-i"),
    LaidDown: (100, "lay-downs"),
}
"""How many of these one phone can enter about one round, and what they are."""


def require_quota(entered: Sequence[LoggedFact], facts: Iterable[Fact], device: str) -> None:
    """Raise GameFullError, a sentence, where a game has no room for more facts from a phone."""
    phones = tuple(dict.fromkeys(entry.device for entry in entered))
    if device not in phones and len(phones) >= MOST_PHONES:
        raise GameFullError(say("room.phones", n=MOST_PHONES))
    mine = [entry.fact for entry in entered if entry.device == device]
    used = Counter((entry.device, kind_of_entry(entry.fact)) for entry in entered)
    for fact in facts:
        _require_round(mine, fact)
        kind = kind_of_entry(fact)
        used[device, kind] += 1
        quota = QUOTAS.get(kind)
        if quota is None:
            continue
        in_all = sum(used[phone, kind] for phone in {*phones, device})
        kept = sum(
            max(0, quota.kept - used[phone, kind]) for phone in phones[:FIRST] if phone != device
        )
        if in_all > quota.in_all:
            raise GameFullError(say("room.full", kind.value))
        if used[device, kind] > quota.of_a_phone:
            raise GameFullError(say("room.enough", kind.value))
        if in_all + kept > quota.in_all:
            raise GameFullError(say("room.kept"))


def require_quota_of(facts: Iterable[Fact]) -> None:
    """Raise GameFullError where a game from elsewhere holds more than any game has room for."""
    used = Counter(map(kind_of_entry, facts))
    if (
        any(used[kind] > quota.in_all for kind, quota in QUOTAS.items())
        or used[EntryKind.ENDS] > MOST_ENDS
    ):
        raise GameFullError(say("room.more"))


def kind_of_entry(fact: Fact) -> EntryKind:
    """What a fact counts towards."""
    match fact:
        case Started() | Totalled() | Finished():
            return EntryKind.ENDS
        case Voided() | Reopened() | Corrected() | Amended() | Undone(phone=""):
            return EntryKind.CHANGES
        case Undone():
            return EntryKind.RESCUES
        case Counted(hands=hands):
            again = any(hand.base for hand in hands.values())
            return EntryKind.CHANGES if again else EntryKind.COUNTS
        case Noted() | Took() | Disputed() | LaidDown() | Joined() | Left():
            return EntryKind.BESIDE


def _require_round(mine: Iterable[Fact], fact: Fact) -> None:
    """Raise GameFullError where a phone has said enough about a round."""
    most, noun = OF_A_ROUND.get(type(fact), (0, ""))
    if not isinstance(fact, Noted | Disputed | Took | LaidDown):
        return
    same = (each for each in mine if isinstance(each, type(fact)))
    if sum(each.round == fact.round for each in same) >= most:
        raise GameFullError(say("room.round", noun, most=most, number=fact.round))
