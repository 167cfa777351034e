"""Twins of the replay, each with one planted fault, to see that the machine's invariants see it.

Each answers in which game, and by which commands of the scorekeepers, it shows soonest.
"""

from dataclasses import replace
from typing import NamedTuple

import pytest

from webapp.game import replay
from webapp.game import state as cells
from webapp.game.facts import Corrected, Joined, Left, Undone, Voided
from webapp.game.seating import plan_seats

COUNT = "count_a_round"


class Shows(NamedTuple):
    """Where a fault shows."""

    slug: str
    commands: tuple[str, ...]
    """Those rules of the machine that bring it to light, in this order."""


def takes_back_for_good(patch: pytest.MonkeyPatch) -> Shows:
    """A taking back that was itself taken back still counts: nothing is ever redone."""

    def find_void(entered):
        return frozenset(entry.fact.seq for entry in entered if isinstance(entry.fact, Voided))

    patch.setattr(replay, "find_void", find_void)
    return Shows("mexican-rummy", (COUNT, "undo", "redo"))


def keeps_what_a_phone_took_back(patch: pytest.MonkeyPatch) -> Shows:
    """When all of a phone is undone, what it had taken back stays taken back."""
    find = cells.find_void

    def find_void(entered):
        takings = {entry.seq for entry in entered if isinstance(entry.fact, Voided)}

        def without(fact):
            if isinstance(fact, Undone):
                return replace(fact, seqs=tuple(set(fact.seqs) - takings))
            return fact

        return find([replace(entry, fact=without(entry.fact)) for entry in entered])

    patch.setattr(replay, "find_void", find_void)
    return Shows("mexican-rummy", (COUNT, "undo", "undo_a_phone"))


def takes_back_every_correction(patch: pytest.MonkeyPatch) -> Shows:
    """Taking back a correction takes back those before it in the same round too."""
    find = cells.find_void

    def find_void(entered):
        void = find(entered)
        rounds = {
            entry.fact.round
            for entry in entered
            if entry.seq in void and isinstance(entry.fact, Corrected)
        }
        return void | {
            entry.seq
            for entry in entered
            if isinstance(entry.fact, Corrected) and entry.fact.round in rounds
        }

    patch.setattr(replay, "find_void", find_void)
    return Shows("mexican-rummy", (COUNT, "correct", "undo"))


def keeps_the_first_value(patch: pytest.MonkeyPatch) -> Shows:
    """A correction changes nothing."""
    lay_out = cells.lay_out

    def stubborn(variant, live):
        return lay_out(variant, [entry for entry in live if not isinstance(entry.fact, Corrected)])

    patch.setattr(replay, "lay_out", stubborn)
    return Shows("mexican-rummy", (COUNT, "correct"))


def offers_an_old_redo(patch: pytest.MonkeyPatch) -> Shows:
    """What was taken back is offered again after something else was entered."""

    def latest_void(entered, void):
        return next(
            (
                entry
                for entry in reversed(entered)
                if isinstance(entry.fact, Voided) and entry.seq not in void
            ),
            None,
        )

    patch.setattr(replay, "latest_void", latest_void)
    return Shows("mexican-rummy", (COUNT, "undo", COUNT))


def waits_for_who_has_left(patch: pytest.MonkeyPatch) -> Shows:
    """Who has left is still at the table."""

    def seat(start, facts, carried_on):
        stay = [fact for fact in facts if not isinstance(fact, Left)]
        return plan_seats(start, stay, carried_on)

    patch.setattr(replay, "plan_seats", seat)
    return Shows("mexican-rummy", (COUNT, "leave", "leave"))


def seats_late_comers_last(patch: pytest.MonkeyPatch) -> Shows:
    """Whoever joins sits behind everybody else."""

    def seat(start, facts, carried_on):
        last = start.seats[-1]
        moved = [replace(f, after=last) if isinstance(f, Joined) else f for f in facts]
        return plan_seats(start, moved, carried_on)

    patch.setattr(replay, "plan_seats", seat)
    return Shows("mexican-rummy", (COUNT, "join"))


def forgets_what_was_carried(patch: pytest.MonkeyPatch) -> Shows:
    """Whoever joins begins with nothing."""

    def seat(start, facts, carried_on):
        poor = [replace(f, carried=0) if isinstance(f, Joined) else f for f in facts]
        return plan_seats(start, poor, carried_on)

    patch.setattr(replay, "plan_seats", seat)
    return Shows("mexican-rummy", (COUNT, "join"))


def counts_half_a_round(patch: pytest.MonkeyPatch) -> Shows:
    """A round is closed by the first hand that is counted in it."""
    split = replay._split

    def hasty(keep, table, found, *closed):
        rounds, counting, score = split(keep, table, found, *closed)
        if counting:
            rounds, counting = (*rounds, counting), {}
            score = keep(rounds)
        return rounds, counting, score

    patch.setattr(replay, "_split", hasty)
    return Shows("mexican-rummy", (COUNT, "count_a_hand"))


def makes_two_phases_at_once(patch: pytest.MonkeyPatch) -> Shows:
    """Going out moves a player on by two phases."""
    keep = replay.keep_score

    def generous(variant, seats, rounds, *more):
        score = keep(variant, seats, rounds, *more)
        columns = zip(*rounds, strict=True)
        outs = [sum(bool(each and each.out) for each in column) for column in columns]
        outs = outs or [0] * len(score.steps)
        pairs = zip(score.steps, outs, strict=True)
        return replace(score, steps=tuple(step + twice for step, twice in pairs))

    patch.setattr(replay, "keep_score", generous)
    return Shows("eleven-phases", (COUNT,))


ALL = (
    takes_back_for_good,
    keeps_what_a_phone_took_back,
    takes_back_every_correction,
    keeps_the_first_value,
    offers_an_old_redo,
    waits_for_who_has_left,
    seats_late_comers_last,
    forgets_what_was_carried,
    counts_half_a_round,
    makes_two_phases_at_once,
)
