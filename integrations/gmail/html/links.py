"""Where a link leads, also in the spellings that browsers mend (url.spec.whatwg.org, “URL parsing”)."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urlsplit

ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}://|//|mailto:|data:|javascript:|tel:|sms:)[^\s\"'<>()]+", re.IGNORECASE
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*(?=:)", re.IGNORECASE)
_WITH_HOST = frozenset({"http", "https", "ftp", "ws", "wss"})
_EDGES = "".join(map(chr, range(0x21)))
_TAIL = ".,;:!?"
_HOST_LENGTH = 253


def resolved(href: str) -> str:
    """The address that a browser goes to; empty for one inside the mail itself, or relative to nothing."""
    text = re.sub(r"[\t\n\r]", "", href).strip(_EDGES)
    scheme = _SCHEME.match(text)
    if scheme is not None and scheme[0].lower() not in _WITH_HOST:
        return f"{scheme[0].lower()}{text[scheme.end() :]}"
    rest = text if scheme is None else text[scheme.end() + 1 :]
    end = next((at for at, letter in enumerate(rest) if letter in "?#"), len(rest))
    place = rest[:end].replace("\\", "/")
    if scheme is None:
        return f"{place}{rest[end:]}" if place.startswith("//") else ""
    return f"{scheme[0].lower()}://{place.lstrip('/')}{rest[end:]}"


class ShownText:
    """A text that people see, asked for addresses; it is searched once."""

    def __init__(self, text: str) -> None:
        self._text = text

    def has(self, address: str) -> bool:
        """Whether it shows this address as a whole; one that only stands inside another one leads a reader astray."""
        if address not in self._text:
            return False
        return f"({address})" in self._text or address in self._addresses

    @cached_property
    def _addresses(self) -> frozenset[str]:
        found: list[str] = ADDRESS.findall(self._text)
        return frozenset([*found, *(address.rstrip(_TAIL) for address in found)])


def in_short(address: str, length: int) -> str:
    """The address; of a long one its beginning, and the host that it leads to, which may stand behind that."""
    if len(address) <= length:
        return address
    return f"{address[:length]}… (its host is {_host(address) or 'not clear'})"


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "")[:_HOST_LENGTH]
    except ValueError:
        return ""
