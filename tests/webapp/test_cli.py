"""The `laydown` command as people run it: a process of its own, its words and its exit status."""

import io
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile

import pytest
import segno

from tests.crash.evening import Evening
from tests.forking import Process
from tests.servers import Laydown
from webapp._bootstrap import ROOT
from webapp.config import this_version
from webapp.serving import THREADS

pytestmark = pytest.mark.slow


def laydown(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, with these settings in the environment."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with TemporaryFile() as out, TemporaryFile() as err:
        program = ["webapp", *arguments]
        done = Process(program, cwd=ROOT, env={**kept, **settings}, stdout=out, stderr=err)
        status = done.wait(timeout=60)
        said = [os.pread(file.fileno(), 2**20, 0).decode() for file in (out, err)]
    return subprocess.CompletedProcess(program, status, *said)


def only_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """Answer the one line that the command said, and see that it said no more."""
    [line] = done.stderr.splitlines()
    assert line.startswith("laydown: ")
    return line


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


@pytest.mark.release
def test_pages_say_what_is_wrong_without_docstrings(tmp_path: Path) -> None:
    with Laydown(tmp_path, alone=True, surroundings={"PYTHONOPTIMIZE": "2"}) as server:
        status, page = get(f"{server.url}/g/abcdefghij")

    assert status == 404
    assert "There’s no game here." in page


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_stops_when_asked_to(tmp_path: Path, stop: signal.Signals) -> None:
    server = Laydown(tmp_path)
    get(f"{server.url}/up")

    server.process.send_signal(stop)

    assert server.process.wait(timeout=20) == 0
    assert "Traceback" not in server.said()
    assert not (tmp_path / "laydown.db-wal").exists(), "the last one out closes the database"


def test_nobody_else_on_the_network_gets_in(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server:
        listening = listeners(server.port)

    assert listening == {"127.0.0.1", "::1"}


def test_the_lan_gets_in_when_asked(tmp_path: Path) -> None:
    with Laydown(tmp_path, "--lan") as server:
        listening = listeners(server.port)
        answers = {get(f"http://{host}:{server.port}/up") for host in ("127.0.0.1", "[::1]")}

    assert listening == {"0.0.0.0", "::"}  # noqa: S104 - what is asked for
    assert answers == {(200, f"ok {this_version()}")}


def test_one_address_is_listened_on_when_it_is_named(tmp_path: Path) -> None:
    with Laydown(tmp_path, "--host", "::1") as server:
        listening = listeners(server.port)
        status, _ = get(f"{server.url}/up")

    assert listening == {"::1"}
    assert status == 200
    assert server.url.startswith("http://[::1]:")


def test_a_phone_can_scan_its_way_in(tmp_path: Path) -> None:
    with Laydown(tmp_path, "--lan") as server:
        said = server.said().splitlines()
        [invitation] = [line for line in said if line.startswith("Phones on")]
        link = invitation.split()[-1]
        found = [word for line in said for word in line.split() if word.startswith("http://")]
        answers = {get(f"{each}up") for each in found if ".local" not in each}

    assert answers == {(200, f"ok {this_version()}")}
    assert drawn(link) in "\n".join(said)


def test_the_address_that_somebody_set_is_the_one_to_scan(tmp_path: Path) -> None:
    link = "https://score.example"
    with Laydown(tmp_path, "--lan", surroundings={"LAYDOWN_ADDRESS": link}) as server:
        said = server.said()

    assert f"Phones: {link}/\n" in said
    assert drawn(f"{link}/") in said


def test_a_setting_that_can_match_nothing_is_a_sentence(tmp_path: Path) -> None:
    done = laydown(
        "--port", "0", LAYDOWN_INSTANCE=str(tmp_path), LAYDOWN_HOSTS="https://score.example"
    )

    assert done.returncode == 2
    assert "LAYDOWN_HOSTS" in only_sentence(done)
    assert not (tmp_path / "laydown.db").exists()


def drawn(link: str) -> str:
    """The QR code of a link as a terminal shows it."""
    drawing = io.StringIO()
    segno.make(link, micro=False).terminal(drawing, border=2, compact=True)
    return drawing.getvalue().strip()


def test_a_taken_port_is_a_sentence(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = laydown("--port", str(port), LAYDOWN_INSTANCE=str(tmp_path))

    assert done.returncode == 1
    assert f"Port {port} is in use" in only_sentence(done)


def test_debug_mode_is_refused_off_loopback(tmp_path: Path) -> None:
    asked = laydown("--debug", "--lan", LAYDOWN_INSTANCE=str(tmp_path))
    named = laydown("--debug", "--host", "0.0.0.0", LAYDOWN_INSTANCE=str(tmp_path))  # noqa: S104 - refused
    inherited = laydown("--lan", LAYDOWN_INSTANCE=str(tmp_path), FLASK_DEBUG="1")

    assert asked.returncode == named.returncode == inherited.returncode == 2
    assert only_sentence(asked) == only_sentence(named) == only_sentence(inherited)


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("nonsense", 2),
        ("sqlite:///:memory:", 2),
        ("sqlite://///", 2),
        ("postgresql://ana:sesame@127.0.0.1:1/laydown", 1),
        ("sqlite:////proc/nowhere/laydown.db", 1),
    ],
)
def test_a_database_that_cannot_be_used_is_a_sentence(
    tmp_path: Path, url: str, status: int
) -> None:
    done = laydown("--port", "0", LAYDOWN_INSTANCE=str(tmp_path), DATABASE_URL=url)

    assert done.returncode == status
    assert "sesame" not in only_sentence(done), "a password is not printed"


def test_check_finds_what_rebuild_mends(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server:
        evening = Evening(server.url, tables=1)
        evening.start()
        time.sleep(1.5)
        sound = laydown("check", LAYDOWN_INSTANCE=str(tmp_path))
        evening.end()
    assert evening.stuck == [], "phones save while the scores are checked"
    with closing(sqlite3.connect(tmp_path / "laydown.db")) as connection:
        connection.execute("UPDATE result SET total = total + 1")
        connection.commit()

    broken = laydown("check", LAYDOWN_INSTANCE=str(tmp_path))
    mended = laydown("rebuild", LAYDOWN_INSTANCE=str(tmp_path))
    again = laydown("check", LAYDOWN_INSTANCE=str(tmp_path))

    assert (sound.returncode, broken.returncode, mended.returncode, again.returncode) == (
        0,
        1,
        0,
        0,
    )
    assert f"Game {evening.diary[0].pub}: " in broken.stdout


def test_an_invalid_port_is_rejected(tmp_path: Path) -> None:
    done = laydown("--port", "99999", LAYDOWN_INSTANCE=str(tmp_path))

    assert done.returncode == 2
    assert "99999 isn't a port" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such limits.")
@pytest.mark.parametrize(
    ("limit", "says"), [("-n 64", "open files"), ("-v 400000", "threads")], ids=["files", "memory"]
)
def test_a_machine_that_is_too_small_is_a_sentence(tmp_path: Path, limit: str, says: str) -> None:
    command = f"ulimit {limit}; exec {sys.executable} -m webapp --port 0 --data {tmp_path}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 1
    assert says in only_sentence(done)


def test_a_request_that_waits_for_a_thread_is_no_news(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server, ThreadPoolExecutor(3 * THREADS) as phones:
        answers = [*phones.map(get, [server.url] * 6 * THREADS)]
        said = server.said()

    assert {status for status, _ in answers} == {200}
    assert "queue" not in said


def listeners(port: int) -> set[str]:
    """Answer the addresses of this machine that the port is open on."""
    found = set()
    for file, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path(f"/proc/net/{file}").read_text().splitlines()[1:]:
            address, state = line.split()[1], line.split()[3]
            raw, _, number = address.partition(":")
            if state == "0A" and int(number, 16) == port:
                words = re.findall("........", raw)
                packed = b"".join(bytes.fromhex(word)[::-1] for word in words)
                found.add(socket.inet_ntop(family, packed))
    return found


def test_a_damaged_file_is_reported_with_the_way_back(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server:
        evening = Evening(server.url, tables=1)
        evening.start()
        time.sleep(1)
        evening.end()
    file = tmp_path / "laydown.db"
    whole = file.read_bytes()
    file.write_bytes(whole[: 2 * 4096] + b"\x99" * (len(whole) - 2 * 4096))

    done = laydown("check", LAYDOWN_INSTANCE=str(tmp_path))

    assert done.returncode == 1
    assert "damaged" in done.stdout + done.stderr
    assert "backups" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_file_shows_on_the_page_and_in_up(tmp_path: Path) -> None:
    with Laydown(tmp_path) as server:
        get(server.url)
    file = tmp_path / "laydown.db"
    with closing(sqlite3.connect(file)) as connection:
        pages = connection.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'game'")
        torn = bytearray(file.read_bytes())
        for (page,) in pages:
            torn[4096 * (page - 1) : 4096 * page] = b"\x99" * 4096
    file.write_bytes(torn)
    with Laydown(tmp_path) as server:
        home, page_text = get(server.url)
        up, _ = get(f"{server.url}/up")
        said = server.said()

    assert (home, up) == (503, 503)
    assert "damaged" in page_text
    assert said.count("503, damaged") == 1
    assert "Traceback" not in said
