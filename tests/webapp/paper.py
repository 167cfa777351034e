"""A pad as people keep it on paper: a list of lists and a pencil, and no rule of Laydown's own.

Every game is scored here a second time, as shortly as a person would say it, to hold the pages to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

FOR_GOOD = 10**6


@dataclass(frozen=True)
class Line:
    """What one player's cell says."""

    out: bool = False
    left: int = 0
    made: bool = False
    table: int = 0
    times: int = 1

    @property
    def text(self) -> str:
        """As it is typed into the form of the tests."""
        words = ["out" if self.out else str(self.left)]
        words += ["made"] if self.made and not self.out else []
        return " ".join(words)


Round = dict[str, Line]


def own(hands: Round) -> dict[str, int]:
    return {name: 0 if line.out else line.left for name, line in hands.items()}


def winner_takes(hands: Round) -> dict[str, int]:
    """Rummikub: the winner has what the others lose; the lowest racks win where nobody is out."""
    least = min(line.left for line in hands.values())
    won = [name for name, line in hands.items() if line.out]
    won = won or [name for name, line in hands.items() if line.left == least]
    base = 0 if any(line.out for line in hands.values()) else least
    lost = {name: line.left - base for name, line in hands.items() if name not in won}
    if sum(lost.values()) % len(won):
        # Who shares a win is paid in whole points: of each loss, what does not divide is not paid.
        lost = {name: points - points % len(won) for name, points in lost.items()}
    each = sum(lost.values()) // len(won)
    return {name: -points for name, points in lost.items()} | dict.fromkeys(won, each)


def times_over(hands: Round) -> dict[str, int]:
    """Remigio: everybody pays the closer what is left, so many times."""
    closer, line = next(((name, line) for name, line in hands.items() if line.out), ("", Line()))
    if not closer:
        return dict.fromkeys(hands, 0)
    points = {name: -each.left * line.times for name, each in hands.items() if name != closer}
    return points | {closer: -sum(points.values())}


def down_less_left(hands: Round) -> dict[str, int]:
    return {name: each.table - (0 if each.out else each.left) for name, each in hands.items()}


@dataclass(frozen=True)
class Rules:
    """What the paper knows of a game."""

    slug: str
    settle: Callable[[Round], dict[str, int]]
    lefts: tuple[int, ...]
    names: tuple[str, ...] = ("ana", "ben", "cleo")
    late: tuple[str, ...] = ("dora",)
    rounds: int | None = None
    climbs: bool = False
    asks_table: bool = False
    may_be_dry: bool = False
    closes: tuple[tuple[str, int], ...] = ()
    may_take: bool = False
    zero_sum: bool = False
    options: dict[str, str] = field(default_factory=dict)
    out_at: int | None = None
    """The total at or below which somebody plays no more."""

    def __str__(self) -> str:
        return " ".join((self.slug, *self.options.values()))


REMIGIO = Rules(
    "remigio",
    times_over,
    (7, 16, 40),
    closes=(("closed", 1), ("colour-no-joker", 4), ("remigio", 10)),
    zero_sum=True,
)

GAMES = (
    Rules("mexican-rummy", own, (60, 65, 90, 100), rounds=6, may_take=True),
    Rules("eleven-phases", own, (60, 75, 100), climbs=True),
    Rules("rummikub", winner_takes, (23, 30, 41), may_be_dry=True, zero_sum=True),
    REMIGIO,
    replace(
        REMIGIO,
        lefts=(7, 16, 30),
        closes=(("closed", 1), ("colour", 3)),
        options={"end": "eliminate-100"},
        out_at=-100,
    ),
    Rules("rummy-500", down_less_left, (15, 25), names=("ana", "ben"), late=(), asks_table=True),
)


@dataclass(frozen=True)
class Paper:
    """One sheet; a change makes another one, so that the old ones can be gone back to."""

    rules: Rules
    order: tuple[str, ...]
    rounds: tuple[Round, ...] = ()
    since: dict[str, int] = field(default_factory=dict)
    """The first round of those who joined late."""
    until: dict[str, int] = field(default_factory=dict)
    """The first round that those who left do not play."""
    carried: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    takes: int = 0
    closed: int = 0
    """Rounds that were complete when one was corrected, and stay so."""

    def players(self, number: int) -> tuple[str, ...]:
        """Who plays a round: those at the table who are not out of the game."""
        return self._there()[number - 1]

    def _there(self) -> list[tuple[str, ...]]:
        """Who plays each round, and the one after them; who is out once is out for good."""
        there: list[tuple[str, ...]] = []
        totals, gone, least = dict(self.carried), set[str](), self.rules.out_at
        for number in range(1, len(self.rounds) + 2):
            if least is not None:
                gone |= {name for name, total in totals.items() if total <= least}
            there.append(
                tuple(
                    name
                    for name in self.order
                    if self.since.get(name, 1) <= number < self.until.get(name, FOR_GOOD)
                    and name not in gone
                )
            )
            if least is not None and self._is_complete(number, there[-1]):
                for name, points in self._settled(number, there[-1]).items():
                    totals[name] = totals.get(name, 0) + points
        return there

    def _is_complete(self, number: int, players: tuple[str, ...]) -> bool:
        """Whether a round has every hand, or was closed, or was followed by another."""
        last = len(self.rounds)
        if number > last:
            return False
        return number < last or number <= self.closed or set(self.rounds[-1]) >= set(players)

    @property
    def complete(self) -> int:
        """How many rounds have every hand."""
        return sum(self._is_complete(*round_) for round_ in enumerate(self._there(), 1))

    @property
    def counting(self) -> Round:
        """The hands of the round that is not complete."""
        return self.rounds[-1] if len(self.rounds) > self.complete else {}

    def points(self) -> list[dict[str, int]]:
        """What everybody scored in each complete round."""
        there = self._there()
        return [self._settled(number, there[number - 1]) for number in range(1, self.complete + 1)]

    def _settled(self, number: int, players: tuple[str, ...]) -> dict[str, int]:
        """Settle a round among who plays it; a hand of anybody else counts nothing."""
        hands = self.rounds[number - 1]
        settled = self.rules.settle({name: line for name, line in hands.items() if name in players})
        return dict.fromkeys(hands, 0) | settled

    def totals(self) -> dict[str, int]:
        """Everything together."""
        scored = self.points()
        return {
            name: self.carried.get(name, 0) + sum(points.get(name, 0) for points in scored)
            for name in self.order
        }

    def steps(self) -> dict[str, int]:
        """The phase that everybody is on: one further for every round in which it was made."""
        done = self.rounds[: self.complete]
        return {
            name: 1 + sum(name in hands and (hands[name].out or hands[name].made) for hands in done)
            for name in self.order
        }

    def write(self, number: int, hands: Round) -> Paper:
        """Write hands into a round, over what stands there."""
        rounds = list(self.rounds)
        if number > len(rounds):
            rounds.append({})
        rounds[number - 1] = {**rounds[number - 1], **hands}
        closed = self.complete if number <= self.complete else self.closed
        return replace(self, rounds=tuple(rounds), closed=max(closed, self.closed))

    @property
    def next_round(self) -> int:
        """The first round that nobody has counted a hand of."""
        return len(self.rounds) + 1

    def join(self, name: str, after: str, carried: int) -> Paper:
        """Seat somebody behind another one, or first of all."""
        place = self.order.index(after) + 1 if after else 0
        order = (*self.order[:place], name, *self.order[place:])
        since = {**self.since, name: self.next_round}
        return replace(self, order=order, since=since, carried={**self.carried, name: carried})

    def leave(self, name: str) -> Paper:
        """Let somebody go before the next round that is counted."""
        return replace(self, until={**self.until, name: self.next_round})


@dataclass(frozen=True)
class Pile:
    """The sheets of a game, the one that holds now on top."""

    sheets: tuple[Paper, ...]
    before: Pile | None = None
    """The pile before something was taken back, to be put back; None where nothing was."""
