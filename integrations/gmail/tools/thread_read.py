"""gmail_thread_read: what the messages of a thread say."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from integrations.base import Call, ObjectRef, Result, ToolArgs
from integrations.gmail.arguments import ThreadId
from integrations.gmail.incoming.thread_view import view_of
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.results import thread_link
from integrations.gmail.tools.mail_tool import MailTool
from integrations.google.client import GoogleClient
from integrations.text import counted
from policies.characters import quoted
from policies.types import EffectClass, Label, Role

PEOPLE = 20


class ReadArgs(ToolArgs):
    """Arguments of `gmail_thread_read`."""

    thread_id: ThreadId
    message: Annotated[int | None, Role.NONE, Field(ge=1)] = None
    offset: Annotated[int, Role.NONE, Field(ge=0)] = 0
    include_quoted: Annotated[bool, Role.NONE] = False


class GmailThreadRead(MailTool[ReadArgs]):
    """Reads a thread within a budget, and says how to get what was cut."""

    name = "gmail_thread_read"
    effect = EffectClass.READ
    args = ReadArgs

    def __init__(self, google: GoogleClient, *, html: HtmlReader) -> None:
        super().__init__(google)
        self._html = html

    def caption(self, args: ReadArgs) -> str:
        """Says that a thread is read."""
        return f"Read message {args.message} of a mail thread" if args.message else "Read a mail thread"

    async def execute(self, args: ReadArgs, call: Call) -> Result:
        """The messages; raises `ModelRetry` for a thread, message or offset that does not exist."""
        mailbox = await self._approved(call)
        view = await view_of(
            mailbox,
            args.thread_id,
            self._html,
            zone=call.requester.zone,
            only=args.message,
            include_quoted=args.include_quoted,
        )
        messages = await asyncio.to_thread(view.shown, args.message, offset=args.offset)
        thread, subject = view.thread, view.subject
        return Result(
            data={"thread_id": thread.id, "subject": subject, "messages": messages} | view.left_out(args.message),
            summary=f"Read {quoted(subject)} ({counted(len(thread.messages), 'message')})",
            label=Label.EXTERNAL,
            objects=[ObjectRef(kind="mail_thread", id=thread.id, title=subject, people=view.people[:PEOPLE])],
            link=thread_link(thread.id, mailbox.email),
        )
