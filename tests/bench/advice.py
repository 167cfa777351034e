"""How long advice takes: `python3 -m tests.bench.advice`, with any Python 3.11 and pip.

Every limit of issue 4 in one run, beside engines by others that do a part of the same work, and a
plot of the time against cards in hand and tiles on the table. Those engines and what draws the plot
are in a dependency group of their own (`bench`), which is fetched first where it is not there.
"""

import sys
from importlib.util import find_spec

from webapp._bootstrap import enter

if __name__ == "__main__":
    enter("tests.bench.advice", group="bench")
    if find_spec("pyspiel") is None or find_spec("matplotlib") is None:
        sys.exit(
            "The engines to measure against are not installed here. Run this with a Python outside "
            "of .venv, which fetches them, or under `uv run --group bench`."
        )

    from tests.bench.report import main

    sys.exit(main())
