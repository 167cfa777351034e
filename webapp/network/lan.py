"""The addresses at which phones can reach this machine, the likeliest first.

A machine has many: for its Wi-Fi and its cable, for VPNs, virtual machines and containers. Which
one is on the phones’ network can’t be known; but it’s hardly ever one of a network without phones.
"""

import io
import ipaddress
import re
import socket
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import ifaddr
import segno

from webapp.network.names import host_name

_TUNNEL: Final = re.compile(
    r"^(tun|tap|wg|utun|ppp|ipsec|zt|gpd|cscotun|nordlynx|tailscale)\d*"
    r"|vpn|wireguard|tailscale|zerotier|hamachi|warp|wintun|nordlynx|anyconnect|globalprotect",
    re.IGNORECASE,
)
"""The names of interfaces that lead elsewhere, on Linux, macOS and Windows."""

_VIRTUAL: Final = re.compile(
    r"^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|podman|cni|flannel|cali|bnep|awdl|llw|anpi)"
    r"|vethernet|hyper-v|virtualbox|vmware|wsl|bluetooth|loopback",
    re.IGNORECASE,
)
"""The names of interfaces to virtual machines and containers on this machine."""

_HOTSPOT: Final = re.compile(r"^(ap\d|bridge100)")
"""The names of interfaces that exist only while a machine is a hotspot."""

_HOTSPOTS: Final = tuple(
    # The addresses that NetworkManager and Windows give out.
    map(ipaddress.IPv4Network, ("10.42.0.0/16", "192.168.137.0/24"))
)

_SHARED: Final = ipaddress.IPv4Network("100.64.0.0/10")
"""The addresses that providers and Tailscale give out."""

_ONE_MACHINE: Final = {4: 32, 6: 128}
"""The prefix length of a network with only one machine, by IP version."""


@dataclass(frozen=True, slots=True)
class Place:
    """An address of this machine on one of its networks."""

    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    interface: str
    """The interface’s name as its owner knows it: "wlan0", "Wi-Fi", "Intel(R) Wireless-AC 9560"."""
    prefix: int = 24
    """The number of the address’s bits that are the network’s."""
    leads_out: bool = False
    """Whether this machine uses it to reach the internet."""

    @property
    def host(self) -> str:
        """The address as part of a URL: in brackets if it’s IPv6."""
        return f"[{self.address}]" if self.address.version == 6 else str(self.address)  # noqa: PLR2004 - IPv6


def places() -> list[Place]:
    """Return all addresses at which others could reach this machine, the likeliest first."""
    out = _way_out()
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ipaddress.ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            if address.is_loopback or (address.version == 6 and address.is_link_local):  # noqa: PLR2004 - a phone's browser takes no such address
                continue
            found.append(Place(address, ip.nice_name, ip.network_prefix, str(address) == out))
    return likeliest(found)


def likeliest(found: Iterable[Place]) -> list[Place]:
    """Return addresses sorted by how likely it is that phones at the table can reach them."""
    return sorted(found, key=_doubt)


def _doubt(place: Place) -> tuple[int, ...]:
    """Return the reasons against an address as a sort key, the strongest first."""
    address = place.address
    version = address.version
    hotspot = _HOTSPOT.search(place.interface) or any(
        version == 4 and address in network and int(address) & 0xFF == 1  # noqa: PLR2004 - IPv4
        for network in _HOTSPOTS
    )
    tunnel = _TUNNEL.search(place.interface) or place.prefix >= _ONE_MACHINE[version]
    return (
        version,
        bool(tunnel or (version == 4 and address in _SHARED)),  # noqa: PLR2004 - as above
        bool(_VIRTUAL.search(place.interface)),
        address.is_link_local,
        # A hotspot is only opened to let somebody in.
        not hotspot,
        not place.leads_out,
        not address.is_private,
    )


def local_hostname() -> str:
    """Return the name that others on the network may know this machine by; empty if it has none."""
    name = host_name(f"{socket.gethostname().partition('.')[0]}.local")
    return "" if name in {"", "localhost.local"} else name


def draw(link: str, encoding: str) -> str:
    """Return a link as a QR code of text, 2 rows to a line; empty if the terminal can’t show it."""
    drawing = io.StringIO()
    segno.make(link, micro=False).terminal(drawing, border=2, compact=True)
    code = drawing.getvalue()
    try:
        code.encode(encoding)
    except UnicodeError:
        return ""
    return code


def draw_here(link: str) -> str:
    """Return a link as a QR code for standard output."""
    code = draw(link, sys.stdout.encoding)
    if not sys.stdout.isatty():
        return code.rstrip("\n")
    # White on black whatever the terminal’s colors: not every phone can read an inverted code.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in code.splitlines())


def _way_out() -> str:
    """Return the address from which this machine reaches the internet; empty if it doesn’t."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # Nothing is sent: this only asks which of our addresses would be used for one that is
            # reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
