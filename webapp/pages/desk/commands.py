"""Recording lay-downs, and the table’s decisions in disputes."""

from dataclasses import dataclass
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from webapp.game.facts import Disputed, Fact
from webapp.game.lay_downs import lay_down
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.pages.desk.card_fields import DeskQuestion
from webapp.pages.desk.disputes import OVERRULED, UPHELD
from webapp.pages.desk.page import Desk
from webapp.pages.desk.view import show_in_game
from webapp.players.tokens import read_people
from webapp.text.cleaning import clean_note
from webapp.text.refusals import GameFinishedError, PageRefusedError
from webapp.workers.jobs import Solver, directly


class LayDownRefusedError(PageRefusedError[Desk]):
    """A lay-down isn’t legal, or was recorded already."""


def record_lay_down(
    session: Session, pub: str, question: DeskQuestion, form_key: FormKey, solve: Solver = directly
) -> Written:
    """Record that a player has laid down, if the referee finds it legal.

    Raises LayDownRefusedError, GameFinishedError, PlayerNotFoundError or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        number = state.open_round
        if state.finished or number is None:
            raise GameFinishedError
        desk = show_in_game(pub, state, read_people(session, state), question, solve)
        if not desk.can_record or desk.player is None or not desk.play or not desk.ruling:
            raise LayDownRefusedError(desk)
        laid = lay_down(
            state,
            number,
            player=desk.player,
            step=desk.step,
            play=desk.play,
            ruling=desk.ruling,
        )
        return (laid,)

    texts = sorted(question.texts.items())
    asks = f"lay down {question.player} {question.step} {texts}"
    return ledger.enter(session, pub, ledger.Submission.by_content(form_key, asks), decide)


class DisputeRefusedError(PageRefusedError[Desk]):
    """A dispute can’t be logged without cards or without a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDecision:
    """The table’s decision about a play, as it was sent."""

    question: DeskQuestion
    decided: str
    note: str


def log_dispute(
    session: Session, pub: str, argument: TableDecision, form_key: FormKey, solve: Solver = directly
) -> Written:
    """Log a dispute and the table’s decision, with the ruling as the referee gives it now.

    The table can overrule the referee; both are stored. Raises DisputeRefusedError,
    GameFinishedError, PlayerNotFoundError, and whatever `ledger.enter` raises.
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
    return ledger.enter(session, pub, ledger.Submission.by_content(form_key, asks), decide)
