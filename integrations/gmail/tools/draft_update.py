"""gmail_draft_update: a draft that exists, changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from integrations import base
from integrations.base import (
    Call,
    Content,
    Done,
    NotDone,
    ObjectId,
    Preview,
    Reconciled,
    Result,
    Shape,
    ToolArgs,
    ToolContext,
    Unknown,
)
from integrations.errors import BasisChanged, ModelRetry, ToolError
from integrations.gmail.client import Mailbox
from integrations.gmail.outgoing.arguments import Recipients, WrittenArgs
from integrations.gmail.outgoing.card import listed
from integrations.gmail.outgoing.composer import MailComposer
from integrations.gmail.outgoing.draft_revision import Changes, Revision, StoredDraft, revised, stored_draft
from integrations.gmail.outgoing.mail import message_id_for
from integrations.gmail.outgoing.replies import bare_subject
from integrations.gmail.results import DRAFTS_LINK, draft_result
from integrations.gmail.tools.writing_tool import Prepared, WritingTool
from integrations.google.errors import Missing
from policies.types import Role

_SAME = "Left out: stays as it is."
_MOVED = "The subject is not the thread's: Gmail takes the draft out of its thread and begins a new one with it."
_PICTURES = "The old text shows pictures. They stay with the draft, as attachments below the new text."


class UpdateHeads(ToolArgs):
    """Which draft, and what is to be different."""

    draft_id: Annotated[ObjectId, Field(min_length=1, description="From gmail_draft_create or gmail_thread_read.")]
    to: Annotated[Recipients | None, Role.DESTINATION, Field(description=_SAME)] = None
    subject: Annotated[Content | None, Role.CONTENT, Field(description=_SAME)] = None
    body: Annotated[
        Content | None, Role.CONTENT, Shape.LONG_TEXT, Field(description="The whole new text. " + _SAME)
    ] = None
    cc: Annotated[Recipients | None, Role.DESTINATION, Field(description=_SAME)] = None
    bcc: Annotated[Recipients | None, Role.DESTINATION, Field(description=_SAME)] = None


class UpdateArgs(WrittenArgs, UpdateHeads):
    """Arguments of `gmail_draft_update`. What is left out stays as it is."""


class GmailDraftUpdate(WritingTool[UpdateArgs]):
    """Changes the version of a draft that was shown; one that was saved meanwhile is shown again first."""

    name = "gmail_draft_update"
    made_from = "the draft"
    args = UpdateArgs

    def caption(self, args: UpdateArgs) -> str:
        """Says what is changed."""
        changed = [name for name in ("to", "cc", "bcc", "subject", "body") if getattr(args, name) is not None]
        return f"Change a draft: {', '.join([*changed, *(['attachments'] if args.attachments else [])]) or 'nothing'}"

    async def _prepare(self, args: UpdateArgs, composer: MailComposer) -> Prepared:
        revision = await _revision(args, composer)
        return Prepared(mail=revision.mail, revision=revision)

    def _title(self, args: UpdateArgs, leaves: str) -> str:
        return "Change this draft?"

    def _finished(self, args: UpdateArgs, ctx: ToolContext, prepared: Prepared, card: Preview) -> Preview:
        """With what was there before."""
        old, mail = prepared.stored, prepared.mail
        said = [
            *([_PICTURES] if args.body is not None and old.pictures else []),
            *([_MOVED] if old.thread_id and bare_subject(mail.subject) != bare_subject(old.subject) else []),
        ]
        return replace(
            card,
            fields=[_compared(field, _before(old)) for field in card.fields if field.label != "Signature"],
            warnings=[*card.warnings, *said],
            recipients=mail.emails,  # also those that the arguments leave as they are
            basis=prepared.basis(),
        )

    def _arrived(self, prepared: Prepared, composer: MailComposer, call: Call) -> Result | None:
        mailbox = composer.mailbox
        if prepared.stored.message_id != message_id_for(call.key, mailbox.email):
            return None
        mail = prepared.mail
        return draft_result(prepared.stored.draft, subject=mail.subject, to=mail.emails, account=mailbox.email)

    async def _carry_out(self, args: UpdateArgs, prepared: Prepared, composer: MailComposer, call: Call) -> Result:
        mail, mailbox = prepared.mail, composer.mailbox
        raw = prepared.drafted.raw(message_id_for(call.key, mailbox.email))
        try:
            draft = await mailbox.replace_draft(args.draft_id, raw, mail.thread_id)
        except Missing:
            message = "The draft was sent or deleted meanwhile. Nothing was changed."
            raise ModelRetry("draft_not_found", message) from None
        return draft_result(draft, subject=mail.subject, to=mail.emails, account=mailbox.email)

    async def reconcile(self, args: UpdateArgs, call: Call) -> Reconciled:
        """Whether the draft is the one that this action saved."""
        try:
            mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
            now = stored_draft(await mailbox.whole_draft(args.draft_id))
        except (ToolError, BasisChanged):
            return Unknown(where="Gmail, under Drafts", link=DRAFTS_LINK)
        if now.message_id != message_id_for(call.key, mailbox.email):
            return NotDone()
        to = [address.email for address in now.addresses("To")]
        return Done(draft_result(now.draft, subject=now.subject, to=to, account=mailbox.email))


async def _revision(args: UpdateArgs, composer: MailComposer) -> Revision:
    old, identity = await asyncio.gather(composer.stored_draft(args.draft_id), composer.identity())
    thread = await composer.mailbox.thread(old.thread_id) if old.thread_id and args.attachments else None
    changes = Changes(
        to=args.to,
        cc=args.cc,
        bcc=args.bcc,
        subject=args.subject,
        body=args.body,
        from_address=args.from_address,
        signature=args.signature,
        more=await composer.attachments.gathered(args.attachments, thread),
    )
    return revised(old, changes, identity)


def _before(old: StoredDraft) -> Mapping[str, str]:
    people = {name: listed(old.addresses(name)) for name in ("To", "Cc", "Bcc")}
    return people | {"Subject": old.subject or "(no subject)", "Body": old.text}


def _compared(field: base.Field, before: Mapping[str, str]) -> base.Field:
    was = before.get(field.label, field.value)
    return field if was.strip() == field.value.strip() else replace(field, before=was)
