"""A draft that exists, with some of it changed: what nobody changes stays as it is, byte for byte where it is text."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from integrations.gmail.addresses import Address, decoded_text, parse_recipients, read_addresses, without_doubles
from integrations.gmail.bodies import decode_base64url
from integrations.gmail.cleaning import one_line
from integrations.gmail.enclosures import Enclosed
from integrations.gmail.headers import people_field, text_field
from integrations.gmail.letters import Letter, checked_subject, file_part, uncarried
from integrations.gmail.mime import (
    Mime,
    field_texts,
    file_content,
    files_of,
    is_picture_of_text,
    parsed,
    put_field,
    reparsed,
    text_of,
    with_files,
    with_text,
    written,
)
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
    mail: Mime

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
        return one_line(next(iter(field_texts(self.mail, name)), ""))

    def addresses(self, name: str) -> list[Address]:
        """The people of a field."""
        return without_doubles(read_addresses(field_texts(self.mail, name)))

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return decoded_text(self.header("Subject"))

    @property
    def text(self) -> str:
        """What its text says."""
        return text_of(self.mail)

    @property
    def files(self) -> list[Enclosed]:
        """What hangs on it."""
        return [_file(part) for part in files_of(self.mail)]

    @property
    def pictures(self) -> int:
        """How many pictures its text shows."""
        return sum(map(is_picture_of_text, files_of(self.mail)))


def kept(draft: Draft) -> Kept:
    """The draft with its mail read."""
    return Kept(draft, parsed(decode_base64url(draft.message.raw if draft.message else "")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A draft, what is to be different, and the letter that it would be then."""

    old: Kept
    changes: Changes
    letter: Letter

    def raw(self, message_id: str) -> str:
        """The draft's own bytes with the changes in them, in base64url; raises as `Letter.raw`."""
        mail = parsed(written(self.old.mail))
        try:
            for name, value in self._fields().items():
                put_field(mail, name, text_field(name, value) if isinstance(value, str) else people_field(value))
        except (ValueError, LookupError):
            raise uncarried() from None
        put_field(mail, "Message-ID", message_id)
        more = [reparsed(file_part(enclosed)) for enclosed in self.changes.more]
        if self.changes.body is None:
            with_files(mail, more)
        else:
            with_text(mail, reparsed(self.letter.text_part()), more)
        return urlsafe_b64encode(written(mail)).decode("ascii")

    def _fields(self) -> Mapping[str, str | Sequence[Address]]:
        """The header fields that are different: those that are named, and a copy that somebody in To needs no more."""
        changes, letter = self.changes, self.letter
        people = {"To": (changes.to, letter.to), "Cc": (changes.cc, letter.cc), "Bcc": (changes.bcc, letter.bcc)}
        return {
            **{
                name: now
                for name, (wanted, now) in people.items()
                if wanted is not None or _emails(now) != _emails(self.old.addresses(name))
            },
            **({"Subject": letter.subject} if changes.subject is not None else {}),
            **({"From": [letter.sender]} if changes.from_address is not None else {}),
        }


def revised(old: Kept, changes: Changes, identity: Identity) -> Revision:
    """The draft with the changes; raises `ModelRetry` for what no draft can hold."""
    to, cc, bcc = (
        old.addresses(name) if wanted is None else parse_recipients(wanted)
        for name, wanted in (("To", changes.to), ("Cc", changes.cc), ("Bcc", changes.bcc))
    )
    sender = _sender(old, changes, identity)
    letter = Letter(
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
    )
    return Revision(old=old, changes=changes, letter=letter)


def _sender(old: Kept, changes: Changes, identity: Identity) -> Address:
    if changes.from_address is not None:
        return identity.sender(wanted=changes.from_address)
    return identity.sender(old.addresses("From"))


def _signature(changes: Changes, identity: Identity, sender: Address) -> Signature:
    """A text that stays has its signature already."""
    return identity.signature(sender) if changes.signature and changes.body is not None else NONE


def _emails(addresses: Sequence[Address]) -> list[str]:
    return [address.email for address in addresses]


def _file(part: Mime) -> Enclosed:
    data = file_content(part)
    if data is None:  # a message inside the message
        return Enclosed(name="attached.eml", mime_type="message/rfc822", data=written(part))
    name = one_line(decoded_text(part.get_filename() or "file"))
    return Enclosed(name=name, mime_type=part.get_content_type(), data=data)
