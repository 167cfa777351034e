"""The files that docs/deploy/ hands out, as far as they can be tried without installing them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from webapp._bootstrap import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.release]

DEPLOY = ROOT / "docs" / "deploy"


@pytest.mark.parametrize("name", ["laydown.service", "houses/laydown.service"])
def test_systemd_takes_the_unit_and_finds_it_well_fenced(name: str, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if not analyze:
        pytest.skip("There is no systemd-analyze on this machine (Debian: apt install systemd).")
    unit = tmp_path / "laydown.service"
    program = shutil.which("true") or "/bin/true"
    # What it starts is not installed here.
    text = (DEPLOY / name).read_text()
    unit.write_text(text.replace("/opt/laydown/.venv/bin/python", program))
    verified = subprocess.run(
        [analyze, "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    fenced = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", unit],
        capture_output=True,
        check=False,
    )

    assert (verified.returncode, verified.stderr) == (0, "")
    assert fenced.returncode == 0


def test_the_image_is_made_of_files_that_are_there_and_of_no_scores() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.*)", text, re.MULTILINE)
        for name in line.split()[:-1]
    ]

    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert not {".", "instance"} & set(copied)
    assert "USER 10001" in text
    assert "/up" in text
    assert "podman build --format docker" in text, "else the health check is left out"


def test_the_services_of_the_compose_file_find_each_other() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    services = set(re.findall(r"^  (\w+):$", text.partition("volumes:\n  data:")[0], re.MULTILINE))

    assert services == {"laydown", "database", "caddy"}
    assert "@database/" in text
    assert "LAYDOWN_AT: laydown:8000" in text
    assert "./Caddyfile:" in text


def test_compose_takes_the_file_and_asks_for_what_it_needs() -> None:
    compose = shutil.which("docker-compose")
    if not compose:
        pytest.skip("There is no docker-compose on this machine (Debian: apt install it).")
    read = [compose, "--file", DEPLOY / "compose.yaml", "config", "--quiet"]
    kept = {"PATH": os.environ["PATH"]}
    settings = {
        "LAYDOWN_NAME": "score.example",
        "LAYDOWN_PASSWORD": "open sesame",
        "POSTGRES_PASSWORD": "sesame",
    }

    def status(**given: str) -> int:
        done = subprocess.run(read, env=kept | given, capture_output=True, check=False)
        return done.returncode

    assert status(**settings) == 0
    for name in settings:
        assert status(**{other: value for other, value in settings.items() if other != name}) != 0


def test_the_files_for_houses_name_the_same_settings() -> None:
    compose = (DEPLOY / "houses" / "compose.yaml").read_text()
    page = (ROOT / "docs" / "houses.md").read_text()
    services = set(
        re.findall(r"^  (\w+):$", compose.partition("volumes:\n  data:")[0], re.MULTILINE)
    )

    assert services == {"laydown", "caddy"}
    for setting in ("HOUSES", "HOSTS", "ADDRESS", "PROXIES", "HSTS"):
        assert f"LAYDOWN_{setting}" in compose
        assert f"LAYDOWN_{setting}=" in page
    assert "basic" not in (DEPLOY / "houses" / "Caddyfile").read_text().lower()
    assert (DEPLOY / "houses" / "laydown-house").stat().st_mode & 0o111
    subprocess.run(["sh", "-n", DEPLOY / "houses" / "laydown-house"], check=True)
