"""How long advice takes: `python3 -m tests.bench.advice`, with any Python 3.11 and pip.

Every limit of issue 4 in one run, beside engines by others that do a part of the same work, and a
plot of the time against cards in hand and tiles on the table. Those engines and what draws the plot
are in a dependency group of their own (`bench`), which is fetched first where it is not there.
"""

import sys
from importlib.util import find_spec

from webapp._bootstrap import enter

NEEDED = {
    "pyspiel": "OpenSpiel",
    "rlcard": "RLCard",
    "rummikub_solver": "rummikub-solver",
    "matplotlib": "matplotlib",
}
"""What is measured against and drawn with, by the module that it is imported as."""

if __name__ == "__main__":
    enter("tests.bench.advice", group="bench")
    missing = [name for module, name in NEEDED.items() if find_spec(module) is None]
    if missing:
        sys.exit(
            f"Not installed here: {', '.join(missing)}. They are in the dependency group `bench`, "
            "200 MB on the disk. The same command with a Python outside of .venv fetches them, "
            "once: python3 -m tests.bench.advice. So does uv: "
            "uv run --group bench python -m tests.bench.advice."
        )

    from tests.bench.report import main

    sys.exit(main())
