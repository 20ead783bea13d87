"""gmail_draft_send: a draft that exists, sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from pydantic import Field

from integrations.base import Call, ObjectId, Preview, Reconciled, Result, Tool, ToolArgs, ToolContext
from integrations.errors import ModelRetry, ToolError, ToolFailed
from integrations.gmail import later, moments
from integrations.gmail.addresses import deliverable, written_addresses
from integrations.gmail.arguments import SendAt
from integrations.gmail.cards import Occasion, check_basis
from integrations.gmail.delivery import Delivery, settle
from integrations.gmail.letters import Letter, checked_letter
from integrations.gmail.mime import field_texts
from integrations.gmail.replies import Identity, ReplyTarget, answered
from integrations.gmail.revising import Changes, Kept, kept, revised
from integrations.gmail.writing import Desk
from integrations.google.client import GoogleClient
from integrations.google.errors import Missing
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.ports import SlackFiles
from integrations.prose import prose
from policies.types import EffectClass

_OLDER = "Since the mail that this draft answers, another one came in its thread."
_PUT_RIGHT = "Put it right with gmail_draft_update, or in Gmail."


class DraftSendArgs(ToolArgs):
    """Arguments of `gmail_draft_send`."""

    draft_id: Annotated[ObjectId, Field(min_length=1, description="From gmail_draft_create or gmail_thread_read.")]
    send_at: SendAt = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A draft as it lies there, and the letter that it is."""

    old: Kept
    letter: Letter

    def basis(self) -> Mapping[str, object]:
        """What was approved: this version of it."""
        return {"draft_version": self.old.version, **self.letter.basis()}


class GmailDraftSend(Tool[DraftSendArgs]):
    """Sends the version of a draft that was shown, at most once; one that was saved meanwhile is shown again first.

    Between the look at its version and the request to send lies one round trip, for Google knows no condition there.
    """

    name = "gmail_draft_send"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    hold = later.HOLD
    args = DraftSendArgs

    def __init__(self, google: GoogleClient, *, files: SlackFiles | None = None) -> None:
        self._google = google
        self._files = files
        self.description = prose(__name__, "draft_send.md")

    def caption(self, args: DraftSendArgs) -> str:
        """Says when it leaves, where that is later."""
        return later.caption("Send a draft", args.send_at, as_draft=False)

    def not_before(self, args: DraftSendArgs, ctx: ToolContext) -> datetime | None:
        """The moment of `send_at`."""
        return moments.leaving(args.send_at, ctx.requester.zone, self._google.clock.now())

    async def preview(self, args: DraftSendArgs, ctx: ToolContext) -> Preview:
        """The draft as it would leave; raises when it could not."""
        leaves = later.spoken(args.send_at, ctx, self._google.clock.now())
        desk = Desk(await self._google.account(ctx.requester, self.scopes), self._files, ctx)
        ready = await _ready(args, desk)
        target = await _target(ready.old, desk)
        title = "Send this draft later?" if leaves else "Send this draft?"
        card = await desk.card(ready.letter, Occasion(title=title, target=target, leaves=leaves))
        older = target is not None and target.message_id != ready.letter.in_reply_to
        return replace(
            card,
            fields=[field for field in card.fields if field.label != "Signature"],
            warnings=[*card.warnings, *([_OLDER] if older else [])],
            recipients=[address.email for address in ready.letter.recipients],
            basis=ready.basis(),
            variants=[] if args.send_at or ctx.due else [later.SEND_LATER],
        )

    async def execute(self, args: DraftSendArgs, call: Call) -> Result:
        """Send it, once. `BasisChanged` when the draft was saved by somebody else since the card was made."""
        later.check_due(args.send_at, call, self._google.clock.now())
        account = await self._google.account(call.requester, self.scopes, approved=call.account)
        desk = Desk(account, self._files, call)
        delivery = Delivery(desk.mailbox, call)
        try:
            ready = await _ready(args, desk)
        except Missing:
            return await delivery.sent_before()
        check_basis(call, ready.basis(), what="the draft")
        return await delivery.deliver_kept(ready.old, ready.letter)

    async def reconcile(self, args: DraftSendArgs, call: Call) -> Reconciled:
        """Whether an earlier attempt sent it."""
        return await settle(self._google, self.scopes, call)


async def _ready(args: DraftSendArgs, desk: Desk) -> _Ready:
    """The draft, if everybody whom it would reach can be told; raises `ToolError`."""
    old = kept(await desk.mailbox.whole_draft(args.draft_id))
    for name in ("To", "Cc", "Bcc"):
        for address in written_addresses(field_texts(old.mail, name)):
            try:
                deliverable(address)
            except ModelRetry as error:
                raise ToolFailed(error.code, error.message, hint=_PUT_RIGHT) from None
    return _Ready(old=old, letter=_letter(old, await desk.identity()))


def _letter(old: Kept, identity: Identity) -> Letter:
    letter = revised(old, Changes(), identity).letter
    return checked_letter(replace(letter, reply_to=next(iter(old.addresses("Reply-To")), None)))


async def _target(old: Kept, desk: Desk) -> ReplyTarget | None:
    """What it answers; None where it answers nothing that is still there."""
    if old.thread_id is None:
        return None
    try:
        return answered(await desk.mailbox.thread(old.thread_id))
    except ToolError:
        return None
