"""gmail_attachment_read: what a small text or PDF attachment says."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from integrations.base import Call, ObjectId, ObjectRef, Result, Tool, ToolArgs
from integrations.errors import ModelRetry, ToolFailed
from integrations.gmail.client import Mailbox
from integrations.gmail.incoming.documents import text_of
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.addresses import decoded_text
from integrations.gmail.mime.file_names import name_of, size_in_words
from integrations.gmail.outgoing.attachments import attached_part, content_of
from integrations.gmail.results import thread_link
from integrations.gmail.text import shortened
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.prose import prose
from integrations.untrusted import untrusted
from policies.types import EffectClass, Label, Role

BYTES = 10_000_000
BUDGET = 12_000
AT_ONCE = 2
"""How many are read at the same time, by everybody together: a hostile one may take much memory."""


class AttachmentArgs(ToolArgs):
    """Arguments of `gmail_attachment_read`."""

    thread_id: Annotated[ObjectId, Field(min_length=1, description="From gmail_search.")]
    attachment: Annotated[str, Role.OBJECT, Field(max_length=40, description="As gmail_thread_read lists it: m3.a1.")]
    offset: Annotated[int, Role.NONE, Field(ge=0, description="Where to go on.")] = 0


class GmailAttachmentRead(Tool[AttachmentArgs]):
    """Reads a piece of an attachment's text, and says how to read on."""

    name = "gmail_attachment_read"
    effect = EffectClass.READ
    provider = "google"
    scopes = frozenset({MAIL_READ})
    timeout_seconds = 60.0
    args = AttachmentArgs

    def __init__(self, google: GoogleClient, *, html: HtmlReader) -> None:
        self._google = google
        self._html = html
        self._turn = asyncio.Semaphore(AT_ONCE)
        self.description = prose(__name__, "attachment_read.md")

    def caption(self, args: AttachmentArgs) -> str:
        """Says that an attachment is read."""
        return f"Read the attachment {shortened(args.attachment, 20)} of a mail thread"

    async def execute(self, args: AttachmentArgs, call: Call) -> Result:
        """The text; raises `ModelRetry` for what is not there, `ToolFailed` for what cannot be read."""
        mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
        thread = await mailbox.thread(args.thread_id)
        message_id, part = attached_part(thread, args.attachment)
        name = name_of(part)
        if part.body.size > BYTES:
            size, most = size_in_words(part.body.size), size_in_words(BYTES)
            raise ToolFailed("attachment_too_large", f"“{name}” has {size}; at most {most} are read.")
        async with self._turn:
            data = await content_of(mailbox, message_id, part)
            text = await text_of(part, data, name=name, html=self._html)
        if args.offset and args.offset >= len(text):
            raise ModelRetry("offset_too_large", f"The text of “{name}” has {len(text):,} characters.")
        subject = shortened(decoded_text(thread.messages[0].payload.header("Subject")), 160)
        return Result(
            data={
                "attachment": args.attachment,
                "name": name,
                "type": part.mime_type,
                "size": part.body.size,
                "text": _piece(args, text) if text.strip() else "",
            }
            | ({} if text.strip() else {"note": "There is no text in it: it may be a scan or a picture."}),
            summary=f"Read “{shortened(name, 80)}” ({len(text):,} characters)",
            label=Label.EXTERNAL,
            objects=[ObjectRef(kind="mail_thread", id=thread.id, title=subject)],
            link=thread_link(thread.id, mailbox.email),
        )


def _piece(args: AttachmentArgs, text: str) -> str:
    end = args.offset + BUDGET
    said = untrusted(text[args.offset : end], source="attachment")
    if len(text) <= end:
        return said
    again = f'gmail_attachment_read(thread_id="{args.thread_id}", attachment="{args.attachment}", offset={end})'
    return f"{said}\n… {len(text) - end:,} characters cut; {again}"
