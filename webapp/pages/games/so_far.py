"""Totals so far: what was played on paper before a game is carried on here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee import Variant
from referee.scorepad import Attendance, keep_score
from webapp.game.facts import CarriedOn
from webapp.game.hand import UnreadableNumberError, read_signed
from webapp.game.replay import MOST_ROUNDS
from webapp.language import say
from webapp.models import MOST_TOTAL

LONGEST: Final = 12
"""The most characters of a number in the form."""


@dataclass(frozen=True, slots=True)
class PaperSeat:
    """What is typed for one seat of a game that was started on paper, unchecked."""

    total: str = ""
    step: str = ""
    won: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing is typed."""
        return not (self.total.strip() or self.step.strip("01 ") or self.won.strip("0 "))


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """The totals so far on the new game page."""

    seats: tuple[PaperSeat, ...]
    """What is typed for each player; partners have what is typed for the first of them."""
    asked: int
    """How many are asked for: one for each team, or everybody."""
    round: str
    """The round that comes next, as typed."""
    steps: tuple[tuple[int, str], ...]
    """The steps to choose from, if every player has their own ladder."""
    step_word: str
    asks_won: bool
    """Whether the form asks how many rounds each has won, because that decides the game."""
    fact: CarriedOn | None
    """The fact to enter, with seats (from 0) instead of player ids, as new players have no id yet.
    None if nothing is typed, or if something in it isn’t possible."""
    problem: str
    """Why a game can’t be carried on like this; empty if it can."""
    lacks_round: bool
    """Whether it’s because of the round that comes next."""

    @property
    def is_open(self) -> bool:
        """Whether something is typed."""
        return bool(self.fact or self.problem)


class _UnfitError(ValueError):
    """Something that is typed can’t be; the message says what."""


def read_so_far(
    variant: Variant, names: Sequence[str], typed: Sequence[PaperSeat], number: str
) -> SoFar:
    """Return the totals so far, as far as they’re typed."""
    many = len(names)
    teams = len(variant.teams(many)) or many or 1
    seats = tuple(typed[at % teams] if at < many else PaperSeat() for at in range(many))
    blank = not number.strip() and all(seat.is_blank for seat in seats)
    asks_won = variant.pad.counts_wins or bool(variant.pad.bonus)
    fact, problem = None, ""
    if not blank and many in variant.players:
        try:
            fact = _read(variant, names, seats, number, asks_won=asks_won)
        except _UnfitError as error:
            problem = str(error)
    steps = range(1, variant.steps + 1) if variant.climbs_alone else ()
    return SoFar(
        seats=seats,
        asked=teams,
        round=number[:LONGEST],
        steps=tuple((step, variant.step_says(step)) for step in steps),
        step_word=variant.words.step,
        asks_won=asks_won,
        fact=fact,
        problem=problem,
        lacks_round=problem == say("so-far.which-round"),
    )


def _read(
    variant: Variant,
    names: Sequence[str],
    seats: Sequence[PaperSeat],
    number: str,
    *,
    asks_won: bool,
) -> CarriedOn:
    """Return the fact for `SoFar.fact`; raise _UnfitError if a typed value can’t be true."""
    both = enumerate(zip(seats, names, strict=True))
    totals = {at: _number(seat.total, name) for at, (seat, name) in both}
    following = _count(number, 1, say("so-far.which-round"))
    if following is None or (variant.rounds and following > variant.rounds):
        raise _UnfitError(say("so-far.which-round"))
    if any(total < 0 for total in totals.values()) and not variant.pad.negative:
        raise _UnfitError(say("seats.minus"))
    if variant.pad.zero_sum and sum(totals.values(), 0):
        raise _UnfitError(say("so-far.zero-sum"))
    steps = {
        at: _count(seat.step, 1, say("so-far.steps", word=variant.words.step)) or 1
        for at, seat in enumerate(seats)
    }
    if variant.climbs_alone and max(steps.values()) > variant.steps:
        raise _UnfitError(say("so-far.steps", word=variant.words.step))
    too_many = say("so-far.how-many-won")
    won = {at: _count(seat.won, 0, too_many) or 0 for at, seat in enumerate(seats)}
    if asks_won and max(won.values()) >= following:
        raise _UnfitError(too_many)
    fact = CarriedOn(
        round=following,
        totals=totals,
        steps={at: step for at, step in steps.items() if step > 1 and variant.climbs_alone},
        won={at: n for at, n in won.items() if n and asks_won},
    )
    if _is_over(variant, fact):
        raise _UnfitError(say("so-far.over"))
    return fact


def _is_over(variant: Variant, fact: CarriedOn) -> bool:
    """Return whether the game is over with what was played on paper."""
    away = (range(1, fact.round),) if fact.round > 1 else ()
    seats = [
        Attendance(away=away, carried=total, step=fact.steps.get(at, 1), won=fact.won.get(at, 0))
        for at, total in fact.totals.items()
    ]
    passed: list[list[None]] = [[None] * len(seats)] * (fact.round - 1)
    return keep_score(variant, seats, passed, 0).over


def _number(text: str, name: str) -> int:
    """Return a typed total; raise _UnfitError if it’s blank, too large or not a number."""
    try:
        total = read_signed(text[: 2 * LONGEST])
    except UnreadableNumberError as error:
        raise _UnfitError(f"{name}: {error}") from None
    if total is None or abs(total) > MOST_TOTAL:
        raise _UnfitError(say("so-far.how-many", name=name))
    return total


def _count(text: str, least: int, problem: str) -> int | None:
    """Return a typed number from `least` to `MOST_ROUNDS`; None if the text is blank.

    Raises _UnfitError with `problem` for any other text.
    """
    plain = text.strip()
    if not plain:
        return None
    if not (plain.isascii() and plain.isdigit()) or not least <= int(plain[:6]) <= MOST_ROUNDS:
        raise _UnfitError(problem)
    return int(plain)
