"""Set up a bare machine to run the project: Python and pip are all that it needs.

`python3 -m webapp` and `python3 -m tests` start here. Outside the project's own environment they
have uv make it, and start again inside it. uv is found on the machine, or pip puts it into
`instance/.tools`; `pip --target` works even where a distribution has closed its Python to pip and
has no `venv`. The environment has a note of what it was made from, so that a later start needs
neither uv nor a network.

Python 3.7 must be able to read this module, because uv then looks for a newer Python; and it can
only import the standard library. That is why the first import turns annotations into text.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

PROJECT = ROOT / "pyproject.toml"
"""The project file; an installed package has none, and its dependencies are installed with it."""

TOOLS = ROOT / "instance" / ".tools"
"""The tools that were downloaded to set the project up; they can be deleted at any time."""

ENVIRONMENT = ROOT / (os.environ.get("UV_PROJECT_ENVIRONMENT") or ".venv")
"""The project's own Python environment."""

NOTE = ENVIRONMENT / "laydown.json"
"""What the environment was made from: a hash of pyproject.toml (`project`), and uv’s options for
the dependency groups and extras in it (`options`). Empty until the environment is complete."""

UV = "uv==0.13.8"
OLDEST_UV = (0, 8)
"""The oldest uv with the features that are used here."""

OLDEST = (3, 11)
"""The oldest Python that the project runs on."""

NEWER = ">=3.11,<3.16"
"""The Python that uv looks for, or downloads, if this one is too old: one that there are wheels
for."""

POSTGRES = "postgres"
"""The extra for PostgreSQL."""

FULL = r"no space left|os error (28|112)\b|quota exceeded"
"""A pattern for what uv or pip print when the disk is full, and not the network at fault."""


def enter(module: str, *, group: str | None = None) -> None:
    """Return if this is inside the project's environment; otherwise start `module` again inside it.

    `group` names a dependency group of pyproject.toml that the environment needs as well. The
    module gets this command line’s arguments. An installed package counts as inside, whatever its
    environment. If the machine can’t be set up, the process ends with a sentence that says why.
    """
    if PROJECT.exists() and Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        _come_in(module, _wanted(group))


def report(text: str) -> None:
    """Print something at once; if nobody reads it any more, continue silently."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        fall_silent()


def fall_silent() -> None:
    """Discard everything that is printed from now on: nobody reads it any more (`| head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _come_in(module: str, options: list[str]) -> None:
    """Set up what is wanted and start a module inside; or end with a sentence."""
    command = [str(_python()), "-m", module, *sys.argv[1:]]
    try:
        _set_up(options)
        sys.stdout.flush()
        if os.name == "nt":
            # On Windows exec returns to the shell at once, so the shell and the app share the
            # console.
            sys.exit(_wait_for(command))
        os.execve(command[0], command, _inside())  # noqa: S606 - our own command
    except OSError as error:
        sys.exit(f"Laydown can't use {error.filename or ROOT}: {error.strerror or error}.")
    except KeyboardInterrupt:
        sys.exit("\nStopped before Laydown was set up. Start it again to finish.")


def _wait_for(command: list[str]) -> int:
    """Run a command to its end, also if Ctrl+C asks it to stop; return its exit status."""
    running = subprocess.Popen(command, env=_inside())  # noqa: S603 - our own command
    while running.returncode is None:
        with suppress(KeyboardInterrupt):
            running.wait()
    return running.returncode


def _wanted(group: str | None) -> list[str]:
    """Return uv’s options for what this start needs in addition to the app."""
    options = [f"--group={group}"] if group else []
    # A database can be named by the environment, and by `move --to`.
    named = [os.environ.get("DATABASE_URL", ""), *sys.argv[1:]]
    postgres = any(re.match(r"(--to=)?postgres(ql)?(\+\w+)?:", each) for each in named)
    if postgres:
        options.append(f"--extra={POSTGRES}")
    return options


def _set_up(options: list[str]) -> None:
    """Make the environment, or add to it, so that it has everything that `options` ask for.

    A complete environment is only added to, and its note stays as it is until that is done: an app
    that ran yesterday runs today without a network, whatever else was requested in between. If a
    download fails, the program ends with a sentence. Raises OSError if a file can’t be written.
    """
    project = hashlib.sha256(PROJECT.read_bytes()).hexdigest()
    made = _made()
    there = made["options"] if made else []
    if made and made["project"] == project and set(options) <= set(there):
        return
    if made and made["project"] == project:
        report("Downloading what else this needs. This happens once.")
    elif made:
        report("Setting up again, because something has changed since last time.")
    elif NOTE.exists():
        report("Setting up again, because it wasn't finished last time.")
    else:
        report("Setting up. This happens once and takes a few seconds.")
    options = sorted({*options, *there})
    uv = _uv()
    if not made:
        _make(uv)
    fill = [uv, "pip", "install", "--python", str(ENVIRONMENT), "--requirements", str(PROJECT)]
    _have(
        [*fill, *options],
        "Laydown couldn't download what it needs. Connect to the network and try again.",
    )
    whole = NOTE.with_suffix(".part")
    whole.write_text(json.dumps({"project": project, "options": options}), encoding="utf-8")
    whole.replace(NOTE)


def _made() -> dict[str, Any] | None:
    """Return the contents of the note; None if there is no environment, or an incomplete one."""
    try:
        made = json.loads(NOTE.read_text(encoding="utf-8"))
        # Without this file Python wouldn't know that it is inside.
        is_whole = _python().exists() and (ENVIRONMENT / "pyvenv.cfg").exists()
        return made if is_whole and {"project", "options"} <= set(made) else None
    except (OSError, TypeError, ValueError):
        return None


def _make(uv: str) -> None:
    """Make the environment, for this Python or, if it’s too old, for a newer one."""
    is_ours = NOTE.exists() or (ENVIRONMENT / "pyvenv.cfg").exists()
    if any(ENVIRONMENT.glob("*")) and not is_ours:
        sys.exit(f"Laydown needs the folder {ENVIRONMENT}, but something else is in it.")
    if ENVIRONMENT.exists():
        shutil.rmtree(str(ENVIRONMENT))
    ENVIRONMENT.mkdir(parents=True)
    NOTE.write_text("", encoding="utf-8")
    make = [uv, "venv", "--allow-existing", str(ENVIRONMENT), "--python"]
    if sys.version_info >= OLDEST:
        _have([*make, sys.executable], "Laydown couldn't create a Python environment.")
    else:
        _have([*make, NEWER], f"{_too_old()} uv couldn't find or download one.")


def _too_old() -> str:
    here = "{}.{}".format(*sys.version_info)
    return f"Laydown needs Python 3.11 or newer, and this is {here}. Install a newer one."


def _have(command: list[str], sentence: str, **settings: str) -> None:
    """Run a command; if it fails, end with a sentence and the reason."""
    done = subprocess.run(  # noqa: S603 - our own command
        command,
        cwd=str(ROOT),
        env={**_surroundings(), **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        lines = [line.strip(" ×╰─▶├│") for line in done.stderr.splitlines()]
        full = [line for line in lines if re.search(FULL, line, re.IGNORECASE)]
        if full:
            sentence = "Laydown couldn't be set up: the disk is full. Make room and try again."
        errors = [line for line in lines if line.lower().startswith("error")]
        reason = [*full, *errors, *filter(None, lines), "It gave no reason."][0]
        sys.exit(f"{sentence} ({reason})")


def _uv() -> str:
    """Return the path of a recent uv; pip downloads one if the machine has none."""
    found = _find_uv()
    if found:
        return found
    TOOLS.mkdir(parents=True, exist_ok=True)
    report("Downloading uv. This happens once.")
    fetch = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    fetch += ["--upgrade", "--target", str(TOOLS), UV]
    failed = (
        f"Laydown couldn't download {UV} with pip. Connect to the network and try again, or "
        "install uv yourself."
    )
    if sys.version_info < OLDEST:
        failed = f"{_too_old()} uv could download one, but pip couldn't download uv."
    elif not find_spec("pip"):
        sys.exit("Laydown needs pip. Install it (Debian: apt install python3-pip) and try again.")
    # It goes into a folder of its own, whatever pip is configured to do elsewhere, and whoever runs
    # it; an old pip doesn’t know the last of these, which it would reject as an option.
    settings = {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_USER": "0", "PIP_ROOT_USER_ACTION": "ignore"}
    _have(fetch, failed, **settings)
    found = _find_uv()
    if not found:
        sys.exit(f"pip downloaded {UV} to {TOOLS}, but it doesn't run on this computer.")
    return found


def _find_uv() -> str | None:
    """Return the path of a working uv that is new enough, on this machine or among our tools."""
    for path in (None, str(TOOLS / "bin")):
        found = shutil.which("uv", path=path)
        if found and _is_new_enough(found):
            return found
    return None


def _is_new_enough(uv: str) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 - only asked for its version
            [uv, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
    except OSError:
        return False
    version = re.match(rb"uv (\d+)\.(\d+)", done.stdout)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_UV


def _python() -> Path:
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _surroundings() -> dict[str, str]:
    """Return the environment variables to set up with."""
    kept = dict(os.environ)
    # If this Python is new enough, use it; uv would look for another one to download.
    kept["UV_PYTHON_DOWNLOADS"] = "never" if sys.version_info >= OLDEST else "automatic"
    # What says where else to install; the last is set by an environment that is not ours.
    for name in ("PIP_PREFIX", "PIP_TARGET", "UV_SYSTEM_PYTHON", "VIRTUAL_ENV"):
        kept.pop(name, None)
    # An empty TMPDIR makes uv leave a lock file in the working directory.
    if not kept.get("TMPDIR"):
        kept.pop("TMPDIR", None)
    # Where Python keeps no compiled files, each start would compile every package again: 5 s.
    if kept.get("PYTHONDONTWRITEBYTECODE"):
        kept.setdefault("UV_COMPILE_BYTECODE", "1")
    if "UV_CACHE_DIR" not in kept and not _has_home():
        kept["UV_CACHE_DIR"] = str(TOOLS / "cache")
    return kept


def _inside() -> dict[str, str]:
    """Return the environment variables to start with, inside."""
    kept = dict(os.environ)
    # If it’s set, Python can’t find the app in the working directory.
    kept.pop("PYTHONSAFEPATH", None)
    # With an ASCII locale, many folders could not be named.
    if sys.getfilesystemencoding() == "ascii":
        kept["PYTHONUTF8"] = "1"
    if Path.cwd() != ROOT:
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), kept.get("PYTHONPATH")]))
    return kept


def _has_home() -> bool:
    """Return whether there can be a cache in the home directory, as uv would have it."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME") or ""
    return os.name == "nt" or (os.path.isdir(home) and os.access(home, os.W_OK))  # noqa: PTH112 - may be ""
