"""What all mail tools have in common: one person's mailbox for a call, and a description beside the module."""

from __future__ import annotations

from integrations.base import Args, Call, Reconciled, Tool, ToolContext, Unknown
from integrations.errors import BasisChanged, ToolError
from integrations.gmail.client import Mailbox
from integrations.gmail.results import LOOK_IN_GMAIL
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.grants import GoogleGrant
from integrations.text import prose


class MailTool(Tool[Args]):
    """A tool over a mailbox. Its long description is the `.md` file beside its module, of the same name."""

    provider = "google"
    scopes = frozenset({MAIL_READ})

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        module = type(self).__module__
        self.description = prose(module, f"{module.rpartition('.')[2]}.md")

    async def reconcile(self, args: Args, call: Call) -> Reconciled:
        """What became of an earlier attempt; unknown where Google cannot be asked."""
        try:
            return await self._outcome(args, call, await self._approved(call))
        except (ToolError, BasisChanged):
            return self.unknown(args)

    async def _outcome(self, args: Args, call: Call, mailbox: Mailbox) -> Reconciled:
        """What `reconcile` answers, where Google can be asked."""
        return self.unknown(args)

    def unknown(self, args: Args) -> Unknown:
        """Where the owner can look."""
        return LOOK_IN_GMAIL

    async def _mailbox(self, ctx: ToolContext) -> Mailbox:
        """The mailbox of the account that is connected now."""
        return Mailbox(await self._google.account(ctx.requester, self.scopes))

    def _granted(self, ctx: ToolContext, grant: GoogleGrant) -> Mailbox:
        """The mailbox that this grant is for."""
        return Mailbox(self._google.granted(ctx.requester, self.scopes, grant))

    async def _approved(self, call: Call) -> Mailbox:
        """The mailbox of the account that the call was approved for."""
        return Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
