"""gmail_thread_read: what the messages of a thread say."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from integrations.base import Call, ObjectId, ObjectRef, Result, Tool, ToolArgs
from integrations.counting import counted
from integrations.errors import ModelRetry
from integrations.gmail.client import Mailbox
from integrations.gmail.incoming.thread_view import ThreadView, filled, message_text
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.addresses import decoded_text, read_addresses
from integrations.gmail.results import thread_link
from integrations.gmail.text import shortened
from integrations.gmail.wire import Thread
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.prose import prose
from policies.types import EffectClass, Label, Role

SUBJECT_LENGTH = 300


class ReadArgs(ToolArgs):
    """Arguments of `gmail_thread_read`."""

    thread_id: Annotated[ObjectId, Field(min_length=1, description="From gmail_search.")]
    message: Annotated[int | None, Role.NONE, Field(ge=1, description="Only this message, by its number n.")] = None
    offset: Annotated[int, Role.NONE, Field(ge=0, description="Where to go on in that message.")] = 0
    include_quoted: Annotated[bool, Role.NONE, Field(description="Keep quoted history.")] = False


class GmailThreadRead(Tool[ReadArgs]):
    """Reads a thread within a budget, and says how to get what was cut."""

    name = "gmail_thread_read"
    effect = EffectClass.READ
    provider = "google"
    scopes = frozenset({MAIL_READ})
    args = ReadArgs

    def __init__(self, google: GoogleClient, *, html: HtmlReader) -> None:
        self._google = google
        self._html = html
        self.description = prose(__name__, "thread_read.md")

    def caption(self, args: ReadArgs) -> str:
        """Says that a thread is read."""
        return f"Read message {args.message} of a mail thread" if args.message else "Read a mail thread"

    async def execute(self, args: ReadArgs, call: Call) -> Result:
        """The messages; raises `ModelRetry` for a thread, message or offset that does not exist."""
        mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
        thread = await mailbox.thread(args.thread_id)
        if not thread.messages:
            raise ModelRetry(
                "thread_not_found", "There are no messages in this thread.", hint="Look it up again with gmail_search."
            )
        thread = thread.model_copy(update={"messages": [await filled(mailbox, m) for m in thread.messages]})
        view = ThreadView(
            thread=thread,
            texts=[await message_text(message, self._html) for message in thread.messages],
            zone=call.requester.zone,
            include_quoted=args.include_quoted,
            drafts=await _drafts(mailbox, thread),
        )
        messages = await asyncio.to_thread(view.shown, args.message, offset=args.offset)
        subject = shortened(decoded_text(thread.messages[0].payload.header("Subject")), SUBJECT_LENGTH)
        return Result(
            data={"thread_id": thread.id, "subject": subject, "messages": messages} | view.left_out(args.message),
            summary=f"Read “{shortened(subject, 80)}” ({counted(len(thread.messages), 'message')})",
            label=Label.EXTERNAL,
            objects=[ObjectRef(kind="mail_thread", id=thread.id, title=subject, people=_people(thread))],
            link=thread_link(thread.id, mailbox.email),
        )


async def _drafts(mailbox: Mailbox, thread: Thread) -> Mapping[str, str]:
    """Under which ids the thread's drafts can be changed; asked for only where there is one."""
    drafts = [message.id for message in thread.messages if "DRAFT" in message.label_ids]
    return await mailbox.drafts_of(thread.id, drafts) if drafts else {}


def _people(thread: Thread) -> tuple[str, ...]:
    fields = [value for m in thread.messages for name in ("From", "To", "Cc") for value in m.payload.all_headers(name)]
    return tuple(dict.fromkeys(address.email for address in read_addresses(fields)))[:20]
