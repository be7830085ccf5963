"""Networks of clients: one client usually has a whole network of IPv6, so that its addresses count as one."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

_PREFIX = 64
"""Bits of an address of IPv6 that are those of a client's network."""


@lru_cache(maxsize=1024)
def network_of(host: str) -> str:
    """Return the address of a client, or for IPv6 its network; an IPv4 address within IPv6 is the IPv4
    address.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address.packed, _PREFIX), strict=False))
