"""gmail_draft_create: a draft that its owner sends."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Done, NotDone, ObjectId, Preview, Reconciled, Result, ToolContext
from integrations.gmail.arguments import MailArgs
from integrations.gmail.client import Mailbox
from integrations.gmail.outgoing.composer import MailComposer
from integrations.gmail.outgoing.mail import message_id_for
from integrations.gmail.outgoing.replies import bare_subject
from integrations.gmail.results import draft_result
from integrations.gmail.text import shortened
from integrations.gmail.tools.writing_tool import Prepared, WritingTool
from policies.types import Role

_MOVED = "The subject is not the thread's: Gmail begins a new thread with it."


class DraftArgs(MailArgs):
    """Arguments of `gmail_draft_create`."""

    thread_id: Annotated[ObjectId | None, Role.OBJECT, Field(description="The thread that it answers.")] = None


class GmailDraftCreate(WritingTool[DraftArgs]):
    """Saves a draft; found again by its Message-ID."""

    name = "gmail_draft_create"
    args = DraftArgs

    def caption(self, args: DraftArgs) -> str:
        """Names the subject."""
        return f"Save a draft of “{shortened(args.subject, 60)}”"

    async def _prepare(self, args: DraftArgs, composer: MailComposer) -> Prepared:
        mail, target = await composer.draft(args, args.thread_id)
        return Prepared(mail=mail, target=target)

    def _title(self, args: DraftArgs, leaves: str) -> str:
        return "Save this draft?"

    def _finished(self, args: DraftArgs, ctx: ToolContext, prepared: Prepared, card: Preview) -> Preview:
        target = prepared.target
        moved = target is not None and bare_subject(prepared.mail.subject) != bare_subject(target.subject)
        return replace(card, warnings=[*card.warnings, *([_MOVED] if moved else [])], recipients=None)

    async def _carry_out(self, args: DraftArgs, prepared: Prepared, composer: MailComposer, call: Call) -> Result:
        """One request."""
        mail, mailbox = prepared.mail, composer.mailbox
        raw = mail.raw(message_id_for(call.key, mailbox.email))
        draft = await mailbox.create_draft(raw, mail.thread_id, deadline=call.until)
        return draft_result(draft, subject=mail.subject, to=mail.emails, account=mailbox.email)

    async def _outcome(self, args: DraftArgs, call: Call, mailbox: Mailbox) -> Reconciled:
        """Whether the draft is there. One that is not can be saved again: nobody but its owner would see two."""
        draft = await mailbox.find_draft(message_id_for(call.key, mailbox.email))
        if draft is None:
            return NotDone()
        to = [*args.to, *args.cc]
        return Done(draft_result(draft, subject=args.subject, to=to, account=mailbox.email))
