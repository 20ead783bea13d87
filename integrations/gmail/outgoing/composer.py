"""Composes mails from arguments, with what Gmail and Slack say now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from integrations.base import Preview, ToolContext
from integrations.gmail.client import Mailbox
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.addresses import Address, parse_recipients, without_doubles
from integrations.gmail.outgoing.arguments import MailArgs
from integrations.gmail.outgoing.attachments import AttachmentSource
from integrations.gmail.outgoing.card import CardContext, mail_card
from integrations.gmail.outgoing.draft_revision import StoredDraft, read_draft
from integrations.gmail.outgoing.first_contact import first_contacts_among
from integrations.gmail.outgoing.identity import Identity, identity_of, with_signatures
from integrations.gmail.outgoing.mail import OutgoingMail, checked_mail, checked_subject
from integrations.gmail.outgoing.replies import ReplyTarget, answered
from integrations.gmail.outgoing.signatures import NONE
from integrations.gmail.text import shortened
from integrations.google.account import GoogleAccount
from integrations.ports import SlackFiles


@dataclass(frozen=True, slots=True)
class MailComposer:
    """Composes one person's mails during one call."""

    account: GoogleAccount
    html: HtmlReader
    files: SlackFiles | None
    ctx: ToolContext

    @property
    def mailbox(self) -> Mailbox:
        """The person's mail."""
        return Mailbox(self.account)

    @property
    def attachments(self) -> AttachmentSource:
        """Where files for the mail come from."""
        return AttachmentSource(mailbox=self.mailbox, files=self.files, requester=self.ctx.requester)

    async def identity(self) -> Identity:
        """Who the person is in mails, with the signatures of their addresses read."""
        return await with_signatures(await identity_of(self.mailbox, self.ctx.requester.name), self.html)

    async def stored_draft(self, draft_id: str) -> StoredDraft:
        """A draft with its text read; raises `ToolError`."""
        return await read_draft(await self.mailbox.whole_draft(draft_id), self.html)

    async def new(self, args: MailArgs) -> OutgoingMail:
        """A mail that stands alone; raises `ModelRetry` when it could not be sent."""
        mail = checked_mail(_mail(args, await self.identity()))
        return replace(mail, attachments=await self.attachments.gathered(args.attachments))

    async def draft(self, args: MailArgs, thread_id: str | None) -> tuple[OutgoingMail, ReplyTarget | None]:
        """A draft, which may have no recipients and no text yet; with a thread it answers there."""
        if thread_id is None:
            mail = _mail(args, await self.identity())
            return replace(mail, attachments=await self.attachments.gathered(args.attachments)), None
        thread, identity = await asyncio.gather(self.mailbox.thread(thread_id), self.identity())
        target = answered(thread)
        tied = replace(
            _mail(args, identity, target.addressed),
            thread_id=thread.id,
            in_reply_to=target.message_id,
            references=target.references,
            attachments=await self.attachments.gathered(args.attachments, thread),
        )
        return tied, target

    async def card(self, mail: OutgoingMail, context: CardContext) -> Preview:
        """The card, with first contacts marked."""
        first_contacts = await first_contacts_among(self.mailbox, mail.recipients)
        return mail_card(
            mail, replace(context, zone=self.ctx.requester.zone), mailbox=self.mailbox, first_contacts=first_contacts
        )


def _mail(args: MailArgs, identity: Identity, addressed: Sequence[Address] = ()) -> OutgoingMail:
    """The mail that the arguments describe, everybody once, from the address that `Identity.sender` finds."""
    to = parse_recipients(args.to)
    cc = without_doubles(parse_recipients(args.cc), besides=to)
    bcc = without_doubles(parse_recipients(args.bcc), besides=[*to, *cc])
    sender = identity.sender(addressed, wanted=args.from_address)
    return OutgoingMail(
        sender=sender,
        to=to,
        cc=cc,
        bcc=bcc,
        subject=checked_subject(args.subject),
        body=args.body,
        signature=identity.signature(sender) if args.signature else NONE,
        reply_to=identity.reply_to(sender),
    )


def people_in_words(texts: Sequence[str]) -> str:
    """ "a@x, b@y and 2 more"."""
    shown = ", ".join(shortened(text, 60) for text in texts[:2]) or "nobody"
    return f"{shown} and {len(texts) - 2} more" if len(texts) > 2 else shown
