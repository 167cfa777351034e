"""Starting a game: who plays, in which order, who deals first, and by which house rules."""

import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import OptionError, PadRule, Variant, variants
from referee.advice import no_advice
from referee.variants import UnknownVariantError
from webapp.game.facts import Started, canonical
from webapp.game.money import LONGEST_CURRENCY, clean_stake, is_payable
from webapp.language import say
from webapp.ledger import ledger
from webapp.models import MOST_SEATS, TOKENS, Game, Seat
from webapp.own_games.catalog import find_game, read_shelf
from webapp.pages.games.options import OptionField, option_fields
from webapp.pages.games.page import (
    LONGEST_NAME,
    OFF,
    RANDOM,
    NewGameChoices,
    NewGameForm,
    SeatChoice,
)
from webapp.pages.games.partners import sit_round, swap, swap_partners
from webapp.pages.picking.view import read_last_played
from webapp.pages.rulebook.base import base_of, by_path
from webapp.pages.rulebook.draft import drafted, is_leaflet, keep_draft
from webapp.pages.rulebook.view import FormPage
from webapp.pages.rulebook.view import show as show_form
from webapp.players.queries import (
    PlayerLine,
    clean_name,
    find_or_add,
    find_player,
    fold_name,
    read_faces,
)
from webapp.players.tokens import Token, deal_tokens, initials_of, short_forms
from webapp.refusal import Refusal
from webapp.text.cleaning import clean_text
from webapp.text.refusals import NameRefusedError, PageRefusedError

CALLED: Final = " · "
"""Between a game of points alone and what its table calls it: "Just points · Spades"."""
LEAST_SECONDS: Final = 10
MOST_SECONDS: Final = 1800


class UnreadableSecondsError(Refusal, ValueError):
    """What was typed for the turn timer is no number of seconds."""


class NewGameRefusedError(PageRefusedError[NewGameForm]):
    """A game does not start; the form says why."""


def read_new_game(session: Session, choices: NewGameChoices) -> NewGameForm:
    """Show the new game page with what was chosen so far, and what the last tap changes in it.

    Raises UnknownVariantError.
    """
    shelf = read_shelf(session)
    played = read_last_played(session)
    games = tuple(_played_first(played, shelf.scored))
    variant = find_game(session, choices.variant) if choices.variant else games[0]
    if variant not in games:
        raise UnknownVariantError(choices.variant)
    roster = {str(player.id): player for player in read_faces(session)}
    known = {value: value for value in roster}
    known |= {str(other): value for value, line in roster.items() for other, _ in line.also}
    if not choices.key and not choices.seats:
        # A page that nobody has touched yet: those who played last are likely to play again.
        choices = replace(choices, seats=tuple(_last_table(session, known, roster)))
    if variant.points_only and not choices.options:
        choices = _as_last_time(session, variant, choices)
    seats, name, problem = _seat(session, choices, known)
    dealer = choices.dealer
    if dealer != RANDOM:
        dealer = _tapped(session, dealer, known)
        dealer = dealer if dealer in seats else ""
    if choices.pick == "seats":
        random.shuffle(seats)
    # The last seat deals first: whoever sat there still does after a swap.
    last = seats[-1] if seats else ""
    if choices.pick == "partners":
        seats, dealer = swap_partners(seats), dealer or last
    tapped, held = (_tapped(session, value, known) for value in (choices.tap, choices.held))
    if tapped and held in seats:
        seats, held, dealer = swap(seats, held, tapped), "", dealer or last
    elif tapped:
        held = tapped
    rules, patch = _house_rules(session, variant, choices)
    options = tuple(option_fields(variant, choices.options))
    if rules and not rules.problems:
        variant = rules.base.played(patch)
    seated = tuple(_seated(seats, roster))
    places = tuple(sit_round(variant, seated))
    return NewGameForm(
        variant=variant,
        choice=choices.variant or variant.slug,
        variants=games,
        own=frozenset(shelf.own),
        find=clean_text(choices.find[:60]),
        players=tuple(
            player for value, player in roster.items() if value not in seats and not player.hidden
        ),
        for_how_many=variant.for_how_many,
        seated=seated,
        round=places,
        held=held if places and held in seats else "",
        played=played,
        name=name,
        dealer=dealer,
        changes=rules.changes if rules else (),
        draft=choices.draft if rules else "",
        patch=patch,
        options=options,
        opened=any(each.problem for each in options),
        called=clean_text(choices.called[:80])[:LONGEST_NAME] if variant.points_only else "",
        points=_points(variant, options),
        asks_stake=is_payable(variant, len(seats)),
        stake=choices.stake[:40],
        currency=clean_text(choices.currency[:80])[:LONGEST_CURRENCY],
        stake_problem=_complaint(clean_stake, choices.stake),
        asks_clock=variant.clock is not None,
        clock=_clock_text(variant, choices),
        clock_problem=_complaint(_read_seconds, _clock_text(variant, choices)),
        asks_advice=not no_advice(variant),
        advice=choices.advice != OFF,
        naming=bool(choices.name),
        arranging=bool(choices.up or choices.pick == "seats"),
        problem=problem or (rules.problems[0].says if rules and rules.problems else ""),
        key=choices.key or ledger.new_key(),
    )


def _house_rules(
    session: Session, variant: Variant, choices: NewGameChoices
) -> tuple[FormPage | None, Mapping[str, object]]:
    """The rules as the draft of the form has them, and its changes; raises as `base_of`."""
    if not choices.draft or variant.points_only:
        return None, {}
    draft = drafted(session, variant, choices.draft, variant.slug)
    if not draft.patch:
        return None, {}
    return show_form(base_of(session, variant.slug), draft), draft.patch


def undo_house_rules(session: Session, choices: NewGameChoices, undo: Iterable[str]) -> str:
    """Undo changes of the draft of a form, by path; answers the key of what is left, or nothing."""
    game = find_game(session, choices.variant)
    draft = drafted(session, game, choices.draft, game.slug)
    left = draft.changed({}, {}, undo)
    if left == draft:
        return choices.draft
    left = replace(left, key=ledger.new_key() if is_leaflet(draft.key) else draft.key)
    keep_draft(session, left, game.slug)
    return left.key


def _played_first(played: Mapping[str, datetime], shelf: Iterable[Variant]) -> Iterator[Variant]:
    """The games of a shelf: those played here first, the last one before all.

    Of the others those come first that were read from one text and not from what is published, and
    in which nobody needs a partner.
    """

    def place(game: Variant) -> tuple[float, bool, bool, bool]:
        begun = played.get(game.slug)
        last = begun.timestamp() if begun else 0
        in_teams = any(map(game.in_teams, game.players))
        return -last, game.points_only, not game.rulebook.is_of_one_text, in_teams

    yield from sorted(shelf, key=place)


def _as_last_time(session: Session, variant: Variant, choices: NewGameChoices) -> NewGameChoices:
    """The form with the choices and the name of the last game of this kind."""
    last = select(col(Game.pub)).where(col(Game.variant) == variant.slug)
    pub = session.execute(last.order_by(col(Game.started_at).desc()).limit(1)).scalar()
    if pub is None:
        return choices
    state = ledger.read_game(session, pub)
    kinds = {option.name: option.kind for option in variant.options}
    options = {
        name: kinds[name].show(value)
        for name, value in state.start.options.items()
        if name in kinds
    }
    called = state.variant.name.removeprefix(variant.name).removeprefix(CALLED)
    return replace(choices, options=options, called=choices.called or called)


def _points(variant: Variant, options: Iterable[OptionField]) -> PadRule | None:
    """What was chosen of a game of points alone, the rest as usual; None of any other."""
    if not variant.points_only:
        return None
    chosen = {
        field.option.name: field.option.kind.parse(field.text)
        for field in options
        if not field.problem
    }
    return variant.with_options(chosen).pad


def start_game(session: Session, choices: NewGameChoices, device: str) -> str:
    """Start a game; answers its public id. Names that are not on the roster are put there.

    Raises NewGameRefusedError, UnknownVariantError, and as `ledger.begin`.
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
            *([[*form.patch.items()]] if form.patch else []),
        ]
    )
    seats = tuple(_player(session, seat) for seat in form.seated)
    chosen = _chosen(form)
    game = form.variant.with_options(chosen)
    if form.called:
        game = game.called(f"{game.name}{CALLED}{form.called}")
    started = Started(
        variant=form.variant.slug,
        rules=form.variant.version,
        options=chosen,
        game=json.loads(variants.kept(game)),
        seats=seats,
        dealer=_first_dealer(form),
        stake=clean_stake(form.stake) if form.asks_stake else "",
        currency=form.currency if form.asks_stake and clean_stake(form.stake) else "",
        clock=_read_seconds(form.clock) if form.asks_clock else 0,
        advice=form.advice,
    )
    sent = ledger.Form(key=form.key, content=f"start {asks}", device=device)
    return ledger.begin(session, sent, started)


def _seat(
    session: Session, choices: NewGameChoices, known: Mapping[str, str]
) -> tuple[list[str], str, str]:
    """Seat everybody who was chosen; answers the seats, a name that was refused, and why.

    `known` are the seat values of the roster, each with the one of the person that it is.
    """
    wanted = [*choices.seats, *([choices.add] if choices.add else [])]
    drop, up = (_tapped(session, value, known) for value in (choices.drop, choices.up))
    refused, problem = "", ""
    if choices.name.strip():
        wanted.append(f"+{choices.name}")
    seats: list[str] = []
    for value in wanted[:MOST_SEATS]:
        try:
            seat = _value(session, value, known)
        except NameRefusedError as error:
            refused, problem = value[1:], str(error)
            continue
        if fold_name(seat) in {fold_name(other) for other in seats}:
            if value == f"+{choices.name}":
                refused, problem = choices.name, say("new.playing")
        elif seat and seat != drop:
            seats.append(seat)
    if up in seats[1:]:
        place = seats.index(up)
        seats[place - 1 : place + 1] = [seats[place], seats[place - 1]]
    return seats, refused, problem


def _last_table(
    session: Session, known: Mapping[str, str], roster: Mapping[str, PlayerLine]
) -> Iterator[str]:
    """The players of the game that was started last, in seat order, without hidden ones."""
    # By the day and not by the number: games may have come in from paper.
    games = select(col(Game.id)).order_by(col(Game.started_at).desc(), col(Game.id).desc())
    last = games.limit(1).scalar_subquery()
    seats = select(col(Seat.player_id)).where(col(Seat.game_id) == last).order_by(col(Seat.place))
    players = (roster[known[str(row.player_id)]] for row in session.execute(seats))
    yield from (str(player.id) for player in dict.fromkeys(players) if not player.hidden)


def _seated(seats: Sequence[str], roster: Mapping[str, PlayerLine]) -> Iterator[SeatChoice]:
    """Show the seats that were taken; a new player has the next token that nobody there has."""
    names = {value: roster[value].name if value in roster else value[1:] for value in seats}
    own = {value: roster[value].token.number for value in seats if value in roster}
    new = {value: len(roster) % TOKENS + 1 for value in seats if value not in roster}
    tokens = deal_tokens(own, new)
    written = tuple(names.values())
    initials = dict(zip(names, initials_of(written), strict=True))
    forms = dict(zip(names, short_forms(written), strict=True))
    for value in seats:
        token = Token(tokens[value], initials[value], forms[value])
        yield SeatChoice(value=value, name=names[value], token=token)


def _value(session: Session, value: str, known: Mapping[str, str]) -> str:
    """Make a seat value as it is kept, empty if it names nobody; raises NameRefusedError."""
    if not value.startswith("+"):
        return known.get(value, "")
    name = clean_name(value[1:])
    player = find_player(session, name)
    return f"+{name}" if player is None else str(player)


def _tapped(session: Session, value: str, known: Mapping[str, str]) -> str:
    """Make the seat value that a tap names as it is kept; empty if it names nobody.

    Who was new when the form was shown may be on the roster by now.
    """
    try:
        return _value(session, value, known)
    except NameRefusedError:
        return ""


def _complaint(read: Callable[[str], object], text: str) -> str:
    """Say why a text cannot be read; empty if it can."""
    try:
        read(text)
    except ValueError as error:
        return str(error)
    return ""


def _clock_text(variant: Variant, choices: NewGameChoices) -> str:
    if choices.clock is not None:
        return choices.clock[:20]
    return str(variant.clock.seconds) if variant.clock else "0"


def _read_seconds(text: str) -> int:
    """Read the seconds of a turn, 0 for none; raises UnreadableSecondsError."""
    plain = "".join(unicodedata.normalize("NFKC", text).split())
    if not plain:
        return 0
    if not re.fullmatch("[0-9]{1,4}", plain, re.ASCII):
        raise UnreadableSecondsError
    seconds = int(plain)
    if seconds and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise UnreadableSecondsError
    return seconds


def _find_fault(form: NewGameForm) -> str:
    """Say why the game cannot start like this; empty if it can."""
    if len(form.seated) not in form.variant.players:
        return form.for_how_many
    if any(option.problem for option in form.options):
        return say("new.check-options")
    if form.asks_stake and form.stake_problem:
        return form.stake_problem
    if form.asks_clock and form.clock_problem:
        return form.clock_problem
    try:
        form.variant.with_options(_wanted(form))
    except OptionError as error:
        return str(error)
    return ""


def _chosen(form: NewGameForm) -> dict[str, object]:
    """The house rules that differ from the source, as JSON holds them."""
    return dict(form.variant.with_options(_wanted(form)).chosen)


def _wanted(form: NewGameForm) -> dict[str, object]:
    chosen = {option.option.name: option.option.kind.parse(option.text) for option in form.options}
    return {**chosen, **by_path(form.patch)}


def _player(session: Session, seat: SeatChoice) -> int:
    return find_or_add(session, seat.name) if seat.value.startswith("+") else int(seat.value)


def _first_dealer(form: NewGameForm) -> int:
    """The seat that deals first: the one chosen, or the last, so that the first one starts."""
    values = [seat.value for seat in form.seated]
    if form.dealer == RANDOM:
        return random.randrange(len(values))  # noqa: S311 - a dealer is no secret
    return values.index(form.dealer) if form.dealer in values else len(values) - 1
