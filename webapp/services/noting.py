"""What is put down beside the counts: a note on a round, and a May I."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from webapp import ledger
from webapp.facts import Noted, Took
from webapp.services.roster import PlayerNotFoundError, clean_text, read_names
from webapp.services.saving import GameFinishedError, RoundNotFoundError

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from webapp.facts import Fact
    from webapp.ledger import Kept, Sent
    from webapp.story import Story

LONGEST_NOTE: Final = 280
"""Characters."""


class NoteRefusedError(ValueError):
    """There is nothing to note yet: write a few words about a round that was reached."""

    def __init__(self, page: NotesPage) -> None:
        """Keep the page with what was written."""
        super().__init__(self.__doc__)
        self.page = page


class NoMayIError(ValueError):
    """In this game nobody takes the discard out of turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    """One note."""

    round_number: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPage:
    """The page of a game's notes, with what was written so far."""

    pub: str
    notes: tuple[NoteLine, ...]
    rounds: tuple[int, ...]
    """The rounds that a note can be about."""
    round_number: int
    """The one that is chosen (the field ``round``)."""
    text: str
    """What was written (the field ``text``)."""
    problem: str
    finished: bool
    key: str


def read_notes(session: Session, pub: str, number: int | None = None) -> NotesPage:
    """Show the notes of a game, and a form for another; raises GameNotFoundError."""
    return _page(pub, ledger.read_story(session, pub), number)


def note(session: Session, pub: str, number: int | None, text: str, sent: Sent) -> Kept:
    """Write a note about a round that was reached.

    Raises NoteRefusedError, GameFinishedError, and as `ledger.enter`.
    """
    clean = clean_text(text[: 4 * LONGEST_NOTE])[:LONGEST_NOTE]

    def deed(story: Story) -> tuple[Fact, ...]:
        if story.finished:
            raise GameFinishedError
        page = _page(pub, story, number, text)
        if not clean or number not in page.rounds:
            problem = str(NoteRefusedError.__doc__)
            raise NoteRefusedError(_page(pub, story, number, text, problem))
        return (Noted(round=number, text=clean),)

    form = ledger.Form(key=sent.key, asks=f"note {number} {clean}", device=sent.device)
    return ledger.enter(session, pub, form, deed)


def take(session: Session, pub: str, player: int, sent: Sent) -> Kept:
    """Note that a player took the discard out of turn, with a card of the stock.

    The key comes from the state of the pad, so that a double tap is one May I. Raises
    NoMayIError, GameFinishedError, RoundNotFoundError, PlayerNotFoundError, and as `ledger.enter`.
    """
    names = read_names(session, ledger.read_story(session, pub).seats)
    if player not in names:
        raise PlayerNotFoundError

    def deed(story: Story) -> tuple[Fact, ...]:
        number = story.open_round
        if story.finished:
            raise GameFinishedError
        if story.variant.pad is None or not story.variant.pad.grows_by:
            raise NoMayIError
        if number is None:
            raise RoundNotFoundError
        if player not in story.players_of(number):
            raise PlayerNotFoundError
        return (Took(player=player, round=number),)

    key = f"take-{player}-{sent.key}"
    form = ledger.Form(key=key, asks=f"take {player}", device=sent.device)
    return ledger.enter(session, pub, form, deed)


def _page(
    pub: str, story: Story, number: int | None, text: str = "", problem: str = ""
) -> NotesPage:
    last = len(story.rounds) + (not story.score.over)
    rounds = tuple(range(1, last + 1))
    return NotesPage(
        pub=pub,
        notes=tuple(
            NoteLine(round_number=entry.fact.round, text=entry.fact.text, at=entry.at)
            for entry in story.notes
            if isinstance(entry.fact, Noted)
        ),
        rounds=rounds,
        round_number=number if number in rounds else last,
        text=text[:LONGEST_NOTE],
        problem=problem,
        finished=story.finished,
        key=ledger.new_key(),
    )
