"""What the five tools that write mail have in common: prepare, show, check what was approved, carry out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, TypeVar

from integrations.base import Call, Preview, Reconciled, Result, Tool, ToolArgs, ToolContext
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.outgoing import send_later, send_time
from integrations.gmail.outgoing.arguments import DraftableArgs, SendingArgs
from integrations.gmail.outgoing.card import CardContext, check_basis
from integrations.gmail.outgoing.composer import MailComposer
from integrations.gmail.outgoing.delivery import Delivery, settle
from integrations.gmail.outgoing.draft_revision import Revision, StoredDraft
from integrations.gmail.outgoing.mail import OutgoingMail
from integrations.gmail.outgoing.replies import ReplyTarget
from integrations.google.account import GoogleAccount
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_COMPOSE, MAIL_READ
from integrations.ports import SlackFiles
from integrations.prose import prose
from policies.types import EffectClass

Args = TypeVar("Args", bound=ToolArgs)
Sending = TypeVar("Sending", bound=SendingArgs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A mail that is ready, what it answers, and how it comes out of a draft that exists."""

    mail: OutgoingMail
    target: ReplyTarget | None = None
    revision: Revision | None = None

    @property
    def drafted(self) -> Revision:
        """The revision, for the tools that always have one."""
        if self.revision is None:
            raise RuntimeError("no draft was prepared")
        return self.revision

    @property
    def stored(self) -> StoredDraft:
        """The draft as it lies there."""
        return self.drafted.old

    def basis(self) -> Mapping[str, object]:
        """What was approved: the mail, and the version of its draft."""
        version = {"draft_version": self.revision.old.version} if self.revision else {}
        return {**version, **self.mail.basis()}


class WritingTool(Tool[Args]):
    """Shows a mail as it would be, and carries it out if it is still the one that was shown."""

    effect = EffectClass.PRIVATE_WRITE
    provider = "google"
    scopes = frozenset({MAIL_READ, MAIL_COMPOSE})
    timeout_seconds = 60.0
    can_reconcile = True
    made_from: ClassVar[str] = "the conversation"
    """What has changed when the mail is no longer the one that was shown, in words."""

    def __init__(self, google: GoogleClient, *, html: HtmlReader, files: SlackFiles | None = None) -> None:
        self._google = google
        self._html = html
        self._files = files
        module = type(self).__module__
        self.description = prose(module, f"{module.rpartition('.')[2]}.md")

    async def preview(self, args: Args, ctx: ToolContext) -> Preview:
        """The mail as it would be; raises `ToolError` when it could not be."""
        leaves = self._leaves(args, ctx)
        composer = self._composer(await self._google.account(ctx.requester, self.scopes), ctx)
        prepared = await self._prepare(args, composer)
        target = await self._target(prepared, composer)
        context = CardContext(title=self._title(args, leaves), target=target, leaves=leaves)
        card = await composer.card(prepared.mail, context)
        return self._finished(args, ctx, replace(prepared, target=target), card)

    async def execute(self, args: Args, call: Call) -> Result:
        """Carry it out. `BasisChanged` when it would be another mail than the one that was shown."""
        self._check_due(args, call)
        account = await self._google.account(call.requester, self.scopes, approved=call.account)
        composer = self._composer(account, call)
        prepared = await self._prepare(args, composer)
        if earlier := self._arrived(prepared, composer, call):
            return earlier
        check_basis(call, prepared.basis(), what=self.made_from)
        return await self._carry_out(args, prepared, composer, call)

    @abstractmethod
    async def _prepare(self, args: Args, composer: MailComposer) -> Prepared:
        """The mail, with what Gmail and Slack say now."""

    @abstractmethod
    def _title(self, args: Args, leaves: str) -> str:
        """The question on the card."""

    @abstractmethod
    async def _carry_out(self, args: Args, prepared: Prepared, composer: MailComposer, call: Call) -> Result: ...

    def _finished(self, args: Args, ctx: ToolContext, prepared: Prepared, card: Preview) -> Preview:
        """The card, with what only this tool has to say."""
        return card

    async def _target(self, prepared: Prepared, composer: MailComposer) -> ReplyTarget | None:
        """What the card says that it answers."""
        return prepared.target

    def _arrived(self, prepared: Prepared, composer: MailComposer, call: Call) -> Result | None:
        """The result of an earlier attempt, where what was prepared shows that it arrived."""
        return None

    def _leaves(self, args: Args, ctx: ToolContext) -> str:
        """When it leaves, in words; empty for at once, and for a draft."""
        return ""

    def _check_due(self, args: Args, call: Call) -> None:
        """Raises `ToolFailed` before the moment at which it is to leave."""

    def _composer(self, account: GoogleAccount, ctx: ToolContext) -> MailComposer:
        return MailComposer(account, html=self._html, files=self._files, ctx=ctx)


class SendingTool(WritingTool[Sending]):
    """Sends a mail at most once, at its moment: draft first, then send, then look."""

    effect = EffectClass.EXTERNAL
    hold = send_later.HOLD

    def not_before(self, args: Sending, ctx: ToolContext) -> datetime | None:
        """The moment of `send_at`."""
        if self._as_draft(args):
            return None
        return send_time.leaving(args.send_at, ctx.requester.zone, self._google.clock.now())

    async def reconcile(self, args: Sending, call: Call) -> Reconciled:
        """Whether an earlier attempt sent it."""
        return await settle(self._google, self.scopes, call, as_draft=self._as_draft(args))

    async def _carry_out(self, args: Sending, prepared: Prepared, composer: MailComposer, call: Call) -> Result:
        delivery = Delivery(composer.mailbox, call)
        return await (delivery.keep(prepared.mail) if self._as_draft(args) else delivery.deliver(prepared.mail))

    def _finished(self, args: Sending, ctx: ToolContext, prepared: Prepared, card: Preview) -> Preview:
        return replace(card, variants=send_later.variants(args.send_at, ctx, as_draft=self._as_draft(args)))

    def _leaves(self, args: Sending, ctx: ToolContext) -> str:
        return send_later.spoken(args.send_at, ctx, self._google.clock.now())

    def _check_due(self, args: Sending, call: Call) -> None:
        send_later.check_due(args.send_at, call, self._google.clock.now())

    def _as_draft(self, args: Sending) -> bool:
        return isinstance(args, DraftableArgs) and args.as_draft
