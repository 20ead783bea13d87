"""Composes mails from arguments, with what Gmail and Slack say now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from integrations.gmail.arguments import MailArgs
from integrations.gmail.client import Mailbox
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.addresses import Address, parse_recipients, without_doubles
from integrations.gmail.outgoing.attachments import AttachmentSource
from integrations.gmail.outgoing.draft_contents import DraftContents
from integrations.gmail.outgoing.draft_revision import StoredDraft, read_draft
from integrations.gmail.outgoing.identity import SenderIdentity, identity_of, with_signatures
from integrations.gmail.outgoing.mail import OutgoingMail, checked_mail, checked_subject
from integrations.gmail.outgoing.replies import ReplyTarget, answered
from integrations.gmail.outgoing.signatures import NONE, Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedMail:
    """A mail that is ready, what it answers, and the draft that it comes out of. `signature` is the one that Gmail's
    settings have for its sender, where the text may hold it already.
    """

    mail: OutgoingMail
    target: ReplyTarget | None = None
    draft: StoredDraft | None = None
    contents: DraftContents = field(default_factory=DraftContents)
    signature: Signature = NONE

    @property
    def stored(self) -> StoredDraft:
        """The draft, for the tools that always have one."""
        if self.draft is None:
            raise RuntimeError("no draft was prepared")
        return self.draft

    def basis(self) -> Mapping[str, object]:
        """What was approved: the mail, and the version of its draft."""
        version = {"draft_version": self.draft.version} if self.draft else {}
        return {**version, **self.mail.basis()}


@dataclass(frozen=True, slots=True)
class MailComposer:
    """Composes one person's mails during one call; `name` is the person's, where Gmail has none."""

    mailbox: Mailbox
    html: HtmlReader
    attachments: AttachmentSource
    name: str

    async def identity(self) -> SenderIdentity:
        """Who the person is in mails, with the signatures of their addresses read."""
        return await with_signatures(await identity_of(self.mailbox, self.name), self.html)

    async def stored_draft(self, draft_id: str) -> StoredDraft:
        """A draft with its text read; raises `ToolError`."""
        return await read_draft(await self.mailbox.whole_draft(draft_id), self.html)

    async def new(self, args: MailArgs) -> PreparedMail:
        """A mail that stands alone; raises `ModelRetry` when it could not be sent."""
        mail = checked_mail(_mail(args, await self.identity()))
        return PreparedMail(mail=replace(mail, attachments=await self.attachments.gathered(args.attachments)))

    async def draft(self, args: MailArgs, thread_id: str | None) -> PreparedMail:
        """A draft, which may have no recipients and no text yet; with a thread it answers there."""
        if thread_id is None:
            mail = _mail(args, await self.identity())
            return PreparedMail(mail=replace(mail, attachments=await self.attachments.gathered(args.attachments)))
        thread, identity = await asyncio.gather(self.mailbox.thread(thread_id), self.identity())
        target = answered(thread)
        tied = replace(
            _mail(args, identity, target.addressed),
            thread_id=thread.id,
            in_reply_to=target.message_id,
            references=target.references,
            attachments=await self.attachments.gathered(args.attachments, thread),
        )
        return PreparedMail(mail=tied, target=target)


def _mail(args: MailArgs, identity: SenderIdentity, addressed: Sequence[Address] = ()) -> OutgoingMail:
    """The mail that the arguments describe, everybody once, from the address that `SenderIdentity.sender` finds."""
    to = parse_recipients(args.to)
    cc = without_doubles(parse_recipients(args.cc), besides=to)
    sender = identity.sender(addressed, wanted=args.from_address)
    return OutgoingMail(
        sender=sender,
        is_sender_chosen=identity.is_choice(sender),
        to=to,
        cc=cc,
        bcc=without_doubles(parse_recipients(args.bcc), besides=[*to, *cc]),
        subject=checked_subject(args.subject),
        body=args.body,
        signature=identity.signature(sender, wanted=args.signature),
        reply_to=identity.reply_to(sender),
    )
