"""Ways to turn the end of a round into points, and to decide when a game is over.

A settlement or an ending is a function, and some are made by a function that takes numbers. “The
player who went out” is the only one marked as out. If there is none, or several are, nobody wins
the round, and a settlement that needs a winner gives everyone 0. “The multiplier” is the `times` of
that player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias


class Ended(NamedTuple):
    """How a round ended for one player or team: everything that a settlement needs to know."""

    out: bool
    """Whether the player went out, or dropped in a game with drops."""
    deadwood: int
    """The points of the cards left in hand."""
    of_partners: int = 0
    """The part of `deadwood` that is left with the partners of a player who went out."""
    table: int = 0
    """The points of the cards on the table, with bonuses and cards placed face up."""
    times: int = 1
    """How many times the others pay the player who went out."""
    scores: int | None = None
    """The points that the player who went out gets instead of the usual bonus; None for that
    bonus."""
    big_gin: bool = False
    """Whether the player went out with 1 card more than dealt, all of them in melds."""

    @property
    def left_over(self) -> int:
        """The points left in the hand of the player who went out; for others, all deadwood."""
        return self.deadwood - self.of_partners


class Settled(NamedTuple):
    """The result of a settlement: the points of a round, and who won it."""

    points: tuple[int, ...]
    """The points of each player or team, in the order of the hands."""
    won: int | None
    """The index of the one who won the round; None if nobody did."""


Settlement: TypeAlias = Callable[[tuple[Ended, ...]], Settled]
"""Turns how a round ended for its players or teams into points."""


def own_deadwood(hands: tuple[Ended, ...]) -> Settled:
    """Give everyone the points left in their hand, times the multiplier for all who aren’t out."""
    winner = _who_is_out(hands)
    times = 1 if winner is None else hands[winner].times
    points = tuple(hand.deadwood * (1 if hand.out else times) for hand in hands)
    return Settled(points=points, won=winner)


def with_bonus(settle: Settlement, out: int, *, often: bool = False) -> Settlement:
    """Return a settlement that also gives `out` points for going out with nothing left over.

    If the hand has `scores` of its own, it gets those points instead of `out`. If `often` is true,
    the points count times the multiplier.
    """

    def more(hand: Ended) -> int:
        if not hand.out or hand.left_over:
            return 0
        return (out if hand.scores is None else hand.scores) * (hand.times if often else 1)

    def settled(hands: tuple[Ended, ...]) -> Settled:
        found = settle(hands)
        points = (each + more(hand) for each, hand in zip(found.points, hands, strict=True))
        return Settled(points=tuple(points), won=found.won)

    return settled


def table_less_hand(hands: tuple[Ended, ...]) -> Settled:
    """Score everyone’s cards on the table, minus the cards left in hand."""
    points = tuple(hand.table - hand.deadwood for hand in hands)
    return Settled(points=points, won=_who_is_out(hands))


def others_pay(hands: tuple[Ended, ...]) -> Settled:
    """Make the others pay the player who went out for their cards, times the multiplier."""
    winner = _who_is_out(hands)
    if winner is None:
        return Settled(points=(0,) * len(hands), won=None)
    times = hands[winner].times
    paid = [0 if hand.out else hand.deadwood * times for hand in hands]
    return Settled(points=_to_winner(paid, winner), won=winner)


def won_from_others(hands: tuple[Ended, ...]) -> Settled:
    """Give the player who went out what the others have left, times the multiplier.

    Unlike in `others_pay`, nobody loses points.
    """
    found = others_pay(hands)
    return Settled(points=tuple(max(0, points) for points in found.points), won=found.won)


def rack_to_winner(hands: tuple[Ended, ...]) -> Settled:
    """Make everyone pay the winner the points by which their rack is above the winner’s.

    The winner is the player who went out, whose rack counts 0, or else the player with the lowest
    rack. If several have the lowest rack, nobody wins: the others pay the difference, and those who
    tie share it equally. If it can’t be shared in whole points, each of the others pays the next
    lower number that can. Nobody pays if more than one is out.
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
    """Return a settlement for 2 players, for games with knocking and gin.

    The player who knocked scores the difference in deadwood. With nothing left over, they get `gin`
    more, or `big_gin` for big gin. If the other player has no more deadwood, it’s an undercut: the
    other player scores the difference and `undercut` more. Everything counts times the multiplier.
    Nobody scores unless exactly 1 of exactly 2 players is out.
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
    """Return a settlement: each other player pays the one who went out `each` × the multiplier."""

    def settle(hands: tuple[Ended, ...]) -> Settled:
        winner = _who_is_out(hands)
        if winner is None:
            return Settled(points=(0,) * len(hands), won=None)
        paid = [0 if hand.out else each * hands[winner].times for hand in hands]
        return Settled(points=_to_winner(paid, winner), won=winner)

    return settle


def penalty(each: int) -> Settlement:
    """Return a settlement: `each` counts against all who didn’t go out, times the multiplier."""

    def settle(hands: tuple[Ended, ...]) -> Settled:
        winner = _who_is_out(hands)
        cost = 0 if winner is None else each * hands[winner].times
        points = tuple(0 if seat == winner else cost for seat in range(len(hands)))
        return Settled(points=points, won=winner)

    return settle


def dropped(each: int, caught: int, to_lowest: int = 0) -> Settlement:
    """Return a settlement for games with drops: `out` is a player who went out or dropped.

    A player who goes out with nothing left wins, and so does one who drops with the lowest hand;
    each other player pays `each`, times the multiplier. If another player’s hand is no higher, the
    drop is caught, and the one who dropped pays each such player `caught`. With `to_lowest`, they
    pay `caught` times the number of other players instead, but only to the lowest hand. If nobody
    goes out or drops, the lowest hand wins; if several tie, the others pay each of them.
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
    """Make everyone who hasn’t won pay `each` to each winner."""
    others = hands - len(winners)
    points = (each * others if at in winners else -each * len(winners) for at in range(hands))
    return Settled(points=tuple(points), won=winners[0] if len(winners) == 1 else None)


def _who_is_out(hands: tuple[Ended, ...]) -> int | None:
    """Return the index of the only hand that is out; None if none or several are."""
    out = [seat for seat, hand in enumerate(hands) if hand.out]
    return out[0] if len(out) == 1 else None


def _to_winner(paid: Sequence[int], winner: int) -> tuple[int, ...]:
    total = sum(paid)
    return tuple(total if seat == winner else -points for seat, points in enumerate(paid))


class Lead(Enum):
    """The rule for who is ahead in the standings."""

    LOWEST = "lowest total"
    HIGHEST = "highest total"
    GAMES = "most games won, then highest total"
    FURTHEST = "furthest step, then lowest total"

    @property
    def rises(self) -> bool:
        """Whether points count against a player, so that the lower total is ahead."""
        return self in {Lead.LOWEST, Lead.FURTHEST}

    def among(self, standing: Standing, seats: Iterable[int]) -> tuple[int, ...]:
        """Return the seats that are ahead among `seats`, several if they tie."""
        behind = {seat: self._behind(standing, seat) for seat in seats}
        best = min(behind.values(), default=())
        return tuple(seat for seat, far in behind.items() if far == best)

    def places(self, standing: Standing) -> tuple[int | None, ...]:
        """Return the place of each seat, from 1; seats that tie share one. None if not ranked."""
        behind = {seat: self._behind(standing, seat) for seat in standing.ranked}
        order, seats = sorted(behind.values()), range(len(standing.totals))
        return tuple(order.index(behind[seat]) + 1 if seat in behind else None for seat in seats)

    def _behind(self, standing: Standing, seat: int) -> tuple[int, ...]:
        """Return a sort key for a seat: the lower, the further ahead."""
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
    """The state of a game after a number of rounds, by seat or by team."""

    totals: tuple[int, ...]
    steps: tuple[int, ...]
    """The step each seat is on; after the last contract, 1 more than there are."""
    rounds: int
    """How many rounds have been played."""
    out: tuple[int, ...] = ()
    """The seats that went out in the last round."""
    won: tuple[int, ...] = ()
    """How many rounds each seat has won."""
    ranked: tuple[int, ...] = ()
    """The seats that can win."""
    playing: tuple[int, ...] = ()
    """The seats that play the next round."""


class EndBonus(NamedTuple):
    """Points added to the totals when a game is over, after the winner is known."""

    game: int = 0
    """Points for the winner."""
    round: int = 0
    """Points for each round that somebody has won."""
    shutout: int = 1
    """How many times the winner’s points from the rounds count if nobody else won a round; 1 for no
    bonus."""

    def __call__(self, standing: Standing, winners: tuple[int, ...]) -> tuple[int, ...]:
        """Return the points that each seat gets in addition to its total from the rounds."""
        alone = all(not won for seat, won in enumerate(standing.won) if seat not in winners)
        more = self.shutout - 1 if alone else 0
        return tuple(
            self.round * won + (self.game + more * max(total, 0) if seat in winners else 0)
            for seat, (total, won) in enumerate(zip(standing.totals, standing.won, strict=True))
        )


Ending: TypeAlias = Callable[[Standing], tuple[int, ...]]
"""Returns the seats that have won, or an empty tuple while the game continues."""


def never(standing: Standing) -> tuple[int, ...]:  # noqa: ARG001 - an ending
    """Return no winners: the game continues until the players end it."""
    return ()


def after_rounds(number: int, lead: Lead = Lead.LOWEST) -> Ending:
    """Return an ending after a number of rounds: the leader wins; leaders who tie share the win."""

    def ending(standing: Standing) -> tuple[int, ...]:
        return lead.among(standing, standing.ranked) if standing.rounds >= number else ()

    return ending


def past_last_step(last: int, lead: Lead = Lead.FURTHEST) -> Ending:
    """Return an ending for when somebody has made the last contract; the leader wins."""

    def ending(standing: Standing) -> tuple[int, ...]:
        done = any(standing.steps[seat] > last for seat in standing.ranked)
        return lead.among(standing, standing.ranked) if done else ()

    return ending


def first_to(target: int, *, out_wins: bool, lead: Lead = Lead.HIGHEST) -> Ending:
    """Return an ending for when somebody’s total reaches `target`.

    If `lead` is the lowest total, the lowest total of all wins. Otherwise the highest total wins,
    but with `out_wins`, a player at the target who went out in the last round wins over higher
    totals.
    """

    def ending(standing: Standing) -> tuple[int, ...]:
        there = [seat for seat in standing.ranked if standing.totals[seat] >= target]
        if lead is Lead.LOWEST:
            return lead.among(standing, standing.ranked) if there else ()
        out = tuple(seat for seat in there if out_wins and seat in standing.out)
        return out or highest(standing.totals, there)

    return ending


def last_standing(lead: Lead = Lead.HIGHEST) -> Ending:
    """Return an ending for when only 1 player is still in the game; if none is, the leader wins."""

    def ending(standing: Standing) -> tuple[int, ...]:
        if not standing.playing:
            return lead.among(standing, standing.ranked)
        return standing.playing if len(standing.playing) == 1 else ()

    return ending


def highest(totals: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """Return those of `seats` with the highest total; `totals` is by seat."""
    return lowest(tuple(-total for total in totals), seats)


def lowest(totals: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """Return those of `seats` with the lowest total; `totals` is by seat."""
    among = tuple(seats)
    least = min((totals[seat] for seat in among), default=None)
    return tuple(seat for seat in among if totals[seat] == least)
