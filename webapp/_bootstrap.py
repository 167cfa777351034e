"""Bring a bare machine to where the project runs: Python 3.11 and pip are all that it needs.

`python3 -m webapp` and `python3 -m tests` come through here. Outside the project's own
environment they start again inside it, under `uv run`, which makes or refreshes the environment
first; uv itself is found on the machine or put into `instance/.tools` by pip. `pip --target` is
used because it works where a distribution has closed its Python to pip and has no `venv`.

This module alone must also be readable by an older Python, which is told in a sentence that it is
too old, and may import nothing but the standard library.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

TOOLS = ROOT / "instance" / ".tools"
"""What was fetched to set the project up; may be deleted at any time."""

ENVIRONMENT = ROOT / os.environ.get("UV_PROJECT_ENVIRONMENT", ".venv")
"""The project's own Python environment, made and kept by uv."""

UV = "uv==0.13.8"
OLDEST = (3, 11)
"""The oldest Python that the project runs on."""


class SetUpError(Exception):
    """The machine lacks something that only its owner can give it; the sentence says what."""


def enter(module: str, *, group: str | None = None) -> None:
    """Return inside the project's environment; outside it, start `module` again inside.

    `group` names a dependency group of pyproject.toml that is wanted too. The command line's
    arguments go along. Ends the process with one sentence where the machine cannot be set up.
    """
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        return
    try:
        command = [_uv(), *_run(group), "python", "-m", module, *sys.argv[1:]]
    except SetUpError as error:
        sys.exit(str(error))
    sys.stdout.flush()
    if os.name == "nt":
        # On Windows exec returns to the shell at once, so the shell and the app share the console.
        sys.exit(subprocess.call(command, env=_surroundings()))  # noqa: S603 - our own command
    os.execve(command[0], command, _surroundings())  # noqa: S606 - our own command


def _run(group: str | None) -> list[str]:
    new = not ENVIRONMENT.exists()
    if new:
        print("Setting up, once. This takes a few seconds.", flush=True)
    return [
        "run",
        *([] if new else ["--quiet"]),
        *("--project", str(ROOT)),
        *("--python", sys.executable),
        *(["--group", group] if group else []),
    ]


def _uv() -> str:
    """Find uv, or have pip fetch it; answers its path."""
    if sys.version_info < OLDEST:
        message = "Laydown needs Python 3.11 or newer; this is {}.{}.".format(*sys.version_info)
        raise SetUpError(message)
    found = shutil.which("uv") or shutil.which("uv", path=str(TOOLS / "bin"))
    if found:
        return found
    try:
        TOOLS.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"Laydown sets itself up in {TOOLS}, and cannot write there: {error.strerror}."
        raise SetUpError(message) from error
    print("Fetching uv, once.", flush=True)
    fetch = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    fetch += ["--root-user-action=ignore", "--upgrade", "--target", str(TOOLS), UV]
    if subprocess.call(fetch) != 0:  # noqa: S603 - our own command
        message = (
            f"Laydown could not fetch {UV} with pip. It needs pip (Debian: apt install "
            "python3-pip) and a way to the package registry, once; or install uv yourself."
        )
        raise SetUpError(message)
    found = shutil.which("uv", path=str(TOOLS / "bin"))
    if not found:
        message = f"pip put {UV} into {TOOLS}, but there is no program in it that runs here."
        raise SetUpError(message)
    return found


def _surroundings() -> dict[str, str]:
    """The environment variables to start uv with."""
    kept = dict(os.environ)
    # The Python that runs this is the one to use; uv would look for one to download.
    kept["UV_PYTHON_DOWNLOADS"] = "never"
    # Set by an activated environment that is not ours; uv would warn about it every time.
    kept.pop("VIRTUAL_ENV", None)
    # An empty TMPDIR makes uv leave a lock file in the working directory.
    if not kept.get("TMPDIR"):
        kept.pop("TMPDIR", None)
    # Where Python keeps no compiled files, each start would compile every package again: 5 s.
    if kept.get("PYTHONDONTWRITEBYTECODE"):
        kept.setdefault("UV_COMPILE_BYTECODE", "1")
    if "UV_CACHE_DIR" not in kept and not _has_home():
        kept["UV_CACHE_DIR"] = str(TOOLS / "cache")
    return kept


def _has_home() -> bool:
    """Whether a cache can be kept in the home directory, as uv would."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME") or ""
    return os.name == "nt" or (os.path.isdir(home) and os.access(home, os.W_OK))  # noqa: PTH112 - may be ""
