"""From a bare machine to a running app: the way in, and the sentences where there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webapp import _bootstrap


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that was never set up; answers where its tools would be."""
    monkeypatch.setattr(_bootstrap, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(_bootstrap, "TOOLS", tmp_path / "instance" / ".tools")
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    return tmp_path / "instance" / ".tools"


def test_inside_the_environment_it_does_nothing() -> None:
    _bootstrap.enter("webapp")


@pytest.mark.usefixtures("outside")
def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_bootstrap, "OLDEST", (99, 0))

    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        _bootstrap.enter("webapp")


def test_a_folder_that_cannot_be_written_is_a_sentence(outside: Path) -> None:
    outside.parent.write_text("a file where a folder should be")

    with pytest.raises(SystemExit, match="cannot write there"):
        _bootstrap.enter("webapp")


@pytest.mark.usefixtures("outside")
def test_a_machine_without_pip_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.call", lambda *_, **__: 1)

    with pytest.raises(SystemExit, match="apt install python3-pip"):
        _bootstrap.enter("webapp")


@pytest.mark.skipif(os.name != "posix", reason="the process is not replaced elsewhere")
@pytest.mark.usefixtures("outside")
def test_the_command_line_goes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setattr("shutil.which", lambda *_, **__: "/found/uv")
    monkeypatch.setattr(sys, "argv", ["webapp", "--lan"])
    monkeypatch.setenv("TMPDIR", "")
    monkeypatch.setattr("os.execve", lambda _, command, env: started.append((command, env)))

    _bootstrap.enter("webapp", group="test")

    [(command, surroundings)] = started
    assert command[:2] == ["/found/uv", "run"]
    assert command[command.index("--python") + 1] == sys.executable
    assert command[command.index("--group") + 1] == "test"
    assert command[-4:] == ["python", "-m", "webapp", "--lan"]
    assert surroundings["UV_PYTHON_DOWNLOADS"] == "never"
    assert "TMPDIR" not in surroundings


@pytest.mark.slow
def test_another_python_finds_its_way_in() -> None:
    outside = getattr(sys, "_base_executable", sys.executable)
    done = subprocess.run(
        [outside, "-m", "webapp", "--help"],
        cwd=_bootstrap.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "usage: laydown" in done.stdout
