"""The page of a game’s notes, May I’s and disputes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from webapp.game.facts import Noted
from webapp.game.replay import GameState
from webapp.game.state import LoggedFact
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.roster import shown_names
from webapp.pages.scorepad.events import say_entry


@dataclass(frozen=True, slots=True, kw_only=True)
class AsideLine:
    """A note, a May I or a dispute."""

    seq: int
    """The number of the entry that undoing it voids."""
    says: str
    """The entry in words: "Round 2: Ben dealt twice", "Ben’s May I in round 2"."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPage:
    """The page of a game's notes."""

    pub: str
    asides: tuple[AsideLine, ...]
    rounds: tuple[int, ...]
    """The rounds that a note can be about."""
    round_number: int
    """The chosen round (the field `round`), or else the latest."""
    finished: bool
    key: str


def read_notes(session: Session, pub: str, number: int | None = None) -> NotesPage:
    """Return the notes of a game, and a form for another; raise GameNotFoundError."""
    state = ledger.read_game(session, pub)
    names, rounds = shown_names(session, state.known), rounds_of(state)
    return NotesPage(
        pub=pub,
        asides=tuple(
            AsideLine(seq=entry.seq, says=_say(entry, state, names), at=entry.at)
            for entry in state.asides
        ),
        rounds=rounds,
        round_number=number if number in rounds else rounds[-1],
        finished=state.finished,
        key=ledger.new_key(),
    )


def rounds_of(state: GameState) -> tuple[int, ...]:
    """Return the rounds that a note can be about: those that were reached."""
    return tuple(range(state.first_round, state.reached + 1))


def _say(entry: LoggedFact, state: GameState, names: Mapping[int, str]) -> str:
    if isinstance(entry.fact, Noted):
        return say("sheet.note", number=entry.fact.round, note=entry.fact.text)
    return say_entry(entry, state, names)
