"""The scorepad: turns the rounds that were counted into totals, steps, dealers and winners.

A pad is only its rounds; everything else is worked out from them, and nothing else is stored.
Entries that can’t be true are reported as problems: they are never hidden, and never raise an
error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from operator import add
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from referee.cards import Card
from referee.pad import PadRule
from referee.rulings import Code
from referee.scorepad.checks import check_round as check_round
from referee.scorepad.hands import Attendance as Attendance
from referee.scorepad.hands import CloseChoice as CloseChoice
from referee.scorepad.hands import HandRecord as HandRecord
from referee.scorepad.hands import cards_named as cards_named
from referee.scorepad.hands import close_choice as close_choice
from referee.scorepad.hands import close_choices as close_choices
from referee.scorepad.hands import closed_as as closed_as
from referee.scorepad.hands import closed_special, left_all_the_same
from referee.scorepad.hands import knocks as knocks
from referee.scorepad.hands import laid_out as laid_out
from referee.scorepad.hands import least_left as least_left
from referee.scorepad.hands import meld_ruling as meld_ruling
from referee.scorepad.hands import must_say_how as must_say_how
from referee.scorepad.hands import points_of as points_of
from referee.scorepad.laying_off import KnockLayOff as KnockLayOff
from referee.scorepad.laying_off import after_laying_off, lay_offs
from referee.scorepad.problems import Problem as Problem
from referee.scorepad.problems import doubt as doubt
from referee.scorepad.problems import problem as problem
from referee.scorepad.teams import ended_together
from referee.scoring import Ending, Settlement, Standing
from referee.variant import Variant

Of = TypeVar("Of")

_REMEMBERED: Final = 2_000
"""How many checked rounds are cached, because the whole pad is read again with every entry."""


class Changed(NamedTuple):
    """When the rules of a game were last changed during it.

    >>> from referee import keep_score, variants
    >>> from referee.scorepad import Changed, HandRecord
    >>> game = variants.get("mexican-rummy")
    >>> rounds = [[HandRecord(out=True), HandRecord(left=35)]]
    >>> keep_score(game, 2, rounds, 0, changed=Changed(rounds=1)).totals
    (0, 35)
    """

    rounds: int = 0
    """The number of rounds that were played before the change; 0 if the rules weren’t changed."""
    over: bool = False
    """Whether the game was over by the old rules with the last round before the change."""


NEVER: Final = Changed()
"""For a game whose rules weren’t changed during it."""

NO_ORDERS: Final[Mapping[int, Sequence[int]]] = MappingProxyType({})
"""For a game in which everybody kept their seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Everything that follows from the rounds of a scorepad; seats are numbered from 0.

    >>> from referee import keep_score, variants
    >>> from referee.scorepad import HandRecord
    >>> rounds = [[HandRecord(out=True), HandRecord(left=35)]]
    >>> score = keep_score(variants.get("mexican-rummy"), 2, rounds, 0)
    >>> score.totals, score.leaders, score.places, score.dealers
    ((0, 35), (0,), (1, 2), (0, 1))
    """

    points: tuple[tuple[int, ...], ...]
    """The points of each seat in each round. A seat that didn’t play has 0, or the average of the
    others if the round counts that for it."""
    laid_off: tuple[Mapping[int, KnockLayOff], ...]
    """For each round, by seat, what players laid off on the melds of the one who knocked."""
    totals: tuple[int, ...]
    """The total of each seat, including the points that a player got for joining late."""
    bonus: tuple[int, ...]
    """The points of each seat that are added to its total at the end; 0 while the game
    continues."""
    steps: tuple[int, ...]
    """The step each seat is on now; after the last contract, 1 more than there are."""
    games_won: tuple[int, ...]
    """How many rounds each seat has won."""
    played: tuple[tuple[bool, ...], ...]
    """For each round, whether each seat played it."""
    playing: tuple[bool, ...]
    """Whether each seat plays the next round."""
    teams: tuple[tuple[int, ...], ...]
    """The seats of each team; if everyone plays alone, each seat is a team."""
    opens_with: tuple[int, ...]
    """The points that each seat’s first melds need in the next round; empty if that’s always the
    same, or if the game is over."""
    over: bool
    """Whether the game is over."""
    ended: int
    """The round (from 1) with which the game was over; 0 while it continues."""
    winners: tuple[int, ...]
    """The seats that won, lowest first, several for a tie or a team; empty while the game
    continues."""
    leaders: tuple[int, ...]
    """The seats that are ahead, lowest first, several for a tie or a team; empty before the first
    round."""
    places: tuple[int | None, ...]
    """The place of each seat in the standings, from 1; teams that tie share one, and so do
    partners. None for a player who isn’t ranked."""
    decider: tuple[int, ...]
    """The seats that share the win and can play an extra game for it; empty if the game has no such
    rule."""
    dealers: tuple[int, ...]
    """The dealer’s seat in each round, and last in the next one."""
    step: int | None
    """The step of the next round, which is its number (from 1); None if the game is over, or if
    each player has their own step."""
    problems: tuple[Problem, ...]
    """Everything on the pad that can’t be true."""

    @property
    def results(self) -> tuple[int, ...]:
        """The result of each seat: its total plus `bonus`."""
        return tuple(map(add, self.totals, self.bonus))


def keep_score(  # noqa: PLR0913, PLR0917 - all that a scorepad says
    variant: Variant,
    seats: int | Sequence[Attendance],
    rounds: Sequence[Sequence[HandRecord | None]],
    first_dealer: int,
    upcards: Sequence[Card | None] = (),
    changed: Changed = NEVER,
    orders: Mapping[int, Sequence[int]] = NO_ORDERS,
) -> Score:
    """Return what follows from the rounds; each round has 1 record per seat, in seat order.

    `seats` has when each player was at the table, in the order of play, or is the number of
    players. A record is None for a player who doesn’t play the round. A round that nobody was at
    the table for was played elsewhere: it only counts as a number. `first_dealer` is a seat, from
    0, and deals the first round that somebody plays. `upcards` has the card turned up in each
    round, in games where it decides something; None if it isn’t known. `orders` has the seats in
    the order of play from a round on, by the number of that round, if it was ever another order
    than that of `seats`.

    Entries that can’t be true don’t raise an error. Rounds after the end of the game, and hands of
    players who don’t play, are reported as problems. Such rounds still count, such hands don’t.

    If the rules were `changed` during the game, all rounds are scored by the new rules. But the
    rounds before that can’t end the game or eliminate a player: whoever has a record of such a
    round played in it. If the old rules hadn’t ended the game and the totals end it by the new
    ones, it ends with the change: the best total wins, and it doesn’t matter who went out in that
    round.

    >>> from referee import keep_score, variants
    >>> from referee.scorepad import HandRecord
    >>> first = [HandRecord(out=True, left=3), HandRecord(left=25)]
    >>> second = [HandRecord(left=18), HandRecord(out=True, left=0)]
    >>> score = keep_score(variants.get("gin-rummy"), 2, [first, second], 0)
    >>> score.points, score.totals, score.over
    (((22, 0), (0, 43)), (22, 43), False)
    """
    places = (Attendance(),) * seats if isinstance(seats, int) else tuple(seats)
    how = variant, variant.pad, variant.settle, variant.ending
    pad = _Pad(*how, places, first_dealer, changed, orders)
    for records, upcard in zip_longest(rounds, upcards[: len(rounds)]):
        pad.add(records, upcard)
    return pad.score()


@dataclass(slots=True)
class _Pad:
    """A scorepad as its rounds are added one by one; `score` returns what follows from them."""

    variant: Variant
    rule: PadRule
    settle: Settlement
    ending: Ending
    seats: tuple[Attendance, ...]
    first_dealer: int
    changed: Changed
    orders: Mapping[int, Sequence[int]]
    teams: tuple[tuple[int, ...], ...] = field(init=False)
    totals: list[int] = field(init=False)
    steps: list[int] = field(init=False)
    won: list[int] = field(init=False)
    eliminated: set[int] = field(default_factory=set)
    points: list[tuple[int, ...]] = field(default_factory=list)
    laid_off: list[Mapping[int, KnockLayOff]] = field(default_factory=list)
    played: list[tuple[bool, ...]] = field(default_factory=list)
    dealers: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    winners: tuple[int, ...] = ()
    ended: int = 0

    def __post_init__(self) -> None:
        self.teams = self.variant.teams(len(self.seats))
        self.totals = [seat.carried for seat in self.seats]
        alone = self.variant.climbs_alone
        self.steps = [seat.step if alone else 1 for seat in self.seats]
        self.won = [seat.won for seat in self.seats]
        self._see_who_is_out()
        self._deal(self._playing())

    def add(self, records: Sequence[HandRecord | None], upcard: Card | None) -> None:
        """Count one more round, with a record for each seat that played it."""
        number, playing = len(self.points) + 1, self._playing()
        if not any(records) and not any(seat.plays(number) for seat in self.seats):
            self._pass_over()
            return
        if number <= self.changed.rounds:
            # Only a missing record shows that a player was out of the game by the old rules.
            there_then = zip(self.seats, records, strict=True)
            playing = tuple(seat.plays(number) and one is not None for seat, one in there_then)
            del self.dealers[-1]
            self._deal(playing)
        variant = self.variant.dealt(upcard).seated(sum(playing)).in_step(number)
        if self.winners:
            late = problem(Code.AFTER_THE_END, "ends", number=number)
            self.problems.append(late._replace(round=number))
        found = _checked(variant, tuple(self.steps), tuple(records), playing)
        self.problems += (one._replace(round=number) for one in found if one.certain)
        there = {
            seat: record
            for seat, record in enumerate(records)
            if record is not None and playing[seat]
        }
        laid_off = lay_offs(variant, there, self.steps)
        counted = there | {
            seat: after_laying_off(variant, there[seat], laid) for seat, laid in laid_off.items()
        }
        teams = [team for team in self.teams if any(seat in counted for seat in team)]
        hands = (
            [(counted[seat], self.steps[seat]) for seat in team if seat in counted]
            for team in teams
        )
        settled = self.settle(tuple([ended_together(variant, each) for each in hands]))
        won = self._won_at_once(variant, there)
        points = [0] * len(self.seats)
        for team, scored in zip(teams, settled.points, strict=True):
            for seat in team:
                points[seat] = scored + self._decided(team, there)
        for seat in self._averaged(number) - there.keys():
            points[seat] = average_of(variant, [points[each] for each in there])
        self.totals = list(map(add, self.totals, points))
        self.points.append(tuple(points))
        self.laid_off.append(laid_off)
        self.played.append(playing)
        for seat in () if settled.won is None else teams[settled.won]:
            self.won[seat] += 1
        self._move_on(there)
        # Before the deal passes on, because a player who was eliminated doesn’t deal.
        self._see_who_is_out()
        self._deal(self._playing())
        if not self.winners and number >= self.changed.rounds:
            out = tuple(
                place
                for place, team in enumerate(self.teams)
                if any(seat in there and there[seat].out for seat in team)
            )
            if number == self.changed.rounds and not self.changed.over:
                # It's the change that ends the game, and not how this round did.
                won, out = (), ()
            self.winners = self._seats(won or self.ending(self._standing()._replace(out=out)))
            self.ended = number if self.winners else 0

    def _pass_over(self) -> None:
        """Count a round that was played elsewhere as a number, and keep the dealer for the next."""
        self.points.append((0,) * len(self.seats))
        self.laid_off.append({})
        self.played.append((False,) * len(self.seats))
        self._move_on({})
        past, self.dealers = self.dealers, []
        self._deal(self._playing())
        self.dealers = past + self.dealers
        if any(seat.plays(len(self.points) + 1) for seat in self.seats):
            self.winners = self._seats(self.ending(self._standing()))
            self.ended = len(self.points) if self.winners else 0

    def _averaged(self, number: int) -> set[int]:
        """Return the seats for which a round counts the average of those who play it."""
        return {
            seat
            for seat, one in enumerate(self.seats)
            if number in one.averaged and seat not in self.eliminated
        }

    def _decided(self, team: Sequence[int], there: Mapping[int, HandRecord]) -> int:
        """Return a team’s points for penalties, and for cards that were left after going out."""
        hands = ((there[seat], self.steps[seat]) for seat in team if seat in there)
        left = sum(
            left_all_the_same(self.variant, record, step)
            + record.penalties * (self.rule.penalty or 0)
            for record, step in hands
        )
        return left if self.rule.lead.rises else -left

    def _seats(self, teams: Sequence[int]) -> tuple[int, ...]:
        """Return the seats of some teams, in seat order."""
        return tuple(sorted(seat for team in teams for seat in self.teams[team]))

    def _by_seat(self, by_team: Sequence[Of]) -> tuple[Of, ...]:
        """Return values by seat, given values by team."""
        return tuple(by_team[seat % len(self.teams)] for seat in range(len(self.seats)))

    def _won_at_once(self, variant: Variant, there: Mapping[int, HandRecord]) -> tuple[int, ...]:
        """Return the team that closed with a hand that wins the game; empty if not exactly one."""
        if variant.close is None or not variant.close.special:
            return ()
        closed = (
            (seat, closed_special(variant, record, self.steps[seat]))
            for seat, record in there.items()
        )
        won = tuple(
            seat % len(self.teams) for seat, hand in closed if hand is not None and hand.wins
        )
        return won if len(won) == 1 else ()

    def _playing(self) -> tuple[bool, ...]:
        number = len(self.points) + 1
        return tuple(
            seat.plays(number) and index not in self.eliminated
            for index, seat in enumerate(self.seats)
        )

    def _see_who_is_out(self) -> None:
        out = {seat for seat, total in enumerate(self.totals) if self.rule.is_out(total)}
        # By rules that were changed later, nobody was out for good before the change.
        self.eliminated = out if len(self.points) <= self.changed.rounds else self.eliminated | out

    def _move_on(self, there: dict[int, HandRecord]) -> None:
        """Move to the next step: everyone, or if players have their own, those who made theirs."""
        past = len(self.variant.contracts) + 1
        for seat, step in enumerate(self.steps):
            partners = self.teams[seat % len(self.teams)]
            made = any(one in there and there[one].is_down for one in partners)
            if made or not self.variant.climbs_alone:
                moved = step + 1
                self.steps[seat] = min(moved, past) if self.variant.contracts else moved

    def _deal(self, playing: Sequence[bool]) -> None:
        """Add the dealer of the next round: the next of the seats that play it."""
        number = len(self.points) + 1
        since = max((first for first in self.orders if first <= number), default=0)
        order = self.orders[since] if since else range(len(self.seats))
        last = self.dealers[-1] if self.dealers else self.first_dealer
        start = order.index(last) + bool(self.dealers)
        turns = [*order[start:], *order[:start]]
        self.dealers.append(next((seat for seat in turns if playing[seat]), turns[0]))

    def _standing(self) -> Standing:
        """Return the standing of each team: partners have the same totals and steps."""
        playing = self._playing()

        def those(told: Sequence[bool]) -> tuple[int, ...]:
            teams = enumerate(self.teams)
            return tuple(number for number, team in teams if any(told[seat] for seat in team))

        first = [team[0] for team in self.teams]
        return Standing(
            totals=tuple(self.totals[seat] for seat in first),
            steps=tuple(self.steps[seat] for seat in first),
            rounds=len(self.points),
            won=tuple(self.won[seat] for seat in first),
            ranked=those([seat.ranked for seat in self.seats]),
            playing=those(playing),
        )

    def _opens_with(self, step: int | None) -> tuple[int, ...]:
        """Return the points that each seat’s first melds need in a step."""
        rule = self.variant.opening
        if self.winners or rule is None or not (rule.by_total or rule.by_step):
            return ()
        return tuple(rule.asked(total, step) for total in self.totals)

    def score(self) -> Score:
        """Return what follows from the rounds so far."""
        variant, standing = self.variant, self._standing()
        over, winners = bool(self.winners), self.winners
        shared = len(winners) > len(self.teams[0]) and self.rule.decider is not None
        step = None if over or variant.climbs_alone else len(self.points) + 1
        leaders = self.rule.lead.among(standing, standing.ranked) if self.points else ()
        return Score(
            points=tuple(self.points),
            laid_off=tuple(self.laid_off),
            totals=tuple(self.totals),
            bonus=self._by_seat(self._bonus(standing)),
            steps=tuple(self.steps),
            games_won=tuple(self.won),
            played=tuple(self.played),
            playing=self._playing(),
            teams=self.teams,
            opens_with=self._opens_with(step),
            over=over,
            ended=self.ended,
            winners=winners,
            leaders=self._seats(leaders),
            places=self._by_seat(self.rule.lead.places(standing)),
            decider=winners if shared else (),
            dealers=tuple(self.dealers),
            step=step,
            problems=tuple(self.problems),
        )

    def _bonus(self, standing: Standing) -> tuple[int, ...]:
        """Return the points that each team gets at the end."""
        if not self.winners or self.rule.bonus is None:
            return (0,) * len(self.teams)
        won = tuple(number for number, team in enumerate(self.teams) if team[0] in self.winners)
        return self.rule.bonus(standing, won)


def average_of(variant: Variant, points: Sequence[int]) -> int:
    """Return the average of some points, as points that a player of this game can have.

    It’s rounded to the nearest multiple of the least points that a card counts, half of one up.

    >>> from referee import variants
    >>> average_of(variants.get("mexican-rummy"), [0, 60, 65]), average_of(
    ...     variants.get("just-points"), [1, 2]
    ... )
    (40, 2)
    """
    unit = variant.values.unit(variant.pack, variant.wilds.cards)
    whole = len(points) * unit
    return (2 * sum(points) + whole) // (2 * whole) * unit if points else 0


@lru_cache(maxsize=_REMEMBERED)
def _checked(
    variant: Variant,
    steps: tuple[int, ...],
    records: tuple[HandRecord | None, ...],
    playing: tuple[bool, ...],
) -> tuple[Problem, ...]:
    """Return the problems of a round in the game for its deal; cached."""
    return check_round(variant, steps, records, playing=playing)
