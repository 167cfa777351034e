"""Run the app on a machine with nothing but Python and pip: `python3 -m webapp`."""

import sys

from webapp._bootstrap import enter

if __name__ == "__main__":
    enter("webapp")

    from webapp.cli import main

    sys.exit(main())
