"""What came of an attack, and how one is run by hand: `python -m tests.crash.NAME 20`."""

import argparse
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attack."""

    wrong: Sequence[str]
    """What was lost, doubled, torn or late, a sentence each."""
    stuck: Sequence[str]
    """Games that a phone gave up, and why."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """How much there was of what, by its name."""

    def __str__(self) -> str:
        """Return the figures in one line, and below it everything that was wrong."""
        counted = {**self.figures, "wrong": len(self.wrong), "stuck": len(self.stuck)}
        line = ", ".join(f"{name} {number:,.10g}" for name, number in counted.items())
        return "\n- ".join([line, *self.wrong[:20], *self.stuck[:20]])


def by_hand(run: Callable[..., Outcome], usual: int, *flags: str) -> int:
    """Run an attack with the amount and the seed of the command line; return the exit status.

    The amount is seconds or times, whichever the attack counts; a flag is passed on by its name.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("amount", type=int, nargs="?", default=usual)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    for flag in flags:
        parser.add_argument(f"--{flag}", action="store_true")
    asked = vars(parser.parse_args())
    amount, seed = asked.pop("amount"), asked["seed"]
    began = time.monotonic()
    outcome = run(amount, **asked)
    print(f"{time.monotonic() - began:.0f} s (seed {seed}): {outcome}")
    return 1 if outcome.wrong or outcome.stuck else 0
