"""Addresses at which phones reach this machine, the likeliest first.

A machine has many: of its Wi-Fi and its cable, of VPNs, of virtual machines and containers. Which
one the phones share nobody can know; but hardly ever is it one of a network without phones.
"""

import io
import ipaddress
import re
import socket
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
"""Names of interfaces that lead to somewhere else, on Linux, macOS and Windows."""

_VIRTUAL: Final = re.compile(
    r"^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|podman|cni|flannel|cali|bnep|awdl|llw|anpi)"
    r"|vethernet|hyper-v|virtualbox|vmware|wsl|bluetooth|loopback",
    re.IGNORECASE,
)
"""Names of interfaces behind which there are other machines of this machine's own."""

_HOTSPOT: Final = re.compile(r"^(ap\d|bridge100)")
"""Names of interfaces that are there only while a machine lets others into a network of its own."""

_HOTSPOTS: Final = tuple(
    # As NetworkManager and Windows give them out.
    map(ipaddress.IPv4Network, ("10.42.0.0/16", "192.168.137.0/24"))
)

_SHARED: Final = ipaddress.IPv4Network("100.64.0.0/10")
"""Addresses that providers and Tailscale give out."""

_ONE_MACHINE: Final = {4: 32, 6: 128}
"""The prefix of a network with one machine in it, by the version of the protocol."""


@dataclass(frozen=True, slots=True)
class Place:
    """An address of this machine on one of its networks."""

    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    interface: str
    """As its owner knows it: "wlan0", "Wi-Fi", "Intel(R) Wireless-AC 9560"."""
    prefix: int = 24
    """How many bits of the address are its network's."""
    leads_out: bool = False
    """Whether it is what this machine takes to the internet."""

    @property
    def host(self) -> str:
        """As it stands in an address on the web."""
        return f"[{self.address}]" if self.address.version == 6 else str(self.address)  # noqa: PLR2004 - IPv6


def places() -> list[Place]:
    """All addresses that others could reach this machine at, the likeliest first."""
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
    """Sort addresses by how likely it is that the phones at the table reach them."""
    return sorted(found, key=_doubt)


def _doubt(place: Place) -> tuple[int, ...]:
    """What speaks against an address, the weightiest first."""
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
        # Nobody opens a hotspot but to let somebody in.
        not hotspot,
        not place.leads_out,
        not address.is_private,
    )


def own_name() -> str:
    """The name of this machine that others on its network may know; empty if it has none."""
    name = host_name(f"{socket.gethostname().partition('.')[0]}.local")
    return "" if name in {"", "localhost.local"} else name


def draw(link: str, encoding: str) -> str:
    """Draw a link as a QR code, two rows of it to a line; empty if a terminal has no blocks."""
    drawing = io.StringIO()
    segno.make(link, micro=False).terminal(drawing, border=2, compact=True)
    code = drawing.getvalue()
    try:
        code.encode(encoding)
    except UnicodeError:
        return ""
    return code


def _way_out() -> str:
    """The address from which this machine would reach the internet; empty if it does not."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # Nothing is sent: this only asks which of our addresses would be used, towards one
            # that is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
