"""The scorepad: rounds as they were counted, folded into totals, steps, dealers and winners.

Nothing is stored that can be worked out: a pad is its rounds, and everything else is read off
them here. What cannot be true is reported, never hidden and never raised.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.rulings import Code
from referee.scoring import Ended, Standing, lowest, most

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Cards
    from referee.rulebook import Clause
    from referee.scoring import ValueClass
    from referee.variant import PadRule, Variant


@dataclass(frozen=True, slots=True)
class HandRecord:
    """What is written down of one player's hand when a round has ended."""

    out: bool = False
    """Whether the player went out."""
    made: bool | None = None
    """Whether the player laid the contract down in this round; None where it was not said."""
    left: int | Cards | None = None
    """The cards left in hand, or what they cost together; None for nothing."""

    @property
    def is_down(self) -> bool:
        """Whether the contract counts as made: who goes out has laid it down."""
        return self.out or bool(self.made)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something on a scorepad that cannot be true, or is unlikely."""

    code: Code
    says: str
    clause: Clause
    seat: int | None = None
    """The seat (from 0) it is about; None where it is about the whole round."""
    certain: bool = True
    """Whether it cannot be; False where it is only to be asked once."""
    round: int | None = None
    """The round (from 1) it is about, where the whole pad was looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A scorepad read: everything that follows from the rounds; seats are numbered from 0."""

    points: tuple[tuple[int, ...], ...]
    """What each seat scored in each round."""
    totals: tuple[int, ...]
    steps: tuple[int, ...]
    """The step each seat is on now; one past the last contract for who has made it."""
    over: bool
    winners: tuple[int, ...]
    """Who has won, in seat order, shared where tied; none while the game goes on."""
    leaders: tuple[int, ...]
    dealers: tuple[int, ...]
    """Who dealt each round, and last who deals the next."""
    step: int | None
    """The next round's step where it is the same for all and the game goes on."""
    problems: tuple[Problem, ...]


def _pad(variant: Variant) -> PadRule:
    assert variant.pad is not None, "a game that the scorepad keeps"
    return variant.pad


def points_of(variant: Variant, record: HandRecord, step: int | None) -> int:
    """What the cards left in a hand cost, whoever went out."""
    if record.left is None:
        return 0
    if isinstance(record.left, int):
        return record.left
    return variant.values.count(record.left, variant.wilds_at(step).cards)


def keep_score(
    variant: Variant,
    seats: int,
    rounds: Sequence[Sequence[HandRecord]],
    first_dealer: int,
) -> Score:
    """Read a scorepad: each round holds one record a seat, in seat order.

    Rounds after the end of the game are counted and reported as problems.
    """
    settle, ending = variant.settle, variant.ending
    assert settle is not None, "a game that the scorepad keeps"
    assert ending is not None, "as above"
    totals = [0] * seats
    steps = [1] * seats
    points: list[tuple[int, ...]] = []
    problems: list[Problem] = []
    winners: tuple[int, ...] = ()
    for number, records in enumerate(rounds, start=1):
        if winners:
            says = f"Round {number} was written down after the game had ended."
            problems.append(Problem(Code.AFTER_THE_END, says, _pad(variant).ends, round=number))
        problems += _in_round(number, check_round(variant, steps, records))
        ended = tuple(
            Ended(out=record.out, deadwood=points_of(variant, record, step))
            for record, step in zip(records, steps, strict=True)
        )
        scored = settle(ended)
        points.append(scored)
        totals = [total + score for total, score in zip(totals, scored, strict=True)]
        steps = [_next_step(variant, *pair) for pair in zip(steps, records, strict=True)]
        if not winners:
            standing = Standing(totals=tuple(totals), steps=tuple(steps), rounds=number)
            winners = ending(standing)
    played = len(rounds)
    over = bool(winners)
    return Score(
        points=tuple(points),
        totals=tuple(totals),
        steps=tuple(steps),
        over=over,
        winners=winners,
        leaders=lowest(tuple(totals), range(seats)) if played else (),
        dealers=tuple((first_dealer + turn) % seats for turn in range(played + 1)),
        step=None if over or variant.climbs_alone else steps[0],
        problems=tuple(problems),
    )


def _next_step(variant: Variant, step: int, record: HandRecord) -> int:
    """Move a player on: with the round, or up the own ladder where the contract was made."""
    moves = not variant.climbs_alone or record.is_down
    return min(step + 1, len(variant.contracts) + 1) if moves else step


def _in_round(number: int, problems: tuple[Problem, ...]) -> Iterator[Problem]:
    for problem in problems:
        if problem.certain:
            yield Problem(problem.code, problem.says, problem.clause, problem.seat, round=number)


def check_round(
    variant: Variant, steps: Sequence[int], records: Sequence[HandRecord | None]
) -> tuple[Problem, ...]:
    """Say what cannot be true of one round, or is unlikely.

    `steps` gives the step of each seat. A record may be None where a hand is not counted yet;
    then only what can be known already is said.
    """
    return tuple(_look_at_round(variant, steps, records))


def _look_at_round(
    variant: Variant, steps: Sequence[int], records: Sequence[HandRecord | None]
) -> Iterator[Problem]:
    pad = _pad(variant)
    out = [seat for seat, record in enumerate(records) if record and record.out]
    if len(out) > 1:
        says = "Only one player can go out in a round."
        yield Problem(Code.TWO_OUT, says, pad.one_out)
    elif not out and None not in records:
        says = "A round ends when somebody goes out: who was it?"
        yield Problem(Code.NOBODY_OUT, says, pad.one_out)
    total = 0
    for seat, (record, step) in enumerate(zip(records, steps, strict=True)):
        if record is not None:
            yield from _look_at_hand(variant, seat, record, step, len(records))
            total += 0 if record.out else points_of(variant, record, step)
    classes = variant.value_classes(steps[0], len(records))
    if total > most(classes) and not any(
        record and points_of(variant, record, step) > most(classes)
        for record, step in zip(records, steps, strict=True)
    ):
        says = f"All hands together cannot cost more than the packs hold: {most(classes)}."
        yield Problem(Code.POINTS_TOO_MANY, says, pad.values)


def _look_at_hand(
    variant: Variant, seat: int, record: HandRecord, step: int, seats: int
) -> Iterator[Problem]:
    pad = _pad(variant)
    points = points_of(variant, record, step)
    if record.out:
        if points or record.left:
            says = "Who goes out has no cards left."
            yield Problem(Code.OUT_WITH_CARDS, says, pad.one_out, seat)
        if record.made is False:
            says = f"Nobody goes out without having laid down the {variant.words.contract}."
            yield Problem(Code.OUT_NOT_DOWN, says, pad.held, seat)
        return
    wilds = variant.wilds_at(step).cards
    classes = variant.value_classes(step, seats)
    unit = variant.values.unit(wilds)
    if not points:
        says = f"Who is not out holds at least one card, and that costs {variant.values.least(1)}."
        yield Problem(Code.NOTHING_LEFT, says, pad.values, seat)
    elif points % unit:
        says = f"No hand costs {points}: every card costs a multiple of {unit}."
        yield Problem(Code.POINTS_IMPOSSIBLE, says, pad.values, seat)
    elif points > most(classes):
        says = f"No hand costs {points}: all the cards together cost {most(classes)}."
        yield Problem(Code.POINTS_TOO_MANY, says, pad.values, seat)
    else:
        yield from _look_at_held(variant, seat, record, step, classes)


def _look_at_held(
    variant: Variant,
    seat: int,
    record: HandRecord,
    step: int,
    classes: tuple[ValueClass, ...],
) -> Iterator[Problem]:
    """Compare a hand with the number of cards it must or can hold."""
    pad, deal = _pad(variant), variant.deal
    points = points_of(variant, record, step)
    contract = variant.contract_at(step)
    alone = contract is not None and contract.no_discard
    few = len(record.left) < deal if isinstance(record.left, tuple) else False
    few = few or points < variant.values.least(deal)
    if alone and contract is not None and variant.contract_rule is not None:
        clause = variant.contract_rule.no_discard
        if record.made:
            says = "Here only the player who goes out can have laid down."
            yield Problem(Code.ONLY_ONE_DOWN, says, clause, seat)
        elif few:
            says = (
                f"Here everybody else is caught with a whole hand, at least {deal} cards "
                f"and {variant.values.least(deal)} points."
            )
            yield Problem(Code.POINTS_TOO_FEW, says, clause, seat)
    elif record.made is False and few:
        says = (
            f"Who has not laid down holds at least {deal} cards, "
            f"so {variant.values.least(deal)} points or more."
        )
        yield Problem(Code.POINTS_TOO_FEW, says, pad.held, seat)
    if points > most(classes, deal):
        if pad.may_grow:
            says = f"{points} is more than any {deal} cards can cost. Was the hand larger?"
            yield Problem(Code.POINTS_UNLIKELY, says, pad.held, seat, certain=False)
        else:
            says = f"No hand of {deal} cards costs {points}: {most(classes, deal)} at the most."
            yield Problem(Code.POINTS_TOO_MANY, says, pad.held, seat)


def cards_left(records: Sequence[HandRecord]) -> Counter[object]:
    """Count the cards left in all hands of a round, as far as they were named."""
    return Counter(
        card for record in records if isinstance(record.left, tuple) for card in record.left
    )
