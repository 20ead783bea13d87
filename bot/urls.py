"""Web addresses as the configuration has them: what is one, and the one way in which it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

_NO_ADDRESS = "it must be a web address, as in https://example.com"
_NO_NETWORKS = "it must name addresses or networks, as in 10.0.0.5 or 10.0.0.0/24, separated by commas"
_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?")


Network = IPv4Network | IPv6Network
LOOPBACK: Sequence[Network] = (ip_network("127.0.0.0/8"), ip_network("::1"))


def networks(value: str | None) -> Sequence[Network]:
    """The networks that a list with commas names, an address being one; raises `ValueError`."""
    try:
        found = [ip_network(part.strip()) for part in (value or "").split(",") if part.strip()]
    except ValueError:
        raise ValueError(_NO_NETWORKS) from None
    if any(not network.prefixlen for network in found):
        raise ValueError("it must not name every address: then anybody could say where they come from")
    return found


def origins(value: str | None) -> frozenset[str]:
    """The origins that a list with commas names, in small letters. Raises `ValueError` about the first wrong one."""
    found = [part.strip().lower().removesuffix("/") for part in (value or "").split(",") if part.strip()]
    for origin in found:
        _check_origin(origin)
    return frozenset(found)


def _check_origin(origin: str) -> None:
    if "@" in origin:  # perhaps behind a password, which is not told
        raise ValueError("an origin has no “@”: leave out what stands before it")
    if "*" in origin:
        raise ValueError(f"“{origin}” is not taken: name each address, as in https://app.acme.com")
    if "://" not in origin:
        raise ValueError(f"write https:// before “{origin}”")
    try:
        path = urlsplit(origin).path
    except ValueError:  # half of a bracket
        raise ValueError(f"“{origin}”: {_NO_ADDRESS}") from None
    if path.strip("/"):
        raise ValueError(f"leave out the path of “{origin}”: an origin ends with its host, or its port")
    try:
        written = public_address(origin)
    except ValueError as error:
        raise ValueError(f"“{origin}”: {error}") from None
    if written != origin:
        raise ValueError(f"write {written} for “{origin}”")


def web_address(value: str | None) -> str | None:
    """The value itself; raises `ValueError` for what is no http(s) address. None is none."""
    try:
        parts = urlsplit((value or "").strip())
    except ValueError:  # half of a bracket
        raise ValueError(_NO_ADDRESS) from None
    if value is not None and not (parts.scheme in {"http", "https"} and parts.hostname):
        raise ValueError(_NO_ADDRESS)
    return value


def public_address(value: str | None) -> str | None:
    """The one way of writing an address that people's browsers come to: what they send back is compared with it.

    No slash at the end, the host in small letters and in ASCII, no port that goes without saying (RFC 3986 §6.2).
    """
    if value is None:
        return None
    parts = urlsplit(value.strip())
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("it must be nothing but an address: leave out names, “?”, “#” and what follows")
    if parts.path.strip("/"):
        raise ValueError("it must have no path, as in https://agent.example.com: give the agent a host name of its own")
    try:
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except ValueError:  # a port that is no number, a name that can be none
        raise ValueError(_NO_ADDRESS) from None
    if parts.scheme != "https" and not is_loopback(f"http://{host}"):
        raise ValueError("it must begin with https://; http:// is for this machine alone, as in http://127.0.0.1:8080")
    usual = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}{'' if usual else f':{port}'}"


def _ascii_host(host: str) -> str:
    """A host as browsers write it; raises `ValueError` for what is none."""
    if ":" in host:
        return f"[{ip_address(host)}]"
    name = host.encode("idna").decode("ascii").lower()
    if not _HOST.fullmatch(name):
        raise ValueError
    return name


def folder(value: str) -> str:
    """The same address as the one of a folder: what is joined to it does not replace its last part."""
    return value if value.endswith("/") else f"{value}/"


def is_loopback(url: str) -> bool:
    """Whether this address is one of this machine."""
    return urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}


def at_port(host: str, port: int) -> str:
    """The address of what is served there; one of IPv6 stands in brackets (RFC 3986 §3.2.2)."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def origin_of(url: str) -> str:
    """The origin of an address, as browsers write it (RFC 6454 §6.2)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
