"""The new game page: the game, the players, their order, and the house rules."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from referee import PadRule, Variant
from referee.advice import no_advice
from referee.variants import UnknownVariantError
from webapp.game.money import LONGEST_CURRENCY, clean_stake, is_payable
from webapp.game.own_names import LONGEST_NAME
from webapp.history.latest import latest_game, read_last_played, read_last_table
from webapp.language import say
from webapp.ledger import ledger
from webapp.models import MOST_SEATS, TOKENS
from webapp.own_games.catalog import find_game, read_catalog
from webapp.pages.games.options import STOP, OptionField, option_fields
from webapp.pages.games.page import (
    OFF,
    RANDOM,
    NewGameChoices,
    NewGameForm,
    SeatChoice,
)
from webapp.pages.games.partners import sit_round, swap, swap_partners
from webapp.pages.games.so_far import PaperSeat, SoFar, read_so_far
from webapp.pages.rulebook.base import base_of
from webapp.pages.rulebook.draft import drafted
from webapp.pages.rulebook.view import FormPage
from webapp.pages.rulebook.view import show as show_form
from webapp.players.queries import (
    PlayerLine,
    clean_name,
    find_player,
    fold_name,
    read_faces,
)
from webapp.players.tokens import Token, deal_tokens, initials_of, short_forms
from webapp.refusal import Refusal
from webapp.text.cleaning import clean_text
from webapp.text.refusals import NameRefusedError

LEAST_SECONDS: Final = 10
MOST_SECONDS: Final = 1800


class UnreadableSecondsError(Refusal, ValueError):
    """The text typed for the turn timer isn’t a number of seconds from 10 to 1800."""


def read_new_game(session: Session, choices: NewGameChoices) -> NewGameForm:
    """Return the new game page with the choices so far, after carrying out the last tap.

    Raises UnknownVariantError.
    """
    catalog = read_catalog(session)
    played = read_last_played(session)
    games = tuple(_played_first(played, catalog.scored))
    variant = find_game(session, choices.variant) if choices.variant else games[0]
    if variant not in games:
        raise UnknownVariantError(choices.variant)
    roster = {str(player.id): player for player in read_faces(session)}
    known = {value: value for value in roster}
    known |= {str(other): value for value, line in roster.items() for other, _ in line.also}
    if not choices.key and not choices.seats:
        # On a fresh page, the players of the last game are seated: they are likely to play again.
        choices = replace(choices, seats=tuple(_last_table(session, known, roster)))
    if variant.points_only and not choices.options:
        choices = _as_last_time(session, variant, choices)
    seats, name, problem = _seat(session, choices, known)
    table = _arrange(session, choices, seats, known)
    rules, patch = _house_rules(session, variant, choices)
    options = tuple(option_fields(variant, choices.options, choices.ends))
    if rules and not rules.problems:
        variant = rules.base.played(patch)
    seated = tuple(_seated(table.seats, roster))
    places = tuple(sit_round(variant, seated))
    named = variant.points_only and variant.slug not in catalog.own
    return NewGameForm(
        variant=variant,
        choice=choices.variant or variant.slug,
        variants=games,
        own=frozenset(catalog.own),
        find=clean_text(choices.find[:60]),
        players=tuple(
            player for value, player in roster.items() if value not in seats and not player.hidden
        ),
        for_how_many=variant.for_how_many,
        seated=seated,
        round=places,
        held=table.held if places and table.held in seats else "",
        played=played,
        name=name,
        dealer=table.dealer,
        changes=rules.changes if rules else (),
        draft=choices.draft if rules else "",
        patch=patch,
        options=options,
        ends=choices.ends or next((f.option.name for f in options if f.is_end and f.changed), STOP),
        opened=any(each.problem for each in options),
        called=clean_text(choices.called[:80])[:LONGEST_NAME] if named else "",
        points=_points(variant, options),
        asks_stake=is_payable(variant, len(seats)),
        stake=choices.stake[:40],
        currency=clean_text(choices.currency[:80])[:LONGEST_CURRENCY],
        stake_problem=_complaint(clean_stake, choices.stake),
        asks_clock=variant.clock is not None,
        clock=_clock_text(variant, choices),
        clock_problem=_complaint(read_seconds, _clock_text(variant, choices)),
        asks_advice=not no_advice(variant),
        advice=choices.advice != OFF,
        so_far=_so_far(session, variant, choices, seated, known),
        naming=bool(choices.name),
        arranging=bool(choices.up or choices.pick == "seats"),
        problem=problem or (rules.problems[0].says if rules and rules.problems else ""),
        key=choices.key or ledger.new_key(),
    )


def _so_far(
    session: Session,
    variant: Variant,
    choices: NewGameChoices,
    seated: Sequence[SeatChoice],
    known: Mapping[str, str],
) -> SoFar:
    """Return the totals so far; what was typed for a player stays theirs wherever they sit."""
    typed = {
        _tapped(session, value, known): each
        for value, each in zip(choices.seats, choices.so_far, strict=False)
    }
    own = [typed.get(seat.value, PaperSeat()) for seat in seated]
    return read_so_far(variant, [seat.name for seat in seated], own, choices.next_round)


@dataclass(frozen=True, slots=True)
class _Arranged:
    """Who sits where, by seat value, once the last tap is carried out."""

    seats: list[str]
    dealer: str
    """The seat that deals first, RANDOM, or empty for the last one."""
    held: str
    """The seat that was tapped first, to be swapped with the next."""


def _arrange(
    session: Session, choices: NewGameChoices, seats: list[str], known: Mapping[str, str]
) -> _Arranged:
    """Carry out a tap that moves seats: a shuffle, a swap of partners, or of two seats."""
    dealer = choices.dealer
    if dealer != RANDOM:
        dealer = _tapped(session, dealer, known)
        dealer = dealer if dealer in seats else ""
    if choices.pick == "seats":
        random.shuffle(seats)
    # The last seat deals first: whoever sat there still does after a swap.
    last = seats[-1] if seats else ""
    if choices.pick == "partners":
        return _Arranged(swap_partners(seats), dealer or last, "")
    tapped, held = (_tapped(session, value, known) for value in (choices.tap, choices.held))
    if tapped and held in seats:
        return _Arranged(swap(seats, held, tapped), dealer or last, "")
    return _Arranged(seats, dealer, tapped or held)


def _house_rules(
    session: Session, variant: Variant, choices: NewGameChoices
) -> tuple[FormPage | None, Mapping[str, object]]:
    """Return the rules with the form’s draft, and its changes; raise as `base_of`."""
    if not choices.draft or variant.points_only:
        return None, {}
    draft = drafted(session, variant, choices.draft, variant.slug)
    if not draft.patch:
        return None, {}
    return show_form(base_of(session, variant.slug), draft), draft.patch


def _played_first(played: Mapping[str, datetime], catalog: Iterable[Variant]) -> Iterator[Variant]:
    """Yield the games of the catalog: first those played here, the latest first.

    Among the others, those come first whose rules were read from one text rather than from what is
    published, and in which nobody needs a partner.
    """

    def place(game: Variant) -> tuple[float, bool, bool, bool]:
        begun = played.get(game.slug)
        last = begun.timestamp() if begun else 0
        in_teams = any(map(game.in_teams, game.players))
        return -last, game.points_only, not game.rulebook.is_of_one_text, in_teams

    yield from sorted(catalog, key=place)


def _as_last_time(session: Session, variant: Variant, choices: NewGameChoices) -> NewGameChoices:
    """Return the form with the choices and the table’s name of the last game of this kind."""
    pub = latest_game(session, variant.slug)
    if pub is None:
        return choices
    state = ledger.read_game(session, pub)
    kinds = {option.name: option.kind for option in variant.options}
    options = {
        name: kinds[name].show(value)
        for name, value in state.start.options.items()
        if name in kinds
    }
    return replace(choices, options=options, called=choices.called or state.called)


def _points(variant: Variant, options: Iterable[OptionField]) -> PadRule | None:
    """Return the choices of a game of points alone, with defaults; None for other games."""
    if not variant.points_only:
        return None
    chosen = {
        field.option.name: field.option.kind.parse(field.text)
        for field in options
        if not field.problem
    }
    return variant.with_options(chosen).pad


def _seat(
    session: Session, choices: NewGameChoices, known: Mapping[str, str]
) -> tuple[list[str], str, str]:
    """Seat everybody who was chosen; return the seats, a name that can’t be used, and why.

    `known` are the seat values of the roster, each with that of the person that it is.
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
    """Yield the players of the latest game in seat order, without hidden ones."""
    players = (roster[known[str(number)]] for number in read_last_table(session))
    yield from (str(player.id) for player in dict.fromkeys(players) if not player.hidden)


def _seated(seats: Sequence[str], roster: Mapping[str, PlayerLine]) -> Iterator[SeatChoice]:
    """Yield the taken seats; a new player gets the next free token."""
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
    """Return a seat value in its stored form; empty if it names nobody.

    Raises NameRefusedError if it has a new name that can’t be stored.
    """
    if not value.startswith("+"):
        return known.get(value, "")
    name = clean_name(value[1:])
    player = find_player(session, name)
    return f"+{name}" if player is None else str(player)


def _tapped(session: Session, value: str, known: Mapping[str, str]) -> str:
    """Return the seat value of a tap in its stored form; empty if it names nobody.

    A player who was new when the form was shown may be on the roster by now.
    """
    try:
        return _value(session, value, known)
    except NameRefusedError:
        return ""


def _complaint(read: Callable[[str], object], text: str) -> str:
    """Return why a text can’t be read; empty if it can."""
    try:
        read(text)
    except ValueError as error:
        return str(error)
    return ""


def _clock_text(variant: Variant, choices: NewGameChoices) -> str:
    if choices.clock is not None:
        return choices.clock[:20]
    return str(variant.clock.seconds) if variant.clock else "0"


def read_seconds(text: str) -> int:
    """Return the seconds of a turn, 0 for no timer; raise UnreadableSecondsError."""
    plain = "".join(unicodedata.normalize("NFKC", text).split())
    if not plain:
        return 0
    if not re.fullmatch("[0-9]{1,4}", plain, re.ASCII):
        raise UnreadableSecondsError
    seconds = int(plain)
    if seconds and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise UnreadableSecondsError
    return seconds
