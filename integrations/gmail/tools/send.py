"""gmail_send: a new mail."""

from __future__ import annotations

from integrations.gmail.arguments import DraftableArgs, MailArgs
from integrations.gmail.outgoing.composer import MailComposer, PreparedMail
from integrations.gmail.text import shortened
from integrations.gmail.tools.writing_tool import SendingTool
from policies.characters import quoted
from policies.provenance import DRAFT
from policies.types import Addressing

NAMED = 2


class SendArgs(DraftableArgs, MailArgs):
    """Arguments of `gmail_send`."""


class GmailSend(SendingTool[SendArgs]):
    """Sends a new mail."""

    name = "gmail_send"
    looks_ahead = True
    makes = DRAFT  # where its owner chose that on the card
    addressing = Addressing.STATED
    made_from = "what the mail was made from"
    args = SendArgs

    def caption(self, args: SendArgs) -> str:
        """Names the subject and the first recipients, and when it leaves."""
        people = [*args.to, *args.cc, *args.bcc]
        named = ", ".join(shortened(text, 60) for text in people[:NAMED]) or "nobody"
        more = f" and {len(people) - NAMED} more" if len(people) > NAMED else ""
        return self._when(f"Send {quoted(args.subject)} to {named}{more}", args)

    async def _prepare(self, args: SendArgs, composer: MailComposer) -> PreparedMail:
        return await composer.new(args)

    def _title(self, args: SendArgs, leaves: str) -> str:
        if args.as_draft:
            return "Save this as a draft?"
        return "Send this mail later?" if leaves else "Send this mail?"
