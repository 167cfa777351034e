"""Run the app on a machine with nothing but Python and pip: `python3 -m webapp`."""

import gc
import sys
from pathlib import Path

if not __package__:
    # Started as a folder, `python3 webapp`: its neighbors are found from beside it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from webapp._bootstrap import enter, fall_silent


def main() -> int:
    """Run the command, and answer its exit status.

    Ctrl+C ends it without a traceback, also while the app is still being read in; so does a reader
    of what it prints that has seen enough (`laydown check | head`).
    """
    try:
        # Everything made here stays: collecting garbage would take a fifth of the start.
        gc.disable()
        from webapp.cli import main as run  # noqa: PLC0415 - inside, and as late as this

        gc.freeze()
        gc.enable()
        try:
            return run()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except OSError:
        # Nobody reads on, or the disk that it is written to is full. Else Python would try once
        # more at its end, and say that it cannot.
        fall_silent()
        return 1


if __name__ == "__main__":
    enter("webapp")
    sys.exit(main())
