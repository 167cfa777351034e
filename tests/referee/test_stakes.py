"""Settling up: everybody gets what is theirs, in the fewest payments there are."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.stakes import Transfer, settle_up
from tests.examples import examples


def fewest(balances):
    """The fewest payments, by trying: pay any two off against each other, and go on."""
    balances = [balance for balance in balances if balance]
    if not balances:
        return 0
    first, rest = balances[0], balances[1:]
    counts = [
        1 + fewest([*rest[:index], first + other, *rest[index + 1 :]])
        for index, other in enumerate(rest)
        if first * other < 0
    ]
    return min(counts)


def largest_partition(balances):
    """How many groups that come to nothing people fall into at most, by trying."""
    if not balances:
        return 0
    first, rest = balances[0], balances[1:]
    best = 0
    for size in range(len(rest) + 1):
        for others in combinations(range(len(rest)), size):
            if first + sum(rest[index] for index in others) == 0:
                left = [rest[index] for index in range(len(rest)) if index not in others]
                best = max(best, 1 + largest_partition(left))
    return best


def after(balances, transfers):
    left = dict(balances)
    for transfer in transfers:
        left[transfer.payer] += transfer.amount
        left[transfer.payee] -= transfer.amount
    return left


def zero_sum(most, size):
    amounts = st.lists(st.integers(-most, most), min_size=1, max_size=size - 1)
    return amounts.map(lambda all_: dict(enumerate([*all_, -sum(all_)])))


def test_one_owes_one():
    assert settle_up({"Ana": -340, "Ben": 340}) == (Transfer("Ana", "Ben", 340),)


def test_nobody_owes_nothing():
    assert settle_up({}) == settle_up({"Ana": 0, "Ben": 0}) == ()


def test_two_pairs_settle_in_two_payments_not_three():
    found = settle_up({"Ana": -70, "Ben": 50, "Cleo": 70, "Dan": -50})

    assert set(found) == {Transfer("Ana", "Cleo", 70), Transfer("Dan", "Ben", 50)}


def test_what_greed_misses_is_found():
    balances = {"a": -5, "b": -4, "c": -3, "d": 2, "e": 3, "f": 7}

    assert len(settle_up(balances)) == fewest(list(balances.values())) == 4


@given(zero_sum(8, 6))
def test_no_other_way_needs_fewer_payments(balances):
    assert len(settle_up(balances)) == fewest(list(balances.values()))


@settings(max_examples=examples(40))
@given(zero_sum(6, 9))
def test_a_group_that_comes_to_nothing_saves_a_payment(balances):
    owing = [balance for balance in balances.values() if balance]

    assert len(settle_up(balances)) == len(owing) - largest_partition(owing)


@given(zero_sum(100_000, 12))
def test_everybody_gets_what_is_theirs(balances):
    transfers = settle_up(balances)

    assert not any(after(balances, transfers).values())
    assert all(transfer.amount > 0 for transfer in transfers)
    assert all(balances[transfer.payer] < 0 < balances[transfer.payee] for transfer in transfers)


@pytest.mark.parametrize(
    "balances",
    [{"Ana": 1}, {"Ana": -3, "Ben": 2}, {n: 1 if n % 2 else -1 for n in range(14)}],
)
def test_a_round_that_cannot_be_settled_is_refused(balances):
    with pytest.raises(ValueError, match=r"same|settle"):
        settle_up(balances)
