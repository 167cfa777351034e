"""Run the app: `python -m laydown`, and the command `laydown`."""

import sys

from webapp.__main__ import main
from webapp._bootstrap import enter

if __name__ == "__main__":
    enter("laydown")
    sys.exit(main())
