"""gmail_draft_create: a draft that its owner sends."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from integrations.base import Call, ObjectId, Preview, Reconciled, Result, ToolContext
from integrations.gmail.arguments import MailArgs
from integrations.gmail.client import Mailbox
from integrations.gmail.outgoing.composer import MailComposer, PreparedMail
from integrations.gmail.outgoing.delivery import MailDelivery
from integrations.gmail.outgoing.replies import bare_subject
from integrations.gmail.tools.writing_tool import WritingTool
from policies.characters import quoted
from policies.provenance import DRAFT
from policies.types import Role

_MOVED = "The subject is not the thread's: Gmail begins a new thread with it."


class DraftArgs(MailArgs):
    """Arguments of `gmail_draft_create`."""

    thread_id: Annotated[ObjectId | None, Role.OBJECT] = None


class GmailDraftCreate(WritingTool[DraftArgs]):
    """Saves a draft; found again by its Message-ID."""

    name = "gmail_draft_create"
    makes = DRAFT
    args = DraftArgs

    def caption(self, args: DraftArgs) -> str:
        """Names the subject."""
        return f"Save a draft of {quoted(args.subject)}"

    async def _prepare(self, args: DraftArgs, composer: MailComposer) -> PreparedMail:
        return await composer.draft(args, args.thread_id)

    def _title(self, args: DraftArgs, leaves: str) -> str:
        return "Save this draft?"

    def _finished(self, args: DraftArgs, ctx: ToolContext, prepared: PreparedMail, card: Preview) -> Preview:
        target = prepared.target
        moved = target is not None and bare_subject(prepared.mail.subject) != bare_subject(target.subject)
        return replace(card, warnings=[*card.warnings, *([_MOVED] if moved else [])], recipients=None)

    async def _carry_out(self, args: DraftArgs, prepared: PreparedMail, composer: MailComposer, call: Call) -> Result:
        return await MailDelivery(composer.mailbox, call).keep(prepared.mail)

    async def _outcome(self, args: DraftArgs, call: Call, mailbox: Mailbox) -> Reconciled:
        return await MailDelivery(mailbox, call).kept()
