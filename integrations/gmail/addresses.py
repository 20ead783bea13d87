"""Mail addresses: those that a model proposes, checked strictly, and those in mail headers, read leniently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email import headerregistry
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from integrations.errors import ModelRetry
from integrations.gmail.cleaning import one_line, visible
from integrations.gmail.mailboxes import mailboxes
from policies.rules import is_address

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*\Z")
_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_NAMED = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]+)>\Z")
_SLACK_LINK = re.compile(r"<mailto:(?P<email>[^|<>]+)(\|[^<>]*)?>\Z")
_GMAIL = {"gmail.com", "googlemail.com"}


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
        local, _, domain = self.email.lower().rpartition("@")
        if domain in _GMAIL:
            return f"{local.partition('+')[0].replace('.', '')}@gmail.com"
        return f"{local.partition('+')[0]}@{domain}"

    def as_header(self) -> headerregistry.Address:
        """The same for `EmailMessage`, which quotes and encodes the name."""
        return headerregistry.Address(display_name=self.name, addr_spec=self.email)

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


def parse_recipient(text: str) -> Address:
    """One recipient as a model writes it: "a@x.com" or "Jane Doe <a@x.com>", the name with or without a comma.

    Domains become IDNA. Raises `ModelRetry` for anything that is not exactly one deliverable address.
    """
    stripped = text.strip()
    if visible(stripped) != stripped or "\n" in stripped:
        raise _refuse(text, "it has line breaks or invisible characters")
    link = _SLACK_LINK.match(stripped)
    if link:
        return Address(email=_checked(link["email"].strip(), text))
    named = _NAMED.match(stripped)
    if not named:
        return Address(email=_checked(stripped, text))
    name = one_line(named["name"]).strip('"').strip()
    if "@" in name:
        raise _refuse(text, "the name looks like another address")
    return Address(email=_checked(named["email"].strip(), text), name=name)


def parse_recipients(texts: Iterable[str]) -> list[Address]:
    """As `parse_recipient`, each person once."""
    return without_doubles(parse_recipient(text) for text in texts)


def read_addresses(fields: Sequence[str]) -> list[Address]:
    """The addresses of header fields, without what is none: a line end or a bracket in one is somebody's trick."""
    return [address for address in written_addresses(fields) if is_address(address.email)]


def written_addresses(fields: Sequence[str]) -> list[Address]:
    """Whatever stands in header fields where addresses stand: for those who check each and leave none out.

    Parsed before it is decoded, so that an encoded comma splits nothing.
    """
    pairs = [pair for field in fields for pair in mailboxes(field)]
    return [Address(email=email, name=decoded_text(name)) for name, email in pairs if "@" in email]


def deliverable(address: Address) -> Address:
    """An address from a mail, checked as strictly as a model's; raises `ModelRetry`. A name that is one is left out."""
    return Address(email=_checked(address.email, address.email), name="" if "@" in address.name else address.name)


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
    try:
        return one_line(str(make_header(decode_header(value))))
    except (LookupError, ValueError, HeaderParseError):
        return one_line(value)


def _checked(email: str, text: str) -> str:
    local, at, domain = email.rpartition("@")
    if not at or "@" in local or re.search(r"[\s,;]", email):
        raise _refuse(text, "write one address per entry, like jane@example.com")
    if not _LOCAL.match(local) or len(local) > 64:
        raise _refuse(text, "the part before the @ has characters that mail cannot carry")
    ascii_domain = _idna(domain, text)
    labels = ascii_domain.split(".")
    if len(labels) < 2 or not all(_LABEL.match(label) for label in labels) or len(ascii_domain) > 253:
        raise _refuse(text, "the domain is not valid")
    return f"{local}@{ascii_domain}"


def _idna(domain: str, text: str) -> str:
    """The domain in ASCII. A name that IDNA 2003 would turn into another one (ß into ss) is refused."""
    if domain.isascii():
        return domain.lower()
    try:
        encoded = domain.encode("idna").decode("ascii")
    except UnicodeError:
        raise _refuse(text, "the domain is not valid") from None
    if encoded.encode("ascii").decode("idna") != domain.lower():
        raise _refuse(text, "write the domain in its xn-- form")
    return encoded


def _refuse(text: str, why: str) -> ModelRetry:
    shown = one_line(text)[:120]
    hint = "" if "@" in text or not shown else f'A name is no address: call find_person(name="{shown}") first.'
    return ModelRetry("invalid_recipient", f"“{shown}” cannot be a recipient: {why}.", hint=hint, private=False)
