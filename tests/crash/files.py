"""Delete, move, replace and cut the database under a real server: `python -m tests.crash.files 60`.

Whatever a phone was told is saved must be in the file that the next start opens, or in the copy
that the server made when it noticed.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.servers import Laydown
from webapp.migrations import migrate


def delete(file: Path) -> None:
    """As a tidy person does."""
    file.unlink()


def move(file: Path) -> None:
    """As a folder that a program synchronises does."""
    file.rename(file.with_name("moved.db"))


def replace(file: Path) -> None:
    """As somebody does who restores a copy without stopping the app."""
    other = file.with_name("other.db")
    migrate(f"sqlite:///{other}")
    other.replace(file)


def delete_log(file: Path) -> None:
    """As somebody does who does not know what it is for."""
    file.with_name(f"{file.name}-wal").unlink(missing_ok=True)


MISHAPS = (delete, move, replace, delete_log)


BEFORE = 5
"""What has been saved, at least, before anything happens to the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    mishaps: int
    acknowledged: int
    wrong: tuple[str, ...]
    """What was said to be saved and is in no file."""


def run(seconds: float, *program: str, seed: int = 0) -> Outcome:
    """Let mishap after mishap happen to servers of two tables each, for so long.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    chance = random.Random(seed)
    until = time.monotonic() + seconds
    mishaps = acknowledged = 0
    wrong: list[str] = []
    while mishaps == 0 or time.monotonic() < until:
        mishap = MISHAPS[mishaps % len(MISHAPS)]
        said, lost = _once(mishap, program, chance, seed + mishaps)
        mishaps += 1
        acknowledged += said
        wrong += [f"{mishap.__name__}: {sentence}" for sentence in lost]
    return Outcome(mishaps=mishaps, acknowledged=acknowledged, wrong=tuple(wrong))


def _once(
    mishap: Callable[[Path], None], program: tuple[str, ...], chance: random.Random, seed: int
) -> tuple[int, list[str]]:
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        file = instance / "laydown.db"
        with Laydown(instance, program=program or ("webapp",)) as server:
            evening = Evening(server.url, 2, seed)
            evening.start()
            while len(evening.diary) < BEFORE:
                time.sleep(0.05)
            time.sleep(chance.uniform(0, 0.8))
            mishap(file)
            time.sleep(0.7)
            # The phones go on asking, and are refused; what they were told until now counts.
            evening.over.set()
            server.kill()
            diary = tuple(evening.diary)
        copies = sorted(instance.glob("laydown-rescued-*.db"))
        kept = copies[0] if copies else file
        if not kept.exists():
            return len(diary), ["there is neither the file nor a copy of it"]
        # What is left beside the file belongs to it, not to the copy.
        read = instance / "kept" / "laydown.db"
        read.parent.mkdir()
        shutil.copy(kept, read)
        log = kept.with_name(f"{kept.name}-wal")
        if log.exists():
            shutil.copy(log, read.with_name(log.name))
        # A save that was kept and then refused may be in the copy: its phone would send it again.
        unanswered = ("which nobody", "was saved last")
        found = check(f"sqlite:///{read}", diary)
        lost = [each for each in found if not any(words in each for words in unanswered)]
        return len(diary), lost


def main() -> int:
    """Say what came of it; the exit status is 1 where anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.files", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    asked = parser.parse_args()
    outcome = run(asked.seconds, seed=asked.seed)
    print(
        f"{outcome.mishaps} mishaps in {asked.seconds:.0f} s: {outcome.acknowledged} acknowledged, "
        f"{len(outcome.wrong)} wrong (seed {asked.seed})"
    )
    for sentence in outcome.wrong:
        print(f"- {sentence}")
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
