"""The real `laydown` command as a process of its own, for tests that talk to it from outside."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Self

from tests.forking import Process
from webapp._bootstrap import ROOT

OURS = {
    *("DATABASE_URL", "LAYDOWN_INSTANCE", "LAYDOWN_HOSTS", "LAYDOWN_ADDRESS", "FLASK_DEBUG"),
    "LAYDOWN_BACKUPS",
    "LAYDOWN_HOUSES",
    # What is installed must not find the checkout by it.
    "PYTHONPATH",
    # A server that is started again and again had better find its modules compiled.
    "PYTHONDONTWRITEBYTECODE",
}
"""Settings that a developer may have in the environment, and a test's server must not."""

QUIET = {"LAYDOWN_AUTO_BACKUP": "0"}
"""What every server is told: backups would take the time of the other tests."""

PATIENCE = 30
"""How many seconds a server may take to come up or to stop."""


class Laydown:
    """A running server.

    `url` is its address without a slash at the end, `instance` the folder it keeps its scores in.
    As a context manager it is stopped on leaving.
    """

    def __init__(
        self,
        instance: Path,
        *arguments: str,
        surroundings: Mapping[str, str] | None = None,
        program: Sequence[str] = ("webapp",),
        installed: Path | None = None,
        alone: bool = False,
    ) -> None:
        """Start it on a free port, unless the arguments name one, and wait until it answers.

        `program` is the Python module to run, and what comes before the arguments; `installed` is
        another command than the checkout's, and is started outside of it; `alone`, it imports all
        that it needs itself, which takes a second.
        """
        instance.mkdir(parents=True, exist_ok=True)
        self.instance = instance
        self.log = instance / "server.log"
        if "--port" not in arguments:
            arguments = ("--port", "0", *arguments)
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        kept |= QUIET | {"LAYDOWN_INSTANCE": str(instance)} | dict(surroundings or {})
        with self.log.open("wb") as log:
            self.process = (
                _start_alone([installed, *arguments], instance, kept, log)
                if installed
                else _start_alone([sys.executable, "-m", *program, *arguments], ROOT, kept, log)
                if alone
                else Process([*program, *arguments], cwd=ROOT, env=kept, stdout=log, stderr=log)
            )
        self.url = self._wait_for_url()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.url.rpartition(":")[2])

    def said(self) -> str:
        """Answer all that it has printed."""
        return self.log.read_text(errors="replace")

    def stop(self) -> int:
        """Ask it to stop, as a service manager would; answers its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        """End it and its workers as a pulled plug would: without a word."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=PATIENCE)

    def __enter__(self) -> Self:
        """Start nothing: it runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    def _wait_for_url(self) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            found = re.search(r"Laydown is running at (http://\S+?)/\n", self.said())
            if found:
                return found[1]
            time.sleep(0.02)
        if self.process.poll() is None:
            self.kill()
        message = f"The server did not come up. It said:\n{self.said()}"
        raise RuntimeError(message)


def _start_alone(
    command: Sequence[str | Path], folder: Path, surroundings: Mapping[str, str], log: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start a process that shares nothing with others, in a session of its own."""
    return subprocess.Popen(
        command, cwd=folder, env=surroundings, stdout=log, stderr=log, start_new_session=True
    )
