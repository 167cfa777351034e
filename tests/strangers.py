"""First starts on a machine that has nothing but a Python: what comes of them, and how soon.

    python3 -m tests.strangers                        the Python that runs this
    python3 -m tests.strangers python3.12 python3.9   these, one after the other
    python3 -m tests.strangers /srv/sid:python3.15    one on another system, as debootstrap makes it

Each has a home folder of its own, an unpacked copy of what is committed in a folder with a space
and an umlaut, and is started twice: the second time without a network. After that come those who
install it, where there is what they do it with. Nothing is kept.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from webapp._bootstrap import UV, _uv

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT: Final = Path(__file__).resolve().parent.parent

PATIENCE: Final = 180
"""Seconds that a start may take, and each step before it."""

KEPT: Final = ("SSL_CERT_FILE", "PIP_CERT", "HTTPS_PROXY", "UV_DEFAULT_INDEX", "PIP_INDEX_URL")
"""What says how to reach a package registry from here, and stays."""

AWAY: Final = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
"""Settings with which no network is reached."""

SITUATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "as it is": {},
    "only ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0"},
    "pip told otherwise": {"PIP_USER": "1", "PIP_REQUIRE_VIRTUALENV": "1"},
    "no network": AWAY,
}
"""In which a checkout is started."""

CHECKOUT: Final = "Mein Rommé"

STARTED: Final = (("{python}", "-m", "webapp"),)
"""What starts a checkout; names in braces are filled in for each stranger."""

WAYS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "the wheel": (
        ("{python}", "-m", "venv", "{home}/own"),
        ("{home}/own/bin/pip", "install", "--quiet", "{wheel}"),
        ("{home}/own/bin/laydown",),
    ),
    "uvx": (
        ("{python}", "-m", "pip", "install", "--quiet", "--target", "{home}/uv", UV),
        ("{home}/uv/bin/uvx", "--python", "{python}", "--from", "{checkout}", "laydown"),
    ),
    "pipx": (
        ("pipx", "install", "--quiet", "--python", "{python}", "{checkout}"),
        ("{home}/.local/bin/laydown",),
    ),
}
"""How it is installed: commands, the last of which starts it."""


@dataclass(frozen=True)
class Stranger:
    """A Python, on a system that is this one or lies in a folder of it."""

    python: str
    system: Path = Path("/")


@dataclass(frozen=True)
class Visit:
    """A stranger's folder for two starts, with a home, the checkout and the wheel in it."""

    stranger: Stranger
    folder: Path
    settings: Mapping[str, str]

    @property
    def here(self) -> str:
        """The folder as its own system names it."""
        return f"/{self.folder.relative_to(self.stranger.system)}"

    def begin(self, words: Sequence[str], **settings: str) -> subprocess.Popen[bytes]:
        """Begin a command in the checkout; what it says is noted."""
        given = {
            "python": self.stranger.python,
            "home": f"{self.here}/home",
            "checkout": f"{self.here}/{CHECKOUT}",
            "wheel": f"{self.here}/{next(self.folder.glob('*.whl')).name}",
        }
        command = ["env", "-C", given["checkout"], *(word.format_map(given) for word in words)]
        if self.stranger.system != Path("/"):
            command = ["chroot", str(self.stranger.system), *command]
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        home = {"HOME": given["home"], "PATH": os.environ["PATH"]}
        with self.log.open("ab") as said:
            return subprocess.Popen(
                command, env={**home, **kept, **self.settings, **settings}, stdout=said, stderr=said
            )

    @property
    def log(self) -> Path:
        """What the commands said."""
        return self.folder / "log"

    def tell(self, which: str, commands: Sequence[Sequence[str]], **settings: str) -> None:
        """Start once, and print what came of it after how many seconds."""
        self.log.write_bytes(b"")
        begun = time.monotonic()
        *before, start = commands
        installed = all(self.begin(words, **settings).wait(PATIENCE) == 0 for words in before)
        up = installed and self._comes_up(self.begin([*start, "--port", "0"], **settings))
        took = time.monotonic() - begun
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines() or ["nothing"]
        print(f"  {which} {took:5.1f} s  {'up' if up else lines[-1]}", flush=True)

    def _comes_up(self, app: subprocess.Popen[bytes]) -> bool:
        """Wait until it can be reached, then stop it."""
        until = time.monotonic() + PATIENCE
        up = False
        while not up and app.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
            up = b"Laydown is at" in self.log.read_bytes()
        app.terminate()
        app.wait()
        return up


def main(asked: Sequence[str]) -> None:
    """Print what came of each start."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as built:
        build = [_uv(), "build", "--quiet", "--wheel", "--out-dir", built, str(ROOT)]
        subprocess.run(build, check=True)
        [wheel] = Path(built).glob("*.whl")
        for name in asked or (sys.executable,):
            system, _, python = name.rpartition(":")
            stranger = Stranger(python, Path(system or "/"))
            for situation, settings in SITUATIONS.items():
                print(f"{name}, {situation}")
                visit(stranger, STARTED, packed.stdout, wheel, settings)
            for way, commands in WAYS.items():
                print(f"{name}, {way}")
                visit(stranger, commands, packed.stdout, wheel, {})


def visit(
    stranger: Stranger,
    commands: Sequence[Sequence[str]],
    packed: bytes,
    wheel: Path,
    settings: Mapping[str, str],
) -> None:
    """Start in one way, then once more without a network, and throw it all away."""
    with tempfile.TemporaryDirectory(dir=stranger.system / "tmp") as folder:
        here = Path(folder)
        (here / "home").mkdir()
        shutil.copy(wheel, here)
        with tarfile.open(fileobj=BytesIO(packed)) as tar:
            tar.extraction_filter = getattr(tarfile, "data_filter", None)
            tar.extractall(here / CHECKOUT)  # noqa: S202 - our own
        made = Visit(stranger, here, settings)
        made.tell("first", commands)
        made.tell("again", commands[-1:], **AWAY)


if __name__ == "__main__":
    main(sys.argv[1:])
