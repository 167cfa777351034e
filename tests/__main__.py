"""Run every test on a machine with nothing but Python and pip: `python3 -m tests`.

Arguments go to pytest. `--no-browser` leaves out the tests that drive a browser, `--many` tries
each property ten times as often. What plain `pytest` leaves out as slow is run too.
"""

import sys

from webapp._bootstrap import ROOT, enter

if __name__ == "__main__":
    enter("tests", group="test")

    import pytest

    # Where nobody watches, a test that hangs says where. It takes half a millisecond a test.
    watched = ["-o", "faulthandler_timeout=300"]
    sys.exit(pytest.main(["--rootdir", str(ROOT), "--all", *watched, *sys.argv[1:]]))
