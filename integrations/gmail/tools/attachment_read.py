"""gmail_attachment_read: what a small text or PDF attachment says."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Result, ToolArgs
from integrations.errors import ModelRetry, ToolFailed
from integrations.fences import untrusted
from integrations.gmail.arguments import ThreadId
from integrations.gmail.incoming.documents import text_of
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.bodies import name_of, size_in_words
from integrations.gmail.outgoing.attachments import attached_part, content_of
from integrations.gmail.results import thread_link, thread_object
from integrations.gmail.tools.mail_tool import MailTool
from integrations.google.client import GoogleClient
from policies.characters import quoted
from policies.types import EffectClass, Label, Role

BYTES = 10_000_000
BUDGET = 12_000
NO_TEXT = "There is no text in it: it may be a scan or a picture."
AT_ONCE = 2
"""How many are read at the same time, by everybody together: a hostile one may take much memory."""


class AttachmentArgs(ToolArgs):
    """Arguments of `gmail_attachment_read`."""

    thread_id: ThreadId
    attachment: Annotated[str, Role.OBJECT, Field(max_length=40)]
    offset: Annotated[int, Role.NONE, Field(ge=0)] = 0


class GmailAttachmentRead(MailTool[AttachmentArgs]):
    """Reads a piece of an attachment's text, and says how to read on."""

    name = "gmail_attachment_read"
    effect = EffectClass.READ
    timeout_seconds = 60.0
    args = AttachmentArgs

    def __init__(self, google: GoogleClient, *, html: HtmlReader) -> None:
        super().__init__(google)
        self._html = html
        self._turn = asyncio.Semaphore(AT_ONCE)

    def caption(self, args: AttachmentArgs) -> str:
        """Says that an attachment is read."""
        return f"Read the attachment {quoted(args.attachment)} of a mail thread"

    async def execute(self, args: AttachmentArgs, call: Call) -> Result:
        """The text; raises `ModelRetry` for what is not there, `ToolFailed` for what cannot be read."""
        mailbox = await self._approved(call)
        thread = await mailbox.thread(args.thread_id)
        message, part = attached_part(thread, args.attachment)
        name = name_of(part)
        if part.body.size > BYTES:
            size, most = size_in_words(part.body.size), size_in_words(BYTES)
            raise ToolFailed("attachment_too_large", f"“{name}” has {size}; at most {most} are read.")
        async with self._turn:
            data = await content_of(mailbox, message.id, part)
            text = await text_of(part, data, name=name, html=self._html)
        if args.offset and args.offset >= len(text):
            raise ModelRetry("offset_too_large", f"The text of “{name}” has {len(text):,} characters.")
        said = {"text": _piece(args, text)} if text.strip() else {"text": "", "note": NO_TEXT}
        file = {"attachment": args.attachment, "name": name, "type": part.mime_type, "size": part.body.size}
        return Result(
            data=file | said,
            summary=f"Read {quoted(name)} ({len(text):,} characters)",
            label=Label.EXTERNAL,
            objects=[thread_object(thread)],
            link=thread_link(thread.id, mailbox.email),
        )


def _piece(args: AttachmentArgs, text: str) -> str:
    end = args.offset + BUDGET
    said = untrusted(text[args.offset : end], source="attachment")
    if len(text) <= end:
        return said
    again = f'gmail_attachment_read(thread_id="{args.thread_id}", attachment="{args.attachment}", offset={end})'
    return f"{said}\n… {len(text) - end:,} characters cut; {again}"
