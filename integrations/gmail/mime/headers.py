"""What stands in the header fields of a mail of ours, encoded and folded.

Not by `email`'s own folding: at 78 characters it takes the quotes from a name with a comma, so that one address becomes
two, and spaces from a subject; at 998 its encoded words are longer than the 75 characters that RFC 2047 §2 allows, and
Message-IDs beyond that would become encoded words themselves, and threading would be lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.header import Header
from email.headerregistry import Address as HeaderAddress

from integrations.gmail.mime.addresses import Address

WIDTH = 75
LINE = 900
"""A text of more characters is encoded, so that it can be folded: a line has 998 at most (RFC 5322 §2.1.1)."""
PLAIN_NAME = 200
"""A name of more characters is encoded too: encoded words can be folded, a quoted name should not be."""

_ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
_DOT_ATOMS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_ATOM}(?:\.{_ATOM})*", re.ASCII)
"""An address without quotes, comments and domain literals (RFC 5322 §3.4.1)."""
_NO_LINE = re.compile(r"[\x00-\x1f\x7f]")


def text_field(name: str, text: str) -> str:
    """A text; whatever is not plain ASCII in encoded words. Raises `ValueError` for what no header can carry."""
    _check(text)
    return text if _is_plain(text) and len(text) <= LINE else Header(text, "utf-8", WIDTH, name).encode(linesep="\r\n")


def people_field(addresses: Sequence[Address]) -> str:
    """Everybody, each on a line; raises as `text_field`."""
    return ",\r\n ".join(map(_person, addresses))


def ids_field(ids: Sequence[str]) -> str:
    """Message-IDs, each on a line and never encoded; raises as `text_field`."""
    for each in ids:
        _check(each)
    return "\r\n ".join(ids)


def _person(address: Address) -> str:
    _check(f"{address.name}{address.email}")
    if not address.name:
        return str(_header_address("", address.email))
    if _is_plain(address.name) and len(address.name) <= PLAIN_NAME:
        return str(_header_address(address.name, address.email))
    words = Header(address.name, "utf-8", WIDTH).encode(linesep="\r\n")
    return f"{words}\r\n <{_header_address('', address.email)}>"


def _header_address(name: str, email: str) -> HeaderAddress:
    """An address in two parts need not be parsed, which takes longer than all else in a head."""
    if _DOT_ATOMS.fullmatch(email):
        local, _, domain = email.partition("@")
        return HeaderAddress(name, local, domain)
    return HeaderAddress(name, addr_spec=email)


def _is_plain(text: str) -> bool:
    return text.isascii() and "=?" not in text


def _check(text: str) -> None:
    if _NO_LINE.search(text):
        raise ValueError("a header field is one line")
