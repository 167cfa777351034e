"""How the app is reached: by which names, at which addresses, and through which proxies."""

import ipaddress
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache

from tests.servers import Laydown
from tests.webapp.table import Table
from webapp import create_app
from webapp.config import Config, SettingError
from webapp.db import Database
from webapp.network.lan import Place, draw, likeliest
from webapp.network.names import is_loopback, own_names
from webapp.network.proxies import what_is_missing

pytestmark = pytest.mark.slow

Serve = Callable[..., FlaskClient]


class Compiled(BytecodeCache):
    """Templates compiled for an app before: that takes longer than most of these tests."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture
def serve(tmp_path: Path, other: Database) -> Serve:
    """A function that makes an app with these settings, and answers a phone that asks it."""
    url = other.engine.url.render_as_string()

    def make(**settings: str) -> FlaskClient:
        environment = {"LAYDOWN_INSTANCE": str(tmp_path), "DATABASE_URL": url, **settings}
        app = create_app(Config.from_environment(environment))
        app.jinja_env.bytecode_cache = Compiled()
        app.extensions["database"] = other
        return app.test_client()

    return make


def place(address: str, interface: str = "eth0", prefix: int = 24, *, out: bool = False) -> Place:
    return Place(ipaddress.ip_address(address), interface, prefix, out)


HOME = place("192.168.1.20", "wlan0")
MACHINES = {
    "one Wi-Fi": [place("192.168.1.20", "wlan0", out=True)],
    "a VPN is the way out": [HOME, place("10.8.0.2", "tun0", out=True)],
    "a VPN for one machine, by any name": [HOME, place("10.64.0.9", "corp", 32, out=True)],
    "Tailscale": [HOME, place("100.101.102.103", "tailscale0", 32)],
    "Tailscale on Windows": [
        place("192.168.1.20", "Intel(R) Wi-Fi 6 AX201"),
        place("100.101.102.103", "Tailscale Tunnel", 32),
    ],
    "a hotspot that leads nowhere": [place("10.42.0.1", "wlan0")],
    "a hotspot beside a cable": [
        place("10.42.0.1", "wlan0"),
        place("192.168.1.20", "eth0", out=True),
    ],
    "a hotspot of Windows": [
        place("192.168.137.1", "Microsoft Wi-Fi Direct Virtual Adapter #2"),
        place("192.168.1.20", "Intel(R) Ethernet", out=True),
    ],
    "a shared connection of macOS": [
        place("192.168.2.1", "bridge100"),
        place("192.168.1.20", "en0", out=True),
    ],
    "containers": [
        place("192.168.1.20", "enp3s0", out=True),
        place("172.17.0.1", "docker0", 16),
        place("172.18.0.1", "br-1f2e3d", 16),
        place("192.168.122.1", "virbr0"),
    ],
    "WSL and Hyper-V": [
        place("192.168.1.20", "Realtek PCIe GbE"),
        place("172.29.128.1", "vEthernet (WSL (Hyper-V firewall))", 20),
    ],
    "a cable and a Wi-Fi": [place("192.168.1.20", "eth0", out=True), place("192.168.3.7", "wlan0")],
    "no router at all": [place("169.254.7.7", "eth0", 16)],
    "a Wi-Fi beside a cable without a router": [HOME, place("169.254.7.7", "eth0", 16)],
    "IPv6 too": [HOME, place("fd00::20", "wlan0", 64), place("2001:db8::20", "wlan0", 64)],
}
"""Machines with their addresses, the likeliest first."""


@pytest.mark.parametrize("machine", MACHINES)
def test_the_address_that_phones_reach_comes_first_and_none_is_left_out(machine: str) -> None:
    places = MACHINES[machine]

    assert likeliest(places) == places
    assert likeliest(reversed(places))[0] == places[0]


def test_an_address_is_written_as_a_browser_takes_it() -> None:
    assert place("192.168.1.20").host == "192.168.1.20"
    assert place("fd00::20").host == "[fd00::20]"


@pytest.mark.parametrize(
    ("encoding", "drawn"),
    [("utf-8", True), ("cp437", True), ("ascii", False), ("latin-1", False), ("cp1252", False)],
)
def test_a_code_is_left_out_if_the_terminal_has_no_blocks(encoding: str, drawn: bool) -> None:
    assert bool(draw("http://192.168.1.20:8000/", encoding)) is drawn


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("127.8.8.8:80", True),
        ("[::1]:8000", True),
        ("laydown.localhost", True),
        ("192.168.1.20", False),
        ("127.example", False),
        ("laptop", False),
    ],
)
def test_some_names_lead_no_further_than_this_machine(host: str, here: bool) -> None:
    assert is_loopback(host) is here


@pytest.mark.parametrize(
    "name",
    [
        "score.example:8000",
        "https://score.example",
        "score.example/laydown",
        "*.example",
        ".example",
        "score example",
        "bücher.example",
        "score.example.",
        f"{'a' * 64}.example",
    ],
)
def test_a_name_that_can_match_nothing_is_refused_at_the_start(serve: Serve, name: str) -> None:
    with pytest.raises(SettingError, match="LAYDOWN_HOSTS"):
        serve(LAYDOWN_HOSTS=f"good.example,{name}")


def test_a_refused_name_comes_with_what_to_put_there(serve: Serve) -> None:
    with pytest.raises(SettingError, match=r"Put xn--bcher-kva\.example there"):
        serve(LAYDOWN_HOSTS="bücher.example")
    with pytest.raises(SettingError, match=r"Put score\.example there"):
        serve(LAYDOWN_HOSTS="https://score.example/laydown")


@pytest.mark.parametrize(
    "address",
    [
        *("192.168.1.20:8000", "score.example", "ftp://a", "http://a b", "http://["),
        *("http://a/b c", "http://a//b", "http://a/..", "http://a/b?c", "http://a/b#c"),
    ],
)
def test_an_address_that_no_browser_takes_is_refused_at_the_start(
    serve: Serve, address: str
) -> None:
    with pytest.raises(SettingError, match="LAYDOWN_ADDRESS"):
        serve(LAYDOWN_ADDRESS=address)


@pytest.mark.parametrize("number", ["one", "-1", "10", "1.5", "²"])
def test_a_number_of_proxies_is_a_small_number(serve: Serve, number: str) -> None:
    with pytest.raises(SettingError, match="LAYDOWN_PROXIES"):
        serve(LAYDOWN_PROXIES=number)


def test_names_and_the_address_that_somebody_set_are_answered(tmp_path: Path) -> None:
    config = Config(
        database_url="sqlite:///x.db",
        instance=tmp_path,
        hosts=("score.example",),
        address="https://other.example:8443/laydown",
    )

    assert own_names(config) == {"score.example", "other.example"}


def test_browsers_have_to_stay_with_https_only_if_a_setting_asks_for_it(serve: Serve) -> None:
    header = "Strict-Transport-Security"
    told = serve(LAYDOWN_HSTS="3600")

    assert told.get("/", base_url="https://localhost").headers[header] == "max-age=3600"
    assert header not in told.get("/").headers


def share(client: FlaskClient, **request: object) -> str:
    """The share page of a game, as a phone sees it."""
    pub = Table(client.application.extensions["database"]).pub
    return client.get(f"/g/{pub}/share", **request).text


def test_a_code_that_leads_to_this_machine_alone_is_not_shown(serve: Serve) -> None:
    page = share(serve())

    assert "<svg" not in page
    assert "http://" not in page
    assert "--lan" in page


def test_a_phone_from_elsewhere_shares_the_address_it_came_by(serve: Serve) -> None:
    page = share(serve(), base_url="http://192.168.1.20:8000")

    assert "http://192.168.1.20:8000/g/" in page
    assert "<svg" in page


@pytest.mark.parametrize("base", ["http://localhost:8000", "http://192.168.1.20:8000"])
def test_the_address_that_somebody_set_wins(serve: Serve, base: str) -> None:
    page = share(serve(LAYDOWN_ADDRESS="https://score.example/laydown/"), base_url=base)

    assert "https://score.example/laydown/g/" in page


def add(client: FlaskClient, origin: str, **sent: str) -> tuple[int, str]:
    """Put Ana on the roster as a browser at `origin` does over plain http; the answer and text."""
    headers = {"Origin": origin, **sent}
    answer = client.post("/players", data={"key": "k", "name": "Ana"}, headers=headers)
    return answer.status_code, answer.text


BEHIND = {"Host": "127.0.0.1:8000"}
NAS = "http://nas.local:8443"
TOLD = {**BEHIND, "X-Forwarded-Host": "nas.local:8443"}


@pytest.mark.parametrize(
    ("hops", "sent", "missing"),
    [
        ("0", {"Host": "nas.local:8443"}, ""),
        ("0", BEHIND, "Host: nas.local:8443"),
        ("0", {"Host": "nas.local"}, "Host: nas.local:8443"),
        ("0", TOLD, "LAYDOWN_PROXIES=1"),
        ("1", TOLD, ""),
        ("1", BEHIND, "X-Forwarded-Host: nas.local:8443"),
        ("1", {**BEHIND, "X-Forwarded-Host": "nas.local"}, "X-Forwarded-Host: nas.local:8443"),
        ("1", {**BEHIND, "X-Forwarded-Host": "nas.local", "X-Forwarded-Port": "8443"}, ""),
        ("1", {"Host": "nas.local:8443"}, ""),
        ("2", TOLD, "LAYDOWN_PROXIES"),
        ("2", {**BEHIND, "X-Forwarded-Host": "nas.local:8443, inner"}, ""),
        ("1", {**BEHIND, "X-Forwarded-Host": "nas.local:8443, inner"}, "X-Forwarded-Host"),
    ],
)
def test_a_save_through_a_proxy_is_kept_or_names_what_is_missing(
    serve: Serve, caplog: pytest.LogCaptureFixture, hops: str, sent: dict[str, str], missing: str
) -> None:
    status, text = add(serve(LAYDOWN_PROXIES=hops), NAS, **sent)

    assert status == (403 if missing else 303)
    assert missing in text
    assert missing in caplog.text


def test_an_unknown_page_mentions_no_proxy(serve: Serve) -> None:
    for origin in ("null", "http://[", "http://a b", "ftp://a", "http://a:123456", "x"):
        assert what_is_missing(origin, "localhost") == ""
        assert add(serve(), origin)[0] == 403


def test_a_page_that_rebinds_its_name_cannot_play_the_proxy(serve: Serve) -> None:
    client = serve(LAYDOWN_PROXIES="1")
    sent = {"Host": "evil.example", "X-Forwarded-Host": "localhost"}

    assert client.get("/", headers=sent).status_code == 421
    assert add(client, "http://evil.example", **sent)[0] == 421


def test_a_name_that_a_proxy_tells_must_be_ours_too(serve: Serve) -> None:
    sent = {**BEHIND, "X-Forwarded-Host": "evil.example"}

    assert serve(LAYDOWN_PROXIES="1").get("/", headers=sent).status_code == 421
    assert serve().get("/", headers=sent).status_code == 200


def test_https_is_believed_of_a_proxy_on_this_machine_alone(serve: Serve) -> None:
    client, sent = serve(), {"X-Forwarded-Proto": "https"}
    near = client.get("/", headers=sent)
    far = serve().get("/", headers=sent, environ_overrides={"REMOTE_ADDR": "192.168.1.30"})
    odd = serve(LAYDOWN_PROXIES="1").get("/", headers={"X-Forwarded-Proto": "gopher"})

    assert "Secure" in near.headers["Set-Cookie"]
    assert "Secure" not in far.headers["Set-Cookie"]
    assert "Secure" not in odd.headers["Set-Cookie"]


BELOW = "http://localhost/laydown"


def test_below_a_path_every_address_is_below_it(serve: Serve) -> None:
    client = serve()
    pub = Table(client.application.extensions["database"]).pub
    assert "Path=/laydown" in client.get("/", base_url=BELOW).headers["Set-Cookie"]
    for path in ("/", "/games/new", f"/g/{pub}", f"/g/{pub}/share", "/players", "/nothing/here"):
        answer = client.get(path, base_url=BELOW)
        addresses = [part.partition('"')[0] for part in _after(answer.text)]
        assert addresses
        assert [each for each in addresses if not each.startswith("/laydown/")] == [], path
    moved = client.post(
        f"/g/{pub}/endings",
        data={"key": "k"},
        base_url=BELOW,
        headers={"Origin": "http://localhost"},
    )
    assert moved.headers["Location"].startswith("/laydown/g/")


def test_a_pad_at_two_paths_leads_to_each(serve: Serve) -> None:
    client = serve()
    pad = f"/g/{Table(client.application.extensions['database']).pub}"

    assert "/laydown/g/" in client.get(pad, base_url=BELOW).text
    assert "/laydown/g/" not in client.get(pad).text


def _after(page: str) -> list[str]:
    """What follows each attribute with an address in it."""
    names = ("href", "src", "action", "formaction", "hx-get", "hx-post", "data-refused")
    return [part for name in names for part in page.split(f' {name}="')[1:] if part[0] != "#"]


@pytest.mark.parametrize("hops", ["0", "1"])
def test_what_a_visitor_says_of_the_path_is_never_believed(serve: Serve, hops: str) -> None:
    page = serve(LAYDOWN_PROXIES=hops).get("/", headers={"X-Forwarded-Prefix": "/evil"})

    assert 'href="/games/new"' in page.text
    assert "evil" not in f"{page.text}{page.headers}"


@pytest.mark.parametrize("path", ["/", "/laydown", "/laydown/"])
def test_the_path_of_the_address_is_served_whether_or_not_a_proxy_takes_it_off(
    served_below: Laydown, path: str
) -> None:
    with urllib.request.urlopen(f"{served_below.url}{path}", timeout=10) as answer:
        assert 'href="/laydown/games/new"' in answer.read().decode()


@pytest.fixture(scope="module")
def served_below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laydown]:
    """A server that knows its path."""
    settings = {"LAYDOWN_ADDRESS": "https://score.example/laydown/"}
    with Laydown(tmp_path_factory.mktemp("below"), surroundings=settings) as server:
        yield server
