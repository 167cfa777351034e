"""Recording lay-downs, and what the table decided when it disagreed."""

from dataclasses import dataclass
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from referee.faq import FrequentQuestion
from webapp.game.facts import ABOUT, Disputed, Fact, Voided
from webapp.game.lay_downs import lay_down
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.pages.desk.card_fields import DeskQuestion
from webapp.pages.desk.decisions import OVERRULED, UPHELD
from webapp.pages.desk.page import Desk
from webapp.pages.desk.view import show_in_game
from webapp.players.tokens import read_people
from webapp.refusal import Refusal
from webapp.text.cleaning import clean_note
from webapp.text.refusals import GameFinishedError, PageRefusedError
from webapp.workers.jobs import Solver, directly


class LayDownRefusedError(PageRefusedError[Desk]):
    """A lay-down isn’t legal, or was recorded already."""


def record_lay_down(
    session: Session, pub: str, question: DeskQuestion, form_key: FormKey, solve: Solver = directly
) -> Written:
    """Record that a player has laid down, if the referee finds it legal.

    Raises LayDownRefusedError if it isn’t legal or was recorded already, GameFinishedError,
    PlayerNotFoundError, or as `ledger.enter`.
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
    """A dispute isn’t logged, because cards or the table’s decision are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDecision:
    """The table’s decision about a play, as it was sent."""

    question: DeskQuestion
    decided: str
    note: str
    ruled: str = ""
    """The verdict that the table saw, "yes" or "no"; empty if the form doesn’t say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAnswer:
    """The table’s answer to a frequent question about the rules, as it was sent."""

    player: int
    """The id of the player who asked; 0 if nobody has said whose phone it is."""
    decided: str
    note: str


class DecisionRefusedError(Refusal, ValueError):
    """The table sent neither a decision nor a note."""


def log_dispute(
    session: Session, pub: str, argument: TableDecision, form_key: FormKey, solve: Solver = directly
) -> Written:
    """Log a dispute and the table’s decision, with the ruling as the referee gives it now.

    The table can overrule the referee; the ruling and the decision are both stored. Raises
    DisputeRefusedError if cards or the decision are missing, or if the verdict isn’t the one that
    the table saw; also GameFinishedError, PlayerNotFoundError, and whatever `ledger.enter` raises.
    """
    question, decided = argument.question, argument.decided
    note = clean_note(argument.note)

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        desk = show_in_game(pub, state, read_people(session, state), question, solve)
        if desk.ruling is None or desk.player is None or decided not in {UPHELD, OVERRULED}:
            raise DisputeRefusedError(desk)
        # The cards were changed while the decision was written: the table looks once more.
        if argument.ruled and argument.ruled != desk.legal:
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


class DecisionNotFoundError(Refusal, LookupError):
    """A game has no such decision."""

    status = 404


def log_decision(
    session: Session, pub: str, asked: FrequentQuestion, decision: TableAnswer, form_key: FormKey
) -> Written:
    """Log what the table decided on a frequent question; the rulebook’s answer is kept with it.

    Raises DecisionRefusedError without a decision or a note, GameFinishedError, or whatever
    `ledger.enter` raises.
    """
    note = clean_note(decision.note)

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        if not note and decision.decided not in {UPHELD, OVERRULED}:
            raise DecisionRefusedError
        logged = Disputed(
            player=decision.player if decision.player in state.seats else state.seats[0],
            round=state.reached,
            question=urlencode({ABOUT: asked.id}),
            legal=asked.answer == "yes",
            codes=(),
            rules=state.variant.version,
            decided=decision.decided or UPHELD,
            note=note,
        )
        return (logged,)

    asks = f"decision {asked.id} {decision.decided} {note}"
    return ledger.enter(session, pub, ledger.Submission.by_content(form_key, asks), decide)


def take_back_decision(session: Session, pub: str, seq: int, form_key: FormKey) -> Written:
    """Undo a decision of the table.

    Raises DecisionNotFoundError, GameFinishedError, or whatever `ledger.enter` raises.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        if not any(entry.seq == seq and isinstance(entry.fact, Disputed) for entry in state.asides):
            raise DecisionNotFoundError
        return (Voided(seq=seq),)

    return ledger.enter(session, pub, ledger.Submission.of(form_key, "undecide", str(seq)), decide)
