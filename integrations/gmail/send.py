"""gmail_send: a new mail."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from integrations.base import Call, Preview, Reconciled, Result, Tool, ToolContext
from integrations.gmail import later, moments
from integrations.gmail.arguments import AsDraft, LetterArgs, SendAt
from integrations.gmail.cards import Occasion, check_basis
from integrations.gmail.cleaning import shortened
from integrations.gmail.delivery import Delivery, settle
from integrations.gmail.writing import Desk, people_in_words
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.ports import SlackFiles
from integrations.prose import prose
from policies.types import EffectClass


class SendArgs(LetterArgs):
    """Arguments of `gmail_send`."""

    send_at: SendAt = None
    as_draft: AsDraft = False


class GmailSend(Tool[SendArgs]):
    """Sends a mail at most once: draft first, then send, then look."""

    name = "gmail_send"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    hold = later.HOLD
    args = SendArgs

    def __init__(self, google: GoogleClient, *, files: SlackFiles | None = None) -> None:
        self._google = google
        self._files = files
        self.description = prose(__name__, "send.md")

    def caption(self, args: SendArgs) -> str:
        """Names the subject and the first recipients, and when it leaves."""
        people = people_in_words([*args.to, *args.cc, *args.bcc])
        return later.caption(f"Send “{shortened(args.subject, 60)}” to {people}", args.send_at, as_draft=args.as_draft)

    def not_before(self, args: SendArgs, ctx: ToolContext) -> datetime | None:
        """The moment of `send_at`."""
        return None if args.as_draft else moments.leaving(args.send_at, ctx.requester.zone, self._google.clock.now())

    async def preview(self, args: SendArgs, ctx: ToolContext) -> Preview:
        """The mail as it would leave; raises `ModelRetry` when it could not."""
        leaves = later.spoken(args.send_at, ctx, self._google.clock.now())
        desk = Desk(await self._google.account(ctx.requester, self.scopes), self._files, ctx)
        title = "Send this mail later?" if leaves else "Send this mail?"
        if args.as_draft:
            title = "Save this as a draft?"
        card = await desk.card(await desk.new(args), Occasion(title=title, leaves=leaves))
        return replace(card, variants=later.variants(args.send_at, ctx, as_draft=args.as_draft))

    async def execute(self, args: SendArgs, call: Call) -> Result:
        """Send it, once."""
        later.check_due(args.send_at, call, self._google.clock.now())
        account = await self._google.account(call.requester, self.scopes, approved=call.account)
        desk = Desk(account, self._files, call)
        letter = await desk.new(args)
        check_basis(call, letter.basis(), what="what the mail was made from")
        delivery = Delivery(desk.mailbox, call)
        return await (delivery.keep(letter) if args.as_draft else delivery.deliver(letter))

    async def reconcile(self, args: SendArgs, call: Call) -> Reconciled:
        """Whether an earlier attempt sent it."""
        return await settle(self._google, self.scopes, call, as_draft=args.as_draft)
