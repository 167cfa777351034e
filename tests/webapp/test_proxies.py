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


def login(password: str = PASSWORD) -> dict[str, str]:
    """How a browser answers when it is asked for a password."""
    return {"Authorization": f"Basic {base64.b64encode(f'table:{password}'.encode()).decode()}"}


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
    """Servers to stand behind a proxy: one believes nothing, one believes it, one has a path."""

    unaware: Laydown
    told: Laydown
    below: Laydown


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    folder = tmp_path_factory.mktemp("behind")
    names = {"LAYDOWN_HOSTS": NAME}
    with (
        Laydown(folder / "unaware", surroundings=names) as unaware,
        Laydown(folder / "told", surroundings={**names, "LAYDOWN_PROXIES": "1"}) as told,
        Laydown(
            folder / "below",
            surroundings={"LAYDOWN_PROXIES": "1", "LAYDOWN_ADDRESS": f"https://{NAME}/laydown"},
        ) as below,
    ):
        yield Behind(unaware, told, below)


NGINX = """
daemon off; master_process off; pid {home}/pid; error_log {home}/log;
events {{ }}
http {{
  access_log off; client_body_temp_path {home}/body; proxy_temp_path {home}/proxy;
  fastcgi_temp_path {home}/fastcgi; uwsgi_temp_path {home}/uwsgi; scgi_temp_path {home}/scgi;
  {servers}
}}
"""


def nginx_sites(told: Laydown, below: Laydown, passwords: Path) -> Iterator[str]:
    """The server of docs/deploy/nginx.conf, as it is and below a path, for ports of its own."""
    text = (DEPLOY / "nginx.conf").read_text()
    server = text[text.index("server {") :].replace("/etc/nginx/laydown.password", str(passwords))
    server = server.replace("score.example", NAME)
    [lines] = re.findall(r"location / \{\n(.*?)\n    \}\n", server, re.DOTALL)
    [path] = re.findall(r"# (location /laydown/ \{\n.*?\n    # \})\n", server, re.DOTALL)
    path = re.sub(r"^ *# ?", "", path, flags=re.MULTILINE).replace("(all the lines above)", lines)
    start, _, _ = server.partition("    location / {")
    for site, behind in ((server, told), (f"{start}{path}\n}}", below)):
        own = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
        own = own.replace("listen [::]:80;", "")
        yield own.replace("127.0.0.1:8000", f"127.0.0.1:{behind.port}")


def printed_commands(text: str) -> str:
    """The commands in the comment of a file that begin with a password."""
    [commands] = re.findall(r"#   (password=.*?)\n#\n", text, re.DOTALL)
    return re.sub(r"^# *", "", commands, flags=re.MULTILINE)


def run(commands: str, folder: Path) -> str:
    """Run commands of the documentation as root would, with another place for /etc."""
    commands = commands.replace("/etc/", f"{folder}/").replace("sudo ", "")
    done = subprocess.run(
        ["bash", "-euc", commands], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def nginx(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An nginx, by the name of how it is set up: its address; and the password it was given."""
    home = tmp_path_factory.mktemp("nginx")
    (home / "nginx").mkdir()
    home.chmod(0o755)
    said = run(printed_commands((DEPLOY / "nginx.conf").read_text()), home)
    [password] = re.findall(r"Name: table, password: (\w{20})\n", said)
    sites = [*nginx_sites(behind.told, behind.below, home / "nginx" / "laydown.password")]
    ports = [re.findall(r"listen 127\.0\.0\.1:(\d+)", site)[0] for site in sites]
    (home / "nginx.conf").write_text(NGINX.format(home=home, servers="\n".join(sites)))
    command = [program("nginx"), "-e", str(home / "log"), "-c", str(home / "nginx.conf")]
    subprocess.run([*command, "-t"], capture_output=True, check=True)
    with running(command, int(ports[0]), home):
        own, path = (f"http://{NAME}:{port}" for port in ports)
        yield {"own": own, "below": path, "password": password, "file": str(home / "nginx")}


OPTIONS = """{{
 admin off
 skip_install_trust
 local_certs
 https_port {port}
 http_port {other}
 storage file_system {home}
}}
"""


@pytest.fixture(scope="module")
def caddy(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Two Caddys with certificates of their own making, by how they are set up: its address."""
    text = (DEPLOY / "Caddyfile").read_text()
    site, below = text.split("# Below a path")
    snippet = site[: site.index("{$LAYDOWN_NAME")]
    below = re.sub(r"^# ?", "", below.partition("\n#\n")[2], flags=re.MULTILINE)
    below = below.replace("example.org", NAME)
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config"]
    with contextlib.ExitStack() as proxies:
        sites = {}
        for name, printed, at in (
            ("own", site, behind.unaware),
            ("below", f"{snippet}\n{below}", behind.below),
        ):
            home, port = tmp_path_factory.mktemp("caddy"), free_port()
            options = OPTIONS.format(port=port, other=free_port(), home=home)
            (home / "Caddyfile").write_text(options + printed)
            settings = {
                "LAYDOWN_NAME": NAME,
                "LAYDOWN_AT": f"127.0.0.1:{at.port}",
                "LAYDOWN_LOGIN": f'"{login()["Authorization"]}"',
            }
            proxies.enter_context(
                running([*command, str(home / "Caddyfile")], port, home, **settings)
            )
            sites[name] = f"https://{NAME}:{port}"
        yield sites


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
    assert save(nginx["own"], **login(nginx["password"]))[0] == 303


def test_nginx_lets_nobody_in_without_the_password(nginx: dict[str, str]) -> None:
    for name, below in (("own", ""), ("below", "/laydown")):
        for sent in ({}, login("guess")):
            assert ask(nginx[name], "GET", f"{below}/", **sent)[0] == 401
            assert save(nginx[name], below, **sent)[0] == 401


def test_nginx_lets_nobody_in_before_there_is_a_password(nginx: dict[str, str]) -> None:
    file = Path(nginx["file"]) / "laydown.password"
    away = file.rename(file.with_name("away"))
    try:
        assert ask(nginx["own"], "GET", "/", **login(nginx["password"]))[0] == 403
        assert save(nginx["own"], **login(nginx["password"]))[0] == 403
    finally:
        away.rename(file)


def test_below_a_path_of_nginx_a_save_is_kept(nginx: dict[str, str]) -> None:
    site, sent = nginx["below"], login(nginx["password"])
    status, page, headers = ask(site, "GET", "/laydown/", **sent)

    assert status == 200
    assert 'href="/laydown/games/new"' in page
    assert "Path=/laydown" in headers["Set-Cookie"]
    assert save(site, "/laydown", **sent)[0] == 303


def test_caddy_needs_no_setting_but_the_name(caddy: dict[str, str]) -> None:
    site = caddy["own"]
    status, _, headers = ask(site, "GET", "/", **login())

    assert status == 200
    assert "Secure" in headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in headers
    assert save(site, **login())[0] == 303


def test_caddy_lets_nobody_in_without_the_password(caddy: dict[str, str]) -> None:
    tries = ({}, login("guess"), login(""), {"Authorization": ""}, {"Authorization": "Basic "})
    for name, below in (("own", ""), ("below", "/laydown")):
        for sent in tries:
            status, _, headers = ask(caddy[name], "GET", f"{below}/", **sent)

            assert status == 401
            assert headers["WWW-Authenticate"].startswith("Basic ")
            assert save(caddy[name], below, **sent)[0] == 401


@pytest.mark.parametrize("value", [None, "", "Basic dGFibGU6eA=="])
def test_caddy_does_not_start_without_a_password(value: str | None) -> None:
    check = [program("caddy"), "validate", "--adapter", "caddyfile", "--config"]
    kept = {name: each for name, each in os.environ.items() if not name.startswith("LAYDOWN_")}
    given = {} if value is None else {"LAYDOWN_LOGIN": value}
    done = subprocess.run(
        [*check, str(DEPLOY / "Caddyfile")], env=kept | given, capture_output=True, check=False
    )

    assert done.returncode == 1


def test_below_a_path_of_caddy_a_save_is_kept(caddy: dict[str, str]) -> None:
    site = caddy["below"]

    assert ask(site, "GET", "/laydown", **login())[0] == 302
    assert 'href="/laydown/games/new"' in ask(site, "GET", "/laydown/", **login())[1]
    assert save(site, "/laydown", **login())[0] == 303


@pytest.mark.parametrize("header", ["X-Forwarded-Prefix", "X-Forwarded-Host", "X-Forwarded-Port"])
def test_no_proxy_hands_on_what_a_visitor_says_of_the_address(
    nginx: dict[str, str], caddy: dict[str, str], header: str
) -> None:
    value = "4444" if header.endswith("Port") else "/evil.example"
    for site, below, sent in (
        (nginx["own"], "", login(nginx["password"])),
        (nginx["below"], "/laydown", login(nginx["password"])),
        (caddy["own"], "", login()),
        (caddy["below"], "/laydown", login()),
    ):
        status, page, headers = ask(site, "GET", f"{below}/", **sent, **{header: value})
        assert status == 200
        assert value not in f"{page}{headers}"
        assert save(site, below, **sent, **{header: value})[0] == 303


def test_the_commands_for_a_server_put_the_password_first(tmp_path: Path) -> None:
    """What docs/server.md prints, run as it is printed, with another place for /etc."""
    text = (ROOT / "docs" / "server.md").read_text()
    [password, setting_up] = re.findall(
        r"```sh\n(   password=.*?|   sudo python3.*?)   ```", text, re.DOTALL
    )
    unit = re.sub(r"^ *sudo (python3|systemctl) .*$", "", setting_up, flags=re.MULTILINE)
    for folder in ("caddy", "systemd/system"):
        (tmp_path / folder).mkdir(parents=True)

    said = run(f"name={NAME}\n{password}\n{unit}", tmp_path)

    assert text.index(password) < text.index(setting_up)
    assert "systemctl" not in text[: text.index(password)]
    [shown] = re.findall(r"Name: table, password: (\w{20})\n", said)
    file = tmp_path / "caddy" / "Caddyfile"
    check = [
        program("caddy"),
        "adapt",
        "--validate",
        "--adapter",
        "caddyfile",
        "--config",
        str(file),
    ]
    adapted = subprocess.run(check, capture_output=True, text=True, check=True)
    assert f'"{login(shown)["Authorization"]}"' in adapted.stdout
    assert f'"{NAME}"' in adapted.stdout
    service = (tmp_path / "systemd/system/laydown.service").read_text()
    assert "ExecStart=/opt/laydown/.venv/bin/python -m webapp\n" in service
    assert f"\nEnvironment=LAYDOWN_HOSTS={NAME}\n" in service


def test_the_compose_file_hands_caddy_the_password() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    [command] = re.findall(r"- >-\n(.*?)\n    ports:", text, re.DOTALL)
    adapt = f"caddy adapt --config {DEPLOY / 'Caddyfile'} --adapter caddyfile"
    command = " ".join(command.split()).replace("$$", "$")
    command, replaced = re.subn(r"exec caddy run .*", f"exec {adapt}", command)
    assert replaced
    for password in (PASSWORD, "x" * 100, "\"$'\\ ñ"):
        adapted = subprocess.run(
            ["sh", "-c", command],
            env={**os.environ, "LAYDOWN_PASSWORD": password, "LAYDOWN_AT": "laydown:8000"},
            capture_output=True,
            text=True,
            check=True,
        )

        assert f'"{login(password)["Authorization"]}"' in adapted.stdout


@pytest.mark.browser
def test_an_evening_by_https_below_a_path(chromium: Browser, caddy: dict[str, str]) -> None:
    """Every address in pages, scripts and what waits in the phone is below the path."""
    site = caddy["below"]
    context = chromium.new_context(
        viewport={"width": 360, "height": 640},
        has_touch=True,
        ignore_https_errors=True,
        http_credentials={"username": "table", "password": PASSWORD},
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
        phone.sees(f"https://{NAME}/laydown/g/")
        phone.shoot("share")
        expect(phone.page.locator("#bare")).to_be_hidden()

        assert phone.wrong == []
        assert [url for url in asked if not url.startswith(f"{site}/laydown/")] == []
