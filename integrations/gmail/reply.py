"""gmail_reply: an answer in its thread."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Content, ObjectId, Preview, Reconciled, Result, Tool, ToolArgs, ToolContext
from integrations.gmail.addresses import parse_recipients, without_doubles
from integrations.gmail.cards import check_basis, letter_card
from integrations.gmail.client import Mailbox
from integrations.gmail.delivery import Delivery, settle
from integrations.gmail.letters import Letter, checked_letter
from integrations.gmail.replies import ReplyTarget, reply_target
from integrations.gmail.send import Recipients
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.prose import prose
from policies.types import EffectClass, Role


class ReplyArgs(ToolArgs):
    """Arguments of `gmail_reply`."""

    thread_id: Annotated[ObjectId, Field(min_length=1, description="From gmail_search.")]
    body: Annotated[Content, Field(description="Plain text, the new text only.")]
    reply_all: Annotated[bool, Role.NONE, Field(description="Also to the others in To and Cc.")] = False
    cc: Annotated[Recipients, Field(default_factory=list, description="More people, one address per entry.")]


class GmailReply(Tool[ReplyArgs]):
    """Answers the newest real message, at most once."""

    name = "gmail_reply"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    args = ReplyArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "reply.md")

    def caption(self, args: ReplyArgs) -> str:
        """Says whether everybody is answered."""
        return "Reply to everyone in a mail thread" if args.reply_all else "Reply to a mail"

    async def preview(self, args: ReplyArgs, ctx: ToolContext) -> Preview:
        """The answer as it would leave, and what it answers."""
        mailbox = Mailbox(await self._google.account(ctx.requester, self.scopes))
        letter, target = await _letter(args, mailbox, ctx.requester.name)
        title = "Reply to everyone?" if args.reply_all else "Send this reply?"
        return letter_card(letter, title=title, account=mailbox.account_id, target=target, zone=ctx.requester.zone)

    async def execute(self, args: ReplyArgs, call: Call) -> Result:
        """Send it, once. `BasisChanged` when another message arrived since the card was made."""
        mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
        letter, _ = await _letter(args, mailbox, call.requester.name)
        check_basis(call, letter.basis(), what="the conversation")
        return await Delivery(mailbox, call).deliver(letter)

    async def reconcile(self, args: ReplyArgs, call: Call) -> Reconciled:
        """Whether an earlier attempt sent it."""
        return await settle(self._google, self.scopes, call)


async def _letter(args: ReplyArgs, mailbox: Mailbox, name: str) -> tuple[Letter, ReplyTarget]:
    thread, identity = await asyncio.gather(mailbox.thread(args.thread_id), mailbox.identity(name))
    target = reply_target(thread, identity, reply_all=args.reply_all)
    cc = without_doubles([*target.cc, *parse_recipients(args.cc)], besides=target.to)
    letter = Letter(
        sender=identity.sender(target.addressed),
        to=target.to,
        cc=cc,
        subject=target.subject,
        body=args.body,
        thread_id=thread.id,
        in_reply_to=target.message_id,
        references=target.references,
    )
    return checked_letter(letter), target
