"""A mail that exists, as MIME: looked into, and changed in one place while every other byte stays.

Parsed under `compat32`, which keeps header fields and texts as they were written, also when no rule allows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.errors import HeaderParseError
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import compat32
from typing import cast

from integrations.errors import ModelRetry
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.bodies import decode_text
from integrations.gmail.text import visible

Mime = Message

_AS_WRITTEN = compat32.clone(linesep="\r\n", max_line_length=None, mangle_from_=False)
_TEXTS = frozenset({"text/plain", "text/html"})
_ONE_OF = "multipart/alternative"
MOST_NESTED = 20


def parsed(raw: bytes) -> Mime:
    """The mail, whatever is wrong with it."""
    return BytesParser(Message, policy=_AS_WRITTEN).parsebytes(raw)


def written(mail: Mime) -> bytes:
    """Its bytes. Raises `ModelRetry` where a field of its head cannot be written again as it is."""
    try:
        return mail.as_bytes(policy=_AS_WRITTEN)
    except HeaderParseError:
        raise ModelRetry("invalid_header", "This mail has a header field that no mail can have.") from None


def reparsed(part: EmailMessage) -> Mime:
    """A part of our own making, fit to stand in a mail that was parsed."""
    return parsed(part.as_bytes())


def field_texts(mail: Mime, name: str) -> list[str]:
    """Every header field of this name as it is written; bytes that no header may have are read as UTF-8."""
    values = [str(value) for key, value in mail.raw_items() if key.lower() == name.lower()]
    return [value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for value in values]


def put_field(mail: Mime, name: str, value: str) -> None:
    """One header field of this name, encoded already, in the place of what there was; none for an empty one."""
    del mail[name]
    if value:
        mail[name] = value


async def text_of(mail: Mime, html: HtmlReader) -> str:
    """What its text says: one form of several, the pieces of a mixed one in order. Raises `HtmlUnreadable`."""
    pieces = [await read_text(part, html) for part in _shown(mail)]
    return "\n\n".join(piece for piece in pieces if piece)


def texts_of(mail: Mime) -> list[Mime]:
    """Every part of it that is text, in every form."""
    return [part for part in _leaves(mail) if is_text(part)]


def other_texts(mail: Mime) -> list[Mime]:
    """The forms of its text that `text_of` leaves out for another one."""
    shown = list(map(id, _shown(mail)))
    return [part for part in texts_of(mail) if id(part) not in shown]


def files_of(mail: Mime) -> list[Mime]:
    """Whatever is in it but its text, in order: attachments, pictures of the text, mails."""
    return [part for part in _leaves(mail) if not is_text(part)]


def file_content(part: Mime) -> bytes | None:
    """The bytes of a file; None for a mail inside the mail, which has none of its own."""
    data = cast("object", part.get_payload(decode=True))
    return data if isinstance(data, bytes) else None


def is_picture_of_text(part: Mime) -> bool:
    """Whether the text shows it, by its id (RFC 2392)."""
    return part.get_content_maintype() == "image" and bool(field_texts(part, "Content-ID"))


def with_text(mail: Mime, text: Mime, more: Sequence[Mime]) -> None:
    """Put another text into it, and files to those that it has."""
    _fill(mail, [text, *files_of(mail), *more])


def with_files(mail: Mime, more: Sequence[Mime]) -> None:
    """Put files to those that it has."""
    mixed = mail.get_content_type() == "multipart/mixed" and mail.is_multipart()
    if more:
        _fill(mail, [*(_parts(mail) if mixed else [_inner(mail)]), *more])


def _leaves(part: Mime) -> Iterator[Mime]:
    """The parts that hold something; a mail inside the mail is one."""
    if not part.is_multipart() or part.get_content_maintype() == "message":
        yield part
        return
    for inner in _parts(part):
        yield from _leaves(inner)


def is_text(part: Mime) -> bool:
    """Whether a part is text of the mail, in a form that is read here."""
    is_file = part.get_filename() or part.get_content_disposition() == "attachment"
    return part.get_content_type() in _TEXTS and not is_file


def _shown(part: Mime) -> list[Mime]:
    """The texts that a reader shows: of several forms the plain one, else the first that has any (RFC 2046 §5.1.4)."""
    if part.get_content_type() != _ONE_OF:
        inner = parts_in(part)
        return [shown for each in inner for shown in _shown(each)] if inner else [part] if is_text(part) else []
    forms = [shown for each in _parts(part) if (shown := _shown(each))]
    plain = [shown for shown in forms if all(each.get_content_type() == "text/plain" for each in shown)]
    ordered = [*plain, *forms]
    return ordered[0] if ordered else []


def raw_text(part: Mime) -> str:
    """What stands in a text part, decoded."""
    return decode_text(file_content(part) or b"", part.get_content_charset() or "")


async def read_text(part: Mime, html: HtmlReader) -> str:
    """What a text part says. Raises `HtmlUnreadable`."""
    text = raw_text(part)
    return visible(await html.text(text) if part.get_content_type() == "text/html" else text).strip()


def parts_in(part: Mime) -> list[Mime]:
    """The parts that a part is made of; an attached mail is made of none."""
    return [] if part.get_content_maintype() == "message" else _parts(part)


def is_too_deep(mail: Mime) -> bool:
    """Whether parts stand in parts more often than any program puts them."""
    inside = [mail]
    for _ in range(MOST_NESTED):
        inside = [inner for part in inside for inner in parts_in(part)]
    return bool(inside)


def _parts(part: Mime) -> list[Mime]:
    """What is in a part that has parts; one that only says so has none."""
    payload = cast("object", part.get_payload())
    return cast("list[Mime]", payload) if isinstance(payload, list) else []


def _content(part: Mime) -> list[tuple[str, str]]:
    return [(key, str(value)) for key, value in part.raw_items() if key.lower().startswith("content-")]


def _inner(mail: Mime) -> Mime:
    """The mail's content alone, as a part."""
    inner = parsed(written(mail))
    for key, _ in mail.raw_items():
        if not key.lower().startswith("content-"):
            del inner[key]
    return inner


def _fill(mail: Mime, parts: Sequence[Mime]) -> None:
    """Give the mail this content, in the place of its own."""
    for key, _ in _content(mail):
        del mail[key]
    put_field(mail, "MIME-Version", "1.0")
    mail.preamble = mail.epilogue = None
    if len(parts) == 1:
        for key, value in _content(parts[0]):
            mail[key] = value
        mail.set_payload(cast("str", parts[0].get_payload()))
        return
    mail["Content-Type"] = "multipart/mixed"
    mail.set_payload(cast("str", list(parts)))
