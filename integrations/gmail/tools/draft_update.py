"""gmail_draft_update: a draft that exists, changed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from integrations.base import Call, Done, Field, NotDone, Preview, Reconciled, Result, ToolContext
from integrations.errors import Missing, ModelRetry
from integrations.gmail.arguments import UpdateArgs
from integrations.gmail.client import Mailbox
from integrations.gmail.outgoing.card import listed, touched_draft
from integrations.gmail.outgoing.composer import MailComposer, PreparedMail
from integrations.gmail.outgoing.draft_revision import StoredDraft, revised, stored_draft
from integrations.gmail.outgoing.mail import message_id_for
from integrations.gmail.outgoing.replies import bare_subject
from integrations.gmail.results import draft_result
from integrations.gmail.tools.writing_tool import WritingTool
from policies.provenance import Impact

_MOVED = "The subject is not the thread's: Gmail takes the draft out of its thread and begins a new one with it."
_PICTURES = "The old text shows pictures. They stay with the draft, as attachments below the new text."


class GmailDraftUpdate(WritingTool[UpdateArgs]):
    """Changes the version of a draft that was shown; one that was saved meanwhile is shown again first."""

    name = "gmail_draft_update"
    made_from = "the draft"
    args = UpdateArgs

    def caption(self, args: UpdateArgs) -> str:
        """Says what is changed."""
        changed = [name for name in ("to", "cc", "bcc", "subject", "body") if getattr(args, name) is not None]
        return f"Change a draft: {', '.join([*changed, *(['attachments'] if args.attachments else [])]) or 'nothing'}"

    async def _prepare(self, args: UpdateArgs, composer: MailComposer) -> PreparedMail:
        old, identity = await asyncio.gather(composer.stored_draft(args.draft_id), composer.identity())
        thread = await composer.mailbox.thread(old.thread_id) if old.thread_id and args.attachments else None
        more = await composer.attachments.gathered(args.attachments, thread)
        return PreparedMail(mail=revised(old, args, identity, more), draft=old)

    def _title(self, args: UpdateArgs, leaves: str) -> str:
        return "Change this draft?"

    def _finished(self, args: UpdateArgs, ctx: ToolContext, prepared: PreparedMail, card: Preview) -> Preview:
        """With what was there before."""
        old, mail = prepared.stored, prepared.mail
        said = [
            *([_PICTURES] if args.body is not None and old.pictures else []),
            *([_MOVED] if old.thread_id and bare_subject(mail.subject) != bare_subject(old.subject) else []),
        ]
        return replace(
            card,
            fields=[_compared(field, old) for field in card.fields if field.label != "Signature"],
            warnings=[*card.warnings, *said],
            recipients=mail.emails,  # also those that the arguments leave as they are
            basis=prepared.basis(),
            impact=Impact(objects=[touched_draft(old.draft.id, old.subject)]),
        )

    def _arrived(self, prepared: PreparedMail, composer: MailComposer, call: Call) -> Result | None:
        mailbox = composer.mailbox
        if prepared.stored.message_id != message_id_for(call.key, mailbox.email):
            return None
        mail = prepared.mail
        return draft_result(prepared.stored.draft, subject=mail.subject, to=mail.emails, account=mailbox.email)

    async def _carry_out(self, args: UpdateArgs, prepared: PreparedMail, composer: MailComposer, call: Call) -> Result:
        mail, mailbox = prepared.mail, composer.mailbox
        raw = prepared.stored.rewritten(mail, args, message_id_for(call.key, mailbox.email))
        try:
            draft = await mailbox.replace_draft(args.draft_id, raw, mail.thread_id)
        except Missing:
            message = "The draft was sent or deleted meanwhile. Nothing was changed."
            raise ModelRetry("draft_not_found", message) from None
        return draft_result(draft, subject=mail.subject, to=mail.emails, account=mailbox.email)

    async def _outcome(self, args: UpdateArgs, call: Call, mailbox: Mailbox) -> Reconciled:
        """Whether the draft is the one that this action saved."""
        now = stored_draft(await mailbox.whole_draft(args.draft_id))
        if now.message_id != message_id_for(call.key, mailbox.email):
            return NotDone()
        to = [address.email for address in now.addresses("To")]
        return Done(draft_result(now.draft, subject=now.subject, to=to, account=mailbox.email))


def _compared(field: Field, old: StoredDraft) -> Field:
    """The field with what the draft has there now, where that is something else."""
    match field.label:
        case "To" | "Cc" | "Bcc":
            was = listed(old.addresses(field.label))
        case "Subject":
            was = old.subject or "(no subject)"
        case "Body":
            was = old.text
        case _:
            return field
    return field if was.strip() == field.value.strip() else replace(field, before=was)
