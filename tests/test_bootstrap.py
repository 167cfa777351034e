"""From a bare machine to a running app: the way in, and the sentences where there is none.

The checkout is a copy of what the way in reads, in a folder with a space and an umlaut; uv is a
script that notes what it is asked, and makes an environment whose Python says how it was started.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

import pytest

from webapp import _bootstrap

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the programs here are shell scripts"),
    pytest.mark.slow,
]

UV = """\
#!/bin/sh
case "$1" in
  --version) echo "uv ${UV_SAYS:-0.13.8} (somewhere)"; exit ;;
esac
echo "$@" >> "$NOTES"
case "$1" in
  venv)
    mkdir -p "$3/bin"
    touch "$3/pyvenv.cfg"
    cat > "$3/bin/python" <<'END'
#!/bin/sh
echo "inside: $*; ${PYTHONSAFEPATH-loose}$PYTHONPATH${PYTHONUTF8+ utf8=$PYTHONUTF8}"
END
    chmod +x "$3/bin/python" ;;
  pip)
    [ -z "$UV_HANGS" ] || { touch "$NOTES.hangs"; sleep 60; }
    [ -z "$UV_FAILS" ] || { echo "$UV_FAILS" >&2; exit 1; } ;;
esac
"""

OURS = ("DATABASE_URL", "TMPDIR", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH")


@dataclass
class Machine:
    """A checkout that was never set up, and what programs there are beside it."""

    folder: Path

    @property
    def checkout(self) -> Path:
        return self.folder / "Ünsere Karten"

    @property
    def programs(self) -> Path:
        return self.folder / "bin"

    def asked(self) -> list[str]:
        """What uv was asked since this was last wanted to be known."""
        notes = self.folder / "notes"
        lines = notes.read_text().splitlines() if notes.exists() else []
        notes.unlink(missing_ok=True)
        return lines

    def command(self, *arguments: str, python: str = sys.executable) -> list[str]:
        return [python, *(arguments or ("-m", "webapp"))]

    def surroundings(self, **settings: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        path = {"PATH": f"{self.programs}:/usr/bin:/bin", "NOTES": str(self.folder / "notes")}
        return {**kept, **path, **settings}

    def start(
        self,
        *arguments: str,
        python: str = sys.executable,
        folder: str | Path = "",
        **settings: str,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments, python=python),
            cwd=folder or self.checkout,
            env=self.surroundings(**settings),
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    """A machine without uv."""
    machine = Machine(tmp_path)
    package = machine.checkout / "webapp"
    package.mkdir(parents=True)
    machine.programs.mkdir()
    shutil.copy(_bootstrap.PROJECT, machine.checkout)
    (machine.checkout / "tests").mkdir()
    for name in _READ:
        shutil.copy(_bootstrap.ROOT / name, machine.checkout / name)
    return machine


_READ = (
    *(f"webapp/{name}.py" for name in ("__init__", "__main__", "_bootstrap")),
    *(f"tests/{name}.py" for name in ("__init__", "__main__")),
)
"""What is read before there is an environment."""


@pytest.fixture
def machine(bare: Machine) -> Machine:
    """A machine with uv."""
    uv = bare.programs / "uv"
    uv.write_text(UV)
    uv.chmod(0o755)
    return bare


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that was said to somebody whose machine cannot be set up."""
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("Laydown ")
    return line


def test_inside_the_environment_it_does_nothing() -> None:
    _bootstrap.enter("webapp")


def test_what_was_set_up_once_is_started_without_uv(machine: Machine) -> None:
    first = machine.start("-m", "webapp", "--lan")
    asked = machine.asked()
    (machine.programs / "uv").unlink()
    second = machine.start("-m", "webapp", "--port", "0")

    assert first.stdout.splitlines()[-1] == "inside: -m webapp --lan; loose"
    assert "Setting up. This happens once" in first.stdout
    assert [line.split()[0] for line in asked] == ["venv", "pip"]
    assert second.stdout == "inside: -m webapp --port 0; loose\n"
    assert not (machine.checkout / "instance").exists(), "uv was there: nothing was fetched"


def test_it_is_set_up_again_when_the_project_needs_something_else(machine: Machine) -> None:
    machine.start()
    machine.asked()
    with (machine.checkout / "pyproject.toml").open("a") as project:
        project.write("# Another version.\n")

    done = machine.start()

    assert "Setting up again" in done.stdout
    assert [line.split()[0] for line in machine.asked()] == ["pip"]
    assert machine.start().stdout == "inside: -m webapp; loose\n"


def test_a_postgresql_is_spoken_to_only_if_there_is_one(machine: Machine) -> None:
    machine.start()
    without = machine.asked()
    machine.start(DATABASE_URL="postgresql://ana@localhost/laydown")
    beside = machine.asked()
    machine.start()

    assert "--extra=postgres" not in without[-1]
    assert "--extra=postgres" in beside[-1]
    assert machine.asked() == []


def test_what_the_second_command_adds_is_not_called_a_change(machine: Machine) -> None:
    machine.start("-m", "webapp")
    machine.asked()

    done = machine.start("-m", "tests")

    assert "Setting up again" not in done.stdout
    assert "Downloading what else this needs" in done.stdout
    assert "--group=test" in machine.asked()[-1]
    assert machine.start("-m", "webapp").stdout == "inside: -m webapp; loose\n"


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (("-m", "tests"), {}),
        (("-m", "webapp", "move", "--to", "postgresql://ana@localhost/laydown?a=b"), {}),
        (("-m", "webapp", "move", "--to=postgres://ana@localhost/laydown?a=b"), {}),
        (("-m", "webapp"), {"DATABASE_URL": "postgresql+psycopg://ana@localhost/laydown"}),
    ],
    ids=["tests", "move", "move with =", "DATABASE_URL"],
)
def test_an_app_that_works_still_works_after_an_add_on_could_not_be_fetched(
    machine: Machine, arguments: tuple[str, ...], settings: dict[str, str]
) -> None:
    machine.start()
    added = machine.start(*arguments, UV_FAILS="error: dns error", **settings)
    asked = machine.asked()

    assert "network" in sentence(added)
    assert [line.split()[0] for line in asked] == ["venv", "pip", "pip"]
    assert machine.start(UV_FAILS="error: dns error").stdout == "inside: -m webapp; loose\n"


def test_a_newer_version_without_a_network_leaves_the_environment_as_it_is(
    machine: Machine,
) -> None:
    machine.start()
    project = machine.checkout / "pyproject.toml"
    old = project.read_text()
    project.write_text(f"{old}# Another version.\n")

    assert "network" in sentence(machine.start(UV_FAILS="error: dns error"))
    project.write_text(old)
    assert machine.start(UV_FAILS="error: dns error").stdout == "inside: -m webapp; loose\n"


def test_an_environment_that_python_would_not_know_is_made_anew(machine: Machine) -> None:
    machine.start()
    (machine.checkout / ".venv" / "pyvenv.cfg").unlink()
    machine.asked()

    assert machine.start().stdout.endswith("inside: -m webapp; loose\n")
    assert [line.split()[0] for line in machine.asked()] == ["venv", "pip"]


def test_an_environment_of_an_older_release_stays(machine: Machine) -> None:
    machine.start()
    note = machine.checkout / ".venv" / "laydown.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "python": "/usr/bin/python 3.11"}))
    machine.asked()

    assert machine.start().stdout == "inside: -m webapp; loose\n"
    assert machine.asked() == []


def test_a_set_up_that_was_cut_off_is_said_and_done_again(machine: Machine) -> None:
    running = subprocess.Popen(
        machine.command(),
        cwd=machine.checkout,
        env=machine.surroundings(UV_HANGS="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    until = time.monotonic() + 20
    while not (machine.folder / "notes.hangs").exists() and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=120)
    machine.asked()

    done = machine.start()

    assert running.returncode == 1
    assert "Traceback" not in said
    assert "Start it again" in said
    assert "Setting up again, because it wasn't finished last time." in done.stdout
    assert [line.split()[0] for line in machine.asked()] == ["venv", "pip"]
    assert done.stdout.endswith("inside: -m webapp; loose\n")


@pytest.mark.parametrize(
    "why",
    [
        "error: Failed to fetch: a page\n  Caused by: dns error",
        "  × No solution found when resolving dependencies:\n  ╰─▶ flask is not in the cache",
    ],
)
def test_what_cannot_be_fetched_is_a_sentence(machine: Machine, why: str) -> None:
    done = machine.start(UV_FAILS=why)

    assert "network" in sentence(done)


FULL = "[Errno 28] No space left on device"


def test_a_full_disk_is_said_to_be_full(machine: Machine) -> None:
    done = machine.start(UV_FAILS="error: Failed to install\n  Caused by: disk (os error 28)")

    assert "the disk is full" in sentence(done)
    assert "os error 28" in sentence(done)


@pytest.mark.parametrize(
    ("why", "says"),
    [
        (f"ERROR: Exception:\nTraceback\nOSError: {FULL}", ("the disk is full", FULL)),
        ("ERROR: No matching distribution found for uv", ("network", "No matching distribution")),
    ],
    ids=["full", "no network"],
)
def test_if_pip_cannot_fetch_uv_it_is_said_why(
    bare: Machine, why: str, says: tuple[str, ...]
) -> None:
    pip = bare.folder / "modules" / "pip"
    pip.mkdir(parents=True)
    (pip / "__init__.py").touch()
    (pip / "__main__.py").write_text(f"import sys\nsys.exit({why!r})\n")

    said = sentence(bare.start(PYTHONPATH=str(pip.parent)))

    assert [each for each in says if each not in said] == []
    assert "apt install" not in said


@pytest.mark.parametrize("version", ["0.7.22", "0.4.0", "nonsense"])
def test_a_uv_that_is_too_old_is_not_used(machine: Machine, version: str) -> None:
    done = machine.start(UV_SAYS=version)

    # This environment has no pip to fetch another one with.
    assert "apt install python3-pip" in sentence(done)
    assert machine.asked() == []


def test_a_machine_without_pip_shows_what_to_install(bare: Machine) -> None:
    assert "apt install python3-pip" in sentence(bare.start())


@pytest.mark.slow
def test_pip_fetches_uv_whatever_it_is_set_to_elsewhere(bare: Machine) -> None:
    wheels = bare.folder / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "uv-0.13.8-py3-none-any.whl", "w") as wheel:
        program = zipfile.ZipInfo("uv-0.13.8.data/scripts/uv")
        program.external_attr = 0o100755 << 16
        wheel.writestr(program, UV)
        wheel.writestr("uv-0.13.8.dist-info/METADATA", "Name: uv\nVersion: 0.13.8\n")
        wheel.writestr("uv-0.13.8.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("uv-0.13.8.dist-info/RECORD", "")

    done = bare.start(
        python=getattr(sys, "_base_executable", sys.executable),
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(wheels),
        PIP_REQUIRE_VIRTUALENV="1",
        PIP_USER="1",
        PIP_PREFIX="/nowhere",
        PIP_TARGET="/nowhere",
    )

    assert done.stdout.endswith("inside: -m webapp; loose\n"), done.stderr
    assert [line.split()[0] for line in bare.asked()] == ["venv", "pip"]


@pytest.mark.parametrize("settings", [{}, {"PYTHONSAFEPATH": "1"}], ids=["loose", "safe"])
def test_the_folder_can_be_started_from_anywhere(
    machine: Machine, settings: dict[str, str]
) -> None:
    done = machine.start(str(machine.checkout / "webapp"), folder=machine.folder, **settings)

    assert done.stdout.endswith(f"inside: -m webapp; loose{machine.checkout}\n"), done.stderr


def test_a_machine_that_speaks_only_ascii_can_be_set_up(machine: Machine) -> None:
    done = machine.start(LC_ALL="C", PYTHONUTF8="0")

    assert done.stdout.endswith("inside: -m webapp; loose utf8=1\n"), done.stderr


def test_an_old_python_has_uv_bring_a_newer_one(machine: Machine) -> None:
    done = machine.start("-c", AS_OLD)

    assert done.stdout.endswith("inside: -m webapp; loose\n"), done.stderr
    assert machine.asked()[0].endswith(f"--python {_bootstrap.NEWER}")


def test_an_old_python_without_uv_asks_for_a_newer_one(bare: Machine) -> None:
    assert "needs Python 3.11 or newer, and this is 3.9" in sentence(bare.start("-c", AS_OLD))


AS_OLD = """
import runpy, sys
sys.version_info = (3, 9, 2, "final", 0)
sys.argv = ["webapp"]
runpy.run_module("webapp", run_name="__main__")
"""


OLD = [(3, 7), (3, 8), (3, 9)]
"""Pythons that are too old for the app, and can have uv bring a newer one."""


def old_python(version: tuple[int, int]) -> str:
    """The path of an old Python, as pyenv has them; skips the test without one."""
    folder = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = sorted(folder.glob("{}.{}.*/bin/python".format(*version)))
    if not found:
        pytest.skip(f"{folder} has no Python {version[0]}.{version[1]}.")
    return str(found[0])


@pytest.mark.release
@pytest.mark.parametrize("module", ["webapp", "tests"])
@pytest.mark.parametrize("version", OLD)
def test_a_real_old_python_has_uv_bring_a_newer_one(
    machine: Machine, version: tuple[int, int], module: str
) -> None:
    python = old_python(version)

    first = machine.start("-m", module, python=python)
    again = machine.start("-m", module, python=python)

    assert first.stdout.endswith(f"inside: -m {module}; loose\n"), first.stderr
    assert machine.asked()[0].endswith(f"--python {_bootstrap.NEWER}")
    assert again.stdout == f"inside: -m {module}; loose\n"


@pytest.mark.release
@pytest.mark.parametrize("module", ["webapp", "tests"])
@pytest.mark.parametrize("version", [(3, 6), *OLD])
def test_a_real_old_python_without_uv_asks_for_a_newer_one(
    bare: Machine, version: tuple[int, int], module: str
) -> None:
    done = bare.start("-m", module, python=old_python(version), PIP_NO_INDEX="1")

    assert "needs Python 3.11 or newer, and this is {}.{}".format(*version) in sentence(done)


def test_a_folder_that_cannot_be_written_is_a_sentence(machine: Machine) -> None:
    (machine.checkout / ".venv").write_text("a file where a folder should be")

    assert f"can't use {machine.checkout / '.venv'}" in sentence(machine.start())
    assert "/proc/nowhere" in sentence(machine.start(UV_PROJECT_ENVIRONMENT="/proc/nowhere"))


def test_somebody_elses_folder_is_not_emptied(machine: Machine) -> None:
    pictures = machine.folder / "pictures"
    pictures.mkdir()
    (pictures / "holiday.jpg").touch()

    done = machine.start(UV_PROJECT_ENVIRONMENT=str(pictures))

    assert "something else is in it" in sentence(done)
    assert (pictures / "holiday.jpg").exists()


def double_click(machine: Machine, *command: str | Path) -> str:
    """What a window would show that a double-click opens; whoever sees it presses Enter."""
    (machine.programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (machine.programs / "python3").chmod(0o755)
    done = subprocess.run(
        command,
        cwd="/",
        env=machine.surroundings(PYTHONSAFEPATH="1"),
        input="\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr


def test_a_double_click_starts_it_on_linux(machine: Machine) -> None:
    entry = ConfigParser(interpolation=None)
    entry.read(shutil.copy(_bootstrap.ROOT / "Laydown.desktop", machine.checkout))
    shutil.copy(_bootstrap.ROOT / "Laydown.command", machine.checkout)
    # A desktop undoes the backslashes of a string, then those between quotes; shlex leaves "\\$".
    words = shlex.split(entry["Desktop Entry"]["Exec"].replace("\\\\", "\\").replace("\\$", "$"))
    place = str(machine.checkout / "Laydown.desktop")

    said = double_click(machine, *(place if word == "%k" else word for word in words))

    assert "inside: -m webapp --lan --open; loose\n" in said


def test_what_goes_wrong_after_a_double_click_can_be_read(bare: Machine) -> None:
    started = shutil.copy(_bootstrap.ROOT / "Laydown.command", bare.checkout)

    said = double_click(bare, started)

    assert "Laydown needs pip" in said
    assert "Press Enter" in said


def test_a_double_click_on_windows_has_a_script_that_it_reads() -> None:
    script = (_bootstrap.ROOT / "Laydown.bat").read_bytes()

    assert script.count(b"\r\n") == script.count(b"\n")
    assert b"-m webapp --lan --open" in script
