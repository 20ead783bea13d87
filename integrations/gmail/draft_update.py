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
    Tool,
    ToolArgs,
    ToolContext,
    Unknown,
)
from integrations.errors import BasisChanged, ModelRetry, ToolError
from integrations.gmail.arguments import Recipients, WrittenArgs
from integrations.gmail.cards import Occasion, check_basis, listed
from integrations.gmail.client import Mailbox
from integrations.gmail.letters import Letter, message_id_for
from integrations.gmail.replies import bare_subject
from integrations.gmail.results import DRAFTS_LINK, draft_result
from integrations.gmail.revising import Changes, Kept, Revision, kept, revised
from integrations.gmail.writing import Desk
from integrations.google.client import GoogleClient
from integrations.google.errors import Missing
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.ports import SlackFiles
from integrations.prose import prose
from policies.types import EffectClass, Role

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


class GmailDraftUpdate(Tool[UpdateArgs]):
    """Changes the version of a draft that was shown; one that was saved meanwhile is shown again first."""

    name = "gmail_draft_update"
    effect = EffectClass.PRIVATE_WRITE
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    args = UpdateArgs

    def __init__(self, google: GoogleClient, *, files: SlackFiles | None = None) -> None:
        self._google = google
        self._files = files
        self.description = prose(__name__, "draft_update.md")

    def caption(self, args: UpdateArgs) -> str:
        """Says what is changed."""
        changed = [name for name in ("to", "cc", "bcc", "subject", "body") if getattr(args, name) is not None]
        return f"Change a draft: {', '.join([*changed, *(['attachments'] if args.attachments else [])]) or 'nothing'}"

    async def preview(self, args: UpdateArgs, ctx: ToolContext) -> Preview:
        """The draft as it would be, with what was there before."""
        desk = Desk(await self._google.account(ctx.requester, self.scopes), self._files, ctx)
        revision = await _revision(args, desk)
        old, letter = revision.old, revision.letter
        card = await desk.card(letter, Occasion(title="Change this draft?"))
        fields = [_compared(field, _before(old)) for field in card.fields if field.label != "Signature"]
        everybody = [address.email for address in letter.recipients]  # also those whom the arguments leave as they are
        said = [
            *([_PICTURES] if args.body is not None and old.pictures else []),
            *([_MOVED] if old.thread_id and bare_subject(letter.subject) != bare_subject(old.subject) else []),
        ]
        return replace(
            card,
            fields=fields,
            warnings=[*card.warnings, *said],
            recipients=everybody,
            basis=_basis(revision),
        )

    async def execute(self, args: UpdateArgs, call: Call) -> Result:
        """Save it. `BasisChanged` when the draft was saved by somebody else since the card was made."""
        account = await self._google.account(call.requester, self.scopes, approved=call.account)
        desk = Desk(account, self._files, call)
        message_id = message_id_for(call.key, desk.mailbox.email)
        revision = await _revision(args, desk)
        old, letter = revision.old, revision.letter
        if old.message_id == message_id:  # an earlier attempt arrived
            return _result(old, letter, desk.mailbox.email)
        check_basis(call, _basis(revision), what="the draft")
        try:
            draft = await desk.mailbox.replace_draft(args.draft_id, revision.raw(message_id), letter.thread_id)
        except Missing:
            message = "The draft was sent or deleted meanwhile. Nothing was changed."
            raise ModelRetry("draft_not_found", message) from None
        to = [address.email for address in letter.recipients]
        return draft_result(draft, subject=letter.subject, to=to, account=desk.mailbox.email)

    async def reconcile(self, args: UpdateArgs, call: Call) -> Reconciled:
        """Whether the draft is the one that this action saved."""
        try:
            mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
            now = kept(await mailbox.whole_draft(args.draft_id))
        except (ToolError, BasisChanged):
            return Unknown(where="Gmail, under Drafts", link=DRAFTS_LINK)
        if now.message_id != message_id_for(call.key, mailbox.email):
            return NotDone()
        to = [address.email for address in now.addresses("To")]
        return Done(draft_result(now.draft, subject=now.subject, to=to, account=mailbox.email))


async def _revision(args: UpdateArgs, desk: Desk) -> Revision:
    draft, identity = await asyncio.gather(desk.mailbox.whole_draft(args.draft_id), desk.identity())
    old = kept(draft)
    thread = await desk.mailbox.thread(old.thread_id) if old.thread_id and args.attachments else None
    changes = Changes(
        to=args.to,
        cc=args.cc,
        bcc=args.bcc,
        subject=args.subject,
        body=args.body,
        from_address=args.from_address,
        signature=args.signature,
        more=await desk.enclosures.gathered(args.attachments, thread),
    )
    return revised(old, changes, identity)


def _basis(revision: Revision) -> Mapping[str, object]:
    return {"draft_version": revision.old.version, **revision.letter.basis()}


def _before(old: Kept) -> Mapping[str, str]:
    people = {name: listed(old.addresses(name)) for name in ("To", "Cc", "Bcc")}
    return people | {"Subject": old.subject or "(no subject)", "Body": old.text}


def _compared(field: base.Field, before: Mapping[str, str]) -> base.Field:
    was = before.get(field.label, field.value)
    return field if was.strip() == field.value.strip() else replace(field, before=was)


def _result(old: Kept, letter: Letter, account: str) -> Result:
    to = [address.email for address in letter.recipients]
    return draft_result(old.draft, subject=letter.subject, to=to, account=account)
