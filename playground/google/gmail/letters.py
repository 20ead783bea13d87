"""A mail: its RFC 5322 bytes, and what can be read from them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from functools import cached_property
from html.parser import HTMLParser
from typing import cast

SNIPPET_CHARACTERS = 200

_PREFIXES = re.compile(r"^\s*((re|fwd?|aw|wg|sv|vs)\s*(\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_MESSAGE_ID = re.compile(r"<[^<>\s]+>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One mailbox of an address header, its name decoded."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


@dataclass(frozen=True)
class Letter:
    """One mail. `raw` is exactly as it was given; everything else is read from it once, since a mail never changes."""

    raw: bytes
    message: Message = field(init=False, repr=False, compare=False)
    headers: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)
    """All fields in order, unfolded, their encoded words left as they are (as Gmail gives them)."""

    def __post_init__(self) -> None:
        message = message_from_bytes(self.raw)
        headers = tuple((name, _unfolded(str(value))) for name, value in message.items())
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "headers", headers)

    def header(self, name: str) -> str:
        """The first field of that name, or an empty string."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")

    @cached_property
    def subject(self) -> str:
        return decoded(self.header("Subject"))

    @cached_property
    def topic(self) -> str:
        """The subject without reply and forward marks, which mails of one conversation share."""
        return " ".join(_PREFIXES.sub("", self.subject).split()).casefold()

    @cached_property
    def message_id(self) -> str:
        found = _MESSAGE_ID.search(self.header("Message-ID"))
        return found.group() if found else ""

    @cached_property
    def references(self) -> frozenset[str]:
        """The Message-IDs that this mail answers."""
        return frozenset(_MESSAGE_ID.findall(self.header("References") + " " + self.header("In-Reply-To")))

    def addresses(self, *fields: str) -> list[Address]:
        """The mailboxes of all fields with one of these names; names are decoded after they were split."""
        wanted = {name.lower() for name in fields}
        values = [value for name, value in self.headers if name.lower() in wanted]
        return [Address(name=decoded(name), email=email) for name, email in getaddresses(values) if email]

    @cached_property
    def sender(self) -> Address:
        return next(iter(self.addresses("From")), Address(name="", email=""))

    @cached_property
    def text(self) -> str:
        """The readable body: the plain parts, or the HTML's text when there are none."""
        plain = [text_of(part) for part in self._bodies("text/plain")]
        return (
            "\n".join(plain) if plain else "\n".join(text_of_html(text_of(part)) for part in self._bodies("text/html"))
        )

    @cached_property
    def attachments(self) -> list[Message]:
        return [part for part in self.message.walk() if filename_of(part)]

    @cached_property
    def snippet(self) -> str:
        """The beginning of the body on one line, HTML-escaped as the API gives it."""
        return html.escape(" ".join(self.text.split())[:SNIPPET_CHARACTERS]).replace("&#x27;", "&#39;")

    def _bodies(self, kind: str) -> Iterator[Message]:
        return (part for part in _own_parts(self.message) if part.get_content_type() == kind and not filename_of(part))


def decoded(value: str) -> str:
    """A header's text with its RFC 2047 words decoded, as far as possible."""
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, UnicodeDecodeError):
        return value


def filename_of(part: Message) -> str:
    return decoded(part.get_filename() or "")


def content_of(part: Message) -> bytes:
    """The part's bytes, transfer encoding undone."""
    if part.is_multipart():
        inner = cast("Sequence[Message]", part.get_payload())
        return inner[0].as_bytes() if part.get_content_type() == "message/rfc822" and inner else b""
    return cast("bytes", part.get_payload(decode=True) or b"")


def text_of(part: Message) -> str:
    charset = part.get_content_charset() or "utf-8"
    try:
        return content_of(part).decode(charset, errors="replace")
    except LookupError:
        return content_of(part).decode("utf-8", errors="replace")


def text_of_html(markup: str) -> str:
    """The words of an HTML body, blocks on lines of their own."""
    reader = _Words()
    reader.feed(markup)
    return "\n".join(line for line in (" ".join(line.split()) for line in "".join(reader.words).split("\n")) if line)


def without_header(raw: bytes, name: str) -> bytes:
    """The mail without the fields of that name; everything else stays byte for byte."""
    head, gap, body = _split(raw)
    pattern = rb"(?im)^" + re.escape(name.encode()) + rb"[ \t]*:.*(?:\r?\n[ \t].*)*(?:\r?\n|\Z)"
    return re.sub(pattern, b"", head + b"\r\n").rstrip(b"\r\n") + gap + body


def with_header(raw: bytes, name: str, value: str) -> bytes:
    """The mail with one more field at its top."""
    return f"{name}: {value}\r\n".encode() + raw


def _split(raw: bytes) -> tuple[bytes, bytes, bytes]:
    found = re.search(rb"\r?\n\r?\n", raw)
    return (raw, b"\r\n\r\n", b"") if found is None else (raw[: found.start()], found.group(), raw[found.end() :])


def _own_parts(message: Message) -> Iterator[Message]:
    """The parts of this mail, without those of an attached mail."""
    yield message
    if message.is_multipart() and message.get_content_type() != "message/rfc822":
        for part in cast("Sequence[Message]", message.get_payload()):
            yield from _own_parts(part)


def _unfolded(value: str) -> str:
    return re.sub(r"\r?\n[ \t]+", " ", value).strip()


class _Words(HTMLParser):
    _BLOCKS = frozenset({"p", "div", "br", "li", "tr", "h1", "h2", "h3", "table", "ul", "ol", "blockquote"})
    _CELLS = frozenset({"td", "th"})
    _SILENT = frozenset({"style", "script", "title"})

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in self._SILENT
        if tag in self._BLOCKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self._SILENT
        if tag in self._BLOCKS:
            self.words.append("\n")
        elif tag in self._CELLS:
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data.replace("\n", " "))
