"""Starting a game from its form, and undoing house rules that the form shows."""

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from referee import OptionError, variants
from webapp.game.facts import CarriedOn, Started, canonical
from webapp.game.money import clean_stake
from webapp.game.own_names import give_name
from webapp.history.latest import spelled_before
from webapp.language import say
from webapp.ledger import ledger
from webapp.own_games.catalog import find_game
from webapp.pages.games.page import (
    OFF,
    RANDOM,
    NewGameChoices,
    NewGameForm,
    SeatChoice,
)
from webapp.pages.games.view import read_new_game, read_seconds
from webapp.pages.rulebook.base import by_path
from webapp.pages.rulebook.draft import drafted, is_edition_key, keep_draft
from webapp.players.queries import (
    find_or_add,
)
from webapp.text.refusals import PageRefusedError


class NewGameRefusedError(PageRefusedError[NewGameForm]):
    """A game can’t start; the form says why."""


def undo_house_rules(session: Session, choices: NewGameChoices, undo: Iterable[str]) -> str:
    """Undo changes of a form’s draft, by path; return the key of the draft, empty without one.

    If the draft was an edition of the game, the key is new.
    """
    game = find_game(session, choices.variant)
    draft = drafted(session, game, choices.draft, game.slug)
    left = draft.changed({}, {}, undo)
    if left == draft:
        return choices.draft
    left = replace(left, key=ledger.new_key() if is_edition_key(draft.key) else draft.key)
    keep_draft(session, left, game.slug)
    return left.key


def start_game(session: Session, choices: NewGameChoices, device: str) -> str:
    """Start a game; return its public id. Names that aren’t on the roster are added to it.

    Raises NewGameRefusedError, UnknownVariantError or as `ledger.begin`.
    """
    form = read_new_game(session, choices)
    if not form.problem:
        form = replace(form, problem=_find_fault(form))
    if form.problem:
        raise NewGameRefusedError(form)
    asks = canonical(
        [
            [choices.variant, choices.seats, choices.name, choices.dealer],
            [dict(choices.options), choices.stake, choices.currency, choices.clock],
            *([OFF] if choices.advice == OFF else []),
            *([choices.called] if choices.called else []),
            *([["ends", choices.ends]] if choices.ends else []),
            *([[*form.patch.items()]] if form.patch else []),
            *([str(form.so_far.fact)] if form.so_far.fact else []),
        ]
    )
    seats = tuple(_player(session, seat) for seat in form.seated)
    chosen = _chosen(form)
    game = form.variant.with_options(chosen)
    game = give_name(game, spelled_before(session, game.slug, form.called))
    started = Started(
        variant=form.variant.slug,
        rules=form.variant.version,
        options=chosen,
        game=json.loads(variants.kept(game)),
        seats=seats,
        dealer=_first_dealer(form),
        stake=clean_stake(form.stake) if form.asks_stake else "",
        currency=form.currency if form.asks_stake and clean_stake(form.stake) else "",
        clock=read_seconds(form.clock) if form.asks_clock else 0,
        advice=form.advice,
    )
    submission = ledger.Submission(key=form.key, content=f"start {asks}", device=device)
    return ledger.begin(session, submission, started, *_on_paper(form, seats))


def _on_paper(form: NewGameForm, seats: Sequence[int]) -> tuple[CarriedOn, ...]:
    """Return what was played on paper before; nothing if the game starts here."""
    fact = form.so_far.fact
    if fact is None:
        return ()
    by_player = (fact.totals, fact.steps, fact.won)
    totals, steps, won = ({seats[at]: n for at, n in each.items()} for each in by_player)
    return (replace(fact, totals=totals, steps=steps, won=won),)


def _find_fault(form: NewGameForm) -> str:
    """Return why the game can’t start like this; empty if it can."""
    if len(form.seated) not in form.variant.players:
        return form.for_how_many
    if any(option.problem for option in form.options):
        return say("new.check-options")
    problems = (
        form.stake_problem if form.asks_stake else "",
        form.clock_problem if form.asks_clock else "",
        form.so_far.problem,
    )
    if any(problems):
        return next(filter(None, problems))
    try:
        form.variant.with_options(_wanted(form))
    except OptionError as error:
        return str(error)
    return ""


def _chosen(form: NewGameForm) -> dict[str, object]:
    """Return the house rules to store with the game, by name, as JSON has them."""
    return dict(form.variant.with_options(_wanted(form)).chosen)


def _wanted(form: NewGameForm) -> dict[str, object]:
    chosen = {option.option.name: option.option.kind.parse(option.text) for option in form.options}
    return {**chosen, **by_path(form.patch)}


def _player(session: Session, seat: SeatChoice) -> int:
    return find_or_add(session, seat.name) if seat.value.startswith("+") else int(seat.value)


def _first_dealer(form: NewGameForm) -> int:
    """Return the seat that deals first: the chosen one, or the last, so the first one starts."""
    values = [seat.value for seat in form.seated]
    if form.dealer == RANDOM:
        return random.randrange(len(values))  # noqa: S311 - a dealer is no secret
    return values.index(form.dealer) if form.dealer in values else len(values) - 1
