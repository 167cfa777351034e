"""Names by which the app is reached, as a Host header has them, and whose they can be.

A page on the internet can let its own name lead to this machine (DNS rebinding) and then read and
write here as if it were ours. It arrives with that name, so only names are answered that no
stranger can have.
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
    # Tailscale's: whoever has such a name was given it there, with no address of their own choice.
    ".ts.net",
)
"""Ends of names that are given out within a house, never by a stranger."""

_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PATH: Final = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*", re.ASCII)

_HOST: Final = re.compile(
    rf"(?=.{{1,259}}\Z)(\[[0-9a-f:.]{{2,45}}\]|{_LABEL}(?:\.{_LABEL})*\.?)(?::([0-9]{{1,5}}))?",
    re.ASCII,
)
"""A name as the network knows it: labels of 1 to 63 letters, digits and hyphens."""


def host_name(host: str) -> str:
    """Take the name out of a Host header; empty if it is none."""
    match = _HOST.fullmatch(host.lower())
    return match[1].removesuffix(".") if match else ""


def is_of_the_house(host: str) -> bool:
    """Whether a Host header is a name that no stranger can let lead to this machine.

    That is any address in numbers (there is nothing in it to rebind), localhost, a name with an end
    that is given out within a house, or one without any dot.
    """
    name = host_name(host)
    if not name:
        return False
    if _address(name):
        return True
    letters = not name.replace(".", "").isdigit()
    return letters and ("." not in name or name.endswith(OF_A_HOUSE))


def is_loopback(host: str) -> bool:
    """Whether a Host header leads no further than this machine."""
    name = host_name(host)
    address = _address(name)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


def own_names(config: Config) -> frozenset[str]:
    """The names of LAYDOWN_HOSTS and LAYDOWN_ADDRESS, which are answered beside the house's.

    Raises SettingError where one could match no Host header at all.
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


def below(config: Config) -> str:
    """The path that a proxy serves the app below, such as "/laydown"; empty for a whole name."""
    return urlsplit(config.address).path


def phones_reach(config: Config, url: str, prefix: str) -> str:
    """Where a phone reaches the app, without a slash at the end; empty if none does.

    `url` is the address that the app was asked at just now, its host alone, and `prefix` the path
    below which a proxy serves it.
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
    """Say why a name in LAYDOWN_HOSTS can match nothing, and what would."""
    bare = host_name(name.partition("://")[2].partition("/")[0] or name)
    if not bare:
        try:
            bare = host_name(name.encode("idna").decode("ascii"))
        except UnicodeError:
            bare = ""
    better = f"Put {bare} there." if bare else "Put names there such as score.example."
    return f"LAYDOWN_HOSTS has {name!r}, which is no bare name and can match nothing. {better}"
