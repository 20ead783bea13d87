"""Proxies before this server: where a request comes from is what the last of them that is trusted says.

Each proxy adds to `X-Forwarded-For` who it heard from. What stands before the last address that no trusted proxy has,
anybody can have written. uvicorn's own reading of it takes whatever stands there for an address, and believes more
processes than are configured (`FORWARDED_ALLOW_IPS`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.urls import Network

MOST_HOPS = 16
"""Addresses that are looked at: nobody has more proxies, and anybody can write 60,000 characters of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardedRequests:
    """`app`, told the address of whoever asks. `trusted` is where proxies are whose word counts."""

    app: ASGIApp
    trusted: Sequence[Network]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on with its client."""
        if client := scope.get("client"):
            forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
            scope = {**scope, "client": (client_of(client[0], forwarded, self.trusted), client[1])}
        await self.app(scope, receive, send)


def client_of(peer: str, forwarded: str, trusted: Sequence[Network]) -> str:
    """The address of whoever asks: that of `peer`, where the connection comes from, unless a trusted proxy is there.
    Where that one wrote what is no address, it is the proxy's own.
    """
    client = peer
    for hop in _hops(peer, forwarded):
        address = _address(hop)
        if address is None:
            break
        client = str(address)
        if not any(address in network for network in trusted):
            break
    return client


def _hops(peer: str, forwarded: str) -> Iterator[str]:
    """The nearest one first."""
    yield peer
    yield from reversed(forwarded.rsplit(",", MOST_HOPS)[-MOST_HOPS:])


def _address(hop: str) -> IPv4Address | IPv6Address | None:
    """As proxies write it: some with a port, and one of IPv6 in brackets then."""
    host = hop.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
