"""Money across games: everybody’s winnings in an evening, and who pays whom at its end."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee import settle_up
from webapp.game.money import Stake, Winnings

MOST_AT_ONCE: Final = 12
"""The most people among whom the fewest payments are searched for."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The winnings in several games with the same currency."""

    games: int
    """The number of games that were played for this currency."""
    stake: Stake
    """The currency, and the unit that the amounts are in."""
    units: Mapping[int, int]
    """The amount that each person has won, by player id, negative if they lost, in the unit of the
    stake. The amounts add up to 0."""
    payments: tuple[tuple[int, int, int], ...]
    """The payments, each as the ids of the payer and the payee, and the units."""


def add_up(games: Iterable[Winnings]) -> tuple[Balance, ...]:
    """Add up the winnings of games, with a balance for each currency, in the order of the games.

    Players in `games` must be persons: one who was merged has the id they were merged into.
    """
    by_currency: dict[str, list[Winnings]] = defaultdict(list)
    for each in games:
        by_currency[each.stake.currency.casefold()].append(each)
    return tuple(map(_balance_of, by_currency.values()))


def settle_all(units: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield payments that settle what was won and lost: payer, payee, and amount.

    They are as few as possible among up to `MOST_AT_ONCE` people, and always fewer than there are
    people. While there are more people, whoever lost most pays whoever won most, so that one of the
    two is settled.
    """
    left = {who: won for who, won in units.items() if won}
    while len(left) > MOST_AT_ONCE:
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        yield payer, payee, amount
        left[payer] += amount
        left[payee] -= amount
        left = {who: won for who, won in left.items() if won}
    for each in settle_up(left):
        yield each.payer, each.payee, each.amount


def _balance_of(games: list[Winnings]) -> Balance:
    """Return the balance of games in one currency; its unit is the smallest that any game has."""
    places = max(each.stake.places for each in games)
    units: Counter[int] = Counter()
    for each in games:
        for who, won in each.units.items():
            units[who] += won * 10 ** (places - each.stake.places)
    stake = replace(games[0].stake, places=places)
    return Balance(len(games), stake, units, tuple(settle_all(units)))
