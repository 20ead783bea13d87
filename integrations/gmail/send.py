"""gmail_send: a new mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from integrations.base import Call, Content, Preview, Reconciled, Result, Tool, ToolArgs, ToolContext
from integrations.gmail.addresses import parse_recipients, without_doubles
from integrations.gmail.cards import check_basis, letter_card
from integrations.gmail.cleaning import shortened
from integrations.gmail.client import Mailbox
from integrations.gmail.delivery import Delivery, settle
from integrations.gmail.letters import Letter, checked_letter, checked_subject
from integrations.gmail.replies import Identity
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.prose import prose
from policies.types import EffectClass, Role

Recipients = Annotated[list[str], Role.DESTINATION]


class LetterArgs(ToolArgs):
    """What a new mail and a draft have in common."""

    to: Annotated[Recipients, Field(description="One address per entry.")]
    subject: Annotated[Content, Field(description="One line.")]
    body: Annotated[Content, Field(description="Plain text.")]
    cc: Annotated[Recipients, Field(default_factory=list)]
    bcc: Annotated[Recipients, Field(default_factory=list)]


class SendArgs(LetterArgs):
    """Arguments of `gmail_send`."""


class GmailSend(Tool[SendArgs]):
    """Sends a mail at most once: draft first, then send, then look."""

    name = "gmail_send"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    args = SendArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "send.md")

    def caption(self, args: SendArgs) -> str:
        """Names the subject and the first recipients."""
        return f"Send “{shortened(args.subject, 60)}” to {people_in_words([*args.to, *args.cc, *args.bcc])}"

    async def preview(self, args: SendArgs, ctx: ToolContext) -> Preview:
        """The mail as it would leave; raises `ModelRetry` when it could not."""
        mailbox = Mailbox(await self._google.account(ctx.requester, self.scopes))
        letter = new_letter(args, await mailbox.identity(ctx.requester.name))
        return letter_card(checked_letter(letter), title="Send this email?", account=mailbox.account_id)

    async def execute(self, args: SendArgs, call: Call) -> Result:
        """Send it, once."""
        mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
        letter = checked_letter(new_letter(args, await mailbox.identity(call.requester.name)))
        check_basis(call, letter.basis(), what="the address that the mail would be sent from")
        return await Delivery(mailbox, call).deliver(letter)

    async def reconcile(self, args: SendArgs, call: Call) -> Reconciled:
        """Whether an earlier attempt sent it."""
        return await settle(self._google, self.scopes, call)


def new_letter(args: LetterArgs, identity: Identity) -> Letter:
    """The letter that the arguments describe, everybody once, from the person's usual address."""
    to = parse_recipients(args.to)
    cc = without_doubles(parse_recipients(args.cc), besides=to)
    bcc = without_doubles(parse_recipients(args.bcc), besides=[*to, *cc])
    subject = checked_subject(args.subject)
    return Letter(sender=identity.sender(), to=to, cc=cc, bcc=bcc, subject=subject, body=args.body)


def people_in_words(texts: Sequence[str]) -> str:
    """ "a@x, b@y and 2 more"."""
    shown = ", ".join(shortened(text, 60) for text in texts[:2]) or "nobody"
    return f"{shown} and {len(texts) - 2} more" if len(texts) > 2 else shown
