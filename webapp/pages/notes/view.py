"""What is put down beside the counts: a note on a round, and a May I; and taking them back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Noted, Took, Voided
from webapp.game.replay import GameState
from webapp.game.state import ASIDE, Entered
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.ledger import Kept, Sent
from webapp.ledger.roster import shown_names
from webapp.pages.scorepad.events import say_entry
from webapp.text.cleaning import clean_note
from webapp.text.refusals import (
    AsideNotFoundError,
    GameFinishedError,
    NoMayIError,
    PlayerNotFoundError,
    RefusedError,
    RoundNotFoundError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AsideLine:
    """A note, a May I or a dispute."""

    seq: int
    """The entry that taking it back voids."""
    says: str
    """ "Round 2: Ben dealt twice", "Ben’s May I in round 2". """
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPage:
    """The page of a game's notes."""

    pub: str
    asides: tuple[AsideLine, ...]
    rounds: tuple[int, ...]
    """The rounds that a note can be about."""
    round_number: int
    """The one that is chosen (the field ``round``)."""
    finished: bool
    key: str


class NoteRefusedError(RefusedError):
    """A note is empty, or about a round that was not reached."""


def read_notes(session: Session, pub: str, number: int | None = None) -> NotesPage:
    """Show the notes of a game, and a form for another; raises GameNotFoundError."""
    state = ledger.read_game(session, pub)
    names, rounds = shown_names(session, state.known), _rounds(state)
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


def note(session: Session, pub: str, number: int | None, text: str, sent: Sent) -> Kept:
    """Write a note about a round that was reached.

    Raises NoteRefusedError, GameFinishedError, and as `ledger.enter`.
    """
    clean = clean_note(text)

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        if not clean or number not in _rounds(state):
            raise NoteRefusedError
        return (Noted(round=number, text=clean),)

    form = ledger.Form.by_content(sent, f"note {number} {clean}")
    return ledger.enter(session, pub, form, decide)


def take(session: Session, pub: str, player: int, sent: Sent) -> Kept:
    """Note that a player took the discard out of turn, with a card of the stock.

    The key comes from the state of the pad, so that a double tap is one May I. Raises
    NoMayIError, GameFinishedError, RoundNotFoundError, PlayerNotFoundError, and as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        number = state.open_round
        if state.finished:
            raise GameFinishedError
        if not state.variant.pad.grows_by:
            raise NoMayIError
        if number is None:
            raise RoundNotFoundError
        if player not in state.players_of(number):
            raise PlayerNotFoundError
        return (Took(player=player, round=number),)

    key = f"take-{player}-{sent.key}"
    form = ledger.Form(key=key, content=f"take {player}", device=sent.device)
    return ledger.enter(session, pub, form, decide)


def take_back(session: Session, pub: str, seq: int, sent: Sent) -> Kept:
    """Take back a note, a May I or a dispute, whatever was entered since.

    Nothing is done where it was undone already. Raises AsideNotFoundError for any other
    entry, GameFinishedError, and as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        asides = {entry.seq for entry in state.entered if isinstance(entry.fact, ASIDE)}
        if seq not in asides:
            raise AsideNotFoundError
        stands = any(entry.seq == seq for entry in state.asides)
        return (Voided(seq=seq),) if stands else ()

    form = ledger.Form(key=f"aside-{seq}-{sent.key}", content=f"void {seq}", device=sent.device)
    return ledger.enter(session, pub, form, decide)


def _rounds(state: GameState) -> tuple[int, ...]:
    return tuple(range(1, state.reached + 1))


def _say(entry: Entered, state: GameState, names: Mapping[int, str]) -> str:
    if isinstance(entry.fact, Noted):
        return say("sheet.note", number=entry.fact.round, note=entry.fact.text)
    return say_entry(entry, state, names)
