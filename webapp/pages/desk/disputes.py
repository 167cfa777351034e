"""Disputes: what the table argued about, what the referee said, and what the table decided."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from webapp.game.facts import Disputed, Fact
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import Kept, Sent
from webapp.pages.desk.card_fields import DeskQuestion
from webapp.pages.desk.page import Desk
from webapp.pages.desk.view import show_in_game
from webapp.players.tokens import read_people
from webapp.text.cleaning import clean_note
from webapp.text.refusals import GameFinishedError, PageRefusedError
from webapp.workers.jobs import Solver, directly

UPHELD: Final = "upheld"
OVERRULED: Final = "overruled"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeLine:
    """One dispute of a game, as its sheet shows it."""

    name: str
    at: datetime
    fact: Disputed

    @property
    def overruled(self) -> bool:
        """Whether the table decided against the referee."""
        return self.fact.decided == OVERRULED


class DisputeRefusedError(PageRefusedError[Desk]):
    """A decision of the table lacks the cards or the decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDecision:
    """What the table says about a play, as it came in."""

    question: DeskQuestion
    decided: str
    note: str


def log_dispute(
    session: Session, pub: str, argument: TableDecision, sent: Sent, solve: Solver = directly
) -> Kept:
    """Log what was argued about and decided, with the ruling as the referee gives it now.

    The table may overrule the referee; both are kept. Raises DisputeRefusedError,
    GameFinishedError, PlayerNotFoundError, and as `ledger.enter`.
    """
    question, decided = argument.question, argument.decided
    note = clean_note(argument.note)

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        desk = show_in_game(pub, state, read_people(session, state), question, solve)
        if desk.ruling is None or desk.player is None or decided not in {UPHELD, OVERRULED}:
            raise DisputeRefusedError(desk)
        logged = Disputed(
            player=desk.player,
            round=state.reached,
            question=urlencode(desk.fields),
            legal=desk.ruling.is_legal,
            codes=tuple(dict.fromkeys(finding.code.value for finding in desk.ruling.findings)),
            rules=state.variant.version,
            decided=decided,
            note=note,
        )
        return (logged,)

    asks = f"dispute {question.player} {sorted(question.texts.items())} {decided} {note}"
    return ledger.enter(session, pub, ledger.Form.by_content(sent, asks), decide)


def list_disputes(state: GameState, names: Mapping[int, str]) -> Iterator[DisputeLine]:
    """The disputes of a game, in the order they were logged."""
    for entry in state.asides:
        if isinstance(entry.fact, Disputed):
            yield DisputeLine(name=names[entry.fact.player], at=entry.at, fact=entry.fact)
