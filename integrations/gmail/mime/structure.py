"""Whether every program reads the same out of a mail: what a card can show is only what they agree on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from email.errors import InvalidBase64CharactersDefect, InvalidBase64LengthDefect, InvalidBase64PaddingDefect

from integrations.gmail.mime.message import Mime, field_texts, file_content, is_text, parts_in
from integrations.gmail.text import visible

ONCE = frozenset(
    {
        *("date", "from", "sender", "reply-to", "to", "cc", "bcc", "message-id", "in-reply-to", "references"),
        *("subject", "mime-version"),
    }
)
"""Header fields that a mail has once at most (RFC 5322 §3.6); so has a part each that describes its content."""
_USUAL = re.compile(r"This is a (?:cryptographically signed |multi-?part )?message in MIME format\.?", re.IGNORECASE)
_IN_BASE64 = (InvalidBase64CharactersDefect, InvalidBase64LengthDefect, InvalidBase64PaddingDefect)


def all_parts(mail: Mime) -> Iterator[Mime]:
    """The mail and every part in it, but not what is inside an attached mail."""
    yield mail
    for inner in parts_in(mail):
        yield from all_parts(inner)


def disagreement(mail: Mime) -> str:
    """Why programs may show different texts of this mail, as a sentence; "" where they show the same."""
    for part in all_parts(mail):
        if repeated := _repeated(part, is_whole=part is mail):
            return f"It has the header field {repeated} more than once."
        if form := next((kind for each in _bodies(part) if (kind := _unread(each))), ""):
            return f"It has a text of the kind {form}, which many programs show in place of the text here."
        if _is_broken(part):
            return "It is not built as mails are, so programs read it in different ways."
    return ""


def around_parts(mail: Mime) -> list[str]:
    """What stands before and behind the parts, which programs show that know no parts (RFC 2046 §5.1.1)."""
    pieces = [piece for part in all_parts(mail) for piece in (part.preamble, part.epilogue) if piece]
    return [text for piece in pieces if (text := visible(piece).strip()) and not _USUAL.fullmatch(text)]


def _repeated(part: Mime, *, is_whole: bool) -> str:
    names = Counter(name.lower() for name, _ in part.raw_items())
    counted = (name for name, times in names.items() if times > 1)
    once = (name for name in counted if name.startswith("content-") or (is_whole and name in ONCE))
    return next((name.title() for name in once), "")


def _bodies(part: Mime) -> list[Mime]:
    """The parts in it that a program may show as the mail's text (RFC 2046 §5.1.4, RFC 2387 §3.2)."""
    inner, kind = parts_in(part), part.get_content_type()
    if kind == "multipart/related":
        return _roots(part, inner)
    if kind == "multipart/alternative":
        return inner
    return [each for each in inner if each.get_content_maintype() == "text" and not _is_file(each)]


def _roots(part: Mime, inner: list[Mime]) -> list[Mime]:
    start = str(part.get_param("start") or "")
    named = [each for each in inner if start and start in field_texts(each, "Content-ID")]
    return [*inner[:1], *named]


def _unread(part: Mime) -> str:
    """The type of a text that is not read here."""
    return "" if is_text(part) or part.get_content_maintype() == "multipart" else part.get_content_type()


def _is_file(part: Mime) -> bool:
    return bool(part.get_filename()) or part.get_content_disposition() == "attachment"


def _is_broken(part: Mime) -> bool:
    file_content(part)  # which finds what is wrong with its encoding
    harmless = () if is_text(part) else _IN_BASE64
    return part.get_unixfrom() is not None or any(not isinstance(defect, harmless) for defect in part.defects)
