"""gmail_send: a new mail."""

from __future__ import annotations

from integrations.gmail.outgoing import send_later
from integrations.gmail.outgoing.arguments import DraftableArgs, MailArgs
from integrations.gmail.outgoing.composer import MailComposer, people_in_words
from integrations.gmail.text import shortened
from integrations.gmail.tools.writing_tool import Prepared, SendingTool


class SendArgs(DraftableArgs, MailArgs):
    """Arguments of `gmail_send`."""


class GmailSend(SendingTool[SendArgs]):
    """Sends a new mail."""

    name = "gmail_send"
    made_from = "what the mail was made from"
    args = SendArgs

    def caption(self, args: SendArgs) -> str:
        """Names the subject and the first recipients, and when it leaves."""
        people = people_in_words([*args.to, *args.cc, *args.bcc])
        said = f"Send “{shortened(args.subject, 60)}” to {people}"
        return send_later.caption(said, args.send_at, as_draft=args.as_draft)

    async def _prepare(self, args: SendArgs, composer: MailComposer) -> Prepared:
        return Prepared(mail=await composer.new(args))

    def _title(self, args: SendArgs, leaves: str) -> str:
        if args.as_draft:
            return "Save this as a draft?"
        return "Send this mail later?" if leaves else "Send this mail?"
