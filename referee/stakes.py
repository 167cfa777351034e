"""Settling up: the fewest payments after which nobody owes anything.

A group whose balances add up to 0 can settle among itself with one payment fewer than it has
members. So the fewest payments come from splitting people into as many such groups as possible,
which a search over all subsets finds.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

MOST_PEOPLE: Final = 12
"""The most people with a balance other than 0 that `settle_up` accepts."""

P = TypeVar("P", bound="Hashable")


@dataclass(frozen=True, slots=True)
class Transfer(Generic[P]):
    """One payment, in the unit of the balances; `settle_up` returns these."""

    payer: P
    payee: P
    amount: int


def settle_up(balances: Mapping[P, int]) -> tuple[Transfer[P], ...]:
    """Return the payments that settle all balances, as few as possible.

    A balance is what a person has won, negative if they lost, in whole numbers of the smallest
    unit, such as cents. The payments add up to exactly what was lost.

    Raise ValueError if the balances don’t add up to 0, or if more than `MOST_PEOPLE` (12) people
    have won or lost.

    >>> from referee import settle_up
    >>> settle_up({"Ana": -340, "Ben": 340, "Cleo": 0})
    (Transfer(payer='Ana', payee='Ben', amount=340),)
    """
    if sum(balances.values()):
        message = "What is won and what is lost must come to the same."
        raise ValueError(message)
    people = [person for person, balance in balances.items() if balance]
    if len(people) > MOST_PEOPLE:
        message = f"At most {MOST_PEOPLE} people can settle up."
        raise ValueError(message)
    groups = _most_groups([balances[person] for person in people])
    return tuple(
        transfer
        for group in groups
        for transfer in _settle({people[index]: balances[people[index]] for index in group})
    )


def differences(totals: Sequence[int], teams: Sequence[Sequence[P]], won: int) -> dict[P, int]:
    """Return the points that each player has won from or lost to players of other teams.

    This is for games whose points aren’t paid directly. For each other team, each of its players
    pays a player of the team that `won` (an index of `teams`) the difference between the two
    totals.

    >>> from referee import differences
    >>> differences((5000, 3200), (("Ana", "Cleo"), ("Ben", "Dov")), 0)
    {'Ana': 1800, 'Cleo': 1800, 'Ben': -1800, 'Dov': -1800}
    """
    behind = [abs(totals[won] - total) for total in totals]
    return {
        player: sum(behind) if team == won else -behind[team]
        for team, players in enumerate(teams)
        for player in players
    }


def _most_groups(balances: Sequence[int]) -> list[list[int]]:
    """Split people into as many groups as possible whose balances add up to 0.

    People, and the groups returned, are indexes of `balances`. For each subset of people, this
    finds the most groups that can be completed by adding people one by one.
    """
    size = 1 << len(balances)
    sums = [0] * size
    closed = [0] * size
    last = [-1] * size
    for people in range(1, size):
        low = people & -people
        sums[people] = sums[people ^ low] + balances[low.bit_length() - 1]
        best = -1
        for index in range(len(balances)):
            if people >> index & 1 and closed[people ^ 1 << index] > best:
                best, last[people] = closed[people ^ 1 << index], index
        closed[people] = best + (sums[people] == 0)
    groups: list[list[int]] = []
    people = size - 1
    while people:
        if sums[people] == 0:
            groups.append([])
        groups[-1].append(last[people])
        people ^= 1 << last[people]
    return [sorted(group) for group in reversed(groups)]


def _settle(balances: dict[P, int]) -> Iterator[Transfer[P]]:
    """Settle a group: the one who owes most pays the one who is owed most, until nobody owes."""
    left = dict(balances)
    while any(left.values()):
        payer = min(left, key=left.__getitem__)
        payee = max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        yield Transfer(payer, payee, amount)
