"""A server with another number of threads: `python -m tests.crash.threads 8 --port 8000`."""

import sys

from webapp import cli, serving

if __name__ == "__main__":
    serving.THREADS = int(sys.argv[1])  # type: ignore[misc]  # to measure what it should be
    sys.exit(cli.main(sys.argv[2:]))
