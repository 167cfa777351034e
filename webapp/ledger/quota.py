"""Quotas: how many entries of each kind a game can have, in all and from one phone.

Every save reads a whole game, so it can’t grow forever. Notes and the like stop first, then
corrections and undoing. Counts have a quota of their own, and a game in progress can always be
finished. No phone can use up alone what all of them need. Nor can one person who pretends to be
many phones, since a phone is no more than a cookie: some of each quota is reserved for the first
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
    """A game, or a phone in it, has reached its quota of entries of a kind."""


class EntryKind(Enum):
    """The quotas that entries count towards."""

    BESIDE = "beside"
    """Notes, May I's, disputes, lay-downs, and who joins and leaves."""
    CHANGES = "changes"
    """Corrections, changes of the house rules, undoing and reopening."""
    COUNTS = "counts"
    """Hands that nobody has counted yet."""
    RESCUES = "rescues"
    """Undoing everything that one phone entered."""
    ENDS = "ends"
    """The start of a game, its end, and the totals of a game from paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The most entries of a kind that a game can have."""

    in_all: int
    of_a_phone: int
    kept: int
    """How many of them are reserved for each of the first phones."""


FIRST: Final = 3
"""How many phones have a reserve: the first ones that entered something."""

MOST_PHONES: Final = 40
"""How many phones can enter something in one game; one can undo each of the others."""

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
"""The most entries of these kinds that one phone can make about one round, and their name."""


def require_quota(entered: Sequence[LoggedFact], facts: Iterable[Fact], device: str) -> None:
    """Raise GameFullError, with a sentence, if a phone can’t add these facts to a game."""
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
    """Raise GameFullError if a game from elsewhere has more entries than a game can have."""
    used = Counter(map(kind_of_entry, facts))
    if (
        any(used[kind] > quota.in_all for kind, quota in QUOTAS.items())
        or used[EntryKind.ENDS] > MOST_ENDS
    ):
        raise GameFullError(say("room.more"))


def kind_of_entry(fact: Fact) -> EntryKind:
    """Return the quota that a fact counts towards."""
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
    """Raise GameFullError if a phone has reached its limit for a round."""
    most, noun = OF_A_ROUND.get(type(fact), (0, ""))
    if not isinstance(fact, Noted | Disputed | Took | LaidDown):
        return
    same = (each for each in mine if isinstance(each, type(fact)))
    if sum(each.round == fact.round for each in same) >= most:
        raise GameFullError(say("room.round", noun, most=most, number=fact.round))
