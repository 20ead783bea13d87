"""gmail_draft_create: a draft that its owner sends himself."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Done, NotDone, ObjectId, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.errors import BasisChanged, ToolError
from integrations.gmail.arguments import LetterArgs
from integrations.gmail.cards import Occasion, check_basis
from integrations.gmail.cleaning import shortened
from integrations.gmail.client import Mailbox
from integrations.gmail.letters import message_id_for
from integrations.gmail.replies import bare_subject
from integrations.gmail.results import DRAFTS_LINK, draft_result
from integrations.gmail.writing import Desk
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.ports import SlackFiles
from integrations.prose import prose
from policies.types import EffectClass, Role


class DraftArgs(LetterArgs):
    """Arguments of `gmail_draft_create`."""

    thread_id: Annotated[ObjectId | None, Role.OBJECT, Field(description="The thread that it answers.")] = None


class GmailDraftCreate(Tool[DraftArgs]):
    """Saves a draft; found again by its Message-ID."""

    name = "gmail_draft_create"
    effect = EffectClass.PRIVATE_WRITE
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    args = DraftArgs

    def __init__(self, google: GoogleClient, *, files: SlackFiles | None = None) -> None:
        self._google = google
        self._files = files
        self.description = prose(__name__, "draft_create.md")

    def caption(self, args: DraftArgs) -> str:
        """Names the subject."""
        return f"Save a draft of “{shortened(args.subject, 60)}”"

    async def preview(self, args: DraftArgs, ctx: ToolContext) -> Preview:
        """The draft as it would be saved."""
        desk = Desk(await self._google.account(ctx.requester, self.scopes), self._files, ctx)
        letter, target = await desk.draft(args, args.thread_id)
        card = await desk.card(letter, Occasion(title="Save this draft?", target=target))
        moved = target is not None and bare_subject(letter.subject) != bare_subject(target.subject)
        said = ["The subject is not the thread's: Gmail begins a new thread with it."] if moved else []
        return replace(card, warnings=[*card.warnings, *said], recipients=None)

    async def execute(self, args: DraftArgs, call: Call) -> Result:
        """Save it: one request."""
        account = await self._google.account(call.requester, self.scopes, approved=call.account)
        desk = Desk(account, self._files, call)
        letter, _ = await desk.draft(args, args.thread_id)
        check_basis(call, letter.basis(), what="the conversation")
        raw = letter.raw(message_id_for(call.key, desk.mailbox.email))
        draft = await desk.mailbox.create_draft(raw, letter.thread_id, deadline=call.until)
        to = [address.email for address in letter.recipients]
        return draft_result(draft, subject=letter.subject, to=to, account=desk.mailbox.email)

    async def reconcile(self, args: DraftArgs, call: Call) -> Reconciled:
        """Whether the draft is there. One that is not can be saved again: nobody but its owner would see two."""
        try:
            mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
            draft = await mailbox.find_draft(message_id_for(call.key, mailbox.email))
        except (ToolError, BasisChanged):
            return Unknown(where="Gmail, under Drafts", link=DRAFTS_LINK)
        if draft is None:
            return NotDone()
        to = [*args.to, *args.cc]
        return Done(draft_result(draft, subject=args.subject, to=to, account=mailbox.email))
