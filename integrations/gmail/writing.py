"""From arguments to a letter, with what Gmail and Slack say now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from integrations.base import Preview, ToolContext
from integrations.gmail.acquaintance import strangers_among
from integrations.gmail.addresses import Address, parse_recipients, without_doubles
from integrations.gmail.arguments import LetterArgs
from integrations.gmail.cards import Occasion, letter_card
from integrations.gmail.cleaning import shortened
from integrations.gmail.client import Mailbox
from integrations.gmail.enclosures import Enclosures
from integrations.gmail.letters import Letter, checked_letter, checked_subject
from integrations.gmail.replies import Identity, ReplyTarget, answered
from integrations.gmail.signatures import NONE
from integrations.google.account import GoogleAccount
from integrations.ports import SlackFiles


@dataclass(frozen=True, slots=True)
class Desk:
    """Where one person's letters are written during one call."""

    account: GoogleAccount
    files: SlackFiles | None
    ctx: ToolContext

    @property
    def mailbox(self) -> Mailbox:
        """The person's mail."""
        return Mailbox(self.account)

    @property
    def enclosures(self) -> Enclosures:
        """Where files for the letter come from."""
        return Enclosures(mailbox=self.mailbox, files=self.files, requester=self.ctx.requester)

    async def identity(self) -> Identity:
        """Who the person is in mails."""
        return await self.mailbox.identity(self.ctx.requester.name)

    async def new(self, args: LetterArgs) -> Letter:
        """A mail that stands alone; raises `ModelRetry` when it could not be sent."""
        letter = checked_letter(_letter(args, await self.identity()))
        return replace(letter, enclosed=await self.enclosures.gathered(args.attachments))

    async def draft(self, args: LetterArgs, thread_id: str | None) -> tuple[Letter, ReplyTarget | None]:
        """A draft, which may have no recipients and no text yet; with a thread it answers there."""
        if thread_id is None:
            letter = _letter(args, await self.identity())
            return replace(letter, enclosed=await self.enclosures.gathered(args.attachments)), None
        thread, identity = await asyncio.gather(self.mailbox.thread(thread_id), self.identity())
        target = answered(thread)
        tied = replace(
            _letter(args, identity, target.addressed),
            thread_id=thread.id,
            in_reply_to=target.message_id,
            references=target.references,
            enclosed=await self.enclosures.gathered(args.attachments, thread),
        )
        return tied, target

    async def card(self, letter: Letter, occasion: Occasion) -> Preview:
        """The card, with whom the person has never met marked."""
        strangers = await strangers_among(self.mailbox, letter.recipients)
        return letter_card(
            letter, replace(occasion, zone=self.ctx.requester.zone), mailbox=self.mailbox, strangers=strangers
        )


def _letter(args: LetterArgs, identity: Identity, addressed: Sequence[Address] = ()) -> Letter:
    """The letter that the arguments describe, everybody once, from the address that `Identity.sender` finds."""
    to = parse_recipients(args.to)
    cc = without_doubles(parse_recipients(args.cc), besides=to)
    bcc = without_doubles(parse_recipients(args.bcc), besides=[*to, *cc])
    sender = identity.sender(addressed, wanted=args.from_address)
    return Letter(
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
