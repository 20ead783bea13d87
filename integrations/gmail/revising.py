"""A draft that exists, with some of it changed: what nobody changes stays as it is, byte for byte where it is text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.parser import BytesParser
from typing import cast

from integrations.gmail.addresses import Address, decoded_text, parse_recipients, read_addresses, without_doubles
from integrations.gmail.bodies import decode_base64url, decode_text
from integrations.gmail.cleaning import one_line, visible
from integrations.gmail.enclosures import Enclosed
from integrations.gmail.letters import MAIL_POLICY, Letter, checked_subject
from integrations.gmail.pages import text_of_html
from integrations.gmail.replies import Identity
from integrations.gmail.signatures import NONE, Signature
from integrations.gmail.wire import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is to be different; None leaves a thing as it is, an empty list empties it."""

    to: Sequence[str] | None = None
    cc: Sequence[str] | None = None
    bcc: Sequence[str] | None = None
    subject: str | None = None
    body: str | None = None
    from_address: str | None = None
    signature: bool = True
    more: Sequence[Enclosed] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft as Gmail keeps it."""

    draft: Draft
    mime: EmailMessage

    @property
    def version(self) -> str:
        """What changes whenever the draft is saved: its message's id."""
        return self.draft.message.id if self.draft.message else ""

    @property
    def thread_id(self) -> str | None:
        """The thread that it answers in; None for a draft that ties itself to none."""
        message = self.draft.message
        return message.thread_id if message and self.header("In-Reply-To") else None

    @property
    def message_id(self) -> str:
        """Its Message-ID header."""
        return self.header("Message-ID")

    def header(self, name: str) -> str:
        """The first field of this name as it is written, on one line."""
        return one_line(str(next((value for key, value in self.mime.raw_items() if key.lower() == name.lower()), "")))

    def addresses(self, name: str) -> list[Address]:
        """The people of a field."""
        fields = [str(value) for key, value in self.mime.raw_items() if key.lower() == name.lower()]
        return without_doubles(read_addresses(fields))

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return decoded_text(self.header("Subject"))

    @property
    def text(self) -> str:
        """What its text says."""
        part = cast("EmailMessage | None", self.mime.get_body(("plain", "html")))
        if part is None:
            return ""
        raw = cast("bytes | None", part.get_payload(decode=True)) or b""
        text = decode_text(raw, part.get_content_charset() or "")
        return visible(text_of_html(text) if part.get_content_type() == "text/html" else text).strip()

    @property
    def body_part(self) -> EmailMessage:
        """The part that is its text, in whatever forms."""
        if self.mime.get_content_type() != "multipart/mixed":
            return self.mime
        parts = cast("list[EmailMessage]", self.mime.get_payload())
        return parts[0] if parts else self.mime

    @property
    def files(self) -> list[Enclosed]:
        """What hangs on it."""
        if self.mime.get_content_type() != "multipart/mixed":
            return []
        parts = cast("list[EmailMessage]", self.mime.get_payload())[1:]
        return [_file(part) for part in parts]


def kept(draft: Draft) -> Kept:
    """The draft with its mail read."""
    raw = decode_base64url(draft.message.raw if draft.message else "")
    mime = BytesParser(policy=MAIL_POLICY).parsebytes(raw)
    return Kept(draft, mime)


def revised(old: Kept, changes: Changes, identity: Identity) -> Letter:
    """The draft with the changes; raises `ModelRetry` for what no draft can hold."""
    to, cc, bcc = (
        old.addresses(name) if wanted is None else parse_recipients(wanted)
        for name, wanted in (("To", changes.to), ("Cc", changes.cc), ("Bcc", changes.bcc))
    )
    sender = _sender(old, changes, identity)
    return Letter(
        sender=sender,
        to=to,
        cc=without_doubles(cc, besides=to),
        bcc=without_doubles(bcc, besides=[*to, *cc]),
        subject=old.subject if changes.subject is None else checked_subject(changes.subject),
        body=old.text if changes.body is None else changes.body,
        thread_id=old.thread_id,
        in_reply_to=old.header("In-Reply-To"),
        references=old.header("References").split(),
        signature=_signature(changes, identity, sender),
        enclosed=[*old.files, *changes.more],
        kept_text=old.body_part if changes.body is None else None,
    )


def _sender(old: Kept, changes: Changes, identity: Identity) -> Address:
    if changes.from_address is not None:
        return identity.sender(wanted=changes.from_address)
    return identity.sender(old.addresses("From"))


def _signature(changes: Changes, identity: Identity, sender: Address) -> Signature:
    """A text that stays has its signature already."""
    return identity.signature(sender) if changes.signature and changes.body is not None else NONE


def _file(part: EmailMessage) -> Enclosed:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):  # a message inside the message, or parts of one
        return Enclosed(name="attached.eml", mime_type="message/rfc822", data=part.as_bytes())
    name = one_line(part.get_filename() or "file")
    return Enclosed(name=name, mime_type=part.get_content_type(), data=data)
