"""Advice in a server's threads: what they share says the same to all of them."""

import sys
from itertools import combinations_with_replacement
from threading import Thread

from referee.advice.tables import colours


def test_open_runs_are_numbered_alike_in_all_threads():
    """One table serves all phones; a number must stand for the same runs in each of its rows."""
    runs = [colours.Run(length, tail) for length in (1, 2, 3) for tail in range(4)]
    every = [
        tuple(sorted(some))
        for size in (1, 2, 3)
        for some in combinations_with_replacement(runs, size)
    ]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            steps = colours.Steps(None, terms=True)
            threads = [
                Thread(target=list, args=(map(steps.number, every[:: 1 - 2 * (at % 2)]),))
                for at in range(6)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert [steps.runs[steps.number(some)] for some in every] == every
            assert all(
                steps.short[steps.number(some)][0] == sum(run.length < 3 for run in some)
                for some in every
            )
    finally:
        sys.setswitchinterval(interval)
