"""Run the app on a machine with nothing but Python and pip: `python3 -m webapp`."""

import gc
import sys
from pathlib import Path

if not __package__:
    # Started as a folder, `python3 webapp`, it has to find the packages next to it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from webapp._bootstrap import enter, fall_silent


def main() -> int:
    """Run the command, and return its exit status.

    Ctrl+C ends it without a traceback, even while the app is still being imported. It also ends
    without one if its output can’t be written: a full disk, or `| head`, which stops reading.
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
        # Nobody reads the output any more, or its disk is full. Otherwise Python would try again at
        # its end, and report that it can’t.
        fall_silent()
        return 1


if __name__ == "__main__":
    enter("webapp")
    sys.exit(main())
