"""First starts on a machine that has nothing but a Python: what comes of them, and how soon.

    python3 -m tests.strangers                        the Python that runs this
    python3 -m tests.strangers python3.12 python3.9   these, one after the other

Each has a home folder of its own, an unpacked copy of what is committed in a folder with a space
and an umlaut, and is started twice: the second time without a network. Nothing is kept.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

PATIENCE: Final = 120
"""Seconds that a start may take."""

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


def main(pythons: Sequence[str]) -> None:
    """Print a line for each start."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    for python in pythons or (sys.executable,):
        for situation, settings in SITUATIONS.items():
            with tempfile.TemporaryDirectory() as folder:
                print(f"{python}, {situation}")
                checkout = Path(folder) / "Mein Rommé"
                with tarfile.open(fileobj=BytesIO(packed.stdout)) as tar:
                    tar.extraction_filter = getattr(tarfile, "data_filter", None)
                    tar.extractall(checkout)  # noqa: S202 - our own
                tell("first", python, checkout, settings)
                tell("again", python, checkout, {**settings, **AWAY})


def tell(which: str, python: str, checkout: Path, settings: Mapping[str, str]) -> None:
    """Start once, and print what came of it after how many seconds."""
    home = checkout.parent / "home"
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    surroundings = {"HOME": str(home), "PATH": os.environ["PATH"], **kept, **settings}
    log = checkout.parent / "log"
    begun = time.monotonic()
    with log.open("wb") as said:
        app = subprocess.Popen(
            [python, "-m", "webapp", "--port", "0"],
            cwd=checkout,
            env=surroundings,
            stdout=said,
            stderr=said,
        )
    while app.poll() is None and b"Laydown is at" not in log.read_bytes():
        if time.monotonic() - begun > PATIENCE:
            break
        time.sleep(0.05)
    took = time.monotonic() - begun
    app.terminate()
    app.wait()
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() or ["nothing"]
    up = any("Laydown is at" in line for line in lines)
    print(f"  {which} {took:5.1f} s  {'up' if up else lines[-1]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
