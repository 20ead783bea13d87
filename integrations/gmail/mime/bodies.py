"""The parts of a message: its text, from the best body part with its charset repaired, and its attachments."""

from __future__ import annotations

import asyncio
import re
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Sequence
from email.message import Message as Mime
from typing import Protocol

from integrations.gmail.isolated.html_reader import HtmlUnreadable
from integrations.gmail.mime.addresses import decoded_text
from integrations.gmail.text import shortened, visible
from integrations.gmail.wire import GmailMessage, Part

_STATEFUL = ("utf-16", "utf16", "utf-32", "utf32", "iso-2022", "hz", "utf-7")
_PLACEHOLDER = re.compile(r"(html|browser).{0,60}(view|support|display|enable|read)|view.{0,40}(html|browser)", re.I)
SHORT = 200
NAME_LENGTH = 120
UNREADABLE = "[HTML that takes too long to be read here. It can be read in Gmail.]"
"""In the place of hostile HTML that has no plain form beside it."""
ENCODED = 4_000_000
"""Characters of an encoded body that are decoded. Nobody reads on behind them."""
_UTF8_TELLS = frozenset({"", "us-ascii", "ascii", "iso-8859-1", "latin1", "latin-1"})
_NO_CHARSETS = frozenset({"unicode_escape", "raw_unicode_escape", "punycode", "idna", "undefined"})
"""Encodings of Python that no mail is written in. Some of them make invalid characters."""


def decode_base64url(data: str) -> bytes:
    """Gmail's base64url, which comes without its padding (RFC 4648 §5). Garbage gives what could be read."""
    clean = re.sub(r"[^A-Za-z0-9_-]", "", data.translate(str.maketrans("+/", "-_")))
    try:
        return urlsafe_b64decode(clean + "=" * (-len(clean) % 4))
    except Base64Error:
        return urlsafe_b64decode(clean[: len(clean) // 4 * 4])


def decode_text(raw: bytes, charset: str) -> str:
    """Text whose declared charset may be a lie: UTF-8 first where it can tell, then what was declared, then cp1252."""
    declared = charset.strip().strip('"').lower()
    order = [declared, "utf-8"] if declared.startswith(_STATEFUL) else ["utf-8", declared]
    if declared.replace("-", "_") in _NO_CHARSETS or declared in _UTF8_TELLS:
        order = ["utf-8"]
    for name in order:
        try:
            return raw.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("cp1252", errors="replace")


def is_attachment(part: Part) -> bool:
    """Whether a part is listed instead of read: it has a name, is an attached message, or is no text."""
    if part.mime_type.startswith("multipart/"):
        return False
    disposition = part.header("Content-Disposition").strip().lower()
    is_text = part.mime_type in {"text/plain", "text/html"}
    return bool(part.filename) or disposition.startswith("attachment") or not is_text


def is_own_text(part: Part) -> bool:
    """Whether a part holds the message's own text. One with an attachment id must be fetched first."""
    return not part.parts and not is_attachment(part)


def text_parts(message: GmailMessage) -> list[Part]:
    """The parts that hold the message's own text, in order."""
    return [part for part in message.payload.walk() if is_own_text(part)]


def attachments(message: GmailMessage) -> list[Part]:
    """The parts that are listed as attachments, in order."""
    return [part for part in message.payload.walk() if is_attachment(part) and part.mime_type != "text/x-amp-html"]


def name_of(part: Part) -> str:
    """The file's name, decoded and on one line."""
    if part.filename:
        return shortened(visible(decoded_text(part.filename)), NAME_LENGTH)
    return "attached message" if part.mime_type == "message/rfc822" else "(no name)"


def size_in_words(size: int) -> str:
    """ "812 bytes", "34 kB", "2.5 MB"."""
    if size < 1_000:
        return f"{size} bytes"
    return f"{size / 1_000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def plain_text(message: GmailMessage) -> str:
    """The message's own text in its plain form."""
    return "\n".join(_decoded(part) for part in text_parts(message) if part.mime_type == "text/plain")


class Pages(Protocol):
    """Reads HTML: `HtmlReader`, or within the budget of a look `HtmlBudget`."""

    async def text(self, html: str) -> str:
        """What a person would read; raises `HtmlUnreadable`."""
        ...


async def body_text(message: GmailMessage, html: Pages) -> str:
    """What a person would read: every part; of an alternative the plain one, unless it only stands in for HTML that
    can be read.
    """
    return await asyncio.to_thread(_tidied, await _read(message.payload, html))


def _tidied(text: str) -> str:
    return visible(text).strip()


async def _read(part: Part, html: Pages) -> str:
    if not part.mime_type.startswith("multipart/"):
        return "" if is_attachment(part) else (await _text(part, html)).strip()
    texts = [(inner.mime_type, text) for inner in part.parts if (text := await _read(inner, html))]
    if part.mime_type == "multipart/alternative":
        plain = "\n".join(text for kind, text in texts if kind == "text/plain")
        rich = next((text for kind, text in reversed(texts) if kind != "text/plain"), "")
        return rich if not plain or (rich and _stands_in(plain, rich)) else plain
    return "\n\n".join(await asyncio.to_thread(_each_once, [text for _, text in texts]))


def _each_once(texts: Sequence[str]) -> list[str]:
    """Without a text that another one repeats: some programs send both forms as if they were two parts."""
    letters = [re.sub(r"[\W_]+", "", text) for text in texts]
    kept: list[int] = []
    for place in sorted(range(len(texts)), key=lambda each: len(letters[each]), reverse=True):
        mine = letters[place]
        if not any(len(mine) * 2 >= len(letters[other]) and mine in letters[other] for other in kept):
            kept.append(place)
    return [texts[place] for place in sorted(kept)]


def _stands_in(plain: str, html: str) -> bool:
    if UNREADABLE in html:
        return False
    much_shorter = len(html) > SHORT and len(plain) * 5 < len(html)
    return much_shorter or (len(plain) < SHORT and len(html) > len(plain) and bool(_PLACEHOLDER.search(plain)))


async def _text(part: Part, html: Pages) -> str:
    text = await asyncio.to_thread(_decoded, part)
    if part.mime_type != "text/html":
        return text
    try:
        return await html.text(text)
    except HtmlUnreadable:
        return UNREADABLE


def _decoded(part: Part) -> str:
    mime = Mime()
    mime["Content-Type"] = part.header("Content-Type") or part.mime_type
    text = decode_text(decode_base64url(part.body.data[:ENCODED]), mime.get_content_charset() or "")
    if part.mime_type == "text/html" or str(mime.get_param("format")).lower() != "flowed":
        return text
    return _unflowed(text, joint="" if str(mime.get_param("delsp")).lower() == "yes" else " ")


def _unflowed(text: str, *, joint: str) -> str:
    """format=flowed: a line that ends in a space goes on in the next one, except a signature's "-- " (RFC 3676).

    With DelSp=yes the space is no part of the text (§4.3): an address that was broken over two lines has none.
    """
    return re.sub(r"(?<!^--) \r?\n(?!>|-- $)", joint, text, flags=re.MULTILINE)
