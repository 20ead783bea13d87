"""gmail_draft_send: a draft that exists, sent as it stands."""

from __future__ import annotations

from dataclasses import replace

from integrations.base import Call, Field, Preview, Result, ToolArgs, ToolContext
from integrations.errors import Missing, ModelRetry, ToolError, ToolFailed
from integrations.gmail.arguments import DraftId, SendingArgs, UpdateArgs
from integrations.gmail.mime.addresses import deliverable
from integrations.gmail.outgoing.card import listed, touched_draft
from integrations.gmail.outgoing.composer import MailComposer, PreparedMail
from integrations.gmail.outgoing.delivery import MailDelivery
from integrations.gmail.outgoing.draft_contents import draft_contents
from integrations.gmail.outgoing.draft_revision import revised
from integrations.gmail.outgoing.mail import checked_mail
from integrations.gmail.outgoing.replies import ReplyTarget, answered
from integrations.gmail.tools.writing_tool import SEND_LATER, SendingTool
from policies.provenance import Impact

_OLDER = "Since the mail that this draft answers, another one came in its thread."
_PUT_RIGHT = "Put it right with gmail_draft_update, or in Gmail."


class DraftSendHeads(ToolArgs):
    """Which draft."""

    draft_id: DraftId


class DraftSendArgs(SendingArgs, DraftSendHeads):
    """Arguments of `gmail_draft_send`."""


class GmailDraftSend(SendingTool[DraftSendArgs]):
    """Sends the version of a draft that was shown, at most once; one that was saved meanwhile is shown again first.

    Between the look at its version and the request to send lies one round trip: Google takes no condition there.
    """

    name = "gmail_draft_send"
    made_from = "the draft"
    args = DraftSendArgs

    def caption(self, args: DraftSendArgs) -> str:
        """Says when it leaves, where that is later."""
        return self._when("Send a draft", args)

    async def execute(self, args: DraftSendArgs, call: Call) -> Result:
        """As the others. A draft that is gone may have been sent by an earlier attempt."""
        try:
            return await super().execute(args, call)
        except Missing:
            return await MailDelivery(await self._approved(call), call).sent_before()

    async def _prepare(self, args: DraftSendArgs, composer: MailComposer) -> PreparedMail:
        """The draft, if all its recipients can be determined; raises `ToolError`."""
        old = await composer.stored_draft(args.draft_id)
        try:
            for address in old.written_addresses("To", "Cc", "Bcc"):
                deliverable(address)
        except ModelRetry as error:
            raise ToolFailed(error.code, error.message, hint=_PUT_RIGHT) from None
        identity = await composer.identity()
        mail = revised(old, UpdateArgs(draft_id=args.draft_id, attachments=[]), identity)
        mail = checked_mail(replace(mail, reply_to=None))
        contents = await draft_contents(old, mail, composer.html)
        return PreparedMail(mail=mail, draft=old, contents=contents, signature=identity.signature(mail.sender))

    async def _target(self, prepared: PreparedMail, composer: MailComposer) -> ReplyTarget | None:
        """None where it answers nothing that is still there."""
        if prepared.stored.thread_id is None:
            return None
        try:
            return answered(await composer.mailbox.thread(prepared.stored.thread_id))
        except ToolError:
            return None

    def _title(self, args: DraftSendArgs, leaves: str) -> str:
        return "Send this draft later?" if leaves else "Send this draft?"

    def _finished(self, args: DraftSendArgs, ctx: ToolContext, prepared: PreparedMail, card: Preview) -> Preview:
        older = prepared.target is not None and prepared.target.message_id != prepared.mail.in_reply_to
        return replace(
            card,
            fields=[*_answers_go_to(prepared), *_leaving(card), *prepared.contents.fields()],
            warnings=[*card.warnings, *([_OLDER] if older else []), *prepared.contents.warnings()],
            recipients=prepared.mail.emails,
            basis=prepared.basis(),
            impact=_impact(prepared, card),
            variants=[] if args.send_at or ctx.due else [SEND_LATER],
        )

    async def _carry_out(
        self, args: DraftSendArgs, prepared: PreparedMail, composer: MailComposer, call: Call
    ) -> Result:
        return await MailDelivery(composer.mailbox, call).deliver_kept(prepared.stored, prepared.mail)


def _leaving(card: Preview) -> list[Field]:
    """The signature is part of the text."""
    return [field for field in card.fields if field.label != "Signature"]


def _impact(prepared: PreparedMail, card: Preview) -> Impact | None:
    """That of the mail, and of everything that leaves with the draft unseen, whoever put it there. The signature of
    Gmail's settings is part of the text; its owner set it up. The draft itself may be unfinished.
    """
    if card.impact is None:
        return None
    answers = prepared.stored.written_addresses("Reply-To")
    unseen = prepared.contents.impact()
    return replace(
        card.impact,
        destinations=[*card.impact.destinations, *(one.email for one in answers), *unseen.destinations],
        texts=[*card.impact.texts, *(one.name for one in answers if one.name), *unseen.texts],
        links=unseen.links,
        set_up=[prepared.signature.html, prepared.signature.text],
        objects=[touched_draft(prepared.stored.draft.id, prepared.stored.subject)],
    )


def _answers_go_to(prepared: PreparedMail) -> list[Field]:
    """Everything that stands in Reply-To, which nobody checked."""
    told = listed(prepared.stored.written_addresses("Reply-To"))
    return [Field(label="Answers go to", value=told, destination=True)] if told else []
