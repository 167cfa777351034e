"""Real proxies in front of the real server, with the files that docs/deploy/ hands out.

A machine without nginx or Caddy leaves these out, and says so. Proxies that are set up otherwise
are asked about in tests/webapp/test_reach.py, without one.
"""

import base64
import contextlib
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import Counting, Pad, Phone, start_by_hand
from tests.servers import PATIENCE, Laydown
from webapp._bootstrap import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.release]

DEPLOY = ROOT / "docs" / "deploy"

NAME = "lan.test"
"""The name that the proxies are reached by; the browser of the tests knows where that is."""

PASSWORD = "open sesame"  # noqa: S105 - the tests’ own
LOGIN = {"Authorization": f"Basic {base64.b64encode(f'table:{PASSWORD}'.encode()).decode()}"}
"""What Caddy asks for, and how a browser answers."""


def program(name: str) -> str:
    """Find a program, or leave the test out."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if not found:
        pytest.skip(f"There is no {name} on this machine (Debian: apt install {name}).")
    return found


def free_port() -> int:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as probe:
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(command: list[str], port: int, home: Path, **settings: str) -> Iterator[None]:
    """Run a proxy until it is done with, from when its port can be reached."""
    with (home / "proxy.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env={**os.environ, "HOME": str(home), **settings}
        )
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            time.sleep(0.02)
        else:
            pytest.fail((home / "proxy.log").read_text(), pytrace=False)
        yield
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@dataclass(frozen=True)
class Behind:
    """Two servers to stand behind a proxy: one that believes nothing, and one that believes it."""

    unaware: Laydown
    told: Laydown


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    folder = tmp_path_factory.mktemp("behind")
    names = {"LAYDOWN_HOSTS": NAME}
    with (
        Laydown(folder / "unaware", surroundings=names) as unaware,
        Laydown(folder / "told", surroundings={**names, "LAYDOWN_PROXIES": "1"}) as told,
    ):
        yield Behind(unaware, told)


NGINX = """
daemon off; master_process off; pid {home}/pid; error_log {home}/log;
events {{ }}
http {{
  access_log off; client_body_temp_path {home}/body; proxy_temp_path {home}/proxy;
  fastcgi_temp_path {home}/fastcgi; uwsgi_temp_path {home}/uwsgi; scgi_temp_path {home}/scgi;
  {servers}
}}
"""


def documented() -> tuple[str, str]:
    """The lines of docs/deploy/nginx.conf for a site of its own, and those for below a path."""
    text = (DEPLOY / "nginx.conf").read_text()
    [lines] = re.findall(r"location / \{\n(.*?)\n    \}\n", text, re.DOTALL)
    [below] = re.findall(r"# (location /laydown/ \{\n.*?\n    # \})\n", text, re.DOTALL)
    headers = "\n".join(line for line in lines.splitlines() if "proxy_pass" not in line)
    below = re.sub(r"^ *# ?", "", below, flags=re.MULTILINE)
    return lines, re.sub(r"\(all the lines above.*\)", headers.replace("\\", ""), below)


@pytest.fixture(scope="module")
def nginx(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An nginx, by the name of how it is set up: its address."""
    home = tmp_path_factory.mktemp("nginx")
    lines, below = documented()
    told = f"127.0.0.1:{behind.told.port}"
    sites = {
        "as documented": f"location / {{ {lines} }}".replace("127.0.0.1:8000", told),
        "below a path, as documented": below.replace("127.0.0.1:8000", told).replace(
            'proxy_set_header X-Forwarded-Prefix "";', ""
        ),
    }
    ports = {name: free_port() for name in sites}
    servers = "\n".join(
        f"server {{ listen 127.0.0.1:{ports[name]}; server_name {NAME}; {site} }}"
        for name, site in sites.items()
    )
    (home / "nginx.conf").write_text(NGINX.format(home=home, servers=servers))
    command = [program("nginx"), "-e", str(home / "log"), "-c", str(home / "nginx.conf")]
    with running(command, ports["as documented"], home):
        yield {name: f"http://{NAME}:{port}" for name, port in ports.items()}


@pytest.fixture(scope="module")
def caddy(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A Caddy with certificates of its own making, by how it is set up: its address."""
    home = tmp_path_factory.mktemp("caddy")
    text = (DEPLOY / "Caddyfile").read_text()
    site, below = text.split("# Below a path")
    below = re.sub(r"^# ?", "", below.partition("\n#\n")[2], flags=re.MULTILINE)
    ports = {name: free_port() for name in ("as documented", "below a path, as documented")}
    own, path = ports.values()
    options = (
        f"{{\n admin off\n skip_install_trust\n local_certs\n https_port {own}\n"
        f" http_port {free_port()}\n storage file_system {home}\n}}\n"
    )
    site = site[site.index("{$") :]
    site = site.replace("score.example", f"{NAME}:{own}")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{behind.unaware.port}")
    below = below.replace("example.org", f"{NAME}:{path}", 1)
    below = below.replace("127.0.0.1:8000", f"127.0.0.1:{behind.told.port}")
    (home / "Caddyfile").write_text(options + site + below)
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config"]
    hashing = [program("caddy"), "hash-password", "--plaintext", PASSWORD]
    login = subprocess.run(hashing, capture_output=True, text=True, check=True).stdout.strip()
    with running([*command, str(home / "Caddyfile")], own, home, LAYDOWN_HASH=login):
        yield {name: f"https://{NAME}:{port}" for name, port in ports.items()}


def ask(
    site: str, method: str, path: str, body: str = "", **headers: str
) -> tuple[int, str, http.client.HTTPMessage]:
    """Ask as a browser does; that name leads to this machine."""
    scheme, _, netloc = site.partition("://")
    port = int(netloc.rpartition(":")[2])
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    line: http.client.HTTPConnection
    if scheme == "https":
        line = http.client.HTTPSConnection(NAME, port, timeout=10, context=trusting)
        raw = socket.create_connection(("127.0.0.1", port), timeout=10)
        line.sock = trusting.wrap_socket(raw, server_hostname=NAME)
    else:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with contextlib.closing(line):
        line.request(method, path, body, {"Host": netloc, **headers})
        answer = line.getresponse()
        return answer.status, answer.read().decode(), answer.headers


def save(site: str, below: str = "", **headers: str) -> tuple[int, str]:
    """Save something over plain http, or from a browser that sends no Sec-Fetch-Site."""
    form = "application/x-www-form-urlencoded"
    status, text, _ = ask(
        site,
        "POST",
        f"{below}/players",
        f"key=k{time.monotonic_ns()}&name=N{time.monotonic_ns() % 10**12}",
        Origin=site,
        **{"Content-Type": form, **headers},
    )
    return status, text


def test_through_nginx_a_save_is_kept(nginx: dict[str, str]) -> None:
    assert save(nginx["as documented"])[0] == 303


def test_below_a_path_of_nginx_a_save_is_kept(nginx: dict[str, str]) -> None:
    site = nginx["below a path, as documented"]
    status, page, headers = ask(site, "GET", "/laydown/")

    assert status == 200
    assert 'href="/laydown/games/new"' in page
    assert "Path=/laydown" in headers["Set-Cookie"]
    assert save(site, "/laydown")[0] == 303


def test_caddy_needs_no_setting_but_the_name(caddy: dict[str, str]) -> None:
    site = caddy["as documented"]
    status, _, headers = ask(site, "GET", "/", **LOGIN)

    assert status == 200
    assert "Secure" in headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in headers
    assert save(site, **LOGIN)[0] == 303


def test_caddy_lets_nobody_in_without_the_password(caddy: dict[str, str]) -> None:
    site = caddy["as documented"]

    assert ask(site, "GET", "/")[0] == 401
    assert save(site)[0] == 401


def test_below_a_path_of_caddy_a_save_is_kept(caddy: dict[str, str]) -> None:
    site = caddy["below a path, as documented"]

    assert ask(site, "GET", "/laydown")[0] == 302
    assert 'href="/laydown/games/new"' in ask(site, "GET", "/laydown/")[1]
    assert save(site, "/laydown")[0] == 303


@pytest.mark.browser
def test_an_evening_by_https_below_a_path(chromium: Browser, caddy: dict[str, str]) -> None:
    """Every address in pages, scripts and what waits in the phone is below the path."""
    site = caddy["below a path, as documented"]
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, ignore_https_errors=True
    )
    with contextlib.closing(context):
        phone = Phone(context, f"{site}/laydown", "below")
        asked: list[str] = []
        phone.page.on("request", lambda request: asked.append(request.url))
        start_by_hand(phone, ("Ana", "Ben"))
        Pad(phone).count(1)
        Counting(phone).fill("Ana", {"Ben": "65"})
        Counting(phone).save()
        Pad(phone).shows({"Ana": 0, "Ben": 65})
        phone.tap("#takes summary")
        phone.press("May I, Ben")
        expect(phone.page.get_by_role("button", name="May I, Ben: 1 so far")).to_be_visible()
        phone.tap("#more-button")
        phone.tap("#share")
        phone.sees(f"{site}/laydown/g/")
        phone.shoot("share")
        expect(phone.page.locator("#bare")).to_be_hidden()

        assert phone.wrong == []
        assert [url for url in asked if not url.startswith(f"{site}/laydown/")] == []
