"""What the five tools that write mail have in common: prepare, show, check what was approved, carry out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, TypeVar

from integrations.base import Args, Call, Preview, Reconciled, Result, ToolContext, Unknown, Variant
from integrations.errors import BasisChanged, ToolFailed
from integrations.gmail.arguments import DraftableArgs, SendingArgs
from integrations.gmail.client import Mailbox
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.outgoing import send_time
from integrations.gmail.outgoing.attachments import AttachmentSource
from integrations.gmail.outgoing.card import mail_card
from integrations.gmail.outgoing.composer import MailComposer, PreparedMail
from integrations.gmail.outgoing.delivery import MailDelivery
from integrations.gmail.outgoing.replies import ReplyTarget
from integrations.gmail.outgoing.rivals import with_drafts_about
from integrations.gmail.results import LOOK_UNDER_DRAFTS, LOOK_UNDER_SENT
from integrations.gmail.tools.mail_tool import MailTool
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.grants import GoogleGrant
from integrations.ports import SlackFiles
from policies.guards.verbs import SEND
from policies.provenance import DRAFT
from policies.types import Addressing, EffectClass

Sending = TypeVar("Sending", bound=SendingArgs)

SEND_LATER = Variant(label="Send later", asks="send_at")
CHOSEN = "The user chose on the card to keep it as a draft: it was not sent."
DRAFT_WITH_TIME = "A draft does not leave by itself. Empty “Leaves” to save a draft, or do not save it as one."
SAVE_DRAFT = Variant(label="Save draft", args={"as_draft": True, "send_at": None})


class WritingTool(MailTool[Args]):
    """Shows a mail as it would be, and carries it out if it is still the one that was shown."""

    effect = EffectClass.PRIVATE_WRITE
    addressing = Addressing.STATED
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    thing = "mail"
    made_from: ClassVar[str] = "the conversation"
    """What has changed when the mail is no longer the one that was shown, in words."""

    def __init__(self, google: GoogleClient, *, html: HtmlReader, files: SlackFiles | None = None) -> None:
        super().__init__(google)
        self._html = html
        self._files = files

    async def preview(self, args: Args, ctx: ToolContext) -> Preview:
        """The mail as it would be; raises `ToolError` when it could not be."""
        leaves = self._leaves(args, ctx)
        composer = self._composer(await self._mailbox(ctx), ctx)
        prepared = await self._prepare(args, composer)
        prepared = replace(prepared, target=await self._target(prepared, composer))
        card = await mail_card(
            prepared.mail,
            composer.mailbox,
            title=self._title(args, leaves),
            zone=ctx.requester.zone,
            target=prepared.target,
            leaves=leaves,
            reaches=self._reaches(args),
        )
        card = self._finished(args, ctx, prepared, card)
        return replace(card, impact=card.impact and replace(card.impact, is_later=self._is_later(args)))

    async def with_rivals(self, args: Args, ctx: ToolContext, preview: Preview) -> Preview:
        """With the other drafts that may be meant by the subject of one that is sent or written over."""
        if preview.impact is None or not any(touched.kind == DRAFT for touched in preview.impact.objects):
            return preview
        return replace(preview, impact=await with_drafts_about(preview.impact, await self._mailbox(ctx)))

    async def execute(self, args: Args, call: Call) -> Result:
        """Carry it out. `BasisChanged` when it would be another mail than the one that was shown."""
        self._check_due(args, call)
        composer = self._composer(await self._approved(call), call)
        prepared = call.ahead if isinstance(call.ahead, PreparedMail) else await self._prepare(args, composer)
        if earlier := self._arrived(prepared, composer, call):
            return earlier
        if call.basis and dict(call.basis) != dict(prepared.basis()):
            raise BasisChanged(what=self.made_from)
        return await self._carry_out(args, prepared, composer, call)

    async def look_ahead(self, args: Args, ctx: ToolContext, access: object) -> PreparedMail | None:
        """The mail as it would be now."""
        if not isinstance(access, GoogleGrant):
            return None
        return await self._prepare(args, self._composer(self._granted(ctx, access), ctx))

    @abstractmethod
    async def _prepare(self, args: Args, composer: MailComposer) -> PreparedMail:
        """The mail, with what Gmail and Slack say now."""

    @abstractmethod
    def _title(self, args: Args, leaves: str) -> str:
        """The question on the card."""

    @abstractmethod
    async def _carry_out(self, args: Args, prepared: PreparedMail, composer: MailComposer, call: Call) -> Result: ...

    def _finished(self, args: Args, ctx: ToolContext, prepared: PreparedMail, card: Preview) -> Preview:
        """The card, with what only this tool has to say."""
        return card

    async def _target(self, prepared: PreparedMail, composer: MailComposer) -> ReplyTarget | None:
        """What the card says that it answers."""
        return prepared.target

    def _arrived(self, prepared: PreparedMail, composer: MailComposer, call: Call) -> Result | None:
        """The result of an earlier attempt, where what was prepared shows that it arrived."""
        return None

    def unknown(self, args: Args) -> Unknown:
        """Where a draft lies."""
        return LOOK_UNDER_DRAFTS

    def _leaves(self, args: Args, ctx: ToolContext) -> str:
        """When it leaves, in words; empty for at once, and for a draft."""
        return ""

    def _reaches(self, args: Args) -> bool:
        """Whether anybody gets the mail: a draft reaches nobody."""
        return False

    def _is_later(self, args: Args) -> bool:
        """Whether it leaves at a moment that its arguments give."""
        return False

    def _check_due(self, args: Args, call: Call) -> None:
        """Raises `ToolFailed` before the moment at which it is to leave."""

    def _composer(self, mailbox: Mailbox, ctx: ToolContext) -> MailComposer:
        files = AttachmentSource(mailbox=mailbox, files=self._files, requester=ctx.requester)
        return MailComposer(mailbox, html=self._html, attachments=files, name=ctx.requester.name)


class SendingTool(WritingTool[Sending]):
    """Sends a mail at most once, at its moment: draft first, then send, then look."""

    effect = EffectClass.EXTERNAL
    verbs = SEND
    addressing = Addressing.LOOKED_UP
    hold = timedelta(seconds=30)

    def contradictions(self, args: Sending) -> Mapping[str, str]:
        """A draft has no moment at which it leaves."""
        return {"as_draft": DRAFT_WITH_TIME} if self._as_draft(args) and args.send_at is not None else {}

    def not_before(self, args: Sending, ctx: ToolContext) -> datetime | None:
        """The moment of `send_at`. A draft has none, also one that was edited before the pair was refused."""
        if self._as_draft(args):
            return None
        return send_time.leaving(args.send_at, ctx.requester.zone, self._google.clock.now())

    async def _carry_out(self, args: Sending, prepared: PreparedMail, composer: MailComposer, call: Call) -> Result:
        delivery, mail = MailDelivery(composer.mailbox, call), prepared.mail
        return await (delivery.keep(mail, note=CHOSEN) if self._as_draft(args) else delivery.deliver(mail))

    async def _outcome(self, args: Sending, call: Call, mailbox: Mailbox) -> Reconciled:
        delivery = MailDelivery(mailbox, call)
        return await (delivery.kept(note=CHOSEN) if self._as_draft(args) else delivery.settle())

    def unknown(self, args: Sending) -> Unknown:
        """Where a draft lies, or what was sent."""
        return LOOK_UNDER_DRAFTS if self._as_draft(args) else LOOK_UNDER_SENT

    def _finished(self, args: Sending, ctx: ToolContext, prepared: PreparedMail, card: Preview) -> Preview:
        """With what can be approved in the place of sending it as the card shows it."""
        if self._as_draft(args) or ctx.due:
            return card
        return replace(card, variants=[SAVE_DRAFT] if args.send_at else [SEND_LATER, SAVE_DRAFT])

    def _leaves(self, args: Sending, ctx: ToolContext) -> str:
        at = None if ctx.due else self.not_before(args, ctx)
        return send_time.in_words(at, ctx.requester.zone, self._google.clock.now()) if at else ""

    def _reaches(self, args: Sending) -> bool:
        return not self._as_draft(args)

    def _is_later(self, args: Sending) -> bool:
        return args.send_at is not None

    def _check_due(self, args: Sending, call: Call) -> None:
        if self._as_draft(args):
            return
        zone, now = call.requester.zone, self._google.clock.now()
        if args.send_at is not None and not call.due and (at := send_time.moment(args.send_at, zone)) > now:
            when = send_time.in_words(at, zone, now)
            raise ToolFailed("too_early", f"This mail is to leave on {when}. It was not sent yet.")

    def _when(self, said: str, args: Sending) -> str:
        """A caption with the moment at which the mail leaves."""
        if self._as_draft(args):
            verb, _, what = said.partition(" ")
            return f"Save a draft of {what}" if verb == "Send" else f"Save a draft: {verb.lower()} {what}"
        return f"{said} on {send_time.roughly(args.send_at)}" if args.send_at else said

    def _as_draft(self, args: Sending) -> bool:
        return isinstance(args, DraftableArgs) and args.as_draft
