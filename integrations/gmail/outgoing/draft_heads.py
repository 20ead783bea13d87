"""The header fields of a draft that leave unseen, unless they are shown.

A field is known where it stands on the card, or has the form in which Gmail writes it, which says nothing to a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import collapse_rfc2231_value, parsedate_to_datetime

from integrations.gmail.mime.addresses import Address, decoded_text, written_addresses
from integrations.gmail.mime.message import Mime, field_texts, is_text
from integrations.gmail.mime.structure import all_parts
from integrations.gmail.outgoing.mail import OutgoingMail
from integrations.gmail.text import one_line

RECEIPTS = ("Disposition-Notification-To", "Return-Receipt-To", "X-Confirm-Reading-To", "Generate-Delivery-Report")
SAVED_WITHIN = timedelta(days=1)
"""A draft's date is that of the day on which Gmail got it."""

_DATE = r"(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? [+-]\d{4}(?: \([A-Z]{1,5}\))?"
_ID = r"<[^\s<>]{1,250}>"
_CHARSETS = (
    r"utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|gbk?|gb2312|gb18030|big5|shift_jis|euc-(?:jp|kr)"
    r"|iso-2022-jp"
)
"""What mail programs write in. Programs do not agree on what is written in UTF-7."""
_BY_GOOGLE = r"(?:from \d+ named unknown )?by (?:gmailapi\.google\.com|[\d.]+|[\da-f:]+) with HTTP(?:REST)?"
_PARAMETER = (
    rf"charset=(?:{_CHARSETS})|boundary=[\w'()+,./:=? -]{{1,70}}|format=(?:flowed|fixed)|delsp=(?:yes|no)"
    r"|type=(?:text|multipart)/[a-z-]{1,20}"
)
_FORMS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(form, re.IGNORECASE)
    for name, form in {
        "mime-version": r"1\.0",
        "date": _DATE,
        "received": rf"{_BY_GOOGLE}; {_DATE}",
        **dict.fromkeys(("message-id", "x-gmail-original-message-id", "content-id"), _ID),
        **dict.fromkeys(("in-reply-to", "references"), rf"(?:{_ID} ?)*"),
        "content-type": rf"(?:text|multipart)/(?:plain|html|mixed|alternative|related)(?: ?; ?(?:{_PARAMETER}))*;?",
        "content-transfer-encoding": "7bit|8bit|binary|quoted-printable|base64",
        "content-language": r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}",
        "content-disposition": "inline",
        "x-attachment-id": r"[\w.-]{1,80}",
    }.items()
}
_NAMES = re.compile(r"\b(?:file)?name(\*[\d*]*)?\s*=", re.IGNORECASE)
"""A name as it is, or in the newer way of writing (RFC 2231). Of both programs take one or the other."""
_OF_FILES = frozenset({"content-type", "content-disposition"})
"""Of a file the card shows what these say: its name and its type."""
_SHOWN = frozenset({"subject", "from", "to", "cc", "bcc", "reply-to", *(name.lower() for name in RECEIPTS)})


def other_heads(mime: Mime, mail: OutgoingMail, saved: datetime) -> list[str]:
    """What the card does not show otherwise, each field on a line; `saved` is when Gmail got the draft."""
    found = [
        f"{name}: {decoded_text(value)}"
        for part in all_parts(mime)
        for name, value in part.raw_items()
        if not _is_known(part, name.lower(), _plain(str(value)), is_whole=part is mime)
    ]
    return list(dict.fromkeys([*_dates(mime, saved), *_people(mime, mail), *found]))


def _plain(value: str) -> str:
    return one_line(value).replace('"', "")


def _is_known(part: Mime, name: str, value: str, *, is_whole: bool) -> bool:
    if is_whole and name in _SHOWN:
        return True
    if name in _OF_FILES and part.get_content_maintype() != "multipart" and not is_text(part):
        return _is_named_once(part)
    form = _FORMS.get(name)
    return form is not None and form.fullmatch(value) is not None


def _is_named_once(part: Mime) -> bool:
    """Whether every program gives a file the same name: that of its type, that of its disposition."""
    places = [("name", "Content-Type"), ("filename", "Content-Disposition")]
    given = [part.get_param(name, header=head) for name, head in places]
    names = {decoded_text(collapse_rfc2231_value(each)) for each in given if each is not None}
    ways = [{bool(star) for star in _NAMES.findall(one_line(str(part[head] or "")))} for _, head in places]
    return len(names) <= 1 and all(len(way) <= 1 for way in ways)


def _dates(mime: Mime, saved: datetime) -> Iterator[str]:
    """A date on which the draft was not saved."""
    for value in field_texts(mime, "Date"):
        try:
            date = parsedate_to_datetime(value)
        except ValueError:
            continue
        if abs((date if date.tzinfo else date.replace(tzinfo=UTC)) - saved) > SAVED_WITHIN:
            yield f"Date: {decoded_text(value)}"


def _people(mime: Mime, mail: OutgoingMail) -> Iterator[str]:
    """Fields that say more than the addresses and names that the card shows of them."""
    answers = written_addresses(field_texts(mime, "Reply-To"))
    shown = {"From": _author(mime, mail), "To": mail.to, "Cc": mail.cc, "Bcc": mail.bcc, "Reply-To": answers}
    for name, addresses in shown.items():
        raw = " ".join(map(decoded_text, field_texts(mime, name)))
        if Counter(_letters(raw)) - Counter(_letters("".join(f"{each.name}{each.email}" for each in addresses))):
            yield f"{name}: {raw}"


def _author(mime: Mime, mail: OutgoingMail) -> Sequence[Address]:
    """Who the card says it is from, where the draft says so too."""
    written = written_addresses(field_texts(mime, "From"))
    is_same = len(written) == 1 and written[0].email.lower() == mail.sender.email.lower()
    return written if is_same and written[0].name in {"", mail.sender.name} else []


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())
