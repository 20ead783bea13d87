"""The attachments of a mail: from the thread that it answers, from another thread, or from Slack."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message

from integrations.base import Requester
from integrations.errors import ModelRetry, ToolFailed
from integrations.gmail import wire
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import people, subject_of
from integrations.gmail.mime.bodies import attachments, decode_base64url, name_of, size_in_words
from integrations.gmail.text import one_line
from integrations.gmail.wire import GmailThread, Part
from integrations.ports import SlackFiles
from policies.characters import quoted

MOST = 10
SUBJECT_LENGTH = 60
BYTES = 25_000_000
"""All files of one mail, as Gmail's help has it ("Attachment size limit"); in base64 they stay below the 35 MB that the
API takes (`maxSize` of users.drafts.create).
"""

_PLACE = re.compile(r"(?:(?P<thread>[0-9a-zA-Z_-]+)/)?m(?P<message>\d{1,5})\.a(?P<place>\d{1,3})\Z")
_PARAMETERS = ("charset", "method")
_TOKEN = re.compile(r"[\w.:+-]{1,40}\Z", re.ASCII)
_SLACK = re.compile(r"F[A-Z0-9]{2,}\Z")
_FORMS = (
    'Write "m3.a1" as gmail_thread_read lists it (with "<thread_id>/" before it for another thread), '
    "or a Slack file id."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file on its way. `parameters` are those of its type that say how its bytes are to be read."""

    name: str
    mime_type: str
    data: bytes
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    origin: str = ""
    """Where it was taken from, in words: a file of this name may be in several mails."""
    readers: Sequence[str] = ()
    """Who has it already."""
    slack_id: str = ""

    def __str__(self) -> str:
        said = f"{self.name} ({self.mime_type}, {size_in_words(len(self.data))})"
        return f"{said}, from {self.origin}" if self.origin else said

    def basis(self) -> Mapping[str, object]:
        """What was approved: exactly these bytes."""
        how = {"parameters": dict(self.parameters)} if self.parameters else {}
        return {"name": self.name, "size": len(self.data), "sha256": hashlib.sha256(self.data).hexdigest(), **how}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentSource:
    """Fetches the files for a mail, for one person during one call."""

    mailbox: Mailbox
    files: SlackFiles | None
    requester: Requester

    async def gathered(self, references: Sequence[str], thread: GmailThread | None = None) -> list[Attachment]:
        """The files, in order. Raises `ModelRetry` for what is not there or too large, `ToolFailed` as its source."""
        if len(references) > MOST:
            raise ModelRetry("too_many_attachments", f"At most {MOST} files go with one mail.", private=False)
        gathered: list[Attachment] = []
        for reference in dict.fromkeys(references):
            left = BYTES - sum(len(attachment.data) for attachment in gathered)
            gathered.append(await self._one(reference.strip(), thread, left))
        return gathered

    async def _one(self, reference: str, thread: GmailThread | None, left: int) -> Attachment:
        if place := _PLACE.match(reference):
            if place["thread"] and (thread is None or thread.id != place["thread"]):
                thread = await self.mailbox.thread(place["thread"])
            if thread is None:
                raise _unclear(reference, "no thread is named")
            message, part = attached_part(thread, reference.rpartition("/")[2])
            return await self._mailed(message, part, left)
        if _SLACK.match(reference):
            return await self._shared(reference, left)
        raise _unclear(reference, "it has another form")

    async def _mailed(self, message: wire.GmailMessage, part: Part, left: int) -> Attachment:
        _check_size(name_of(part), part.body.size, left)
        data = await content_of(self.mailbox, message.id, part)
        _check_size(name_of(part), len(data), left)
        name, how = _file_name(name_of(part)), parameters_of(part)
        return Attachment(
            name=name,
            mime_type=part.mime_type,
            data=data,
            parameters=how,
            origin=_mail(message),
            readers=readers_of(message),
        )

    async def _shared(self, file_id: str, left: int) -> Attachment:
        if self.files is None:
            raise ToolFailed("no_slack_files", "Files from Slack cannot be attached here.", private=False)
        file = await self.files.file(self.requester, file_id)
        _check_size(file.name, file.size, left)
        data = await self.files.content(self.requester, file_id, limit=left)
        name = _file_name(file.name)
        return Attachment(name=name, mime_type=file.mime_type, data=data, origin="Slack", slack_id=file.id)


def readers_of(message: wire.GmailMessage) -> Sequence[str]:
    """Who has its files for certain: those to whom their owner sent it. The head of a mail that came in says what its
    sender wants, and that of a draft what the model wrote.
    """
    if "SENT" not in message.label_ids or "DRAFT" in message.label_ids:
        return ()
    return [address.email for address in people(message, "From", "To", "Cc")]


def _mail(message: wire.GmailMessage) -> str:
    """Whose mail it hangs on, and its subject. Of one that names several authors no one is shown alone."""
    emails = list(dict.fromkeys(address.email for address in people(message, "From"))) or ["nobody who is named"]
    whose = f"{emails[0]} and others’" if len(emails) > 1 else f"{emails[0]}’s"
    return f"{whose} mail {quoted(subject_of(message, SUBJECT_LENGTH) or '(no subject)')}"


def attached_part(thread: GmailThread, place: str) -> tuple[wire.GmailMessage, Part]:
    """The message and the part that "m3.a1" means in this thread; raises `ModelRetry` when there is none."""
    found = _PLACE.match(place)
    if found is None or found["thread"]:
        raise _unclear(place, "it has another form")
    number, nth = int(found["message"]), int(found["place"])
    if not 0 < number <= len(thread.messages):
        raise _unclear(place, "the thread has no such message")
    message = thread.messages[number - 1]
    parts = attachments(message)
    if not 0 < nth <= len(parts):
        raise _unclear(place, "the message has no such attachment")
    return message, parts[nth - 1]


async def content_of(mailbox: Mailbox, message_id: str, part: Part) -> bytes:
    """What is in an attachment. Its id is good for one fetch, so it is taken from the thread each time."""
    body = part.body
    if body.attachment_id and not body.data:
        body = await mailbox.attachment(message_id, body.attachment_id)
    return decode_base64url(body.data)


def parameters_of(part: Part) -> Mapping[str, str]:
    """The charset of a text and the method of an invitation (RFC 2046 §4.1.2, RFC 5545 §8.1), where they are tokens."""
    head: Message[str, str] = Message()
    head["Content-Type"] = part.header("Content-Type")
    found = {name: head.get_param(name) for name in _PARAMETERS}
    return {name: value for name, value in found.items() if isinstance(value, str) and _TOKEN.match(value)}


def _check_size(name: str, size: int, left: int) -> None:
    if size > left:
        what = f"“{one_line(name)[:80]}” has {size_in_words(size)}; all files of a mail together may have"
        raise ModelRetry(
            "attachments_too_large", f"{what} {size_in_words(BYTES)}.", hint="Send a link instead, or fewer files."
        )


def _file_name(name: str) -> str:
    """A name that every reader can save: one line, no folders."""
    return re.sub(r'[/\\:*?"<>|]', "_", one_line(name))[:150].strip(" .") or "file"


def _unclear(reference: str, why: str) -> ModelRetry:
    message = f"“{one_line(reference)[:60]}” cannot be attached: {why}."
    return ModelRetry("attachment_not_found", message, hint=_FORMS)
