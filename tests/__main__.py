"""Run every test on a machine with nothing but Python and pip: `python3 -m tests`.

Arguments go to pytest. `--no-browser` leaves out the tests that drive a browser, `--many` tries
each property ten times as often. What plain `pytest` leaves out as slow is run too. `--release`
also runs what takes long and protects rarely, and drives the browser of this machine if it has one;
without it the browser is the one that a bare machine would fetch.
"""

import os
import sys

from webapp._bootstrap import ROOT, enter

if __name__ == "__main__":
    enter("tests", group="release" if "--release" in sys.argv else "test")

    import pytest

    # What strangers get is what is tested: a browser that is installed comes in the long run.
    if "--release" not in sys.argv:
        os.environ.setdefault("CHROMIUM", "fetched")

    # Where nobody watches, a test that hangs says where. It takes half a millisecond a test.
    watched = ["-o", "faulthandler_timeout=300"]
    sys.exit(pytest.main(["--rootdir", str(ROOT), "--all", *watched, *sys.argv[1:]]))
