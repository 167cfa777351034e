"""How a round is settled, and how a game ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias


class Ended(NamedTuple):
    """How one player or team stood when a round ended, counted: what settling needs."""

    out: bool
    deadwood: int
    """What the cards left in hand cost."""
    of_partners: int = 0
    """What of that is left with the partners of a player who went out."""
    table: int = 0
    """What the cards on the table score, with bonuses and what is laid open."""
    times: int = 1
    """For who went out: how often the others pay."""
    scores: int | None = None
    """For who went out: what that hand scores instead of the bonus for going out."""
    big_gin: bool = False
    """For who went out: whether that was with a card more than dealt, all of them in melds."""

    @property
    def left_over(self) -> int:
        """What a player who went out has left over; of anyone else, what is left in hand."""
        return self.deadwood - self.of_partners


class Settled(NamedTuple):
    """A round turned into points, one number for each player who settles, and the winner."""

    points: tuple[int, ...]
    won: int | None
    """Which of them won the round; None if nobody did."""


Settlement: TypeAlias = Callable[[tuple[Ended, ...]], Settled]
"""Turns how a round ended for those who played it, players or teams, into points."""


def own_deadwood(hands: tuple[Ended, ...]) -> Settled:
    """Everybody scores what is left in hand against them, as often as the way of going out says."""
    winner = _who_is_out(hands)
    times = 1 if winner is None else hands[winner].times
    points = tuple(hand.deadwood * (1 if hand.out else times) for hand in hands)
    return Settled(points=points, won=winner)


def with_bonus(settle: Settlement, out: int) -> Settlement:
    """Settle so that a player who goes out with nothing left gets `out` points besides.

    A hand that closes as one of a kind gets the points of that hand instead, where it has some.
    """

    def more(hand: Ended) -> int:
        if not hand.out or hand.left_over:
            return 0
        return out if hand.scores is None else hand.scores

    def settled(hands: tuple[Ended, ...]) -> Settled:
        found = settle(hands)
        points = (each + more(hand) for each, hand in zip(found.points, hands, strict=True))
        return Settled(points=tuple(points), won=found.won)

    return settled


def table_less_hand(hands: tuple[Ended, ...]) -> Settled:
    """Everybody scores what they laid on the table, less what is left in hand."""
    points = tuple(hand.table - hand.deadwood for hand in hands)
    return Settled(points=points, won=_who_is_out(hands))


def others_pay(hands: tuple[Ended, ...]) -> Settled:
    """Everybody pays who closed what is left in hand, as often as the close counts."""
    winner = _who_is_out(hands)
    if winner is None:
        return Settled(points=(0,) * len(hands), won=None)
    times = hands[winner].times
    paid = [0 if hand.out else hand.deadwood * times for hand in hands]
    return Settled(points=_to_winner(paid, winner), won=winner)


def won_from_others(hands: tuple[Ended, ...]) -> Settled:
    """Give who closed what the others have left in hand, as often as it counts; nobody loses."""
    found = others_pay(hands)
    return Settled(points=tuple(max(0, points) for points in found.points), won=found.won)


def rack_to_winner(hands: tuple[Ended, ...]) -> Settled:
    """Everybody pays the winner what is left on the rack; where nobody is out, the difference.

    Where nobody is out and the lowest racks are level, nobody has won: the others pay the
    difference, and those who tie share all of it equally. Where that does not come out in whole
    points, each of the others pays the most that does.
    """
    racks = [0 if hand.out else hand.deadwood for hand in hands]
    out = [seat for seat, hand in enumerate(hands) if hand.out]
    if len(out) > 1 or not hands:
        return Settled(points=(0,) * len(hands), won=None)
    best = lowest(tuple(racks), out or range(len(hands)))
    above = [rack - racks[best[0]] for rack in racks]
    if len(best) == 1:
        return Settled(points=_to_winner(above, best[0]), won=best[0])
    # No fractions: rounded down for each payer, so that what is paid is what is shared.
    if sum(above) % len(best):
        above = [more - more % len(best) for more in above]
    each = sum(above) // len(best)
    points = (each if seat in best else -more for seat, more in enumerate(above))
    return Settled(points=tuple(points), won=None)


def knocked(gin: int, undercut: int, big_gin: int = 0) -> Settlement:
    """Settle between two: who showed scores the difference, and `gin` more with nothing left over.

    With big gin that is `big_gin` in place of `gin`. Where the other has no more left over than who
    knocked, that is an undercut: the other scores the difference and `undercut` more.
    """

    def settle(hands: tuple[Ended, ...]) -> Settled:
        out = _who_is_out(hands)
        if out is None or len(hands) != 2:  # noqa: PLR2004 - a game for two
            return Settled(points=(0,) * len(hands), won=None)
        own, other = hands[out].deadwood, hands[1 - out].deadwood
        scored, winner = other - own, out
        if not hands[out].left_over:
            scored += big_gin if hands[out].big_gin else gin
        elif other <= own:
            scored, winner = own - other + undercut, 1 - out
        # A card turned up at the deal can double the whole hand, bonuses included.
        scored *= hands[out].times
        points = tuple(scored if seat == winner else 0 for seat in range(2))
        return Settled(points=points, won=winner)

    return settle


def fixed(each: int) -> Settlement:
    """Settle so that the player who went out wins a fixed number from each, times the hand."""

    def settle(hands: tuple[Ended, ...]) -> Settled:
        winner = _who_is_out(hands)
        if winner is None:
            return Settled(points=(0,) * len(hands), won=None)
        paid = [0 if hand.out else each * hands[winner].times for hand in hands]
        return Settled(points=_to_winner(paid, winner), won=winner)

    return settle


def penalty(each: int) -> Settlement:
    """Settle so that a fixed number counts against all but who went out, as often as that says."""

    def settle(hands: tuple[Ended, ...]) -> Settled:
        winner = _who_is_out(hands)
        cost = 0 if winner is None else each * hands[winner].times
        points = tuple(0 if seat == winner else cost for seat in range(len(hands)))
        return Settled(points=points, won=winner)

    return settle


def dropped(each: int, caught: int, to_lowest: int = 0) -> Settlement:
    """Settle so that a player with nothing left, or who drops with the lowest hand, wins.

    The others pay `each`. A drop that somebody matches is caught: the player who dropped pays
    `caught` to each who did, or with `to_lowest`, `caught` for each other player to the lowest hand
    alone. If nobody goes out or drops, the lowest hand wins; if several tie, the others pay each.
    """

    def settle(hands: tuple[Ended, ...]) -> Settled:
        seat = _who_is_out(hands)
        if seat is None and any(hand.out for hand in hands):
            return Settled(points=(0,) * len(hands), won=None)
        if seat is None:
            lowest_of = lowest(tuple(hand.deadwood for hand in hands), range(len(hands)))
            return _paid_by_others(lowest_of, each, len(hands))
        own, over = hands[seat].deadwood, hands[seat].left_over
        others = [at for at in range(len(hands)) if at != seat]
        catch = [at for at in others if over and hands[at].deadwood <= own]
        if not catch:
            return _paid_by_others((seat,), each * hands[seat].times, len(hands))
        paid = caught
        if to_lowest:
            catch = [*lowest(tuple(hand.deadwood for hand in hands), catch)]
            paid = caught * (len(hands) - 1)
        points = [paid if at in catch else 0 for at in range(len(hands))]
        points[seat] = -paid * len(catch)
        return Settled(points=tuple(points), won=catch[0] if len(catch) == 1 else None)

    return settle


def _paid_by_others(winners: Sequence[int], each: int, hands: int) -> Settled:
    """Let all who have not won pay each of those who have."""
    others = hands - len(winners)
    points = (each * others if at in winners else -each * len(winners) for at in range(hands))
    return Settled(points=tuple(points), won=winners[0] if len(winners) == 1 else None)


def _who_is_out(hands: tuple[Ended, ...]) -> int | None:
    out = [seat for seat, hand in enumerate(hands) if hand.out]
    return out[0] if len(out) == 1 else None


def _to_winner(paid: Sequence[int], winner: int) -> tuple[int, ...]:
    total = sum(paid)
    return tuple(total if seat == winner else -points for seat, points in enumerate(paid))


class Lead(Enum):
    """What decides who is ahead in the standings."""

    LOWEST = "lowest total"
    HIGHEST = "highest total"
    GAMES = "most games won, then highest total"
    FURTHEST = "furthest step, then lowest total"

    def among(self, standing: Standing, seats: Iterable[int]) -> tuple[int, ...]:
        """Which of these seats are ahead, several if they tie."""
        behind = {seat: self._behind(standing, seat) for seat in seats}
        best = min(behind.values(), default=())
        return tuple(seat for seat, far in behind.items() if far == best)

    def places(self, standing: Standing) -> tuple[int | None, ...]:
        """The place of each seat, from 1; seats that tie share one. None if it isn't ranked."""
        behind = {seat: self._behind(standing, seat) for seat in standing.ranked}
        order, seats = sorted(behind.values()), range(len(standing.totals))
        return tuple(order.index(behind[seat]) + 1 if seat in behind else None for seat in seats)

    def _behind(self, standing: Standing, seat: int) -> tuple[int, ...]:
        """Say how far a seat is behind, to be compared with others."""
        total = standing.totals[seat]
        match self:
            case Lead.LOWEST:
                return (total,)
            case Lead.HIGHEST:
                return (-total,)
            case Lead.GAMES:
                return -standing.won[seat], -total
            case Lead.FURTHEST:
                return -standing.steps[seat], total


class Standing(NamedTuple):
    """Where a game stands after a number of rounds, seat by seat; or team by team."""

    totals: tuple[int, ...]
    steps: tuple[int, ...]
    """The step each seat is on; one past the last contract when all are done."""
    rounds: int
    """How many rounds have been played."""
    out: tuple[int, ...] = ()
    """The seats that went out in the last round."""
    won: tuple[int, ...] = ()
    """How many rounds each seat has won."""
    ranked: tuple[int, ...] = ()
    """The seats that can win."""
    playing: tuple[int, ...] = ()
    """The seats that play the round to come."""


class EndBonus(NamedTuple):
    """What is added to the totals when a game is over, after the winner is known."""

    game: int = 0
    """Points for the winner."""
    round: int = 0
    """Points for each round that somebody has won."""
    shutout: int = 1
    """How often the winner's points of the rounds count where nobody else has won one."""

    def __call__(self, standing: Standing, winners: tuple[int, ...]) -> tuple[int, ...]:
        """What each seat is given, by the totals of the rounds."""
        alone = all(not won for seat, won in enumerate(standing.won) if seat not in winners)
        more = self.shutout - 1 if alone else 0
        return tuple(
            self.round * won + (self.game + more * max(total, 0) if seat in winners else 0)
            for seat, (total, won) in enumerate(zip(standing.totals, standing.won, strict=True))
        )


Ending: TypeAlias = Callable[[Standing], tuple[int, ...]]
"""The seats that have won, none while the game goes on."""


def never(standing: Standing) -> tuple[int, ...]:  # noqa: ARG001 - an ending
    """Let a game go on until the table ends it."""
    return ()


def after_rounds(number: int, lead: Lead = Lead.LOWEST) -> Ending:
    """End a game after a number of rounds; the leader wins, or leaders share the win."""

    def ending(standing: Standing) -> tuple[int, ...]:
        return lead.among(standing, standing.ranked) if standing.rounds >= number else ()

    return ending


def past_step(last: int, lead: Lead = Lead.FURTHEST) -> Ending:
    """End a game when somebody has made the last contract; the leader wins."""

    def ending(standing: Standing) -> tuple[int, ...]:
        done = any(standing.steps[seat] > last for seat in standing.ranked)
        return lead.among(standing, standing.ranked) if done else ()

    return ending


def first_to(target: int, *, out_wins: bool, lead: Lead = Lead.HIGHEST) -> Ending:
    """End a game at a total: of those there the highest wins, or of all the lowest.

    With `out_wins` who of them went out goes before, whatever the totals.
    """

    def ending(standing: Standing) -> tuple[int, ...]:
        there = [seat for seat in standing.ranked if standing.totals[seat] >= target]
        if lead is Lead.LOWEST:
            return lead.among(standing, standing.ranked) if there else ()
        out = tuple(seat for seat in there if out_wins and seat in standing.out)
        return out or highest(standing.totals, there)

    return ending


def last_standing(lead: Lead = Lead.HIGHEST) -> Ending:
    """End a game when one player is left in it; if none is, the leader wins."""

    def ending(standing: Standing) -> tuple[int, ...]:
        if not standing.playing:
            return lead.among(standing, standing.ranked)
        return standing.playing if len(standing.playing) == 1 else ()

    return ending


def highest(totals: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """The seats, of those named, with the highest total."""
    return lowest(tuple(-total for total in totals), seats)


def lowest(totals: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """The seats, of those named, with the lowest total."""
    among = tuple(seats)
    least = min((totals[seat] for seat in among), default=None)
    return tuple(seat for seat in among if totals[seat] == least)
