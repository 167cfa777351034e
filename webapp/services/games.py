"""Starting a game: who plays, in which order, who deals first, and by which house rules."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from referee import variants
from referee.variant import OptionError
from referee.variants import UnknownVariantError
from webapp import ledger
from webapp.facts import Started, canonical
from webapp.models import MOST_SEATS
from webapp.services.roster import (
    NameRefusedError,
    clean_name,
    find_or_add,
    find_player,
    fold_name,
    read_players,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy.orm import Session

    from referee.variant import Option, Variant
    from webapp.services.roster import PlayerLine

RANDOM: Final = "random"
"""The dealer field of a form that leaves it to chance."""

OFF: Final = "off"
"""The advice field of a form that wants none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """One house rule on the form: the field is ``option-<name>``."""

    option: Option
    text: str
    """The value as form text; for a switch "1" or empty."""
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChoice:
    """One seat taken on the form: the hidden field ``seat``, repeated in seat order."""

    value: str
    """ "12" for a player of the roster, "+Zoe" for a name that is not on it yet. """
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameForm:
    """The new game page, with what was chosen so far."""

    variant: Variant
    variants: tuple[Variant, ...]
    players: tuple[PlayerLine, ...]
    """The roster without those seated: a chip each, who plays most first."""
    seated: tuple[SeatChoice, ...]
    """Who plays, in seat order."""
    name: str
    """A name that was refused, back in the field ``name``; else empty."""
    dealer: str
    """The first dealer: "" (the last seat, as the rules say), "random", or a seat's value."""
    options: tuple[OptionField, ...]
    advice: bool
    """Whether the phones of the game may ask what can be laid down: the field ``advice``."""
    problem: str
    """Why the game cannot start like this; or empty."""
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The new game form as it came in; nothing in it is checked yet."""

    variant: str
    seats: tuple[str, ...] = ()
    """Seat values in order: "12" or "+Zoe"."""
    name: str = ""
    add: str = ""
    """The id of a player who sits down last."""
    drop: str = ""
    """The seat value that is taken off."""
    up: str = ""
    """The seat value that moves up one."""
    pick: str = ""
    """ "dealer" or "seats" to leave these to chance. """
    dealer: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    """Form text by option name; who is missing has its default."""
    advice: str = ""
    """ "off" where nobody may ask what can be laid down. """
    key: str = ""


class NewGameRefusedError(ValueError):
    """The game cannot start like this; the form says why."""

    def __init__(self, form: NewGameForm) -> None:
        """Keep the form with what was chosen."""
        super().__init__(self.__doc__)
        self.form = form


def read_new_game(session: Session, choices: Choices) -> NewGameForm:
    """Show the new game page with what was chosen so far, and what the last tap changes in it.

    Raises UnknownVariantError.
    """
    games = tuple(variant for variant in variants.all() if variant.keeps_score)
    variant = variants.get(choices.variant) if choices.variant else games[0]
    if variant not in games:
        raise UnknownVariantError(choices.variant)
    roster = {str(player.id): player for player in read_players(session)}
    seats, name, problem = _seat(session, choices, roster)
    dealer = choices.dealer if choices.dealer in {RANDOM, *seats} else ""
    if choices.pick == "seats":
        random.shuffle(seats)
    if choices.pick == "dealer" and seats:
        dealer = random.choice(seats)  # noqa: S311 - a dealer is no secret
    return NewGameForm(
        variant=variant,
        variants=games,
        players=tuple(player for value, player in roster.items() if value not in seats),
        seated=tuple(
            SeatChoice(value=value, name=roster[value].name if value in roster else value[1:])
            for value in seats
        ),
        name=name,
        dealer=dealer,
        options=tuple(_option_fields(variant, choices.options)),
        advice=choices.advice != OFF,
        problem=problem,
        key=choices.key or ledger.new_key(),
    )


def start_game(session: Session, choices: Choices, device: str) -> str:
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
            choices.variant,
            choices.seats,
            choices.name,
            choices.dealer,
            dict(choices.options),
            *([OFF] if choices.advice == OFF else []),
        ]
    )
    seats = tuple(_player(session, seat) for seat in form.seated)
    started = Started(
        variant=form.variant.slug,
        rules=form.variant.version,
        options=_chosen(form),
        seats=seats,
        dealer=_first_dealer(form),
        advice=form.advice,
    )
    sent = ledger.Form(key=form.key, asks=f"start {asks}", device=device)
    return ledger.begin(session, sent, started)


def _seat(
    session: Session, choices: Choices, roster: Mapping[str, PlayerLine]
) -> tuple[list[str], str, str]:
    """Seat everybody who was chosen; answers the seats, a name that was refused, and why."""
    wanted = [*choices.seats, *([choices.add] if choices.add else [])]
    refused, problem = "", ""
    if choices.name.strip():
        wanted.append(f"+{choices.name}")
    seats: list[str] = []
    for value in wanted[:MOST_SEATS]:
        try:
            seat = _value(session, value, roster)
        except NameRefusedError as error:
            refused, problem = value[1:], str(error)
            continue
        taken = {fold_name(other) for other in seats}
        if seat and fold_name(seat) not in taken and seat != choices.drop:
            seats.append(seat)
    if choices.up in seats[1:]:
        place = seats.index(choices.up)
        seats[place - 1 : place + 1] = [seats[place], seats[place - 1]]
    return seats, refused, problem


def _value(session: Session, value: str, roster: Mapping[str, PlayerLine]) -> str:
    """Make a seat value as it is kept, empty where it names nobody; raises NameRefusedError."""
    if not value.startswith("+"):
        return value if value in roster else ""
    name = clean_name(value[1:])
    known = find_player(session, name)
    return f"+{name}" if known is None else str(known)


def _option_fields(variant: Variant, texts: Mapping[str, str]) -> Iterator[OptionField]:
    for option in variant.options:
        text = texts.get(option.name, option.kind.show(option.default))
        problem = ""
        try:
            option.kind.parse(text)
        except ValueError as error:
            problem = str(error)
        yield OptionField(option=option, text=text, problem=problem)


def _find_fault(form: NewGameForm) -> str:
    """Say why the game cannot start like this; empty where it can."""
    players = form.variant.players
    if len(form.seated) not in players:
        return f"{form.variant.name} is for {players[0]} to {players[-1]} players."
    if any(option.problem for option in form.options):
        return "A house rule is not to be had like that."
    try:
        form.variant.with_options(_chosen(form))
    except OptionError as error:
        return str(error)
    return ""


def _chosen(form: NewGameForm) -> dict[str, object]:
    """Give the house rules that differ from the source, as JSON holds them."""
    chosen = {option.option.name: option.option.kind.parse(option.text) for option in form.options}
    return dict(form.variant.with_options(chosen).chosen)


def _player(session: Session, seat: SeatChoice) -> int:
    return find_or_add(session, seat.name) if seat.value.startswith("+") else int(seat.value)


def _first_dealer(form: NewGameForm) -> int:
    """Give the seat that deals first: the one chosen, or the last, so that the first one starts."""
    values = [seat.value for seat in form.seated]
    if form.dealer == RANDOM:
        return random.randrange(len(values))  # noqa: S311 - a dealer is no secret
    return values.index(form.dealer) if form.dealer in values else len(values) - 1
