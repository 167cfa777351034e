"""The commands when nobody reads what they print any more, as in `laydown check | head`."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from webapp._bootstrap import ROOT

pytestmark = pytest.mark.slow

PATIENCE = 60
"""Seconds after which a command hangs: one of 2 s took 20 beside the longest of the other tests."""


@pytest.fixture
def pipe() -> Iterator[int]:
    """A pipe whose reader is gone, as `head` is once it has its lines."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def start(pipe: int, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        # Else each line would be written at once, and none be left for the end.
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stdout=pipe,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_reader_who_has_seen_enough_is_not_an_error(
    pipe: int, tmp_path: Path, migrated_sqlite: Path
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "laydown.db")
    with start(pipe, "webapp", "--data", tmp_path, "check") as command:
        _, said = command.communicate(timeout=PATIENCE)

    assert (command.returncode, said) == (1, "")


def test_phones_are_served_on(pipe: int, tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with start(pipe, "webapp", "--data", tmp_path, "--port", str(port)) as server:
        try:
            answered = up_at_last(port)
        finally:
            server.terminate()
        _, said = server.communicate(timeout=PATIENCE)

    assert answered == 200
    assert server.returncode == 0
    assert "Error" not in said


def up_at_last(port: int) -> int:
    """Ask until there is an answer; its status, or 0 where none came."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/up") as answer:
            return int(answer.status)
        time.sleep(0.05)
    return 0
