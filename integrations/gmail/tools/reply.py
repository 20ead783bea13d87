"""gmail_reply: an answer in its thread."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from integrations.base import Content, Shape, ToolArgs, Wording
from integrations.gmail.arguments import DraftableArgs, Recipients, ThreadId, WrittenArgs
from integrations.gmail.mime.addresses import parse_recipients, without_doubles
from integrations.gmail.outgoing.composer import MailComposer, PreparedMail
from integrations.gmail.outgoing.mail import OutgoingMail, checked_mail
from integrations.gmail.outgoing.replies import reply_target
from integrations.gmail.tools.writing_tool import SendingTool
from policies.provenance import DRAFT
from policies.types import Role


class ReplyHeads(ToolArgs):
    """Which mail is answered, who gets the answer, and the text."""

    thread_id: ThreadId
    body: Annotated[Content, Shape.LONG_TEXT]
    reply_all: Annotated[
        bool,
        Role.NONE,
        Wording(label="Reply to everyone", yes="Also to the others in To and Cc"),
    ] = False
    cc: Annotated[
        Recipients,
        Field(default_factory=list),
        Wording(label="Cc too"),
    ]


class ReplyArgs(DraftableArgs, WrittenArgs, ReplyHeads):
    """Arguments of `gmail_reply`."""


class GmailReply(SendingTool[ReplyArgs]):
    """Answers the newest real message. An answer that came meanwhile is shown first."""

    name = "gmail_reply"
    looks_ahead = True
    makes = DRAFT  # where its owner chose that on the card
    args = ReplyArgs

    def caption(self, args: ReplyArgs) -> str:
        """Says whether everybody is answered, and when."""
        said = "Reply to everyone in a mail thread" if args.reply_all else "Reply to a mail"
        return self._when(said, args)

    async def _prepare(self, args: ReplyArgs, composer: MailComposer) -> PreparedMail:
        thread, identity = await asyncio.gather(composer.mailbox.thread(args.thread_id), composer.identity())
        target = reply_target(thread, identity, reply_all=args.reply_all)
        sender = identity.sender(target.addressed, wanted=args.from_address)
        mail = OutgoingMail(
            sender=sender,
            is_sender_chosen=identity.is_choice(sender),
            to=target.to,
            cc=without_doubles([*target.cc, *parse_recipients(args.cc)], besides=target.to),
            subject=target.subject,
            body=args.body,
            thread_id=thread.id,
            in_reply_to=target.message_id,
            references=target.references,
            signature=identity.signature(sender, wanted=args.signature),
            reply_to=identity.reply_to(sender),
            attachments=await composer.attachments.gathered(args.attachments, thread),
        )
        return PreparedMail(mail=checked_mail(mail), target=target)

    def _title(self, args: ReplyArgs, leaves: str) -> str:
        if args.as_draft:
            return "Save this reply as a draft?"
        return "Reply to everyone?" if args.reply_all else "Send this reply?"
