"""The commands for a whole game: undo, finish, reopen, play again."""

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from sqlalchemy.orm import Session

from referee import OptionError, Variant, variants
from referee.variants import UnknownVariantError
from webapp.game.facts import Counted, Fact, Finished, Reopened, Undone, Voided
from webapp.game.own_names import give_name
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written, has_finished
from webapp.ledger.roster import read_persons
from webapp.own_games.catalog import GameLeftOutError, find_game
from webapp.text.refusals import (
    GameFinishedError,
    GameNotFinishedError,
    KeptOnPaperError,
    NothingToDecideError,
    NotLastError,
    RoundNotOpenError,
)


def void_entry(session: Session, pub: str, seq: int, form_key: FormKey) -> Written:
    """Undo the last entry, or redo what was last undone.

    If several phones saved the hands of one round, all of them are undone at once. The key depends
    on the state of the pad, so two phones that tap Undo at once undo one entry. Raises
    NotLastError, GameFinishedError, and whatever `ledger.enter` raises.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        if state.taken_back and seq == state.taken_back.seq:
            redone = Voided(seq=seq)
            # If the round had ended the game, it ends it again.
            over = state.with_facts([redone]).score.over and not state.score.over
            return (redone, Finished(by="rules")) if over else (redone,)
        return (_undoing(state, seq),)

    submission = ledger.Submission.of(form_key, f"void-{seq}", f"void {seq}")
    return ledger.enter(session, pub, submission, decide)


def _undoing(state: GameState, seq: int) -> Fact:
    """Return the fact that undoes the last entry; raise NotLastError if `seq` isn’t its number."""
    if not state.last or seq != state.last.seq:
        raise NotLastError
    hands = hands_of_last_round(state)
    return Undone(phone="", seqs=hands) if len(hands) > 1 else Voided(seq=seq)


def hands_of_last_round(state: GameState) -> tuple[int, ...]:
    """Return the numbers of the entries that counted the hands of the last complete round.

    The result is empty unless the very last entry is one of them.
    """
    number = len(state.rounds)
    hands = tuple(
        entry.seq
        for entry in state.entered
        if entry.seq in state.standing
        and type(entry.fact) is Counted
        and entry.fact.round == number
    )
    return hands if hands and state.last and hands[-1] == state.last.seq else ()


def finish_game(session: Session, pub: str, form_key: FormKey, seen: int | None = None) -> Written:
    """Close the pad, by the rules or by the table’s decision.

    `seen` is the last entry that the phone showed, if its button said how the game would end.
    Raises RoundNotOpenError if there are newer ones, or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if seen is not None and seen != state.entered[-1].seq and not state.finished:
            raise RoundNotOpenError
        by = "rules" if state.score.over else "table"
        return () if state.finished else (Finished(by=by),)

    submission = ledger.Submission.of(form_key, "finish", "finish")
    return ledger.enter(session, pub, submission, decide)


def reopen_game(session: Session, pub: str, form_key: FormKey, seq: int | None = None) -> Written:
    """Open a finished game for corrections, and undo the entry that ended it, if `seq` names it.

    Raises KeptOnPaperError, NotLastError or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.totalled:
            raise KeptOnPaperError
        if not state.finished:
            return ()
        return (Reopened(), *([] if seq is None else [_undoing(state, seq)]))

    asks = "reopen" if seq is None else f"reopen {seq}"
    submission = ledger.Submission.of(form_key, asks.replace(" ", "-"), asks)
    return ledger.enter(session, pub, submission, decide)


def play_again(session: Session, pub: str, form_key: FormKey) -> str:
    """Start the same game again, with the next dealer; return the new game’s public id.

    Everybody at the table plays, including those who joined late. While such a game is being
    played, another tap leads to it. The same form always leads to the same game, even when that is
    over. Raises GameNotFinishedError or as `ledger.begin`.
    """
    asked = _ask("again", pub, form_key)
    known = ledger.answer_for(session, asked)
    if known is not None:
        return known
    state = _read_finished(session, pub)
    number = len(state.rounds) + 1
    seats = tuple(who for who in state.seats if state.seating.stays(who, number))
    return _begin(session, asked, pub, state, seats or state.seats)


def play_decider(session: Session, pub: str, form_key: FormKey) -> str:
    """Start a decider for the players who share the win; return the new game’s public id.

    Raises NothingToDecideError, GameNotFinishedError or as `ledger.begin`.
    """
    asked = _ask("decider", pub, form_key)
    known = ledger.answer_for(session, asked)
    if known is not None:
        return known
    state = _read_finished(session, pub)
    pad = state.variant.pad
    if not state.score.decider or pad.decider is None:
        raise NothingToDecideError
    seats = tuple(state.seats[place] for place in state.score.decider)
    return _begin(session, asked, pub, state, seats, pad.decider)


def _ask(how: str, pub: str, form_key: FormKey) -> ledger.Submission:
    """Return the submission of a tap that starts another game; `how` is "again" or "decider"."""
    return ledger.Submission.of(form_key, f"{how}-{pub}", f"{how} {pub}")


def _read_finished(session: Session, pub: str) -> GameState:
    state = ledger.read_game(session, pub)
    if not state.finished:
        raise GameNotFinishedError
    return state


def _begin(  # noqa: PLR0913, PLR0917 - all parts of one command
    session: Session,
    asked: ledger.Submission,
    pub: str,
    state: GameState,
    seats: tuple[int, ...],
    options: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Start a game after another one, with the next dealer among its players."""
    place = state.seating.dealer
    order = (*state.seats[place + 1 :], *state.seats[: place + 1])
    dealer = next(who for who in order if who in seats)
    # A player who was merged meanwhile plays under the right name from now on.
    persons = read_persons(session, seats)
    game = _game_after(session, state, options)
    started = replace(
        state.start,
        rules=game.version,
        seats=tuple(persons[who] for who in seats),
        dealer=seats.index(dealer),
        options=dict(game.chosen),
        game=json.loads(variants.kept(game)),
        after=pub,
    )
    how, count = asked.content.replace(" ", "-"), 1
    while has_finished(session, f"{how}-{count}"):
        count += 1
    again = ledger.begin(session, replace(asked, key=f"{how}-{count}"), started)
    ledger.remember_submission(session, asked, again)
    return again


def _game_after(session: Session, state: GameState, options: Mapping[str, object]) -> Variant:
    """Return the game after this one: with its house rules and these, and today’s rules.

    If that game doesn’t exist any more, it’s the one that was played, provided that `options` is
    empty.
    """
    try:
        game = find_game(session, state.variant.slug)
        game = game.with_options({**state.options, **options})
    except (UnknownVariantError, GameLeftOutError, OptionError):
        if options:
            raise NothingToDecideError from None
        return state.variant
    return give_name(game, state.called)
