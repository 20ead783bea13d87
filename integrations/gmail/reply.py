"""gmail_reply: an answer in its thread."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import Field

from integrations.base import (
    Call,
    Content,
    ObjectId,
    Preview,
    Reconciled,
    Result,
    Shape,
    Tool,
    ToolArgs,
    ToolContext,
    Wording,
)
from integrations.gmail import later, moments
from integrations.gmail.addresses import parse_recipients, without_doubles
from integrations.gmail.arguments import AsDraft, Recipients, SendAt, WrittenArgs
from integrations.gmail.cards import Occasion, check_basis
from integrations.gmail.delivery import Delivery, settle
from integrations.gmail.letters import Letter, checked_letter
from integrations.gmail.replies import ReplyTarget, reply_target
from integrations.gmail.signatures import NONE
from integrations.gmail.writing import Desk
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.ports import SlackFiles
from integrations.prose import prose
from policies.types import EffectClass, Role


class ReplyHeads(ToolArgs):
    """Which mail is answered, to whom, and the text."""

    thread_id: Annotated[ObjectId, Field(min_length=1, description="From gmail_search.")]
    body: Annotated[Content, Shape.LONG_TEXT, Field(description="Plain text, the new text only.")]
    reply_all: Annotated[
        bool,
        Role.NONE,
        Field(description="Also to the others in To and Cc."),
        Wording(label="Reply to everyone", yes="Also to the others in To and Cc"),
    ] = False
    cc: Annotated[
        Recipients,
        Field(default_factory=list, description="More people, one address per entry."),
        Wording(label="Cc too"),
    ]


class ReplyArgs(WrittenArgs, ReplyHeads):
    """Arguments of `gmail_reply`."""

    send_at: SendAt = None
    as_draft: AsDraft = False


class GmailReply(Tool[ReplyArgs]):
    """Answers the newest real message, at most once."""

    name = "gmail_reply"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    hold = later.HOLD
    args = ReplyArgs

    def __init__(self, google: GoogleClient, *, files: SlackFiles | None = None) -> None:
        self._google = google
        self._files = files
        self.description = prose(__name__, "reply.md")

    def caption(self, args: ReplyArgs) -> str:
        """Says whether everybody is answered, and when."""
        said = "Reply to everyone in a mail thread" if args.reply_all else "Reply to a mail"
        return later.caption(said, args.send_at, as_draft=args.as_draft)

    def not_before(self, args: ReplyArgs, ctx: ToolContext) -> datetime | None:
        """The moment of `send_at`."""
        return None if args.as_draft else moments.leaving(args.send_at, ctx.requester.zone, self._google.clock.now())

    async def preview(self, args: ReplyArgs, ctx: ToolContext) -> Preview:
        """The answer as it would leave, and what it answers."""
        leaves = later.spoken(args.send_at, ctx, self._google.clock.now())
        desk = Desk(await self._google.account(ctx.requester, self.scopes), self._files, ctx)
        letter, target = await _letter(args, desk)
        title = "Reply to everyone?" if args.reply_all else "Send this reply?"
        if args.as_draft:
            title = "Save this reply as a draft?"
        card = await desk.card(letter, Occasion(title=title, target=target, leaves=leaves))
        return replace(card, variants=later.variants(args.send_at, ctx, as_draft=args.as_draft))

    async def execute(self, args: ReplyArgs, call: Call) -> Result:
        """Send it, once. `BasisChanged` when another message arrived since the card was made."""
        later.check_due(args.send_at, call, self._google.clock.now())
        account = await self._google.account(call.requester, self.scopes, approved=call.account)
        desk = Desk(account, self._files, call)
        letter, _ = await _letter(args, desk)
        check_basis(call, letter.basis(), what="the conversation")
        delivery = Delivery(desk.mailbox, call)
        return await (delivery.keep(letter) if args.as_draft else delivery.deliver(letter))

    async def reconcile(self, args: ReplyArgs, call: Call) -> Reconciled:
        """Whether an earlier attempt sent it."""
        return await settle(self._google, self.scopes, call, as_draft=args.as_draft)


async def _letter(args: ReplyArgs, desk: Desk) -> tuple[Letter, ReplyTarget]:
    thread, identity = await asyncio.gather(desk.mailbox.thread(args.thread_id), desk.identity())
    target = reply_target(thread, identity, reply_all=args.reply_all)
    sender = identity.sender(target.addressed, wanted=args.from_address)
    letter = Letter(
        sender=sender,
        to=target.to,
        cc=without_doubles([*target.cc, *parse_recipients(args.cc)], besides=target.to),
        subject=target.subject,
        body=args.body,
        thread_id=thread.id,
        in_reply_to=target.message_id,
        references=target.references,
        signature=identity.signature(sender) if args.signature else NONE,
        reply_to=identity.reply_to(sender),
        enclosed=await desk.enclosures.gathered(args.attachments, thread),
    )
    return checked_letter(letter), target
