"""Processes of the project's own that have everything imported from the start.

To import the app takes a process more than a second, and the tests start hundreds. So one process
imports it and waits (`python -m tests.forking`); a program that is run is a copy of that one, with
surroundings, folder and output of its own. What begins before the first line of the program, such
as how Python itself is told to speak by its environment, is not tried by a copy.
"""

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Final, NoReturn

from webapp._bootstrap import ROOT

LONGEST: Final = 2**20
"""Bytes that what is to be run, and its surroundings, may take."""


class Process:
    """A program that runs, in a session of its own; to be used as `subprocess.Popen`."""

    def __init__(
        self,
        program: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        stdout: IO[bytes],
        stderr: IO[bytes],
    ) -> None:
        """Start it: the name of a module, and its arguments."""
        asked = json.dumps([list(program), str(cwd), dict(env)]).encode()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            socket.send_fds(
                _waiting()[0], [asked], [stdout.fileno(), stderr.fileno(), theirs.fileno()]
            )
        self._line = ours
        self.args = program
        self.returncode: int | None = None
        self.pid = int(ours.recv(64))

    def poll(self) -> int | None:
        """Answer its exit status, minus the signal that ended it; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and answer its exit status; raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                self.returncode = int(self._line.recv(64))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


@cache
def _waiting() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """The process that has everything imported, started by the first use, and the line to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forking", str(theirs.fileno())],
            cwd=ROOT,
            env=kept,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours, process


def main(line: socket.socket) -> None:
    """Wait for what is to be run, until nobody is there to ask; returns in each copy."""
    # Nobody waits for those who wait for the copies.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        asked, given, *_ = socket.recv_fds(line, LONGEST, 3)
        if not asked:
            sys.exit()
        if not os.fork():
            line.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            program, folder, surroundings = json.loads(asked)
            _begin(program, folder, surroundings, given)
            return
        for each in given:
            os.close(each)


def _begin(program: list[str], folder: str, surroundings: dict[str, str], given: list[int]) -> None:
    """Go on as a program; the process that does so for it stays behind, and tells of its end."""
    output, errors, told = given
    pid = os.fork()
    if pid:
        os.close(output)
        os.close(errors)
        _tell_of(pid, socket.socket(fileno=told))
    os.setsid()
    os.close(told)
    for stream, of_program in ((output, sys.stdout), (errors, sys.stderr)):
        os.dup2(stream, of_program.fileno())
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(surroundings)
    time.tzset()
    sys.argv = program


def _tell_of(pid: int, told: socket.socket) -> NoReturn:
    """Say which process it is, and how it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        told.send(str(pid).encode())
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        told.send(str(status).encode())
    os._exit(0)


def _import_all() -> None:
    """Import what the app imports, and what it imports when it begins to serve."""
    for module in (
        "sqlalchemy.dialects.postgresql.psycopg",
        "sqlalchemy.dialects.sqlite.pysqlite",
        "webapp.cli",
    ):
        import_module(module)
    # What no look for garbage goes through is written by no copy, and so copied for none.
    gc.freeze()


if __name__ == "__main__":
    _import_all()
    main(socket.socket(fileno=int(sys.argv.pop())))
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
