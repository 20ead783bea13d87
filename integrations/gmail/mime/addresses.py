"""Mail addresses. Those that a model proposes are checked strictly, those in mail headers are read leniently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from integrations.addresses import deliverable_address, not_a_recipient, typed_recipient
from integrations.gmail.mime.address_list import mailboxes
from integrations.gmail.text import one_line, shortened, visible
from policies.mailboxes import mailbox_of
from policies.rules import is_address

NAME_LENGTH = 60
_SILENT = re.compile(
    r"(?:^|[._+-])(?:no|do[._-]?not|never)[._-]?reply|^(?:mailer-daemon|postmaster|bounces?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A mail address with the name that goes with it."""

    email: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The part after the @, in lower case."""
        return self.email.rpartition("@")[2].lower()

    @property
    def key(self) -> str:
        """What one mailbox's addresses share: neither case nor a +tag counts, nor dots at gmail.com."""
        return mailbox_of(self.email)

    @property
    def is_silent(self) -> bool:
        """Whether, by what it is called, nobody reads what comes there."""
        return bool(_SILENT.search(self.email.partition("@")[0]))

    @property
    def shown(self) -> str:
        """As a card shows it: the address first, for anybody can make up the name, and as long as they like."""
        return f"{self.email} ({shortened(self.name, NAME_LENGTH)})" if self.name else self.email

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


def parse_recipient(text: str) -> Address:
    """One recipient as a model writes it: "a@x.com" or "Jane Doe <a@x.com>", the name with or without a comma.

    Domains become IDNA. Raises `ModelRetry` for anything that is not exactly one deliverable address.
    """
    if visible(text.strip()) != text.strip():
        raise not_a_recipient(text, "it has line breaks or invisible characters")
    name, email = typed_recipient(text)
    return Address(email=email, name=name)


def parse_recipients(texts: Iterable[str]) -> list[Address]:
    """As `parse_recipient`, each person once."""
    return without_doubles(parse_recipient(text) for text in texts)


def read_addresses(fields: Sequence[str]) -> list[Address]:
    """The addresses of header fields, without what is no address: a line end or a bracket in one is a trick."""
    return [address for address in written_addresses(fields) if is_address(address.email)]


def written_addresses(fields: Sequence[str]) -> list[Address]:
    """Everything that stands in address fields, for callers that check each address and leave none out.

    Parsed before it is decoded, so that an encoded comma splits nothing.
    """
    pairs = [pair for field in fields for pair in mailboxes(field)]
    return [Address(email=email, name=decoded_text(name)) for name, email in pairs if "@" in email]


def deliverable(address: Address) -> Address:
    """An address from a mail, checked as strictly as a model's; raises `ModelRetry`. A name that is one is left out."""
    return Address(
        email=deliverable_address(address.email, address.email), name="" if "@" in address.name else address.name
    )


def without_doubles(addresses: Iterable[Address], *, besides: Iterable[Address] = ()) -> list[Address]:
    """Each address once, in order, and none of `besides`."""
    seen = {address.email.lower() for address in besides}
    kept: list[Address] = []
    for address in addresses:
        if address.email.lower() not in seen:
            seen.add(address.email.lower())
            kept.append(address)
    return kept


def decoded_text(value: str) -> str:
    """A header's text with its RFC 2047 words decoded, on one line, without what cannot be seen."""
    return one_line(decoded_whole(value))


def decoded_whole(value: str) -> str:
    """The same with what cannot be seen."""
    try:
        return str(make_header(decode_header(value)))
    except (LookupError, ValueError, HeaderParseError):
        return value
