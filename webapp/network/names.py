"""The host names under which the app answers: only those that no stranger can have.

A page on the internet can make its own name lead to this machine (DNS rebinding), and then read and
write here as if it were ours. Its requests arrive with that name, so the app only answers under
names that no stranger can have.
"""

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

from webapp.config import Config, SettingError

OF_A_HOUSE: Final = (
    ".local",
    ".localhost",
    ".home.arpa",
    ".internal",
    # Not reserved, but given out by home routers, and by nobody on the internet.
    ".lan",
    ".fritz.box",
    # Tailscale gives out these names, and nobody can choose the address behind them.
    ".ts.net",
)
"""The endings of names that are given out within a home, never to a stranger."""

_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PATH: Final = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*", re.ASCII)

_HOST: Final = re.compile(
    rf"(?=.{{1,259}}\Z)(\[[0-9a-f:.]{{2,45}}\]|{_LABEL}(?:\.{_LABEL})*\.?)(?::([0-9]{{1,5}}))?",
    re.ASCII,
)
"""A host name: labels of 1 to 63 letters, digits and hyphens."""


def host_name(host: str) -> str:
    """Return the name in a Host header; empty if there isn’t one."""
    match = _HOST.fullmatch(host.lower())
    return match[1].removesuffix(".") if match else ""


def is_of_the_house(host: str) -> bool:
    """Return whether a Host header is a name that no stranger can make lead to this machine.

    That is any numeric address (there is nothing in it to rebind), localhost, a name with an ending
    that is given out within a home, or a name without a dot.
    """
    name = host_name(host)
    if not name:
        return False
    if _address(name):
        return True
    letters = not name.replace(".", "").isdigit()
    return letters and ("." not in name or name.endswith(OF_A_HOUSE))


def is_loopback(host: str) -> bool:
    """Return whether a Host header means this machine only."""
    name = host_name(host)
    address = _address(name)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


def own_names(config: Config) -> frozenset[str]:
    """Return the names of LAYDOWN_HOSTS and LAYDOWN_ADDRESS, allowed in addition to local names.

    Raises SettingError if one of them could match no Host header.
    """
    for name in config.hosts:
        if host_name(name) != name:
            raise SettingError(_wrong_name(name))
    if config.address and not _is_address(config.address):
        raise SettingError(
            f"LAYDOWN_ADDRESS is {config.address!r}, and must be as a browser shows it: "
            "http://192.168.1.20:8000, https://score.example or https://score.example/laydown."
        )
    return frozenset((*config.hosts, *([host_name(_host(config))] if config.address else [])))


def proxy_path(config: Config) -> str:
    """Return the path under which a proxy serves the app, such as "/laydown"; empty for none."""
    return urlsplit(config.address).path


def phones_reach(config: Config, url: str, prefix: str) -> str:
    """Return the address for phones, without a final slash; empty if they can’t reach the app.

    `url` is the scheme and host of the current request, and `prefix` the path under which a proxy
    serves the app.
    """
    if config.address:
        return config.address
    if is_loopback(urlsplit(url).netloc):
        return config.found
    return f"{url.rstrip('/')}{prefix}"


def _is_address(address: str) -> bool:
    try:
        scheme, host, path, query, fragment = urlsplit(address)
    except ValueError:
        return False
    is_bare = _PATH.fullmatch(path) and not (query or fragment)
    return scheme in {"http", "https"} and bool(host_name(host) and is_bare)


def _host(config: Config) -> str:
    return urlsplit(config.address).netloc


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def _wrong_name(name: str) -> str:
    """Return why a name in LAYDOWN_HOSTS can match nothing, and what would."""
    bare = host_name(name.partition("://")[2].partition("/")[0] or name)
    if not bare:
        try:
            bare = host_name(name.encode("idna").decode("ascii"))
        except UnicodeError:
            bare = ""
    better = f"Put {bare} there." if bare else "Put names there such as score.example."
    return f"LAYDOWN_HOSTS has {name!r}, which is no bare name and can match nothing. {better}"
