"""Money across games: what everybody has won of an evening, and who pays whom at its end."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee import settle_up
from webapp.game.money import Stake, Winnings

MOST_AT_ONCE: Final = 12
"""People among whom the fewest payments are looked for."""


@dataclass(frozen=True, slots=True)
class Balance:
    """What people have won of one another in one currency."""

    games: int
    """How many games were played for it."""
    stake: Stake
    """What amounts are written by."""
    units: Mapping[int, int]
    """What each person has won, below nothing what they have lost, in the unit of the stake; all
    together it is nothing."""
    payments: tuple[tuple[int, int, int], ...]
    """A payment: payer, payee and units."""


def add_up(games: Iterable[Winnings]) -> tuple[Balance, ...]:
    """The winnings of games, a balance for each currency, in the order of the games.

    Players are named in them by the person that they are.
    """
    by_currency: dict[str, list[Winnings]] = defaultdict(list)
    for each in games:
        by_currency[each.stake.currency.casefold()].append(each)
    return tuple(map(_purse, by_currency.values()))


def settle_all(units: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """Pay off what was won and lost, with fewer payments than there are people.

    There is no way with fewer among `MOST_AT_ONCE` people. While there are more, whoever has lost
    most pays whoever has won most, and one of them has settled.
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


def _purse(games: list[Winnings]) -> Balance:
    """Add up games in one currency; a unit is the smallest that any of them is played for."""
    places = max(each.stake.places for each in games)
    units: Counter[int] = Counter()
    for each in games:
        for who, won in each.units.items():
            units[who] += won * 10 ** (places - each.stake.places)
    stake = replace(games[0].stake, places=places)
    return Balance(len(games), stake, units, tuple(settle_all(units)))
