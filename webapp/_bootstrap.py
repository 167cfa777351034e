"""Bring a bare machine to where the project runs: Python and pip are all that it needs.

`python3 -m webapp` and `python3 -m tests` come through here. Outside the project's own environment
they have uv make it, and start again inside it. uv itself is found on the machine, or put into
`instance/.tools` by pip; `pip --target` is used because it works where a distribution has closed
its Python to pip and has no `venv`. What the environment was made from is noted in it, so that a
later start needs neither uv nor a network.

This module must also be readable by Python 3.7, for which uv looks for a newer one, and may import
nothing but the standard library.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

PROJECT = ROOT / "pyproject.toml"
"""What the project needs; an installed package has none, and finds what it needs beside itself."""

TOOLS = ROOT / "instance" / ".tools"
"""What was fetched to set the project up; may be deleted at any time."""

ENVIRONMENT = ROOT / os.environ.get("UV_PROJECT_ENVIRONMENT", ".venv")
"""The project's own Python environment."""

NOTE = "laydown.json"
"""The file in the environment that says what it was made from; empty until it is whole."""

UV = "uv==0.13.8"
OLDEST_UV = (0, 8)
"""The oldest uv that does what is asked of it here."""

OLDEST = (3, 11)
"""The oldest Python that the project runs on."""

NEWER = ">=3.11,<3.16"
"""What uv looks for, or fetches, where this Python is too old: one that there are wheels for."""

POSTGRES = "postgres"
"""The extra that speaks to a PostgreSQL."""


class SetUpError(Exception):
    """The machine lacks something that only its owner can give it; the sentence says what."""


@dataclass
class Made:
    """What an environment was made from, and with what beyond the app itself."""

    project: str
    """A hash of pyproject.toml."""
    python: str
    """The Python that asked for it, and its version."""
    options: list[str]
    """uv's options for the dependency groups and extras that are in it."""


def enter(module: str, *, group: str | None = None) -> None:
    """Return inside the project's environment; outside it, start `module` again inside.

    `group` names a dependency group of pyproject.toml that is wanted too. The command line's
    arguments go along. An installed package is inside wherever it is. Ends the process with one
    sentence where the machine cannot be set up.
    """
    if not PROJECT.exists() or Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        return
    try:
        _set_up(_wanted(group))
    except SetUpError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("\nStopped before Laydown was set up. Start it again to finish.")
    command = [str(_python()), "-m", module, *sys.argv[1:]]
    sys.stdout.flush()
    if os.name == "nt":
        # On Windows exec returns to the shell at once, so the shell and the app share the console.
        sys.exit(_wait_for(command))
    os.execve(command[0], command, _inside())  # noqa: S606 - our own command


def tell(text: str) -> None:
    """Print something at once, unless nobody reads it any more: what is done goes on."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        fall_silent()


def fall_silent() -> None:
    """Let what is printed go nowhere from here on: whoever read it has seen enough (`| head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _wait_for(command: list[str]) -> int:
    """Run a command to its end, which Ctrl+C asks it for as well; answers its exit status."""
    running = subprocess.Popen(command, env=_inside())  # noqa: S603 - our own command
    while True:
        try:
            return running.wait()
        except KeyboardInterrupt:
            continue


def _wanted(group: str | None) -> Made:
    options = [f"--group={group}"] if group else []
    # A database can be named by the environment, and by `move --to`.
    named = [os.environ.get("DATABASE_URL", ""), *(each.split("=")[-1] for each in sys.argv[1:])]
    if any(each.startswith(("postgres:", "postgresql:", "postgresql+")) for each in named):
        options.append(f"--extra={POSTGRES}")
    version = ".".join(str(number) for number in sys.version_info[:3])
    return Made(
        project=hashlib.sha256(PROJECT.read_bytes()).hexdigest(),
        python=f"{Path(sys.executable).resolve()} {version}",
        options=options,
    )


def _set_up(wanted: Made) -> None:
    """See to it that the environment is there, and holds what is wanted."""
    note = ENVIRONMENT / NOTE
    was_begun, made = note.exists(), _made(note)
    keeps = made is not None and made.python == wanted.python
    if made and keeps and made.project == wanted.project:
        if set(wanted.options) <= set(made.options):
            return
        wanted.options = sorted({*wanted.options, *made.options})
    if made:
        tell("Setting up again, because something has changed since last time.")
    elif was_begun:
        tell("Setting up again, because it wasn't finished last time.")
    else:
        tell("Setting up. This happens once and takes a few seconds.")
    _begin(note, keeps=keeps)
    uv = _uv()
    if not keeps:
        _make(uv)
    fill = [uv, "pip", "install", "--python", str(ENVIRONMENT)]
    fill += ["--requirements", str(PROJECT), *wanted.options]
    _have(fill, "Laydown couldn't download what it needs. Connect to the network and try again.")
    whole = note.with_suffix(".part")
    whole.write_text(json.dumps(asdict(wanted)), encoding="utf-8")
    whole.replace(note)


def _made(note: Path) -> Made | None:
    """What the environment was made from; None if there is none, or half of one."""
    try:
        return Made(**json.loads(note.read_text(encoding="utf-8"))) if _python().exists() else None
    except (OSError, TypeError, ValueError):
        return None


def _begin(note: Path, *, keeps: bool) -> None:
    """Note that the environment is not whole, and empty it unless it is to be kept."""
    is_ours = note.exists() or (ENVIRONMENT / "pyvenv.cfg").exists()
    if ENVIRONMENT.exists() and not is_ours:
        message = f"Laydown needs the folder {ENVIRONMENT}, but something else is in it."
        raise SetUpError(message)
    try:
        if is_ours and not keeps:
            shutil.rmtree(str(ENVIRONMENT))
        ENVIRONMENT.mkdir(parents=True, exist_ok=True)
        note.write_text("", encoding="utf-8")
    except OSError as error:
        message = f"Laydown needs to write to {ENVIRONMENT}, but can't: "
        raise SetUpError(f"{message}{error.strerror}.") from error


def _make(uv: str) -> None:
    """Make the environment, for this Python or, where it is too old, for a newer one."""
    make = [uv, "venv", "--allow-existing", str(ENVIRONMENT), "--python"]
    if sys.version_info >= OLDEST:
        _have([*make, sys.executable], "Laydown couldn't create a Python environment.")
    else:
        _have([*make, NEWER], f"{_too_old()} uv couldn't find or download one.")


def _too_old() -> str:
    here = "{}.{}".format(*sys.version_info)
    return f"Laydown needs Python 3.11 or newer, and this is {here}. Install a newer one."


def _have(command: list[str], sentence: str, **settings: str) -> None:
    """Have a command done; raises SetUpError with the sentence, and why it could not be done."""
    try:
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
    except OSError as error:
        raise SetUpError(f"{sentence} ({error})") from error
    if done.returncode != 0:
        lines = [line.strip(" ×╰─▶├│") for line in done.stderr.splitlines()]
        errors = [line for line in lines if line.lower().startswith("error")]
        reason = [*errors, *filter(None, lines), "It gave no reason."][0]
        raise SetUpError(f"{sentence} ({reason})")


def _uv() -> str:
    """The path of a uv that is new enough; where there is none, pip fetches one."""
    for path in (None, str(TOOLS / "bin")):
        found = shutil.which("uv", path=path)
        if found and _is_new_enough(found):
            return found
    try:
        TOOLS.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"Laydown needs to write to {TOOLS}, but can't: {error.strerror}."
        raise SetUpError(message) from error
    tell("Downloading uv. This happens once.")
    fetch = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    fetch += ["--upgrade", "--target", str(TOOLS), UV]
    failed = (
        f"Laydown couldn't download {UV} with pip. Install pip (Debian: apt install python3-pip) "
        "and connect to the network, or install uv yourself."
    )
    if sys.version_info < OLDEST:
        failed = f"{_too_old()} uv could download one, but pip couldn't download uv."
    # It goes into a folder of its own, whatever pip is told to do elsewhere, and whoever runs it;
    # an old pip does not know the last of these, which as an option it would refuse.
    settings = {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_USER": "0", "PIP_ROOT_USER_ACTION": "ignore"}
    _have(fetch, failed, **settings)
    found = shutil.which("uv", path=str(TOOLS / "bin"))
    if not found:
        message = f"pip downloaded {UV} to {TOOLS}, but it doesn't run on this computer."
        raise SetUpError(message)
    return found


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
    """The environment variables to set up with."""
    kept = dict(os.environ)
    # A Python that is new enough is the one to use; uv would look for another one to download.
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
    """The environment variables to start with, inside."""
    kept = dict(os.environ)
    # Set, it keeps Python from finding the app in the working directory.
    kept.pop("PYTHONSAFEPATH", None)
    # Where only ASCII is spoken, many a folder could not be named.
    if sys.getfilesystemencoding() == "ascii":
        kept["PYTHONUTF8"] = "1"
    if Path.cwd() != ROOT:
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), kept.get("PYTHONPATH")]))
    return kept


def _has_home() -> bool:
    """Whether a cache can be kept in the home directory, as uv would."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME") or ""
    return os.name == "nt" or (os.path.isdir(home) and os.access(home, os.W_OK))  # noqa: PTH112 - may be ""
