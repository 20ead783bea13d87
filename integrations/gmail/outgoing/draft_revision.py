"""A draft that exists, with some of it changed. The rest stays as it is, byte for byte where it is text."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from integrations.errors import ToolFailed
from integrations.gmail.arguments import UpdateArgs
from integrations.gmail.heads import came_at
from integrations.gmail.isolated.html_reader import HtmlReader, HtmlUnreadable
from integrations.gmail.mime.addresses import (
    Address,
    decoded_text,
    parse_recipients,
    read_addresses,
    without_doubles,
    written_addresses,
)
from integrations.gmail.mime.bodies import NAME_LENGTH, decode_base64url
from integrations.gmail.mime.headers import people_field, text_field
from integrations.gmail.mime.message import (
    Mime,
    field_texts,
    file_content,
    files_of,
    is_picture_of_text,
    is_too_deep,
    parsed,
    put_field,
    reparsed,
    text_of,
    with_files,
    with_text,
    written,
)
from integrations.gmail.outgoing.attachments import Attachment
from integrations.gmail.outgoing.identity import SenderIdentity
from integrations.gmail.outgoing.mail import OutgoingMail, checked_subject, file_part, uncarried
from integrations.gmail.text import one_line, shortened
from integrations.gmail.wire import Draft

TYPE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """A draft as Gmail keeps it."""

    draft: Draft
    mime: Mime
    text: str = ""
    """What its text says, where it was read."""

    @property
    def version(self) -> str:
        """What changes whenever the draft is saved: its message's id."""
        return self.draft.message.id

    @property
    def saved(self) -> datetime:
        """When Gmail got it."""
        return came_at(self.draft.message)

    @property
    def thread_id(self) -> str | None:
        """The thread that it answers in; None for a draft that ties itself to none."""
        return self.draft.message.thread_id if self.header("In-Reply-To") else None

    @property
    def message_id(self) -> str:
        """Its Message-ID header."""
        return self.header("Message-ID")

    def header(self, name: str) -> str:
        """The first field of this name as it is written, on one line."""
        return one_line(next(iter(field_texts(self.mime, name)), ""))

    def addresses(self, name: str) -> list[Address]:
        """The people of a field."""
        return without_doubles(read_addresses(field_texts(self.mime, name)))

    def written_addresses(self, *names: str) -> list[Address]:
        """Everything that stands in these fields, for callers that check each address."""
        return [address for name in names for address in written_addresses(field_texts(self.mime, name))]

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return decoded_text(self.header("Subject"))

    def rewritten(self, mail: OutgoingMail, changes: UpdateArgs, message_id: str) -> str:
        """The draft's own bytes with the changes in them, in base64url; raises as `OutgoingMail.raw`.

        `mail` is the draft with the changes, as `revised` makes it.
        """
        mime = parsed(written(self.mime))
        try:
            for name, value in self._changed_fields(mail, changes).items():
                put_field(mime, name, text_field(name, value) if isinstance(value, str) else people_field(value))
        except (ValueError, LookupError):
            raise uncarried() from None
        put_field(mime, "Message-ID", message_id)
        more = [reparsed(file_part(attachment)) for attachment in mail.attachments[len(files_of(self.mime)) :]]
        if changes.body is None:
            with_files(mime, more)
        else:
            with_text(mime, reparsed(mail.text_part()), more)
        return urlsafe_b64encode(written(mime)).decode("ascii")

    def _changed_fields(self, mail: OutgoingMail, changes: UpdateArgs) -> Mapping[str, str | Sequence[Address]]:
        """The header fields that are different: those that are named, and a copy that somebody in To needs no more."""
        people = {"To": (changes.to, mail.to), "Cc": (changes.cc, mail.cc), "Bcc": (changes.bcc, mail.bcc)}
        return {
            **{
                name: now
                for name, (wanted, now) in people.items()
                if wanted is not None or _emails(now) != _emails(self.addresses(name))
            },
            **({"Subject": mail.subject} if changes.subject is not None else {}),
            **({"From": [mail.sender]} if changes.from_address is not None else {}),
        }

    @property
    def files(self) -> list[Attachment]:
        """What hangs on it."""
        return [_file(part) for part in files_of(self.mime)]

    @property
    def pictures(self) -> int:
        """How many pictures its text shows."""
        return sum(map(is_picture_of_text, files_of(self.mime)))


def stored_draft(draft: Draft) -> StoredDraft:
    """The draft with its mail parsed; its text is not read. Raises `ToolFailed` for parts in parts without end."""
    try:
        mime = parsed(decode_base64url(draft.message.raw))
    except RecursionError:
        raise unreadable() from None
    if is_too_deep(mime):
        raise unreadable()
    return StoredDraft(draft, mime)


async def read_draft(draft: Draft, html: HtmlReader) -> StoredDraft:
    """The draft with its text read; raises `ToolFailed` where that cannot be, for a card has to show it."""
    stored = await asyncio.to_thread(stored_draft, draft)
    try:
        return replace(stored, text=await text_of(stored.mime, html))
    except HtmlUnreadable:
        raise unreadable() from None


def unreadable() -> ToolFailed:
    """The refusal of a draft whose text cannot be seen in full."""
    message = "The text of this draft takes too long to be read here, so it cannot be shown on a card."
    return ToolFailed("draft_unreadable", message, hint="It can be sent or changed in Gmail.")


def not_shown(why: str) -> ToolFailed:
    """The refusal of a draft of which a card would show something else than its readers see."""
    message = f"This draft is not sent from here, because a card cannot show what its readers see. {why}"
    hint = "It can be put right or sent in Gmail. gmail_draft_create saves the same text anew."
    return ToolFailed("draft_not_shown", message, hint=hint)


def revised(
    old: StoredDraft, changes: UpdateArgs, identity: SenderIdentity, more: Sequence[Attachment] = ()
) -> OutgoingMail:
    """The draft with the changes, and more attachments; raises `ModelRetry` for what no draft can hold."""
    to, cc, bcc = (
        old.addresses(name) if wanted is None else parse_recipients(wanted)
        for name, wanted in (("To", changes.to), ("Cc", changes.cc), ("Bcc", changes.bcc))
    )
    sender = identity.sender(old.addresses("From"), wanted=changes.from_address)
    return OutgoingMail(
        sender=sender,
        is_sender_chosen=identity.is_choice(sender),
        to=to,
        cc=without_doubles(cc, besides=to),
        bcc=without_doubles(bcc, besides=[*to, *cc]),
        subject=old.subject if changes.subject is None else checked_subject(changes.subject),
        body=old.text if changes.body is None else changes.body,
        thread_id=old.thread_id,
        in_reply_to=old.header("In-Reply-To"),
        references=old.header("References").split(),
        # A text that stays has its signature already.
        signature=identity.signature(sender, wanted=changes.signature and changes.body is not None),
        attachments=[*old.files, *more],
    )


def _emails(addresses: Sequence[Address]) -> list[str]:
    return [address.email for address in addresses]


def _file(part: Mime) -> Attachment:
    data = file_content(part)
    if data is None:  # a message inside the message
        return Attachment(name="attached.eml", mime_type="message/rfc822", data=written(part))
    name = shortened(decoded_text(part.get_filename() or "file"), NAME_LENGTH)
    return Attachment(name=name, mime_type=shortened(part.get_content_type(), TYPE_LENGTH), data=data)
