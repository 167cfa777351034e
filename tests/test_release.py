"""What is released can be installed anywhere: a wheel and a source archive, whole by themselves.

The wheel is built from the archive, so that what the archive lacks, the wheel lacks too. pip builds
it, in an environment that has what the archive says it is built with, and nothing else.
"""

import os
import re
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.servers import Laydown
from webapp._bootstrap import ROOT, _uv

pytestmark = pytest.mark.release

SETTINGS = ("DATABASE_URL", "LAYDOWN_INSTANCE", "VIRTUAL_ENV", "PYTHONPATH")
"""What a developer may have in the environment, and somebody who installs Laydown has not."""

STRANGER = "raise RuntimeError('somebody else has this name')\n"

PIP = "pip==26.3"
PIPX = "pipx==1.18.4"

HAND = "put=1&step=2&hand=7C+7D+7H+4D+5D+2S+7D+KD+KH+AC+8H"
"""A hand that can be laid down, as a question for advice."""


def surroundings(**settings: str) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name not in SETTINGS},
        **settings,
    }


def run(*command: str | Path, **settings: str) -> str:
    """Run a command outside the checkout; answers what it printed, and fails where it fails."""
    done = subprocess.run(
        command,
        cwd="/",
        env=surroundings(**settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def uv() -> str:
    return _uv()


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive."""
    folder = tmp_path_factory.mktemp("archive")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="session")
def wheel(uv: str, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as pip builds it of nothing but what is in the archive."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (uv, "tool", "run", "--from", PIP, "pip", "wheel", "--quiet", "--no-deps")
    run(*pip, "--wheel-dir", folder, archive)
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="session")
def laydown(uv: str, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, installed where strangers have the names `webapp` and `referee`."""
    environment = tmp_path_factory.mktemp("somebody's élan") / "environment"
    run(uv, "venv", "--quiet", "--python", sys.executable, environment)
    run(uv, "pip", "install", "--quiet", "--python", environment, wheel)
    [packages] = environment.glob("lib/python3*/site-packages")
    for name in ("webapp", "referee"):
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text(STRANGER)
    return environment / "bin" / "laydown"


@pytest.mark.longest
@pytest.mark.slow
def test_the_wheel_takes_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()

    assert {name.partition("/")[0] for name in names} == {"laydown", "laydown-0.1.0.dist-info"}
    for folder in ("referee/games", "referee/words", "templates", "static"):
        here = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert here == {
            Path(*Path(name).parts[1:]) for name in names if f"laydown/{folder}/" in name
        }


@pytest.mark.longest
@pytest.mark.slow
def test_an_installed_laydown_keeps_an_evening_with_the_user(laydown: Path, tmp_path: Path) -> None:
    kept, settings = tmp_path / "run", {}
    if sys.platform == "linux":  # each system has its own place for data
        kept, settings = tmp_path / "laydown", {"XDG_DATA_HOME": str(tmp_path)}
        settings["LAYDOWN_INSTANCE"] = ""
    with Laydown(tmp_path / "run", installed=laydown, surroundings=settings) as server:
        evening = Evening(server.url, tables=1)
        evening.start()
        time.sleep(1)
        advised = read(f"{server.url}/desk/mexican-rummy/advice?{HAND}")
        evening.end()
    told = run(laydown, "check", "--data", kept)

    assert evening.stuck == []
    assert check(f"sqlite:///{kept / 'laydown.db'}", evening.diary) == []
    assert 'id="rule"' in advised, "a worker found the best play"
    assert "Every game is in order." in told
    assert str(kept / "laydown.db") in server.said()
    assert "Traceback" not in server.said()


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode())


@pytest.mark.longest
@pytest.mark.slow
def test_uvx_runs_a_checkout(uv: str) -> None:
    # Else it might be what was built of it some time ago.
    fresh = "--refresh-package=laydown"

    assert "--lan" in run(uv, "tool", "run", fresh, "--from", ROOT, "laydown", "--help")


@pytest.mark.longest
@pytest.mark.slow
def test_pipx_installs_a_checkout(uv: str, tmp_path: Path) -> None:
    places = {f"PIPX_{name}": str(tmp_path / name) for name in ("HOME", "BIN_DIR", "MAN_DIR")}
    # With uv, as for everybody who has one: with pip, pipx would fetch all of it once more.
    path = f"{Path(uv).parent}{os.pathsep}{os.environ['PATH']}"
    pipx = (uv, "tool", "run", "--from", PIPX, "pipx", "install", "--quiet", "--backend", "uv")
    run(*pipx, ROOT, PATH=path, **places)

    assert "--lan" in run(tmp_path / "BIN_DIR" / "laydown", "--help")


@pytest.mark.longest
@pytest.mark.slow
def test_those_who_look_releases_over_find_nothing(
    archive: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path / "archive", filter="data")
    [unpacked] = (tmp_path / "archive").iterdir()

    assert "PASSED" in run(sys.executable, "-m", "twine", "check", "--strict", archive, wheel)
    rated = run(sys.executable, "-m", "pyroma", unpacked)
    found = re.search(r"rating: (\d+)/10", rated)
    assert found
    assert int(found[1]) >= 9, rated
